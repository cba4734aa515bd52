"""The lines of a PDF page: what each says and where it stands."""

import ctypes
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pypdfium2
import pypdfium2.raw as pdfium

#: White space between two words that is wider than this many times the letters' size parts two columns.
_GUTTER = 0.9
#: What PDFium returns for a hyphen at the end of a line that it takes for one of layout.
_HYPHENS = {0x02, 0xFFFE, 0xAD}


@dataclass(frozen=True)
class Cell:
    """A stretch of a line without a wide gap; `left` and `right` in points."""

    text: str
    left: float
    right: float


@dataclass(frozen=True)
class Line:
    """One line in reading order, cut where it has wide gaps; `base` and `size` (of its letters) in points."""

    cells: tuple[Cell, ...]
    base: float  # where the letters stand, from the bottom of the page
    size: float
    hyphen: bool = False  # its last word goes on in the next line

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


def lines_of(page: pypdfium2.PdfTextPage) -> Iterator[Line]:
    """Yield the lines of a page as PDFium orders them."""
    codes = [pdfium.FPDFText_GetUnicode(page, place) for place in range(page.count_chars())]
    start = 0
    for place, code in enumerate([*codes, 0x0A]):
        if code in {0x0A, 0x0D}:
            if line := _line(page, codes, start, place):
                yield line
            start = place + 1


def _line(page: pypdfium2.PdfTextPage, codes: Sequence[int], start: int, end: int) -> Line | None:
    words = _words(codes, start, end)
    if not words:
        return None
    size = _size(page, words[0][0])
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
    base = _base(page, words[0][0])
    return Line(tuple(cells), base=base, size=size, hyphen=codes[words[-1][1]] in _HYPHENS)


def _words(codes: Sequence[int], start: int, end: int) -> list[tuple[int, int]]:
    """Return the first and the last place of each word."""
    words: list[tuple[int, int]] = []
    first = -1
    for place in range(start, end + 1):
        if place == end or codes[place] in {0x20, 0xA0, 0x09, 0x3000, 0}:
            if first >= 0:
                words.append((first, place - 1))
            first = -1
        elif first < 0:
            first = place
    return words


def _size(page: pypdfium2.PdfTextPage, place: int) -> float:
    """Return the size of a letter as it is drawn: its font's size, stretched as the page says."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(page, place, matrix)
    stretched = pdfium.FPDFText_GetFontSize(page, place) * math.hypot(matrix.c, matrix.d)
    return float(max(abs(stretched), 0.1))


def _base(page: pypdfium2.PdfTextPage, place: int) -> float:
    across, up = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(page, place, across, up)
    return float(up.value)


def _edges(page: pypdfium2.PdfTextPage, place: int) -> tuple[float, float]:
    """Return where a letter begins and ends, with the room that its font gives it."""
    rectangle = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(page, place, rectangle)
    return rectangle.left, rectangle.right


def _text(codes: Sequence[int]) -> str:
    """Return the letters; halves of a letter outside the basic plane are put together."""
    text = "".join("-" if code in _HYPHENS else chr(code) for code in codes if code <= 0x10FFFF)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
