"""What a tick costs beside so many pending schedules, and how so many that are due at once are moved on.

`python -m tests.benchmarks.ticking URL PENDING DUE`; its figures stand in the decision on dates and schedules.
"""

import asyncio
import contextlib
import sys
import time
from datetime import UTC, datetime, timedelta

from sqlalchemy import insert, text

from bot.schedules.jobs import Jobs
from storage.clock import ManualClock
from storage.database import Base, Database
from storage.queue import schedules
from storage.queue.schedules import At, Rule, Schedule
from storage.queue.tables import ScheduleTable

TICKS = 50
NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


async def fill(database: Database, *, pending: int, ended: int) -> None:
    """Put so many schedules in that come once, and a fifth as many that come daily, all after noon; and ended ones."""
    soon, later = NOON + timedelta(minutes=5), NOON + timedelta(days=30)
    kinds = (
        ("a", pending, {"kind": "at", "instant": later.isoformat()}, later),
        ("e", ended, {"kind": "at", "instant": later.isoformat()}, None),
        ("r", pending // 5, {"kind": "rule", "rule": "FREQ=DAILY", "at": "13:05"}, soon),
    )
    async with database.transaction() as session:
        for kind, count, trigger, next_at in kinds:
            rows = [
                {
                    "name": f"{kind}{number:06}", "topic": "note", "trigger": trigger, "timezone": "Europe/Amsterdam",
                    "owner": "ada", "payload": {}, "catch_up": "once", "jitter_s": 0.0, "paused": False,
                    "next_at": next_at, "ended": next_at is None,
                }
                for number in range(count)
            ]  # fmt: skip
            await session.execute(insert(ScheduleTable), rows)
    async with database.engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        await connection.execute(text("ANALYZE storage_schedules"))


async def measure(url: str, pending: int, due: int) -> str:
    """Return one line of figures."""
    database, clock = Database(url), ManualClock(NOON)
    async with database.engine.begin() as connection:
        await connection.run_sync(Base.metadata.drop_all)
        await connection.run_sync(Base.metadata.create_all)
    await fill(database, pending=pending, ended=pending)
    jobs, ticks, processor = Jobs(database, clock, ()), [], []
    for _ in range(TICKS):
        begun, worked = time.perf_counter(), time.process_time()
        await jobs.tick()
        ticks.append(time.perf_counter() - begun)
        processor.append(time.process_time() - worked)
    at = NOON + timedelta(minutes=1)
    async with database.transaction() as session:
        for number in range(due):
            trigger = At(at) if number % 2 else Rule("FREQ=DAILY", "13:01")
            await schedules.put(session, Schedule(f"d{number}", "note", trigger, "Europe/Amsterdam", next_at=at))
    clock.advance(60)
    longest = asyncio.create_task(_longest_step_s())
    begun = time.perf_counter()
    moved = await jobs.tick()
    took = time.perf_counter() - begun
    longest.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await longest
    ticks.sort()
    processor.sort()
    await database.close()
    return (
        f"{database.dialect}, {pending} pending: a tick {ticks[TICKS // 2] * 1_000:.1f} ms "
        f"(best {ticks[0] * 1_000:.1f}, p95 {ticks[int(TICKS * 0.95)] * 1_000:.1f}, slowest {ticks[-1] * 1_000:.1f}), "
        f"processor {processor[TICKS // 2] * 1_000:.1f} ms; {moved} due at once moved on in {took:.1f} s, "
        f"longest step {STEPS[-1] * 1_000:.0f} ms"
    )


STEPS = [0.0]


async def _longest_step_s() -> None:
    """Keep the longest time for which the loop did not come round."""
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(0)
        STEPS[-1] = max(STEPS[-1], time.perf_counter() - begun)
        await asyncio.sleep(0.001)


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))) + "\n")
