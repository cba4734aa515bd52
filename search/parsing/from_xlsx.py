"""An Excel workbook to Markdown: each sheet a heading, its tables in ranges of rows, each range below the header.

What formulas last came to is read, not the formulas. Hidden sheets are left out and told; rows and columns that are
hidden are read, since filters and groups hide them, too. Macros are not looked at.
"""

import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from io import BytesIO

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from language.scripts import language_of
from search.errors import FileUnreadable
from search.parsing.blocks import Block, Heading, Paragraph, Table, to_markdown
from search.parsing.contents import BROKEN_ARCHIVE
from search.parsing.converted import Converted, own_title
from search.parsing.dates import day_of
from search.parsing.literal import inline
from search.parsing.sheet_values import Row, ranges_of, shown, tables_of
from search.parsing.sheet_values import Table as SheetTable
from search.reasons import Reason

_ROWS_NAMES = {"zh": "第 {} 行"}
_ROWS_NAME = "Rows {}"
#: Tokens of one range: it fits the window of the smallest embedding model with its title and section above it.
_RANGE = 180
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


def _rows(sheet: ReadOnlyWorksheet) -> Iterator[Row]:
    sheet.reset_dimensions()  # some programs state fewer rows than there are
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        texts = [shown(cell.value, getattr(cell, "number_format", "") or "") for cell in cells]
        yield Row(number, tuple(texts))


def _sheet(name: str, tables: Sequence[SheetTable], rows_name: str) -> Iterator[Block]:
    if not tables:
        return
    yield Heading(1, inline(name))
    for table in tables:
        used = table.columns
        yield from (Paragraph(inline(" ".join(filter(None, row.cells)))) for row in table.titles)
        first = table.header.number if table.header else 0
        for rows in ranges_of(table, _RANGE):
            start = first or rows[0].number
            span = f"{start}–{rows[-1].number}" if rows[-1].number > start else str(start)
            yield Heading(2, rows_name.format(span))
            shown_rows = (table.header, *rows) if table.header else rows
            yield Table(tuple(_cells(row, used) for row in shown_rows))
            first = 0


def _cells(row: Row, columns: Sequence[int]) -> tuple[str, ...]:
    return tuple(inline(row.cells[column]) if column < len(row.cells) else "" for column in columns)
