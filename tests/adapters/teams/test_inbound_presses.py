"""What people press and send becomes an event that names an action; who acts is never taken from the card."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.cards import Field, Form
from adapters.events import Event, Feedback, FormSubmit, Message, Press
from adapters.teams.address import TeamsAddress, reference
from adapters.teams.drawing.forms import form_card
from adapters.teams.inbound.activities import Malformed, read
from adapters.teams.inbound.events import NotOurs
from adapters.teams.inbound.origin import TeamsIgnored
from adapters.teams.inbound.presses import FormClosed
from tests.adapters.teams.hearing import (
    ADA,
    CARD,
    CONVERSATIONS,
    DESK,
    TENANT,
    Json,
    Place,
    activity,
    desk,
    executed,
    invoke,
    judged,
    press,
    said,
    understood,
)
from tests.adapters.teams.test_activities import JSON

FORM = Form(
    form="draft",
    id="d1",
    nonce="n1",
    title="Your ticket",
    submit="Save",
    cancel="Cancel",
    fields=(Field("title", "Title", "Printer"), Field("body", "Text", kind="paragraph")),
)
INVOKES = ("adaptiveCard/action", "task/fetch", "task/submit", "message/submitAction")


def carried(form: Form = FORM, /, **inputs: str) -> Json:
    """Return what a form sends back: the data of its button, and its inputs."""
    return {**_data(form_card(form, mode="cards", message=reference("a:1chat", CARD))), **inputs}


def _data(card: Any) -> Json:
    if isinstance(card, dict):
        if isinstance(card.get("data"), dict) and "desk" in card["data"]:
            return dict(card["data"])
        card = list(card.values())
    found = [_data(each) for each in card] if isinstance(card, list) else []
    return next((each for each in found if each), {})


def every_way(data: Any, place: Place = "chat") -> list[Json]:
    """Return the activities by which a card's data can arrive."""
    return [
        executed(data, place),
        invoke("task/fetch", {"data": data, "context": {"theme": "default"}}, place),
        invoke("task/submit", {"data": data, "context": {"theme": "default"}}, place),
        activity("message", place, value=data, replyToId=CARD),
    ]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("place", ["chat", "group", "channel"])
def test_a_press_is_the_same_however_it_arrives(number: int, place: Place) -> None:
    body = every_way(press(), place)[number]

    heard = understood(body)

    conversation = CONVERSATIONS[place]["id"]
    assert isinstance(heard, Press)
    assert (heard.action, heard.id, heard.nonce) == ("draft.confirm", "d1", "n1")
    assert heard.message == reference(conversation, CARD)
    assert heard.private is (place == "chat")
    assert heard.thread == f"teams:{conversation}"
    assert heard.event_id == f"{conversation}:{body['id']}"
    assert TeamsAddress.of(heard.address).activity == CARD
    assert (heard.account.user, heard.account.tenant, heard.account.kind) == ("aaaa-0001", TENANT, "member")


@pytest.mark.parametrize("number", range(4))
def test_a_suggestion_is_said_unseen(number: int) -> None:
    heard = understood(every_way(desk("say", text="my tickets"), "channel")[number])

    assert isinstance(heard, Message)
    assert (heard.text, heard.addressed, heard.unseen, heard.private) == ("my tickets", True, True, False)


@pytest.mark.parametrize("number", range(4))
def test_a_form_comes_back_with_what_was_typed(number: int) -> None:
    heard = understood(every_way(carried(title="Printer on fire", body="Really."))[number])

    assert isinstance(heard, FormSubmit)
    assert (heard.form, heard.id, heard.nonce) == ("draft", "d1", "n1")
    assert heard.values == {"title": "Printer on fire", "body": "Really."}
    assert heard.message == reference("a:1chat", CARD)


def test_a_form_whose_message_nobody_names_carries_it_within_its_conversation() -> None:
    carries = invoke("task/submit", {"data": carried()}, replyToId=None)
    elsewhere = invoke("task/submit", {"data": carried()}, "group", replyToId=None)

    heard = [understood(body) for body in (carries, elsewhere)]

    assert [each.message for each in heard if isinstance(each, FormSubmit)] == [reference("a:1chat", CARD), None]


def test_a_form_that_is_cancelled_makes_room() -> None:
    assert understood(executed(desk("cancel", message="m"), locale="zh-CN")) == FormClosed("zh")


def test_a_card_that_nobody_names_is_none() -> None:
    heard = understood(executed(press(), replyToId=None))

    assert isinstance(heard, Press)
    assert heard.message is None


def test_words_beside_a_value_are_words() -> None:
    heard = understood(said("hello", value=press()))

    assert isinstance(heard, Message)
    assert (heard.text, heard.unseen) == ("hello", False)


@pytest.mark.parametrize(
    "data",
    [
        {}, {"desk": "press"}, {"desk": []}, desk("fly"), desk("press"), desk("press", action=5), desk("say", text=" "),
        desk("form"), desk("form", form="x"), desk("form", form={"fields": 5}), {"x": 1}, [1], "press", None, 5,
    ],
)  # fmt: skip
def test_what_no_card_of_ours_carries_is_dropped(data: Any) -> None:
    assert [understood(body) for body in every_way(data)[:3]] == [TeamsIgnored("unknown")] * 3


def test_a_value_of_another_app_is_dropped() -> None:
    assert understood(activity("message", value={"x": 1})) == TeamsIgnored("unknown")


@pytest.mark.parametrize("sender", [DESK, ADA | {"role": "bot"}, {"id": "28:other"}])
def test_bots_press_nothing(sender: Json) -> None:
    heard = [understood(body | {"from": sender}) for body in every_way(press())]
    assert {type(each) for each in heard} == {TeamsIgnored}


@pytest.mark.parametrize("name", ["composeExtension/query", "fileConsent/invoke", "signin/verifyState", ""])
def test_other_invokes_are_not_ours(name: str) -> None:
    assert understood(invoke(name, press())) == NotOurs()


# Thumbs


@pytest.mark.parametrize(("reaction", "verdict"), [("like", "up"), ("dislike", "down")])
def test_a_thumb_names_the_message_that_was_judged(reaction: str, verdict: str) -> None:
    body = judged(reaction)

    heard = understood(body)

    assert isinstance(heard, Feedback)
    assert (heard.id, heard.verdict, heard.reason) == ("", verdict, None)
    assert heard.message == reference("a:1chat", CARD)
    assert heard.event_id == f"a:1chat:{body['id']}"


def test_a_thumb_whose_message_nobody_names_is_a_thumb() -> None:
    heard = understood(judged(replyToId=None, channelData=None))

    assert isinstance(heard, Feedback)
    assert (heard.message, heard.account.tenant) == (None, TENANT)


@pytest.mark.parametrize(
    ("feedback", "reason"),
    [
        ('{"feedbackText":"wrong page "}', "wrong page"), ("wrong page", "wrong page"), ("[1]", "[1]"), ("5", "5"),
        ({"feedbackText": "wrong page"}, "wrong page"), ('{"feedbackText":""}', None), ("", None), (None, None),
        ("{}", None), (["x"], None), ("{" * 50_000, "{" * 50_000), ("[" * 50_000, "[" * 50_000),
    ],
)  # fmt: skip
def test_a_reason_is_read_however_it_is_written(feedback: Any, reason: str | None) -> None:
    heard = understood(judged("dislike", feedback))

    assert isinstance(heard, Feedback)
    assert heard.reason == reason


@pytest.mark.parametrize("value", [{}, {"actionName": "feedback"}, {"actionName": "x", "actionValue": {}}, [], None])
def test_another_judgement_is_dropped(value: Any) -> None:
    assert understood(invoke("message/submitAction", value)) == TeamsIgnored("unknown")


def test_a_verdict_that_is_none_is_dropped() -> None:
    assert understood(judged("love")) == TeamsIgnored("unknown")


# Forged

FORGED_IDENTITY = {
    "from": {"id": "29:root", "aadObjectId": "root"},
    "account": {"tenant": "evil", "user": "root", "kind": "member"},
    "user": "root",
    "tenant": "evil",
    "channelData": {"tenant": {"id": "evil"}},
    "address": {"service_url": "https://evil.example", "user": "29:root"},
    "serviceUrl": "https://evil.example",
    "conversation": {"id": "19:evil"},
    "recipient": {"id": "29:root"},
}


def heard_event(body: Json) -> Event | None:
    try:
        heard = understood(json.loads(json.dumps(body)))
    except Malformed:
        return None
    return heard if isinstance(heard, Event) else None


@given(st.dictionaries(st.sampled_from(["desk", "title", "action", "data", *FORGED_IDENTITY]), JSON), st.integers(0, 3))
def test_no_data_raises_and_none_says_who_acts(data: Json, number: int) -> None:
    heard = heard_event(every_way(data | FORGED_IDENTITY, "group")[number])

    if heard is not None:
        assert vars(heard.account) == vars(honest().account)
        assert {**heard.address, "activity": ""} == {**honest().address, "activity": ""}
        assert heard.thread == honest().thread


@given(JSON, st.sampled_from(["press", "say", "form"]), st.integers(0, 3))
def test_no_shape_under_our_name_raises(inner: Any, do: str, number: int) -> None:
    data = {"desk": {"do": do, "action": inner, "id": inner, "nonce": inner, "text": inner, "form": inner}}
    heard = heard_event(every_way(data | FORGED_IDENTITY, "group")[number])

    assert heard is None or heard.account == honest().account


@given(st.sampled_from(INVOKES), JSON)
def test_no_value_raises(name: str, value: Any) -> None:
    heard = heard_event(invoke(name, value, "group"))

    assert heard is None or heard.account == honest().account


def honest() -> Press:
    heard = understood(executed(press(), "group"))
    assert isinstance(heard, Press)
    return heard


def test_what_is_no_text_is_taken_out_of_a_forged_press() -> None:
    heard = understood(executed(desk("press", action="draft.confirm", id="d\x001", nonce="n\ud8001")))

    assert isinstance(heard, Press)
    assert (heard.id, heard.nonce) == ("d1", "n1")


def test_a_nest_in_place_of_a_value_is_dropped() -> None:
    nest: Any = "x"
    for _ in range(5_000):
        nest = [nest]

    assert understood(executed(carried() | {"title": nest})) == TeamsIgnored("unknown")


def test_values_that_are_no_text_are_cleaned() -> None:
    heard = understood(executed(carried(title="a\x00b\ud800")))

    assert isinstance(heard, FormSubmit)
    assert heard.values["title"] == "ab"
    assert read(executed(carried())).value
