"""What a file consists of before it is Markdown: headings, paragraphs, items, code, tables. Texts are `inline` ones.

Plain words become Markdown that shows them as they were written. Only what would be taken for markup is escaped, so
that a passage stays near the original and can be quoted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

#: Marks of where a word may be broken, which would part it for whoever looks for it.
_UNSEEN = str.maketrans({"\u00ad": "", "\u200b": "", "\u2060": "", "\ufeff": "", "\0": "\ufffd"})
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)", re.MULTILINE)
_STARS = re.compile(r"(?<![*\\])\*+")
_UNDERSCORES = re.compile(r"(?<!_)_+")
_ENTITY = re.compile(r"&(?=(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_START = re.compile(
    r"#{1,6}(?=\s|$)|>|~{3}|<(?=[A-Za-z/!?])|\[(?=[^\]]+\]:)|[|:=_-](?=[|:=_\s-]*$)|[-+](?=$)|\*(?=\s|$)",
)
_LIST_MARK = re.compile(r"(?:[-+]|\d{1,9}[.)])[ \t]+")
_BARE_NUMBER = re.compile(r"\d{1,9}[.)]")

#: Characters that stay in an address between the brackets of a link.
SAFE = "/:?#@!$&'+,;=%~._-"


def inline(text: str) -> str:
    """Return text that shows as written inside a paragraph, a heading or a cell."""
    text = _BACKSLASH.sub(r"\\\\", text.translate(_UNSEEN))
    if "*" in text:
        text = _STARS.sub(lambda found: _outside_words(found, text), text)
    if "_" in text:
        text = _UNDERSCORES.sub(lambda found: _inside_words(found, text), text)
    text = _ENTITY.sub(r"\\&", text)
    last = text.rfind(">") + 1  # what no ">" ends is no tag
    text = _TAG.sub(r"\\<", text[:last]) + text[last:]
    return text.replace("`", "\\`").replace("](", "]\\(")


def line(text: str) -> str:
    """Return a line of `inline` text that begins nothing new: no heading, quote, fence, rule, table or HTML.

    The marks of lists stay, since a list is what they mean in plain text, too.
    """
    text = text.strip()
    if mark := _LIST_MARK.match(text):
        return text[: mark.end()] + line(text[mark.end() :])
    if _BARE_NUMBER.fullmatch(text):
        return f"{text[:-1]}\\{text[-1]}"
    return f"\\{text}" if _START.match(text) else text


def cell(text: str) -> str:
    """Return `inline` text that fits into a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def _outside_words(found: re.Match[str], text: str) -> str:
    """Escape stars unless white space is on both sides: those begin and end no emphasis."""
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    alone = len(found[0]) == 1 and bool(before) and before.isspace() and before != "\n" and after.isspace()
    return found[0] if alone else "\\*" * len(found[0])


def _inside_words(found: re.Match[str], text: str) -> str:
    """Escape underscores but for those inside a word (`snake_case`), which mean nothing to Markdown."""
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    return found[0] if before.isalnum() and after.isalnum() else "\\_" * len(found[0])


_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])\Z")
_DEEPEST = 6  # of Markdown's headings


@dataclass(frozen=True)
class HeadingBlock:
    """A heading; `level` is 1 for the outermost, and deeper than 6 counts as 6."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """Running text; its line ends are meant."""

    text: str


@dataclass(frozen=True)
class ListItem:
    """One item of a list, `depth` 0 for the outermost; `mark` is what stands before it, "" for a bullet."""

    text: str
    depth: int = 0
    mark: str = ""


@dataclass(frozen=True)
class CodeBlock:
    """Text whose every space counts; it is not escaped."""

    text: str


@dataclass(frozen=True)
class TableBlock:
    """Rows of cells; the first row is the header."""

    rows: tuple[tuple[str, ...], ...]


Block = HeadingBlock | Paragraph | ListItem | CodeBlock | TableBlock


def to_markdown(blocks: Iterable[Block]) -> str:
    """Return the blocks as one Markdown text; what is empty is left out."""
    parts: list[str] = []
    before: Block | None = None
    depth = -1
    for block in blocks:
        depth = min(block.depth, depth + 1) if isinstance(block, ListItem) else -1
        if not (text := _written(block, depth)):
            continue
        if parts:
            parts.append("\n" if isinstance(block, ListItem) and isinstance(before, ListItem) else "\n\n")
        parts.append(text)
        before = block
    return "".join(parts)


def _written(block: Block, depth: int) -> str:
    match block:
        case HeadingBlock():
            text = " ".join(block.text.split())
            return f"{'#' * min(max(block.level, 1), _DEEPEST)} {_heading(text)}" if text else ""
        case Paragraph():
            return _lines(block.text)
        case ListItem():
            mark = block.mark if _MARKER.match(block.mark) else "-"
            said = block.text if mark == block.mark or not block.mark else f"{block.mark} {block.text}"
            indent = "    " * max(depth, 0)
            return f"{indent}{mark} {_lines(said, indent=indent + ' ' * (len(mark) + 1))}" if said.strip() else ""
        case CodeBlock():
            return fenced(block.text)
        case TableBlock():
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


#: Empty cells by which the rows of a table are made as wide as its widest.
_MOST_FILLED = 200_000


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a pipe table, as wide as the widest; where that would take too much, short ones stay short.

    Markdown takes a short row as one whose last cells are empty.
    """
    filled = [[cell(text) for text in row] for row in rows]
    filled = [row for row in filled if any(row)]
    if not filled:
        return ""
    width = max(len(row) for row in filled)
    lacking = sum(width - len(row) for row in filled)
    widths = [width if lacking <= _MOST_FILLED or number == 0 else len(row) for number, row in enumerate(filled)]
    lines = ("| " + " | ".join([*row, *[""] * (to - len(row))]) + " |" for row, to in zip(filled, widths, strict=True))
    head, *body = lines
    return "\n".join([head, "| " + " | ".join(["---"] * width) + " |", *body])


def _heading(text: str) -> str:
    """Keep a closing run of `#`, which Markdown would drop, and `{#…}`, which would name the anchor."""
    text = re.sub(r"(?<=\s)(#+)$", r"\\\1", text)
    return text.replace("{#", "{\\#")


def _lines(text: str, *, indent: str = "") -> str:
    """Return lines that stay lines when they are shown (two spaces at the end); empty ones are left out."""
    found = [line(each) for each in text.split("\n")]
    return f"  \n{indent}".join(each for each in found if each)
