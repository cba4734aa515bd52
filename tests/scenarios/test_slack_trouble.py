"""Slack in trouble: whatever was asked meanwhile is answered afterwards, once and in order, and the log says so once.

On a clock that is sixty times as fast as the machine's: a minute is a second.
"""

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from storage.clock import ScaledClock
from tests.desks.traffic import Traffic
from tests.desks.verdict import assert_answered_once, assert_order
from tests.fakes.faults import Faults, Outage
from tests.slack_desk.floor import SlackFloor
from tests.slack_desk.house import House, Mode, open_house

pytestmark = [pytest.mark.usefixtures("no_blocking"), pytest.mark.timeout(120)]

#: Seconds of Slack's clock that trouble lasts.
MINUTE = 60.0
#: One line when trouble begins, one when it is over.
EPISODE = ["ERROR", "INFO"]


@dataclass(frozen=True)
class Trouble:
    """A desk, people who ask it, and what its log says of Slack."""

    house: House
    traffic: Traffic
    caplog: pytest.LogCaptureFixture

    @property
    def faults(self) -> Faults:
        return self.house.slack.workspace.faults

    @property
    def alerts(self) -> list[str]:
        """Return the level of each line about Slack's troubles."""
        records = self.caplog.get_records("call")
        return [each.levelname for each in records if each.name == "adapters.health"]

    async def ask(self, *, threads: int = 4, questions: int = 2) -> None:
        """Ask in several threads at once."""
        await self.traffic.burst(threads=threads, questions=questions)

    async def pass_by(self, seconds: float) -> None:
        """Let time pass at Slack."""
        await self.house.slack.workspace.clock.sleep(seconds)

    async def hold(self) -> None:
        """Hold that everything asked so far is answered, once and in order."""
        await self.house.settle(within_s=60)
        assert_answered_once(self.traffic)
        await assert_order(self.traffic, self.house.desk.database)


@pytest.fixture
async def trouble(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> AsyncIterator[Trouble]:
    """Open a desk by HTTP, or by Socket Mode where a test asks for it; all was well so far."""
    mode: Mode = getattr(request, "param", "http")
    caplog.set_level(logging.INFO, logger="adapters.health")
    async with open_house(tmp_path / "home", ScaledClock(), mode=mode, lease_s=900, stream_after_s=0) as house:
        opened = Trouble(house, Traffic(SlackFloor(house.slack), Random(7)), caplog)
        await opened.ask(threads=1, questions=1)
        await opened.hold()
        yield opened


async def test_a_storm_of_429(trouble: Trouble) -> None:
    trouble.faults.storm(MINUTE)
    before = len(trouble.house.slack.workspace.calls)
    await trouble.ask()
    await trouble.pass_by(MINUTE)
    await trouble.hold()

    assert trouble.alerts == EPISODE
    refused = [each.method for each in trouble.house.slack.workspace.calls[before:] if each.status == 429]
    assert 0 < len(refused) <= 4 * len(set(refused)), "whoever is told to wait waits"


@pytest.mark.parametrize("kind", ["unavailable", "unreachable"])
async def test_slack_is_down_for_a_minute_twice(trouble: Trouble, kind: Outage) -> None:
    for episodes in (1, 2):
        trouble.faults.down(MINUTE, kind=kind)
        await trouble.ask()
        await trouble.pass_by(MINUTE)
        await trouble.hold()

        assert trouble.alerts == EPISODE * episodes


async def test_slack_goes_away_in_the_middle_of_answers(trouble: Trouble) -> None:
    trouble.faults.slow("chat.startStream", 30)
    await trouble.ask()
    await trouble.house.slack.workspace.until(trouble.traffic.streaming)
    trouble.faults.down(MINUTE, kind="unreachable")
    await trouble.pass_by(MINUTE)
    trouble.faults.slow("chat.startStream", 0)
    await trouble.hold()

    assert trouble.alerts == EPISODE


async def test_answers_of_slack_are_lost(trouble: Trouble) -> None:
    for method in ("chat.startStream", "chat.stopStream", "chat.postMessage", "chat.update"):
        trouble.faults.lose_answer(method, 2)
    await trouble.ask()
    await trouble.hold()


async def test_the_token_is_taken_away_and_given_back(trouble: Trouble) -> None:
    trouble.house.slack.workspace.revoke()
    await trouble.ask()
    await trouble.pass_by(3 * MINUTE)
    assert trouble.alerts == ["ERROR"]
    trouble.house.slack.workspace.restore()
    await trouble.hold()

    assert trouble.alerts == EPISODE


@pytest.mark.parametrize("trouble", ["socket"], indirect=True)
@pytest.mark.parametrize(
    ("pongs", "lines"),
    # One that still answers pings cannot be told from a quiet one: it is renewed in time, and nobody is alarmed.
    [pytest.param(False, EPISODE, id="dead"), pytest.param(True, [], id="forgotten")],
)
async def test_the_websocket_falls_silent(trouble: Trouble, *, pongs: bool, lines: list[str]) -> None:
    socket = trouble.house.slack.socket
    opened = socket.opened
    socket.go_silent(pongs=pongs)
    await trouble.ask()
    await trouble.hold()

    assert trouble.alerts == lines
    assert socket.opened > opened


@pytest.mark.parametrize("trouble", ["socket"], indirect=True)
async def test_the_websocket_is_cut_and_slack_is_away(trouble: Trouble) -> None:
    trouble.faults.down(MINUTE, kind="unreachable")
    trouble.house.slack.socket.drop()
    await trouble.ask()
    await trouble.hold()

    assert set(trouble.alerts) == set(EPISODE)
    assert trouble.alerts.count("ERROR") == trouble.alerts.count("INFO")
