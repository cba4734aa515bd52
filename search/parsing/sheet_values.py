"""What the cells of a sheet show, and which of its rows belong together."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from decimal import ROUND_HALF_UP, Decimal

_DECIMALS = re.compile(r"\.(0+)")
_QUOTED = re.compile(r'"[^"]*"|\\.')
#: Longer whole numbers than Excel can hold exactly are no numbers of something.
_LONG = 1e18
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
    return Table(tuple(rows[:titles]), rows[titles], tuple(rows[titles + 1 :]))


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
