"""A clock that was two days off for a while, in either direction: once it is right again, nothing rests for days."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.schedules.jobs import Jobs
from features.anatomy.schedules import Job
from storage import once
from storage.clock import ManualClock
from storage.database import Base, Database
from storage.queue import leases, schedules, work
from storage.queue.failures import RetryLater
from storage.queue.schedules import At, Calendar, Cron, Every, Schedule, Trigger
from storage.queue.tables import QueueTable
from storage.queue.worker import Topic, Worker
from storage.tables import IdempotencyTable, LeaseTable
from storage.throttle import Throttle

TWO_DAYS = 2 * 86_400.0
MINUTE = 60.0
DIRECTIONS = pytest.mark.parametrize("off_s", [TWO_DAYS, -TWO_DAYS], ids=["ahead", "behind"])


async def nothing() -> None:
    """Do what a job does that has nothing to do."""


async def shift(database: Database, table: type[Base], **columns: object) -> None:
    """Write what a process wrote whose clock was off."""
    async with database.transaction() as session:
        await session.execute(update(table).values(**columns))


@DIRECTIONS
@pytest.mark.parametrize("trigger", [Every(30), Every(3_600), Cron("0 9 * * *"), Calendar("09:00", days=1)], ids=str)
async def test_what_comes_again_comes_within_its_period(
    trigger: Trigger, off_s: float, database: Database, clock: ManualClock
) -> None:
    jobs = Jobs(database, clock, (Job("upkeep", trigger, nothing),))
    await jobs.prepare()
    period_s = trigger.seconds if isinstance(trigger, Every) else 86_400.0
    await jobs.tick()
    clock.advance(off_s)
    await jobs.tick()
    clock.advance(MINUTE)
    await jobs.tick()
    await jobs.worker.drain_once()
    clock.advance(-off_s)
    moved = await jobs.tick()
    async with database.reading() as session:
        (known,) = await schedules.everything(session)
    assert known.next_at is not None
    assert known.next_at <= clock.now() + timedelta(seconds=period_s + MINUTE)

    clock.advance(period_s + MINUTE)
    assert moved + await jobs.tick() >= 1


async def test_a_process_that_starts_after_the_clock_was_set_right_looks_at_once(
    database: Database, clock: ManualClock
) -> None:
    job = Job("upkeep", Every(30), nothing)
    before = Jobs(database, clock, (job,))
    await before.prepare()
    clock.advance(TWO_DAYS)
    await before.tick()
    await before.worker.drain_once()
    clock.advance(-TWO_DAYS)

    assert await Jobs(database, clock, (job,)).tick() == 1


async def test_what_is_meant_for_a_day_keeps_its_day(database: Database, clock: ManualClock) -> None:
    once_then, weekly = clock.now() + timedelta(days=9), clock.now() + timedelta(days=13)
    kept = (
        Schedule("reminder", "note", At(once_then), next_at=once_then),
        Schedule("weekly", "note", Calendar("09:00", weeks=2), next_at=weekly),
    )
    async with database.transaction() as session:
        for each in kept:
            await schedules.put(session, each)

    assert await Jobs(database, clock, ()).tick() == 0
    async with database.reading() as session:
        assert {each.next_at for each in await schedules.everything(session)} == {once_then, weekly}


@DIRECTIONS
async def test_an_item_that_is_tried_again_is_tried_soon(off_s: float, database: Database, clock: ManualClock) -> None:
    tried: list[str] = []

    async def handle(item: object) -> None:
        tried.append(str(item))
        if len(tried) == 1:
            raise RetryLater(30.0)

    worker = Worker(database, clock, {"note": Topic(handle)}, name="w")
    async with database.transaction() as session:
        await work.enqueue(session, topic="note", payload={}, key="k")
    clock.advance(off_s)
    await worker.drain_once()
    clock.advance(MINUTE - off_s)
    await worker.drain_once()

    assert len(tried) == 2


async def test_what_was_promised_for_days_ahead_waits_for_them(database: Database, clock: ManualClock) -> None:
    handled: list[object] = []

    async def handle(item: object) -> None:
        handled.append(item)

    worker = Worker(database, clock, {"timer": Topic(handle, patient=True)}, name="w")
    async with database.transaction() as session:
        later = clock.now() + timedelta(days=3)
        await work.enqueue(session, topic="timer", payload={}, key="k", not_before=later)
    await worker.drain_once()
    assert handled == []
    clock.advance(3 * 86_400.0)
    await worker.drain_once()

    assert len(handled) == 1


async def test_no_retry_after_rests_for_days_nor_is_tried_at_once(database: Database, clock: ManualClock) -> None:
    tried: list[object] = []

    async def handle(item: object) -> None:
        tried.append(item)
        raise RetryLater(30 * 86_400.0)

    worker = Worker(database, clock, {"note": Topic(handle)}, name="w")
    async with database.transaction() as session:
        await work.enqueue(session, topic="note", payload={}, key="k")
    for _ in range(3):
        await worker.drain_once()
    assert len(tried) == 1
    clock.advance(7 * 3_600.0)
    await worker.drain_once()

    assert len(tried) == 2


async def test_what_a_dead_process_held_while_the_database_was_ahead_is_taken(
    database: Database, clock: ManualClock
) -> None:
    handled: list[object] = []

    async def handle(item: object) -> None:
        handled.append(item)

    async with database.transaction() as session:
        now = await leases.database_now(session)
        await work.enqueue(session, topic="note", payload={}, key="k")
        assert await leases.acquire(session, name="work", owner="dead", ttl_s=60)
        began = await once.begin(session, scope="s", key="k", fingerprint="f", now=clock.now(), window_s=600)
        assert isinstance(began, once.Fresh)
    far = now + timedelta(days=2)
    await shift(database, QueueTable, lease_owner="dead", lease_until=far)
    await shift(database, LeaseTable, until=far)
    await shift(database, IdempotencyTable, lease_until=clock.now() + timedelta(days=2))

    await Worker(database, clock, {"note": Topic(handle)}, name="w").drain_once()
    assert len(handled) == 1
    async with database.transaction() as session:
        assert not await leases.is_held(session, name="work")
        assert await leases.acquire(session, name="work", owner="alive", ttl_s=60)
        again = await once.begin(session, scope="s", key="k", fingerprint="f", now=clock.now(), window_s=600)
    assert isinstance(again, once.Fresh)


@DIRECTIONS
async def test_nobody_is_refused_for_days(off_s: float, database: Database, clock: ManualClock) -> None:
    throttle = Throttle(database, clock)
    clock.advance(off_s)
    while (await throttle.admit("ada", limit=3, per_s=60)).allowed:
        pass
    clock.advance(MINUTE - off_s)

    assert (await throttle.admit("ada", limit=3, per_s=60)).allowed
