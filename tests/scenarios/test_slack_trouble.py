"""Slack in trouble: whatever was asked meanwhile is answered afterwards, once and in order, and the log says so once.

On a clock that is sixty times as fast as the machine's while everybody waits: a minute is a second.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.desks.pace import PacedClock
from tests.desks.traffic import Traffic
from tests.desks.trouble import EPISODE, MINUTE, Trouble
from tests.fakes.faults import Faults, Outage
from tests.slack_desk.floor import SlackFloor
from tests.slack_desk.house import House, Mode, open_house

pytestmark = [pytest.mark.usefixtures("no_blocking"), pytest.mark.timeout(120)]

SlackTrouble = Trouble[House, Faults]


@pytest.fixture
async def trouble(
    migrated_home: Path, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> AsyncIterator[SlackTrouble]:
    """Open a desk by HTTP, or by Socket Mode where a test asks for it; all was well so far."""
    mode: Mode = getattr(request, "param", "http")
    async with (
        PacedClock().running() as clock,
        open_house(migrated_home, clock, mode=mode, lease_s=900, stream_after_s=0) as house,
    ):
        traffic = Traffic(SlackFloor(house.slack), Random(7))
        opened = Trouble(house, house.slack.workspace.faults, traffic, caplog)
        await opened.all_was_well()
        yield opened


async def test_a_storm_of_429(trouble: SlackTrouble) -> None:
    trouble.faults.storm(MINUTE)
    before = len(trouble.house.slack.workspace.calls)
    await trouble.ask()
    await trouble.pass_by(MINUTE)
    await trouble.hold()

    assert trouble.alerts in ([], EPISODE)  # none where, on a busy machine, each came back when its wait was over
    refused = [each.method for each in trouble.house.slack.workspace.calls[before:] if each.status == 429]
    assert 0 < len(refused) <= 4 * len(set(refused)), "whoever is told to wait waits"


@pytest.mark.parametrize("kind", ["unavailable", "unreachable"])
async def test_slack_is_down_for_a_minute_twice(trouble: SlackTrouble, kind: Outage) -> None:
    for episodes in (1, 2):
        trouble.faults.down(MINUTE, kind=kind)
        await trouble.ask()
        await trouble.pass_by(MINUTE)
        await trouble.hold()

        assert trouble.alerts == EPISODE * episodes


async def test_slack_goes_away_in_the_middle_of_answers(trouble: SlackTrouble) -> None:
    trouble.faults.slow("chat.startStream", 30)
    await trouble.ask()
    await trouble.house.slack.workspace.until(trouble.traffic.streaming)
    trouble.faults.down(MINUTE, kind="unreachable")
    await trouble.pass_by(MINUTE)
    trouble.faults.slow("chat.startStream", 0)
    await trouble.hold()

    assert trouble.alerts in ([], EPISODE)  # an outage that met fewer than three calls is none


async def test_answers_of_slack_are_lost(trouble: SlackTrouble) -> None:
    for method in ("chat.startStream", "chat.stopStream", "chat.postMessage", "chat.update"):
        trouble.faults.lose_answer(method, 2)
    await trouble.ask()
    await trouble.hold()


async def test_the_token_is_taken_away_and_given_back(trouble: SlackTrouble) -> None:
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
async def test_the_websocket_falls_silent(trouble: SlackTrouble, *, pongs: bool, lines: list[str]) -> None:
    socket = trouble.house.slack.socket
    opened = socket.opened
    socket.go_silent(pongs=pongs)
    await trouble.ask()
    await trouble.hold()

    assert trouble.alerts == lines
    assert socket.opened > opened


@pytest.mark.parametrize("trouble", ["socket"], indirect=True)
async def test_the_websocket_is_cut_and_slack_is_away(trouble: SlackTrouble) -> None:
    trouble.faults.down(MINUTE, kind="unreachable")
    trouble.house.slack.socket.drop()
    await trouble.ask()
    await trouble.hold()

    assert set(trouble.alerts) == set(EPISODE)
    assert trouble.alerts.count("ERROR") == trouble.alerts.count("INFO")
