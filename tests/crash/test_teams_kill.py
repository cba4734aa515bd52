"""`kill -9` of a desk on Teams in the middle of its answers: each question is handled exactly once, each is answered.

Teams delivers a fifth of the activities twice and some late, and tries again what a dead desk did not take. What it
shows cannot be looked up: a desk that dies between a post and its note of it posts again. This is the one exception:
only what was posted right before a kill may stand there twice. How much did is told.
"""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from adapters.teams.inbound.webhook import PATH
from storage.clock import ScaledClock
from tests.crash.killing import KILLS, PATIENCE_S, Killed, open_killed, url_for
from tests.desks.process import free_port
from tests.desks.traffic import Traffic
from tests.desks.verdict import assert_answered_once, assert_order
from tests.fakes.teams.local_teams import LocalTeams
from tests.teams_desk.floor import TeamsFloor
from tests.teams_desk.house import teams_settings

#: Of the clock, beside the machine's: an activity that takes longer than five seconds to store is not taken.
SPEED = 10.0
#: Seconds of Teams' clock by which the answer to a post or an edit is late, so that a kill meets some on their way.
SLOW_S = 2.0
#: Real seconds that a desk may take to note what Teams told it, on a busy machine.
NOTED_S = 4.0
#: Seconds between Teams' attempts to deliver. How often it tries is not told; this often, so that a desk is back.
RETRY_AFTER_S = (2.0, 30.0, 60.0, 120.0)
#: The share of questions that Teams may give up on: no desk can answer those, and a busy machine starts one slowly.
GIVEN_UP = 0.25


@pytest.fixture
async def teams() -> AsyncIterator[LocalTeams]:
    async with LocalTeams(ScaledClock(SPEED, datetime.now(UTC))) as opened:
        yield opened


@pytest.fixture
async def killed(
    teams: LocalTeams, dialect: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Killed]:
    clock, port = teams.organisation.clock, free_port()
    assert isinstance(clock, ScaledClock)
    await teams.install(f"http://127.0.0.1:{port}{PATH}")
    platforms, url = {"teams": teams_settings(teams, stream_after_s=0)}, url_for(dialect, request)
    async with open_killed(tmp_path / "home", platforms, clock, port=port, database_url=url) as opened:
        yield opened


@pytest.mark.timeout(1_800)
async def test_every_question_is_handled_once_through_kills(
    teams: LocalTeams, killed: Killed, capsys: pytest.CaptureFixture[str]
) -> None:
    for operation in ("SendToConversation", "ReplyToActivity", "UpdateActivity"):
        teams.organisation.faults.slow(operation, SLOW_S)
    teams.deliveries.duplicates, teams.deliveries.reordered = 0.2, 0.05
    teams.deliveries.retry_after_s = RETRY_AFTER_S
    random = Random(41)
    floor = TeamsFloor(teams)
    traffic = Traffic(floor, random)
    await killed.busy(traffic, random)
    await teams.deliveries.settled(within_s=PATIENCE_S)
    await killed.done()  # a second answer would have come by then

    assert killed.cut_short, "no kill met an open stream: this run showed nothing about them"
    given_up = traffic.give_up()
    assert len(given_up) <= len(traffic.asked) * GIVEN_UP, "too few were taken: this run showed little"
    unknown = posted_before(teams, killed.kills)
    twice = floor.forgive(unknown)
    assert_answered_once(traffic)
    await assert_order(traffic, killed.database)
    assert "BlockingError" not in killed.desk.read_log()
    answers, before = len(traffic.asked), len(unknown)
    with capsys.disabled():  # the rate of the one exception
        print(f"\n{answers} answers, {KILLS} kills, {before} messages right before one, {twice} twice")  # noqa: T201


def posted_before(teams: LocalTeams, kills: list[float]) -> set[str]:
    """Return the ids of the messages that were posted so shortly before a kill that the desk may not know of them.

    Teams shows what a desk sent right before it was killed a little later.
    """
    window = SLOW_S + NOTED_S * SPEED
    organisation = teams.organisation
    return {
        said.id
        for place in organisation.conversations
        for said in organisation.standing(place)
        if said.sender == organisation.bot.id and any(-SLOW_S <= kill - said.at <= window for kill in kills)
    }
