"""Cards to lines of plain text. Every line that comes from outside is cleaned of control characters."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

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
    Sources,
    Suggestions,
    Table,
    Text,
)
from adapters.markdown import plain

#: How a line wants to look; the writer decides what that means on its screen.
Style = Literal["choice", "error", "heading", "note", "status", "text"]

#: Words between single marks of emphasis.
_EMPHASIS = re.compile(r"(?<![\w*\\])\*(?![\s*])([^*\n]{1,80})(?<!\s)\*(?![\w*])")
#: A sign that Markdown would take for its own, and the mark that keeps it from doing so.
_ESCAPED = re.compile(r"\\([\\`*_\[\]<>|~&.()+-])")


@dataclass(frozen=True)
class Say:
    """A suggestion: choosing it sends its text."""

    text: str


@dataclass(frozen=True)
class TerminalRating:
    """A judgement of an answer; thumbs down asks for a reason."""

    rating: Rating
    verdict: Literal["up", "down"]


Choice = Button | Say | TerminalRating
#: Gives a choice its number for the whole session.
Offer = Callable[[Choice], int]


@dataclass(frozen=True)
class TerminalLine:
    """One line of a drawn card."""

    text: str
    style: Style


def draw(card: Card, offer: Offer, *, already: str = "") -> Iterator[TerminalLine]:
    """Yield a card's lines; text that `already` stands on the screen is left out."""
    for block in card.blocks:
        if isinstance(block, Text) and already and block.markdown.startswith(already):
            rest, already = block.markdown[len(already) :], ""
            yield from (TerminalLine(typed(line), "text") for line in rest.split("\n") if rest)
        else:
            yield from draw_block(block, offer)


def typed(line: str) -> str:
    """Return a line of Markdown as somebody would type it: without escapes and marks of emphasis."""
    return _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\1", line.replace("**", "")))


def draw_block(block: Block, offer: Offer) -> Iterator[TerminalLine]:
    """Yield the lines of one block."""
    match block:
        case Text(markdown=markdown):
            yield from (TerminalLine(typed(line), "text") for line in markdown.split("\n"))
        case Heading(text=text, badge=badge):
            yield TerminalLine(f"{text} [{badge}]" if badge else text, "heading")
        case Facts(rows=rows):
            yield from (TerminalLine(f"  {label}: {value}", "text") for label, value in rows)
        case Sources():
            yield from _draw_sources(block)
        case Note(text=text):
            yield TerminalLine(text, "note")
        case Buttons(items=items):
            yield from (_draw_button(item, offer) for item in items)
        case Suggestions(label=label, items=suggestions):
            yield from (TerminalLine(each, "note") for each in (label,) if each)
            yield from (_numbered(text, Say(text), offer) for text in suggestions)
        case Rating(up=up, down=down):
            yield _numbered(up, TerminalRating(block, "up"), offer)
            yield _numbered(down, TerminalRating(block, "down"), offer)
        case Table() | Code() | Chart() | Image():
            yield from (TerminalLine(line, "text") for each in plain.lines(block) for line in each.split("\n"))
        case _:
            assert_never(block)


def printed(streamed: str) -> int:
    """Return how many characters of a stream stand on the screen: those up to the last line end."""
    return streamed.rfind("\n") + 1


def printable(text: str) -> str:
    """Return the text without control characters: what others wrote must not steer the terminal."""
    return "".join(character for character in text if character in "\n\t" or character.isprintable())


def _draw_button(item: Button | Link, offer: Offer) -> TerminalLine:
    if isinstance(item, Link):
        return TerminalLine(f"  {item.label}: {item.url}", "text")
    return _numbered(item.label, item, offer)


def _numbered(label: str, choice: Choice, offer: Offer) -> TerminalLine:
    return TerminalLine(f"  {offer(choice)}) {label}", "choice")


def _draw_sources(sources: Sources) -> Iterator[TerminalLine]:
    yield TerminalLine(sources.label, "note")
    for item in sources.items:
        age = f" ({item.age})" if item.age else ""
        yield TerminalLine(f"  [{item.number}] {item.place}{age}", "text")
        if item.quoted:
            yield TerminalLine(f"      “{' '.join(item.quoted.split())}”", "note")
        if item.url:
            yield TerminalLine(f"      {item.url}", "note")
