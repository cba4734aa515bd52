"""What a person reads of a message: the words, not the marks; what can be pressed; where it comes from."""

from dataclasses import replace
from typing import Any

import pytest

from storage.clock import ManualClock
from tests.fakes.teams.drawing import Citation, Shown, card_lines, read, shown
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.records import Glimpse, Json, Message, Stream
from tests.fakes.teams_api.conftest import attachment, block


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("**bold** and _thin_ ~~gone~~", "bold and thin gone"),
        ("[the page](https://a.example/b_(c))", "the page"),
        ("It lifts 103 tons [1][2].", "It lifts 103 tons [1][2]."),
        ("# Head\n\n- one\n- two", "Head\none\ntwo"),
        ("`code` and\n\n```\nraw *text*\n```", "code and\nraw *text*"),
        ("| a | b |\n| - | - |\n| 1 | 2 |", "| a | b |\n| - | - |\n| 1 | 2 |"),
        ("<b>x</b> \\*y\\* &amp;", "<b>x</b> *y* &"),
        ("<at>Ann</at> hi", "Ann hi"),
        ("one\ntwo", "one\ntwo"),
    ],
)
def test_a_text_is_read_as_markdown_without_tables(markdown: str, words: str) -> None:
    assert read(markdown) == words


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("**bold** _thin_ [page](https://a.example)", "bold thin page"),
        ("- one\n- two", "one\ntwo"),
        ("# Head", "# Head"),
        ("`code`", "`code`"),
        ("| a |\n| - |", "| a |\n| - |"),
        ("> said", "> said"),
    ],
)
def test_a_card_knows_less_markdown(markdown: str, words: str) -> None:
    assert read(markdown, dialect="card") == words


def test_a_card_is_read_from_top_to_bottom() -> None:
    cell: Json = {"type": "TableCell", "items": [block("cell")]}
    card: Json = {
        "actions": [{"type": "Action.Execute", "title": "Go"}],
        "body": [
            block("first"),
            {"type": "Container", "items": [block("second"), block("hidden") | {"isVisible": False}]},
            {"type": "Container", "isVisible": False, "items": [block("hidden too")]},
            {"type": "ColumnSet", "columns": [{"items": [block("third")]}, {"type": "Column", "items": [block("4")]}]},
            {"type": "FactSet", "facts": [{"title": "State", "value": "**open**"}]},
            {"type": "Table", "rows": [{"cells": [cell, cell]}]},
            {"type": "RichTextBlock", "inlines": ["fifth ", {"type": "TextRun", "text": "*run*"}]},
            {"type": "Input.Text", "id": "title", "label": "Title"},
        ],
    }

    assert list(card_lines(card)) == [
        "first", "second", "third", "4", "State open", "cell", "cell", "fifth *run*", "Title"
    ]  # fmt: skip


@pytest.fixture
def organisation() -> Organisation:
    return Organisation(ManualClock())


def drawn(organisation: Organisation, **fields: Any) -> Shown:
    """Draw a message of the bot's for a person."""
    ann = organisation.add_user("Ann")
    said = organisation.say(organisation.bot.id, organisation.chat(ann), **fields)
    return shown(organisation, ann, said)


def test_an_answer_shows_its_sources_label_and_thumbs(organisation: Organisation) -> None:
    source: Json = {"@type": "DigitalDocument", "name": "Cranes", "abstract": "It lifts", "url": "https://a.example"}
    label: Json = {
        "type": "https://schema.org/Message",
        "additionalType": ["AIGeneratedContent"],
        "citation": [{"@type": "Claim", "position": 1, "appearance": source}],
    }
    answer = drawn(
        organisation, text="103 tons [1]", entities=[label], channel_data={"feedbackLoop": {"type": "default"}}
    )

    assert answer.citations == (Citation(1, "Cranes", "It lifts", "https://a.example"),)
    assert (answer.ai_generated, answer.rated) == (True, True)
    plain = drawn(organisation, text="hello")
    assert (plain.citations, plain.ai_generated, plain.rated) == ((), False, False)


def test_words_and_buttons_of_text_and_card_stand_together(organisation: Organisation) -> None:
    field: Json = {"type": "Input.Text", "id": "title", "label": "Title", "value": "VPN"}
    card = attachment(block("card"), field, actions=[{"type": "Action.Execute", "title": "Go"}])
    seen = drawn(organisation, text="**text**", attachments=[card])

    assert (seen.words, seen.labels, seen.fields) == ("text\ncard\nTitle", ("Go",), {"Title": "VPN"})


@pytest.mark.parametrize(
    ("ending", "texts", "words", "state"),
    [
        (None, ["Searching"], "Searching", "streaming"),
        (None, ["Searching", "**It** lifts"], "It lifts", "streaming"),
        ("stopped", ["Searching"], "This response was stopped.", "stopped"),
        ("expired", ["Searching", "It lifts"], "It lifts\nThis response was stopped.", "stopped"),
    ],
)
def test_a_stream_is_seen_as_far_as_it_came(
    organisation: Organisation, ending: str | None, texts: list[str], words: str, state: str
) -> None:
    kinds = ("informative", "streaming")
    pieces = [Glimpse(kind, text, 1, 0.0) for kind, text in zip(kinds, texts, strict=False)]  # type: ignore[arg-type]
    stream = Stream(0.0, ended=None if ending is None else 1.0, ending=ending, pieces=pieces)  # type: ignore[arg-type]
    seen = drawn(organisation, stream=stream)

    assert (seen.words, seen.state) == (words, state)


def test_a_stream_that_nobody_ended_is_stopped_after_two_minutes(organisation: Organisation) -> None:
    said = drawn(organisation, stream=Stream(0.0, pieces=[Glimpse("streaming", "It lifts", 1, 0.0)])).said
    assert isinstance(organisation.clock, ManualClock)
    organisation.clock.advance(120)

    assert shown(organisation, organisation.add_user("Ben"), said).state == "stopped"


def test_a_card_in_the_place_of_another_is_seen_by_one_person(organisation: Organisation) -> None:
    first, own = attachment(block("for all")), attachment(block("for one"))["content"]
    seen = drawn(organisation, attachments=[first, attachment(block("second"))])
    reader = next(each for each in organisation.users.values())
    mine: Message = replace(seen.said, own_cards={reader.id: own})

    assert shown(organisation, reader, mine).card_text == "for one\nsecond"
    assert shown(organisation, organisation.add_user("Ben"), mine).card_text == "for all\nsecond"
