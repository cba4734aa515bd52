"""The instants of plans: of a time on the wall, where the clocks of a zone skip it or have it twice, and of rules."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from heapq import merge
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from language.planning.plans import Again, Once, Plan, each_of, rule_parts, together

#: Longer than any zone ever skipped: Apia once went without a day.
_LONGEST_GAP = timedelta(days=2)
_NEAR_ENOUGH = timedelta(milliseconds=1)


def instant_of(local: datetime, zone: ZoneInfo, *, second: bool = False) -> datetime:
    """Return the instant of a time without tzinfo: the end of the gap where it is skipped, the first of two.

    `second`: the second one of two.
    """
    if second:
        return local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    found = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None, fold=0) == local.replace(fold=0):
        return found
    # A skipped time is counted by what was valid before the gap, so the instant lies after the change; look for it.
    low, high = found - _LONGEST_GAP, found
    before = low.astimezone(zone).utcoffset()
    while high - low > _NEAR_ENOUGH:
        middle = low + (high - low) / 2
        low, high = (middle, high) if middle.astimezone(zone).utcoffset() == before else (low, middle)
    return high.replace(microsecond=0)


def later(local: datetime, lapse: timedelta, zone: ZoneInfo) -> datetime:
    """Return what the clock on the wall shows after a while, without tzinfo; its fold tells the second of two."""
    at = local.replace(tzinfo=zone).astimezone(UTC) + lapse
    return at.astimezone(zone).replace(tzinfo=None)


def instants_from(plan: Plan, zone: ZoneInfo, begin: datetime) -> Iterator[datetime]:
    """Yield the instants at which a plan that is said in a zone comes, from an instant on."""
    before: datetime | None = None
    for instant in merge(*(_instants(each, zone, begin) for each in each_of(plan))):
        if instant >= begin and (before is None or instant > before):
            yield instant
        before = instant


def without_next(plan: Plan, zone: ZoneInfo, now: datetime) -> tuple[datetime, Plan] | None:
    """Return the next instant at which a plan comes, and the plan without it; None where none follows that one."""
    after = now + timedelta(microseconds=1)
    coming = list(islice(instants_from(plan, zone, after), 2))
    if len(coming) < 2:
        return None
    kept: list[Once | Again] = []
    for each in each_of(plan):
        own = list(islice(instants_from(each, zone, after), 2))
        if isinstance(each, Again) and own[0] == coming[0]:
            kept.append(replace(each, start=own[1].astimezone(zone).date()))
        elif own and own[0] != coming[0]:
            kept.append(each)
    return coming[0], together(kept)


def _instants(plan: Once | Again, zone: ZoneInfo, begin: datetime) -> Iterator[datetime]:
    """Yield the instants of one plan, of a rule from the day before on."""
    if isinstance(plan, Once):
        yield instant_of(plan.at, zone, second=plan.second)
        return
    before: datetime | None = None
    first = _first_day(plan, begin.astimezone(zone).date() - timedelta(days=1))
    for day in rrulestr(plan.rule, dtstart=datetime.combine(first, plan.at)):
        instant = instant_of(day, zone)
        if before is None or instant > before:  # a day that a zone skipped ends where the next begins
            yield instant
        before = instant


def _first_day(plan: Again, day: date) -> date:
    """Return a day to begin a rule with: that day or, where days are counted, one before it that is not left out."""
    parts, first = rule_parts(plan.rule), plan.start
    step = int(parts.get("INTERVAL", "1"))
    if first is None or day <= first:
        return day if first is None else first
    match parts["FREQ"]:
        case "DAILY":
            return day - (day - first) % timedelta(days=step)
        case "WEEKLY":
            monday, its_monday = (each - timedelta(days=each.weekday()) for each in (first, day))
            return its_monday - (its_monday - monday) % timedelta(weeks=step)
        case "MONTHLY":
            months = 12 * (day.year - first.year) + day.month - first.month
            months -= months % step
            return date(first.year + (first.month - 1 + months) // 12, (first.month - 1 + months) % 12 + 1, 1)
        case _:
            return first
