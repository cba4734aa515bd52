"""The queue's throughput: promised one by one, handled by one worker, beside so many finished items.

`python -m tests.benchmarks.queueing URL FINISHED`; the figures that it replaced stand in decision 0036.
"""

import asyncio
import sys
import time

from sqlalchemy import text

from storage.clock import SystemClock
from storage.database import Base, Database
from storage.queue import work
from storage.queue.rows import WorkItem
from storage.queue.worker import Ending, Topic, Worker

ITEMS, LINES = 2_000, 200
COLUMNS = "id, key, topic, line, priority, payload, state, attempt, failures, enqueued_at, not_before, finished_at"


async def fill(database: Database, finished: int) -> None:
    """Put so many finished items into a new table."""
    async with database.engine.begin() as connection:
        await connection.run_sync(Base.metadata.drop_all)
        await connection.run_sync(Base.metadata.create_all)
    sqlite = database.dialect == "sqlite"
    series = f"WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < {finished})" if sqlite else ""
    source = "g" if sqlite else f"generate_series(1, {finished}) AS g(n)"
    then = "'2026-01-01 00:00:00.000000'"
    if finished:
        async with database.transaction() as session:
            await session.execute(
                text(
                    f"INSERT INTO storage_queue ({COLUMNS}) {series} SELECT 'item_' || n, 'k' || n, 'note',"
                    f" 't' || (n % 50000), 0, '{{}}', 'done', 1, 0, {then}, {then}, {then} FROM {source}"
                )
            )
    if not sqlite:
        async with database.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await connection.execute(text("ANALYZE storage_queue"))


async def measure(url: str, finished: int) -> str:
    """Return one line of figures."""
    database = Database(url)
    await fill(database, finished)
    handled, everything, stop = 0, asyncio.Event(), asyncio.Event()

    async def handle(_item: WorkItem) -> Ending:
        nonlocal handled
        handled += 1
        if handled == ITEMS:
            everything.set()
        return Ending()

    waits, begun = [], time.perf_counter()
    for number in range(ITEMS):
        one = time.perf_counter()
        async with database.transaction() as session:
            line, payload = f"line{number % LINES}", {"text": "x" * 300}
            await work.enqueue(session, topic="note", payload=payload, key=f"new{number}", line=line)
        waits.append(time.perf_counter() - one)
    enqueued = ITEMS / (time.perf_counter() - begun)
    worker = Worker(database, SystemClock(), {"note": Topic(handle)}, name="benchmark")
    begun = time.perf_counter()
    running = asyncio.create_task(worker.run(stop))
    await everything.wait()
    drained = ITEMS / (time.perf_counter() - begun)
    stop.set()
    await running
    await database.close()
    p99_ms = sorted(waits)[int(ITEMS * 0.99)] * 1_000
    return (
        f"{database.dialect}, {finished} finished: promised {enqueued:.0f}/s (p99 {p99_ms:.1f} ms), "
        f"handled {drained:.0f}/s"
    )


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(measure(sys.argv[1], int(sys.argv[2]))) + "\n")
