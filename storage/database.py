"""One way to the database: `transaction()` commits, `reading()` never does.

SQLite runs in WAL mode with foreign keys on. Its write transactions begin with BEGIN IMMEDIATE, since the
busy time-out does not cover an upgrade from read to write (https://www.sqlite.org/lang_transaction.html).
"""

import asyncio
import errno
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from itertools import count
from typing import Any, cast

import aiosqlite
from aiosqlite.context import contextmanager
from sqlalchemy import CursorResult, MetaData, Table, UpdateBase, event, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.util import await_only

from storage.columns import dump_json, storable

#: The unit of work that `transaction()` and `reading()` yield; only `store.py` modules speak SQL on it.
Session = AsyncSession

#: Milliseconds a SQLite writer waits for another one.
BUSY_TIMEOUT_MS = 20_000
_PAUSE_MS = 20
#: Whether nobody waits for what is done in this task: others write before it.
UNHURRIED: ContextVar[bool] = ContextVar("unhurried", default=False)
#: Whether a transaction is open in this task.
_INSIDE: ContextVar[bool] = ContextVar("inside", default=False)
_SEATS, _TAKEN = "seats", "taken"
_BEGIN, _BEGIN_WRITING = "BEGIN", "BEGIN IMMEDIATE"


@dataclass(frozen=True)
class Seat:
    """A free place at a worker of this process: what is promised now may be taken with the promise itself."""

    holder: str
    lease_s: float
    begin: Callable[[Any], None]  # told of what was taken, after the commit


#: Offers a seat for work of a topic and a priority, where there is one.
Seats = Callable[[str, int], Seat | None]


class Base(DeclarativeBase):
    """Parent of every table; constraint names are fixed so that migrations can name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class FileTrouble(StrEnum):
    """Why a file cannot be used."""

    FULL = "full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"
    DISK = "disk"
    BUSY = "busy"


_SQLITE = {
    sqlite3.SQLITE_FULL: FileTrouble.FULL,
    sqlite3.SQLITE_READONLY: FileTrouble.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: FileTrouble.READ_ONLY,
    sqlite3.SQLITE_PERM: FileTrouble.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: FileTrouble.DAMAGED,
    sqlite3.SQLITE_NOTADB: FileTrouble.DAMAGED,
    sqlite3.SQLITE_IOERR: FileTrouble.DISK,
    sqlite3.SQLITE_BUSY: FileTrouble.BUSY,
    sqlite3.SQLITE_LOCKED: FileTrouble.BUSY,
}
_SYSTEM = {
    errno.ENOSPC: FileTrouble.FULL,
    errno.EDQUOT: FileTrouble.FULL,
    errno.EFBIG: FileTrouble.FULL,
    errno.EROFS: FileTrouble.READ_ONLY,
    errno.EACCES: FileTrouble.READ_ONLY,
    errno.EPERM: FileTrouble.READ_ONLY,
    errno.EIO: FileTrouble.DISK,
}
_WORDS = {
    FileTrouble.FULL: "the disk is full; free some space and try again",
    FileTrouble.READ_ONLY: "it cannot be opened or written; give this user the right to write there",
    FileTrouble.DAMAGED: "the file is damaged",
    FileTrouble.DISK: "the disk refuses to read or write: it may be full, or failing",
    FileTrouble.BUSY: "another process holds it for too long; try again",
}


#: What is raised while a database cannot be reached, or refuses.
AWAY: tuple[type[Exception], ...] = (SQLAlchemyError, OSError)


class _WriteTurns:
    """A lock that is given to who waits longest, first to those that somebody waits for."""

    def __init__(self) -> None:
        self._held = False
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = count()

    async def acquire(self, *, behind: bool) -> None:
        if not self._held:
            self._held = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (behind, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release()
            raise

    def release(self) -> None:
        while self._waiting:
            _, _, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._held = False


class Database:
    """An engine and its transactions. `url` is an async SQLAlchemy URL (sqlite+aiosqlite, postgresql+psycopg)."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.engine = _create_engine(url)
        self._sessions = async_sessionmaker(self.engine, expire_on_commit=False)
        self._writing = _WriteTurns()
        self._listeners: list[tuple[str, Callable[[], None]]] = []
        self.seats: list[Seats] = []
        #: Awaited before each transaction that lies in no other; none may raise.
        self.courtesies: list[Callable[[], Awaitable[None]]] = []

    @property
    def named(self) -> str:
        """Return the file, or the address without its password, for people."""
        return self.url.database or "" if self.dialect == "sqlite" else str(self.url)

    @property
    def dialect(self) -> str:
        """Return `sqlite` or `postgresql`."""
        return self.engine.dialect.name

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Yield a session that commits when the block ends well and rolls back when it raises.

        Never open one inside another: on SQLite the inner one waits for the outer one until it times out.
        """
        await self._give_way()
        inside = _INSIDE.set(True)
        try:
            async with self._turn(), self._session() as session:
                if self.dialect == "sqlite":
                    await session.connection(execution_options={"dutydesk_write": True})
                session.info[_SEATS] = self.seats
                async with _committing(session):
                    yield session
        finally:
            _INSIDE.reset(inside)
        for seat, taken in session.info.get(_TAKEN, ()):
            seat.begin(taken)
        for topic, listener in self._listeners:
            if topic in session.info:
                listener()

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[AsyncSession]:
        """Yield a session; a task that is cancelled in it is cancelled, whatever the driver raises in its place."""
        task = cast("asyncio.Task[Any]", asyncio.current_task())
        cancelled = task.cancelling()
        try:
            async with self._sessions() as session:
                yield session
        except Exception as error:
            if task.cancelling() > cancelled:
                raise asyncio.CancelledError from error
            raise

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Queue the writers of this process on SQLite: its own way of waiting sleeps, and serves them in no order."""
        if self.dialect != "sqlite":
            yield
            return
        async with asyncio.timeout(BUSY_TIMEOUT_MS / 1000):
            await self._writing.acquire(behind=UNHURRIED.get())
        try:
            yield
        finally:
            self._writing.release()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Yield a session whose changes are always rolled back."""
        await self._give_way()
        async with self._session() as session:
            try:
                yield session
            finally:
                await session.rollback()

    @asynccontextmanager
    async def looking(self) -> AsyncIterator[AsyncSession]:
        """Yield a session whose statements only read, each by itself: no round trip begins or ends a transaction."""
        await self._give_way()
        alone = {"dutydesk_alone": True} if self.dialect == "sqlite" else {"isolation_level": "AUTOCOMMIT"}
        async with self._session() as session:
            await session.connection(execution_options=alone)
            yield session

    async def _give_way(self) -> None:
        if not _INSIDE.get():  # whoever writes is waited for
            for courtesy in self.courtesies:
                await courtesy()

    def listen(self, topic: str, listener: Callable[[], None]) -> None:
        """Call the listener after each commit of a transaction, of this process, that called `announce(topic)`."""
        self._listeners.append((topic, listener))

    async def ping(self) -> None:
        """Raise the driver's error when the database does not answer."""
        async with self.engine.connect() as connection:
            await connection.execute(text("SELECT 1"))

    async def damage(self) -> str:
        """Return what is wrong with SQLite's file, "" when it is sound; a server looks after its own files."""
        if self.dialect != "sqlite":
            return ""
        async with self.engine.connect() as connection:
            said = await connection.scalar(text("PRAGMA quick_check(1)"))
        return "" if said == "ok" else str(said)

    async def close(self) -> None:
        """Give back every connection."""
        await self.engine.dispose()


def announce(session: AsyncSession, topic: str) -> None:
    """Have those who `listen` to the topic called once this transaction is committed."""
    session.info[topic] = True


def offered_seat(session: AsyncSession, topic: str, priority: int = 0) -> Seat | None:
    """Return a seat for work of a topic that this transaction promises; None when nobody here is free for it."""
    return next(filter(None, (offer(topic, priority) for offer in session.info.get(_SEATS, ()))), None)


def take_seat(session: AsyncSession, seat: Seat, taken: Any) -> None:
    """Begin what was taken once this transaction is committed."""
    session.info.setdefault(_TAKEN, []).append((seat, taken))


@asynccontextmanager
async def _committing(session: AsyncSession) -> AsyncIterator[None]:
    try:
        yield
    except BaseException:
        await session.rollback()
        raise
    await session.commit()


class _SqliteConnection(aiosqlite.Connection):
    """A file, with one call of the driver's thread for a statement where the driver makes four.

    A cursor fetches its rows where it executes, the BEGIN of a transaction that reads goes with its first statement,
    and what has not begun is not rolled back.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True
        self._owed = ""  # the BEGIN that goes with the next statement
        self._open = False  # whether a transaction may be open: one was handed over and not ended

    @classmethod
    def opening(cls, path: str, **options: Any) -> "_SqliteConnection":
        """Return one that opens when it is awaited."""
        return cls(lambda: sqlite3.connect(path, **options))

    def owe(self, begin: str) -> None:
        """Let a transaction begin with the next statement; one that writes holds its lock from its first line on."""
        self._owed = begin

    async def hand_over(self, cursor: sqlite3.Cursor, run: Callable[..., Any], *what: Any) -> list[Any]:
        """Run a statement, after the BEGIN that is owed, and return its rows."""
        begin, self._owed = self._owed, ""
        self._open = self._open or bool(begin) or _BEGIN_WRITING in what
        in_thread: Callable[..., Awaitable[list[Any]]] = self._execute
        return await in_thread(_work, cursor, begin, run, *what)

    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        """Return a cursor; making one touches no file."""
        return _WholeCursor(self, self._conn.cursor())

    async def commit(self) -> None:
        """Commit what was begun."""
        self._owed = ""
        if self._open:
            await super().commit()
            self._open = False

    async def rollback(self) -> None:
        """Roll back what was begun."""
        self._owed = ""
        if self._open:
            await super().rollback()
            self._open = False


class _WholeCursor(aiosqlite.Cursor):
    """Has all rows as soon as its statement was executed."""

    def __init__(self, connection: _SqliteConnection, cursor: sqlite3.Cursor) -> None:
        super().__init__(connection, cursor)
        self._connection = connection
        self._rows: list[Any] = []

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> aiosqlite.Cursor:
        if sql == _BEGIN:
            self._connection.owe(sql)
        else:
            self._rows = await self._connection.hand_over(self._cursor, self._cursor.execute, sql, parameters or ())
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> aiosqlite.Cursor:
        self._rows = await self._connection.hand_over(self._cursor, self._cursor.executemany, sql, parameters)
        return self

    async def fetchall(self) -> Iterable[sqlite3.Row]:
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Leave it: it holds nothing that is open, or its statement is still running after a cancellation."""


def _work(cursor: sqlite3.Cursor, begin: str, run: Callable[..., Any], *what: Any) -> list[Any]:
    if begin:
        cursor.connection.execute(begin)
    run(*what)
    return cursor.fetchall() if cursor.description else []


def _create_engine(url: str) -> AsyncEngine:
    if url.startswith("sqlite"):
        engine = create_async_engine(url, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000}, json_serializer=dump_json)
        event.listen(engine.sync_engine, "do_connect", _open_sqlite)
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
        event.listen(engine.sync_engine, "begin", _begin_sqlite)
        event.listen(engine.sync_engine, "invalidate", _roll_back_sqlite)
    else:
        engine = create_async_engine(url, pool_pre_ping=True, json_serializer=dump_json)
        event.listen(engine.sync_engine, "connect", _prepare_postgresql)
    event.listen(engine.sync_engine, "before_cursor_execute", _make_storable, retval=True)
    return engine


def _make_storable(
    _connection: Connection, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool
) -> tuple[str, Any]:
    return statement, storable(parameters)


def _open_sqlite(dialect: Any, _record: Any, arguments: tuple[str], options: Mapping[str, Any]) -> Any:
    """Open a file for SQLAlchemy, or raise what keeps it from being opened.

    It is tried here first: the driver would leave a thread that reports to a closed loop.
    """
    sqlite3.connect(*arguments, uri=options.get("uri", False)).close()
    return dialect.loaded_dbapi.connect(*arguments, async_creator_fn=_SqliteConnection.opening, **options)


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we send BEGIN ourselves, see _begin_sqlite
    cursor = connection.cursor()
    _log_ahead(cursor)
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    cursor.close()


def _log_ahead(cursor: Any) -> None:
    """Turn WAL on. The busy time-out does not cover this either: on a file that several open at once, try again."""
    for _ in range(BUSY_TIMEOUT_MS // _PAUSE_MS):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            await_only(asyncio.sleep(_PAUSE_MS / 1000))
        else:
            return
    cursor.execute("PRAGMA journal_mode=WAL")


def _prepare_postgresql(connection: Any, _record: Any) -> None:
    """Read instants in UTC, whatever the server's zone: the driver looks up any other zone's file on the event loop."""
    cursor = connection.cursor()
    cursor.execute("SET TIME ZONE 'UTC'")
    cursor.close()
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get("dutydesk_alone", False):
        return
    writes = options.get("dutydesk_write", False)
    connection.exec_driver_sql(_BEGIN_WRITING if writes else _BEGIN)


def _roll_back_sqlite(connection: Any, _record: Any, _error: BaseException | None) -> None:
    """Let go of the lock on writing: what is closed amid a statement, as after a cancellation, would keep it."""
    with suppress(sqlite3.Error):  # closed already
        connection.rollback()


async def insert_new(session: AsyncSession, table: type[Base], values: Mapping[str, Any]) -> bool:
    """Insert one row; False, and nothing changed, when its key (any unique one) exists already.

    On PostgreSQL it waits for a transaction that is inserting the same key, and answers by how that ends.
    """
    return await insert_numbered(session, table, values) is not None


async def insert_all_new(session: AsyncSession, table: type[Base], rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert rows of the same columns in one statement, without those whose key exists; return how many were new."""
    if not rows:
        return 0
    target = cast("Table", table.__table__)
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = insert(target).values([dict(row) for row in rows]).on_conflict_do_nothing()
    return len((await session.execute(statement.returning(*target.primary_key.columns))).all())


async def insert_numbered(session: AsyncSession, table: type[Base], values: Mapping[str, Any]) -> Any:
    """Insert as `insert_new` does, and return the first column of the new row's primary key; None when it is there."""
    target = cast("Table", table.__table__)
    insert = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = insert(target).values(**values).on_conflict_do_nothing().returning(*target.primary_key.columns)
    row = (await session.execute(statement)).first()
    return None if row is None else row[0]


async def changed_rows(session: AsyncSession, statement: UpdateBase) -> int:
    """Run an INSERT, UPDATE or DELETE and return how many rows it changed."""
    result = await session.execute(statement, execution_options={"synchronize_session": False})
    return cast("CursorResult[Any]", result).rowcount


def trouble_of(error: BaseException) -> FileTrouble | None:
    """Return what an error of SQLite or the system is about; None for one that is about something else."""
    if isinstance(error, DBAPIError) and error.orig is not None:
        return trouble_of(error.orig)
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None) or 0
        short = code == sqlite3.SQLITE_IOERR_SHORT_READ
        return FileTrouble.DAMAGED if short else _SQLITE.get(code & 0xFF)
    return _SYSTEM.get(error.errno or 0) if isinstance(error, OSError) else None


def in_words(error: BaseException) -> str:
    """Return one line for people: no statement, no class name."""
    trouble = trouble_of(error)
    if trouble is not None:
        return _WORDS[trouble]
    original = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return next(iter(str(original).splitlines()), "") or type(original).__name__
