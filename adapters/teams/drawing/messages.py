"""A neutral card as messages for Teams: an answer is text with its sources, everything else an Adaptive Card 1.5."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from microsoft_teams.cards.core import (
    AdaptiveCard,
    CardElement,
    CodeBlock,
    GroupedVerticalBarChart,
    LineChart,
    PieChart,
    Table,
    TeamsCardProperties,
    TextBlock,
    VerticalBarChart,
)

from adapters.cards import Card, Rating
from adapters.markdown.parsing import to_words
from adapters.markdown.text import shorten
from adapters.outbound.packing import Shortening, pack, shortened
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing import sections
from adapters.teams.drawing.blocks import TeamsDrawer, notice
from adapters.teams.drawing.citations import labelled
from adapters.teams.drawing.elements import Json, as_json, attachment
from adapters.teams.drawing.packing import MESSAGE, TeamsPart
from adapters.teams.drawing.passages import SMALL_PIECE
from adapters.teams.drawing.text import line

#: A card becomes at most so many messages before it is shortened.
MESSAGES = 3
SUMMARY_MAX = 300
#: What is not squeezed into the usual width of a card.
_WIDE = (CodeBlock, GroupedVerticalBarChart, LineChart, PieChart, Table, VerticalBarChart)


@dataclass(frozen=True)
class TeamsDrawn:
    """One message: a text or a card, and plain words for notifications."""

    text: str
    card: Json | None
    summary: str
    entities: tuple[Json, ...] = ()
    rated: bool = False

    def payload(self) -> Json:
        """Return the activity to post; to be addressed by the sender."""
        drawn: Json = {"type": "message", "summary": self.summary}
        if self.text:
            drawn |= {"text": self.text, "textFormat": "markdown"}
        if self.card is not None:
            drawn["attachments"] = [attachment(self.card)]
        if self.entities:
            drawn["entities"] = list(self.entities)
        if self.rated:
            drawn["channelData"] = {"feedbackLoop": {"type": "default"}}
        return drawn

    def words(self) -> Json:
        """Return the plain text alone."""
        return said(self.text or self.summary)


def draw(
    card: Card, shortening: Shortening, *, config: TeamsConfig, messages: int = MESSAGES
) -> tuple[TeamsDrawn, ...]:
    """Return a card as one to `messages` messages, one more where text comes before a card; the last one is rated.

    Buttons and headings are left out last.
    """
    packed = pack(list(TeamsDrawer(config).parts(card)), MESSAGE)
    if len(packed) > messages:
        parts = list(TeamsDrawer(config, piece=SMALL_PIECE).parts(card))
        packed = shortened(parts, MESSAGE, messages=messages, notice=notice(shortening, config))
    packed = [part for parts in packed for part in _parted(parts)] or [[TeamsPart(TextBlock(text="…", wrap=True))]]
    said = summary(card)
    return tuple(_message(card, parts, said, at=at, of=len(packed)) for at, parts in enumerate(packed, start=1))


def said(text: str) -> Json:
    """Return a message of a text in Markdown."""
    return {"type": "message", "textFormat": "markdown", "text": text}


def growing(markdown: str) -> str:
    """Return what can be shown of an answer so far: the beginning of the text that `draw` gives its first message.

    Not so for an answer that is too long for one message: where the text differs, the stream has to end first.
    """
    return sections.growing(markdown)


def summary(card: Card) -> str:
    """Return the plain words of a card, never empty."""
    return line(to_words(shorten(card.fallback, SUMMARY_MAX))) or "…"


def _parted(parts: Sequence[TeamsPart]) -> Iterator[list[TeamsPart]]:
    """Yield the text, then the card: of an activity with both Teams makes two messages, and tells the id of neither."""
    for of_text in (True, False):
        if alike := [part for part in parts if isinstance(part.shown, str) is of_text]:
            yield alike


def _message(card: Card, parts: Sequence[TeamsPart], said: str, *, at: int, of: int) -> TeamsDrawn:
    text = "\n\n".join(part.shown for part in parts if isinstance(part.shown, str))
    body = [part.shown for part in parts if not isinstance(part.shown, str)]
    said = said if at == 1 else f"{said} ({at}/{of})"
    answers = any(isinstance(block, Rating) for block in card.blocks)
    return TeamsDrawn(
        text,
        _framed(body, said, card.language) if body else None,
        said,
        labelled(text, card) if answers else (),
        rated=answers and at == of,
    )


def _framed(body: list[CardElement], said: str, language: str) -> Json:
    wide = TeamsCardProperties(width="full") if any(isinstance(element, _WIDE) for element in body) else None
    card = AdaptiveCard(version="1.5", lang=language, fallback_text=said, speak=said, body=body, msteams=wide)
    return as_json(card)
