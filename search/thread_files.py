"""Files that were sent in a chat thread: read at once, for that thread only, and gone after some days."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from identity.actor import Actor
from identity.audit import record
from identity.permissions import Permission
from identity.policy import require
from search import store
from search.access import THREAD_FILES, thread_key
from search.config import SearchConfig
from search.embedding.port import Embedder
from search.errors import EmbedderUnavailable, FileUnreadable
from search.index import Entry, Index
from search.parsing.isolation import Limits, Readers
from search.parsing.kinds import Kind, kind_of
from search.sources.threads import ThreadFilesSource
from search.store import StoredSource
from search.sync import Synchroniser
from search.upload_folder import UploadFolder
from storage.clock import Clock
from storage.database import Database

_LOG = logging.getLogger(__name__)
#: Their folder among the uploads.
THREADS = "threads"
#: Texts whose vectors are made while somebody waits; those of a longer file follow like all others.
_AT_ONCE = 64
#: Texts without a vector among which they are looked for: behind a large folder they wait for their turn.
_LOOKED_AT = 512


@dataclass(frozen=True)
class TakenIn:
    """A file that can be asked about now. `pages` is 0 where the format has none."""

    name: str
    pages: int
    sections: int
    replaced: bool  # another file of that name was sent in this thread before
    remark: str = ""


class ThreadFiles:
    """Takes in and forgets; the files lie on disk, so that a rebuilt index reads them again."""

    def __init__(
        self,
        database: Database,
        index: Index,
        embedder: Embedder,
        clock: Clock,
        *,
        folder: UploadFolder,
        config: SearchConfig,
    ) -> None:
        self._database = database
        self._index = index
        self._embedder = embedder
        self._synchroniser = Synchroniser(index=index, embedder=embedder)
        self._clock = clock
        self._folder = folder
        self._root = folder.root / THREADS
        self._config = config

    async def take_in(self, actor: Actor, thread: str, name: str, content: bytes) -> TakenIn:
        """Read a file for its thread; the same again changes nothing, another of that name takes its place.

        Raises `FileUnreadable` with the reason, to be read after the file's name.
        """
        allowed = require(actor, Permission.KNOWLEDGE_ASK)
        key = thread_key(thread)
        file, replaced = await asyncio.to_thread(self._keep, key, name, content)
        entry, remark = await self._read(key, file)
        await self._embed(entry)
        taken = TakenIn(
            name=file.name, pages=_pages(entry), sections=_sections(entry), replaced=replaced, remark=remark
        )
        path = await asyncio.to_thread(self._folder.of, THREADS)
        source = StoredSource(name=THREAD_FILES, path=str(path), default_allow=())
        async with self._database.transaction() as session:
            # From now on it is one of those that are refreshed and rebuilt.
            await store.add_if_new(session, source, now=self._clock.now())
            await record(
                session,
                actor=actor,
                action="knowledge.thread_file",
                resource=f"thread:{key}",
                allowed=True,
                reason=allowed.reason,
                outcome="done",
                detail={"file": file.name, "sections": taken.sections},
                now=self._clock.now(),
            )
        return taken

    async def forget(self) -> int:
        """Take out the files that are older than the set number of days; return how many there were."""
        before = self._clock.now() - timedelta(days=self._config.uploads.thread_days)
        old = await asyncio.to_thread(self._older, before)
        if old:  # first out of what is searched: killed in between, the next run goes on
            await self._index.delete(THREAD_FILES, [file.relative_to(self._root).as_posix() for file in old])
            await asyncio.to_thread(self._drop, old)
        return len(old)

    def _keep(self, key: str, name: str, content: bytes) -> tuple[Path, bool]:
        """Put the file on disk; what it was before is known from there alone."""
        if not content:
            raise FileUnreadable("is empty")
        arrival = self._folder.arriving(name)
        arrival.write(content)
        file = self._root / key / arrival.name
        replaced = file.is_file() and file.read_bytes() != content
        self._folder.place(arrival, file.parent)
        now = self._clock.now().timestamp()
        os.utime(file, (now, now))
        return file, replaced

    async def _read(self, key: str, file: Path) -> tuple[Entry, str]:
        """Put the file into the index; return its page and what is to be said about it."""
        path = f"{key}/{file.name}"
        async with self._source(key) as source:
            listing = await source.listing()
            problems = [each.what for each in listing.problems if each.path == path]
            if path in listing.hashes:
                taken = await self._synchroniser.take_in(source, [path])
                problems = [each.what for each in taken.problems]
                if taken.entries:
                    return taken.entries[0], "; ".join(problems)
        await asyncio.to_thread(file.unlink, missing_ok=True)
        await self._index.delete(THREAD_FILES, [path])
        raise FileUnreadable("; ".join(problems) or "cannot be read")

    @asynccontextmanager
    async def _source(self, key: str) -> AsyncIterator[ThreadFilesSource]:
        limits = self._config.uploads
        readers = Readers(
            Limits(seconds=limits.thread_file_seconds, memory_mb=self._config.file_memory_mb, processes=1)
        )
        try:
            yield ThreadFilesSource(
                THREAD_FILES, self._root, longest_file_bytes=limits.thread_file_bytes, readers=readers, only=key
            )
        finally:
            await asyncio.to_thread(readers.close)

    async def _embed(self, entry: Entry) -> None:
        """Make the vectors of the beginning now; without a model the file is searched by words."""
        own = {text for each in entry.embedded for text in each}
        waiting = await self._index.pending(self._embedder.name, limit=_LOOKED_AT) if own else ()
        first = [each for each in waiting if each.text in own][:_AT_ONCE]
        if not first:
            return
        try:
            vectors = await self._embedder.embed([each.text for each in first])
        except EmbedderUnavailable as error:
            _LOG.warning("a file sent in chat is searched by words alone: %s", error)
            return
        made = {each.key: vector for each, vector in zip(first, vectors, strict=True)}
        await self._index.put_vectors(self._embedder.name, made)

    def _older(self, before: datetime) -> list[Path]:
        found = self._root.glob("*/*") if self._root.is_dir() else ()
        return [file for file in found if file.is_file() and file.stat().st_mtime < before.timestamp()]

    def _drop(self, files: list[Path]) -> None:
        for file in files:
            file.unlink(missing_ok=True)
            with suppress(OSError):  # others are left in that thread
                file.parent.rmdir()


def _pages(entry: Entry) -> int:
    return len(entry.document.root.children) if kind_of(entry.document.path) is Kind.PDF else 0


def _sections(entry: Entry) -> int:
    return max(1, sum(1 for section in entry.document.root.walk() if section.units))
