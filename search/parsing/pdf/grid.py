"""Tables on a PDF page, which draws no such thing: lines whose words stand in the same columns."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from search.parsing.pdf.lines import PdfLine
from search.parsing.text.reader import bullet, joined

#: So many lines with a word in every column make a table.
_FEWEST_ROWS = 2
#: A row further below the one before than this many times the letters' size, or the usual distance of rows, is none.
_APART = 2.5
_FURTHER = 1.5


@dataclass
class Grid:
    """The rows of a table, and how many lines they took."""

    rows: list[list[str]] = field(default_factory=list)
    lines: int = 0
    full: int = 0  # rows that have a word in every column
    lefts: list[float] = field(default_factory=list)
    rights: list[float] = field(default_factory=list)
    distance: float = 0.0


def grid_at(lines: Sequence[PdfLine], at: int) -> Grid | None:
    """Return the table that begins with a line, or None."""
    first = lines[at]
    if len(first.cells) < 2 or bullet(first.text) is not None:  # an item, its mark set apart
        return None
    grid = Grid()
    for line, above in zip(lines[at:], [first, *lines[at:]], strict=False):
        if grid.lines and not (0 < above.base - line.base <= max(_APART * line.size, _FURTHER * grid.distance)):
            break
        if not (_take_row(grid, line) or (grid.full >= _FEWEST_ROWS and _take_part(grid, line))):
            break
        grid.distance = max(grid.distance, above.base - line.base)
        grid.lines += 1
    return grid if grid.full >= _FEWEST_ROWS else None


def _take_row(grid: Grid, line: PdfLine) -> bool:
    """Take a line with a word in every column; False when it has another number, or columns would run together."""
    cells = line.cells
    if grid.rows and len(cells) != len(grid.lefts):
        return False
    lefts = [min(known, cell.left) for known, cell in zip(grid.lefts or [c.left for c in cells], cells, strict=True)]
    rights = [
        max(known, cell.right) for known, cell in zip(grid.rights or [c.right for c in cells], cells, strict=True)
    ]
    if any(left <= right for left, right in zip(lefts[1:], rights, strict=False)):
        return False
    grid.lefts, grid.rights = lefts, rights
    grid.rows.append([cell.text for cell in cells])
    grid.full += 1
    return True


def _take_part(grid: Grid, line: PdfLine) -> bool:
    """Take a line that leaves columns out: a row when it has the first one, else what follows in the cells above."""
    ends = [*grid.lefts[1:], float("inf")]
    places: list[int] = []
    for cell in line.cells:
        inside = [
            place
            for place, (left, end) in enumerate(zip(grid.lefts, ends, strict=True))
            if cell.left > left - line.size and cell.right < end
        ]
        if not inside:
            return False
        places.append(inside[0])
    if places[0] == 0:
        grid.rows.append([""] * len(grid.lefts))
    for place, cell in zip(places, line.cells, strict=True):
        grid.rows[-1][place] = joined([grid.rows[-1][place], cell.text])
    return True
