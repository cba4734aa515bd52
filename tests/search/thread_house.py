"""A house of one index: search, what people sent in threads of it, and the folder that holds that."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from identity.actor import Actor
from identity.readership import Alone, Shared
from search.config import SearchConfig, UploadConfig
from search.embedding.memory import HashEmbedder
from search.indexes.memory import MemoryIndex
from search.indexes.port import Index, IndexEntry
from search.service import SearchService
from search.uploads.thread_files import ThreadFiles
from search.uploads.upload_folder import UploadFolder
from storage.clock import ManualClock
from storage.database import Database

LEASE = b"# Lease of the north hall\n\n## Notice\n\nThe notice period of the north hall is eleven weeks.\n"
THREAD, OTHER = "slack:T1:C1:100.1", "slack:T1:C1:200.2"


@dataclass
class House:
    search: SearchService
    files: ThreadFiles
    folder: Path
    clock: ManualClock

    async def found(
        self, actor: Actor, thread: str = "", *, query: str = "notice period", audience: frozenset[str] | None = None
    ) -> list[str]:
        readership = Alone(thread) if audience is None else Shared(audience, thread)
        result = await self.search.search(actor, query, language="en", readership=readership)
        return list(dict.fromkeys(hit.document_path.rpartition("/")[2] for hit in result.hits))

    async def texts(self, actor: Actor, thread: str) -> str:
        return " ".join(
            hit.chunk.text for hit in (await self.search.search(actor, "notice", readership=Alone(thread))).hits
        )


class Breaking(MemoryIndex):
    """Ends a process in the middle, as far as a test can: the file lies on disk and is not in the index."""

    broken = False
    before_replace: Callable[[], Awaitable[None]] | None = None

    async def replace(self, entries: Sequence[IndexEntry]) -> None:
        if self.broken:
            raise ConnectionError
        if self.before_replace is not None:
            meanwhile, self.before_replace = self.before_replace, None
            await meanwhile()
        await super().replace(entries)

    async def delete(self, source: str, paths: Sequence[str] | None = None) -> int:
        if self.broken:
            raise ConnectionError
        return await super().delete(source, paths)


@asynccontextmanager
async def open_house(database: Database, clock: ManualClock, index: Index, home: Path) -> AsyncIterator[House]:
    """Open a house over an index, with an empty folder of uploads."""
    embedder = HashEmbedder()
    config = SearchConfig(uploads=UploadConfig(path=home / "uploads"))
    search = SearchService(database, index, embedder, clock, config)
    folder = UploadFolder(config.uploads.path)
    files = ThreadFiles(database, index, embedder, clock, folder=folder, config=config)
    yield House(search, files, config.uploads.path / "threads", clock)
    await files.close()
    await search.close()
