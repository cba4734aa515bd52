"""Every trigger, over zones and days on which their clocks are changed: never twice for one local time, never gone."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from bot.schedules.triggers import first_slot, slots_until
from features.anatomy.planned import in_words, plan_of, trigger_of
from language.planning.instants import instant_of, instants_from, without_next
from language.planning.plans import RULE_DAYS, Again, Once, each_of, together
from storage.queue.schedules import At, Calendar, Cron, Each, Every, Rule, Trigger
from tests.scale import scaled

#: Zones and a day near which each of them changes its clocks: by half an hour, backwards in summer, by a whole day, or
#: by rules that were changed.
CHANGES = {
    "Australia/Lord_Howe": date(2026, 4, 5),
    "Europe/Dublin": date(2026, 10, 25),
    "Pacific/Apia": date(2011, 12, 30),
    "Africa/Cairo": date(2026, 4, 24),
    "Africa/Casablanca": date(2026, 2, 15),
    "Europe/Amsterdam": date(2026, 3, 29),
    "America/New_York": date(2026, 11, 1),
    "America/Santiago": date(2026, 9, 6),
    "Asia/Tehran": date(2022, 9, 21),
    "Asia/Pyongyang": date(2018, 5, 4),
    "America/Sao_Paulo": date(2018, 11, 4),
    "Asia/Shanghai": date(2028, 2, 29),
}
ZONES = tuple(CHANGES)
#: Each property is tried on so many triggers, zones and days.
swept = settings(max_examples=scaled(1_000, least=100), deadline=None)
AHEAD = timedelta(days=40)
times = some.times().map(lambda at: at.replace(second=0, microsecond=0))
rules = some.one_of(
    some.just("FREQ=DAILY"),
    some.sampled_from(RULE_DAYS).map(lambda day: f"FREQ=WEEKLY;BYDAY={day}"),
    some.tuples(some.sampled_from((-1, 1, 2, 3, 4)), some.sampled_from(RULE_DAYS)).map(
        lambda said: f"FREQ=MONTHLY;BYDAY={said[0]}{said[1]}"
    ),
    some.sampled_from((-1, 1, 15, 28)).map(lambda day: f"FREQ=MONTHLY;BYMONTHDAY={day}"),
    some.sampled_from((1, -1)).map(lambda nth: f"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS={nth}"),
    some.just("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=31"),
)
spaced = some.integers(2, 5).flatmap(
    lambda every: some.sampled_from(
        (
            f"FREQ=DAILY;INTERVAL={every}",
            f"FREQ=WEEKLY;INTERVAL={every};BYDAY=TU,SU",
            f"FREQ=MONTHLY;INTERVAL={every};BYMONTHDAY=1",
        )
    )
)
near_changes = some.sampled_from(ZONES).flatmap(
    lambda zone: some.tuples(
        some.just(zone),
        some.integers(-4 * 24 * 60, 2 * 24 * 60).map(
            lambda minutes: datetime.combine(CHANGES[zone], time(), UTC) + timedelta(minutes=minutes)
        ),
    )
)


def some_triggers() -> some.SearchStrategy[Trigger]:
    """Return triggers of each kind."""
    clock = times.map(lambda at: f"{at:%H:%M}")
    return some.one_of(
        some.builds(Rule, rules, clock),
        some.lists(some.builds(Rule, rules, clock), min_size=2, max_size=3).map(lambda each: Each(tuple(each))),
        some.builds(Rule, spaced, clock, some.dates(date(2010, 1, 1), date(2027, 1, 1)).map(date.isoformat)),
        times.map(lambda at: Cron(f"{at.minute} {at.hour} * * *")),
        times.map(lambda at: Cron(f"{at.minute} {at.hour} * * 1-5")),
        some.builds(Calendar, clock, days=some.integers(1, 3)),
        some.builds(Calendar, clock, months=some.just(1)),
        some.integers(1_800, 200_000).map(Every),
    )


def slots_of(trigger: Trigger, zone: str, now: datetime, until: datetime) -> tuple[list[datetime], datetime | None]:
    first = first_slot(trigger, zone, now)
    assert first is not None
    return ([], first) if first > until else slots_until(trigger, zone, first, until)


@swept
@given(trigger=some_triggers(), near=near_changes)
def test_slots_never_come_twice_and_never_end(trigger: Trigger, near: tuple[str, datetime]) -> None:
    zone, now = near
    slots, following = slots_of(trigger, zone, now, now + AHEAD)
    assert following is not None
    assert slots == sorted(set(slots))
    assert all(now <= slot <= now + AHEAD for slot in slots)
    assert following > now + AHEAD
    if not isinstance(trigger, Every):  # what comes every so many seconds has no time of day
        local = [slot.astimezone(ZoneInfo(zone)).replace(tzinfo=None) for slot in (*slots, following)]
        assert len(set(local)) == len(local)


@swept
@given(
    trigger=some_triggers(), near=near_changes, steps=some.lists(some.integers(1, 4 * 24 * 60), min_size=1, max_size=6)
)
def test_slots_are_the_same_however_often_is_looked(
    trigger: Trigger, near: tuple[str, datetime], steps: list[int]
) -> None:
    zone, now = near
    until = now + timedelta(minutes=sum(steps))
    at_once, last = slots_of(trigger, zone, now, until)
    step_by_step: list[datetime] = []
    following = first_slot(trigger, zone, now)
    looked = now
    for minutes in steps:
        looked += timedelta(minutes=minutes)
        if following is not None and following <= looked:
            slots, following = slots_until(trigger, zone, following, looked)
            step_by_step += slots
    assert (step_by_step, following) == (at_once, last)


@swept
@given(trigger=some_triggers(), near=near_changes, ahead=some.lists(some.integers(-2_000, 90_000), max_size=2))
def test_leaving_the_next_one_out_leaves_out_no_other(
    trigger: Trigger, near: tuple[str, datetime], ahead: list[int]
) -> None:
    zone, now = near
    plan = plan_of(trigger, zone) if isinstance(trigger, Rule | Each) else None
    once = [Once.on_wall((now + timedelta(minutes=each)).astimezone(ZoneInfo(zone))) for each in ahead]
    parts = (*(each_of(plan) if plan else ()), *once)
    rest = without_next(together(parts), ZoneInfo(zone), now) if parts else None
    if rest is None:
        assert plan is None  # what repeats comes again and again
        return
    after = now + timedelta(microseconds=1)
    coming, kept = (islice(instants_from(each, ZoneInfo(zone), after), 8) for each in (together(parts), rest[1]))
    assert rest[0] == next(coming)
    assert all(one == two for one, two in zip(coming, kept, strict=False))


@swept
@given(at=times, near=near_changes)
def test_a_daily_rule_has_each_day_that_the_zone_has(at: time, near: tuple[str, datetime]) -> None:
    zone, now = near
    slots, _ = slots_of(Rule("FREQ=DAILY", f"{at:%H:%M}"), zone, now, now + AHEAD)
    local = [slot.astimezone(ZoneInfo(zone)) for slot in slots]
    first, last = now.astimezone(ZoneInfo(zone)).date(), (now + AHEAD).astimezone(ZoneInfo(zone)).date()
    every_day = {first + timedelta(days=number) for number in range(1, (last - first).days)}
    assert every_day - {slot.date() for slot in local} <= {date(2011, 12, 30)}  # Apia went without it
    assert sum(slot.time() != at for slot in local) <= 2  # only where the time was skipped, it comes after the gap


@swept
@given(
    local=some.datetimes(datetime.fromisoformat("2005-01-01"), datetime.fromisoformat("2036-01-01")),
    zone=some.sampled_from(ZONES),
)
def test_a_time_on_the_wall_is_an_instant(local: datetime, zone: str) -> None:
    instant = instant_of(local, ZoneInfo(zone))
    shown = instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    if shown != local:  # skipped: the very end of the gap, and a moment before it the other side
        before = (instant - timedelta(seconds=1)).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        assert before < local < shown
    else:
        assert (instant - timedelta(hours=3)).astimezone(ZoneInfo(zone)).replace(tzinfo=None) != local


@pytest.mark.parametrize(
    ("zone", "at", "night", "instants"),
    [
        ("Europe/Amsterdam", "02:30", "2026-03-29", ["2026-03-29T01:00:00+00:00"]),  # skipped: 03:00
        ("Europe/Amsterdam", "02:30", "2026-10-25", ["2026-10-25T00:30:00+00:00"]),  # twice: the first
        ("Australia/Lord_Howe", "02:15", "2026-10-04", ["2026-10-03T15:30:00+00:00"]),  # half an hour is skipped
        ("Africa/Cairo", "00:30", "2026-04-24", ["2026-04-23T22:00:00+00:00"]),  # midnight is skipped
        ("Pacific/Apia", "00:00", "2011-12-30", ["2011-12-30T10:00:00+00:00"]),  # the day is skipped: one slot for two
    ],
)
def test_a_skipped_time_comes_after_the_gap_and_a_doubled_one_once(
    zone: str, at: str, night: str, instants: list[str]
) -> None:
    begin = instant_of(datetime.fromisoformat(night) - timedelta(hours=1), ZoneInfo(zone))
    slots, _ = slots_of(Rule("FREQ=DAILY", at), zone, begin, begin + timedelta(hours=23))
    assert [slot.isoformat() for slot in slots] == instants


def test_month_ends_and_leap_days() -> None:
    begin = datetime(2028, 1, 30, tzinfo=UTC)
    last, _ = slots_of(Rule("FREQ=MONTHLY;BYMONTHDAY=-1", "09:00"), "UTC", begin, begin + timedelta(days=100))
    assert [slot.date().isoformat() for slot in last] == ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30"]
    workday = Rule("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "09:00")
    slots, _ = slots_of(workday, "UTC", begin, begin + timedelta(days=100))
    assert [slot.date().isoformat() for slot in slots] == ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-28"]


@pytest.mark.parametrize(
    ("rule", "start", "days"),
    [
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "2026-11-27", ["2026-12-11", "2026-12-25", "2027-01-08"]),
        ("FREQ=DAILY;INTERVAL=3", "2026-11-25", ["2026-12-01", "2026-12-04", "2026-12-07"]),
        ("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1", "2026-12-01", ["2026-12-01", "2027-02-01", "2027-04-01"]),
        ("FREQ=WEEKLY;BYDAY=MO", "2026-12-07", ["2026-12-07", "2026-12-14", "2026-12-21"]),
    ],
)
def test_what_is_left_out_is_counted_from_the_first_day(rule: str, start: str, days: list[str]) -> None:
    now = datetime(2026, 11, 30, tzinfo=UTC)
    slots, _ = slots_of(Rule(rule, "09:00", start), "UTC", now, now + timedelta(days=200))
    assert [slot.date().isoformat() for slot in slots[:3]] == days


@swept
@given(rule=rules, at=times, old=some.sampled_from(ZONES), new=some.sampled_from(ZONES), near=near_changes)
def test_who_moves_to_another_zone_keeps_the_time_of_day(
    rule: str, at: time, old: str, new: str, near: tuple[str, datetime]
) -> None:
    """The same plan in the new zone: at the same time of day there, and none of it in the past."""
    plan = Again(rule, at)
    assert trigger_of(plan, old) == trigger_of(plan, new)
    following = first_slot(trigger_of(plan, new), new, near[1])
    assert following is not None
    assert following >= near[1]
    local = following.astimezone(ZoneInfo(new)).replace(tzinfo=None)
    assert local.time() == at or instant_of(datetime.combine(local.date(), at), ZoneInfo(new)) != following


@swept
@given(
    rule=rules,
    at=times,
    local=some.datetimes(datetime.fromisoformat("2020-01-01"), datetime.fromisoformat("2030-01-01")),
    zone=some.sampled_from(ZONES),
)
def test_a_plan_comes_back_from_its_trigger_and_is_read_back(rule: str, at: time, local: datetime, zone: str) -> None:
    again, once = Again(rule, at), Once(local.replace(second=0, microsecond=0))
    assert plan_of(trigger_of(again, zone), zone) == again
    trigger = trigger_of(once, zone)
    assert isinstance(trigger, At)
    assert plan_of(trigger, zone) == Once(trigger.instant.astimezone(ZoneInfo(zone)).replace(tzinfo=None))
    for plan, said in ((again, at), (once, once.at.time())):
        assert f"{said:%H:%M}" in in_words(plan, "en", zone)
        assert f"{said:%H:%M}" in in_words(plan, "zh", zone)
