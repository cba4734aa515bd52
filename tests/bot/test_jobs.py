"""What happens by the clock happens once per slot over all replicas, by time zones, and late as its policy says."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from bot.schedules.jobs import Jobs
from bot.schedules.triggers import first_slot, slots_until
from features.anatomy.schedules import Job, Slot
from storage.clock import ManualClock, SystemClock
from storage.database import Database
from storage.queue import schedules, work
from storage.queue.precedence import Precedence
from storage.queue.schedules import At, Calendar, CatchUp, Cron, Every, Schedule
from storage.queue.tables import QueueTable

PATIENCE_S = 20.0


class Long:
    """Work that goes on until it is told to end."""

    def __init__(self) -> None:
        self.begun, self.over, self.runs = asyncio.Event(), asyncio.Event(), 0

    async def __call__(self) -> None:
        self.runs += 1
        self.begun.set()
        await self.over.wait()


async def test_a_job_that_takes_longer_than_its_lease_is_still_run_once(database: Database) -> None:
    long = Long()
    one, other = (Jobs(database, SystemClock(), (Job("long", Every(3_600.0), long),), lease_s=1.0) for _ in range(2))
    await one.prepare()
    assert [await one.tick(), await other.tick()] == [1, 0]
    running = asyncio.create_task(one.worker.drain_once())
    async with asyncio.timeout(PATIENCE_S):
        await long.begun.wait()
    until = time.monotonic() + 2.5
    while time.monotonic() < until:
        assert await other.worker.drain_once() == 0
        await asyncio.sleep(0.1)
    long.over.set()

    assert await running == 1
    assert await other.worker.drain_once() == 0
    async with database.reading() as session:
        (record,) = await work.records(session, line="schedule:long")
    assert (long.runs, record.state, record.outcome) == (1, "done", "done")


@pytest.mark.parametrize("asked", [[True, True, True, False], [True] * 1_000])
async def test_slots_let_people_who_wait_for_an_answer_go_first_but_not_for_ever(
    database: Database, clock: ManualClock, asked: list[bool]
) -> None:
    happened: list[str] = []
    looks = iter([False, *asked])  # the tick looks once

    async def note(slot: Slot) -> None:
        happened.append(slot.key)

    jobs = Jobs(database, clock, (), slots={"note": note}, precedence=Precedence(lambda: next(looks)))
    async with database.transaction() as session:
        await schedules.put(session, Schedule("one", "note", At(clock.now())))
    assert await jobs.tick() == 1
    async with asyncio.timeout(PATIENCE_S):
        assert await jobs.worker.drain_once() == 1

    left = sum(1 for _ in looks)
    assert len(happened) == 1
    assert (left == 0) == (not asked[-1])


async def test_a_job_that_fails_is_told_and_comes_again(database: Database, clock: ManualClock) -> None:
    async def broken() -> None:
        raise ConnectionError("password=hunter2")

    jobs = Jobs(database, clock, (Job("broken", Every(30.0), broken),))
    await jobs.prepare()
    for _ in range(2):
        assert await jobs.tick() == 1
        assert await jobs.worker.drain_once() == 1
        clock.advance(30)
    async with database.reading() as session:
        records = await work.records(session, line="schedule:broken")
    assert [record.outcome for record in records] == ["failed: ConnectionError: password=[redacted]"] * 2


async def test_replicas_that_tick_at_once_make_each_slot_once(database: Database) -> None:
    start = datetime(2026, 3, 1, tzinfo=UTC)
    clocks = [ManualClock(start + timedelta(seconds=skew)) for skew in (-2, 0, 2)]
    replicas = [Jobs(database, clock, ()) for clock in clocks]
    async with database.transaction() as session:
        await schedules.put(session, Schedule("s", "note", Every(60), catch_up=CatchUp.ALL, next_at=start))
    for _ in range(10):
        for clock in clocks:
            clock.advance(60)
        await asyncio.gather(*(each.tick() for each in replicas))
    await replicas[-1].tick()  # where the clock that is behind won the last race, the newest slot is the next tick's
    async with database.reading() as session:
        keys = list(await session.scalars(select(QueueTable.key).order_by(QueueTable.sequence)))
    expected = [f"schedule:s:{(start + timedelta(minutes=number)).isoformat()}" for number in range(11)]
    assert keys == expected


@pytest.mark.parametrize(
    ("catch_up", "expected"), [(CatchUp.SKIP, []), (CatchUp.ONCE, [11]), (CatchUp.ALL, [8, 9, 10, 11])]
)
async def test_missed_slots_are_caught_up_as_the_policy_says(
    database: Database, catch_up: CatchUp, expected: list[int]
) -> None:
    clock = ManualClock(datetime(2026, 3, 2, 7, 30, tzinfo=UTC))
    jobs = Jobs(database, clock, ())
    schedule = Schedule("digest", "digest", Cron("0 * * * *"), catch_up=catch_up)
    async with database.transaction() as session:
        await schedules.put(session, schedule)
    assert await jobs.tick() == 0  # its first time is worked out
    clock.advance(4 * 3_600)  # 11:30
    await jobs.tick()
    async with database.reading() as session:
        payloads = list(await session.scalars(select(QueueTable.payload).order_by(QueueTable.sequence)))
        known = await schedules.find(session, "digest")
    assert [datetime.fromisoformat(each["slot"]).hour for each in payloads] == expected
    assert known is not None
    assert known.next_at == datetime(2026, 3, 2, 12, tzinfo=UTC)


def test_a_time_of_day_stays_when_the_clocks_are_changed() -> None:
    cron, zone = Cron("0 9 * * *"), "Europe/Berlin"
    slot = first_slot(cron, zone, datetime(2026, 3, 27, 12, tzinfo=UTC))
    assert slot == datetime(2026, 3, 28, 8, tzinfo=UTC)
    slots, following = slots_until(cron, zone, slot, datetime(2026, 3, 30, 12, tzinfo=UTC))
    assert slots == [slot, datetime(2026, 3, 29, 7, tzinfo=UTC), datetime(2026, 3, 30, 7, tzinfo=UTC)]
    assert following == datetime(2026, 3, 31, 7, tzinfo=UTC)


def test_every_hour_comes_when_the_clocks_go_forward_and_each_time_of_day_once_when_they_go_back() -> None:
    hourly, zone = Cron("0 * * * *"), "Europe/Berlin"
    forward, back = datetime(2026, 3, 28, 23, tzinfo=UTC), datetime(2026, 10, 24, 22, tzinfo=UTC)
    slots, _ = slots_until(hourly, zone, forward, forward + timedelta(hours=4))
    assert slots == [forward + timedelta(hours=number) for number in range(5)]
    slots, _ = slots_until(hourly, zone, back, back + timedelta(hours=5))
    assert slots == [back + timedelta(hours=number) for number in (0, 1, 2, 4, 5)]  # 02:00 comes at its first time only


def test_a_time_of_day_stays_when_the_clocks_go_back() -> None:
    nine, zone = Cron("0 9 * * *"), "Europe/Berlin"
    slots, _ = slots_until(nine, zone, datetime(2026, 10, 24, 7, tzinfo=UTC), datetime(2026, 10, 26, 12, tzinfo=UTC))
    assert slots == [datetime(2026, 10, day, hour, tzinfo=UTC) for day, hour in ((24, 7), (25, 8), (26, 8))]
    quarter, start = Calendar("09:00", days=1), datetime(2026, 10, 24, 5, tzinfo=UTC)
    first = first_slot(quarter, zone, start)
    assert first == datetime(2026, 10, 24, 7, tzinfo=UTC)
    daily, _ = slots_until(quarter, zone, first, datetime(2026, 10, 26, 12, tzinfo=UTC))
    assert daily == slots


def test_a_time_that_a_day_does_not_have_and_one_that_it_has_twice_come_once() -> None:
    for night, until in ((datetime(2026, 3, 28, 12, tzinfo=UTC), 3), (datetime(2026, 10, 24, 12, tzinfo=UTC), 3)):
        first = first_slot(Cron("30 2 * * *"), "Europe/Berlin", night)
        assert first is not None
        slots, _ = slots_until(Cron("30 2 * * *"), "Europe/Berlin", first, night + timedelta(days=until))
        assert len({slot.date() for slot in slots}) == len(slots)


@pytest.mark.parametrize(
    ("field", "days"),
    [
        ("1-5", "mon tue wed thu fri"), ("0", "sun"), ("7", "sun"), ("5", "fri"), ("0-4", "mon tue wed thu sun"),
        ("fri-sun", "fri sat sun"), ("*/2", "tue thu sat sun"), ("mon,3", "mon wed"),
        ("*", "mon tue wed thu fri sat sun"),
    ],
)  # fmt: skip
def test_days_of_the_week_are_those_of_a_crontab(field: str, days: str) -> None:
    monday = datetime(2026, 3, 2, tzinfo=UTC)
    trigger = Cron(f"0 8 * * {field}")
    first = first_slot(trigger, "UTC", monday)
    assert first is not None
    slots, _ = slots_until(trigger, "UTC", first, monday + timedelta(days=7))
    assert " ".join(slot.strftime("%a").lower() for slot in slots) == days


async def test_a_schedule_that_nobody_can_read_keeps_no_other_from_its_time(
    database: Database, clock: ManualClock
) -> None:
    async with database.transaction() as session:
        for name, trigger, zone in (
            ("a line", Cron("every morning"), "UTC"),
            ("a zone", Cron("0 8 * * *"), "Mars/Olympus"),
            ("fine", Every(60), "UTC"),
        ):
            await schedules.put(session, Schedule(name, "note", trigger, timezone=zone))

    assert await Jobs(database, clock, ()).tick() == 1


def test_every_second_week_at_a_time_of_day() -> None:
    trigger, start = Calendar("17:30", weeks=2), datetime(2026, 3, 16, 8, tzinfo=UTC)
    first = first_slot(trigger, "Europe/Berlin", start)
    assert first == datetime(2026, 3, 16, 16, 30, tzinfo=UTC)
    _, following = slots_until(trigger, "Europe/Berlin", first, first)
    assert following is not None
    assert following.astimezone(UTC).hour == 15  # half past five by then still, in summer time


async def test_one_date_happens_once_and_ends(database: Database, clock: ManualClock) -> None:
    seen: list[Slot] = []

    async def remind(slot: Slot) -> None:
        seen.append(slot)

    jobs = Jobs(database, clock, (), slots={"remind": remind})
    at = clock.now() + timedelta(hours=1)
    async with database.transaction() as session:
        await schedules.put(session, Schedule("r", "remind", At(at), owner="ada", target={"channel": "C1"}))
    await jobs.tick()
    clock.advance(3_599)
    assert await jobs.tick() == 0
    clock.advance(2)
    assert [await jobs.tick(), await jobs.tick()] == [1, 0]
    await jobs.worker.drain_once()
    assert [(slot.owner, slot.target) for slot in seen] == [("ada", {"channel": "C1"})]
    async with database.reading() as session:
        known = await schedules.find(session, "r")
    assert known is not None
    assert (known.ended, known.next_at) == (True, None)


async def test_what_is_paused_waits_and_goes_on_from_then(database: Database, clock: ManualClock) -> None:
    jobs = Jobs(database, clock, ())
    async with database.transaction() as session:
        await schedules.put(session, Schedule("s", "note", Every(60)))
        assert await schedules.set_paused(session, "s", paused=True)
        assert not await schedules.set_paused(session, "s", paused=True)
    assert await jobs.tick() == 0
    clock.advance(600)
    async with database.transaction() as session:
        assert await schedules.set_paused(session, "s", paused=False)
    assert await jobs.tick() == 1


async def test_run_now_happens_beside_the_plan_and_jitter_is_the_same_for_all(
    database: Database, clock: ManualClock
) -> None:
    jobs = Jobs(database, clock, ())
    schedule = Schedule("s", "note", Every(600), jitter_s=120)
    async with database.transaction() as session:
        await schedules.put(session, schedule)
    await jobs.tick()
    async with database.transaction() as session:
        assert await schedules.enqueue_now(session, schedule)
    async with database.reading() as session:
        known = await schedules.find(session, "s")
        (first, _) = list(await session.scalars(select(QueueTable.not_before).order_by(QueueTable.sequence)))
    assert known is not None
    assert known.next_at == clock.now() + timedelta(seconds=600)
    assert timedelta(0) <= first - clock.now() <= timedelta(seconds=120)


async def test_slots_do_not_pile_up_behind_one_that_is_not_done(database: Database, clock: ManualClock) -> None:
    jobs = Jobs(database, clock, ())
    async with database.transaction() as session:
        await schedules.put(session, Schedule("s", "note", Every(30)))
    for _ in range(5):
        await jobs.tick()
        clock.advance(30)
    async with database.reading() as session:
        assert await session.scalar(select(func.count()).select_from(QueueTable)) == 1


async def test_a_time_that_is_set_anew_while_a_tick_looks_is_the_one_that_counts(
    database: Database, clock: ManualClock
) -> None:
    async with database.transaction() as session:
        await schedules.put(session, Schedule("one", "note", At(clock.now() + timedelta(minutes=10))))
    async with database.reading() as session:
        read = await schedules.find(session, "one")
    assert read is not None
    async with database.transaction() as session:
        assert await schedules.hold(session, [read]) == {"one"}
        await schedules.put(session, Schedule("one", "note", At(clock.now() + timedelta(minutes=30))))

    async with database.transaction() as session:
        assert await schedules.hold(session, [read]) == frozenset()
