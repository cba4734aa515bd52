"""`kill -9` of a desk on Slack in the middle of its answers: each question is answered exactly once, none is not.

Slack delivers a fifth of the events twice and some late, and retries what a dead desk did not take. Slack and desk
run on a clock that is sixty times as fast as the machine's, so its limits, retries and stream life are all met.
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
SPEED = 60.0
#: Seconds of Slack's clock by which its answers about streams are late, so that a stream is open for a while.
SLOW = {"chat.startStream": 3.0, "chat.appendStream": 6.0, "chat.stopStream": 3.0}
#: Real seconds until everything is answered after the last question; what a dead process held is free after 15.
PATIENCE_S = 120.0


@dataclass(frozen=True)
class Scene:
    """Slack, the desk, and where it keeps its rows."""

    slack: LocalSlack
    desk: ServedDesk
    database: Database


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


@pytest.mark.timeout(1_200)
async def test_every_question_is_answered_once_through_kills(scene: Scene) -> None:
    slack, random = scene.slack, Random(41)
    for method, seconds in SLOW.items():
        slack.workspace.faults.slow(method, seconds)
    slack.deliveries.duplicates, slack.deliveries.reordered = 0.2, 0.05
    traffic = Traffic(slack, random)
    events = scaled(EVENTS)
    moments = sorted(random.sample(range(events // 10, events * 9 // 10), KILLS))
    cut_short = 0
    while traffic.events < events:
        await traffic.step()
        if moments and traffic.events >= moments[0]:
            moments.pop(0)
            cut_short += await _kill(scene, traffic)
    await _all_quiet(scene)

    assert not moments
    assert cut_short, "no kill met an open stream: this run showed nothing about them"
    assert_answered_once(traffic)
    await assert_order(traffic, scene.database)
    assert "BlockingError" not in scene.desk.read_log()


async def _kill(scene: Scene, traffic: Traffic) -> int:
    """Kill the desk; return how many streams that left open."""
    left_open = len(traffic.streaming())
    await scene.desk.kill()
    return left_open


async def _all_quiet(scene: Scene) -> None:
    """Wait until nothing is on its way: no delivery, no work, no post; a second answer would have come by then."""
    await scene.slack.deliveries.settled(within_s=PATIENCE_S)
    async with asyncio.timeout(PATIENCE_S):
        while not await nothing_to_do(scene.database):  # noqa: ASYNC110 - what is looked at is a database
            await asyncio.sleep(0.1)
