"""What it costs to deliver reminders that are all due at once, and what it does to those who ask meanwhile.

`python -m tests.benchmarks.delivering URL REMINDERS`; its figures stand in the decision on the queue.
"""

import asyncio
import cProfile
import pstats
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from statistics import median

from features.reminders.reminder import TOPIC, Reminder
from storage.database import Base, Database
from storage.ids import JsonObject
from storage.queue import schedules
from tests.bot.test_few_writes import counted
from tests.scenarios.driver_memory import MemoryDriver, open_memory
from tests.scenarios.platforms import MAIN
from tests.scenarios.stage import OPEN, MovableClock, Setting, Stage

#: What is asked before and meanwhile, how often before, and the threads that the reminders come to.
ASKED, BESIDE, THREADS = "How long may I keep a loan laptop?", 20, 100


async def ask(stage: Stage) -> float:
    """Return the seconds that an answer took."""
    before = answers(stage)
    begun = time.perf_counter()
    await stage.driver.say("ben", ASKED, MAIN)
    while answers(stage) == before:  # noqa: ASYNC110 - the chat tells nobody
        await asyncio.sleep(0.005)
    return time.perf_counter() - begun


def answers(stage: Stage) -> int:
    """Return how much was posted to the person who asks."""
    assert isinstance(stage.driver, MemoryDriver)
    return sum(each.address["user"] == "ben" for each in stage.driver.chat.posted())


async def open_items(database: Database) -> int:
    """Return how much is not worked off."""
    async with database.reading() as session:
        return int(await session.scalar(OPEN) or 0)


def p95(took: Sequence[float]) -> float:
    """Return the 95th percentile."""
    took = sorted(took)
    return took[min(len(took) - 1, round(0.95 * len(took)))]


async def measure(url: str, reminders: int, home: Path, *, profile: bool) -> str:
    """Return one line of figures."""
    database, clock = Database(url), MovableClock()
    async with database.engine.begin() as connection:
        await connection.run_sync(Base.metadata.drop_all)
        await connection.run_sync(Base.metadata.create_all)
    async with open_memory(Setting(home, database, clock, {})) as stage:
        await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
        idle = [await ask(stage) for _ in range(BESIDE)]
        async with database.transaction() as session:
            (one,) = [each for each in await schedules.everything(session) if each.topic == TOPIC]
            first = Reminder.of(one)
            for number in range(1, reminders):
                thread = f"t{number % THREADS}"
                address: JsonObject = {**first.address, "address": {"user": "ada", "thread": thread, "open": False}}
                more = replace(
                    first, id=f"{number:06}", text=f"no {number}", address=address, thread=f"memory:ada:{thread}"
                )
                await schedules.put(session, more.schedule)
        profiler = cProfile.Profile()
        clock.skip(timedelta(minutes=11).total_seconds())
        begun, processor, busy = time.perf_counter(), time.process_time(), []
        if profile:
            profiler.enable()
        with counted(database) as written:
            ticking = asyncio.create_task(stage.desk.jobs.tick())
            while not ticking.done() or await open_items(database):
                if profile:
                    await asyncio.sleep(0.5)
                else:
                    busy.append(await ask(stage))
                    await asyncio.sleep(0.2)
        if profile:
            profiler.disable()
            pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
        took, used = time.perf_counter() - begun, time.process_time() - processor
        idle += [await ask(stage) for _ in range(BESIDE)]  # the machine may be another one by now
        assert isinstance(stage.driver, MemoryDriver)
        told = sum(str(each.address["thread"]).startswith("t") for each in stage.driver.chat.posted())
    await database.close()
    return (
        f"{database.dialect}: {told} of {reminders - 1} in {took:.1f} s, "
        f"processor {used / reminders * 1_000:.1f} ms each, "
        f"{len(written) / reminders:.2f} writing transactions each; p50 and p95 of answers "
        f"{median(idle):.3f} and {p95(idle):.3f} s idle, "
        f"{median(busy or [0.0]):.3f} and {p95(busy or [0.0]):.3f} s meanwhile ({len(busy)} asked)"
    )


def main() -> None:
    """Measure what the command line says."""
    with tempfile.TemporaryDirectory() as folder:
        line = asyncio.run(measure(sys.argv[1], int(sys.argv[2]), Path(folder), profile=len(sys.argv) > 3))
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
