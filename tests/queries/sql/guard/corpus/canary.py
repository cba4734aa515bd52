"""Run what the guard let through with every right that there is, and look whether anything has changed.

Not by the way of the product, whose datasources lock each of these doors a second time: as the superuser, in a
transaction that is committed, so that the guard alone stands before the database.
"""

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Protocol

import psycopg

from queries.sql.datasource import Guarded
from tests.queries.sql.guard.corpus.shop import SECRET, TABLES

#: A statement that takes longer did something else than to read this small a shop.
SLOWEST_S = 2.0
#: Where the attacks try to write files.
FILES = (Path("/tmp/dutydesk-canary"), Path("/tmp/harm"))


@dataclass(frozen=True)
class Ran:
    """What one statement gave: rows, or the words of the database's error."""

    rows: tuple[tuple[object, ...], ...] = ()
    error: str = ""
    seconds: float = 0.0

    def harm(self, statement: str = "") -> str:
        """Return what is wrong with it, as far as its answer tells; what its statement says is no news."""
        if self.seconds > SLOWEST_S:
            return f"took {self.seconds:.1f} s"
        cells = (str(cell) for row in self.rows for cell in row)
        news = (found[0] for text in (self.error, *cells) if (found := SECRET.search(text)))
        return next((f"shows {word!r}" for word in news if word not in statement), "")

    @property
    def told(self) -> tuple[str, ...]:
        """Return all that the asker learns from it, whatever order the rows come in."""
        return (self.error, *sorted(" | ".join(map(_plain, row)) for row in self.rows))


class Database(Protocol):
    """A shop that everything may be done to."""

    def run(self, guarded: Guarded) -> Ran:
        """Run a statement and keep what it did."""
        ...

    def state(self) -> tuple[str, ...]:
        """Return what must be the same afterwards: contents, files, settings, locks."""
        ...


@dataclass
class SqliteShop:
    """An SQLite file without any lock."""

    path: Path
    connection: sqlite3.Connection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = sqlite3.connect(self.path, isolation_level=None)

    def run(self, guarded: Guarded) -> Ran:
        """Run a statement."""
        return self.raw(guarded.statement)

    def raw(self, statement: str) -> Ran:
        """Run any statement; it ends when it takes too long, by what it computes: a busy machine is no harm."""
        start = time.thread_time()
        self.connection.set_progress_handler(lambda: int(time.thread_time() - start > SLOWEST_S), 100_000)
        try:
            with closing(self.connection.execute(statement)) as cursor:
                found = tuple(cursor.fetchall())
        except (sqlite3.Error, sqlite3.Warning, UnicodeError) as problem:
            return Ran(error=str(problem), seconds=time.thread_time() - start)
        finally:
            self.connection.set_progress_handler(None, 0)
        return Ran(found, seconds=time.thread_time() - start)

    def state(self) -> tuple[str, ...]:
        """Return files with their checksums, and the settings of the connection."""
        files = sorted(self.path.parent.iterdir())
        pragmas = ("user_version", "journal_mode", "writable_schema", "query_only", "schema_version", "database_list")
        settings = [f"{name}: {self.connection.execute(f'PRAGMA {name}').fetchall()}" for name in pragmas]
        sums = [f"{file.name}: {hashlib.sha256(file.read_bytes()).hexdigest()}" for file in files]
        return (*sums, *settings, f"in transaction: {self.connection.in_transaction}", *_files())


@dataclass
class PostgresShop:
    """A PostgreSQL database, asked as the superuser."""

    url: str
    connection: psycopg.Connection[tuple[object, ...]] = field(init=False)
    heard: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.connection = psycopg.connect(self.url, autocommit=True)
        self.connection.execute("SET statement_timeout = 2500")
        self.connection.execute("LISTEN canary")
        self.connection.add_notify_handler(lambda notice: self.heard.append(notice.payload))

    def run(self, guarded: Guarded) -> Ran:
        """Run a statement."""
        return self.raw(guarded.statement)

    def raw(self, statement: str) -> Ran:
        """Run any statement, by the simple protocol, which takes several at once."""
        start = time.perf_counter()
        try:
            cursor = self.connection.execute(statement.encode())
            found = tuple(cursor.fetchall()) if cursor.description else ()
        except (psycopg.Error, UnicodeError) as problem:
            error = getattr(getattr(problem, "diag", None), "message_primary", None) or str(problem)
            return Ran(error=error, seconds=time.perf_counter() - start)
        return Ran(found, seconds=time.perf_counter() - start)

    def state(self) -> tuple[str, ...]:
        """Return contents, large objects, locks, settings, roles, tables and what was notified."""
        contents = [
            f"SELECT '{table}', COUNT(*), COALESCE(SUM(hashtext(t::text)), 0) FROM {table} t" for table in TABLES
        ]
        questions = (
            " UNION ALL ".join(contents),
            "SELECT COUNT(*) FROM pg_largeobject_metadata",
            (
                "SELECT COUNT(*) FROM pg_locks JOIN pg_database d ON d.oid = database"
                " WHERE locktype = 'advisory' AND datname = current_database()"
            ),
            "SELECT name, setting FROM pg_settings WHERE source = 'session' ORDER BY name",
            "SELECT session_user, current_user",
            "SELECT rolname, rolpassword FROM pg_authid WHERE rolname IN ('harm', 'postgres') ORDER BY rolname",
            "SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname",
            "SELECT COUNT(*) FROM pg_extension",
            "SELECT last_value, is_called FROM numbers",
            "SELECT name FROM pg_prepared_statements WHERE from_sql",
        )
        told = [str(self.connection.execute(question.encode()).fetchall()) for question in questions]
        return (*told, *self.heard, *_files())


def _plain(cell: object) -> str:
    """Return a cell in words that both databases have in common: numbers to nine digits, whatever their type."""
    if isinstance(cell, (bool, int, float, Decimal)):
        return f"{float(cell):.9g}"
    return str(cell)


def _files() -> Sequence[str]:
    return [str(path) for path in FILES if path.exists()]


@dataclass(frozen=True)
class Tried:
    """One statement that the guard let through: what it gave, and what it gives where nothing is hidden to be told."""

    statement: str
    whole: Ran
    oracle: Ran


def harmful(tried: Sequence[Tried]) -> Iterator[str]:
    """Iterate over what was shown or took long, and what hidden data made a difference to, errors included."""
    for each in tried:
        if each.whole.harm(each.statement):
            yield f"{each.statement!r}: {each.whole.harm(each.statement)}"
        elif each.whole.told != each.oracle.told:
            yield f"{each.statement!r}: {each.whole.told[:3]}, without what is hidden {each.oracle.told[:3]}"
