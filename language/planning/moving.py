"""What words make of a plan that was said before: another time, another day, another rhythm."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from language.moments import durations_in, folded
from language.planning.clusters import Cluster, clusters_in
from language.planning.items import WEEK_ZH, DaySaid
from language.planning.plans import (
    RULE_DAYS,
    Again,
    Once,
    Plan,
    SeveralTimes,
    Unclear,
    at_time,
    each_of,
    rule_parts,
    together,
)
from language.planning.reading import again, plan_in
from language.planning.rhythms import LIST, LIST_ZH, days_of

#: "Make that 11": the hour is a time of day.
_BARE_HOUR = re.compile(
    r"\b((?:make|set) (?:it|that|this)|(?:move|change|push|shift|set) (?:it|that|this) (?:to|back to)|^(?:to|at)) "
    r"(?:at )?(\d{1,2})(?=[.!? ]{0,3}$)",
    re.IGNORECASE,
)
#: What says only that it is another plan than before.
_INSTEAD = re.compile(r",? (?:instead|rather|please|then)(?=[.!? ]{0,3}$)", re.IGNORECASE)
#: "An hour earlier" goes back from the time that was planned.
_EARLIER = re.compile(r"\b(?:earlier|sooner)\b|提前|提早|往前|早(?=.{1,4}(?:分钟|小时|钟头|天|周))")
#: "Half an hour later" goes on from it; "in half an hour" from now.
_LATER = re.compile(
    r"\b(?:later|push|move|put|postpone|delay|shift)\b|往后|推迟|延后|延迟|推后|晚(?=.{1,4}(?:分钟|小时|钟头))"
)
_FROM_NOW = re.compile(r"\b(?:in|from now|until|till)\b|后(?![推延])|再")
#: "Put it off until tomorrow" is no other plan: it comes when the day begins.
_PUT_OFF = re.compile(r"\b(?:put|postpone|delay|snooze|until|till)\b|推迟|延后|延迟|推后|往后|[推延]到|再提醒")
#: "Make it two hours before": before what it reminds of, not before the time that it has.
_BEFORE_IT = re.compile(
    r"\b(?:before(?:hand)?|ahead|in advance)(?: (?:it|that|instead|please))?[.! ]{0,3}$"
    r"|改[成为到]提前.{1,6}(?:分钟|小时|钟头|天|刻钟)"
)
#: Days are left out; what else there is stays.
_NOT_ON = (
    re.compile(
        rf"^(?:but |just |please |and |actually,? ){{0,2}}(?:not|skip|except|without|leave out|drop|no)(?: on| for)?"
        rf"(?: the| every| any)? {LIST}(?: ones?)?(?: any ?more)?(?:,? please)?[.! ]{{0,3}}$"
    ),
    re.compile(
        rf"^(?:但是?|不过)?{WEEK_ZH}{LIST_ZH}(?:就|都|那天|的)?(?:不用|不要|不必|不需要|除外|去掉|跳过|免了|算了|不提醒"
        r"|不[\u4e00-\u9fff]{1,2}了)(?:提醒)?我?[了吧]?[。！! ]{0,3}$"
    ),
    re.compile(rf"^(?:去掉|跳过|除了){WEEK_ZH}{LIST_ZH}(?:吧|那天|的)?[。！! ]{{0,3}}$"),
)
#: Another rhythm that leaves the day and the time as they are: "make it weekly", 改成每两周一次.
_ONCE_EVERY_ZH = rf"每个?(?P<zh>{WEEK_ZH}|月|年)|(?P<two_zh>每(?:隔一|两|2|二)个?{WEEK_ZH}|隔{WEEK_ZH}|双周)"
_AS_OFTEN = re.compile(
    r"(?:every|each|once a|once every) (?P<en>week|month|year)\b|\b(?P<ly>week|month|year)ly\b|\bannual(?P<annual>ly)\b"
    r"|\b(?P<two>(?:every|each) (?:other|second|two|2) weeks?|bi-?weekly|fortnightly|every fortnight)\b"
    rf"|(?:{_ONCE_EVERY_ZH})的?(?:一次)?"
)
#: The last day that every month has.
_LAST_SURE = 28
#: Minutes within which the same half of the day is meant.
_NEAR_MINUTES = 180


def moved(plan: Plan, words: str, *, now: datetime) -> Sequence[Plan]:
    """Return what words make of a plan that is still to come: "make it 5 pm", "only on mondays", 改成周四下午三点.

    A time without a day stays on the day, or the days, that it had, and a rhythm without a time keeps the time.
    Several: either may be meant. None where the words name a span ("in an hour"), or one day of a plan that comes
    again and again. Of such a plan a weekday means each of them: it is none of the past on that very day.
    """
    if says_how_long_before(words):
        return ()
    if isinstance(plan, SeveralTimes):
        return _moved_each(plan, words, now)
    if out := _left_out(folded(words)):
        return _without_days(plan, out.split(","))
    return _moved_to(plan, _BARE_HOUR.sub(r"\1 at \2", _INSTEAD.sub("", words)), now)


def _moved_each(plan: SeveralTimes, words: str, now: datetime) -> Sequence[Plan]:
    """Return several times at another one each; words that name a day, or a rhythm, say all anew."""
    meant = [moved(each, words, now=now) for each in plan.plans]
    if any(each.has_day for each in clusters_in(folded(words), now.date())):
        return meant[0]
    if len({len(each) for each in meant}) > 1:
        return ()
    return tuple(together(part for each in row for part in each_of(each)) for row in zip(*meant, strict=True))


def _moved_to(plan: Once | Again, words: str, now: datetime) -> Sequence[Plan]:
    plain = folded(words)
    clusters = clusters_in(plain, now.date())
    often = _AS_OFTEN.search(plain)
    if often and not any(each.days or each.times or any(said.rules for said in each.rhythms) for each in clusters):
        return _as_often(plan, often, now)
    if spans := [each.value for each in durations_in(plain)]:
        return _by_span(plan, spans[0], plain) if len(spans) == 1 else ()
    return () if any(cluster.lapses for cluster in clusters) else _to_time(plan, words, clusters, now)


def _by_span(plan: Once | Again, span: timedelta, plain: str) -> Sequence[Plan]:
    """Return a plan so much earlier, or one that comes again so much later."""
    if _EARLIER.search(plain):
        return (_brought_forward(plan, span),)
    return _later(plan, span) if isinstance(plan, Again) and is_later(plain) else ()


def _to_time(plan: Once | Again, words: str, clusters: Sequence[Cluster], now: datetime) -> Sequence[Plan]:
    """Return a plan at the day or the time that words say."""
    plain = folded(words)
    days = [day for cluster in clusters for day in cluster.days]
    first = plan.at.date() if isinstance(plan, Once) else now.date()
    start = now if days and isinstance(plan, Once) else datetime.combine(first, time.min)
    said = plan_in(words, now=start)
    if said.unclear is Unclear.NO_TIME:
        if isinstance(plan, Once) and _PUT_OFF.search(plain) and not any(isinstance(e, Again) for e in said.choices):
            return ()
        timed = [at_time(each, time_of(plan)) for each in said.choices]
        return tuple(each for one in timed if (each := _moved(plan, one, days)) is not None)
    if said.unclear not in (None, Unclear.TWO_WAYS):
        return ()
    meant = [_moved(plan, each, days) for each in ((said.plan,) if said.plan else said.choices)]
    return _nearest(plan, tuple(dict.fromkeys(each for each in meant if each is not None)))


def says_how_long_before(words: str) -> bool:
    """Return whether words say how long before something it is to come, whose time is not known here any more."""
    return _BEFORE_IT.search(folded(words)) is not None


def leaves_out(words: str) -> bool:
    """Return whether words leave days out of what comes again and again: "not on Wednesdays", 周三不用."""
    return _left_out(folded(words)) != ""


def _left_out(plain: str) -> str:
    """Return the days that are left out, as a rule names them; "" for none."""
    found = next((each for pattern in _NOT_ON if (each := pattern.search(plain))), None)
    return days_of(found["days"]) if found else ""


def _without_days(plan: Once | Again, days: Sequence[str]) -> Sequence[Plan]:
    """Return a plan that comes daily or on days of the week without some of them."""
    if not isinstance(plan, Again):
        return ()
    parts = rule_parts(plan.rule)
    if parts.keys() - {"FREQ", "BYDAY"} or parts["FREQ"] not in ("DAILY", "WEEKLY"):
        return ()
    before = parts["BYDAY"].split(",") if "BYDAY" in parts else RULE_DAYS
    kept = [day for day in before if day not in days]
    return (replace(plan, rule="FREQ=WEEKLY;BYDAY=" + ",".join(kept)),) if kept else ()


def _as_often(plan: Once | Again, found: re.Match[str], now: datetime) -> Sequence[Plan]:
    """Return a plan on its own day so often; none where it has no such day, or several."""
    said = {name: value for name, value in found.groupdict().items() if value}
    unit = said.get("en") or said.get("ly") or ("year" if "annual" in said else said.get("zh", "week"))
    day = plan.at.date() if isinstance(plan, Once) else None
    parts = {} if isinstance(plan, Once) else rule_parts(plan.rule)
    at = time_of(plan)
    if unit in ("year", "年"):
        rule = f"FREQ=YEARLY;BYMONTH={day.month};BYMONTHDAY={day.day}" if day else ""
    elif unit in ("month", "月"):
        rule = f"FREQ=MONTHLY;BYMONTHDAY={day.day}" if day and day.day <= _LAST_SURE else ""
    else:
        by = RULE_DAYS[day.weekday()] if day else parts.get("BYDAY", "") if parts["FREQ"] == "WEEKLY" else ""
        every = "INTERVAL=2;" if said.keys() & {"two", "two_zh"} else ""
        rule = f"FREQ=WEEKLY;{every}BYDAY={by}" if by and "," not in by else ""
    if not rule or (unit in ("year", "年") and rule.endswith("=2;BYMONTHDAY=29")):
        return ()
    first = day if day and "INTERVAL" in rule else None
    return (again(rule, at.hour * 60 + at.minute, now, first=first),)


def is_later(words: str) -> bool:
    """Return whether words move something by a span from its own time: "push it back half an hour", 往后推半小时."""
    plain = folded(words)
    return _LATER.search(plain) is not None and _FROM_NOW.search(plain) is None and any(durations_in(plain))


def says_how_often(words: str, *, now: datetime) -> bool:
    """Return whether words say a rhythm: "make it weekly", 改成每周二."""
    plain = folded(words)
    clusters = clusters_in(plain, now.date())
    return _AS_OFTEN.search(plain) is not None or any(said.rules for each in clusters for said in each.rhythms)


def _later(plan: Again, span: timedelta) -> Sequence[Plan]:
    """Return a plan so much later on its days; none where that is another day."""
    moved_to = datetime.combine(date.min, plan.at) + span
    return (replace(plan, at=moved_to.time()),) if moved_to.date() == date.min else ()


def _brought_forward(plan: Once | Again, span: timedelta) -> Once | Again:
    """Return a plan so much earlier; one that comes again and again keeps its days."""
    match plan:
        case Once():
            return Once(plan.at - span)
        case Again():
            return replace(plan, at=(datetime.combine(date.min + timedelta(1), plan.at) - span).time())


def _nearest(plan: Plan, meant: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """Return of both halves of a day the time that is near that of the plan: 改到三点, of one at 14:30, is 15:00."""
    if len(meant) != 2 or at_time(meant[0], time_of(meant[1])) != meant[1]:
        return meant
    before = _minutes(time_of(plan))
    near = [each for each in meant if abs(_minutes(time_of(each)) - before) <= _NEAR_MINUTES]
    return (near[0],) if len(near) == 1 else meant


def _minutes(at: time) -> int:
    return at.hour * 60 + at.minute


def _moved(plan: Once | Again, said: Plan, days: Sequence[DaySaid]) -> Plan | None:
    if isinstance(plan, Once) or not isinstance(said, Once):
        return said
    if not days:
        return replace(plan, at=said.at.time())
    weekly = rule_parts(plan.rule).keys() == {"FREQ", "BYDAY"} and plan.rule.startswith("FREQ=WEEKLY")
    if weekly and all(each.weekday for each in days):
        return Again(f"FREQ=WEEKLY;BYDAY={RULE_DAYS[said.at.weekday()]}", said.at.time())
    return None


def time_of(plan: Plan) -> time:
    """Return the time of day of a plan: of several, the first."""
    first = each_of(plan)[0]
    return first.at.time() if isinstance(first, Once) else first.at


#: Words of a message that says nothing beside when: "actually make it Friday please", 不用了，改成每天.
_BESIDE = re.compile(
    r"\b(?:no|nope|actually|sorry|wait|hm+|ok(?:ay)?|oh|please|pls|instead|rather|then|better|make|do|send|put|set|"
    r"change|move|switch|can|could|we|you|i|do|how about|what about|maybe|have|it|that|this|them|to|on|at|is|would"
    r"|will|be|enough|fine|just|only|i|meant?|let'?s|say|so)\b"
    r"|不用了|不对|算了|还是|时间|说错了|应该是?|改[成为到]|[换调]成|换到|那就|可以|够了|请|麻烦|好的?|只要|[就只吧了发行是要把它的那]"
    r"|[\s,，.。!！;；:：-]"
)


def says_only_when(words: str, *, now: datetime) -> bool:
    """Return whether a message says when and nothing else, as what changes a plan that was said before does."""
    plain = folded(words)
    spans = [cluster.span for cluster in clusters_in(plain, now.date())]
    rest = "".join(" " if any(start <= at < end for start, end in spans) else each for at, each in enumerate(plain))
    return bool(spans) and not _BESIDE.sub("", rest)
