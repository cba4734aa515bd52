"""Teams in trouble: whatever was asked meanwhile is answered afterwards, once and in order, and the log says so once.

On a clock that is sixty times as fast as the machine's while everybody waits: a minute is a second.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from adapters.teams.inbound.webhook import PATH, TeamsWebhook
from tests.desks.pace import PacedClock
from tests.desks.traffic import Traffic
from tests.desks.trouble import EPISODE, MINUTE, Trouble
from tests.fakes.faults import Outage
from tests.fakes.teams.faults import TeamsFaults
from tests.fakes.teams.records import Message
from tests.fakes.teams.streams import is_open
from tests.scenarios.stage import MovableClock
from tests.teams_desk.floor import TeamsFloor
from tests.teams_desk.house import House, open_house

pytestmark = [pytest.mark.usefixtures("no_blocking"), pytest.mark.timeout(120)]

TeamsTrouble = Trouble[House, TeamsFaults]
#: What Teams asks to be tried again after, with longer and longer pauses.
AGAIN = (412, 429, 502, 503, 504)


@pytest.fixture
async def trouble(
    migrated_home: Path, caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> AsyncIterator[TeamsTrouble]:
    """Open a desk, whose brain takes as many seconds for a step as a test asks for; all was well so far."""
    think_s = float(getattr(request, "param", 0.0))
    async with (
        PacedClock().running() as clock,
        open_house(migrated_home, clock, lease_s=900, stream_after_s=0, think_s=think_s) as house,
    ):
        opened = Trouble(house, house.teams.organisation.faults, Traffic(TeamsFloor(house.teams), Random(7)), caplog)
        await opened.all_was_well()
        yield opened


def floor(trouble: TeamsTrouble) -> TeamsFloor:
    assert isinstance(trouble.traffic.floor, TeamsFloor)
    return trouble.traffic.floor


def carried_out_unheard(trouble: TeamsTrouble, *statuses: int) -> set[str]:
    """Return the ids of the messages that stand there although the desk was told nothing, or that it had failed."""
    calls = trouble.house.teams.organisation.calls
    told = [each for each in calls if not each.lost and each.status < 300]
    known = {str(each.answer["id"]) for each in told if isinstance(each.answer, dict) and "id" in each.answer}
    posted = {each.id for place in trouble.house.teams.organisation.messages.values() for each in place.values()}
    assert any(each.lost or each.status in statuses for each in calls)
    return posted - known


def begun(trouble: TeamsTrouble) -> list[Message]:
    """Return what grows before somebody's eyes."""
    organisation = trouble.house.teams.organisation
    said = [each for place in organisation.messages.values() for each in place.values()]
    return [each for each in said if is_open(organisation, each)]


def is_over(said: Message) -> bool:
    """Return whether what grew became the answer, or is gone."""
    return said.deleted or (said.stream is not None and said.stream.ending == "final")


async def test_a_storm_of_429(trouble: TeamsTrouble) -> None:
    trouble.faults.storm(MINUTE)
    calls = trouble.house.teams.organisation.calls
    before = len(calls)
    await trouble.ask()
    await trouble.pass_by(MINUTE)
    await trouble.hold()

    assert trouble.alerts in ([], EPISODE)  # none where, on a busy machine, each came back when its wait was over
    refused = [each.conversation for each in calls[before:] if each.status == 429]
    assert 0 < len(refused) <= 4 * len(set(refused)), "whoever is told to wait waits"


@pytest.mark.parametrize("kind", ["unavailable", "unreachable", "refused"])
async def test_teams_is_down_for_a_minute_twice(trouble: TeamsTrouble, kind: Outage) -> None:
    for episodes in (1, 2):
        trouble.faults.down(MINUTE, kind=kind)
        await trouble.ask()
        await trouble.pass_by(MINUTE)
        await trouble.hold()

        assert trouble.alerts == EPISODE * episodes


@pytest.mark.parametrize("status", AGAIN)
async def test_a_call_that_fails_for_a_moment_is_made_again(trouble: TeamsTrouble, status: int) -> None:
    trouble.faults.refuse("*", status, times=8)
    await trouble.ask()
    await trouble.traffic.direct(2)
    await trouble.hold()

    refused = [each for each in trouble.house.teams.organisation.calls if each.status == status]
    assert len(refused) == 8


async def test_teams_goes_away_in_the_middle_of_answers(trouble: TeamsTrouble) -> None:
    trouble.faults.slow("SendToConversation", 4)
    await trouble.traffic.direct(4)
    organisation = trouble.house.teams.organisation
    streams = await organisation.until(lambda: begun(trouble))
    trouble.faults.down(MINUTE, kind="unreachable")
    await trouble.pass_by(MINUTE)
    trouble.faults.slow("SendToConversation", 0)
    await trouble.house.settle(within_s=60)
    # A stream that ran out meanwhile is taken away beside the answer.
    await organisation.until(lambda: all(is_over(each) for each in streams), within_s=30)
    await trouble.hold()

    assert trouble.alerts == EPISODE


async def test_answers_of_teams_are_lost(trouble: TeamsTrouble) -> None:
    for operation in ("SendToConversation", "UpdateActivity"):
        trouble.faults.lose_answer(operation, 2)
    await trouble.ask()
    await trouble.traffic.direct(2)
    await trouble.house.settle(within_s=60)
    floor(trouble).forgive(carried_out_unheard(trouble))
    await trouble.hold()


@pytest.mark.parametrize("status", [502, 504])
async def test_what_is_carried_out_and_called_failed_may_stand_there_twice_and_nothing_else(
    trouble: TeamsTrouble, status: int
) -> None:
    trouble.faults.refuse("SendToConversation", status, times=8, carried_out=True)
    await trouble.ask()
    await trouble.house.settle(within_s=60)
    twice = floor(trouble).forgive(carried_out_unheard(trouble, status))
    await trouble.hold()

    assert 0 < twice <= 8


async def test_the_secret_is_changed_and_changed_back(trouble: TeamsTrouble) -> None:
    organisation = trouble.house.teams.organisation
    secret, organisation.app_secret = organisation.app_secret, "another"
    trouble.house.teams.server.logins.revoke()
    await trouble.ask()
    await trouble.pass_by(3 * MINUTE)
    assert trouble.alerts == ["ERROR"]
    organisation.app_secret = secret
    await trouble.hold()

    assert trouble.alerts == EPISODE
    assert "another" not in trouble.caplog.text
    assert secret not in trouble.caplog.text


async def test_the_key_server_is_away_and_known_keys_go_on_being_used(
    migrated_home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    clock = MovableClock()
    async with open_house(migrated_home, clock) as house:
        faults, traffic = house.teams.organisation.faults, Traffic(TeamsFloor(house.teams), Random(7))
        trouble = Trouble(house, faults, traffic, caplog)
        await trouble.all_was_well()
        clock.skip(25 * 60 * MINUTE)  # the keys have to be asked for again
        faults.refuse("Keys", 503, times=1_000)
        await trouble.ask()
        await trouble.hold()

        assert trouble.alerts == ["ERROR"]


async def test_the_key_server_is_away_when_a_key_is_new(trouble: TeamsTrouble) -> None:
    trouble.faults.refuse("Keys", 503, times=1)
    await trouble.pass_by(2 * MINUTE)
    trouble.house.teams.server.signing.rotate()
    await trouble.ask()
    await trouble.hold()

    assert trouble.alerts == EPISODE
    door = trouble.house.desk.webhooks[PATH]
    assert isinstance(door, TeamsWebhook)
    assert set(door.refusals.counts) == {"keys_away"}


async def test_every_activity_comes_twice_and_some_late(trouble: TeamsTrouble) -> None:
    trouble.house.teams.deliveries.duplicates, trouble.house.teams.deliveries.reordered = 1.0, 0.3
    await trouble.ask(threads=6, questions=3)
    await trouble.traffic.direct(6)
    await trouble.hold()


async def test_conversations_move_to_another_service_url(trouble: TeamsTrouble) -> None:
    calls = trouble.house.teams.organisation.calls
    trouble.house.teams.server.move("amer")
    before = len(calls)
    await trouble.ask()
    await trouble.traffic.direct(2)
    await trouble.hold()

    assert {each.path.split("/")[1] for each in calls[before:]} == {"amer"}


@pytest.mark.parametrize("trouble", [70.0], indirect=True)
async def test_an_answer_takes_longer_than_a_stream_may_last(trouble: TeamsTrouble) -> None:
    await trouble.traffic.direct(3)
    streams = await trouble.house.teams.organisation.until(lambda: begun(trouble))
    await trouble.hold()

    assert {each.stream.ending for each in streams if each.stream} == {"final"}


@pytest.mark.parametrize("trouble", [20.0], indirect=True)
async def test_a_person_stops_what_is_being_written(trouble: TeamsTrouble) -> None:
    teams = trouble.house.teams
    await trouble.traffic.direct(1)
    (stream,) = await teams.organisation.until(lambda: begun(trouble))
    asker = next(iter(teams.organisation.conversations[stream.conversation].members))
    await teams.person(teams.organisation.users[asker]).stop(stream)
    await trouble.house.settle(within_s=60)
    await teams.organisation.until(lambda: stream.deleted, within_s=30)  # nothing can be taken away at once
    await trouble.hold()
