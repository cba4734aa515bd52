"""A few connections to one PostgreSQL, each handed out as if it were new.

Not psycopg_pool: that one connects again in the background for minutes, so that a database that is down looks like a
long wait, and it would be one more package of an extra. Here a caller connects itself, and is told at once.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
from psycopg import AsyncConnection, pq, sql

from queries.sql.datasources.postgres.values import load_any_date
from queries.sql.errors import SourceUnavailable

log = logging.getLogger(__name__)

#: What every transaction sets for itself. A sort may take that much memory before it goes to the server's disk; time
#: zone and what follows make the same statement mean the same on every server.
BEGIN = """
BEGIN TRANSACTION READ ONLY;
SET LOCAL statement_timeout = {milliseconds};
SET LOCAL idle_in_transaction_session_timeout = {idle};
SET LOCAL lock_timeout = '1s';
SET LOCAL work_mem = '16MB';
SET LOCAL search_path = pg_catalog, {schema}, pg_temp;
SET LOCAL standard_conforming_strings = on;
SET LOCAL TimeZone = 'UTC';
SET LOCAL DateStyle = 'ISO, YMD';
SET LOCAL cursor_tuple_fraction = 1
"""
#: The part of the time that the server gets: it ends a slow statement itself, and the connection lives.
_SERVERS_PART = 0.95
#: Seconds after which a connection that nobody used is closed instead of being used: a firewall may have forgotten it.
IDLE_S = 60.0
#: Seconds for leaving a connection behind as it was.
_CLEANING_S = 2.0


class PostgresConnections:
    """At most `most` connections; who comes later waits in line."""

    def __init__(self, name: str, url: str, *, schema: str, most: int) -> None:
        self._name = name
        self._url = url
        self._schema = sql.Identifier(schema)
        self._most = most
        self._seats = asyncio.Semaphore(most)
        self._idle: list[tuple[float, AsyncConnection]] = []
        self._closed = False

    @asynccontextmanager
    async def transaction(self, deadline: float) -> AsyncIterator[AsyncConnection]:
        """Yield a connection inside a read-only transaction, which is always rolled back.

        Raise `SourceUnavailable` when none is free by the deadline, or the database cannot be reached.
        """
        await self._sit_down(deadline)
        try:
            connection = await self._begun(deadline)
            try:
                yield connection
            finally:
                await self._give_back(connection)
        finally:
            self._seats.release()

    async def close(self) -> None:
        """End the connections that are idle; those in use end when they come back."""
        self._closed = True
        while self._idle:
            await self._idle.pop()[1].close()

    @property
    def idle(self) -> int:
        """Return how many connections wait for work."""
        return len(self._idle)

    async def _sit_down(self, deadline: float) -> None:
        if self._closed:
            raise SourceUnavailable(self._name, "it is closed")
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                await self._seats.acquire()
        except TimeoutError as error:
            raise SourceUnavailable(self._name, f"busy: {self._most} statements run already") from error

    async def _begun(self, deadline: float) -> AsyncConnection:
        """Begin on an idle connection that still lives, else on a new one."""
        while True:
            known = await self._known()
            connection = known or await self._connected(deadline)
            try:
                await connection.execute(self._begin(deadline), prepare=False)
            except psycopg.OperationalError:
                await connection.close()
                if known is None:
                    raise
            except BaseException:
                await connection.close()
                raise
            else:
                return connection

    async def _known(self) -> AsyncConnection | None:
        """Return the connection that was used last; close those that nobody used for long."""
        while self._idle:
            since, connection = self._idle.pop()
            if time.monotonic() - since < IDLE_S and not connection.closed:
                return connection
            await connection.close()
        return None

    def _begin(self, deadline: float) -> sql.Composed:
        milliseconds = max(1, int((deadline - time.monotonic()) * 1_000 * _SERVERS_PART))
        return sql.SQL(BEGIN).format(milliseconds=milliseconds, idle=milliseconds + 1_000, schema=self._schema)

    async def _connected(self, deadline: float) -> AsyncConnection:
        try:
            connection = await AsyncConnection.connect(
                self._url,
                autocommit=True,
                prepare_threshold=None,  # nothing is kept on the server from one statement to the next
                connect_timeout=max(2, round(deadline - time.monotonic())),
                client_encoding="UTF8",
                application_name="dutydesk",
            )
        except psycopg.Error as error:
            log.warning("%s cannot be reached: %s", self._name, error)
            raise SourceUnavailable(self._name, "the database does not let the desk in, or does not answer") from error
        load_any_date(connection)
        return connection

    async def _give_back(self, connection: AsyncConnection) -> None:
        """Keep the connection only when nothing of this statement is left on it."""
        clean = False
        try:
            clean = not self._closed and await self._cleaned(connection)
        finally:
            if clean:
                self._idle.append((time.monotonic(), connection))
            else:
                await connection.close()

    @staticmethod
    async def _cleaned(connection: AsyncConnection) -> bool:
        if connection.closed or connection.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
            return False
        try:
            async with asyncio.timeout(_CLEANING_S):
                await connection.execute(b"ROLLBACK")
                await connection.execute(b"DISCARD ALL")
        except (psycopg.Error, TimeoutError):
            return False
        return connection.pgconn.transaction_status == pq.TransactionStatus.IDLE
