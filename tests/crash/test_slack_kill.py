"""`kill -9` of a desk on Slack in the middle of its answers: each question is answered exactly once, none is not.

Slack delivers a fifth of the events twice and some late, and retries what a dead desk did not take. Slack and desk
run on a clock that is twenty times as fast as the machine's, so its limits, retries and stream life are all met, and
a desk that starts within a second or two is back before Slack gives up. What Slack does give up, no desk can answer.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from storage.clock import ScaledClock
from storage.database import Database
from tests.fakes.slack.local_slack import LocalSlack
from tests.scale import scaled
from tests.slack_desk.harbour import install, prepare, settings_of, slack_settings
from tests.slack_desk.house import nothing_to_do
from tests.slack_desk.process import ServedDesk, free_port, served
from tests.slack_desk.served import Order
from tests.slack_desk.traffic import Traffic
from tests.slack_desk.verdict import assert_answered_once, assert_order

EVENTS, KILLS = 2_000, 5
SPEED = 20.0
#: Seconds of Slack's clock by which its answers about streams are late, so that a stream is open for a while.
SLOW = {"chat.startStream": 3.0, "chat.appendStream": 6.0, "chat.stopStream": 3.0}
#: The share of questions that Slack may give up on: each of its four attempts met a dead desk, or a busy machine.
GIVEN_UP = 0.03
#: Real seconds until everything is answered after the last question; what a dead process held is free after 15.
PATIENCE_S = 120.0


@dataclass(frozen=True)
class Scene:
    """Slack, the desk, and where it keeps its rows."""

    slack: LocalSlack
    desk: ServedDesk
    database: Database


@dataclass
class Killer:
    """Kills at random moments."""

    scene: Scene
    moments: list[int]  # after so many events
    cut_short: int = 0  # streams that were open when the desk was killed

    async def maybe(self, traffic: Traffic) -> None:
        """Kill the desk if a moment has come."""
        if self.moments and traffic.events >= self.moments[0]:
            self.moments.pop(0)
            self.cut_short += len(traffic.streaming())
            await self.scene.desk.kill()


@pytest.fixture
def own_database_url(dialect: str, request: pytest.FixtureRequest) -> str:
    """Return the URL of a database that others may share; "" for the desk's own file."""
    return "" if dialect == "sqlite" else str(request.getfixturevalue("database_url"))


@pytest.fixture
async def scene(tmp_path: Path, own_database_url: str) -> AsyncIterator[Scene]:
    clock, port = ScaledClock(SPEED, datetime.now(UTC)), free_port()
    async with LocalSlack(clock) as slack:
        await install(slack, f"http://127.0.0.1:{port}")
        chosen = slack_settings(slack, stream_after_s=0)
        order = Order(
            home=tmp_path / "home",
            slack=chosen,
            port=port,
            database_url=own_database_url,
            speed=SPEED,
            origin=clock.origin,
            think_s=3.0,
        )
        settings = settings_of(order.home, chosen, database_url=own_database_url)
        await prepare(settings)
        async with served(order) as desk, _opened(settings.resolved_database_url) as database:
            yield Scene(slack, desk, database)


@asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        await database.close()


@pytest.mark.timeout(1_800)
async def test_every_question_is_answered_once_through_kills(scene: Scene) -> None:
    slack, random, events = scene.slack, Random(41), scaled(EVENTS)
    for method, seconds in SLOW.items():
        slack.workspace.faults.slow(method, seconds)
    traffic = Traffic(slack, random)
    killer = Killer(scene, sorted(random.sample(range(events // 10, events * 9 // 10), KILLS)))
    slack.deliveries.duplicates, slack.deliveries.reordered = 0.2, 0.05
    while traffic.events < events:
        await traffic.step()
        await killer.maybe(traffic)
    await _all_quiet(scene)

    assert not killer.moments
    assert killer.cut_short, "no kill met an open stream: this run showed nothing about them"
    given_up = traffic.give_up()
    assert len(given_up) <= len(traffic.asked) * GIVEN_UP, "this machine is too slow for Slack's retries"
    assert_answered_once(traffic)
    await assert_order(traffic, scene.database)
    assert "BlockingError" not in scene.desk.read_log()


async def _all_quiet(scene: Scene) -> None:
    """Wait until nothing is on its way: no delivery, no work, no post; a second answer would have come by then."""
    await scene.slack.deliveries.settled(within_s=PATIENCE_S)
    async with asyncio.timeout(PATIENCE_S):
        while not await nothing_to_do(scene.database):  # noqa: ASYNC110 - what is looked at is a database
            await asyncio.sleep(0.1)
