"""What the cells of a sheet show, and which of its rows belong together."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from decimal import ROUND_HALF_UP, Decimal
from itertools import zip_longest

_DECIMALS = re.compile(r"\.(0+)")
_QUOTED = re.compile(r'"[^"]*"|\\.')
#: Longer whole numbers than Excel can hold exactly are no numbers of something.
_LONG = 1e18
_LETTER = re.compile(r"[^\W\d_]")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True)
class Row:
    """One row that says something: its number in the sheet, from 1, and its cells' texts from the first column on."""

    number: int
    cells: tuple[str, ...]

    @property
    def filled(self) -> int:
        """Return how many cells say something."""
        return sum(bool(cell) for cell in self.cells)


@dataclass(frozen=True)
class Table:
    """Rows without an empty one between them: titles above (one cell each), the header, and the rows below it."""

    titles: tuple[Row, ...]
    header: Row | None
    body: tuple[Row, ...]

    @property
    def rows(self) -> tuple[Row, ...]:
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


def tables_of(rows: Iterable[Row]) -> Iterator[Table]:
    """Yield the tables of a sheet; `rows` are in order, and rows that say nothing part tables."""
    group: list[Row] = []
    for row in rows:
        if row.filled:
            group.append(row)
        elif group:
            yield _table(group)
            group = []
    if group:
        yield _table(group)


def ranges_of(table: Table, most: int) -> Iterator[tuple[Row, ...]]:
    """Yield the rows below the header in stretches of at most about `most` tokens with the header; no row is cut."""
    left = most - (_tokens(table.header) if table.header else 0)
    stretch: list[Row] = []
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


def _table(rows: Sequence[Row]) -> Table:
    wide = max(row.filled for row in rows)
    titles = 0
    while wide > 1 and titles < len(rows) and rows[titles].filled == 1:
        titles += 1
    if wide == 1:  # lines of text
        return Table(tuple(rows), None, ())
    if len(rows) - titles < 2:  # a row that heads nothing
        return Table(tuple(rows[:titles]), None, tuple(rows[titles:]))
    header, *body = rows[titles:]
    if len(body) > 1 and _goes_on(header, body[0]):
        header, body = _together(header, body[0]), body[1:]
    return Table(tuple(rows[:titles]), header, tuple(body))


def _goes_on(header: Row, below: Row) -> bool:
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


def _together(header: Row, below: Row) -> Row:
    cells: list[str] = []
    above = ""
    for own, under in zip_longest(header.cells, below.cells, fillvalue=""):
        above = own or above
        cells.append(f"{above} {under}" if under else own)
    return Row(header.number, tuple(cells))


def _tokens(row: Row) -> int:
    """Return about how many tokens an embedding model makes of a row."""
    text = "".join(row.cells)
    chinese = len(_CJK.findall(text))
    return chinese + (len(text) - chinese) // 3 + 2 * len(row.cells)


def _number(value: float, number_format: str) -> str:
    if "%" in _QUOTED.sub("", number_format):
        found = _DECIMALS.search(number_format)
        step = Decimal(1).scaleb(-len(found[1])) if found else Decimal(1)
        return f"{(Decimal(str(value)) * 100).quantize(step, ROUND_HALF_UP)}%"
    return str(int(value)) if float(value).is_integer() and abs(value) < _LONG else f"{value:.15g}"
