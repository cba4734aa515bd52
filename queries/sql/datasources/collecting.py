"""What becomes of the cells that a database sends: few enough, light enough, and of kinds that everybody can show."""

import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from math import isfinite

from queries.sql.datasource import Value

#: What a number, a date or an empty cell weighs, in bytes.
_SMALL = 16
#: Rows that are fetched at once at most: memory for rows that are much heavier than those before them.
_BATCH = 100


class Collected:
    """Takes rows until there are more than anybody asked for, in number or in bytes."""

    def __init__(self, *, most_rows: int, most_bytes: int) -> None:
        self.rows: list[tuple[Value, ...]] = []
        self.bytes = 0
        self.truncated = False
        self._most_rows = most_rows
        self._most_bytes = most_bytes

    def take(self, rows: Iterable[Sequence[object]]) -> bool:
        """Add rows; tell whether there is room for more."""
        for row in rows:
            shown = tuple(shown_as(cell) for cell in row)
            self.bytes += sum(len(cell.encode()) if isinstance(cell, str) else _SMALL for cell in shown)
            if len(self.rows) >= self._most_rows or self.bytes > self._most_bytes:
                self.truncated = True
                return False
            self.rows.append(shown)
        return True

    @property
    def left(self) -> int:
        """Return how many rows to fetch next: one more than asked for at the end, few while they weigh much."""
        weight = max(1, self.bytes // max(1, len(self.rows)))
        wanted = self._most_rows + 1 - len(self.rows)
        return max(1, min(wanted, (self._most_bytes - self.bytes) // weight, 4 * len(self.rows), _BATCH))


def shown_as(cell: object) -> Value:
    """Return a cell as one of the kinds that everything after this knows; others as the text that people know."""
    if isinstance(cell, float | Decimal) and not isfinite(cell):
        return str(cell)
    if cell is None or isinstance(cell, str | int | float | Decimal | date | datetime):  # bool is an int
        return cell
    if isinstance(cell, bytes | bytearray | memoryview):
        return bytes(cell).hex()
    if isinstance(cell, list | tuple | dict):
        return json.dumps(cell, ensure_ascii=False, default=str)
    return str(cell)
