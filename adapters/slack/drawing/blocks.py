"""A neutral card as messages of Block Kit, every limit of Slack's kept before anything is sent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, assert_never

from slack_sdk.models.blocks import (
    ActionsBlock,
    Block,
    ButtonElement,
    ContextBlock,
    HeaderBlock,
    MarkdownBlock,
    MarkdownTextObject,
    PlainTextObject,
    SectionBlock,
)

from adapters.cards import Block as CardBlock
from adapters.cards import (
    Button,
    Buttons,
    Card,
    Chart,
    Code,
    Facts,
    Heading,
    Image,
    Language,
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
from adapters.markdown import plain as plain_text
from adapters.markdown.splitting import split_markdown, split_words
from adapters.markdown.text import shorten, size, web_address
from adapters.outbound.packing import Keep, Shortening, pack, shortened
from adapters.slack.drawing import data, elements
from adapters.slack.drawing.dialect import mrkdwn, mrkdwn_pieces, words
from adapters.slack.drawing.packing import MESSAGE, SlackPart, weight
from adapters.slack.drawing.text import escaped, link_words, markdown, plain

FALLBACK_MAX = 4_000
#: A card becomes at most so many messages before it is shortened.
MESSAGES = 3
HEADER_MAX, LINE_MAX, SECTION_MAX = 150, 2_900, 3_000
FIELDS_MAX, FIELD_MAX, ACTIONS_MAX = 10, 2_000, 25
#: One block of Markdown leaves room for a heading in its message; pieces are small where some have to be left out.
PIECE, SMALL_PIECE = 9_000, 1_500
#: What one block with several texts or buttons holds.
_BLOCK_WEIGHT = 6_000
_QUOTE_MAX, _PLACE_MAX, _AGE_MAX = 600, 250, 60

_DOTS: dict[Tone, str] = {"neutral": "⚪", "info": "🔵", "good": "🟢", "warn": "🟡", "bad": "🔴"}
_SIGNS: dict[Tone, str] = {"neutral": "", "info": "ℹ️ ", "good": "✅ ", "warn": "⚠️ ", "bad": "❌ "}


@dataclass(frozen=True)
class SlackDrawn:
    """One message: its blocks, and the plain text for notifications and screen readers."""

    blocks: tuple[Block, ...]
    text: str

    def payload(self) -> dict[str, Any]:
        """Return both as the arguments of a call."""
        return {"blocks": [block.to_dict() for block in self.blocks], "text": self.text}

    def words(self) -> dict[str, Any]:
        """Return the plain text alone."""
        return {"text": self.text}


def draw(card: Card, shortening: Shortening, *, messages: int = MESSAGES) -> tuple[SlackDrawn, ...]:
    """Return a card as one to `messages` messages; buttons and headings are left out last."""
    parts = list(SlackDrawer(card.language).parts(card.blocks))
    packed = pack(parts, MESSAGE)
    if len(packed) > messages:
        parts = list(SlackDrawer(card.language, piece=SMALL_PIECE).parts(card.blocks))
        packed = shortened(parts, MESSAGE, messages=messages, notice=notice(shortening))
    text = fallback(card)
    texts = [text, *(shorten(text, FALLBACK_MAX - 20) + f" ({at}/{len(packed)})" for at in range(2, len(packed) + 1))]
    drawn = (SlackDrawn(tuple(part.block for part in each), said) for each, said in zip(packed, texts, strict=False))
    return tuple(drawn) or (SlackDrawn((_line(text),), text),)


def unsaid(card: Card, shown: str) -> tuple[str, Card] | None:
    """Return the Markdown that is still to be streamed after `shown`, and the card of all else; None if they differ."""
    first, *rest = card.blocks or (Text(""),)
    said = markdown(first.markdown) if isinstance(first, Text) else None
    if said is None or not said.startswith(shown):
        return None
    return said[len(shown) :], replace(card, blocks=tuple(rest))


def fallback(card: Card) -> str:
    """Return the plain text of a card, never empty."""
    said = shorten(card.fallback, FALLBACK_MAX // 8)
    text = words(said).strip() or "…"
    return text if size(text) <= FALLBACK_MAX else escaped(said)  # each character may need five


def notice(shortening: Shortening) -> list[SlackPart]:
    """Return the line that says that something is missing."""
    parts = [SlackPart(_line(plain(shortening.words).strip() or "…"), Keep.ACTION)]
    link = None if shortening.link is None else elements.button(shortening.link, 0)
    return [*parts, SlackPart(ActionsBlock(elements=[link]), Keep.ACTION)] if link else parts


@dataclass
class SlackDrawer:
    """Draws the blocks of one card; `markdown_blocks` and thumbs exist in messages only."""

    language: Language
    piece: int = PIECE
    message: bool = True
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def parts(self, blocks: Iterable[CardBlock]) -> Iterator[SlackPart]:
        """Yield Slack's blocks for the card's."""
        for block in blocks:
            yield from self._parts(block)

    def _parts(self, block: CardBlock) -> Iterator[SlackPart]:  # noqa: C901 - one case for each kind of block
        match block:
            case Text():
                yield from self._text(block)
            case Heading():
                yield from _heading(block)
            case Facts(rows=rows):
                yield from _facts(rows)
            case Sources():
                yield from _sources(block)
            case Note():
                for piece in split_words(plain(_SIGNS[block.tone] + block.text.strip()), LINE_MAX):
                    yield SlackPart(_line(piece))
            case Buttons(items=items):
                yield from self._buttons(items)
            case Suggestions():
                yield from self._suggestions(block)
            case Rating():
                drawn = elements.rating(block, next(self.numbers), language=self.language, thumbs=self.message)
                yield from (SlackPart(each, Keep.ACTION) for each in (drawn,) if each)
            case Table() | Code() | Chart() | Image():
                yield from self._data(block)
            case _:
                assert_never(block)

    def _data(self, block: Table | Code | Chart | Image) -> Iterator[SlackPart]:
        """Yield Slack's own blocks where a message can hold them, else plain lines."""
        match block:
            case Code():
                yield from data.title(block.title)
                yield from self._text(Text(plain_text.fenced(block)))
            case Table():
                yield from (data.table(block) if self.message else None) or self._data(plain_text.as_code(block))
            case Chart():
                yield from (data.chart(block) if self.message else None) or self._data(plain_text.as_code(block))
            case Image():
                yield from self._parts(Note("\n".join(plain_text.lines(block))))
            case _:
                assert_never(block)

    def _text(self, block: Text) -> Iterator[SlackPart]:
        if self.message:
            for piece in split_markdown(markdown(block.markdown), self.piece):
                yield SlackPart(MarkdownBlock(text=piece), Keep.FLOW)
        else:
            for piece in mrkdwn_pieces(block.markdown, SECTION_MAX):
                yield SlackPart(SectionBlock(text=MarkdownTextObject(text=piece)), Keep.FLOW)

    def _buttons(self, items: Sequence[Button | Link]) -> Iterator[SlackPart]:
        drawn = [(item, elements.button(item, next(self.numbers))) for item in items]
        yield from _actions(button for _item, button in drawn if button is not None)
        for item, button in drawn:
            if button is None:  # a link that cannot be followed is drawn as words
                address = f": {item.url}" if isinstance(item, Link) else ""
                yield SlackPart(_line(shorten(plain(f"{item.label}{address}").strip(), LINE_MAX) or "…"))

    def _suggestions(self, block: Suggestions) -> Iterator[SlackPart]:
        label = shorten(plain(block.label).strip(), LINE_MAX)
        if label and block.items:
            yield SlackPart(_line(label), Keep.FLOW, leads=True)
        buttons = [elements.suggestion(item, next(self.numbers)) for item in block.items if item.strip()]
        yield from (replace(part, keep=Keep.FLOW) for part in _actions(buttons))


def _heading(block: Heading) -> Iterator[SlackPart]:
    title = " ".join(plain(block.text).split())
    if title and size(title) <= HEADER_MAX:
        yield SlackPart(HeaderBlock(text=PlainTextObject(text=title)), Keep.ACTION, leads=True)
    else:
        for piece in split_words(title, SECTION_MAX):
            yield SlackPart(SectionBlock(text=PlainTextObject(text=piece)), Keep.ACTION, leads=True)
    badge = " ".join(plain(block.badge or "").split())
    if badge:
        yield SlackPart(_line(f"{_DOTS[block.tone]} {shorten(badge, HEADER_MAX)}"), Keep.ACTION, leads=True)


def _facts(rows: Sequence[tuple[str, str]]) -> Iterator[SlackPart]:
    """Yield two columns: labels in bold, values exactly as they are; values of many words stand below their label."""
    columns: list[MarkdownTextObject | PlainTextObject] = []
    for label, value in rows:
        name, said = shorten(" ".join(label.split()), LINE_MAX // 10), plain(value).strip() or "–"
        if size(said) > FIELD_MAX:
            yield from _fields(columns)
            columns = []
            yield SlackPart(_line(plain(name) or "–"), leads=True)
            yield from (
                SlackPart(SectionBlock(text=PlainTextObject(text=each))) for each in split_words(said, SECTION_MAX)
            )
            continue
        held = sum(size(each.text or "") for each in columns)
        if len(columns) + 2 > FIELDS_MAX or held + size(said) > _BLOCK_WEIGHT:
            yield from _fields(columns)
            columns = []
        columns += [MarkdownTextObject(text=_bold(name)), PlainTextObject(text=said)]
    yield from _fields(columns)


def _fields(columns: Sequence[MarkdownTextObject | PlainTextObject]) -> Iterator[SlackPart]:
    if columns:
        yield SlackPart(SectionBlock(fields=list(columns)))


def _sources(block: Sources) -> Iterator[SlackPart]:
    if plain(block.label).strip() and block.items:
        label = MarkdownTextObject(text=_bold(shorten(block.label.strip(), _PLACE_MAX)))
        yield SlackPart(ContextBlock(elements=[label]), leads=True)
    for item in block.items:
        yield SlackPart(ContextBlock(elements=[MarkdownTextObject(text=_source(item))]), Keep.FLOW)


def _source(item: Source) -> str:
    """Return `[1] Title > Section · age` over the quote, within one line's room."""
    shown = link_words(shorten(item.place, _PLACE_MAX))
    link = f"<{escaped(web_address(item.url) or '')}|{shown}>"
    named = shown if link.startswith("<|") or size(link) > LINE_MAX // 2 else link
    age = f" · {escaped(shorten(' '.join(item.age.split()), _AGE_MAX))}" if item.age else ""
    quote = mrkdwn(shorten(" ".join(item.quoted.split()), _QUOTE_MAX))
    quoted = f"\n“{quote}”" if quote and size(quote) <= LINE_MAX // 3 else ""
    return f"*[{item.number}]* {named}{age}{quoted}"


def _actions(buttons: Iterable[ButtonElement]) -> Iterator[SlackPart]:
    row: list[ButtonElement] = []
    for button in buttons:
        if len(row) == ACTIONS_MAX or (row and weight(ActionsBlock(elements=[*row, button])) > _BLOCK_WEIGHT):
            yield SlackPart(ActionsBlock(elements=row), Keep.ACTION)
            row = []
        row.append(button)
    if row:
        yield SlackPart(ActionsBlock(elements=row), Keep.ACTION)


def _bold(text: str) -> str:
    said = " ".join(escaped(text).split())
    return f"*{said}*" if said else "–"


def _line(text: str) -> ContextBlock:
    return ContextBlock(elements=[PlainTextObject(text=text)])
