"""Nobody can hold the event loop up: the time of drawing a text grows with its length, not its square."""

import time

import pytest

from adapters.cards import Card, Facts, Field, Form, Heading, Note, Rating, Source, Sources, Text
from adapters.outbound.packing import Shortening
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing.forms import form_card
from adapters.teams.drawing.messages import draw, growing
from tests.adapters.hostile import TOKENS

LONGEST = 40_000
#: Seconds of the processor; most take a fiftieth of a second, a table of thousands of rows a tenth.
#: With the square it would be many, so there is room for a process that carries what thousands of tests left.
BOUND_S = 1.5
REPEATED = (
    *TOKENS, "`", "~~~", "<a:", "[a](", "![a](", "[a](https://x", "*a", "ᄀ", "🇦", " ", ":", "|", "\n|\n", "> ", "- ",
    "# a\n", "```\n", "=\n", "|a|b|\n|-|-|\n", "|a|b|\n|-|-|\n|1|2|\n", "&lt;", "{{DATE(", "https://a@", "](", "]:",
)  # fmt: skip
RATING = Rating("r", "Yes", "No", "Why?", "Thanks")
CONFIG = TeamsConfig()


def cards(text: str) -> list[Card]:
    """Return a card for each way in which a text is drawn."""
    source = Source(1, text, text, f"https://desk.example/{text}", text, text)
    blocks = (
        (Text(text),),
        (Text(text), RATING),
        (Facts((("a", text),)), Heading(text, text), Note(text)),
        (Sources("s", (source,)),),
    )
    return [Card(each, fallback=text) for each in blocks]


@pytest.mark.parametrize("token", REPEATED)
def test_a_text_is_drawn_in_time_whatever_it_repeats(token: str) -> None:
    text = (token * LONGEST)[:LONGEST]
    for card in cards(text):
        began = time.process_time()
        draw(card, Shortening("more"), config=CONFIG)
        assert time.process_time() - began < BOUND_S
    began = time.process_time()
    growing(text)
    form_card(Form("f", "1", "", text, text, text, (Field("a", text, text, hint=text),)), mode="cards")
    assert time.process_time() - began < BOUND_S
