"""What the browser chat's doors take, refuse, and hand in."""

from collections.abc import Mapping
from typing import Any

import pytest

from adapters.cards import Field, Form
from adapters.events import Feedback, FormSubmit, Message, Press
from adapters.port import InvalidForm, Shown
from tests.adapters.web_desk import EVENT, THREAD, StoreDown, WebDesk, card, place

SAID = {"text": "The printer jams"}
PRESS = {"action": "draft.confirm", "id": "d1", "nonce": "n1", "message": "m1"}
FORM = {"form": "draft.fields", "id": "d1", "nonce": "n1", "values": {"title": " Printer "}}
FEEDBACK = {"id": "run_1", "verdict": "down", "reason": "outdated"}
DOORS: Mapping[str, Mapping[str, Any]] = {"messages": SAID, "press": PRESS, "forms": FORM, "feedback": FEEDBACK}


async def test_a_message_is_shown_and_handed_in_under_its_person() -> None:
    desk = WebDesk()
    answer = await desk.post("messages", SAID)

    [event] = desk.heard
    [entry] = await desk.chat.transcript.recent(place())
    assert answer.status_code == 202
    assert isinstance(event, Message)
    assert (event.text, event.thread, event.event_id) == ("The printer jams", "web:ada/thread-0001", f"ada:{EVENT}")
    assert event.address == {"platform": "web", "user": "ada", "thread": THREAD, "asked": f"person:{EVENT}"}
    assert (entry.author, entry.content, entry.key) == ("person", "The printer jams", f"person:{EVENT}")


async def test_a_resent_message_is_shown_once() -> None:
    desk = WebDesk()
    for _ in range(3):
        await desk.post("messages", SAID)

    assert len(await desk.chat.transcript.recent(place())) == 1
    assert {event.event_id for event in desk.heard} == {f"ada:{EVENT}"}


async def test_press_form_and_feedback_are_handed_in_whole() -> None:
    desk = WebDesk()
    for door in ("press", "forms", "feedback"):
        assert (await desk.post(door, DOORS[door])).status_code == 202

    press, form, feedback = desk.heard
    assert isinstance(press, Press)
    assert (press.action, press.id, press.nonce, press.message) == ("draft.confirm", "d1", "n1", "m1")
    assert isinstance(form, FormSubmit)
    assert form.values == {"title": "Printer"}
    assert isinstance(feedback, Feedback)
    assert (feedback.verdict, feedback.reason) == ("down", "outdated")


async def test_a_press_may_be_answered_by_a_form_and_a_form_by_errors() -> None:
    desk = WebDesk()
    desk.receipt = Shown(Form("f", "1", "n", "Finish <it>", "Send", "Close", (Field("title", "Title"),)))
    shown = (await desk.post("press", PRESS)).json()
    desk.receipt = InvalidForm({"title": "Please fill this in."})
    invalid = await desk.post("forms", FORM)

    assert shown["receipt"] == "form"
    assert "Finish &lt;it&gt;" in shown["html"]
    assert invalid.status_code == 422
    assert invalid.json()["errors"] == {"title": "Please fill this in."}


@pytest.mark.parametrize("door", DOORS)
async def test_nobody_signed_in_hands_nothing_in(door: str) -> None:
    desk = WebDesk()
    answer = await desk.post(door, DOORS[door], who="")

    assert (answer.status_code, answer.json()["error"]) == (401, "signed_out")
    assert desk.heard == []


@pytest.mark.parametrize("door", DOORS)
async def test_what_was_not_stored_is_not_acknowledged(door: str) -> None:
    desk = WebDesk(broken=StoreDown("away"))
    answer = await desk.post(door, DOORS[door])

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "3")
    assert answer.json()["message"] == "unavailable"


async def test_an_unforeseen_error_is_no_acknowledgement_either() -> None:
    desk = WebDesk(broken=RuntimeError("a bug"))
    answer = await desk.post("messages", SAID)

    assert (answer.status_code, answer.json()["error"]) == (503, "unavailable")
    assert "bug" not in answer.text


async def test_after_a_failure_the_same_message_goes_through_and_is_shown_once() -> None:
    desk = WebDesk(broken=StoreDown("away"))
    await desk.post("messages", SAID)
    desk.broken = None
    answer = await desk.post("messages", SAID)

    assert answer.status_code == 202
    assert len(desk.heard) == len(await desk.chat.transcript.recent(place())) == 1


async def test_whoever_sends_too_much_is_told_when_to_come_back() -> None:
    desk = WebDesk(wait_s=11.2)
    answer = await desk.post("messages", SAID)

    assert (answer.status_code, answer.headers["retry-after"]) == (429, "12")
    assert desk.heard == []
    assert await desk.chat.transcript.recent(place()) == ()


@pytest.mark.parametrize(
    "body",
    [
        {"text": ""},
        {"text": "   "},
        {"text": 7},
        {},
        {"text": "x", "user": "ben"},
        {"text": "x", "thread": "../ben/thread"},
        {"text": "x", "thread": "home"},
        {"text": "x", "thread": "thread-0001\n"},
        {"text": "x", "event_id": "short"},
        {"text": "x", "event_id": "with spaces 123"},
        {"text": "x" * 8_001},
    ],
)
async def test_a_body_of_another_shape_is_refused(body: dict[str, object]) -> None:
    desk = WebDesk()
    answer = await desk.post("messages", body)

    assert (answer.status_code, answer.json()["error"]) == (400, "malformed")
    assert desk.heard == []


async def test_a_body_that_is_too_long_is_refused_before_it_is_read() -> None:
    desk = WebDesk()
    answer = await desk.post("messages", {"text": "x" * 70_000})

    assert (answer.status_code, answer.json()["error"]) == (413, "too_large")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_only_json_is_taken_so_that_no_foreign_form_can_post(kind: str) -> None:
    desk = WebDesk()
    body = f'{{"event_id": "{EVENT}", "thread": "{THREAD}", "text": "x"}}'
    async with desk.client() as client:
        answer = await client.post("/messages", content=body, headers={"content-type": kind})

    assert answer.status_code == 400
    assert desk.heard == []


async def test_two_people_with_the_same_thread_and_event_ids_never_meet() -> None:
    desk = WebDesk()
    await desk.post("messages", {"text": "Ada's secret"})
    await desk.post("messages", {"text": "Ben's"}, who="ben")

    assert [entry.content for entry in await desk.chat.transcript.recent(place("ben"))] == ["Ben's"]
    assert len({(event.event_id, event.thread) for event in desk.heard}) == 2


async def test_the_list_of_conversations_holds_ones_own_only() -> None:
    desk = WebDesk()
    await desk.post("messages", {"text": "The printer\n jams"})
    await desk.chat.publish_home({"platform": "web", "user": "ada"}, card("Home"))
    async with desk.client() as ada, desk.client("ben") as ben:
        mine = (await ada.get("/threads")).json()["threads"]
        others = (await ben.get("/threads")).json()["threads"]

    assert [(each["thread"], each["title"]) for each in mine] == [(THREAD, "The printer jams")]
    assert others == []


@pytest.mark.parametrize(
    "query", ["", "?thread=x", "?thread=../../etc", f"?thread={THREAD}&after=-1", f"?thread={THREAD}&after=x"]
)
async def test_a_stream_of_no_place_is_refused(query: str) -> None:
    async with WebDesk().client() as client:
        assert (await client.get(f"/events{query}")).status_code == 400


async def test_nobody_signed_in_reads_no_stream() -> None:
    async with WebDesk().client("") as client:
        assert (await client.get(f"/events?thread={THREAD}")).status_code == 401
