"""What one person may read of a catalogue: decided here alone, for the guard, for metrics and for what is shown.

Rules are chosen by the principals that the directory vouches for; the asker's words have no part in it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from identity.actor import Actor, ActorKind
from queries.sql.catalog.catalog import Catalog, CatalogTable

#: The condition that every row meets.
EVERY_ROW = "TRUE"


@dataclass(frozen=True)
class ReadableTable:
    """What may be read of one table.

    `where` holds conditions with `:person` and the like in them, one of which a row has to meet; "TRUE" is every row.
    """

    columns: tuple[str, ...]  # all of the catalogue's, in its order
    masked: frozenset[str]  # those that read as empty
    where: tuple[str, ...]


def reach_of(catalog: Catalog, actor: Actor) -> Mapping[str, ReadableTable]:
    """Return what the actor may read, by the name of the table; a table that is not there is not theirs."""
    found = ((name, _permitted(table, actor)) for name, table in catalog.tables.items())
    return {name: permitted for name, permitted in found if permitted is not None}


def is_masked(reach: Mapping[str, ReadableTable], table: str, column: str) -> bool:
    """Return whether a column of a table that is read is empty there."""
    return table in reach and column in reach[table].masked


def all_read(catalog: Catalog, reads: Mapping[str, frozenset[str]], principals: frozenset[str]) -> bool:
    """Return whether everybody with these principals reads every row of these tables, and these columns of them."""
    found = [(_by_rules(catalog.tables[name], principals), columns) for name, columns in reads.items()]
    return all(each is not None and each.where == (EVERY_ROW,) and not each.masked & columns for each, columns in found)


def _permitted(table: CatalogTable, actor: Actor) -> ReadableTable | None:
    if actor.kind is ActorKind.OPERATOR:  # holds the machine, and so the password of the database
        return ReadableTable(tuple(table.columns), frozenset(), (EVERY_ROW,))
    return _by_rules(table, actor.principals)


def _by_rules(table: CatalogTable, mine: frozenset[str]) -> ReadableTable | None:
    where: tuple[str, ...] = ()
    if table.public:
        where = (EVERY_ROW,) if "staff" in mine else where
    else:
        where = tuple(rule.where for rule in table.rows if mine & {*rule.to})
    if any(each.strip().upper() == EVERY_ROW for each in where):
        where = (EVERY_ROW,)
    if not where:
        return None
    masked = frozenset(
        name for name, column in table.columns.items() if column.masked and not mine & {*column.shown_to}
    )
    return ReadableTable(tuple(table.columns), masked, where)
