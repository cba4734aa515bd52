"""What words make of a plan that was said before: another time, another day, another rhythm."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time

from language.moments import durations_in, folded
from language.planning.clusters import clusters_in
from language.planning.items import DaySaid
from language.planning.plans import RULE_DAYS, Again, Once, Plan, Unclear, rule_parts
from language.planning.reading import plan_in

#: "Make that 11": the hour is a time of day.
_BARE_HOUR = re.compile(
    r"\b((?:make|set) (?:it|that|this)|(?:move|change|push|shift|set) (?:it|that|this) (?:to|back to)|^(?:to|at)) "
    r"(?:at )?(\d{1,2})(?=[.!? ]{0,3}$)",
    re.IGNORECASE,
)
#: What says only that it is another plan than before.
_INSTEAD = re.compile(r",? (?:instead|rather|please|then)(?=[.!? ]{0,3}$)", re.IGNORECASE)
#: Minutes within which the same half of the day is meant.
_NEAR_MINUTES = 180


def at_time(plan: Plan, at: time) -> Plan:
    """Return a plan at another time of day."""
    match plan:
        case Once():
            return Once(datetime.combine(plan.at.date(), at))
        case Again():
            return replace(plan, at=at)


def moved(plan: Plan, words: str, *, now: datetime) -> Sequence[Plan]:
    """Return what words make of a plan that is still to come: "make it 5 pm", "only on mondays", 改成周四下午三点.

    A time without a day stays on the day, or the days, that it had, and a rhythm without a time keeps the time.
    Several: either may be meant. None where the words name a span ("in an hour"), or one day of a plan that comes
    again and again. Of such a plan a weekday means each of them: it is none of the past on that very day.
    """
    words = _BARE_HOUR.sub(r"\1 at \2", _INSTEAD.sub("", words))
    plain = folded(words)
    if any(durations_in(plain)):
        return ()
    days = [day for cluster in clusters_in(plain, now.date()) for day in cluster.days]
    first = plan.at.date() if isinstance(plan, Once) else now.date()
    start = now if days and isinstance(plan, Once) else datetime.combine(first, time.min)
    said = plan_in(words, now=start)
    if said.unclear is Unclear.NO_TIME:
        timed = [at_time(each, time_of(plan)) for each in said.choices]
        again = [each for each in timed if isinstance(plan, Again) or isinstance(each, Again)]
        return tuple(each for one in again if (each := _moved(plan, one, days)) is not None)
    if said.unclear not in (None, Unclear.TWO_WAYS):
        return ()
    meant = [_moved(plan, each, days) for each in ((said.plan,) if said.plan else said.choices)]
    return _nearest(plan, tuple(dict.fromkeys(each for each in meant if each is not None)))


def _nearest(plan: Plan, meant: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """Return of both halves of a day the time that is near that of the plan: 改到三点, of one at 14:30, is 15:00."""
    if len(meant) != 2 or at_time(meant[0], time_of(meant[1])) != meant[1]:
        return meant
    before = _minutes(time_of(plan))
    near = [each for each in meant if abs(_minutes(time_of(each)) - before) <= _NEAR_MINUTES]
    return (near[0],) if len(near) == 1 else meant


def _minutes(at: time) -> int:
    return at.hour * 60 + at.minute


def _moved(plan: Plan, said: Plan, days: Sequence[DaySaid]) -> Plan | None:
    if isinstance(plan, Once) or isinstance(said, Again):
        return said
    if not days:
        return replace(plan, at=said.at.time())
    weekly = rule_parts(plan.rule).keys() == {"FREQ", "BYDAY"} and plan.rule.startswith("FREQ=WEEKLY")
    if weekly and all(each.weekday for each in days):
        return Again(f"FREQ=WEEKLY;BYDAY={RULE_DAYS[said.at.weekday()]}", said.at.time())
    return None


def time_of(plan: Plan) -> time:
    """Return the time of day of a plan."""
    match plan:
        case Once():
            return plan.at.time()
        case Again():
            return plan.at
