"""What a message says of when something is to happen: once, again and again, or not clearly enough."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from enum import StrEnum

#: The days of a week as a rule of RFC 5545 writes them, Monday first.
RULE_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WORKING_DAYS = ",".join(RULE_DAYS[:5])


@dataclass(frozen=True)
class Once:
    """One time, by the clock on the wall of the person: without tzinfo.

    `second`: of a time that the clocks have twice it is the second one.
    """

    at: datetime
    second: bool = False

    @classmethod
    def on_wall(cls, local: datetime) -> "Once":
        """Return the time that a clock on a wall shows; its fold tells the second of two."""
        return cls(local.replace(tzinfo=None, fold=0), second=bool(local.fold))


@dataclass(frozen=True)
class Again:
    """Time after time: a rule of RFC 5545 without its DTSTART (`FREQ=WEEKLY;BYDAY=MO`), and the time of day.

    `start` is the first day of a rule that leaves some out ("every other Friday"): from it they are counted.
    """

    rule: str
    at: time
    start: date | None = None


@dataclass(frozen=True)
class SeveralTimes:
    """Times of one wish that do not follow one rule: "Tuesday and Thursday at 9", "every day at 9 and 15:00"."""

    plans: tuple[Once | Again, ...]


Plan = Once | Again | SeveralTimes


def each_of(plan: Plan) -> tuple[Once | Again, ...]:
    """Return the plans that a plan is made of: of one that is not several, itself."""
    return plan.plans if isinstance(plan, SeveralTimes) else (plan,)


def together(plans: Iterable[Once | Again]) -> Plan:
    """Return several plans as one, in the order of their times; what is said twice counts once."""
    distinct = tuple(dict.fromkeys(plans))
    once = sorted((each for each in distinct if isinstance(each, Once)), key=lambda each: each.at)
    again = (each for each in distinct if isinstance(each, Again))
    return distinct[0] if len(distinct) == 1 else SeveralTimes((*again, *once))


def with_each(plan: Plan, change: Callable[[Once | Again], Once | Again | None]) -> Plan | None:
    """Return a plan with each of its parts changed; None where one of them cannot be."""
    changed = [change(each) for each in each_of(plan)]
    kept = [each for each in changed if each is not None]
    return together(kept) if len(kept) == len(changed) else None


def at_time(plan: Plan, at: time) -> Plan:
    """Return a plan at another time of day."""
    return together(
        Once(datetime.combine(each.at.date(), at)) if isinstance(each, Once) else replace(each, at=at)
        for each in each_of(plan)
    )


def is_ahead(plan: Plan, now: datetime) -> bool:
    """Return whether each time of a plan is still to come; `now` is the time on the wall."""
    return all(isinstance(each, Again) or each.at > now for each in each_of(plan))


class Unclear(StrEnum):
    """Why a message does not say one time."""

    NO_TIME = "no_time"  # a day without a time of day; `choices` holds what is usual
    NO_DAY = "no_day"  # "next week at 9"
    PAST = "past"  # `choices` holds the next time like it
    TWO_WAYS = "two_ways"  # `choices` holds them
    LIMITED = "limited"  # "every day at 9 until Friday": `choices` holds it without its limit
    OTHER_ZONE = "other_zone"  # "9am UTC", "9 London time"
    CONDITION = "condition"  # "when Bob is back at 3pm": `choices` holds that time, at which nobody knows whether he is
    HOW_LONG_BEFORE = "how_long_before"  # "remind me in advance of the demo on Friday at 2pm"
    UNREAD = "unread"  # words beside the time, or misspelt ones, may alter it; `choices` holds what was read
    NO_SUCH_DAY = "no_such_day"  # the 31st of November
    NOTHING = "nothing"  # it says nothing about when


@dataclass(frozen=True)
class SaidPlan:
    """What was said: a plan, or why there is none. `spans` are the characters of the message that say when."""

    plan: Plan | None
    unclear: Unclear | None
    choices: tuple[Plan, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Return the plan, or those that may be meant."""
        return (self.plan,) if self.plan else self.choices


def rule_parts(rule: str) -> Mapping[str, str]:
    """Return the parts of a rule by name: `{"FREQ": "WEEKLY", "BYDAY": "MO"}`; raise ValueError."""
    pairs = [part.partition("=") for part in rule.split(";")]
    if any(not equals or not value for _, equals, value in pairs):
        raise ValueError(f"not a rule: {rule}")
    return {name: value for name, _, value in pairs}
