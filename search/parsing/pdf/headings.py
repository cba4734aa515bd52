"""Where the sections of a PDF file begin: each page is one.

Inside a page headings are what the file's outline names, else numbered clauses, else lines in larger letters.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from search.parsing.blocks import Block, HeadingBlock, TableBlock, inline
from search.parsing.markdown.clauses import with_headings
from search.parsing.pdf.layout import PdfPiece

Pages = Mapping[int, Sequence[PdfPiece]]

#: Letters this much larger than most of the text are those of a heading.
_LARGER = 1.12
_LONGEST = 150
_MOST_LINES = 3
_MOST_LEVELS = 4
#: When more than this share of the text would be headings, letters of several sizes mean something else.
_MOST_HEADINGS = 0.4
#: Above the headings of a page stands the page.
_FIRST_LEVEL = 2
_NUMBER = re.compile(r"^\s*(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])[.)]?\s+|^\s*第\s*\S{1,5}\s*[编篇章节条]\s*")
_LETTER = re.compile(r"[^\W\d_]")


def headed(pages: Pages, page_name: str, *, outline: Mapping[tuple[int, str], int]) -> list[Block]:
    """Return all blocks, with the page's name above each page; `outline` holds depths by page and letters."""
    plain = _in_pages({page: [piece.block for piece in pieces] for page, pieces in pages.items()}, page_name)
    depths = {
        (page, place): outline.get((page, letters_of(piece.text)))
        for page, pieces in pages.items()
        for place, piece in enumerate(pieces)
    }
    if any(depth is not None for depth in depths.values()):
        return _in_pages(_named(pages, depths), page_name)
    numbered = with_headings(plain, level=_FIRST_LEVEL)
    if numbered != plain:
        return numbered
    levels = _levels(pages)
    depths = {
        (page, place): levels.get(_rounded(piece)) if _may_head(piece) else None
        for page, pieces in pages.items()
        for place, piece in enumerate(pieces)
    }
    return _in_pages(_named(pages, depths), page_name)


def title_of(pages: Pages) -> str:
    """Return the one heading on the first page in the largest letters of all, or ""."""
    first = next(iter(pages.values()))
    largest = max(_rounded(piece) for pieces in pages.values() for piece in pieces)
    found = [piece for piece in first if _may_head(piece) and _rounded(piece) == largest]
    return found[0].text if len(found) == 1 and _levels(pages).get(largest) == 0 else ""


def letters_of(text: str) -> str:
    """Return what of a heading is the same in the outline and on the page: its letters, without a number before."""
    return "".join(letter for letter in (_NUMBER.sub("", text) or text).lower() if letter.isalnum())


def _in_pages(pages: Mapping[int, Sequence[Block]], page_name: str) -> list[Block]:
    return [block for page, blocks in pages.items() for block in (HeadingBlock(1, page_name.format(page)), *blocks)]


def _named(pages: Pages, depths: Mapping[tuple[int, int], int | None]) -> dict[int, list[Block]]:
    """Return the blocks of each page; those that have a depth, by their page and their place on it, are headings."""
    return {
        page: [_headed(piece, depths[page, place]) for place, piece in enumerate(pieces)]
        for page, pieces in pages.items()
    }


def _headed(piece: PdfPiece, depth: int | None) -> Block:
    if depth is None or isinstance(piece.block, TableBlock):
        return piece.block
    return HeadingBlock(_FIRST_LEVEL + depth, inline(piece.text))


def _levels(pages: Pages) -> dict[float, int]:
    """Return the depth of each size of letters that headings have; none when there is no such thing."""
    every = [piece for pieces in pages.values() for piece in pieces]
    written: Counter[float] = Counter()
    for piece in every:
        written[_rounded(piece)] += len(piece.text)
    usual = written.most_common(1)[0][0]
    heads = [piece for piece in every if _may_head(piece) and piece.size >= usual * _LARGER]
    if sum(len(piece.text) for piece in heads) > _MOST_HEADINGS * sum(written.values()):
        return {}
    sizes = sorted({_rounded(piece) for piece in heads}, reverse=True)
    return {size: min(depth, _MOST_LEVELS - 1) for depth, size in enumerate(sizes)}


def _may_head(piece: PdfPiece) -> bool:
    return (
        not isinstance(piece.block, TableBlock)
        and piece.lines <= _MOST_LINES
        and len(piece.text) <= _LONGEST
        and _LETTER.search(piece.text) is not None
    )


def _rounded(piece: PdfPiece) -> float:
    return round(piece.size * 2) / 2
