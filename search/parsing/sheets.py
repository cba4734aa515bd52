"""An Excel workbook to Markdown: each sheet a heading, its tables in ranges of rows, each range below the header."""

import math
import re
import sys
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, time
from decimal import ROUND_HALF_UP, Context, Decimal
from io import BytesIO
from itertools import zip_longest

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from language.scripts import language_of
from search.errors import FileUnreadable, Reason
from search.parsing.blocks import Block, HeadingBlock, Paragraph, TableBlock, inline, to_markdown
from search.parsing.contents import BROKEN_ARCHIVE
from search.parsing.converted import Converted, own_title
from search.parsing.markdown.front_matter import day_of

_DECIMALS = re.compile(r"\.(0+)")
_QUOTED = re.compile(r'"[^"]*"|\\.')
#: Longer whole numbers than Excel can hold exactly are no numbers of something.
_LONG = 1e18
#: Digits of the longest number that a cell holds, with room for its places.
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)
_LETTER = re.compile(r"[^\W\d_]")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True)
class SheetRow:
    """One row that says something: its number in the sheet, from 1, and its cells' texts from the first column on."""

    number: int
    cells: tuple[str, ...]

    @property
    def filled(self) -> int:
        """Return how many cells say something."""
        return sum(bool(cell) for cell in self.cells)


@dataclass(frozen=True)
class SheetTable:
    """Rows without an empty one between them: titles above (one cell each), the header, and the rows below it."""

    titles: tuple[SheetRow, ...]
    header: SheetRow | None
    body: tuple[SheetRow, ...]

    @property
    def repeats_header(self) -> bool:
        """Tell whether the header stands above each range of rows: a long one would be most of the page."""
        return self.header is not None and _tokens(self.header) <= _LONGEST_HEADER

    @property
    def rows(self) -> tuple[SheetRow, ...]:
        """Return every row."""
        return (*self.titles, *((self.header,) if self.header else ()), *self.body)

    @property
    def columns(self) -> tuple[int, ...]:
        """Return the columns, from 0, in which the header or a row below it says something."""
        rows = self.rows[len(self.titles) :]
        return tuple(sorted({column for row in rows for column, cell in enumerate(row.cells) if cell}))


def shown(value: object, number_format: str = "General") -> str:
    """Return what a cell shows: days as ISO, percentages with their sign, numbers without what floats add."""
    match value:
        case None:
            text = ""
        case bool():
            text = str(value).upper()
        case int() | float():
            text = _number(value, number_format)
        case datetime():
            text = value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
        case time():
            text = value.isoformat("minutes")
        case _:
            text = str(value)
    return " ".join(text.split())


def tables_of(rows: Iterable[SheetRow]) -> Iterator[SheetTable]:
    """Yield the tables of a sheet; `rows` are in order, and rows that say nothing part tables."""
    group: list[SheetRow] = []
    for row in rows:
        if row.filled:
            group.append(row)
        elif group:
            yield _table(group)
            group = []
    if group:
        yield _table(group)


def ranges_of(table: SheetTable, most: int) -> Iterator[tuple[SheetRow, ...]]:
    """Yield the rows below the header in stretches of at most about `most` tokens with the header; no row is cut."""
    left = most - (_tokens(table.header) if table.header and table.repeats_header else 0)
    stretch: list[SheetRow] = []
    total = 0
    for row in table.body:
        tokens = _tokens(row)
        if stretch and total + tokens > left:
            yield tuple(stretch)
            stretch, total = [], 0
        stretch.append(row)
        total += tokens
    if stretch:
        yield tuple(stretch)


def _table(rows: Sequence[SheetRow]) -> SheetTable:
    wide = max(row.filled for row in rows)
    titles = 0
    while wide > 1 and titles < len(rows) and rows[titles].filled == 1:
        titles += 1
    if wide == 1:  # lines of text
        return SheetTable(tuple(rows), None, ())
    if len(rows) - titles < 2:  # a row that heads nothing
        return SheetTable(tuple(rows[:titles]), None, tuple(rows[titles:]))
    header, *body = rows[titles:]
    if len(body) > 1 and _goes_on(header, body[0]):
        header, body = _together(header, body[0]), body[1:]
    return SheetTable(tuple(rows[:titles]), header, tuple(body))


def _goes_on(header: SheetRow, below: SheetRow) -> bool:
    """Say whether a header has a second row, which names the columns below cells that stand above several.

    Its first cell is empty then, as is the one beside each cell that stands above several.
    """
    pairs = list(zip_longest(header.cells, below.cells, fillvalue=""))
    first = next((place for place, (above, under) in enumerate(pairs) if above or under), 0)
    return (
        bool(pairs[first][0])
        and not pairs[first][1]
        and any(under and not above for above, under in pairs)
        and all(_LETTER.search(under) for _, under in pairs if under)
    )


def _together(header: SheetRow, below: SheetRow) -> SheetRow:
    cells: list[str] = []
    above = ""
    for own, under in zip_longest(header.cells, below.cells, fillvalue=""):
        above = own or above
        cells.append(f"{above} {under}" if under else own)
    return SheetRow(header.number, tuple(cells))


def _tokens(row: SheetRow) -> int:
    """Return about how many tokens an embedding model makes of a row."""
    text = "".join(row.cells)
    chinese = len(_CJK.findall(text))
    return chinese + (len(text) - chinese) // 3 + 2 * len(row.cells)


def _number(value: float, number_format: str) -> str:
    if abs(value) > sys.float_info.max:  # of no program that calculates: written as it stands
        return str(value)
    if "%" in _QUOTED.sub("", number_format) and not math.isnan(value):
        found = _DECIMALS.search(number_format)
        places = min(len(found[1]), sys.float_info.dig) if found else 0
        percent = _EXACT.multiply(Decimal(str(value)), 100)
        return f"{_EXACT.quantize(percent, Decimal(1).scaleb(-places))}%"
    return str(int(value)) if float(value).is_integer() and abs(value) < _LONG else f"{value:.15g}"


_ROWS_NAMES = {"zh": "第 {} 行"}
_ROWS_NAME = "Rows {}"
#: Tokens of one range: it fits the window of the smallest embedding model with its title and section above it.
_RANGE = 180
#: Tokens of the longest header that is repeated above each range.
_LONGEST_HEADER = 2_000
_MACROS, _PROPERTIES = "vbaProject", "docProps/core.xml"
_BROKEN = (
    InvalidFileException,
    *BROKEN_ARCHIVE,
    SyntaxError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
)


def convert(content: bytes) -> Converted:
    """Return a workbook as Markdown; raises `FileUnreadable`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of parts that are not read, such as checks of what may be typed in
        try:
            with closing(openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True)) as book:
                return _converted(book, parts=_parts(content))
        except _BROKEN as error:
            raise FileUnreadable("is broken: it is no Excel file that can be opened", Reason.BROKEN) from error


def _converted(book: openpyxl.Workbook, *, parts: Sequence[str]) -> Converted:
    hidden = [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]
    sheets = {sheet.title: list(tables_of(_rows(sheet))) for sheet in book.worksheets if sheet.title not in hidden}
    remark = f"has hidden sheets, which were left out: {', '.join(hidden)}" if hidden else ""
    said = [cell for tables in sheets.values() for table in tables for row in table.rows for cell in row.cells if cell]
    if not said:
        raise FileUnreadable("; ".join(filter(None, ("holds no text", remark))), Reason.NO_TEXT)
    if any(_MACROS in part for part in parts):
        remark = "; ".join(filter(None, (remark, "holds macros, which were left out; its text was read")))
    rows_name = _ROWS_NAMES.get(language_of("\n".join((*sheets, *said))), _ROWS_NAME)
    named = book.properties if _PROPERTIES in parts else None  # else the library makes some up
    return Converted(
        markdown=to_markdown(block for name, tables in sheets.items() for block in _sheet(name, tables, rows_name)),
        title=own_title(named.title) if named is not None else "",
        updated=day_of(named.modified) if named is not None else None,
        remark=remark,
    )


def _parts(content: bytes) -> list[str]:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return archive.namelist()


def _rows(sheet: ReadOnlyWorksheet) -> Iterator[SheetRow]:
    sheet.reset_dimensions()  # some programs state fewer rows than there are
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        texts = [shown(cell.value, getattr(cell, "number_format", "") or "") for cell in cells]
        yield SheetRow(number, tuple(texts))


def _sheet(name: str, tables: Sequence[SheetTable], rows_name: str) -> Iterator[Block]:
    if not tables:
        return
    yield HeadingBlock(1, inline(name))
    for table in tables:
        yield from (Paragraph(inline(" ".join(filter(None, row.cells)))) for row in table.titles)
        first = table.header.number if table.header else 0
        for rows in ranges_of(table, _RANGE):
            start = first or rows[0].number
            span = f"{start}–{rows[-1].number}" if rows[-1].number > start else str(start)
            yield HeadingBlock(2, rows_name.format(span))
            headed = table.header is not None and (first or table.repeats_header)
            shown_rows = (table.header, *rows) if table.header and headed else rows
            used = table.columns if headed else SheetTable((), None, rows).columns
            yield TableBlock(
                tuple(
                    tuple(inline(row.cells[column]) if column < len(row.cells) else "" for column in used)
                    for row in shown_rows
                )
            )
            first = 0
