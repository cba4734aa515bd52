"""When a schedule happens next: APScheduler's triggers, and plans in words by their rules.

A slot is an instant; two slots of one schedule never have the same time on the wall.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import assert_never
from zoneinfo import ZoneInfo

from apscheduler.triggers.base import BaseTrigger
from apscheduler.triggers.calendarinterval import CalendarIntervalTrigger
from apscheduler.triggers.cron import CronTrigger

from features.anatomy.planned import plan_of
from language.planning.instants import instants_from
from storage.queue.schedules import At, Calendar, Cron, Each, Every, Rule, Trigger

#: Slots of one schedule that are caught up in one go.
MOST = 1_000
#: By which the clocks of two replicas may differ.
SKEW = timedelta(minutes=1)
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


def first_slot(trigger: Trigger, timezone: str, now: datetime) -> datetime | None:
    """Return a schedule's first slot at that instant or later; one that is over happens at once."""
    match trigger:
        case Every():
            return now
        case At():
            return trigger.instant
        case Cron() | Calendar():
            return _following(trigger, timezone, None, now)
        case Rule() | Each():
            return next(_planned(trigger, timezone, now), None)
        case _:
            assert_never(trigger)


def is_too_far(trigger: Trigger, timezone: str, slot: datetime, now: datetime) -> bool:
    """Return whether a schedule's next slot lies further ahead than it can: the clock was ahead when it was moved on.

    What comes every few days, weeks or months keeps its day, and what comes once its instant.
    """
    match trigger:
        case Every():
            return slot > now + timedelta(seconds=trigger.seconds) + SKEW
        case Calendar(months=0, weeks=0, days=1) | Cron():
            following = first_slot(trigger, timezone, now + SKEW)
            return following is not None and slot > following
        case Rule() | Each():
            following = next(_planned(trigger, timezone, now + SKEW), None)
            return following is not None and slot > following
        case Calendar() | At():
            return False
        case _:
            assert_never(trigger)


def slots_until(
    trigger: Trigger, timezone: str, slot: datetime, now: datetime
) -> tuple[list[datetime], datetime | None]:
    """Return the slots from one that has come until now, the newest `MOST` of them, and the next one after now."""
    match trigger:
        case At():
            return [slot], None
        case Every():
            step = timedelta(seconds=trigger.seconds)
            passed = max(0, (now - slot) // step)
            begun = max(0, passed - MOST + 1)
            return [slot + step * number for number in range(begun, passed + 1)], slot + step * (passed + 1)
        case Cron() | Calendar():
            slots, following = [slot], _following(trigger, timezone, slot, slot)
            while following is not None and following <= now:
                slots = [*slots[-MOST + 1 :], following]
                following = _following(trigger, timezone, following, following)
            return slots, following
        case Rule() | Each():
            slots = []
            for each in _planned(trigger, timezone, slot):
                if each > now:
                    return slots, each
                slots = [*slots[-MOST + 1 :], each]
            return slots, None
        case _:
            assert_never(trigger)


def _following(trigger: Cron | Calendar, timezone: str, previous: datetime | None, now: datetime) -> datetime | None:
    zone = ZoneInfo(timezone)
    before = None if previous is None else previous.astimezone(zone)
    plan = _trigger(trigger, zone, now)
    after = now.astimezone(zone)
    if previous is None and isinstance(trigger, Calendar) and plan.get_next_fire_time(None, after) < after:
        plan = _trigger(trigger, zone, now + timedelta(days=1))  # its time of day is over: it begins tomorrow
    while True:
        found = plan.get_next_fire_time(before if isinstance(trigger, Calendar) else None, after)
        if found is None or before is None:
            break
        found = found.astimezone(zone)
        # An hour that the clocks repeat has each time of day twice: a slot comes at the first only.
        if found.astimezone(UTC) > before.astimezone(UTC) and found.replace(tzinfo=None) != before.replace(tzinfo=None):
            break
        after = (after.astimezone(UTC) + timedelta(minutes=1)).astimezone(zone)
    return None if found is None else found.astimezone(UTC)


def _planned(trigger: Rule | Each, timezone: str, now: datetime) -> Iterator[datetime]:
    """Yield the slots of what people planned in words, at that instant or later."""
    plan = plan_of(trigger, timezone)
    return instants_from(plan, ZoneInfo(timezone), now) if plan else iter(())


def _trigger(trigger: Cron | Calendar, zone: ZoneInfo, now: datetime) -> BaseTrigger:
    if isinstance(trigger, Cron):
        *others, days = trigger.line.split()
        return CronTrigger.from_crontab(" ".join((*others, _days_of_week(days))), timezone=zone)
    hour, minute = (int(part) for part in trigger.at.split(":"))
    begin = now.astimezone(zone).date()
    return CalendarIntervalTrigger(
        months=trigger.months,
        weeks=trigger.weeks,
        days=trigger.days,
        hour=hour,
        minute=minute,
        start_date=begin,
        timezone=zone,
    )


def _days_of_week(field: str) -> str:
    """Return the last field of a crontab line by names: there 0 and 7 are Sunday, for APScheduler 0 is Monday."""
    if field == "*":
        return field
    days: set[int] = set()
    for part in field.lower().split(","):
        span, _, step = part.partition("/")
        first, dash, last = span.partition("-")
        begin = 0 if first == "*" else _day(first)
        end = _day(last) if dash else 6 if first == "*" or step else begin
        days |= {day % 7 for day in range(begin, end + 7 * (end < begin) + 1, int(step or 1))}
    return ",".join(_DAYS[day] for day in sorted(days))


def _day(name: str) -> int:
    return _DAYS.index(name) if name in _DAYS else int(name)
