"""Three replicas on one PostgreSQL: reminders that are due at once go out as from one, and the desk keeps answering.

The local platforms refuse with 429 what comes too fast, by the clock that the test puts on. Beside what is asserted it
logs how long answers took, and what a reminder cost.
"""

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import func, select

from features.reminders.reminder import TOPIC, Reminder
from language.planning.plans import Once
from storage.database import Database
from storage.queue import schedules
from storage.queue.tables import ScheduleTable
from tests.scale import SCALE
from tests.scenarios.platforms import Place
from tests.scenarios.stage import LOOK_S, MovableClock, Setting, Stage
from tests.scenarios.test_reminders_within_rates import PATIENCE_S, QUESTION, Passing, numbers, opened, refusals

log = logging.getLogger(__name__)

REPLICAS = 3
FULL = SCALE >= 1
DUE = 5_000 if FULL else 60
PEOPLE = tuple(f"reader{number}" for number in range(20 if FULL else 5))
ASKERS, ASKED = tuple(f"asker{number}" for number in range(10 if FULL else 2)), 40 if FULL else 4
#: Seconds that are allowed beyond twice an idle desk's: a busy machine holds up some answer of a few.
BUSY_S = 1.0


@dataclass
class Asker:
    """Asks one question after the other, as another person each time."""

    stage: Stage
    numbers: Iterator[int] = field(default_factory=count)

    async def ask(self) -> float:
        """Return how long the answer took by the desk's clock."""
        number = next(self.numbers)
        person, place = ASKERS[number % len(ASKERS)], Place(f"question{number}")
        before = len(await self.stage.driver.read(person, place))
        begun = self.stage.clock.monotonic()
        await self.stage.driver.say(person, QUESTION, place)
        async with asyncio.timeout(60):
            while len(await self.stage.driver.read(person, place)) == before:  # noqa: ASYNC110 - what is looked at is a page
                await asyncio.sleep(LOOK_S)
        return self.stage.clock.monotonic() - begun


async def until_planned(database: Database) -> None:
    """Wait until the desk has worked out when each schedule happens: what was put there a moment ago has no time."""
    left = select(func.count()).where(ScheduleTable.next_at.is_(None), ScheduleTable.ended.is_(False))
    async with asyncio.timeout(120):
        while True:
            async with database.reading() as session:
                if not await session.scalar(left):
                    return
            await asyncio.sleep(LOOK_S)


def p95(took_s: Sequence[float]) -> float:
    return sorted(took_s)[int(len(took_s) * 0.95)]


@pytest.mark.timeout(400 + DUE)
@pytest.mark.parametrize("platform", ["slack", "teams"] if FULL else ["slack"])
async def test_three_replicas_send_as_one_and_answers_do_not_wait(
    platform: str, postgresql_only: Database, tmp_path: Path
) -> None:
    limits = {"limits": {"messages_per_minute": 10_000, "address_messages_per_minute": 10_000}}
    setting = Setting(tmp_path, postgresql_only, MovableClock(), limits, replicas=REPLICAS)
    async with opened(platform, setting) as stage:
        for person in PEOPLE:
            await stage.say(person, "Remind me in 2 hours to renew the certificate")
        async with postgresql_only.transaction() as session:
            first = [Reminder.of(each) for each in await schedules.everything(session) if each.topic == TOPIC]
            assert len({each.owner for each in first}) == len(PEOPLE)
            for number in range(DUE):
                one = first[number % len(first)]
                assert isinstance(one.plan, Once)
                after = Once(one.plan.at + timedelta(milliseconds=number))
                more = replace(one, id=f"{number:06}", text=f"no {number:06}", plan=after)
                await schedules.put(session, more.schedule)
        await until_planned(postgresql_only)
        asker = Asker(stage)
        for _ in ASKERS:
            await asker.ask()
        idle_s = [await asker.ask() for _ in range(ASKED)]

        before, passing = refusals(stage), Passing(stage, 120 + PATIENCE_S * DUE)
        begun, processor = time.monotonic(), time.process_time()
        stage.clock.skip(7_260)
        await stage.desk.jobs.tick()
        passes = asyncio.create_task(passing.until(lambda: False))
        among_s = [await asker.ask() for _ in range(ASKED)]
        still_open = not passes.done()
        await passes
        passed_s, took_s = passing.passed_s - 7_260, time.monotonic() - begun
        log.info(
            "%s: %d in %.0f s of the machine's and %.0f of the desk's, processor %.0f ms each; "
            "an answer at p95: idle %.2f s, meanwhile %.2f s",
            *(platform, DUE, took_s, passed_s),
            *((time.process_time() - processor) / DUE * 1000, p95(idle_s), p95(among_s)),
        )
        found = await numbers(stage, PEOPLE)

    assert still_open
    assert refusals(stage) == before
    assert sorted(number for each in found.values() for number in each) == list(range(DUE))
    assert {person: list(each) for person, each in found.items() if list(each) != sorted(each)} == {}
    assert passed_s - took_s < 60 + 4 * DUE / len(PEOPLE)  # a conversation takes about one a second
    assert p95(among_s) < 2 * p95(idle_s) + BUSY_S
