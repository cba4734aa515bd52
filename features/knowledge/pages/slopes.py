"""A picture of how each leg ranked each passage: lines from leg to leg to the order that came of them. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search.ranking.explanation import Explained, Leg

#: Height of a row and width of a column, in units of 1/16 rem; room for the names of the rows.
ROW, COLUMN, NAMES = 28, 76, 76


@dataclass(frozen=True)
class Dot:
    """Where a line meets a column; `rank` is empty in the rows without a rank of their own."""

    x: int
    y: int
    rank: str


@dataclass(frozen=True)
class Line:
    """One passage on its way through the columns."""

    number: int
    dots: tuple[Dot, ...]

    @property
    def points(self) -> str:
        """Return the line's corners as SVG writes them."""
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)


@dataclass(frozen=True)
class Slopes:
    """The picture. Below the rows of ranks lies one for later ranks, and one for what a leg did not find."""

    columns: tuple[tuple[str, int], ...]  # name and place; the last, unnamed one is the order in the end
    lines: tuple[Line, ...]
    rows: int  # ranks that have a row of their own

    @property
    def width(self) -> int:
        """Return the width in units."""
        return NAMES + COLUMN * len(self.columns)

    @property
    def height(self) -> int:
        """Return the height in units, with the line of the columns' names."""
        return ROW * (self.rows + 3)

    @property
    def later(self) -> int:
        """Return the place of the row of later ranks."""
        return _row(self.rows + 1)

    @property
    def absent(self) -> int:
        """Return the place of the row of what was not found."""
        return _row(self.rows + 2)


def slopes(legs: Sequence[Leg], hits: Sequence[Explained]) -> Slopes:
    """Draw the hits; legs that stayed out have no column."""
    names = [leg.name for leg in legs if leg.absence is None]
    columns = tuple((name, NAMES + COLUMN * place + COLUMN // 2) for place, name in enumerate([*names, ""]))
    rows = len(hits)
    lines = (Line(number, tuple(_dots(columns, each, number, rows=rows))) for number, each in enumerate(hits, start=1))
    return Slopes(columns=columns, lines=tuple(lines), rows=rows)


def _dots(columns: Sequence[tuple[str, int]], hit: Explained, number: int, *, rows: int) -> Iterator[Dot]:
    for name, x in columns:
        found = hit.places.get(name)
        if not name:
            yield Dot(x, _row(number), str(number))
        elif found is None:
            yield Dot(x, _row(rows + 2), "")
        elif found.rank > rows:
            yield Dot(x, _row(rows + 1), "")
        else:
            yield Dot(x, _row(found.rank), str(found.rank))


def _row(number: int) -> int:
    return ROW * number + ROW // 2
