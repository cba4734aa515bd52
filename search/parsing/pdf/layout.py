"""Lines of a PDF page to paragraphs, items and tables, judged by where they stand."""

import math
import re
import statistics
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from search.parsing.blocks import Block, CodeBlock, ListItem, Paragraph, TableBlock, inline
from search.parsing.markdown.clauses import label_of
from search.parsing.pdf.grid import grid_at
from search.parsing.pdf.lines import PdfLine
from search.parsing.text.reader import bullet, ends_sentence, joined

#: Stands where a word is parted at the end of a line; a noncharacter, so that no page holds it.
HYPHEN = "\ufdd1"
_PARTED = re.compile(rf"(?<![^\W{HYPHEN}])([^\W{HYPHEN}]++){HYPHEN}([^\W{HYPHEN}]+)")
#: A line further below the one before than this many times the usual distance begins a paragraph.
_APART = 1.35
#: Sizes that differ less are the same.
_SAME_SIZE = 0.12
#: Lines of code further below one another have an empty line between them.
_EMPTY_LINE = 1.9
#: Lines whose left edges differ less, in letters' sizes, stand in one column.
_SAME_EDGE = 3.0
#: Up to this rank a number is that of a chapter, a section or an article (第五条).
_CLAUSE = 3
#: Of ten or more lines that begin at one edge, this share ends inside their column; others run across the page.
_WITHIN = 0.9


@dataclass(frozen=True)
class PdfPiece:
    """A block of a page, with the size of its letters and how many lines it took."""

    block: Block
    text: str  # without escapes
    size: float
    lines: int


def pieces_of(lines: Sequence[PdfLine], *, with_code: bool = True) -> Iterator[PdfPiece]:
    """Yield the blocks of a page in reading order; `with_code` says that lines in a font of fixed width are code."""
    usual = _usual_distance(lines)
    at = 0
    run: list[PdfLine] = []
    while at < len(lines):
        whole = (_code(lines, at) if with_code else None) or _table(lines, at)
        if whole is None:
            run.append(lines[at])
            at += 1
            continue
        yield from _paragraphs(run, lines, usual=usual)
        run = []
        yield whole
        at += whole.lines
    yield from _paragraphs(run, lines, usual=usual)


def _table(lines: Sequence[PdfLine], at: int) -> PdfPiece | None:
    grid = grid_at(lines, at)
    if grid is None:
        return None
    rows = tuple(tuple(inline(cell) for cell in row) for row in grid.rows)
    return PdfPiece(TableBlock(rows), " ".join(cell for row in grid.rows for cell in row), lines[at].size, grid.lines)


def _code(lines: Sequence[PdfLine], at: int) -> PdfPiece | None:
    """Return the lines of code that begin with a line; their indents and gaps are set in spaces again."""
    found: list[PdfLine] = []
    for line in lines[at:]:
        if not line.fixed or (found and line.base >= found[-1].base):
            break
        found.append(line)
    if not found:
        return None
    letter = statistics.median((line.cells[0].right - line.cells[0].left) / len(line.cells[0].text) for line in found)
    margin = min(line.left for line in found)
    text: list[str] = []
    for line, above in zip(found, [found[0], *found], strict=False):
        if above.base - line.base > _EMPTY_LINE * line.size:
            text.append("")
        text.append(_spaced(line, margin=margin, letter=max(letter, 0.1)))
    return PdfPiece(CodeBlock("\n".join(text)), "\n".join(line.text for line in found), found[0].size, len(found))


def _spaced(line: PdfLine, *, margin: float, letter: float) -> str:
    text = ""
    for cell in line.cells:
        column = round((cell.left - margin) / letter)
        text += " " * max(column - len(text), 1 if text else 0) + cell.text
    return text + ("-" if line.hyphen else "")


def _usual_distance(lines: Sequence[PdfLine]) -> float:
    """Return how far below one another lines of the same size usually stand."""
    distances = [
        above.base - below.base
        for above, below in pairwise(lines)
        if 0 < above.base - below.base < 4 * above.size and _alike(above, below)
    ]
    return statistics.median_low(distances) if distances else 0.0


def _alike(one: PdfLine, other: PdfLine) -> bool:
    return abs(one.size - other.size) <= _SAME_SIZE * max(one.size, other.size)


def _paragraphs(run: Sequence[PdfLine], page: Sequence[PdfLine], *, usual: float) -> Iterator[PdfPiece]:
    growing = _GrowingPiece(page, usual)
    for line in run:
        if growing.lines and growing.ends_before(line):
            yield growing.ended()
        growing.take(line)
    if growing.lines:
        yield growing.ended()


@dataclass
class _GrowingPiece:
    """A paragraph or item that is still growing, line by line."""

    page: Sequence[PdfLine]
    usual: float
    lines: list[PdfLine] = field(default_factory=list)

    def take(self, line: PdfLine) -> None:
        self.lines.append(line)

    def ends_before(self, line: PdfLine) -> bool:
        """Say whether a line begins something new."""
        last = self.lines[-1]
        distance = last.base - line.base
        if not _alike(last, line) or distance <= 0 or distance > _APART * max(self.usual, last.size * 0.9):
            return True
        if bullet(line.text) is not None:
            return True
        if bullet(self.lines[0].text) is None and line.left - self._edge() > line.size * 0.9 and len(self.lines) > 1:
            return True
        label = label_of(line.text)
        if label is not None and label.rank <= _CLAUSE and not label.english and ends_sentence(last.text):
            return True
        fits = self._room(last) > _first_word(line) + last.size * 0.5
        return fits and (ends_sentence(last.text) or self._room(last) > 4 * last.size or label is not None)

    def ended(self) -> PdfPiece:
        """Return what has grown, and begin anew."""
        lines, self.lines = self.lines, []
        text = _joined(lines)
        item = bullet(text)
        block: Block = Paragraph(inline(text)) if item is None else ListItem(inline(item[1]), mark=item[0])
        return PdfPiece(block, text, lines[0].size, len(lines))

    def _edge(self) -> float:
        return min(line.left for line in self.lines)

    def _room(self, line: PdfLine) -> float:
        """Return how much of its column a line leaves empty."""
        column = [other.right for other in self.page if abs(other.left - line.left) < _SAME_EDGE * line.size]
        return sorted(column)[math.ceil(len(column) * _WITHIN) - 1] - line.right


def _first_word(line: PdfLine) -> float:
    """Return about how wide the first word is: what would have stood in the line before, had there been room."""
    text = line.text
    letters = len(text.partition(" ")[0]) if text.isascii() else 1
    return (line.right - line.left) * min(letters, len(text)) / max(len(text), 1)


def _joined(lines: Sequence[PdfLine]) -> str:
    """Return the lines as one; a word that goes on in the next line is parted by a `HYPHEN`."""
    parts: list[str] = []
    for line, above in zip(lines, [None, *lines], strict=False):
        if above is not None and above.hyphen:
            parts[-1] += HYPHEN + line.text
        else:
            parts.append(line.text)
    return joined(parts) + ("-" if lines[-1].hyphen else "")


def rejoined(text: str, words: Container[str]) -> str:
    """Return a text in which words that were parted at the end of a line are whole again.

    Its hyphen is kept where it belongs to the word: where the file, whose `words` are given, writes it so elsewhere,
    or never writes it as one word and a part of it is no plain lower-case word.
    """
    return _PARTED.sub(lambda found: _whole(found[1], found[2], words), text).replace(HYPHEN, "-")


def _whole(before: str, after: str, words: Container[str]) -> str:
    together, hyphened = before + after, f"{before}-{after}"
    if hyphened in words:
        return hyphened
    plain = before.isalpha() and after.isalpha() and after.islower()
    return together if together in words or plain else hyphened
