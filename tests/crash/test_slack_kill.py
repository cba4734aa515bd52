"""`kill -9` of a desk on Slack in the middle of its answers: each question is answered exactly once, none is not.

Slack delivers a fifth of the events twice and some late, and retries what a dead desk did not take. Slack and desk
run on a clock that is twenty times as fast as the machine's, so its limits, retries and stream life are all met.
"""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from storage.clock import ScaledClock
from tests.crash.killing import PATIENCE_S, Killed, open_killed, url_for
from tests.desks.process import free_port
from tests.desks.traffic import Traffic
from tests.desks.verdict import assert_answered_once, assert_order
from tests.fakes.slack.local_slack import LocalSlack
from tests.slack_desk.floor import SlackFloor
from tests.slack_desk.house import install, slack_settings

SPEED = 20.0
#: Seconds of Slack's clock by which its answers about streams are late, so that a stream is open for a while.
SLOW = {"chat.startStream": 3.0, "chat.appendStream": 6.0, "chat.stopStream": 3.0}
#: The share of questions that Slack may give up on: no desk can answer those, and a busy machine starts one slowly.
GIVEN_UP = 0.25


@pytest.fixture
async def slack() -> AsyncIterator[LocalSlack]:
    async with LocalSlack(ScaledClock(SPEED, datetime.now(UTC))) as opened:
        yield opened


@pytest.fixture
async def killed(
    slack: LocalSlack, dialect: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Killed]:
    clock, port = slack.workspace.clock, free_port()
    assert isinstance(clock, ScaledClock)
    await install(slack, f"http://127.0.0.1:{port}")
    platforms, url = {"slack": slack_settings(slack, stream_after_s=0)}, url_for(dialect, request)
    async with open_killed(tmp_path / "home", platforms, clock, port=port, database_url=url) as opened:
        yield opened


@pytest.mark.timeout(1_800)
async def test_every_question_is_answered_once_through_kills(slack: LocalSlack, killed: Killed) -> None:
    for method, seconds in SLOW.items():
        slack.workspace.faults.slow(method, seconds)
    slack.deliveries.duplicates, slack.deliveries.reordered = 0.2, 0.05
    random = Random(41)
    traffic = Traffic(SlackFloor(slack), random)
    await killed.busy(traffic, random)
    await slack.deliveries.settled(within_s=PATIENCE_S)
    await killed.done()  # a second answer would have come by then

    assert killed.cut_short, "no kill met an open stream: this run showed nothing about them"
    given_up = traffic.give_up()
    assert len(given_up) <= len(traffic.asked) * GIVEN_UP, "too few were taken: this run showed little"
    assert_answered_once(traffic)
    await assert_order(traffic, killed.database)
    assert "BlockingError" not in killed.desk.read_log()
