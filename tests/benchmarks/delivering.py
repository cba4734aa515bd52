"""What it costs to deliver reminders that are all due at once, and what it does to those who ask meanwhile.

`python -m tests.benchmarks.delivering URL REMINDERS ROUNDS`; its figures stand in the decision on the queue.
"""

import asyncio
import cProfile
import pstats
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from statistics import median

from features.reminders.reminder import TOPIC, Reminder
from storage.database import Base, Database
from storage.ids import JsonObject
from storage.queue import schedules
from storage.queue.schedules import At
from tests.bot.test_few_writes import counted
from tests.scenarios.driver_memory import MemoryDriver, open_memory
from tests.scenarios.platforms import MAIN
from tests.scenarios.stage import OPEN, MovableClock, Setting, Stage

#: Seconds between an answer and the next question, in an idle desk as well.
BETWEEN_S = 0.2
#: Seconds by the desk's clock between two questions: who asks more often is put off, which costs less than an answer.
APART_S = 5.0
#: What is asked before and meanwhile, how often before, and the threads that the reminders come to.
ASKED, BESIDE, THREADS = "How long may I keep a loan laptop?", 8, 100


@dataclass(frozen=True)
class Answered:
    """The seconds that an answer took: on the clock, and of the processor, whatever else the process did meanwhile."""

    took: float
    processor: float


async def ask(stage: Stage) -> Answered:
    """Return what an answer took."""
    stage.clock.skip(APART_S)
    before = answers(stage)
    begun, processor = time.perf_counter(), time.process_time()
    await stage.driver.say("ben", ASKED, MAIN)
    while answers(stage) == before:  # noqa: ASYNC110 - the chat tells nobody
        await asyncio.sleep(0.005)
    return Answered(time.perf_counter() - begun, time.process_time() - processor)


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


@dataclass
class Figures:
    """What was measured over all rounds."""

    idle: list[Answered] = field(default_factory=list)
    busy: list[Answered] = field(default_factory=list)
    took: float = 0.0
    processor: float = 0.0
    transactions: int = 0


async def measure(url: str, reminders: int, home: Path, *, rounds: int, profile: bool) -> str:
    """Return one line of figures: so many reminders, an equal part of them due at once in each round.

    The idle desk is asked right before and after each round: the machine may be another one a minute later.
    """
    database, clock, figures = Database(url), MovableClock(), Figures()
    async with database.engine.begin() as connection:
        await connection.run_sync(Base.metadata.drop_all)
        await connection.run_sync(Base.metadata.create_all)
    async with open_memory(Setting(home, database, clock, {})) as stage:
        assert isinstance(stage.driver, MemoryDriver)
        await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
        async with database.reading() as session:
            (one,) = [each for each in await schedules.everything(session) if each.topic == TOPIC]
        for number in range(rounds):
            each = range(number * reminders // rounds, (number + 1) * reminders // rounds)
            await _round(stage, database, clock, Reminder.of(one), each, figures, profile=profile)
        told = sum(str(each.address["thread"]).startswith("t") for each in stage.driver.chat.posted())
    await database.close()
    return (
        f"{database.dialect}: {told} of {reminders} in {rounds} rounds and {figures.took:.1f} s, "
        f"processor {figures.processor / reminders * 1_000:.1f} ms each, "
        f"{figures.transactions / reminders:.2f} writing transactions each; "
        f"{len(figures.idle)} answers idle, {len(figures.busy)} meanwhile: "
        + "; ".join(
            f"{name} p50 {median(idle):.3f} to {median(busy):.3f} s ({median(busy) / median(idle):.2f} x), "
            f"p95 {p95(idle):.3f} to {p95(busy):.3f} s ({p95(busy) / p95(idle):.2f} x)"
            for name, idle, busy in (
                ("on the clock", [each.took for each in figures.idle], [each.took for each in figures.busy]),
                ("processor", [each.processor for each in figures.idle], [each.processor for each in figures.busy]),
            )
            if busy
        )
    )


async def _ask_idle(stage: Stage, figures: Figures) -> None:
    for _ in range(BESIDE):
        figures.idle.append(await ask(stage))
        await asyncio.sleep(BETWEEN_S)


async def _round(
    stage: Stage,
    database: Database,
    clock: MovableClock,
    first: Reminder,
    numbers: range,
    figures: Figures,
    *,
    profile: bool,
) -> None:
    """Ask the idle desk, have reminders come due at once, and ask until the last is out."""
    await _ask_idle(stage, figures)
    at = clock.now() + timedelta(minutes=10)
    async with database.transaction() as session:
        for number in numbers:
            thread = f"t{number % THREADS}"
            address: JsonObject = {**first.address, "address": {"user": "ada", "thread": thread, "open": False}}
            more = replace(
                first, id=f"{number:06}", text=f"no {number}", address=address, thread=f"memory:ada:{thread}"
            )
            await schedules.put(session, replace(more.schedule, trigger=At(at), next_at=at))
    profiler = cProfile.Profile()
    clock.skip(timedelta(minutes=11).total_seconds())
    begun, processor = time.perf_counter(), time.process_time()
    if profile:
        profiler.enable()
    with counted(database) as written:
        ticking = asyncio.create_task(stage.desk.jobs.tick())
        while not ticking.done() or await open_items(database):
            if profile:
                await asyncio.sleep(0.5)
            else:
                figures.busy.append(await ask(stage))
                await asyncio.sleep(BETWEEN_S)
    if profile:
        profiler.disable()
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
    figures.took += time.perf_counter() - begun
    figures.processor += time.process_time() - processor
    figures.transactions += len(written)
    await _ask_idle(stage, figures)


def main() -> None:
    """Measure what the command line says."""
    with tempfile.TemporaryDirectory() as folder:
        url, reminders, rounds, *profile = sys.argv[1:]
        line = asyncio.run(measure(url, int(reminders), Path(folder), rounds=int(rounds), profile=bool(profile)))
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
