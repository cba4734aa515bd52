"""What the person who pressed sees at once: words, a form in the card's place, a dialog that opens, stays or closes."""

from dataclasses import replace
from typing import Any

import pytest

from adapters.cards import Field, Form
from adapters.events import Feedback, FormSubmit, Message, Press
from adapters.port import Accepted, InvalidForm, Receipt, Shown
from adapters.teams.address import reference
from adapters.teams.drawing.forms import form_card
from adapters.teams.inbound.activities import read
from adapters.teams.inbound.answers import InvokeAnswer
from adapters.teams.inbound.invokes import CARD, ERROR, MESSAGE, TITLE_MAX, Mode, answered, not_stored, not_understood
from adapters.teams.inbound.presses import data_of
from tests.adapters.teams.hearing import CARD as CARD_ID
from tests.adapters.teams.hearing import WORDS, Json, desk, executed, invoke, judged, press, understood
from tests.adapters.teams.test_inbound_presses import FORM, carried

OTHER = Form("other", "d2", "n2", "Another form", "Send", "Cancel", (Field("reason", "Reason"),))
ACTION, FETCH, SUBMIT = "adaptiveCard/action", "task/fetch", "task/submit"
TYPED = {"title": "", "body": "It has been on fire since Monday."}
INVALID = InvalidForm({"title": "A title is needed."})


def asked(name: str, data: Json) -> Json:
    return executed(data) if name == ACTION else invoke(name, {"data": data})


def answer(name: str, data: Json, receipt: Receipt) -> InvokeAnswer:
    body = asked(name, data)
    event = understood(body)
    assert isinstance(event, Message | Press | FormSubmit)
    return answered(name, event, receipt, data=data_of(read(body)), words=WORDS)


def card(form: Form, mode: Mode, **shown: Any) -> Json:
    """Return a form as it is drawn for whoever pressed the card."""
    return form_card(form, mode=mode, message=reference("a:1chat", CARD_ID), required=WORDS.required, **shown)


def in_place(answer: InvokeAnswer, kind: str = CARD) -> Any:
    """Return what stands in the card's place."""
    assert answer.status == 200
    assert answer.body is not None
    assert (answer.body["statusCode"], answer.body["type"]) == (200, kind)
    return answer.body["value"]


def dialog(answer: InvokeAnswer) -> Json:
    """Return the dialog that is open afterwards."""
    assert answer.status == 200
    assert answer.body is not None
    assert set(answer.body) == {"task"}
    return dict(answer.body["task"])


# Buttons in a card


@pytest.mark.parametrize("data", [press(), desk("say", text="my tickets")])
def test_a_press_that_was_stored_is_said_to_be_taken(data: Json) -> None:
    assert in_place(answer(ACTION, data, Accepted()), MESSAGE) == WORDS.taken


def test_a_press_can_be_answered_by_a_form_in_place() -> None:
    assert in_place(answer(ACTION, press(), Shown(FORM))) == card(FORM, "cards")


def test_a_press_that_is_answered_elsewhere_says_so() -> None:
    assert in_place(answer(ACTION, press(), INVALID), MESSAGE) == WORDS.see_conversation


def test_a_form_in_a_card_that_was_taken_makes_room() -> None:
    card = in_place(answer(ACTION, carried(**TYPED), Accepted()))

    assert [block["text"] for block in card["body"]] == [WORDS.form_taken]
    assert "actions" not in card


def test_a_form_in_a_card_comes_again_with_its_errors_and_what_was_typed() -> None:
    shown = in_place(answer(ACTION, carried(**TYPED), INVALID))

    assert shown == card(FORM, "cards", errors=INVALID.errors, values=TYPED)
    assert TYPED["body"] in str(shown)
    assert "A title is needed." in str(shown)


def test_a_form_in_a_card_can_be_followed_by_another() -> None:
    assert in_place(answer(ACTION, carried(**TYPED), Shown(OTHER))) == card(OTHER, "cards")


# Dialogs


@pytest.mark.parametrize(("name", "data"), [(FETCH, press()), (SUBMIT, carried(**TYPED))])
def test_a_dialog_opens_with_a_form(name: str, data: Json) -> None:
    task = dialog(answer(name, data, Shown(OTHER)))

    assert task["type"] == "continue"
    assert task["value"]["title"] == "Another form"
    assert {"width", "height"} <= set(task["value"])
    assert task["value"]["card"] == {"contentType": CARD, "content": card(OTHER, "dialogs")}


@pytest.mark.parametrize(("title", "shown"), [("a\nb" * 100, TITLE_MAX), ("", 1), ("好" * 300, TITLE_MAX)])
def test_a_dialog_has_a_title_of_one_line(title: str, shown: int) -> None:
    said = dialog(answer(FETCH, press(), Shown(replace(FORM, title=title))))["value"]["title"]

    assert "\n" not in said
    assert len(said) == shown


def test_a_dialog_stays_with_its_errors_and_what_was_typed() -> None:
    task = dialog(answer(SUBMIT, carried(**TYPED), INVALID))

    again = card(FORM, "dialogs", errors=INVALID.errors, values=TYPED)
    assert (task["type"], task["value"]["title"]) == ("continue", FORM.title)
    assert task["value"]["card"]["content"] == again
    assert TYPED["body"] in str(again)


def test_a_dialog_closes_when_its_form_was_taken() -> None:
    assert answer(SUBMIT, carried(**TYPED), Accepted()) == InvokeAnswer(200, {})


@pytest.mark.parametrize("receipt", [Accepted(), INVALID])
def test_a_dialog_that_has_no_form_says_where_the_reason_stands(receipt: Receipt) -> None:
    assert dialog(answer(FETCH, press(), receipt)) == {"type": "message", "value": WORDS.see_conversation}


# Thumbs


def test_a_thumb_is_taken_without_words() -> None:
    event = understood(judged())
    assert isinstance(event, Feedback)

    assert answered("message/submitAction", event, Accepted(), data={}, words=WORDS) == InvokeAnswer(200, {})


# Trouble


def test_a_press_that_was_not_stored_says_so_in_the_card() -> None:
    said = {"code": "ServiceUnavailable", "message": WORDS.not_saved}

    assert not_stored(ACTION, WORDS) == InvokeAnswer(200, {"statusCode": 503, "type": ERROR, "value": said})


def test_a_dialog_that_cannot_open_says_so() -> None:
    assert dialog(not_stored(FETCH, WORDS)) == {"type": "message", "value": WORDS.not_saved}


@pytest.mark.parametrize("name", [SUBMIT, "message/submitAction", ""])
def test_what_else_was_not_stored_is_refused(name: str) -> None:
    assert not_stored(name, WORDS) == InvokeAnswer(503)


def test_a_card_that_is_none_of_ours_is_refused() -> None:
    assert not_understood(SUBMIT) == InvokeAnswer(400)
    refused = not_understood(ACTION)
    assert refused.status == 200
    assert refused.body is not None
    assert (refused.body["statusCode"], refused.body["type"]) == (400, ERROR)
