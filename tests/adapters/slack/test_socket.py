"""Socket Mode over a real websocket: what is stored is acknowledged, on the line that it came on."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from adapters.port import InvalidForm
from adapters.slack.address import SlackAddress
from adapters.slack.drawing.modals import FormPlace, ViewWords, reason_view
from tests.adapters.slack.socket_desk import Desk, connected, local_slack
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person
from tests.fakes.slack.views import open_modal


@pytest.fixture
async def slack() -> AsyncIterator[LocalSlack]:
    async with local_slack() as slack:
        yield slack


@pytest.fixture
async def desk(slack: LocalSlack) -> AsyncIterator[Desk]:
    async with connected(slack) as desk:
        yield desk


@pytest.fixture
def ada(slack: LocalSlack) -> Person:
    return slack.add_person("ada")


async def test_an_event_is_acknowledged_on_its_line(desk: Desk, slack: LocalSlack, ada: Person) -> None:
    await ada.say("dm", "hello")
    await desk.until(lambda: slack.deliveries.records)

    (record,) = slack.deliveries.records
    (line,) = slack.socket.connections
    assert desk.heard == ["hello"]
    assert (record.status, record.retry_num) == (200, 0)
    assert line.received == [{"envelope_id": line.sent[0]}]


async def test_what_is_not_stored_is_not_acknowledged_and_comes_again(
    desk: Desk, slack: LocalSlack, ada: Person
) -> None:
    desk.error = OSError("disk full")
    await ada.say("dm", "hello")
    await desk.until(lambda: desk.health.counts["socket.unacknowledged"])
    desk.error = None
    await desk.until(lambda: desk.heard)

    assert desk.heard == ["hello"]
    assert slack.deliveries.records[0].status is None
    assert slack.deliveries.records[0].body["event"]["text"] == "hello"


async def test_commands_are_answered_with_an_empty_acknowledgement(desk: Desk, ada: Person) -> None:
    answer = await ada.command("/desk help")

    assert (answer.status, answer.body) == (200, {})
    assert desk.heard == ["/desk help"]


async def test_errors_of_a_form_travel_with_the_acknowledgement(desk: Desk, slack: LocalSlack, ada: Person) -> None:
    place = FormPlace(
        "r1", address=SlackAddress(user=ada.user.id, team="T0HARBOUR", channel="C1", thread_ts="1.0").to_json()
    )
    view = reason_view(ViewWords("Why?", "Cancel", "Send"), place, label="What was wrong?").to_dict()
    open_modal(slack.workspace, ada.user.id, view)
    desk.receipt = InvalidForm({"reason": "Say a little more."})

    assert await ada.send_form({"reason": "no"}) == {"reason": "Say a little more."}
    assert desk.heard == ["Feedback"]


async def test_envelopes_are_not_held_up_by_each_other(desk: Desk, ada: Person) -> None:
    desk.gate = asyncio.Event()
    await ada.say("dm", "slow to store")
    await desk.until(lambda: desk.received == 1)
    gate, desk.gate = desk.gate, None
    await ada.say("dm", "quick")
    await desk.until(lambda: desk.heard)
    gate.set()
    await desk.until(lambda: len(desk.heard) == 2)

    assert desk.heard == ["quick", "slow to store"]


async def test_what_is_being_stored_at_the_end_is_still_acknowledged(slack: LocalSlack, ada: Person) -> None:
    async with connected(slack) as desk:
        gate = desk.gate = asyncio.Event()
        await ada.say("dm", "one more thing")
        await desk.until(lambda: desk.received == 1)
        asyncio.get_running_loop().call_later(0.01, gate.set)
    await slack.deliveries.settled()

    assert desk.heard == ["one more thing"]
    assert [(each.status, each.retry_num) for each in slack.deliveries.records] == [(200, 0)]
    assert not desk.socket.connected


@pytest.mark.parametrize("words", ["no json", "[]", "7", '{"type": 3}', '{"type": "events_api", "envelope_id": "e"}'])
async def test_strange_words_are_counted_and_change_nothing(
    desk: Desk, slack: LocalSlack, ada: Person, words: str
) -> None:
    (line,) = slack.socket.connections
    await line.line.send_str(words)
    await line.line.send_str('{"type": "events_api", "envelope_id": "e2", "payload": 7}')
    await desk.until(lambda: desk.health.counts["socket.garbled"])
    await ada.say("dm", "hello")
    await desk.until(lambda: desk.heard)

    assert slack.socket.opened == 1


async def test_the_app_is_kept_awake(desk: Desk, slack: LocalSlack) -> None:
    def asked() -> int:
        return len([call for call in slack.workspace.calls if call.method == "auth.test"])

    await desk.until(lambda: asked() >= 3)
