"""Which values of a column are shown to whoever writes the catalogue: those of columns that have few."""

from collections.abc import Mapping
from dataclasses import replace

from queries.sql.datasource import LiveColumn

#: A column with more values than this gets none of them shown; rows that are looked at for that.
FEW, LOOKED_AT = 20, 100_000
#: A longer value is a text somebody wrote, and no name of a kind.
_LONGEST = 60


def samples_of(column: LiveColumn, counts: Mapping[str, int]) -> LiveColumn:
    """Return the column with its values, when they are few and short: as kinds, where most stand in several rows.

    `counts` holds the rows of each value that was found, of one value more than FEW at most.
    """
    if len(counts) > FEW:
        return column
    found = replace(column, distinct=len(counts))
    if any(len(value) > _LONGEST or not value.strip() or not value.isprintable() for value in counts):
        return found
    if counts and 2 * sum(counts.values()) > 3 * len(counts):
        return replace(found, samples=tuple(sorted(counts)))
    return replace(found, names=tuple(sorted(counts)))
