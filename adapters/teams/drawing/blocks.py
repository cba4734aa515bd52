"""The blocks of a card as elements of an Adaptive Card, each small enough for a message."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from microsoft_teams.cards.core import (
    Action,
    ActionSet,
    CardElement,
    Column,
    ColumnSet,
    Fact,
    FactSet,
    RichTextBlock,
    TextBlock,
    TextColor,
    TextRun,
)

from adapters.cards import (
    Block,
    Button,
    Buttons,
    Card,
    Chart,
    Code,
    Facts,
    Heading,
    Image,
    Link,
    Note,
    Rating,
    Source,
    Sources,
    Suggestions,
    Table,
    Text,
    Tone,
)
from adapters.markdown.splitting import split_markdown, split_words
from adapters.markdown.text import shorten, size
from adapters.outbound.packing import Keep, Shortening
from adapters.teams.config import TeamsConfig
from adapters.teams.drawing import sections
from adapters.teams.drawing.data import data
from adapters.teams.drawing.elements import button, suggestion
from adapters.teams.drawing.packing import TeamsPart, weight
from adapters.teams.drawing.passages import PIECE, passages
from adapters.teams.drawing.text import exact, harmless, line, link, plain

HEADING_MAX, TITLE_MAX, BADGE_MAX, LINE_MAX = 2_000, 500, 100, 2_000
NAME_MAX, VALUE_MAX, FACTS_MAX = 200, 1_000, 6_000
#: Teams shows six buttons of a set.
ACTIONS_MAX, ACTIONS_WEIGHT = 6, 12_000
_PLACE_MAX, _AGE_MAX, _QUOTE_MAX = 250, 60, 600

#: Clients draw "Warning" and "Good" in yellow and light green, which nobody reads on white: their signs say it.
_COLORS: dict[Tone, TextColor] = {
    "neutral": "Default",
    "info": "Accent",
    "good": "Default",
    "warn": "Default",
    "bad": "Attention",
}
_SIGNS: dict[Tone, str] = {"neutral": "", "info": "ℹ️ ", "good": "✅ ", "warn": "⚠️ ", "bad": "❌ "}


@dataclass
class TeamsDrawer:
    """Draws the blocks of one card."""

    config: TeamsConfig
    piece: int = PIECE

    def parts(self, card: Card) -> Iterator[TeamsPart]:
        """Yield what the card is drawn as; the text that an answer begins with is the message's own."""
        blocks = list(card.blocks)
        if any(isinstance(block, Rating) for block in blocks):
            while blocks and isinstance(first := blocks[0], Text):
                said, rest = sections.message_text(first.markdown)
                del blocks[0]
                yield from (TeamsPart(each, Keep.FLOW) for each in split_markdown(said, self.piece))
                if rest.strip():
                    yield from passages(rest, piece=self.piece)
                    break
        for at, block in enumerate(blocks):
            for part in self._parts(block):
                yield _apart(part) if at and isinstance(block, Heading) else part

    def _parts(self, block: Block) -> Iterator[TeamsPart]:  # noqa: C901 - one case for each kind of block
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
                    yield TeamsPart(_small(each, tone))
            case Buttons(items=items):
                yield from _actions(items, self.config)
            case Suggestions():
                yield from _suggestions(block)
            case Rating():
                return
            case Table() | Code() | Chart() | Image():
                yield from data(block)
            case _:
                assert_never(block)


def notice(shortening: Shortening, config: TeamsConfig) -> list[TeamsPart]:
    """Return the line that says that something is missing."""
    said = TeamsPart(_small(line(shortening.words) or "…"), Keep.ACTION)
    return [said, *_actions([shortening.link], config)] if shortening.link else [said]


def _heading(block: Heading) -> Iterator[TeamsPart]:
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
        yield TeamsPart(shown, Keep.ACTION, leads=True)
    for each in more:
        yield TeamsPart(title.model_copy(update={"text": exact(each)}), Keep.ACTION, leads=True)


def _facts(rows: Sequence[tuple[str, str]]) -> Iterator[TeamsPart]:
    """Yield names and values; values of many words stand below their name."""
    facts: list[Fact] = []
    for label, value in rows:
        name, said = shorten(line(label), NAME_MAX), plain(value).strip() or "–"
        if size(said) > VALUE_MAX:
            yield from _set_of(facts)
            facts = []
            yield TeamsPart(RichTextBlock(inlines=[TextRun(text=name or "–", weight="Bolder")]), leads=True)
            yield from (TeamsPart(RichTextBlock(inlines=[TextRun(text=each)])) for each in split_words(said, PIECE))
            continue
        fact = Fact(title=exact(name) or "–", value=exact(said))
        if facts and weight(FactSet(facts=[*facts, fact])) > FACTS_MAX:
            yield from _set_of(facts)
            facts = []
        facts.append(fact)
    yield from _set_of(facts)


def _set_of(facts: Sequence[Fact]) -> Iterator[TeamsPart]:
    if facts:
        yield TeamsPart(FactSet(facts=list(facts)))


def _sources(block: Sources) -> Iterator[TeamsPart]:
    label = line(block.label)
    if label and block.items:
        run = TextRun(text=shorten(label, _PLACE_MAX), size="Small", weight="Bolder")
        yield TeamsPart(RichTextBlock(inlines=[run]), leads=True)
    for item in block.items:
        yield TeamsPart(TextBlock(text=_source(item), wrap=True, size="Small", spacing="Small"), Keep.FLOW)


def _source(item: Source) -> str:
    """Return `[1] Title > Section · age` over the quote."""
    named = link(shorten(item.place, _PLACE_MAX), item.url)
    age = f" · {exact(shorten(line(item.age), _AGE_MAX))}" if item.age.strip() else ""
    quote = harmless(shorten(" ".join(item.quoted.split()), _QUOTE_MAX))
    return f"**[{item.number}]** {named}{age}" + (f"  \n“{quote}”" if quote else "")


def _suggestions(block: Suggestions) -> Iterator[TeamsPart]:
    label = shorten(line(block.label), LINE_MAX)
    if label and block.items:
        yield TeamsPart(_small(label), Keep.FLOW, leads=True)
    drawn = (suggestion(item) for item in block.items if item.strip())
    yield from (replace(part, keep=Keep.FLOW) for part in _rows(drawn))


def _actions(items: Iterable[Button | Link], config: TeamsConfig) -> Iterator[TeamsPart]:
    drawn = [(item, button(item, config)) for item in items]
    yield from _rows(action for _item, action in drawn if action is not None)
    for item, action in drawn:
        if action is None:  # a link that cannot be followed is drawn as words
            address = f": {item.url}" if isinstance(item, Link) else ""
            yield TeamsPart(_small(shorten(line(f"{item.label}{address}"), LINE_MAX) or "…"))


def _rows(actions: Iterable[Action]) -> Iterator[TeamsPart]:
    row: list[Action] = []
    for action in actions:
        if len(row) == ACTIONS_MAX or (row and weight(ActionSet(actions=[*row, action])) > ACTIONS_WEIGHT):
            yield TeamsPart(ActionSet(actions=row), Keep.ACTION)
            row = []
        row.append(action)
    if row:
        yield TeamsPart(ActionSet(actions=row), Keep.ACTION)


def _small(text: str, tone: Tone = "neutral") -> RichTextBlock:
    subtle = True if tone == "neutral" else None
    run = TextRun(text=text, size="Small", is_subtle=subtle, color=None if subtle else _COLORS[tone])
    return RichTextBlock(inlines=[run])


def _apart(part: TeamsPart) -> TeamsPart:
    """Return a heading with a line above it."""
    if isinstance(part.shown, str):
        return part
    return replace(part, shown=part.shown.model_copy(update={"separator": True, "spacing": "Large"}))
