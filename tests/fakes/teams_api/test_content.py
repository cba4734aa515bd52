"""Cards, mentions, citations and labels that Teams takes, and those that it does not draw as they are meant."""

import copy
from collections.abc import Callable

import pytest

from tests.fakes.teams.records import Json
from tests.fakes.teams_api.conftest import House, attachment, block, refused

INPUT: Json = {"type": "Input.Text", "id": "title", "label": "Title", "isRequired": True, "errorMessage": "Say what"}
CHOICES: Json = {
    "type": "Input.ChoiceSet",
    "id": "priority",
    "value": "p3",
    "choices": [{"title": "High", "value": "p1"}, {"title": "Low", "value": "p3"}],
}
SUBMIT: Json = {"type": "Action.Submit", "title": "Send", "data": {"a": 1}}
EXECUTE: Json = {"type": "Action.Execute", "title": "Confirm", "verb": "press", "data": {"a": 1}, "fallback": SUBMIT}
OPEN: Json = {"type": "Action.OpenUrl", "title": "Read", "url": "https://handbook.example/vpn"}
CELL: Json = {"type": "TableCell", "items": [block("1")]}
TABLE: Json = {"type": "Table", "columns": [{"width": 1}], "rows": [{"type": "TableRow", "cells": [CELL]}]}
WHOLE: list[Json] = [
    block("**VPN**"),
    {"type": "RichTextBlock", "inlines": ["a", {"type": "TextRun", "text": "b", "italic": True}]},
    {"type": "FactSet", "facts": [{"title": "State", "value": "open"}]},
    {"type": "Container", "style": "emphasis", "items": [block("a")], "separator": True, "spacing": "Medium"},
    {"type": "ColumnSet", "columns": [{"type": "Column", "width": "stretch", "items": [block("a")]}]},
    TABLE,
    INPUT,
    CHOICES,
    {"type": "Input.Number", "id": "hours", "min": 1, "max": 8, "value": 2},
    {"type": "Input.Date", "id": "day", "value": "2026-01-02"},
    {"type": "Input.Toggle", "id": "urgent", "title": "Urgent", "value": "false"},
    {"type": "ActionSet", "actions": [EXECUTE, OPEN]},
]


async def test_all_that_a_card_can_be_is_taken(house: House) -> None:
    card = attachment(*WHOLE, actions=[EXECUTE, SUBMIT, OPEN], msteams={"width": "Full"}, fallbackText="a card")

    assert (await house.post(attachments=[card])).attachments == [card]


def body(*parts: Json) -> Json:
    return attachment(*parts)


def action(**fields: object) -> Json:
    return attachment(block("a"), actions=[EXECUTE | fields])


@pytest.mark.parametrize(
    "wrong",
    [
        {"contentType": "application/vnd.microsoft.card.hero", "content": {"title": "a"}},
        attachment(block("a"), type="Card"),
        attachment(block("a"), version="1.6"),
        attachment(block("a"), version=1.5),
        attachment(block("a"), versoin="1.5"),
        attachment(TABLE, version="1.4"),
        attachment(block("a"), version="1.3", actions=[EXECUTE]),
        body({"type": "Chart.Pie"}),
        body({"type": "TextBlock"}),
        body({"type": "TextBlock", "text": "a", "size": "huge"}),
        body({"type": "TextBlock", "text": "a", "markdown": True}),
        body({"type": "Container", "items": [{"type": "Column"}]}),
        body({"type": "FactSet", "facts": [{"title": "a"}]}),
        body({"type": "Table", "columns": [{"width": 1}], "rows": [{"cells": [block("1")], "height": 3}]}),
        body({"type": "Input.Text", "label": "no id"}),
        body(INPUT | {"errorMessage": ""}),
        body(INPUT, INPUT),
        body(CHOICES | {"value": "p2"}),
        body(CHOICES | {"choices": [{"title": "a", "value": "1"}, {"title": "b", "value": "1"}]}),
        body(CHOICES | {"choices": []}),
        body({"type": "Input.Number", "id": "a", "value": "2"}),
        body({"type": "Image", "url": "javascript:alert(1)"}),
        action(url="https://a.example"),
        action(data="text"),
        action(style="danger"),
        action(fallback={"type": "Action.Submit", "url": "https://a.example"}),
        attachment(actions=[OPEN | {"url": "ftp://a.example"}]),
        attachment(actions=[OPEN | {"url": "https://"}]),
        attachment(actions=[{"type": "Action.Http", "title": "a"}]),
        attachment(actions=[EXECUTE] * 7),
        attachment(body="words"),
        attachment(block("a"), msteams={"wide": True}),
    ],
)
async def test_a_card_that_teams_would_not_draw_as_it_is_meant_is_refused(house: House, wrong: Json) -> None:
    assert refused(await house.send(attachments=[wrong])) == (400, "BadArgument")


async def test_the_refusal_tells_what_is_wrong_and_where(house: House) -> None:
    answer = await house.send(attachments=[body(block("a"), {"type": "TextBlock", "text": "a", "size": "huge"})])

    assert '"huge" is not valid' in answer.json()["error"]["message"]
    assert "/body/1/size" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "activity",
    [
        {"text": ""},
        {"text": "  "},
        {"text": 7},
        {"text": "a", "textFormat": "html"},
        {"text": "a", "attachment": []},
        {"text": "a", "attachments": "card"},
        {"text": "a", "attachments": [attachment(block("a"))] * 11},
        {"text": "a", "entities": {}},
        {"text": "a", "entities": [{"type": "emphasis"}]},
        {"text": "a", "channelData": {"feedbackLoop": {"type": "thumbs"}}},
        {"text": "a", "channelData": {"feedbackLoop": {"type": "default"}, "feedbackLoopEnabled": True}},
    ],
)
async def test_an_activity_that_says_nothing_or_what_nobody_knows_is_refused(house: House, activity: Json) -> None:
    assert refused(await house.send(**activity)) == (400, "BadArgument")


ANSWER: Json = {
    "type": "https://schema.org/Message",
    "@type": "Message",
    "@context": "https://schema.org",
    "additionalType": ["AIGeneratedContent"],
    "citation": [
        {
            "@type": "Claim",
            "position": number,
            "appearance": {"@type": "DigitalDocument", "name": f"Page {number}", "abstract": "It lifts 103 tons."},
        }
        for number in (1, 2)
    ],
}


def changed(change: Callable[[Json], object]) -> Json:
    """Return an answer's label with a mistake in it."""
    wrong = copy.deepcopy(ANSWER)
    change(wrong)
    return wrong


def source(label: Json) -> Json:
    found: Json = label["citation"][0]["appearance"]
    return found


async def test_an_answer_says_what_it_is_and_where_it_comes_from(house: House) -> None:
    loop: Json = {"feedbackLoop": {"type": "default"}}
    said = await house.post(text="103 tons [1]", entities=[ANSWER], channelData=loop)

    assert (said.entities, said.channel_data) == ([ANSWER], loop)


@pytest.mark.parametrize(
    "wrong",
    [
        changed(lambda label: source(label).update(name="n" * 81)),
        changed(lambda label: source(label).update(abstract="a" * 161)),
        changed(lambda label: source(label).pop("abstract")),
        changed(lambda label: source(label).update(url="file:///etc/passwd")),
        changed(lambda label: source(label).update(keywords=["a", "b", "c", "d"])),
        changed(lambda label: label["citation"][0].update(position=0)),
        changed(lambda label: label["citation"][0].update(position=2)),
        changed(lambda label: label["citation"][0].update(position="1")),
        changed(lambda label: label.update(citation=label["citation"] * 11)),
        changed(lambda label: label.update(additionalType=["Generated"])),
        changed(lambda label: label.update(citations=[])),
    ],
)
async def test_a_label_that_teams_would_drop_is_refused(house: House, wrong: Json) -> None:
    assert refused(await house.send(text="a [1]", entities=[wrong])) == (400, "BadArgument")


async def test_a_mention_stands_in_the_text(house: House) -> None:
    mention: Json = {
        "type": "mention",
        "mentioned": {"id": house.ann.id, "name": "Ann"},
        "text": "<at>Ann</at>",
    }
    assert (await house.post(text="Hi <at>Ann</at>", entities=[mention])).entities == [mention]

    assert refused(await house.send(text="Hi Ann", entities=[mention])) == (400, "BadArgument")
    nobody = {"type": "mention", "text": "<at>Ann</at>"}
    assert refused(await house.send(text="Hi <at>Ann</at>", entities=[nobody])) == (400, "BadArgument")


async def test_an_update_is_held_to_the_same_rules(house: House) -> None:
    said = await house.post()
    for wrong in ({"type": "message", "text": ""}, {"type": "message", "attachments": [body({"type": "Chart.Pie"})]}):
        answer = await house.call("PUT", f"/{house.chat.id}/activities/{said.id}", wrong)
        assert refused(answer) == (400, "BadArgument")
    assert said.text == "hello"


async def test_suggested_actions_are_for_chats(house: House) -> None:
    actions = {"actions": [{"type": "imBack", "title": "Help", "value": "help"}]}

    await house.post(suggestedActions=actions)
    assert refused(await house.send(house.help.id, suggestedActions=actions)) == (400, "BadArgument")
