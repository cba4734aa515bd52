"""`EmbeddedIndex`: exact BM25F and exact vectors, both in memory, for up to about 200,000 chunks; all of it in SQLite.

Readers never wait for a writer (WAL), also across processes; every public method runs in a thread.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from search.access import Scope
from search.documents import Chunk
from search.embedding.port import FloatArray
from search.indexes.bm25f import field_terms
from search.indexes.embedded import legs, reading, writing
from search.indexes.embedded.schema import connect, prepare
from search.indexes.embedded.snapshot import Snapshot, refreshed
from search.indexes.port import (
    IndexEntry,
    IndexQuery,
    Leg,
    LegFindings,
    PendingText,
    Statistics,
    StoredPage,
    StoredPassage,
)

ResultT = TypeVar("ResultT")


class EmbeddedIndex:
    """One SQLite file. Opening is lazy: nothing is read before the first call."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opening = threading.Lock()
        self._loading = threading.Lock()
        self._writing = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._opened = False
        self._snapshot = Snapshot()
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
        found = await asyncio.to_thread(lambda: [tuple(field_terms(entry)) for entry in entries])  # outside the lock
        await self._write(lambda connection: writing.replace(connection, entries, found))

    async def delete(self, source: str, paths: Sequence[str] | None = None) -> int:
        """Remove documents; their vectors stay cached until no other chunk uses them."""
        return await self._write(lambda connection: writing.delete(connection, source, paths))

    async def pending(self, model: str, *, limit: int) -> Sequence[PendingText]:
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
        return await self._read(lambda connection: reading.passages(connection, keys, scope))

    async def neighbours(self, chunk_id: str, scope: Scope, *, before: int, after: int) -> tuple[Chunk, ...]:
        """Return the chunk and those around it, in reading order."""
        return await self._read(lambda connection: reading.neighbours(connection, chunk_id, scope, (before, after)))

    async def page(self, source: str, path: str, scope: Scope) -> StoredPage | None:
        """Return a page as it may be shown."""
        return await self._read(lambda connection: reading.page(connection, source, path, scope))

    async def statistics(self, source: str | None = None) -> Statistics:
        """Count documents, chunks and what is missing."""
        return await self._read(lambda connection: reading.statistics(connection, source))

    async def verify(self) -> tuple[str, ...]:
        """Return what is wrong with the file; nothing when it is sound."""
        return await self._read(reading.verify)

    async def close(self) -> None:
        """Close the connections that are not in use."""
        with self._opening:
            idle, self._idle = self._idle, []
            self._opened = False
        for connection in idle:
            connection.close()

    async def _read(self, work: Callable[[sqlite3.Connection], ResultT]) -> ResultT:
        return await asyncio.to_thread(self._in_transaction, work, "BEGIN")

    async def _write(self, work: Callable[[sqlite3.Connection], ResultT]) -> ResultT:
        return await asyncio.to_thread(self._written, work)

    def _written(self, work: Callable[[sqlite3.Connection], ResultT]) -> ResultT:
        with self._writing:  # threads of one process queue here instead of waking one another in SQLite's busy wait
            return self._in_transaction(work, "BEGIN IMMEDIATE")

    def _in_transaction(self, work: Callable[[sqlite3.Connection], ResultT], begin: str) -> ResultT:
        with self._connection() as connection:
            connection.execute(begin)
            try:
                result = work(connection)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
            return result

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._opening:
            if not self._opened:
                self.dropped_older_version = prepare(self._path)
                self._opened = True
            connection = self._idle.pop() if self._idle else None
        taken = connection or connect(self._path)
        try:
            yield taken
        finally:
            with self._opening:
                if self._opened:
                    self._idle.append(taken)
                else:
                    taken.close()

    def _search(self, connection: sqlite3.Connection, question: IndexQuery, scope: Scope) -> LegFindings:
        # The transaction begins with the first question inside the lock, so what is kept is never newer than it.
        with self._loading:
            snapshot = self._snapshot = refreshed(connection, self._snapshot)
            permitted = snapshot.permitted(scope)
        wanted = legs.wanted(connection, snapshot, permitted, terms=question.terms)
        found: dict[Leg, legs.LegResult] = {}
        if question.terms:
            found["bm25"] = legs.lexical(snapshot, permitted, wanted=wanted, depth=question.depth)
        served = question.model in ("", reading.model(connection))
        if question.vector is not None and served:
            found["dense"] = legs.dense(snapshot, permitted, vector=question.vector, depth=question.depth)
        return LegFindings(
            legs={name: leg.candidates for name, leg in found.items()},
            alone={name: leg.alone for name, leg in found.items() if leg.alone},
            hidden=max((leg.hidden for leg in found.values()), default=0),
            frequencies=wanted.frequencies,
            corrections=wanted.corrections,
            total=permitted.total,
            vectors_share=snapshot.share if served or not len(snapshot.rows) else 0.0,
        )
