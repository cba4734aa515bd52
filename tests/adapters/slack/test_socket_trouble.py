"""Lines die, fall silent and are recycled: nothing is lost, and an alarm is raised once for each time of trouble."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from adapters.outbound.health import Health, Trouble
from adapters.slack.inbound.connection import QUIET_S
from tests.adapters.slack.socket_desk import Desk, connectable, connected, local_slack
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person

#: Seconds of the desk in a real one where minutes have to pass.
FAST = 600


@pytest.fixture(autouse=True)
def _log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "adapters")


@pytest.fixture
async def slack(request: pytest.FixtureRequest) -> AsyncIterator[LocalSlack]:
    async with local_slack(getattr(request, "param", 60)) as slack:
        yield slack


@pytest.fixture
async def desk(slack: LocalSlack) -> AsyncIterator[Desk]:
    async with connected(slack) as desk:
        yield desk


@pytest.fixture
def ada(slack: LocalSlack) -> Person:
    return slack.add_person("ada")


def alarms(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.levelname for record in caplog.records if record.name.startswith("adapters")]


async def test_a_silent_line_is_noticed_within_a_minute(
    desk: Desk, slack: LocalSlack, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    clock = slack.workspace.clock
    started = clock.monotonic()
    slack.socket.go_silent()
    await ada.say("dm", "is anybody there?")
    await desk.until(lambda: desk.heard)

    assert desk.heard == ["is anybody there?"]
    await desk.until(lambda: slack.socket.opened == 2)
    assert clock.monotonic() - started < 90
    assert alarms(caplog) == ["ERROR", "INFO"]
    assert desk.health.episodes == ()
    assert desk.health.counts["socket.silent"] == 1


@pytest.mark.parametrize("slack", [FAST], indirect=True)
async def test_a_line_that_only_answers_pings_is_renewed(desk: Desk, slack: LocalSlack, ada: Person) -> None:
    slack.socket.go_silent(pongs=True)
    await desk.until(lambda: slack.socket.opened == 2)
    await ada.say("dm", "hello")
    await desk.until(lambda: desk.heard)

    assert desk.health.counts["socket.quiet"] == 1
    assert desk.health.counts["socket.silent"] == 0


@pytest.mark.parametrize("slack", [FAST], indirect=True)
async def test_a_quiet_hour_is_no_trouble(
    desk: Desk, slack: LocalSlack, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    clock = slack.workspace.clock
    end = clock.monotonic() + 3600
    await desk.until(lambda: clock.monotonic() > end)
    await ada.say("dm", "good morning")
    await desk.until(lambda: desk.heard)

    assert alarms(caplog) == []
    # Each renewal comes at the first look after the quiet time, and the next one begins anew.
    assert 3600 / (QUIET_S + 60) <= desk.health.counts["socket.quiet"] <= 3600 / QUIET_S
    assert len(slack.socket.connections) <= 2


async def test_a_cut_line_is_opened_again_at_once(
    desk: Desk, slack: LocalSlack, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    slack.socket.drop()
    await ada.say("dm", "hello")
    await desk.until(lambda: desk.heard)

    assert desk.heard == ["hello"]
    assert slack.socket.opened == 2
    assert alarms(caplog) == []


# An acknowledgement has three seconds; at the speed of the other tests they would pass in a twentieth of a real one.
@pytest.mark.parametrize("slack", [0.5], indirect=True)
async def test_recycling_overlaps_so_that_no_event_waits(
    desk: Desk, slack: LocalSlack, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    slack.socket.warning_s = 2
    desk.storing_s = 0.1  # so that some are under way when the old line is closed
    recycling = asyncio.create_task(slack.socket.refresh())
    said: list[str] = []
    while not recycling.done():
        said.append(f"message {len(said)}")
        await ada.say("dm", said[-1])
        await asyncio.sleep(0.02)
    await slack.deliveries.settled()

    assert sorted(desk.heard) == sorted(said)
    assert slack.socket.opened == 2
    assert [each for each in slack.deliveries.records if each.status is None] == []
    assert alarms(caplog) == []


async def test_slack_away_for_a_minute_is_one_alarm_and_loses_nothing(
    desk: Desk, slack: LocalSlack, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    slack.workspace.faults.down(60)
    slack.socket.drop()
    await ada.say("dm", "are you there?")
    await desk.until(lambda: desk.health.episodes)
    assert not desk.socket.connected
    await desk.until(lambda: desk.heard)

    assert desk.heard == ["are you there?"]
    assert [each for each in alarms(caplog) if each != "ERROR"] == ["INFO"]
    assert alarms(caplog).count("ERROR") == 1
    assert 3 <= desk.health.counts["socket.not_opened"] <= 10


async def test_an_app_token_that_is_refused_is_told_and_tried_less_and_less(
    slack: LocalSlack, caplog: pytest.LogCaptureFixture
) -> None:
    slack.workspace.app_token.refused = "token_revoked"
    async with connectable(slack) as desk, desk.socket.listening():
        await desk.until(lambda: desk.health.counts["socket.not_opened"] >= 4)

        (episode,) = desk.health.episodes
        assert episode.trouble is Trouble.SOCKET
        assert "token_revoked" in episode.words
        assert alarms(caplog) == ["ERROR"]


async def test_lines_that_do_not_last_are_not_opened_again_and_again(slack: LocalSlack) -> None:
    async with connected(slack) as desk:
        clock = slack.workspace.clock
        end = clock.monotonic() + 20
        while clock.monotonic() < end:
            slack.socket.drop()
            await asyncio.sleep(0.005)

        assert slack.socket.opened <= 7  # pauses of 1, 2, 4, 8 … seconds
        await desk.until(lambda: desk.socket.connected)


class OnceWrong(Health):
    """Breaks once over what nobody thought of."""

    wrong = True

    def ends(self, trouble: Trouble) -> None:
        if trouble is Trouble.SOCKET and self.wrong:
            self.wrong = False
            raise LookupError("nobody thought of this")
        super().ends(trouble)


async def test_a_mistake_of_ours_does_not_leave_the_desk_deaf(
    slack: LocalSlack, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        connectable(slack, health=OnceWrong(slack.workspace.clock, platform="Slack")) as desk,
        desk.socket.listening(),
    ):
        await desk.until(lambda: any("it is begun again" in record.message for record in caplog.records))
        await desk.until(lambda: slack.socket.opened > 1)
        await ada.say("dm", "Are you there?")
        await desk.until(lambda: desk.heard)

    assert desk.heard == ["Are you there?"]
