"""The port's methods over one index, whichever that is."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeVar

from elasticsearch import NotFoundError

from search.access import Scope
from search.documents import Chunk
from search.embedding.port import FloatArray
from search.errors import IndexUnavailable
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.commits.committing import Held
from search.indexes.elasticsearch.commits.reader import HeadReader
from search.indexes.elasticsearch.generations import HOLD_S
from search.indexes.elasticsearch.reading.reading import IndexReading
from search.indexes.elasticsearch.reading.searching import Searching
from search.indexes.elasticsearch.reading.verification import verify
from search.indexes.elasticsearch.writing import vectors
from search.indexes.elasticsearch.writing.writer import Writer
from search.indexes.port import EmbeddedText, IndexEntry, IndexQuery, LegFindings, Statistics, StoredPage, StoredPassage

_HELD_WAIT_S = 0.2
_BUSY_WAITS_S = (0.2, 0.5, 1.0, 2.0)

ResultT = TypeVar("ResultT")


class Target(Protocol):
    """Where is read and written."""

    @property
    def read(self) -> str:
        """Return the index or alias that is searched."""
        ...

    async def writer(self) -> Writer:
        """Return what writes to it now."""
        ...

    async def mend(self) -> None:
        """Make what is missing of it."""
        ...


class IndexPages:
    """Reads are one request at one commit; writes go to whatever serves when they are made."""

    def __init__(self, connection: Connection, target: Target) -> None:
        self._connection = connection
        self._target = target
        self._reader = HeadReader(connection, target.read)
        self._reading = IndexReading(connection, self._reader)
        self._searching = Searching(self._reader)

    async def manifest(self, source: str) -> Mapping[str, str]:
        """Return path → content hash."""
        return await self._reading.manifest(source)

    async def replace(self, entries: Sequence[IndexEntry]) -> None:
        """Put pages in, all at once."""
        if entries:
            await self._write(lambda writer: writer.replace(entries))

    async def delete(self, source: str, paths: Sequence[str] | None = None) -> int:
        """Let pages be found no more; they are removed for good a little later."""
        return await self._write(lambda writer: writer.delete(source, paths))

    async def pending(self, model: str, *, limit: int) -> Sequence[EmbeddedText]:
        """Return texts without a vector, each once, oldest first; another model than before takes over."""
        await self._write(lambda writer: vectors.use_model(self._connection, writer.index, model))
        found = await self._reading.pending(model, limit=limit)
        if not found:
            await self._write(lambda writer: writer.purge())
        return found

    async def put_vectors(self, model: str, made: Mapping[str, FloatArray]) -> None:
        """Store vectors."""
        if made:
            await self._write(lambda writer: vectors.put(self._connection, writer.index, model, made))

    async def search(self, question: IndexQuery, scope: Scope) -> LegFindings:
        """Ask both legs at one commit, each filtered by what the scope allows."""
        return await self._searching.search(question, scope)

    async def passages(self, keys: Sequence[str], scope: Scope) -> Mapping[str, StoredPassage]:
        """Read passages and check their access list once more."""
        return await self._reading.passages(keys, scope)

    async def neighbours(self, chunk_id: str, scope: Scope, *, before: int, after: int) -> tuple[Chunk, ...]:
        """Return the chunk and those around it, in reading order."""
        return await self._reading.neighbours(chunk_id, scope, (before, after))

    async def page(self, source: str, path: str, scope: Scope) -> StoredPage | None:
        """Return a page as it may be shown."""
        return await self._reading.page(source, path, scope)

    async def readable(self, documents: Collection[str], scope: Scope) -> frozenset[str]:
        """Return the pages that are there and allowed, asked for at once."""
        return await self._reading.readable(documents, scope)

    async def statistics(self, source: str | None = None) -> Statistics:
        """Count documents, chunks and what is missing."""
        return await self._reading.statistics(source)

    async def verify(self) -> tuple[str, ...]:
        """Return what does not fit together; nothing when all is well."""
        return await verify(self._reader)

    async def close(self) -> None:
        """Give back every connection."""
        await self._connection.close()

    async def _write(self, work: Callable[[Writer], Awaitable[ResultT]]) -> ResultT:
        """Write to what serves; again after a while where that may help, since a write may be made twice."""
        clock = self._connection.clock
        deadline = clock.monotonic() + 2 * HOLD_S
        waits = iter(_BUSY_WAITS_S)
        mended = False
        while True:
            try:
                return await work(await self._target.writer())
            except Held:  # another generation takes over: the next attempt goes there
                if clock.monotonic() > deadline:
                    raise IndexUnavailable("another index is taking over and does not finish; try again") from None
                await clock.sleep(_HELD_WAIT_S)
            except NotFoundError:
                if mended:
                    raise
                mended = True
                await self._target.mend()
            except IndexUnavailable:
                wait_s = next(waits, None)
                if wait_s is None:
                    raise
                await clock.sleep(wait_s)
