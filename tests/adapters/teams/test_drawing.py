"""Any card becomes messages that Teams takes; what is on it can be read and pressed."""

import json
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.cards import Button, Buttons, Card, Code, Facts, Heading, Link, Note, Suggestions, Text, Tone
from adapters.inbound.buttons import PressedButton, SaidSuggestion
from adapters.markdown.text import WORD_JOINER, cleaned, size
from adapters.outbound.packing import Shortening
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing.elements import decode
from adapters.teams.drawing.messages import draw, summary
from tests.adapters.any_card import buttons, cards
from tests.adapters.teams.card_oracle import Json, accept_message, parts, pressable
from tests.adapters.teams.commonmark import TAG, links

SHORTENING = Shortening("This was shortened.", Link("Show more", "https://desk.example/more"))
CONFIG = TeamsConfig(form_actions=frozenset({"draft.edit"}))


def one(card: Card, config: TeamsConfig = CONFIG) -> Json:
    """Return the card of the one message."""
    (message,) = draw(card, SHORTENING, config=config)
    content: Json = accept_message(message)["attachments"][0]["content"]
    return content


def texts(shown: object) -> list[str]:
    """Return every text in its order, without what is invisible."""
    found = [each for part in parts(shown) for each in (part.get("title"), part.get("value"), part.get("text"))]
    return [each.replace(WORD_JOINER, "") for each in found if isinstance(each, str)]


@settings(max_examples=150)
@given(cards, st.integers(1, 3))
@example(Card((Code("\x00", "sql"),), "x"), 1)
def test_teams_takes_every_card(card: Card, messages: int) -> None:
    drawn = draw(card, SHORTENING, config=CONFIG, messages=messages)
    assert 1 <= len(drawn) <= messages + any(message.text for message in drawn)
    for message in drawn:
        payload = accept_message(message)
        for part in parts(payload.get("attachments", [])):
            if part.get("type") == "TextBlock":
                assert not TAG.search(part["text"])
                assert all(address.startswith(("http://", "https://")) for address, _words in links(part["text"]))
            assert part.get("url", "https://").startswith(("http://", "https://"))
            assert not {"Image", "Media", "ImageSet"} & {str(part.get("type"))}
        assert "mention" not in json.dumps(payload.get("entities", []))


@settings(max_examples=60)
@given(st.lists(buttons, min_size=1, max_size=20))
def test_every_button_comes_back_as_it_was_drawn(items: list[Button]) -> None:
    drawn = [each for message in draw(Card((Buttons(tuple(items)),), "x"), SHORTENING, config=CONFIG)
             for each in pressable(accept_message(message)["attachments"][0]["content"])]  # fmt: skip
    meant = [PressedButton(item.action, item.id, item.nonce) for item in items]
    assert [decode(each["data"]) for each in drawn] == meant
    assert [decode(each["fallback"]["data"]) for each in drawn] == meant
    assert {each["verb"] for each in drawn} == {"press"}


def test_a_button_whose_answer_is_a_form_opens_a_dialog() -> None:
    card = Card((Buttons((Button("Edit", "draft.edit", "d1", "n", "primary"),)),), "x")
    (action,) = pressable(one(card))
    assert action["type"] == "Action.Submit"
    assert action["style"] == "positive"
    assert action["data"]["msteams"] == {"type": "task/fetch"}
    assert decode(action["data"]) == PressedButton("draft.edit", "d1", "n")
    (in_place,) = pressable(one(card, TeamsConfig(form_actions=CONFIG.form_actions, forms="cards")))
    assert (in_place["type"], in_place["verb"]) == ("Action.Execute", "press")


def test_more_buttons_than_teams_shows_stand_in_further_rows() -> None:
    card = Card((Buttons(tuple(Button(f"B{number}", "a.b", str(number)) for number in range(14))),), "x")
    rows = [part["actions"] for part in parts(one(card)) if part.get("type") == "ActionSet"]
    assert [len(row) for row in rows] == [6, 6, 2]
    assert [action["title"] for row in rows for action in row] == [f"B{number}" for number in range(14)]


def test_a_suggestion_says_all_of_it_and_shows_what_fits() -> None:
    words = "How long does a session last, 会话多长时间？ " * 4
    (action,) = pressable(one(Card((Suggestions("Next", (words,)),), "x")))
    assert action["verb"] == "say"
    assert decode(action["data"]) == SaidSuggestion(words)
    assert action["title"].endswith("…")
    assert action["tooltip"].startswith(action["title"][:-1])


def test_a_link_opens_and_one_that_leads_nowhere_is_words() -> None:
    shown = one(Card((Buttons((Link("Open", "https://desk.example/t"), Link("Evil", "javascript:alert(1)"))),), "x"))
    (action,) = pressable(shown)
    assert (action["type"], action["url"]) == ("Action.OpenUrl", "https://desk.example/t")
    assert texts(shown)[-1] == "Evil: javascript:alert(1)"


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"desk": None},
        {"desk": {}},
        {"desk": {"do": "press", "action": "a", "id": 1, "nonce": ""}},
        {"desk": {"do": "press", "action": "a", "id": "x" * 2_001, "nonce": ""}},
        {"desk": {"do": "say"}},
        {"desk": {"do": "form", "form": "f", "id": "1", "nonce": ""}},
        {"desk": {"do": "anything"}},
    ],
)
def test_a_forged_button_is_refused(data: Json) -> None:
    with pytest.raises(ValueError, match="not a button of ours"):
        decode(data)


def test_facts_are_exact_and_a_long_value_stands_below_its_name() -> None:
    shown = one(Card((Facts((("Host", "_db_ *01* <b>"), ("Empty", " "), ("Log", "word " * 800))),), "x"))
    first, name, *rest = shown["body"]
    assert first["facts"] == [
        {"title": "Host", "value": f"\\_db\\_ \\*01\\* <{WORD_JOINER}b>"},
        {"title": "Empty", "value": "–"},
    ]
    assert texts(name) == ["Log"]
    assert " ".join(" ".join(texts(rest)).split()) == ("word " * 800).strip()


def test_a_heading_says_its_state_in_words_and_colour() -> None:
    (row,) = one(Card((Heading("Ticket *1*", "In progress", "info"),), "x"))["body"]
    title, badge = (column["items"][0] for column in row["columns"])
    assert (title["text"], title["style"]) == ("Ticket \\*1\\*", "heading")
    assert badge["inlines"][0] == {"type": "TextRun", "text": "In progress", "color": "Accent", "weight": "Bolder"}


def test_no_words_are_yellow_or_light_green() -> None:
    tones = get_args(Tone)
    drawn = one(
        Card(tuple(block for tone in tones for block in (Heading("Title", "state", tone), Note("Words", tone))), "x")
    )
    assert {part["color"] for part in parts(drawn) if "color" in part} == {"Default", "Accent", "Attention"}
    assert [words.removesuffix(" Words") for words in texts(drawn) if words.endswith(" Words")] == [
        "ℹ️",
        "✅",
        "⚠️",
        "❌",
    ]


def test_a_table_is_a_table_with_all_of_its_rows() -> None:
    rows = [f"| host-{number} | {number} GB | **ok** |" for number in range(60)]
    shown = one(Card((Text("Before.\n\n| Host | Disk | State |\n|---|---|---|\n" + "\n".join(rows)),), "x"))
    tables = [part for part in shown["body"] if part["type"] == "Table"]
    assert len(tables) > 1
    for table in tables:
        assert len(table["columns"]) == 3
        assert texts(table["rows"][0]) == ["Host", "Disk", "State"]
    cells = [texts(row) for table in tables for row in table["rows"][1:]]
    assert cells == [[f"host-{number}", f"{number} GB", "**ok**"] for number in range(60)]
    assert shown["msteams"] == {"width": "full"}


def test_a_table_that_is_too_wide_is_read_line_by_line() -> None:
    wide = "|" + "|".join(f"Column {number}" for number in range(12)) + "|\n|" + "-|" * 12 + "\n|" + "|".join("x" * 12)
    (text,) = one(Card((Text(wide),), "x"))["body"]
    assert text["text"].count("\n") == 11
    assert text["text"].startswith("- Column 0 · x\n- Column 1 · x\n")


def test_code_is_shown_exactly_in_its_own_face() -> None:
    code = "if a < b:  # <at>x</at> **no**\n    run()"
    (frame,) = one(Card((Text(f"```py\n{code}\n```"),), "x"))["body"]
    assert frame["items"][0]["inlines"] == [{"type": "TextRun", "text": code, "fontType": "Monospace"}]


def test_a_long_text_becomes_several_messages_and_loses_nothing() -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 60 for number in range(150))
    card = Card((Heading("Log"), Text(text), Heading("Next"), Note("All of it")), "Log")
    drawn = draw(card, SHORTENING, config=CONFIG)
    assert [message.summary for message in drawn] == ["Log", "Log (2/3)", "Log (3/3)"]
    said = texts([accept_message(message)["attachments"] for message in drawn])
    assert "".join("".join(said[1:-2]).split()) == "".join(text.split())
    assert said[-2:] == ["Next", "All of it"]
    assert len(drawn[-1].card["body"]) >= 2  # type: ignore[index]


def test_what_is_too_much_is_shortened_but_never_its_buttons() -> None:
    card = Card(
        (Text("A sentence. " * 20_000), Facts((("Host", "db1"),)), Buttons((Button("Confirm", "a.b", "1"),))), "x"
    )
    for messages in (1, 3):
        drawn = draw(card, SHORTENING, config=CONFIG, messages=messages)
        shown = [accept_message(message)["attachments"][0]["content"] for message in drawn]
        assert len(drawn) == messages
        assert [action["title"] for action in pressable(shown[-1])] == ["Show more", "Confirm"]
        said = texts([content["body"] for content in shown])
        assert said[-6:] == ["This was shortened.", "Show more", "Host", "db1", "Confirm", "Confirm"]
        assert sum(map(size, said)) > 18_000 * messages


def test_the_words_of_a_notification_are_plain_and_never_empty() -> None:
    said = "> **Bold** [VPN](https://a.example) <at>all</at>\n& more"
    assert summary(Card((), said)).replace(WORD_JOINER, "") == "Bold VPN <at>all</at> & more"
    assert summary(Card((), " ")) == "…"
    assert accept_message(draw(Card((), ""), SHORTENING, config=CONFIG)[0])["summary"] == "…"


@given(st.text(max_size=400))
def test_a_card_can_be_read_by_a_client_that_draws_none(said: str) -> None:
    content = one(Card((Note("x"),), said))
    assert content["fallbackText"] == content["speak"] == summary(Card((), said))
    assert cleaned(content["speak"]) == content["speak"]


def test_a_heading_below_another_block_stands_apart() -> None:
    first, _note, second = one(Card((Heading("A"), Note("x"), Heading("B")), "x"))["body"]
    assert "separator" not in first
    assert (second["separator"], second["spacing"]) == (True, "Large")


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("How do I connect to the VPN from my home now?", "How do I connect to the VPN from my home now?"),
        ("How do I connect to the VPN from my home today?", "How do I connect to the VPN from my home toda…"),
        (
            "关于“三个网络的区别”，“办公室无线网络”里是怎么说的？",
            "关于“三个网络的区别”，“办公室无线网络”里是怎么说的？",
        ),
        (
            "关于“出差和在家办公”，“成都办公室 VPN 使用说明”里是怎么说的？",
            "关于“出差和在家办公”，“成都办公室 VPN 使用说明”里…",
        ),
    ],
)
def test_a_button_is_no_wider_than_a_card_and_says_all_of_its_words(words: str, title: str) -> None:
    (action,) = pressable(one(Card((Suggestions("", (words,)),), "x")))
    assert (action["title"], action.get("tooltip", words)) == (title, words)
    assert decode(action["data"]) == SaidSuggestion(words)
