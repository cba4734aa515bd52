"""Markdown line by line, as what Teams draws in different ways: prose, titles, quotes, code and tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from adapters.markdown.splitting import Fence, delimits
from adapters.markdown.text import WORD_JOINER, cleaned, settled
from adapters.teams.drawing.text import harmless, unruled

_TITLE = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(?P<words>\S.*)\Z")
_QUOTE = re.compile(r"(?:(?<![ \t])|(?<=>[ \t]))[ \t]*+>[ \t]?")
#: A table is known by the first character of its head, so that a stream need not wait for the end of every line.
_HEAD = re.compile(r"[ \t>]*\|")
_PIPE = re.compile(r"(?<!\\)\|")
#: A line that may still become a title, a rule, a list, code or a table.
_OPEN_LINE = re.compile(r"[ \t>]*+(?:[-=*_+#`~]|\d{1,9}[.)]?)*+[ \t]*+\Z|[ \t]{0,3}#|[ \t>]*+\|")
_OPEN_TABLE = re.compile(r"(?:\A|\n)[ \t>]*\|[^\n]*\n[ \t>|:-]*\Z")
#: The end of a text, in which the next character can change what is before it.
_OPEN_WORD = re.compile(r"(?<![!-~])[!-~]++\Z")
#: More than three messages hold: what follows is prose, however it is written.
_SECTIONS_MAX, _COLUMNS_MAX = 400, 100
#: As much of an answer is shown while it is made as surely stands in its first message.
_GROWING_MAX = 4_000


@dataclass(frozen=True)
class Prose:
    """Paragraphs and lists, harmless."""

    markdown: str


@dataclass(frozen=True)
class Title:
    """A heading, harmless, in one line."""

    markdown: str


@dataclass(frozen=True)
class Quote:
    """What somebody else said, harmless and without its marks."""

    markdown: str


@dataclass(frozen=True)
class CodeSection:
    """Lines to be shown exactly. No Markdown is read in them, so they are not made harmless."""

    text: str
    mark: str = "```"  # a fence that no line of the text ends
    closed: bool = True


@dataclass(frozen=True)
class TableSection:
    """Cells of harmless Markdown; every row is as long as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Section = Prose | Title | Quote | CodeSection | TableSection


def sections(markdown: str) -> list[Section]:
    """Return what a text is made of, in its order."""
    return [section for section, _at in _read(cleaned(markdown).split("\n"))]


def message_text(markdown: str) -> tuple[str, str]:
    """Return the text of a message up to its first table, harmless, and the Markdown from there on."""
    lines = cleaned(markdown).split("\n")
    written: list[str] = []
    for section, at in _read(lines):
        if isinstance(section, TableSection):
            return "\n\n".join(written), "\n".join(lines[at:])
        written.append(_written(section))
    return "\n\n".join(written), ""


def growing(markdown: str) -> str:
    """Return what of an unfinished text can be shown: the beginning of what `message_text` makes of it later."""
    shown = _OPEN_WORD.sub("", settled(cleaned(markdown[:_GROWING_MAX])))
    start = shown.rfind("\n") + 1
    if _OPEN_LINE.match(shown, start):
        shown = shown[:start]
    said, rest = message_text(shown)
    if not rest and (table := _OPEN_TABLE.search(shown)):
        said = message_text(shown[: table.start()])[0]
    return said.rstrip("\n`")


def _read(lines: Sequence[str]) -> Iterator[tuple[Section, int]]:
    """Yield each section with the line where it begins."""
    prose: list[str] = []
    at = found = 0
    while at < len(lines) and found < _SECTIONS_MAX:
        section, after = _special(lines, at)
        if section is None:
            prose.append(lines[at])
        else:
            yield from _prose(prose, at)
            prose = []
            if not isinstance(section, CodeSection) or section.text.strip():
                yield section, at
                found += 1 + (len(section.rows) if isinstance(section, TableSection) else 0)
        at = after
    yield from _prose([*prose, *lines[at:]], len(lines))


def _prose(lines: Sequence[str], after: int) -> Iterator[tuple[Section, int]]:
    if said := _paragraphs(lines):
        yield Prose(said), after - len(lines)


def _special(lines: Sequence[str], at: int) -> tuple[Section | None, int]:
    """Return what begins at a line other than prose, and where it ends."""
    line = lines[at]
    if fence := Fence.of(line):
        return _code(fence, lines, at)
    if at + 1 < len(lines) and _HEAD.match(line) and line.count("|") <= _COLUMNS_MAX and delimits(lines[at + 1]):
        return _table(lines, at)
    if found := _TITLE.match(line):
        return Title(harmless(found["words"].rstrip("# \t"))), at + 1
    if _QUOTE.match(line):
        end = at + 1
        while end < len(lines) and _QUOTE.match(lines[end]) and not Fence.of(lines[end]):
            end += 1
        return Quote(_paragraphs([_QUOTE.sub("", each, count=1) for each in lines[at:end]])), end
    return None, at + 1


def _code(fence: Fence, lines: Sequence[str], at: int) -> tuple[CodeSection, int]:
    """Return the code below an opening fence, as it would stand outside of quotes, and where it ends."""
    end = next((after for after in range(at + 1, len(lines)) if fence.ends(lines[after])), len(lines))
    depth = lines[at].partition(fence.mark)[0].count(">")
    mark = "`" * len(fence.mark)
    inside = [_QUOTE.sub("", each, count=depth) if depth else each for each in lines[at + 1 : end]]
    kept = [f"{WORD_JOINER}{each}" if each.strip(" \t>").startswith(mark) else each for each in inside]
    return CodeSection("\n".join(kept), mark, closed=end < len(lines)), end + 1


def _table(lines: Sequence[str], at: int) -> tuple[TableSection, int]:
    end = at + 2
    while end < min(len(lines), at + _SECTIONS_MAX) and "|" in lines[end] and not Fence.of(lines[end]):
        end += 1
    head = _cells(lines[at])
    return TableSection(head, tuple(_cells(line, len(head)) for line in lines[at + 2 : end])), end


def _cells(line: str, columns: int = 0) -> tuple[str, ...]:
    """Return the cells of a row, as many as there are columns; what is too much stands in the last one."""
    bare = line.lstrip(" \t>").removeprefix("|").rstrip()
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    parts = [bare] if columns == 1 else _PIPE.split(bare, maxsplit=max(0, columns - 1))
    cells = [harmless(part.replace("\\|", "|").strip()) for part in parts]
    return (*cells, *("" for _ in range(columns - len(cells))))


def _paragraphs(lines: Sequence[str]) -> str:
    """Return lines as harmless Markdown in which each of them stays a line."""
    written: list[str] = []
    gap = ""
    for line in lines:
        if line.strip():
            written += [gap, unruled(line.rstrip())]
            gap = "  \n"
        elif written:
            gap = "\n\n"
    return harmless("".join(written))


def _written(section: Prose | Title | Quote | CodeSection) -> str:
    match section:
        case Prose(markdown=said):
            return said
        case Title(markdown=said):
            return said if "*" in said else f"**{said}**"
        case Quote(markdown=said):
            return "\n".join(f"> {line}" for line in said.split("\n"))
        case CodeSection(text=text, mark=mark):
            return f"{mark}\n{text}\n{mark}"
        case _:
            assert_never(section)
