"""A PostgreSQL that is only read.

Locks, each of which holds alone: the role (`examining.py`), a read-only transaction that is always rolled back, DECLARE
CURSOR over the extended protocol (one statement, and only a query), time limits of the server and of this process, caps
on rows and bytes, and connections that are handed on as new. The reasons were measured: in a read-only transaction a
query can still take advisory locks, notify, and change settings of its connection.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict

from queries.sql.config import SourceConfig
from queries.sql.datasource import Dialect, Examined, Guarded, LiveTable, Rows
from queries.sql.datasources.collecting import Collected
from queries.sql.datasources.postgres.connections import PostgresConnections
from queries.sql.datasources.postgres.describing import described
from queries.sql.datasources.postgres.estimating import rows_read
from queries.sql.datasources.postgres.examining import examined
from queries.sql.errors import QueryFailed, QueryTooSlow, SourceUnavailable, SqlError

T = TypeVar("T")
Work = Callable[[AsyncConnection], Awaitable[T]]

#: Seconds for looking at a whole schema, which an operator waits for.
LOOKING_S = 120.0
#: Seconds after the time limit in which the reason is still told by who knows it best.
_GRACE_S = 0.25
#: Classes of SQLSTATE: the statement is wrong (and the message is about it alone); the connection or the server ended.
_STATEMENT, _GONE = "42", ("08", "28", "57")


def address_problem(url: str) -> str:
    """Return what is wrong with an address, "" for nothing; the words quote none of it, since it holds a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        return "holds no address of the form postgresql://ROLE:PASSWORD@HOST/DATABASE"
    if "@" in str(parts.get("host", "")):
        return "holds a password with an @ in it: write %40 for it"
    return ""


class PostgresSource:
    """One database; `name` is what it is called in `datasources.yaml`. `url` holds the password: it is never shown."""

    def __init__(self, name: str, url: str, config: SourceConfig) -> None:
        self._name = name
        self._config = config
        self._connections = PostgresConnections(name, url, schema=config.schema_name, most=config.pool)
        self._running: set[asyncio.Task[object]] = set()

    @property
    def dialect(self) -> Dialect:
        """The SQL that it speaks."""
        return "postgres"

    async def run(self, guarded: Guarded) -> Rows:
        """Run a statement of the guard within the time limit, and return its rows."""

        async def work(connection: AsyncConnection) -> Rows:
            return await _rows(connection, guarded, most_bytes=self._config.most_bytes)

        return await self._within_time(work)

    async def cost(self, guarded: Guarded) -> int | None:
        """Return about how many rows it would read, by the plan of the server."""

        async def work(connection: AsyncConnection) -> int | None:
            return await rows_read(connection, guarded.statement)

        return await self._within_time(work)

    async def examine(self) -> tuple[Examined, ...]:
        """Return what the role can do here, and what it could do besides reading."""
        schema = self._config.schema_name
        return await self._within_time(lambda connection: examined(connection, schema), LOOKING_S)

    async def describe(self, *, samples: bool = False) -> tuple[LiveTable, ...]:
        """Return the tables as they are; with `samples` also the values of columns that have few."""
        schema = self._config.schema_name
        return await self._within_time(lambda connection: described(connection, schema, samples=samples), LOOKING_S)

    async def close(self) -> None:
        """End every statement and connection."""
        for task in tuple(self._running):
            task.cancel()
        if self._running:
            await asyncio.wait(tuple(self._running), timeout=1)
        await self._connections.close()

    async def _within_time(self, work: Work[T], seconds: float | None = None) -> T:
        """Wait no longer than the time limit, whatever psycopg still does to end a statement: it gets a task."""
        limit = seconds or self._config.timeout_s
        deadline = time.monotonic() + limit
        task = asyncio.create_task(self._in_transaction(work, deadline))
        self._running.add(task)
        task.add_done_callback(self._ended)
        try:
            await asyncio.wait([task], timeout=limit + _GRACE_S)
        finally:
            if not task.done():
                task.cancel()
        if not task.done():
            raise QueryTooSlow(limit)
        return task.result()

    def _ended(self, task: "asyncio.Task[T]") -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # looked at, so that asyncio does not report it when nobody waits any more

    async def _in_transaction(self, work: Work[T], deadline: float) -> T:
        async with self._told(), self._connections.transaction(deadline) as connection:
            return await work(connection)

    @asynccontextmanager
    async def _told(self) -> AsyncIterator[None]:
        """Say every error of psycopg in our words."""
        try:
            yield
        except psycopg.Error as error:
            raise self._error(error) from error

    def _error(self, error: psycopg.Error) -> SqlError:
        state = error.sqlstate or ""
        if isinstance(error, psycopg.errors.QueryCanceled | psycopg.errors.LockNotAvailable):
            return QueryTooSlow(self._config.timeout_s)
        if state.startswith(_GONE) or (not state and isinstance(error, psycopg.OperationalError)):
            return SourceUnavailable(self._name, "the database ended the connection")
        if state.startswith(_STATEMENT):
            return QueryFailed(error.diag.message_primary or type(error).__name__)
        return QueryFailed(f"PostgreSQL gave up ({type(error).__name__})")  # its words may quote a row


async def _rows(connection: AsyncConnection, guarded: Guarded, *, most_bytes: int) -> Rows:
    began = time.monotonic()
    collected = Collected(most_rows=guarded.rows, most_bytes=most_bytes)
    # Binary asks for the extended protocol, which takes one statement only. The rollback closes the cursor.
    declared = f"DECLARE asked NO SCROLL CURSOR FOR {guarded.statement}"
    await connection.execute(declared.encode(), binary=True)
    columns: tuple[str, ...] = ()
    full = True
    while full:
        wanted = collected.left
        cursor = await connection.execute(f"FETCH FORWARD {wanted} FROM asked".encode())
        columns = tuple(column.name for column in cursor.description or ())
        found = await cursor.fetchall()
        full = collected.take(found) and len(found) == wanted
    milliseconds = (time.monotonic() - began) * 1_000
    return Rows(columns, tuple(collected.rows), truncated=collected.truncated, milliseconds=milliseconds)
