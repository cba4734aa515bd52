"""Forms open while the press is worked on, never go silent, and lose nothing that was typed."""

import json
from typing import Any

import pytest

from adapters.cards import Field, Form
from adapters.events import Feedback, FormSubmit, Press
from adapters.port import InvalidForm, Shown
from adapters.slack.address import SlackAddress
from adapters.slack.drawing.modals import FEEDBACK, FormPlace, form_view
from tests.adapters.slack.hearing import CHINESE, WORDS, Hearing
from tests.fakes.slack import interaction_payloads as interactions
from tests.fakes.slack.records import Json, View
from tests.fakes.slack.view_content import check_view

FORM = Form(
    "draft", "d1", "n1", "Draft", "File", "Not now", (Field("title", "Title", "Printer"), Field("what", "What"))
)
ADDRESS = SlackAddress(user="U1", team="T0HARBOUR", channel="C1", thread_ts="1.0")


@pytest.fixture
def hearing() -> Hearing:
    return Hearing()


def submitted(hearing: Hearing, callback_id: str = "form:draft", *, language: str = "en") -> Json:
    place = FormPlace("d1", "n1", ADDRESS.to_json(), "C1:1.1", language)
    content: Json = form_view(FORM, place).to_dict() | {"callback_id": callback_id}
    view = View("V1", "modal", hearing.ada.id, content, "h1", "V1")
    return interactions.view_submission(hearing.workspace, hearing.ada, view)


def shown(arguments: Any) -> str:
    """Return all words of a view, after a look at Slack's limits."""
    check_view(dict(arguments["view"]))
    return json.dumps(arguments["view"], ensure_ascii=False)


async def test_a_form_opens_light_and_is_filled(hearing: Hearing) -> None:
    hearing.inbox.receipt = Shown(FORM)
    body = hearing.pressed()

    response = await hearing.deliver(body)

    (opened,), (updated,) = hearing.calls.of("views.open"), hearing.calls.of("views.update")
    assert response.status == 200
    assert isinstance(hearing.inbox.only, Press)
    assert (opened["trigger_id"], updated["view_id"]) == (body["trigger_id"], "V1")
    assert WORDS.loading in shown(opened)
    assert "Printer" in shown(updated)
    place = FormPlace.of(updated["view"]["private_metadata"])
    assert (place.id, place.nonce, place.message) == ("d1", "n1", hearing.inbox.only.message)
    assert place.address == hearing.inbox.only.address


async def test_the_loading_view_speaks_the_persons_language(hearing: Hearing) -> None:
    hearing.languages[hearing.ada.id] = "zh"

    await hearing.deliver(hearing.pressed())

    assert CHINESE in shown(hearing.calls.of("views.open")[0])


async def test_a_press_that_ends_otherwise_says_where_to_look(hearing: Hearing) -> None:
    await hearing.deliver(hearing.pressed())

    assert WORDS.see_conversation in shown(hearing.calls.of("views.update")[0])


async def test_a_press_that_is_not_stored_says_so_in_the_view(hearing: Hearing) -> None:
    hearing.inbox.error = OSError("disk full")

    response = await hearing.deliver(hearing.pressed())

    assert response.status == 503
    assert WORDS.not_saved in shown(hearing.calls.of("views.update")[0])


async def test_a_view_that_does_not_open_leaves_a_word(hearing: Hearing) -> None:
    hearing.inbox.receipt = Shown(FORM)
    hearing.calls.away = {"views.open"}

    await hearing.deliver(hearing.pressed())

    (said,) = hearing.calls.of("chat.postEphemeral")
    assert (said["user"], said["text"]) == (hearing.ada.id, WORDS.press_again)
    assert hearing.calls.of("views.update") == []


async def test_other_presses_open_nothing(hearing: Hearing) -> None:
    await hearing.deliver(hearing.pressed("draft.confirm"))

    assert hearing.calls.made == []


async def test_a_sent_form_closes_once_it_is_stored(hearing: Hearing) -> None:
    response = await hearing.deliver(submitted(hearing))

    assert (response.status, response.body) == (200, "")
    assert isinstance(hearing.inbox.only, FormSubmit)


async def test_errors_stand_under_their_fields(hearing: Hearing) -> None:
    hearing.inbox.receipt = InvalidForm({"what": "Say what happened.", "gone": "And this."})

    response = await hearing.deliver(submitted(hearing))

    told = json.loads(response.body)
    assert told == {"response_action": "errors", "errors": {"what": "Say what happened.", "title": "And this."}}


async def test_a_form_may_be_answered_by_another(hearing: Hearing) -> None:
    hearing.inbox.receipt = Shown(FORM)

    told = json.loads((await hearing.deliver(submitted(hearing))).body)

    assert told["response_action"] == "update"
    assert "Printer" in shown(told)


@pytest.mark.parametrize(("language", "words"), [("en", WORDS.not_saved), ("zh", "未能保存")])
async def test_what_was_typed_is_not_lost_when_storing_fails(hearing: Hearing, language: str, words: str) -> None:
    hearing.inbox.error = OSError("disk full")

    response = await hearing.deliver(submitted(hearing, language=language))

    told = json.loads(response.body)
    assert (response.status, told) == (200, {"response_action": "errors", "errors": {"title": words}})


# Judgements


async def test_a_thumb_up_opens_nothing(hearing: Hearing) -> None:
    await hearing.deliver(hearing.rated("positive"))

    assert isinstance(hearing.inbox.only, Feedback)
    assert hearing.calls.made == []


async def test_a_thumb_down_asks_why_in_the_language_of_the_answer(hearing: Hearing) -> None:
    body = hearing.rated("negative")

    await hearing.deliver(body)

    (opened,) = hearing.calls.of("views.open")
    assert opened["trigger_id"] == body["trigger_id"]
    assert WORDS.reason_label in shown(opened)
    place = FormPlace.of(opened["view"]["private_metadata"])
    assert (place.id, place.language) == ("r1", "zh")


async def test_the_reason_is_stored_under_the_same_rating(hearing: Hearing) -> None:
    await hearing.deliver(hearing.rated("negative"))
    await hearing.deliver(submitted(hearing, FEEDBACK))

    thumb, reason = hearing.inbox.events
    assert isinstance(thumb, Feedback)
    assert isinstance(reason, Feedback)
    assert (thumb.reason, reason.reason) == (None, "")
    assert thumb.event_id != reason.event_id
