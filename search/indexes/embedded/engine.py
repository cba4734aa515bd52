"""`EmbeddedIndex`: exact BM25F and exact vectors, both in memory, for up to about 200,000 chunks; all of it in SQLite.

Readers never wait for a writer (WAL), also across processes; every public method runs in a thread.
"""

import asyncio
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from search.access import Scope
from search.documents import Chunk
from search.embedding.port import FloatArray
from search.errors import IndexBeingMade, IndexUnavailable, IndexUnusable
from search.indexes.bm25f import field_terms
from search.indexes.embedded import damage, legs, reading, writing
from search.indexes.embedded.schema import connect, prepare
from search.indexes.embedded.snapshot import Snapshot, refreshed
from search.indexes.port import (
    EmbeddedText,
    IndexEntry,
    IndexQuery,
    Leg,
    LegFindings,
    Statistics,
    StoredPage,
    StoredPassage,
)
from search.parsing.apart.threads import LongWork
from storage.database import in_words

ResultT = TypeVar("ResultT")
_LOG = logging.getLogger(__name__)
#: A file that is damaged more often than that within so many seconds lies on a disk that is.
_DAMAGES, _WITHIN_S = 5, 600.0


class EmbeddedIndex:
    """One SQLite file. Opening is lazy: nothing is read before the first call.

    A damaged file is set aside wherever it shows, and a new one begun: searches raise `IndexBeingMade` until somebody
    who knows the sources has filled it. Each call looks which file lies there, since another process may do the same.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opening = threading.Lock()
        self._loading = threading.Lock()
        self._writing = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._file: damage.Identity | None = None  # that is open
        self._damages: deque[float] = deque(maxlen=_DAMAGES)
        self._snapshot = Snapshot()
        self._writes = LongWork("write-index")
        self.dropped_older_version = False

    async def manifest(self, source: str) -> Mapping[str, str]:
        """Return path → content hash."""
        return await self._read(
            lambda connection: dict(
                connection.execute("SELECT path, content_hash FROM document WHERE source = ?", (source,)).fetchall()
            )
        )

    async def replace(self, entries: Sequence[IndexEntry]) -> None:
        """Put documents in, all in one transaction."""
        if not entries:
            return
        found = await self._writes.run(lambda: [tuple(field_terms(entry)) for entry in entries])  # outside the lock
        await self._write(lambda connection: writing.replace(connection, entries, found))

    async def delete(self, source: str, paths: Sequence[str] | None = None) -> int:
        """Remove documents; their vectors stay cached until no other chunk uses them."""
        return await self._write(lambda connection: writing.delete(connection, source, paths))

    async def pending(self, model: str, *, limit: int) -> Sequence[EmbeddedText]:
        """Return texts without a vector, each once, oldest first; another model than before takes over."""
        await self._write(lambda connection: writing.use_model(connection, model))
        found = await self._read(lambda connection: reading.pending(connection, limit))
        if not found:  # not earlier: a page that moved needs the vectors that it had under its old name
            await self._write(writing.prune)
        return found

    async def put_vectors(self, model: str, vectors: Mapping[str, FloatArray]) -> None:
        """Store vectors as float16."""
        if vectors:
            await self._write(lambda connection: writing.put_vectors(connection, model, vectors))

    async def search(self, question: IndexQuery, scope: Scope) -> LegFindings:
        """Ask both legs in one read transaction, filtered by what the same transaction says about access."""
        return await self._read(lambda connection: self._search(connection, question, scope))

    async def passages(self, keys: Sequence[str], scope: Scope) -> Mapping[str, StoredPassage]:
        """Read passages and check their access list once more."""
        return await self._read(lambda connection: reading.passages(_served(connection), keys, scope))

    async def neighbours(self, chunk_id: str, scope: Scope, *, before: int, after: int) -> tuple[Chunk, ...]:
        """Return the chunk and those around it, in reading order."""
        reach = (before, after)
        return await self._read(lambda connection: reading.neighbours(_served(connection), chunk_id, scope, reach))

    async def page(self, source: str, path: str, scope: Scope) -> StoredPage | None:
        """Return a page as it may be shown."""
        return await self._read(lambda connection: reading.page(connection, source, path, scope))

    async def readable(self, documents: Collection[str], scope: Scope) -> frozenset[str]:
        """Return the pages that are there and allowed, read at once."""
        return await self._read(lambda connection: reading.readable(_served(connection), documents, scope))

    async def statistics(self, source: str | None = None) -> Statistics:
        """Count documents, chunks and what is missing."""
        return await self._read(lambda connection: reading.statistics(connection, source))

    async def verify(self) -> tuple[str, ...]:
        """Return what is wrong with the file; nothing when it is sound."""
        return await asyncio.to_thread(self._verified)

    async def set_aside(self) -> None:
        """Put the file out of the way, whatever is in it, and begin a new one."""
        await asyncio.to_thread(self._begin_anew, "is not whole", damage.identity(self._path))

    async def unfilled(self) -> str:
        """Return the mark of a file that was begun in place of another one and not filled yet; else nothing."""
        return await self._read(reading.unfilled)

    async def filled(self, mark: str) -> None:
        """Let the file serve that bears this mark."""
        await self._write(lambda connection: writing.serve(connection, mark))

    async def close(self) -> None:
        """Close the connections that are not in use."""
        with self._opening:
            self._close()

    async def _read(self, work: Callable[[sqlite3.Connection], ResultT]) -> ResultT:
        return await asyncio.to_thread(self._in_transaction, work, "BEGIN")

    async def _write(self, work: Callable[[sqlite3.Connection], ResultT]) -> ResultT:
        return await self._writes.run(self._written, work)

    def _written(self, work: Callable[[sqlite3.Connection], ResultT]) -> ResultT:
        with self._writing:  # threads of one process queue here instead of waking one another in SQLite's busy wait
            return self._in_transaction(work, "BEGIN IMMEDIATE")

    def _in_transaction(self, work: Callable[[sqlite3.Connection], ResultT], begin: str) -> ResultT:
        before = damage.identity(self._path)
        try:
            return self._attempt(work, begin)
        except damage.SIGNS as error:
            if not damage.is_damage(error, self._path):
                if isinstance(error, sqlite3.OperationalError):
                    raise IndexUnavailable(f"{self._path}: {in_words(error)}") from error
                raise
            self._begin_anew(f"is damaged ({error})", before)
        return self._attempt(work, begin)

    def _attempt(self, work: Callable[[sqlite3.Connection], ResultT], begin: str) -> ResultT:
        with self._connection() as connection:
            connection.execute(begin)
            try:
                result = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # it may have rolled back already
                    connection.execute("ROLLBACK")
                raise
            return result

    def _verified(self) -> tuple[str, ...]:
        try:
            return self._attempt(reading.verify, "BEGIN")
        except damage.SIGNS as error:
            return (f"file: {error}",)

    def _begin_anew(self, why: str, before: damage.Identity | None) -> None:
        """Set the file aside, unless somebody did so since it was that one."""
        with self._opening:
            if damage.identity(self._path) != before:
                return
            now = time.monotonic()
            if len(self._damages) == _DAMAGES and now - self._damages[0] < _WITHIN_S:
                raise IndexUnusable(f"{self._path} was damaged {_DAMAGES} times in a few minutes: look at its disk")
            self._damages.append(now)
            self._close()
            aside = damage.set_aside(self._path)
            self._prepare(unfilled=True)
        _LOG.error("%s %s; it lies as %s now, and a new one is made from the sources", self._path, why, aside.name)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._opening:
            if self._file is None or self._file != damage.identity(self._path):
                gone = self._file is not None  # taken away under our hands
                self._close()
                self._prepare(unfilled=gone)
            file = self._file
            connection = self._idle.pop() if self._idle else None
        taken = connection or connect(self._path)
        try:
            yield taken
        finally:
            with self._opening:
                if self._file == file:
                    self._idle.append(taken)
                else:
                    taken.close()

    def _prepare(self, *, unfilled: bool) -> None:
        cut = self._path.is_file() and self._path.stat().st_size == 0  # a new one never is
        self.dropped_older_version = prepare(self._path, unfilled=unfilled or cut)
        self._file = damage.identity(self._path)

    def _close(self) -> None:
        idle, self._idle, self._file = self._idle, [], None
        for connection in idle:
            connection.close()

    def _search(self, connection: sqlite3.Connection, question: IndexQuery, scope: Scope) -> LegFindings:
        # The transaction begins with the first question inside the lock, so what is kept is never newer than it.
        with self._loading:
            snapshot = self._snapshot = refreshed(_served(connection), self._snapshot)
            permitted = snapshot.permitted(scope)
        wanted = legs.wanted(connection, snapshot, permitted, terms=question.terms)
        found: dict[Leg, legs.LegResult] = {}
        if question.terms:
            found["bm25"] = legs.lexical(snapshot, permitted, wanted=wanted, depth=question.depth)
        served = question.model in ("", reading.model(connection))
        vectors = snapshot.abroad if question.abroad else snapshot.own
        if question.vector is not None and served:
            found["dense"] = legs.dense(snapshot, permitted, vectors, vector=question.vector, depth=question.depth)
        return LegFindings(
            legs={name: leg.candidates for name, leg in found.items()},
            alone={name: leg.alone for name, leg in found.items() if leg.alone},
            hidden=max((leg.hidden for leg in found.values()), default=0),
            frequencies=wanted.frequencies,
            corrections=wanted.corrections,
            total=permitted.total,
            vectors_share=vectors.share if served or not len(vectors.rows) else 0.0,
        )


def _served(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return the connection to a file that answers questions; raise `IndexBeingMade` while it is not filled."""
    if reading.unfilled(connection):
        raise IndexBeingMade(done=reading.statistics(connection, None).documents)
    return connection
