"""What a file consists of before it is Markdown: headings, paragraphs, items, code, tables. Texts are `inline` ones."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from search.parsing.literal import cell, line

_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])\Z")
_DEEPEST = 6  # of Markdown's headings


@dataclass(frozen=True)
class Heading:
    """A heading; `level` is 1 for the outermost, and deeper than 6 counts as 6."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Running text; its line ends are meant."""

    text: str


@dataclass(frozen=True)
class Item:
    """One item of a list, `depth` 0 for the outermost; `mark` is what stands before it, "" for a bullet."""

    text: str
    depth: int = 0
    mark: str = ""


@dataclass(frozen=True)
class Code:
    """Text whose every space counts; it is not escaped."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of cells; the first row is the header."""

    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Item | Code | Table


def to_markdown(blocks: Iterable[Block]) -> str:
    """Return the blocks as one Markdown text; what is empty is left out."""
    parts: list[str] = []
    before: Block | None = None
    depth = -1
    for block in blocks:
        depth = min(block.depth, depth + 1) if isinstance(block, Item) else -1
        if not (text := _written(block, depth)):
            continue
        if parts:
            parts.append("\n" if isinstance(block, Item) and isinstance(before, Item) else "\n\n")
        parts.append(text)
        before = block
    return "".join(parts)


def _written(block: Block, depth: int) -> str:
    match block:
        case Heading():
            text = " ".join(block.text.split())
            return f"{'#' * min(max(block.level, 1), _DEEPEST)} {_heading(text)}" if text else ""
        case Paragraph():
            return _lines(block.text)
        case Item():
            mark = block.mark if _MARKER.match(block.mark) else "-"
            said = block.text if mark == block.mark or not block.mark else f"{block.mark} {block.text}"
            indent = "    " * max(depth, 0)
            return f"{indent}{mark} {_lines(said, indent=indent + ' ' * (len(mark) + 1))}" if said.strip() else ""
        case Code():
            return fenced(block.text)
        case Table():
            return table(block.rows)
        case _:
            assert_never(block)


def fenced(text: str) -> str:
    """Return code between fences that nothing inside closes."""
    body = text.expandtabs(4).strip("\n")
    if not body.strip():
        return ""
    longest = max((len(run) for run in re.findall(r"`{3,}", body)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{body}\n{fence}"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a pipe table, all as wide as the widest."""
    filled = [[cell(text) for text in row] for row in rows]
    filled = [row for row in filled if any(row)]
    if not filled:
        return ""
    width = max(len(row) for row in filled)
    head, *body = ["| " + " | ".join([*row, *[""] * (width - len(row))]) + " |" for row in filled]
    return "\n".join([head, "| " + " | ".join(["---"] * width) + " |", *body])


def _heading(text: str) -> str:
    """Keep a closing run of `#`, which Markdown would drop, and `{#…}`, which would name the anchor."""
    text = re.sub(r"(?<=\s)(#+)$", r"\\\1", text)
    return text.replace("{#", "{\\#")


def _lines(text: str, *, indent: str = "") -> str:
    """Return lines that stay lines when they are shown (two spaces at the end); empty ones are left out."""
    found = [line(each) for each in text.split("\n")]
    return f"  \n{indent}".join(each for each in found if each)
