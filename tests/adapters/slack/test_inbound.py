"""Homes, joins, forms and alarms, and what is known of the installation."""

from dataclasses import replace
from typing import Any

import pytest

from adapters.cards import Field, Form
from adapters.events import Feedback, FormSubmit, HomeOpened, Joined
from adapters.slack.address import SlackAddress
from adapters.slack.drawing.modals import FEEDBACK, FormPlace, form_view
from adapters.slack.inbound.events import PromptsWanted, ReadersChanged, SlackAlarm
from adapters.slack.inbound.origin import SlackIgnored
from tests.adapters.slack.hearing import Hearing
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.records import Json, View

ADDRESS = SlackAddress(user="U1", team="T0HARBOUR", channel="C1", thread_ts="1.0", message_ts="1.2")
PLACE = FormPlace("d1", "n1", ADDRESS.to_json(), "C1:1.1", "zh")
FORM = Form(
    "draft", "d1", "n1", "Draft", "File", "Not now", (Field("title", "Title", "Printer"), Field("what", "What"))
)


@pytest.fixture
def hearing() -> Hearing:
    return Hearing()


def test_an_opened_home_is_told(hearing: Hearing) -> None:
    event = events.app_home_opened(hearing.workspace, hearing.ada, tab="home", channel=hearing.dm, view=None)
    body = hearing.told_of(event)

    opened = hearing.heard(body)

    assert isinstance(opened, HomeOpened)
    assert (opened.event_id, opened.account.user) == (body["event_id"], hearing.ada.id)
    assert opened.thread == f"slack:{hearing.workspace.team.id}:home:{hearing.ada.id}"
    assert SlackAddress.of(opened.address).kind == "home"


def test_an_opened_messages_tab_wants_prompts(hearing: Hearing) -> None:
    event = events.app_home_opened(hearing.workspace, hearing.ada, tab="messages", channel=hearing.dm, view=None)

    assert hearing.heard(hearing.told_of(event)) == PromptsWanted(hearing.dm.id, hearing.ada.id)


def test_the_about_tab_is_left_alone(hearing: Hearing) -> None:
    event = events.app_home_opened(hearing.workspace, hearing.ada, tab="about", channel=hearing.dm, view=None)

    assert hearing.heard(hearing.told_of(event)) == SlackIgnored("unknown")


def test_the_desk_greets_where_it_is_invited(hearing: Hearing) -> None:
    bot = hearing.workspace.bot
    event = events.member_joined_channel(hearing.workspace, bot, hearing.general, inviter=hearing.ben)

    joined = hearing.heard(hearing.told_of(event))

    assert isinstance(joined, Joined)
    assert joined.account.user == hearing.ben.id
    assert SlackAddress.of(joined.address).channel == hearing.general.id


def test_who_reads_along_changes_when_somebody_joins(hearing: Hearing) -> None:
    person = events.member_joined_channel(hearing.workspace, hearing.ada, hearing.general, inviter=hearing.ben)
    alone = events.member_joined_channel(hearing.workspace, hearing.workspace.bot, hearing.general)

    assert hearing.heard(hearing.told_of(person)) == ReadersChanged(hearing.general.id)
    assert hearing.heard(hearing.told_of(alone)) == ReadersChanged(hearing.general.id)


def test_trouble_with_the_installation_is_an_alarm(hearing: Hearing) -> None:
    assert hearing.heard(hearing.told_of(events.app_uninstalled(hearing.workspace))) == SlackAlarm("uninstalled")
    assert hearing.heard(hearing.told_of(events.tokens_revoked(hearing.workspace))) == SlackAlarm("revoked")
    assert hearing.heard(events.app_rate_limited(hearing.workspace)) == SlackAlarm("held_back")


def test_a_persons_own_token_is_none_of_the_desks(hearing: Hearing) -> None:
    event = events.tokens_revoked(hearing.workspace) | {"tokens": {"oauth": [hearing.ada.id], "bot": []}}

    assert hearing.heard(hearing.told_of(event)) == SlackIgnored("unknown")


# Forms


def submitted(hearing: Hearing, **content: Any) -> Json:
    known: Json = form_view(FORM, PLACE).to_dict()
    view = View("V1", "modal", hearing.ada.id, known | content, "h1", "V1")
    return interactions.view_submission(hearing.workspace, hearing.ada, view)


def test_a_sent_form_comes_back_with_its_place(hearing: Hearing) -> None:
    sent = hearing.heard(submitted(hearing))

    assert isinstance(sent, FormSubmit)
    assert (sent.form, sent.id, sent.nonce, sent.message) == ("draft", "d1", "n1", "C1:1.1")
    assert dict(sent.values) == {"title": "Printer", "what": ""}
    assert (sent.event_id, sent.account.user) == ("V1:h1", hearing.ada.id)
    assert sent.address == ADDRESS.to_json()
    assert sent.thread == "slack:T0HARBOUR:C1:1.0"
    assert not sent.private


def test_a_form_from_a_direct_message_is_private(hearing: Hearing) -> None:
    alone = replace(PLACE, address=replace(ADDRESS, kind="dm").to_json())
    sent = hearing.heard(submitted(hearing, private_metadata=alone.to_metadata()))

    assert isinstance(sent, FormSubmit)
    assert sent.private


def test_a_sent_reason_belongs_to_its_rating(hearing: Hearing) -> None:
    state = {"values": {"reason": {"value": {"type": "plain_text_input", "value": "out of date"}}}}
    body = submitted(hearing, callback_id=FEEDBACK)
    body["view"]["state"] = state

    judged = hearing.heard(body)

    assert isinstance(judged, Feedback)
    assert (judged.id, judged.verdict, judged.reason) == ("d1", "down", "out of date")


@pytest.mark.parametrize("metadata", ["", "no json", "{}", '{"id": "d1"}', "[1]"])
def test_a_form_of_others_is_left_alone(hearing: Hearing, metadata: str) -> None:
    assert hearing.heard(submitted(hearing, private_metadata=metadata)) == SlackIgnored("unknown")


@pytest.mark.parametrize("callback_id", ["", "theirs", "notice"])
def test_a_view_that_is_no_form_is_left_alone(hearing: Hearing, callback_id: str) -> None:
    assert hearing.heard(submitted(hearing, callback_id=callback_id)) == SlackIgnored("unknown")


def test_a_closed_view_is_left_alone(hearing: Hearing) -> None:
    view = View("V1", "modal", hearing.ada.id, {"callback_id": "form:draft"}, "h1", "V1")
    body = interactions.view_closed(hearing.workspace, hearing.ada, view, cleared=True)

    assert hearing.heard(body) == SlackIgnored("unknown")


# The installation


def test_the_authorizations_of_an_event_tell_where_the_desk_is_installed(hearing: Hearing) -> None:
    body = hearing.told(hearing.said("hello"))
    body["authorizations"][0]["enterprise_id"] = "E1"

    hearing.heard(body)

    known = hearing.installation
    assert (known.team, known.enterprise, known.bot_user) == ("T0HARBOUR", "E1", hearing.workspace.bot.id)


def test_what_is_known_stays(hearing: Hearing) -> None:
    hearing.installation.learn(team="T0HARBOUR", bot_user="U0REAL", bot_id="B0REAL")

    hearing.heard(hearing.told(hearing.said("hello")))

    assert hearing.installation.bot_user == "U0REAL"


# Shapes that nobody promised


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"type": 3},
        {"type": "event_callback"},
        {"type": "event_callback", "event": None},
        {"type": "event_callback", "event": {"type": "message"}},
        {"type": "event_callback", "event": {"type": "message", "user": 7, "text": [], "ts": {}}},
        {"type": "event_callback", "event": {"type": "reaction_added", "user": "U1"}},
        {"type": "event_callback", "event": {"type": "message"}, "authorizations": "all"},
        {"type": "block_actions", "actions": "none", "user": "U1"},
        {"type": "block_actions", "actions": [None], "user": {"id": "U1"}},
        {"type": "view_submission", "view": [], "user": {}},
        {
            "type": "view_submission",
            "view": {"state": {"values": {"a": None}}, "private_metadata": PLACE.to_metadata()},
        },
        {"type": "message_action", "callback_id": "ticket_from_message", "user": None},
        {"type": "shortcut", "callback_id": "global"},
        {"type": "block_suggestion", "action_id": "x"},
        {"type": "interactive_message", "actions": []},
        {"command": "/desk"},
        {"command": 7},
    ],
)
def test_nothing_strange_is_handed_in_or_breaks(hearing: Hearing, body: Json) -> None:
    assert isinstance(hearing.heard(body), SlackIgnored)
