"""What SQLite may do for one statement: read the columns that the guard allowed, call functions without effects.

SQLite asks while it compiles a statement (https://www.sqlite.org/c3ref/set_authorizer.html). Everything that is not
named here is denied, whatever the guard thought of it.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_LISTED = """
    -> ->> abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh count
    cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp first_value floor format
    glob group_concat hex if ifnull iif instr json json_array json_array_length json_extract json_group_array
    json_group_object json_object json_quote json_type json_valid julianday lag last_value lead length like likelihood
    likely ln log log10 log2 lower ltrim max median min mod nth_value ntile nullif octet_length percent_rank percentile
    pi pow power printf quote radians random rank replace round row_number rtrim sign sin sinh sqrt strftime string_agg
    substr substring sum tan tanh time timediff total trim trunc typeof unhex unicode unixepoch unlikely upper
"""
#: Functions of the library that only compute. Left out: files, extensions, random blobs, insides of the library.
FUNCTIONS = frozenset(_LISTED.split())
_ARGUMENT, _COLUMN, _SOURCE = 0, 1, 3
#: Tables that no schema lists: the schema itself, and those that a module makes up.
_INSIDES = ("sqlite_", "pragma_")
#: The module that makes rows of what it is given; its columns hold nothing of the database.
TAKING_APART = "json_each"


@dataclass(frozen=True)
class Behind:
    """What a view reads: pairs of table and column, and the names of the views inside it."""

    reads: frozenset[tuple[str, str]] = frozenset()
    views: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Authorizer:
    """Answers SQLite for one statement. Names are compared in lower case, as SQLite does."""

    reads: Mapping[str, frozenset[str]]
    real: frozenset[str]  # every table, view and module there is
    behind: Behind = field(default_factory=Behind)
    made: frozenset[str] = frozenset()  # modules that read nothing of the database

    def __call__(self, action: int, *arguments: str | None) -> int:
        """Return SQLITE_OK or SQLITE_DENY."""
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            permitted = (arguments[_COLUMN] or "").lower() in FUNCTIONS
        elif action == sqlite3.SQLITE_READ:
            table, column, source = ((arguments[at] or "").lower() for at in (_ARGUMENT, _COLUMN, _SOURCE))
            permitted = self._may_read(table, column, source)
        else:
            permitted = False
        return sqlite3.SQLITE_OK if permitted else sqlite3.SQLITE_DENY

    def _may_read(self, table: str, column: str, source: str) -> bool:
        if table in self.made:
            return True
        if not column:  # its rows are counted; a query with a name is told as a table, and was looked at itself
            known = table in self.reads or table in self.behind.views or (table, column) in self.behind.reads
            return known or not self._is_real(table)
        if column in self.reads.get(table, frozenset()):
            return True
        # A query may call itself like a view: all that it gets by that is the columns that the view itself reads.
        return source in self.behind.views and (table, column) in self.behind.reads

    def _is_real(self, table: str) -> bool:
        return table in self.real or table.startswith(_INSIDES)


def authorizer_for(connection: sqlite3.Connection, reads: Mapping[str, frozenset[str]]) -> Authorizer:
    """Return the authorizer of a statement that may read these columns; looks up what their views read."""
    rows = connection.execute("SELECT lower(name), type FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    modules = connection.execute("SELECT lower(name) FROM pragma_module_list").fetchall()
    folded = {table.lower(): frozenset(column.lower() for column in columns) for table, columns in reads.items()}
    views = {name for name, kind in rows if kind == "view"}
    made = frozenset({TAKING_APART} - {name for name, _ in rows})
    for module in made:  # the library declares a module's columns as a table, which is denied later
        connection.execute(f"SELECT 1 FROM {module}('[]')").fetchall()  # noqa: S608 - a name of ours
    return Authorizer(
        reads=folded,
        real=frozenset({name for name, _ in rows} | {name for (name,) in modules}),
        behind=_behind(connection, views.intersection(folded)),
        made=made,
    )


def _behind(connection: sqlite3.Connection, views: Iterable[str]) -> Behind:
    """Compile each view and note what SQLite asks for."""
    reads: set[tuple[str, str]] = set()
    inside: set[str] = set()

    def note(action: int, table: str | None, column: str | None, _: str | None, source: str | None) -> int:
        if source:
            inside.add(source.lower())
        if action == sqlite3.SQLITE_READ:
            reads.add(((table or "").lower(), (column or "").lower()))
        return sqlite3.SQLITE_OK

    connection.set_authorizer(note)
    for view in views:
        connection.execute(f'EXPLAIN SELECT * FROM "{view}"').fetchall()  # noqa: S608 - a name of the schema itself
    connection.set_authorizer(None)
    return Behind(reads=frozenset(reads), views=frozenset(inside))
