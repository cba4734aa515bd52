"""Nobody can hold the event loop up: the time of reading and drawing a text grows with its length, not its square."""

import time

import pytest

from adapters.cards import Card, Facts, Text
from adapters.outbound.packing import Shortening
from adapters.slack.drawing.blocks import draw
from adapters.slack.drawing.home import home_view
from adapters.slack.inbound.messages import mentioned, plain, without_mention
from tests.adapters.hostile import TOKENS

#: As long as a message of Slack's may be.
LONGEST = 40_000
#: Seconds of the processor; what grew with the square took many.
BOUND_S = 2.0
REPEATED = (*TOKENS, "`", "~~~", "<a:", "&lt;a:", "[a](", "![a](", "[a](https://x", "*a", "ᄀ", "🇦", " ", ":")
SHORTENING = Shortening("more")


@pytest.mark.parametrize("token", REPEATED)
def test_a_text_is_drawn_in_time_whatever_it_repeats(token: str) -> None:
    for text in ((token * LONGEST)[:LONGEST], f"<{token * LONGEST}"[:LONGEST]):
        for blocks in ((Text(text),), (Facts((("a", text),)),)):
            card = Card(blocks, fallback=text)
            began = time.process_time()
            draw(card, SHORTENING)
            home_view(card, SHORTENING)

            assert time.process_time() - began < BOUND_S


@pytest.mark.parametrize("token", REPEATED)
def test_a_text_is_read_in_time_whatever_it_repeats(token: str) -> None:
    said = f"<@U1>{token * LONGEST}"[:LONGEST] + " <@U1>"
    began = time.process_time()
    mentioned(said)
    plain(without_mention(said, "U1"))

    assert time.process_time() - began < BOUND_S
