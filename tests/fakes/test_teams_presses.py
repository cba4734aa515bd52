"""What people do with cards: presses that are answered at once, inputs, dialogs, thumbs, Stop."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from storage.clock import ScaledClock
from tests.fakes.not_shown import NotShown
from tests.fakes.teams.content import CARD
from tests.fakes.teams.dialog import TROUBLE, WHOLE
from tests.fakes.teams.local_teams import LocalTeams
from tests.fakes.teams.people import Person
from tests.fakes.teams.pressing import MESSAGE, UNREACHED
from tests.fakes.teams.records import Json, Message
from tests.fakes.teams_app import App, teams_with_app

PRESS, FETCH, SUBMIT, THUMBS = "adaptiveCard/action", "task/fetch", "task/submit", "message/submitAction"
TITLE: Json = {
    "type": "Input.Text", "id": "title", "label": "Title", "isRequired": True, "errorMessage": "Say what it is",
    "value": "VPN", "maxLength": 20,
}  # fmt: skip
PRIORITY: Json = {
    "type": "Input.ChoiceSet",
    "id": "priority",
    "label": "Priority",
    "choices": [{"title": "High", "value": "p1"}, {"title": "Low", "value": "p3"}],
}
HOURS: Json = {"type": "Input.Number", "id": "hours", "label": "Hours", "min": 1, "max": 8, "errorMessage": "1 to 8"}


def card(*parts: Json, actions: tuple[Json, ...] = ()) -> Json:
    return {"type": "AdaptiveCard", "version": "1.5", "body": list(parts), "actions": list(actions)}


def execute(title: str = "Confirm", **data: object) -> Json:
    return {"type": "Action.Execute", "title": title, "verb": "press", "data": {"do": "press"} | data}


def words(text: str, **more: object) -> Json:
    return {"type": "TextBlock", "text": text} | more


FORM = card(TITLE, PRIORITY, HOURS, actions=({"type": "Action.Submit", "title": "Send", "data": {"draft": 7}},))
OPENER: Json = {"type": "Action.Submit", "title": "Edit", "data": {"msteams": {"type": "task/fetch"}, "draft": 7}}


def opened(form: Json = FORM, **value: object) -> Json:
    known: Json = {"title": "Edit the draft", "height": "large", "width": "medium"}
    return {"task": {"type": "continue", "value": known | {"card": {"contentType": CARD, "content": form}} | value}}


@dataclass
class Desk:
    """Ann at her chat with the app."""

    teams: LocalTeams
    app: App
    ann: Person

    async def show(self, shown: Json) -> Message:
        """Post a card into the chat."""
        return await self.app.send_card(self.ann.place("chat").id, shown)

    def answer(self, name: str, body: Any) -> None:
        """Answer the next invokes of that name so."""
        self.app.answers[name] = lambda _: body


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with teams_with_app(ScaledClock()) as (teams, app):
        yield Desk(teams, app, teams.add_person("Ann Archer"))


async def test_a_press_carries_data_and_inputs_and_says_on_which_message(desk: Desk) -> None:
    said = await desk.show(card(TITLE, PRIORITY, actions=(execute(draft=7),)))
    desk.answer(PRESS, {"statusCode": 200, "type": MESSAGE, "value": "Taken"})
    await desk.ann.press("Confirm", inputs={"Title": "VPN is down", "Priority": "High"})
    heard = desk.app.last

    assert (heard["type"], heard["name"], heard["replyToId"]) == ("invoke", PRESS, said.id)
    assert heard["id"].startswith("f:")
    assert heard["value"]["action"] == {
        "type": "Action.Execute",
        "title": "Confirm",
        "verb": "press",
        "data": {"do": "press", "draft": 7, "title": "VPN is down", "priority": "p1"},
    }
    assert desk.ann.notices == ["Taken"]


async def test_the_card_of_an_answer_is_for_the_one_who_pressed(desk: Desk) -> None:
    ben = desk.teams.add_person("Ben")
    group = desk.teams.organisation.add_group_chat((desk.ann.user, ben.user))
    said = await desk.app.send_card(group.id, card(words("Open?"), actions=(execute(),)))
    desk.answer(PRESS, {"statusCode": 200, "type": CARD, "value": card(words("Done."))})
    await desk.ann.press("Confirm")

    assert (desk.ann.shown(said).card_text, desk.ann.shown(said).labels) == ("Done.", ())
    assert (ben.shown(said).card_text, ben.shown(said).labels) == ("Open?", ("Confirm",))
    with pytest.raises(NotShown):
        await desk.ann.press("Confirm", on=said)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {},
        {"statusCode": 200, "type": CARD, "value": {"type": "AdaptiveCard"}},
        {"statusCode": 200, "type": MESSAGE, "value": {"text": "Taken"}},
        {"statusCode": 200, "type": "text/plain", "value": "Taken"},
    ],
)
async def test_an_answer_that_teams_does_not_understand_is_a_failure(desk: Desk, answer: Any) -> None:
    await desk.show(card(actions=(execute(),)))
    desk.answer(PRESS, answer)
    await desk.ann.press("Confirm")

    assert desk.ann.notices == [TROUBLE]


async def test_a_press_is_made_once_whatever_comes_of_it(desk: Desk) -> None:
    await desk.show(card(actions=(execute(),)))
    error = {
        "statusCode": 503,
        "type": "application/vnd.microsoft.error",
        "value": {"code": "503", "message": "Later."},
    }
    desk.answer(PRESS, error)
    await desk.ann.press("Confirm")
    desk.app.statuses.append(500)
    await desk.ann.press("Confirm")
    desk.app.slow_s = 20
    answer = await desk.ann.press("Confirm")

    assert desk.ann.notices == ["Later.", TROUBLE, UNREACHED]
    assert len(desk.app.heard) == 3
    assert answer is not None
    assert answer.reason == "timeout"
    assert 15_000 <= desk.teams.deliveries.records[-1].milliseconds < 20_000


async def test_a_plain_submit_comes_as_a_message_without_words(desk: Desk) -> None:
    said = await desk.show(card(TITLE, actions=({"type": "Action.Submit", "title": "Send", "data": {"a": 1}},)))
    assert await desk.ann.press("Send") is None
    await desk.teams.deliveries.settled()
    heard = desk.app.last

    assert (heard["type"], heard["value"]) == ("message", {"a": 1, "title": "VPN"})
    assert heard["replyToId"] == said.id
    assert "text" not in heard


async def test_the_client_sends_no_input_that_it_finds_wrong(desk: Desk) -> None:
    await desk.show(card(TITLE, HOURS, actions=(execute(),)))
    for inputs in ({"Title": " "}, {"Hours": "9"}, {"Hours": "many"}):
        with pytest.raises(NotShown):
            await desk.ann.press("Confirm", inputs=inputs)

    assert desk.app.heard == []


async def test_links_and_what_is_not_there_are_not_pressed(desk: Desk) -> None:
    off = execute("Off") | {"isEnabled": False}
    hidden = {"type": "Container", "isVisible": False, "items": [{"type": "ActionSet", "actions": [execute("Hidden")]}]}
    link: Json = {"type": "Action.OpenUrl", "title": "Read", "url": "https://a.example"}
    said = await desk.show(card(hidden, actions=(link, off)))

    for label in ("Read", "Off", "Hidden"):
        with pytest.raises(NotShown):
            await desk.ann.press(label)
    said.deleted = True
    with pytest.raises(NotShown):
        await desk.ann.press("Read", on=said)


# Dialogs


async def test_a_dialog_opens_is_filled_in_and_closes(desk: Desk) -> None:
    said = await desk.show(card(actions=(OPENER,)))
    desk.answer(FETCH, opened())
    await desk.ann.press("Edit")
    fetched = desk.app.last
    dialog = desk.ann.dialog

    assert (fetched["name"], fetched["replyToId"]) == (FETCH, said.id)
    assert fetched["value"]["data"] == OPENER["data"]
    assert (dialog.title, dialog.labels) == ("Edit the draft", ["Title", "Priority", "Hours"])
    assert dialog.values == {"Title": "VPN", "Priority": "", "Hours": ""}
    dialog.fill("Title", "VPN is down, and so is everything")
    dialog.fill("Priority", "Low")
    desk.answer(SUBMIT, {})
    assert await dialog.submit() == {}
    assert desk.app.last["value"]["data"] == {"draft": 7, "title": "VPN is down, and so ", "priority": "p3"}
    assert not desk.ann.has_dialog


async def test_a_dialog_says_what_is_wrong_before_it_asks_the_app(desk: Desk) -> None:
    await desk.show(card(actions=(OPENER,)))
    desk.answer(FETCH, opened())
    await desk.ann.press("Edit")
    dialog, asked = desk.ann.dialog, len(desk.app.heard)
    dialog.fill("Title", "")
    dialog.fill("Hours", "9")

    assert await dialog.submit() == {"Title": "Say what it is", "Hours": "1 to 8"}
    assert len(desk.app.heard) == asked
    with pytest.raises(NotShown):
        dialog.fill("Priority", "Someday")


async def test_a_dialog_stays_with_what_was_typed_when_the_app_is_away(desk: Desk) -> None:
    await desk.show(card(actions=(OPENER,)))
    desk.answer(FETCH, opened())
    await desk.ann.press("Edit")
    dialog = desk.ann.dialog
    dialog.fill("Title", "VPN is down")
    desk.app.statuses.append(503)

    assert await dialog.submit() == {WHOLE: TROUBLE}
    assert (dialog.is_open, dialog.values["Title"]) == (True, "VPN is down")
    desk.answer(SUBMIT, {"task": {"type": "message", "value": "Thank you"}})
    assert await dialog.submit() == {}
    assert (dialog.is_open, dialog.notice) == (False, "Thank you")


async def test_an_app_may_answer_with_the_form_again(desk: Desk) -> None:
    await desk.show(card(actions=(OPENER,)))
    desk.answer(FETCH, opened())
    await desk.ann.press("Edit")
    dialog = desk.ann.dialog
    all_wrong, wrong = (
        words("Look again", color="Attention"),
        {"type": "TextRun", "text": "Too short", "color": "Attention"},
    )
    hint = {"type": "RichTextBlock", "inlines": ["How it is called", wrong]}
    parts = (all_wrong, TITLE | {"value": "V"}, hint, PRIORITY, words("Or none"))
    desk.answer(SUBMIT, opened(card(*parts, actions=(FORM["actions"][0],))))

    assert await dialog.submit() == {WHOLE: "Look again", "Title": "Too short"}
    assert (dialog.is_open, dialog.values["Title"]) == (True, "V")


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {"task": {"type": "continue"}},
        opened(title=""),
        opened(title="t" * 65),
        opened(height="huge"),
        opened(card={"contentType": "application/json", "content": FORM}),
        opened(card({"type": "Chart"})),
    ],
)
async def test_a_dialog_that_teams_would_not_show_does_not_open(desk: Desk, answer: Any) -> None:
    await desk.show(card(actions=(OPENER,)))
    desk.answer(FETCH, answer)
    await desk.ann.press("Edit")

    assert desk.ann.notices == [TROUBLE]
    with pytest.raises(NotShown):
        _ = desk.ann.dialog


# Answers


async def test_thumbs_are_told_with_their_words(desk: Desk) -> None:
    loop: Json = {"feedbackLoop": {"type": "default"}}
    chat = desk.ann.place("chat").id
    plain, said = await desk.app.send(chat, text="a"), await desk.app.send(chat, text="103 tons", channelData=loop)
    desk.answer(THUMBS, {})
    await desk.ann.rate(said, "dislike", feedback="Wrong crane")
    heard = desk.app.last

    assert (heard["name"], heard["replyToId"], heard["value"]["actionName"]) == (THUMBS, said.id, "feedback")
    assert heard["value"]["actionValue"]["reaction"] == "dislike"
    assert json.loads(heard["value"]["actionValue"]["feedback"]) == {"feedbackText": "Wrong crane"}
    with pytest.raises(NotShown):
        await desk.ann.rate(plain, "like")


async def test_stop_ends_a_stream_for_good(desk: Desk) -> None:
    chat = desk.ann.place("chat").id
    piece: Json = {"type": "streaminfo", "streamSequence": 1}
    said = await desk.app.send(chat, type="typing", text="It lifts", entities=[piece])
    assert (desk.ann.shown(said).words, desk.ann.shown(said).state) == ("It lifts", "streaming")
    await desk.ann.stop(said)

    assert (desk.ann.shown(said).words, desk.ann.shown(said).state) == (
        "It lifts\nThis response was stopped.", "stopped"
    )  # fmt: skip
    with pytest.raises(AssertionError, match="canceled by user"):
        await desk.app.send(
            chat, type="typing", text="It lifts 103", entities=[piece | {"streamSequence": 2, "streamId": said.id}]
        )
    with pytest.raises(NotShown):
        await desk.ann.stop(said)
