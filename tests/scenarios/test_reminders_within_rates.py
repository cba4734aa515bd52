"""Reminders that are due at once go out within the limits of Slack and Teams, in order, by a clock that is put on.

The local platforms refuse with 429 what comes too fast, by the same clock. `test_reminders_of_replicas.py` has 5,000.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from sqlalchemy import func, or_, select

from bot.compose.desk import Desk
from features.reminders.reminder import TOPIC, Reminder
from storage.database import Database
from storage.queue import schedules
from storage.queue.tables import QueueTable
from tests.scale import scaled
from tests.scenarios.driver_slack import SlackDriver, open_slack
from tests.scenarios.driver_teams import TeamsDriver, open_teams
from tests.scenarios.platforms import MAIN
from tests.scenarios.stage import LOOK_S, MovableClock, Setting, Stage

DUE = scaled(500, least=60)
PEOPLE, ASKER = ("ada", "bao", "cleo"), "ben"
QUESTION = "How long may I keep a loan laptop?"
#: Real seconds after which the desk counts as stuck, for each reminder.
PATIENCE_S = 1.0
_NUMBER = re.compile(r"no (\d{6})")


@dataclass
class Passing:
    """Puts the clock on to what is due next, whenever nothing is due now."""

    stage: Stage
    patience_s: float = 60 + PATIENCE_S * DUE
    begun: float = field(init=False)

    def __post_init__(self) -> None:
        self.begun = self.stage.clock.monotonic()

    @property
    def desks(self) -> Sequence[Desk]:
        return (self.stage.desk, *self.stage.others)

    @property
    def passed_s(self) -> float:
        return self.stage.clock.monotonic() - self.begun

    async def until(self, done: Callable[[], bool]) -> None:
        """Let time pass until that is so, or nothing is left to be done."""
        async with asyncio.timeout(self.patience_s):
            while not done():
                left = await self._wait_s()
                if left is None:
                    return
                workers = [
                    worker for desk in self.desks for worker in (desk.outbox, desk.inbox.worker, desk.jobs.worker)
                ]
                if left > 0 and not any(worker.is_working for worker in workers):
                    self.stage.clock.skip(left)
                    for worker in workers:
                        worker.wake()
                await asyncio.sleep(LOOK_S if left > 0 else 5 * LOOK_S)

    async def _wait_s(self) -> float | None:
        """Return the seconds until the first of a line is due; None when nothing is open."""
        topics = QueueTable.topic.startswith("post:") | (QueueTable.topic == TOPIC)
        first = select(func.min(QueueTable.sequence)).where(QueueTable.state == "open", topics, QueueTable.line != "")
        heads = or_(QueueTable.line == "", QueueTable.sequence.in_(first.group_by(QueueTable.line)))
        earliest = select(func.min(QueueTable.not_before)).where(QueueTable.state == "open", topics, heads)
        async with self.stage.desk.database.reading() as session:
            at = await session.scalar(earliest)
        return (at - self.stage.clock.now()).total_seconds() if at else None


@asynccontextmanager
async def opened(platform: str, setting: Setting) -> AsyncIterator[Stage]:
    """Open the platform."""
    way = open_slack(setting, mode="http") if platform == "slack" else open_teams(setting, forms="cards")
    async with way as stage:
        yield stage


def refusals(stage: Stage) -> int:
    """Return how often the platform refused a call because it came too fast."""
    driver = stage.driver
    if isinstance(driver, SlackDriver):
        return sum(each.status == 429 for each in driver.slack.workspace.calls)
    assert isinstance(driver, TeamsDriver)
    return sum(each.status == 429 for each in driver.teams.organisation.calls)


async def numbers(stage: Stage, people: Sequence[str] = PEOPLE) -> Mapping[str, Sequence[int]]:
    """Return the reminders that stand in the conversation of each person, from above."""
    found: dict[str, list[int]] = defaultdict(list)
    for person in people:
        for seen in await stage.driver.read(person, MAIN):
            found[person] += map(int, _NUMBER.findall(seen.text)[:1])
    return found


@pytest.mark.timeout(120 + 2 * DUE)
@pytest.mark.parametrize("platform", ["slack", "teams"])
async def test_all_come_in_order_without_a_refusal_and_a_question_does_not_wait(
    platform: str, database: Database, tmp_path: Path
) -> None:
    async with opened(platform, Setting(tmp_path, database, MovableClock(), {})) as stage:
        for person in PEOPLE:
            await stage.say(person, "Remind me in 10 minutes to renew the certificate")
        await stage.say(ASKER, QUESTION)
        async with database.transaction() as session:
            first = [Reminder.of(each) for each in await schedules.everything(session) if each.topic == TOPIC]
            assert {each.owner for each in first} == set(PEOPLE)
            for number in range(DUE):
                one = first[number % len(PEOPLE)]
                more = replace(one, id=f"{number:06}", text=f"no {number:06}")
                await schedules.put(session, more.schedule)
        answers = len(await stage.driver.read(ASKER, MAIN))
        before = refusals(stage)
        stage.clock.skip(660)
        passing = Passing(stage)
        await stage.desk.jobs.tick()
        await passing.until(lambda: passing.passed_s > DUE / 30)
        among = sum(map(len, (await numbers(stage)).values()))

        asked_at = passing.passed_s
        await stage.driver.say(ASKER, QUESTION, MAIN)
        answered = 0
        while answered <= answers:
            await asyncio.sleep(LOOK_S)
            answered = len(await stage.driver.read(ASKER, MAIN))
        waited_s = passing.passed_s - asked_at

        await passing.until(lambda: False)
        found = await numbers(stage)

    assert 0 < among < DUE
    assert waited_s < 5.0
    assert refusals(stage) == before
    assert sorted(number for each in found.values() for number in each) == list(range(DUE))
    assert {person: list(each) for person, each in found.items()} == {
        person: sorted(each) for person, each in found.items()
    }
    assert passing.passed_s < DUE  # a conversation takes about one a second, and there are three
