"""A neutral card as messages for Teams: an answer is text with its sources, everything else an Adaptive Card 1.5."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from microsoft_teams.cards.core import (
    Action,
    ActionSet,
    AdaptiveCard,
    CardElement,
    Column,
    ColumnSet,
    Fact,
    FactSet,
    RichTextBlock,
    Table,
    TeamsCardProperties,
    TextBlock,
    TextColor,
    TextRun,
)

from adapters.cards import (
    Block,
    Button,
    Buttons,
    Card,
    Facts,
    Heading,
    Link,
    Note,
    Rating,
    Source,
    Sources,
    Suggestions,
    Text,
    Tone,
)
from adapters.markdown import to_words
from adapters.packing import Keep, Shortening, pack, shortened
from adapters.splitting import split_markdown, split_words
from adapters.teams import sections
from adapters.teams.citations import labelled
from adapters.teams.config import TeamsConfig
from adapters.teams.elements import Json, as_json, attachment, button, suggestion
from adapters.teams.packing import MESSAGE, Part, weight
from adapters.teams.passages import PIECE, SMALL_PIECE, passages
from adapters.teams.text import exact, harmless, line, link, plain
from adapters.text import shorten, size

#: A card becomes at most so many messages before it is shortened.
MESSAGES = 3
SUMMARY_MAX, HEADING_MAX, TITLE_MAX, BADGE_MAX, LINE_MAX = 300, 2_000, 500, 100, 2_000
NAME_MAX, VALUE_MAX, FACTS_MAX = 200, 1_000, 6_000
#: Teams shows six buttons of a set.
ACTIONS_MAX, ACTIONS_WEIGHT = 6, 12_000
_PLACE_MAX, _AGE_MAX, _QUOTE_MAX = 250, 60, 600

_COLORS: dict[Tone, TextColor] = {
    "neutral": "Default",
    "info": "Accent",
    "good": "Good",
    "warn": "Warning",
    "bad": "Attention",
}
_SIGNS: dict[Tone, str] = {"neutral": "", "info": "ℹ️ ", "good": "✅ ", "warn": "⚠️ ", "bad": "❌ "}


@dataclass(frozen=True)
class Drawn:
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


def draw(card: Card, shortening: Shortening, *, config: TeamsConfig, messages: int = MESSAGES) -> tuple[Drawn, ...]:
    """Return a card as one to `messages` messages, one more where text comes before a card; the last one is rated.

    Buttons and headings are left out last.
    """
    packed = pack(list(_Drawer(config).parts(card)), MESSAGE)
    if len(packed) > messages:
        parts = list(_Drawer(config, piece=SMALL_PIECE).parts(card))
        packed = shortened(parts, MESSAGE, messages=messages, notice=_notice(shortening, config))
    packed = [part for parts in packed for part in _parted(parts)] or [[Part(TextBlock(text="…", wrap=True))]]
    said = summary(card)
    return tuple(_message(card, parts, said, at=at, of=len(packed)) for at, parts in enumerate(packed, start=1))


def growing(markdown: str) -> str:
    """Return what can be shown of an answer so far: the beginning of the text that `draw` gives its first message.

    Not so for an answer that is too long for one message: where the text differs, the stream has to end first.
    """
    return sections.growing(markdown)


def summary(card: Card) -> str:
    """Return the plain words of a card, never empty."""
    return line(to_words(shorten(card.fallback, SUMMARY_MAX))) or "…"


def _parted(parts: Sequence[Part]) -> Iterator[list[Part]]:
    """Yield the text, then the card: of an activity with both Teams makes two messages, and tells the id of neither."""
    for of_text in (True, False):
        if alike := [part for part in parts if isinstance(part.shown, str) is of_text]:
            yield alike


def _message(card: Card, parts: Sequence[Part], said: str, *, at: int, of: int) -> Drawn:
    text = "\n\n".join(part.shown for part in parts if isinstance(part.shown, str))
    body = [part.shown for part in parts if not isinstance(part.shown, str)]
    said = said if at == 1 else f"{said} ({at}/{of})"
    answers = any(isinstance(block, Rating) for block in card.blocks)
    return Drawn(
        text,
        _framed(body, said, card.language) if body else None,
        said,
        labelled(text, card) if answers else (),
        rated=answers and at == of,
    )


def _framed(body: list[CardElement], said: str, language: str) -> Json:
    wide = TeamsCardProperties(width="full") if any(isinstance(each, Table) for each in body) else None
    card = AdaptiveCard(version="1.5", lang=language, fallback_text=said, speak=said, body=body, msteams=wide)
    return as_json(card)


def _notice(shortening: Shortening, config: TeamsConfig) -> list[Part]:
    """Return the line that says that something is missing."""
    said = Part(_small(line(shortening.words) or "…"), Keep.ACTION)
    return [said, *_actions([shortening.link], config)] if shortening.link else [said]


@dataclass
class _Drawer:
    config: TeamsConfig
    piece: int = PIECE

    def parts(self, card: Card) -> Iterator[Part]:
        """Yield what the card is drawn as; the text that an answer begins with is the message's own."""
        blocks = list(card.blocks)
        if any(isinstance(block, Rating) for block in blocks):
            while blocks and isinstance(first := blocks[0], Text):
                said, rest = sections.message_text(first.markdown)
                del blocks[0]
                yield from (Part(each, Keep.FLOW) for each in split_markdown(said, self.piece))
                if rest.strip():
                    yield from passages(rest, piece=self.piece)
                    break
        for block in blocks:
            yield from self._parts(block)

    def _parts(self, block: Block) -> Iterator[Part]:
        match block:
            case Text(markdown=markdown):
                yield from passages(markdown, piece=self.piece)
            case Heading():
                yield from _heading(block)
            case Facts(rows=rows):
                yield from _facts(rows)
            case Sources():
                yield from _sources(block)
            case Note(text=text, tone=tone):
                for each in split_words(plain(_SIGNS[tone] + text.strip()), LINE_MAX):
                    yield Part(_small(each, tone))
            case Buttons(items=items):
                yield from _actions(items, self.config)
            case Suggestions():
                yield from _suggestions(block)
            case Rating():
                return
            case _:
                assert_never(block)


def _heading(block: Heading) -> Iterator[Part]:
    title = TextBlock(text="", wrap=True, size="Medium", weight="Bolder", style="heading")
    first, *more = split_words(line(shorten(block.text, HEADING_MAX)), TITLE_MAX) or [""]
    shown: CardElement = title.model_copy(update={"text": exact(first)})
    badge = shorten(line(block.badge or ""), BADGE_MAX)
    if badge:
        run = TextRun(text=badge, color=_COLORS[block.tone], weight="Bolder")
        columns = [Column(width="stretch", items=[shown] if first else [])]
        columns.append(Column(width="auto", items=[RichTextBlock(inlines=[run])]))
        shown = ColumnSet(columns=columns)
    if first or badge:
        yield Part(shown, Keep.ACTION, leads=True)
    for each in more:
        yield Part(title.model_copy(update={"text": exact(each)}), Keep.ACTION, leads=True)


def _facts(rows: Sequence[tuple[str, str]]) -> Iterator[Part]:
    """Yield names and values; values of many words stand below their name."""
    facts: list[Fact] = []
    for label, value in rows:
        name, said = shorten(line(label), NAME_MAX), plain(value).strip() or "–"
        if size(said) > VALUE_MAX:
            yield from _set_of(facts)
            facts = []
            yield Part(RichTextBlock(inlines=[TextRun(text=name or "–", weight="Bolder")]), leads=True)
            yield from (Part(RichTextBlock(inlines=[TextRun(text=each)])) for each in split_words(said, PIECE))
            continue
        fact = Fact(title=exact(name) or "–", value=exact(said))
        if facts and weight(FactSet(facts=[*facts, fact])) > FACTS_MAX:
            yield from _set_of(facts)
            facts = []
        facts.append(fact)
    yield from _set_of(facts)


def _set_of(facts: Sequence[Fact]) -> Iterator[Part]:
    if facts:
        yield Part(FactSet(facts=list(facts)))


def _sources(block: Sources) -> Iterator[Part]:
    label = line(block.label)
    if label and block.items:
        run = TextRun(text=shorten(label, _PLACE_MAX), size="Small", weight="Bolder")
        yield Part(RichTextBlock(inlines=[run]), leads=True)
    for item in block.items:
        yield Part(TextBlock(text=_source(item), wrap=True, size="Small", spacing="Small"), Keep.FLOW)


def _source(item: Source) -> str:
    """Return `[1] Title > Section · age` over the quote."""
    named = link(shorten(item.place, _PLACE_MAX), item.url)
    age = f" · {exact(shorten(line(item.age), _AGE_MAX))}" if item.age.strip() else ""
    quote = harmless(shorten(" ".join(item.quote.split()), _QUOTE_MAX))
    return f"**[{item.number}]** {named}{age}" + (f"  \n“{quote}”" if quote else "")


def _suggestions(block: Suggestions) -> Iterator[Part]:
    label = shorten(line(block.label), LINE_MAX)
    if label and block.items:
        yield Part(_small(label), Keep.FLOW, leads=True)
    drawn = (suggestion(item) for item in block.items if item.strip())
    yield from (replace(part, keep=Keep.FLOW) for part in _rows(drawn))


def _actions(items: Iterable[Button | Link], config: TeamsConfig) -> Iterator[Part]:
    drawn = [(item, button(item, config)) for item in items]
    yield from _rows(action for _item, action in drawn if action is not None)
    for item, action in drawn:
        if action is None:  # a link that cannot be followed is drawn as words
            address = f": {item.url}" if isinstance(item, Link) else ""
            yield Part(_small(shorten(line(f"{item.label}{address}"), LINE_MAX) or "…"))


def _rows(actions: Iterable[Action]) -> Iterator[Part]:
    row: list[Action] = []
    for action in actions:
        if len(row) == ACTIONS_MAX or (row and weight(ActionSet(actions=[*row, action])) > ACTIONS_WEIGHT):
            yield Part(ActionSet(actions=row), Keep.ACTION)
            row = []
        row.append(action)
    if row:
        yield Part(ActionSet(actions=row), Keep.ACTION)


def _small(text: str, tone: Tone = "neutral") -> RichTextBlock:
    subtle = True if tone == "neutral" else None
    run = TextRun(text=text, size="Small", is_subtle=subtle, color=None if subtle else _COLORS[tone])
    return RichTextBlock(inlines=[run])
