"""Nothing is acknowledged before it is stored, and nothing that Slack sends is answered with 404."""

import json
import logging

import pytest

from adapters.events import Message
from adapters.slack.inbound.events import EVENTS
from tests.adapters.slack.hearing import Hearing
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.records import Json


@pytest.fixture
def hearing() -> Hearing:
    return Hearing()


# Stored, then acknowledged


async def test_an_event_is_stored_once_and_acknowledged(hearing: Hearing) -> None:
    response = await hearing.deliver(hearing.told(hearing.said("hello", channel=hearing.dm)))

    assert (response.status, response.body) == (200, "")
    assert isinstance(hearing.inbox.only, Message)
    assert hearing.calls.made == []


async def test_a_command_is_acknowledged_without_words(hearing: Hearing) -> None:
    body = interactions.command(hearing.workspace, hearing.ada, hearing.general, name="/desk", text="help")

    response = await hearing.deliver(body)

    assert (response.status, response.body) == (200, "")
    assert isinstance(hearing.inbox.only, Message)


@pytest.mark.parametrize("error", [OSError("disk full"), RuntimeError("a mistake")])
async def test_what_is_not_stored_is_refused_with_503(hearing: Hearing, error: Exception) -> None:
    hearing.inbox.error = error
    said = hearing.told(hearing.said("hello", channel=hearing.dm))
    command = interactions.command(hearing.workspace, hearing.ada, hearing.dm, name="/desk", text="help")

    for body in (said, command, hearing.pressed("draft.confirm"), hearing.rated("negative")):
        response = await hearing.deliver(body)
        assert response.status == 503
        assert "x-slack-no-retry" not in response.headers
    assert hearing.calls.made == []


async def test_a_full_disk_is_one_alarm_and_its_end_is_told(hearing: Hearing, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "adapters")
    hearing.inbox.error = OSError("disk full")
    for _ in range(3):
        await hearing.deliver(hearing.told(hearing.said("hello", channel=hearing.dm)))
    hearing.inbox.error = None
    await hearing.deliver(hearing.told(hearing.said("hello", channel=hearing.dm)))

    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]


async def test_channel_talk_is_acknowledged_and_handed_on_as_overheard(hearing: Hearing) -> None:
    response = await hearing.deliver(hearing.told(hearing.said("lunch?")))

    assert response.status == 200
    (heard,) = hearing.inbox.events
    assert isinstance(heard, Message)
    assert (heard.overheard, heard.addressed) == (True, False)  # the inbox drops it where nobody has it listen


# Nothing meets a missing listener

STRANGE: dict[str, Json] = {
    "an event nobody subscribed to": {"type": "event_callback", "event": {"type": "reaction_added"}, "event_id": "E"},
    "a global shortcut": {"type": "shortcut", "callback_id": "x", "user": {"id": "U1"}, "trigger_id": "1"},
    "a message shortcut": {"type": "message_action", "callback_id": "x", "user": {"id": "U1"}, "trigger_id": "1"},
    "a button": {"type": "block_actions", "actions": [{"type": "button", "action_id": "x"}], "user": {"id": "U1"}},
    "a menu": {"type": "block_suggestion", "action_id": "x", "block_id": "b", "value": "", "user": {"id": "U1"}},
    "an old button": {"type": "interactive_message", "callback_id": "x", "actions": [{}], "user": {"id": "U1"}},
    "a dialog": {"type": "dialog_submission", "callback_id": "x", "submission": {}, "user": {"id": "U1"}},
    "a view": {"type": "view_submission", "view": {"callback_id": "x", "type": "modal"}, "user": {"id": "U1"}},
    "a closed view": {"type": "view_closed", "view": {"callback_id": "x"}, "is_cleared": False, "user": {"id": "U1"}},
    "a workflow step": {"type": "workflow_step_edit", "callback_id": "x", "workflow_step": {}, "user": {"id": "U1"}},
    "a check of the certificate": {"ssl_check": "1", "token": "x"},
    "something new": {"type": "something_new", "user": {"id": "U1"}},
}


@pytest.mark.parametrize("body", STRANGE.values(), ids=STRANGE)
async def test_nothing_is_answered_with_404(hearing: Hearing, body: Json) -> None:
    response = await hearing.deliver(body)

    assert (response.status, response.body) == (200, "")
    assert hearing.inbox.events == []


@pytest.mark.parametrize("event", EVENTS)
async def test_every_subscribed_event_is_acknowledged(hearing: Hearing, event: str) -> None:
    response = await hearing.deliver(hearing.told_of({"type": event, "user": hearing.ada.id, "event_ts": "1.0"}))

    assert response.status == 200


async def test_slack_may_prove_that_the_address_is_ours(hearing: Hearing) -> None:
    response = await hearing.deliver(events.url_verification("3eZbrw1aB"))

    assert (response.status, json.loads(response.body)) == (200, {"challenge": "3eZbrw1aB"})


# Alarms and prompts


async def test_a_removed_app_is_one_alarm(hearing: Hearing, caplog: pytest.LogCaptureFixture) -> None:
    for event in (events.tokens_revoked(hearing.workspace), events.app_uninstalled(hearing.workspace)):
        assert (await hearing.deliver(hearing.told_of(event))).status == 200

    assert len([record for record in caplog.records if record.levelname == "ERROR"]) == 1
    assert "revoked" in caplog.text


async def test_events_held_back_are_an_alarm(hearing: Hearing, caplog: pytest.LogCaptureFixture) -> None:
    response = await hearing.deliver(events.app_rate_limited(hearing.workspace))

    assert response.status == 200
    assert "held some" in caplog.text


async def test_somebody_new_in_a_channel_is_told_on(hearing: Hearing) -> None:
    event = events.member_joined_channel(hearing.workspace, hearing.ben, hearing.general)

    await hearing.deliver(hearing.told_of(event))

    assert (hearing.joined, hearing.inbox.events) == ([hearing.general.id], [])


async def test_prompts_are_put_into_the_messages_tab(hearing: Hearing) -> None:
    event = events.app_home_opened(hearing.workspace, hearing.ada, tab="messages", channel=hearing.dm, view=None)

    await hearing.deliver(hearing.told_of(event))

    (made,) = hearing.calls.of("assistant.threads.setSuggestedPrompts")
    assert made["channel_id"] == hearing.dm.id
    assert made["prompts"][0] == {"title": "Passwords", "message": "How do I reset my password?"}
    assert hearing.inbox.events == []


async def test_prompts_that_slack_refuses_break_nothing(hearing: Hearing) -> None:
    hearing.calls.away = {"assistant.threads.setSuggestedPrompts"}
    event = events.app_home_opened(hearing.workspace, hearing.ada, tab="messages", channel=hearing.dm, view=None)

    assert (await hearing.deliver(hearing.told_of(event))).status == 200
