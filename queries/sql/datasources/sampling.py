"""Which values of a column are shown to whoever writes the catalogue: those of columns that have few."""

from collections.abc import Collection
from dataclasses import replace

from queries.sql.datasource import LiveColumn

#: A column with more values than this gets none of them shown; rows that are looked at for that.
FEW, LOOKED_AT = 20, 100_000
#: A longer value is a text somebody wrote, and no name of a kind.
_LONGEST = 60


def samples_of(column: LiveColumn, values: Collection[str]) -> LiveColumn:
    """Return the column with its values, when they are few and short; `values` holds one more than FEW at most."""
    if len(values) > FEW:
        return column
    found = replace(column, distinct=len(values))
    if not values or any(len(value) > _LONGEST or not value.strip() for value in values):
        return found
    return replace(found, samples=tuple(sorted(values)))
