"""A file of SQLite that is only read.

Every statement gets a connection of its own (0.3 ms), so that nothing is left behind for the next one. Opening the file
read-only is not enough: ATTACH makes files, VACUUM INTO copies the database, a large random blob takes seconds. So the
statement also meets an authorizer, limits of the library, and a deadline.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import TypeVar

from queries.sql.config import SourceConfig
from queries.sql.datasource import Dialect, Examined, Guarded, LiveTable, Rows
from queries.sql.datasources.collecting import Collected
from queries.sql.datasources.sqlite.authorizer import authorizer_for
from queries.sql.datasources.sqlite.describing import described, rows_of
from queries.sql.datasources.sqlite.examining import examined
from queries.sql.errors import QueryFailed, QueryTooSlow, SourceUnavailable, SqlError

T = TypeVar("T")

#: Bytes of one value, of a statement, and how deep an expression may be; no other file is attached.
LIMITS = (
    (sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 200_000),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 500),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 100),
    (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
)
#: Instructions of SQLite between two looks at the clock: about 0.1 ms.
_STEPS = 5_000
#: Seconds for looking at a whole schema, which an operator waits for.
LOOKING_S = 120.0
#: Seconds after the deadline in which a thread tells of it by itself.
_GRACE_S = 0.25
_GONE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR)
_SLOW = (sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class SqliteSource:
    """One file; `name` is what it is called in `datasources.yaml`."""

    def __init__(self, name: str, path: Path, config: SourceConfig) -> None:
        self._name = name
        self._path = path.absolute()
        self._config = config
        self._threads = ThreadPoolExecutor(config.pool, thread_name_prefix=f"sqlite-{name}")
        self._closed = Event()

    @property
    def dialect(self) -> Dialect:
        """The SQL that it speaks."""
        return "sqlite"

    async def run(self, guarded: Guarded) -> Rows:
        """Run a statement of the guard within the time limit, and return its rows."""
        return await self._in_thread(lambda connection: self._rows(connection, guarded))

    async def cost(self, guarded: Guarded) -> int | None:
        """Return how many rows the tables of the statement hold together: at most so many are read from the file."""
        return await self._in_thread(lambda connection: rows_of(connection, guarded.reads))

    async def examine(self) -> tuple[Examined, ...]:
        """Return whether the file is there and can only be read."""
        return await asyncio.to_thread(examined, self._path)

    async def describe(self, *, samples: bool = False) -> tuple[LiveTable, ...]:
        """Return the tables as they are; with `samples` also the values of columns that have few."""
        return await self._in_thread(lambda connection: described(connection, samples=samples), LOOKING_S)

    async def close(self) -> None:
        """End every statement."""
        self._closed.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _in_thread(self, work: Callable[[sqlite3.Connection], T], seconds: float | None = None) -> T:
        """Let a thread do it, as soon as one is free; a thread that nobody waits for any more is told to stop."""
        limit, stop = seconds or self._config.timeout_s, Event()
        if self._closed.is_set():
            raise SourceUnavailable(self._name, "it is closed")
        future = self._threads.submit(self._work, work, deadline=time.monotonic() + limit, stop=stop)
        waited = asyncio.wrap_future(future)
        try:
            await asyncio.wait([waited], timeout=limit + _GRACE_S)
        finally:
            stop.set()
            if not waited.done():
                waited.cancel()
        if waited.cancelled():
            raise QueryTooSlow(limit)
        return waited.result()

    def _work(self, work: Callable[[sqlite3.Connection], T], *, deadline: float, stop: Event) -> T:
        def over() -> bool:
            return time.monotonic() > deadline or stop.is_set() or self._closed.is_set()

        if over():  # it waited in line for all of its time
            raise SourceUnavailable(self._name, f"busy: {self._config.pool} statements run already")
        connection = None
        try:
            connection = self._open(max(0.0, deadline - time.monotonic()))
            connection.set_progress_handler(over, _STEPS)
            return work(connection)
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise self._told(error) from error
        finally:
            if connection is not None:
                connection.close()

    def _open(self, wait_s: float) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self._path.as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=wait_s, cached_statements=0
        )
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.execute("PRAGMA query_only = 1")
        connection.execute("PRAGMA trusted_schema = 0")
        for limit, most in LIMITS:
            connection.setlimit(limit, most)
        return connection

    def _rows(self, connection: sqlite3.Connection, guarded: Guarded) -> Rows:
        began = time.monotonic()
        connection.set_authorizer(authorizer_for(connection, guarded.reads))
        self._compile(connection, guarded.statement)
        collected = Collected(most_rows=guarded.rows, most_bytes=self._config.most_bytes)
        cursor = connection.execute(guarded.statement)
        if cursor.description is None:  # REINDEX, which changes nothing, asks no authorizer
            raise QueryFailed("it is no query")
        columns = tuple(str(column[0]) for column in cursor.description)
        collected.take(cursor)
        cursor.close()
        milliseconds = (time.monotonic() - began) * 1_000
        return Rows(columns, tuple(collected.rows), truncated=collected.truncated, milliseconds=milliseconds)

    @staticmethod
    def _compile(connection: sqlite3.Connection, statement: str) -> None:
        """Raise what is wrong with the statement itself: before a row is read, no error can quote one."""
        try:
            connection.execute(f"EXPLAIN {statement}").close()
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
            if code not in {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_AUTH}:
                raise
            raise QueryFailed(str(error)) from error

    def _told(self, error: Exception) -> SqlError:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF  # the rest tells the kind of the kind
        if code in _SLOW:
            return QueryTooSlow(self._config.timeout_s)
        if code in _GONE:
            return SourceUnavailable(self._name, "its file cannot be opened or is damaged")
        return QueryFailed(f"SQLite gave up ({getattr(error, 'sqlite_errorname', 'SQLITE_ERROR')})")
