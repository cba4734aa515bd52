"""Any card becomes messages that Slack takes; what is on it can be read and pressed."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.cards import (
    Button,
    Buttons,
    Card,
    Facts,
    Heading,
    Link,
    Note,
    Rating,
    Suggestions,
    Text,
)
from adapters.inbound.buttons import PressedButton, SaidSuggestion
from adapters.markdown.text import settled, size
from adapters.outbound.packing import Shortening
from adapters.slack.drawing.blocks import draw, fallback, unsaid
from adapters.slack.drawing.elements import Opened, Rated, decode_button, decode_rating
from adapters.slack.drawing.text import markdown
from tests.adapters.any_card import buttons, cards
from tests.adapters.hostile import hostile
from tests.adapters.slack.block_oracle import Json, accept_message, elements_of
from tests.adapters.slack.hostile import assert_harmless, shown_texts

SHORTENING = Shortening("This was shortened.", Link("Show more", "https://desk.example/more"))


@settings(max_examples=150)
@given(cards, st.integers(1, 3))
def test_slack_takes_every_card(card: Card, messages: int) -> None:
    drawn = draw(card, SHORTENING, messages=messages)
    assert 1 <= len(drawn) <= messages
    for message in drawn:
        assert_harmless(accept_message(message))


@settings(max_examples=100)
@given(st.lists(buttons, min_size=1, max_size=40))
def test_every_button_comes_back_as_it_was_drawn(items: list[Button]) -> None:
    drawn = [each for message in draw(Card((Buttons(tuple(items)),), "x"), SHORTENING) for each in pressable(message)]
    assert [decode_button(each["action_id"], each["value"]) for each in drawn] == [
        PressedButton(item.action, item.id, item.nonce) for item in items
    ]


def pressable(message: object) -> list[Json]:
    return list(elements_of([block.to_dict() for block in message.blocks]))  # type: ignore[attr-defined]


def one(card: Card) -> list[Json]:
    (message,) = draw(card, SHORTENING)
    return accept_message(message)


def test_a_suggestion_says_all_of_it_and_shows_what_fits() -> None:
    words = "How long does a session last, 会话多长时间？ " * 4
    (button,) = elements_of(one(Card((Suggestions("Next", (words,)),), "x")))
    assert decode_button(button["action_id"], button["value"]) == SaidSuggestion(words)
    assert size(button["text"]["text"]) <= 75
    assert button["text"]["text"].endswith("…")


def test_a_suggestion_that_no_button_holds_is_cut_at_a_character() -> None:
    (button,) = elements_of(one(Card((Suggestions("", ('👩‍👩‍👧‍👦"' * 400,)),), "x")))
    said = decode_button(button["action_id"], button["value"])
    assert isinstance(said, SaidSuggestion)
    assert len(button["value"].encode("utf-16-le")) // 2 <= 2_000
    assert said.text.rstrip('"').endswith("👩‍👩‍👧‍👦")


def test_thumbs_carry_the_language_and_the_id() -> None:
    (block,) = one(Card((Rating("run_1", "Yes", "No", "Why?", "Thanks"),), "x", "zh"))
    assert decode_rating(block["block_id"]) == ("zh", "run_1")
    (element,) = block["elements"]
    values = [element[name]["value"] for name in ("positive_button", "negative_button")]
    assert [decode_button(element["action_id"], value) for value in values] == [
        Rated("run_1", "up"),
        Rated("run_1", "down"),
    ]


def test_a_link_opens_and_one_that_leads_nowhere_is_words() -> None:
    shown = one(Card((Buttons((Link("Open", "https://desk.example/t"), Link("Evil", "javascript:alert(1)"))),), "x"))
    (button,) = elements_of(shown)
    assert decode_button(button["action_id"], "") == Opened()
    assert button["url"] == "https://desk.example/t"
    assert shown[1]["elements"][0]["text"] == "Evil: javascript:alert(1)"


@pytest.mark.parametrize(
    ("action_id", "value"),
    [
        ("", "{}"),
        ("#1", '{"id":"a","nonce":""}'),
        ("draft.confirm#1", "nonsense"),
        ("draft.confirm#1", "[1]"),
        ("draft.confirm#1", '{"id":1,"nonce":""}'),
        ("say#1", '{"id":"x"}'),
        ("rate#1", "sideways:x"),
        ("rate#1", "up:"),
    ],
)
def test_a_forged_button_is_refused(action_id: str, value: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode_button(action_id, value)


def test_a_button_of_a_card_cannot_pass_for_one_of_ours() -> None:
    with pytest.raises(ValueError, match="cannot have the action"):
        draw(Card((Buttons((Button("x", "say", "1"),)),), "x"), SHORTENING)


def test_facts_are_two_columns_and_values_are_exact() -> None:
    value = "_db_main_ *01* <b> & `x`"
    (section,) = one(Card((Facts((("Host", value), ("Empty", " "))),), "x"))
    assert section["fields"] == [
        {"type": "mrkdwn", "text": "*Host*"},
        {"type": "plain_text", "text": value},
        {"type": "mrkdwn", "text": "*Empty*"},
        {"type": "plain_text", "text": "–"},
    ]


def test_a_long_value_stands_below_its_label_whole() -> None:
    value = "word " * 1_500
    shown = one(Card((Facts((("Log", value),)),), "x"))
    assert "".join("".join(text for _kind, text in shown_texts(shown[1:])).split()) == "".join(value.split())


def test_a_long_answer_becomes_several_messages_and_keeps_its_end_together() -> None:
    text = "\n\n".join(f"Paragraph {number}. " + "word " * 60 for number in range(70))
    card = Card((Heading("Log"), Text(text), Heading("Next"), Note("All of it")), "Log")
    drawn = draw(card, SHORTENING)
    assert len(drawn) == 3
    said = "".join(
        text for message in drawn for kind, text in shown_texts(accept_message(message)) if kind == "markdown"
    )
    assert "".join(said.split()) == "".join(text.split())
    assert [block.type for block in drawn[-1].blocks][-2:] == ["header", "context"]
    assert [message.text for message in drawn] == ["Log", "Log (2/3)", "Log (3/3)"]


def test_what_is_too_much_is_shortened_but_never_its_buttons() -> None:
    card = Card(
        (Text("A sentence. " * 20_000), Facts((("Host", "db1"),)), Buttons((Button("Confirm", "a.b", "1"),))), "x"
    )
    for messages in (1, 3):
        drawn = draw(card, SHORTENING, messages=messages)
        assert len(drawn) == messages
        shown = [block for message in drawn for block in accept_message(message)]
        assert [each["action_id"] for each in elements_of(shown)] == ["open#0", "a.b#1"]
        texts = [text for _kind, text in shown_texts(shown)]
        assert texts[-5:] == ["This was shortened.", "Show more", "*Host*", "db1", "Confirm"]
        assert sum(map(size, texts)) > 8_000 * messages


def test_the_plain_text_is_plain_and_never_empty() -> None:
    assert fallback(Card((), "> **Bold** [VPN](https://a.example) <!channel> & more")).replace("\u2060", "") == (
        "Bold VPN &lt;!channel&gt; &amp; more"
    )
    assert fallback(Card((), " ")) == "…"
    assert size(fallback(Card((), "&" * 10_000))) <= 4_000


@settings(max_examples=150)
@given(hostile, st.integers(0, 200))
@example("<`:>``0", 7)
def test_what_was_streamed_is_not_said_again(text: str, at: int) -> None:
    shown = markdown(settled(text[:at]))
    rest = unsaid(Card((Text(text), Note("end")), "x"), shown)
    assert rest is not None
    assert shown + rest[0] == markdown(text)
    assert rest[1].blocks == (Note("end"),)


def test_a_text_that_ends_differently_is_not_continued() -> None:
    assert unsaid(Card((Text("Another answer"),), "x"), "One answer") is None
    assert unsaid(Card((Note("Failed"),), "x"), "One answer") is None


def test_a_payload_can_be_sent_as_json() -> None:
    (message,) = draw(Card((Text("half \ud83d"), Heading("x\ud83d")), "\ud83d"), SHORTENING)
    assert json.dumps(message.payload()).encode()
