"""What is in a file of SQLite: its schema, and about how much."""

import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import replace

from queries.sql.catalog.private import looks_private
from queries.sql.datasource import LiveColumn, LiveTable
from queries.sql.datasources.sampling import FEW, LOOKED_AT, samples_of

_TEXT = ("CHAR", "CLOB", "TEXT")
#: A day as text, as SQLite matches it.
_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_TABLES = """
SELECT name, type FROM sqlite_master
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
"""


def described(connection: sqlite3.Connection, *, samples: bool) -> tuple[LiveTable, ...]:
    """Return every table and view; with `samples` the values of text columns that have few."""
    return tuple(
        _table(connection, name, kind=kind, samples=samples) for name, kind in connection.execute(_TABLES).fetchall()
    )


def rows_of(connection: sqlite3.Connection, tables: Collection[str]) -> int | None:
    """Return about how many rows these tables hold together; None when one of them is a view."""
    kinds = {name.lower(): kind for name, kind in connection.execute(_TABLES)}
    if any(kinds.get(table.lower()) != "table" for table in tables):
        return None
    counts = [_rows(connection, table) for table in tables]
    return None if None in counts else sum(count for count in counts if count is not None)


def _table(connection: sqlite3.Connection, name: str, *, kind: str, samples: bool) -> LiveTable:
    information = connection.execute("SELECT name, type, pk FROM pragma_table_info(?)", (name,)).fetchall()
    keyed = sorted((place, column) for column, _, place in information if place)
    columns = tuple(
        _sampled(connection, name, LiveColumn(column, type_)) if samples else LiveColumn(column, type_)
        for column, type_, _ in information
    )
    return LiveTable(
        name=name,
        columns=columns,
        key=tuple(column for _, column in keyed),
        references=dict(_references(connection, name)),
        rows=_rows(connection, name) if kind == "table" else None,
    )


def _references(connection: sqlite3.Connection, name: str) -> Iterator[tuple[str, str]]:
    keys = connection.execute('SELECT id, "from", "table", "to" FROM pragma_foreign_key_list(?)', (name,)).fetchall()
    together = [key for key, *_ in keys]
    for key, column, table, target in keys:
        if together.count(key) > 1:  # of several columns: no join of one column says it
            continue
        primary = "SELECT name FROM pragma_table_info(?) WHERE pk = 1"
        found = target or next((row[0] for row in connection.execute(primary, (table,))), None)
        if found:
            yield column, f"{table}.{found}"


def _sampled(connection: sqlite3.Connection, table: str, column: LiveColumn) -> LiveColumn:
    if kept := _kept_as(connection, table, column):
        return replace(column, type=f"{column.type} ({kept})")
    if not column.type.upper().startswith(_TEXT) and not any(part in column.type.upper() for part in _TEXT):
        return column
    if looks_private(column.name):
        return column
    named = _quoted(column.name)
    statement = (
        f"SELECT {named}, count(*) FROM (SELECT {named} FROM {_quoted(table)} LIMIT {LOOKED_AT})"  # noqa: S608
        f" WHERE {named} IS NOT NULL GROUP BY 1 LIMIT {FEW + 1}"
    )
    return samples_of(column, {str(value): int(rows) for value, rows in connection.execute(statement)})


def _kept_as(connection: sqlite3.Connection, table: str, column: LiveColumn) -> str:
    """Return what all values of a text or a number are: days, moments, yes and no; "" for neither."""
    named = _quoted(column.name)
    looked = f"FROM (SELECT {named} AS kept FROM {_quoted(table)} WHERE {named} IS NOT NULL LIMIT {LOOKED_AT})"  # noqa: S608
    if any(part in column.type.upper() for part in _TEXT):
        shaped = f"SELECT count(*), sum(kept GLOB '{_DAY}*'), sum(kept GLOB '{_DAY}') {looked}"
        many, moments, days = connection.execute(shaped).fetchone()
        return "" if not many or moments < many else "date" if days == many else "timestamp"
    if "INT" in column.type.upper():
        least, most, kinds = connection.execute(
            f"SELECT min(kept), max(kept), count(DISTINCT kept) {looked}"
        ).fetchone()
        return "bool" if (least, most, kinds) == (0, 1, 2) else ""
    return ""


def _rows(connection: sqlite3.Connection, table: str) -> int | None:
    """Return the largest row number, which is found at once, where counting would read the whole table."""
    try:
        found = connection.execute(f"SELECT max(rowid) FROM {_quoted(table)}").fetchone()  # noqa: S608
    except sqlite3.OperationalError:  # a view, or a table without row numbers
        return None
    return int(found[0] or 0)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
