"""`ElasticsearchIndex`: the port's methods, each over its module."""

from collections.abc import Mapping, Sequence

from search.access import Scope
from search.config import ElasticsearchConfig
from search.documents import Chunk
from search.embedding.port import FloatArray
from search.index import Entry, Findings, Passage, PendingText, Question, Statistics, StoredPage
from search.indexes.elasticsearch import generations
from search.indexes.elasticsearch.connection import Connection
from search.indexes.elasticsearch.generations import Names
from search.indexes.elasticsearch.reader import Reader
from search.indexes.elasticsearch.reading import Reading
from search.indexes.elasticsearch.searching import Searching
from search.indexes.elasticsearch.writing import Writer
from storage.clock import Clock, SystemClock


class ElasticsearchIndex:
    """One desk's part of a cluster. Opening is lazy: nothing is asked before the first call."""

    def __init__(self, config: ElasticsearchConfig, *, clock: Clock | None = None) -> None:
        self._connection = Connection(config, clock or SystemClock())
        self._names = Names(config.prefix)
        reader = Reader(self._connection, self._names.read)
        self._reading = Reading(self._connection, reader)
        self._searching = Searching(reader)

    async def manifest(self, source: str) -> Mapping[str, str]:
        """Return path → content hash."""
        return await self._reading.manifest(source)

    async def replace(self, entries: Sequence[Entry]) -> None:
        """Put pages in, all at once."""
        if entries:
            writer = await self._writer()
            await writer.purge()
            await writer.replace(entries)

    async def delete(self, source: str, paths: Sequence[str] | None = None) -> int:
        """Let pages be found no more; they are removed for good a little later."""
        return await (await self._writer()).delete(source, paths)

    async def pending(self, model: str, *, limit: int) -> Sequence[PendingText]:
        """Return texts without a vector, each once, oldest first; another model than before takes over."""
        writer = await self._writer()
        await writer.use_model(model)
        found = await self._reading.pending(model, limit=limit)
        if not found:
            await writer.purge()
        return found

    async def put_vectors(self, model: str, vectors: Mapping[str, FloatArray]) -> None:
        """Store vectors."""
        if vectors:
            await (await self._writer()).put_vectors(model, vectors)

    async def search(self, question: Question, scope: Scope) -> Findings:
        """Ask both legs at one commit, each filtered by what the scope allows."""
        return await self._searching.search(question, scope)

    async def passages(self, keys: Sequence[str], scope: Scope) -> Mapping[str, Passage]:
        """Read passages and check their access list once more."""
        return await self._reading.passages(keys, scope)

    async def neighbours(self, chunk_id: str, scope: Scope, *, before: int, after: int) -> tuple[Chunk, ...]:
        """Return the chunk and those around it, in reading order."""
        return await self._reading.neighbours(chunk_id, scope, (before, after))

    async def page(self, source: str, path: str, scope: Scope) -> StoredPage | None:
        """Return a page as it may be shown."""
        return await self._reading.page(source, path, scope)

    async def statistics(self, source: str | None = None) -> Statistics:
        """Count documents, chunks and what is missing."""
        return await self._reading.statistics(source)

    async def close(self) -> None:
        """Give back every connection."""
        await self._connection.close()

    async def _writer(self) -> Writer:
        return Writer(self._connection, await generations.ensure(self._connection, self._names))
