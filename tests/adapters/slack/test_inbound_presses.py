"""What people press in Slack becomes a press, a message or a judgement of the desk."""

from typing import Any

import pytest

from adapters.cards import Button, Link, Rating
from adapters.events import Feedback, Message, Press
from adapters.slack.address import SlackAddress, reference
from adapters.slack.drawing.elements import button, rating, suggestion
from adapters.slack.inbound.origin import SlackIgnored
from tests.adapters.slack.hearing import Hearing
from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.records import Json, View, ViewKind
from tests.fakes.slack.records import Message as Said

CONFIRM = Button(label="Confirm", action="draft.confirm", id="d1", nonce="n1")


@pytest.fixture
def hearing() -> Hearing:
    hearing = Hearing()
    hearing.installation.learn(team=hearing.workspace.team.id, bot_user=hearing.workspace.bot.id)
    return hearing


def element(item: Button | Link = CONFIRM) -> Json:
    made = button(item, 1)
    assert made is not None
    return dict(made.to_dict())


def pressed(hearing: Hearing, on: Said, made: Json, *, block_id: str = "b", **value: Any) -> Json:
    action = interactions.action_body(made, block_id=block_id, value=value, action_ts="1.5")
    return interactions.message_action(hearing.workspace, hearing.ada, on, action=action, values={})


def card(hearing: Hearing, **fields: Any) -> Said:
    known: Json = {"user": hearing.workspace.bot, "channel": hearing.general}
    return hearing.said("a card", **(known | fields))


def test_a_button_of_a_card_is_a_press_in_its_thread(hearing: Hearing) -> None:
    root = hearing.said("hello")
    on = card(hearing, thread_ts=root.ts)
    body = pressed(hearing, on, element())

    press = hearing.heard(body)

    assert isinstance(press, Press)
    assert (press.action, press.id, press.nonce) == ("draft.confirm", "d1", "n1")
    assert press.message == reference(on.channel, on.ts)
    assert press.event_id == body["trigger_id"]
    assert press.thread == f"slack:{hearing.workspace.team.id}:{on.channel}:{root.ts}"
    assert press.private is False
    assert SlackAddress.of(press.address).message_ts == on.ts
    assert (press.account.user, press.account.kind) == (hearing.ada.id, "member")


def test_a_card_without_a_thread_is_the_root(hearing: Hearing) -> None:
    on = card(hearing, channel=hearing.dm)

    press = hearing.heard(pressed(hearing, on, element()))

    assert isinstance(press, Press)
    assert (press.thread.rpartition(":")[2], press.private) == (on.ts, True)


def test_without_a_trigger_the_time_of_the_press_names_it(hearing: Hearing) -> None:
    body = pressed(hearing, card(hearing), element())
    del body["trigger_id"]

    press = hearing.heard(body)

    assert isinstance(press, Press)
    assert press.event_id == f"1.5:{hearing.ada.id}"


def test_a_suggestion_is_said_by_the_presser(hearing: Hearing) -> None:
    made = dict(suggestion("How do I reset my password?", 1).to_dict())

    message = hearing.heard(pressed(hearing, card(hearing), made))

    assert isinstance(message, Message)
    assert (message.text, message.addressed, message.private) == ("How do I reset my password?", True, False)
    assert message.unseen


@pytest.mark.parametrize(("pushed", "verdict"), [("positive_button", "up"), ("negative_button", "down")])
@pytest.mark.parametrize("thumbs", [True, False])
def test_thumbs_are_a_judgement(hearing: Hearing, pushed: str, verdict: str, thumbs: bool) -> None:
    block = rating(Rating("r1", "Good", "Bad", "Why?", "Thanks"), 1, language="zh", thumbs=thumbs)
    assert block is not None
    shown = block.to_dict()
    if thumbs:
        made, value = shown["elements"][0], {"value": shown["elements"][0][pushed]["value"]}
    else:
        made, value = shown["elements"][pushed == "negative_button"], {}

    judged = hearing.heard(pressed(hearing, card(hearing), made, block_id=shown["block_id"], **value))

    assert isinstance(judged, Feedback)
    assert (judged.id, judged.verdict, judged.reason) == ("r1", verdict, None)


def test_a_link_is_the_browsers(hearing: Hearing) -> None:
    body = pressed(hearing, card(hearing), element(Link("Open", "https://desk.example.com/t/1")))

    assert hearing.heard(body) == SlackIgnored("link")


def test_a_menu_is_no_press(hearing: Hearing) -> None:
    body = pressed(hearing, card(hearing), {"type": "static_select", "action_id": "value"})

    assert hearing.heard(body) == SlackIgnored("input")


@pytest.mark.parametrize("value", ["", "no json", "[]", '{"id": 1}', '{"id": "d1"}', "null"])
def test_a_button_of_others_is_left_alone(hearing: Hearing, value: str) -> None:
    body = pressed(hearing, card(hearing), element() | {"value": value})

    assert hearing.heard(body) == SlackIgnored("unknown")


def test_a_press_without_actions_is_left_alone(hearing: Hearing) -> None:
    body = pressed(hearing, card(hearing), element()) | {"actions": []}

    assert hearing.heard(body) == SlackIgnored("input")


def test_an_ephemeral_card_of_a_command_is_answered_like_the_command(hearing: Hearing) -> None:
    on = card(hearing, ephemeral_to=hearing.ada.id)

    press = hearing.heard(pressed(hearing, on, element()))

    assert isinstance(press, Press)
    assert (press.message, press.private) == (None, True)
    address = SlackAddress.of(press.address)
    assert (address.kind, address.channel, address.thread_ts) == ("command", on.channel, "")


def test_an_ephemeral_card_in_a_thread_stays_in_it(hearing: Hearing) -> None:
    root = hearing.said("hello")
    on = card(hearing, ephemeral_to=hearing.ada.id, thread_ts=root.ts)

    press = hearing.heard(pressed(hearing, on, element()))

    assert isinstance(press, Press)
    assert (press.message, press.thread.rpartition(":")[2]) == (None, root.ts)


def view(hearing: Hearing, kind: ViewKind) -> View:
    return View("V1", kind, hearing.ada.id, {"blocks": []}, "h1", "V1")


def in_view(hearing: Hearing, kind: ViewKind) -> Json:
    action = interactions.action_body(element(), block_id="b", value={}, action_ts="1.5")
    return interactions.view_action(hearing.workspace, hearing.ada, view(hearing, kind), action=action)


def test_a_button_of_the_home_belongs_to_the_home(hearing: Hearing) -> None:
    press = hearing.heard(in_view(hearing, "home"))

    assert isinstance(press, Press)
    assert (press.message, press.private) == (None, True)
    assert press.thread == f"slack:{hearing.workspace.team.id}:home:{hearing.ada.id}"
    assert SlackAddress.of(press.address).kind == "home"


def test_a_button_in_a_modal_is_left_alone(hearing: Hearing) -> None:
    assert hearing.heard(in_view(hearing, "modal")) == SlackIgnored("unknown")


def test_a_presser_from_another_company_is_external(hearing: Hearing) -> None:
    body = pressed(hearing, card(hearing), element())
    body["user"]["team_id"] = "T0PARTNER"

    press = hearing.heard(body)

    assert isinstance(press, Press)
    assert (press.account.kind, press.account.tenant) == ("external", "T0PARTNER")
    assert SlackAddress.of(press.address).team == hearing.workspace.team.id


def test_an_installation_across_an_organisation_has_no_team_in_the_payload(hearing: Hearing) -> None:
    hearing.installation.enterprise = "E1"
    body = pressed(hearing, card(hearing), element()) | {"team": None, "enterprise": {"id": "E1"}}

    press = hearing.heard(body)

    assert isinstance(press, Press)
    assert (press.account.tenant, press.account.kind) == ("E1/T0HARBOUR", "member")


def test_before_anything_is_learned_the_payload_names_the_workspace() -> None:
    hearing = Hearing()

    press = hearing.heard(pressed(hearing, card(hearing), element()))

    assert isinstance(press, Press)
    assert SlackAddress.of(press.address).team == hearing.workspace.team.id
    assert hearing.installation.team == ""


# The shortcut


def shortcut(hearing: Hearing, callback_id: str = "ticket_from_message") -> Json:
    said = hearing.said("the <https://p.example|printer> is broken", user=hearing.ben)
    return interactions.message_shortcut(hearing.workspace, hearing.ada, said, callback_id=callback_id)


def test_the_shortcut_drafts_in_the_persons_direct_message(hearing: Hearing) -> None:
    body = shortcut(hearing)

    press = hearing.heard(body)

    assert isinstance(press, Press)
    assert (press.action, press.text) == ("draft.from_message", "the printer (https://p.example) is broken")
    assert press.id == reference(body["channel"]["id"], body["message_ts"])
    assert (press.private, press.message, press.event_id) == (True, None, body["trigger_id"])
    address = SlackAddress.of(press.address)
    assert (address.kind, address.channel, address.user) == ("dm", "", hearing.ada.id)


def test_a_shortcut_of_others_is_left_alone(hearing: Hearing) -> None:
    assert hearing.heard(shortcut(hearing, "somebody_elses")) == SlackIgnored("unknown")
