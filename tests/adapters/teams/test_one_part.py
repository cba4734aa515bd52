"""A message of Teams is text or one card: of an activity with both Teams makes two, and tells the id of neither.

Seen in Microsoft's client: a post of both is answered 202 without a body, an edit 400 "Activity resulted into multiple
skype activities".
"""

import pytest

from adapters.cards import Block, Button, Buttons, Card, Heading, Note, Rating, Source, Sources, Text
from adapters.outbound.packing import Shortening
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing.messages import MESSAGES, draw

RATING = Rating(id="run_1", up="Good", down="Bad", reason_label="Why?", thanks="Thanks")
SOURCES = Sources(label="Sources", items=(Source(number=1, title="VPN", section="", url="", quote="10 hours"),))
ASK = Buttons((Button(label="Report it", action="report", id="run_1", nonce="n"),))
ANSWERS: dict[str, tuple[Block, ...]] = {
    "bare": (Text("10 hours"), RATING),
    "with its sources": (Text("10 hours [1]"), SOURCES, Note("Confidence: high"), RATING),
    "with buttons": (Text("10 hours [1]"), SOURCES, ASK, RATING),
    "with a table": (Text("| a | b |\n| --- | --- |\n| 1 | 2 |"), SOURCES, RATING),
    "long": (Text("ten hours " * 4_000), SOURCES, ASK, RATING),
    "no answer": (Heading("TCK-2026-000001"), Text("Filed."), ASK),
}


@pytest.mark.parametrize("messages", [1, MESSAGES])
@pytest.mark.parametrize("blocks", ANSWERS.values(), ids=ANSWERS)
def test_a_message_is_text_or_one_card(blocks: tuple[Block, ...], messages: int) -> None:
    card = Card(blocks=blocks, fallback="10 hours")

    drawn = draw(card, Shortening("Shortened."), config=TeamsConfig(), messages=messages)
    payloads = [each.payload() for each in drawn]
    assert {len(each.get("attachments", ())) + bool(each.get("text")) for each in payloads} == {1}
