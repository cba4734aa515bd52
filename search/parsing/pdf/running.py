"""Lines that run along the pages of a PDF file, at their top and bottom: names, versions, page numbers.

They are no part of the text that they interrupt. What one says is kept once, on the first page that has it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from search.parsing.pdf.lines import PdfLine

Pages = Mapping[int, Sequence[PdfLine]]

_NUMBER = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:^|\b(?:page|seite|p\.)|第|[|·/–—-])\s*(\d+)\s*(?=$|[页頁|·/–—-]|of\b|von\b)", re.IGNORECASE
)
_ONLY_NUMBERS = re.compile(r"(?:page|seite|of|von|p\.|[第页頁共总總]|[\W\d_])*", re.IGNORECASE)
#: At most so many lines run along an edge, and white space this many times their size parts them from the text.
_MOST_LINES, _GAP = 3, 1.8
#: They stand in this share of the height that is written on, at its top and its bottom.
_EDGE = 0.1
#: On so many pages, and on this share of them all, a line has to stand; left and right pages may differ.
_FEWEST, _SHARE = 3, 0.3
#: Lines whose places differ less, in points, stand in the same place.
_SAME_PLACE = 4.0
#: A number that grows with the pages is a page's number when it differs from the count of pages by no more.
_FURTHEST = 50

_Place = tuple[str, int]


@dataclass(frozen=True)
class Running:
    """The pages without such lines, and what those say, by the first page that has them."""

    pages: dict[int, list[PdfLine]]
    kept: dict[int, list[PdfLine]] = field(default_factory=dict)


def without_running(pages: Pages) -> Running:
    """Take the running lines out of all pages."""
    places: defaultdict[_Place, dict[int, PdfLine]] = defaultdict(dict)
    low, high = _edges(pages)
    for number, lines in pages.items():
        for line in _parted(lines):
            if low < line.base < high:
                continue
            places[_NUMBER.sub("#", line.text), round(line.base / _SAME_PLACE)].setdefault(number, line)
    running = [found for found in places.values() if _runs(found, len(pages))]
    gone: defaultdict[int, set[int]] = defaultdict(set)
    kept: defaultdict[int, list[PdfLine]] = defaultdict(list)
    for found in running:
        first = min(found)
        if not _ONLY_NUMBERS.fullmatch(found[first].text):
            kept[first].append(found[first])
        for number, line in found.items():
            gone[number].add(id(line))
    rest = {number: [line for line in lines if id(line) not in gone[number]] for number, lines in pages.items()}
    if not any(rest.values()):
        return Running({number: list(lines) for number, lines in pages.items()})
    return Running(rest, {number: sorted(lines, key=lambda line: -line.base) for number, lines in kept.items()})


def _edges(pages: Pages) -> tuple[float, float]:
    """Return below and above which height running lines stand."""
    heights = [line.base for lines in pages.values() for line in lines]
    low, high = min(heights), max(heights)
    return low + _EDGE * (high - low), high - _EDGE * (high - low)


def _parted(lines: Sequence[PdfLine]) -> Iterator[PdfLine]:
    """Yield the first and the last lines of a page that white space parts from its rest."""
    ordered = sorted(lines, key=lambda line: line.base)
    yield from _before_gap(ordered)
    yield from _before_gap(ordered[::-1])


def _before_gap(lines: Sequence[PdfLine]) -> Iterator[PdfLine]:
    for count, (line, after) in enumerate(pairwise(lines[: _MOST_LINES + 1]), start=1):
        if abs(after.base - line.base) > _GAP * max(line.size, after.size):
            yield from lines[:count]
            return


def _runs(found: Mapping[int, PdfLine], pages: int) -> bool:
    """Say whether a line runs along: often enough, and every number in it is the same or counts the pages."""
    if len(found) < max(_FEWEST, _SHARE * pages):
        return False
    numbers = {page: [int(number) for number in _NUMBER.findall(line.text)] for page, line in found.items()}
    return all(
        len({each[slot] for each in numbers.values()}) == 1
        or _counts({page: each[slot] for page, each in numbers.items()}, found)
        for slot in range(len(numbers[min(found)]))
    )


def _counts(numbers: Mapping[int, int], found: Mapping[int, PdfLine]) -> bool:
    """Say whether these numbers count the pages, and look like it: alone, or beside what stands beside such numbers."""
    offsets = {number - page for page, number in numbers.items()}
    return (
        len(offsets) == 1
        and abs(offsets.pop()) <= _FURTHEST
        and all(numbers[page] in _page_numbers(line) for page, line in found.items())
    )


def _page_numbers(line: PdfLine) -> set[int]:
    return {int(number) for cell in line.cells for number in _PAGE_NUMBER.findall(cell.text)}
