"""However many schedules wait, a tick reads a few rows; and however many are due at once, each happens once."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import delete, event, select, text

from bot.schedules.jobs import BATCH, LOOKED_AT, Jobs
from features.anatomy.schedules import Slot
from storage.clock import ManualClock
from storage.database import Database
from storage.queue import schedules
from storage.queue.schedules import At, Every, Rule, Schedule
from storage.queue.tables import QueueTable
from tests.benchmarks.ticking import fill
from tests.bot.test_few_writes import counted
from tests.scale import scaled

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
PENDING, DUE = scaled(100_000, least=1_000), scaled(5_000, least=2 * BATCH + 1)


@contextmanager
def reads(database: Database) -> Iterator[list[str]]:
    """Collect the SELECTs of the block."""
    found: list[str] = []

    def execute(connection: Any, cursor: object, statement: str, *rest: object) -> None:
        del connection, cursor, rest
        if statement.lstrip().startswith("SELECT"):
            found.append(statement)

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", execute)
    try:
        yield found
    finally:
        event.remove(engine, "before_cursor_execute", execute)


async def test_a_tick_reads_a_few_rows_by_the_index_however_many_wait(database: Database) -> None:
    await fill(database, pending=PENDING, ended=PENDING)
    jobs = Jobs(database, ManualClock(NOON), ())
    await jobs.tick()
    with reads(database) as statements, counted(database) as written:
        assert await jobs.tick() == 0
    assert written == []
    assert len(statements) <= 3, statements
    async with database.reading() as session:
        assert len(await schedules.due(session, NOON, limit=BATCH)) == 0
        page, last = await schedules.next_page(session, "", limit=LOOKED_AT)
        assert page == ()  # those by name come first that come once
        assert last == f"a{LOOKED_AT - 1:06}"
        sqlite = database.dialect == "sqlite"
        explain, no = ("EXPLAIN QUERY PLAN", "0") if sqlite else ("EXPLAIN", "false")
        going = f"ended IS {no} AND paused IS {no} ORDER BY next_at LIMIT {BATCH}"
        plans = []
        for when in ("next_at IS NULL", "next_at <= '2026-11-24 12:00:00'"):
            rows = await session.execute(text(f"{explain} SELECT * FROM storage_schedules WHERE {when} AND {going}"))
            plans.append("\n".join(map(str, rows)))
    assert all("ix_storage_schedules_going" in plan for plan in plans), plans


async def test_what_is_due_at_once_is_moved_on_in_batches_and_each_slot_happens_once(database: Database) -> None:
    clock = ManualClock(NOON - timedelta(minutes=1))
    async with database.transaction() as session:
        for number in range(DUE):
            trigger = At(NOON) if number % 2 else Rule("FREQ=DAILY", "12:00")
            await schedules.put(session, Schedule(f"s{number:05}", "note", trigger, next_at=NOON))
    happened: Counter[str] = Counter()

    async def note(slot: Slot) -> None:
        happened[slot.schedule] += 1

    replicas = [Jobs(database, clock, (), slots={"note": note}) for _ in range(2)]
    for each in replicas:
        assert await each.tick() == 0
    clock.advance(60)
    with counted(database) as written:
        moved = await asyncio.gather(*(each.tick() for each in replicas))
        moved += await asyncio.gather(*(each.tick() for each in replicas))
    assert sum(moved) == DUE
    assert len(written) <= 2 * (DUE // BATCH + 1)
    async with database.reading() as session:
        lines = Counter(await session.scalars(select(QueueTable.line)))
    assert len(lines) == DUE
    assert set(lines.values()) == {1}


async def test_what_cannot_be_read_keeps_nothing_else_from_happening(database: Database) -> None:
    later = NOON + timedelta(seconds=1)
    async with database.transaction() as session:
        for number in range(BATCH + 1):
            broken = Schedule(f"broken{number}", "note", Rule("FREQ=DAILY", "09:00"), timezone="No/Where", next_at=NOON)
            await schedules.put(session, broken)
        await schedules.put(session, Schedule("well", "note", At(later), next_at=later))
    jobs = Jobs(database, ManualClock(NOON + timedelta(seconds=2)), ())
    assert await jobs.tick() == 1
    assert await jobs.tick() == 0


async def test_slots_that_lie_too_far_ahead_are_found_page_by_page(database: Database) -> None:
    """A clock was a month ahead when half of the schedules were moved on; now it is right again."""
    count = 2 * LOOKED_AT + 3
    async with database.transaction() as session:
        for number in range(count):
            ahead = timedelta(days=30 * (number % 2), minutes=5)
            await schedules.put(
                session, Schedule(f"s{number:03}", "note", Rule("FREQ=DAILY", "12:05"), next_at=NOON + ahead)
            )
    jobs = Jobs(database, ManualClock(NOON), ())
    for _ in range(3):
        await jobs.tick()
    async with database.reading() as session:
        known = await schedules.everything(session)
    assert {each.next_at for each in known} == {NOON + timedelta(minutes=5)}


async def test_the_desks_own_are_brought_back_in_the_tick_that_sees_the_clock_go_back(database: Database) -> None:
    clock = ManualClock(NOON)
    async with database.transaction() as session:
        for number in range(2 * LOOKED_AT):
            later = NOON + timedelta(days=9)
            await schedules.put(session, Schedule(f"s{number:03}", "note", At(later), owner="ada", next_at=later))
        await schedules.put(session, Schedule("upkeep", "note", Every(30), next_at=NOON))
    jobs = Jobs(database, clock, ())
    for _ in range(5):
        await jobs.tick()
    clock.advance(2 * 86_400.0)
    await jobs.tick()
    async with database.transaction() as session:
        await session.execute(delete(QueueTable))  # as if each slot had been carried out
    clock.advance(60 - 2 * 86_400.0)

    assert await jobs.tick() == 1
    async with database.reading() as session:
        upkeep = await schedules.find(session, "upkeep")
    assert upkeep is not None
    assert upkeep.next_at == clock.now() + timedelta(seconds=30)


async def test_a_whole_round_follows_where_the_clock_goes_back_in_the_middle_of_one(database: Database) -> None:
    count, clock = 3 * LOOKED_AT - 1, ManualClock(NOON)
    daily = Rule("FREQ=DAILY", "12:05")
    async with database.transaction() as session:
        for number in range(count):
            due = NOON + timedelta(minutes=5)
            await schedules.put(session, Schedule(f"s{number:03}", "note", daily, owner="ada", next_at=due))
    jobs = Jobs(database, clock, ())
    await jobs.tick()  # the first page
    async with database.transaction() as session:
        await schedules.move_on(session, {f"s{number:03}": NOON + timedelta(days=30) for number in range(count)})
    clock.advance(-1)
    for _ in range(5):  # two pages to the end of the round, three of the next
        await jobs.tick()
    async with database.reading() as session:
        known = await schedules.everything(session)
    assert {each.next_at for each in known} == {NOON + timedelta(minutes=5)}
