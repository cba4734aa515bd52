"""The lines of a PDF page: what each says and where it stands.

Text without extent gets a place, so that what is read does not depend on the machine's fonts. When a font is neither
embedded nor installed (the Chinese fonts of PDF readers mostly are not), PDFium has no glyphs for its letters and
their boxes are empty. It then leaves out a letter that stands alone, and a long line that says the same as one a
little above it, which it takes for the same line drawn twice (`CPDF_TextPage::ProcessTextObject`).
"""

import ctypes
import math
import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

#: White space between two words that is wider than this many times the letters' size parts two columns.
_GUTTER = 0.9
_LINE_ENDS = frozenset({0x0A, 0x0D})
_SPACES = frozenset({0x00, 0x09, 0x20, 0xA0, 0x3000})
#: What PDFium returns for a hyphen at the end of a line; it has no line end then.
_HYPHENS = frozenset({0x02, 0xFFFE})
_LAST_LATIN = 0x24F
_FIXED_PITCH = 1
_FIXED_NAME = re.compile(rb"mono|courier|consol|menlo|typewriter|cmtt", re.IGNORECASE)
_LONGEST_NAME = 128
#: Words of a line whose size is looked at.
_SAMPLE = 9


@dataclass(frozen=True)
class Cell:
    """A stretch of a line without a wide gap; `left` and `right` in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True)
class PdfLine:
    """One line in reading order, cut where it has wide gaps; `base` and `size` (of its letters) in points."""

    cells: tuple[Cell, ...]
    base: float  # where the letters stand, from the bottom of the page
    size: float
    fixed: bool = False  # all letters of its font are as wide as one another, as in code
    hyphen: bool = False  # its last word had a hyphen, which is left out, and goes on in the next line

    @property
    def text(self) -> str:
        """Return the whole line."""
        return " ".join(cell.text for cell in self.cells)

    @property
    def left(self) -> float:
        """Return where it begins."""
        return self.cells[0].left

    @property
    def right(self) -> float:
        """Return where it ends."""
        return self.cells[-1].right


def lines_of(page: pypdfium2.PdfTextPage) -> Iterator[PdfLine]:
    """Yield the lines of a page as PDFium orders them."""
    codes = [pdfium.FPDFText_GetUnicode(page, place) for place in range(page.count_chars())]
    start = 0
    for place, code in enumerate([*codes, 0x0A]):
        if code in _LINE_ENDS or code in _HYPHENS:
            if line := _line(page, codes, start, place, hyphen=code in _HYPHENS):
                yield line
            start = place + 1


def _line(page: pypdfium2.PdfTextPage, codes: Sequence[int], start: int, end: int, *, hyphen: bool) -> PdfLine | None:
    words = _words(codes, start, end)
    if not words:
        return None
    size = _size(page, [first for first, _ in words])
    cells: list[Cell] = []
    parts: list[str] = []
    left = right = _edges(page, words[0][0])[0]
    for first, last in words:
        begin, stop = _edges(page, first)[0], _edges(page, last)[1]
        if parts and begin - right > _GUTTER * size:
            cells.append(Cell(" ".join(parts), left, right))
            parts, left = [], begin
        parts.append(_text(codes[first : last + 1]))
        right = stop
    cells.append(Cell(" ".join(parts), left, right))
    fixed = all(_is_fixed(page, word[0]) for word in (words[0], words[len(words) // 2], words[-1]))
    return PdfLine(tuple(cells), base=_base(page, words[0][0]), size=size, fixed=fixed, hyphen=hyphen)


def _words(codes: Sequence[int], start: int, end: int) -> list[tuple[int, int]]:
    """Return the first and the last place of each word."""
    words: list[tuple[int, int]] = []
    first = -1
    for place in range(start, end + 1):
        if place == end or codes[place] in _SPACES:
            if first >= 0:
                words.append((first, place - 1))
            first = -1
        elif first < 0:
            first = place
    return words


def _size(page: pypdfium2.PdfTextPage, places: Sequence[int]) -> float:
    """Return the size in which most of these letters are drawn: their font's size, stretched as the page says."""
    sizes: list[float] = []
    for place in places[:: max(1, len(places) // _SAMPLE)]:
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(page, place, matrix)
        sizes.append(abs(pdfium.FPDFText_GetFontSize(page, place) * math.hypot(matrix.c, matrix.d)))
    return max(statistics.median_high(sizes), 0.1)


def _base(page: pypdfium2.PdfTextPage, place: int) -> float:
    across, up = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(page, place, across, up)
    return float(up.value)


def _is_fixed(page: pypdfium2.PdfTextPage, place: int) -> bool:
    """Say whether a letter is of a font for code; Chinese fonts are fixed, too, and mean nothing by it."""
    if pdfium.FPDFText_GetUnicode(page, place) > _LAST_LATIN:
        return False
    flags, name = ctypes.c_int(), ctypes.create_string_buffer(_LONGEST_NAME)
    pdfium.FPDFText_GetFontInfo(page, place, name, _LONGEST_NAME, flags)
    return bool(flags.value & _FIXED_PITCH) or _FIXED_NAME.search(name.value) is not None


def _edges(page: pypdfium2.PdfTextPage, place: int) -> tuple[float, float]:
    """Return where a letter begins and ends, with the room that its font gives it."""
    rectangle = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(page, place, rectangle)
    return rectangle.left, rectangle.right


def _text(codes: Sequence[int]) -> str:
    """Return the letters; halves of a letter outside the basic plane are put together."""
    text = "".join(chr(code) for code in codes if code <= 0x10FFFF)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


#: As low as this, in points, a box is empty; PDFium's own limit for the width.
_EMPTY = 0.01
#: The height that an empty box gets, in letters' sizes: lines of text do not touch each other then.
_HEIGHT = 0.6
#: Text may stand in forms within forms.
_DEPTH = 15
_IDENTITY = pdfium.FS_MATRIX(1, 0, 0, 1, 0, 0)


def give_extent(page: pypdfium2.PdfPage) -> None:
    """Widen the empty boxes of the page's text by a stroke, which nobody draws: the page is only read."""
    for text in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=_DEPTH):
        left, bottom, right, top = text.get_bounds()
        if right - left >= _EMPTY and top - bottom >= _EMPTY:
            continue
        pdfium.FPDFTextObj_SetTextRenderMode(text, pdfium.FPDF_TEXTRENDERMODE_STROKE)
        pdfium.FPDFPageObj_SetStrokeWidth(text, _HEIGHT * _extent_size(text))
        pdfium.FPDFPageObj_TransformF(text, _IDENTITY)  # makes PDFium compute the box anew


def _extent_size(text: pypdfium2.PdfObject) -> float:
    """Return the size of the letters in points."""
    size, matrix = ctypes.c_float(), pdfium.FS_MATRIX()
    pdfium.FPDFTextObj_GetFontSize(text, size)
    pdfium.FPDFPageObj_GetMatrix(text, matrix)
    return abs(size.value * math.hypot(matrix.c, matrix.d))
