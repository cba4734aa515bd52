"""Files that were sent in a chat thread: read at once, for that thread only; gone with their message, or after days."""

import asyncio
import hashlib
import logging
import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from identity.actor import Actor, system_actor
from identity.audit import record
from identity.permissions import Permission
from identity.policy import require
from search.access import THREAD_FILES, thread_key
from search.config import SearchConfig
from search.embedding.port import Embedder
from search.errors import EmbedderUnavailable, FileUnreadable, Reason
from search.indexes.port import Index, IndexEntry
from search.parsing.apart.readers import FileReaders, limits_of
from search.parsing.converted import Kind, kind_of
from search.sources.folder import ThreadFilesSource
from search.sources.port import SourceProblem
from search.sync import store
from search.sync.store import StoredSource
from search.sync.sync import Synchroniser
from search.uploads.upload_folder import Arrival, UploadFolder, is_older, safe_name
from storage.clock import Clock
from storage.database import Database

_LOG = logging.getLogger(__name__)
#: Their folder among the uploads.
THREADS = "threads"
#: Files that are read at a time; a process waits for more for a while.
_READ_AT_ONCE = 2
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
        limits = replace(
            limits_of(config),
            seconds=config.uploads.thread_file_seconds,
            most_text=int(config.uploads.thread_file_text_mb * 1_000_000),
            processes=_READ_AT_ONCE,
        )
        self._readers = FileReaders(limits)

    async def close(self) -> None:
        """End the processes that read."""
        await asyncio.to_thread(self._readers.close)

    async def take_in(self, actor: Actor, thread: str, name: str, content: bytes, *, message: str = "") -> TakenIn:
        """Read a file for its thread; the same again changes nothing, another of that name takes its place.

        `message` is the id of the one that brought it, for `withdraw`. Raises `FileUnreadable` with the reason.
        """
        allowed = require(actor, Permission.KNOWLEDGE_ASK)
        key = thread_key(thread)
        arrival = await asyncio.to_thread(self._arrive, _attempt(key, message, name), name, content)
        file = self._root / key / arrival.name
        replaced = await asyncio.to_thread(_differs, file, content)
        now = self._clock.now()
        async with self._database.transaction() as session:
            # Before the file is there, so that no message can be taken away without it.
            await store.bring(session, thread=key, name=file.name, message=_digest(message), alone=replaced, now=now)
        await asyncio.to_thread(self._place, arrival, file)
        entry, remark = await self._read(key, file)
        await self._embed(entry)
        taken = TakenIn(
            name=file.name,
            pages=len(entry.document.root.children) if kind_of(entry.document.path) is Kind.PDF else 0,
            sections=max(1, sum(1 for section in entry.document.root.walk() if section.units)),
            replaced=replaced,
            remark=remark,
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
                detail={"format": file.suffix, "sections": taken.sections},
                now=self._clock.now(),
            )
        return taken

    async def withdraw(self, thread: str, message: str, *, kept: Collection[str] = ()) -> int:
        """Take out what a message had brought, but for the names that it `kept`; return how many files went.

        What another message of the thread brought as well stays. Killed or failed in between, it can be done again.
        """
        key, sender = thread_key(thread), _digest(message)
        async with self._database.reading() as session:
            brought = await store.brought(session, thread=key, message=sender)
        still = {plain for plain in map(_plain, kept) if plain}
        gone = [name for name in brought if name not in still]
        files = [self._root / key / name for name in gone if brought[name]]
        await self._take_out(files)
        if not still:  # what was on its way when a desk was killed will not be brought again
            await asyncio.to_thread(self._folder.drop_arriving, _attempt(key, message))
        async with self._database.transaction() as session:
            await store.take_back(session, thread=key, message=sender, names=gone)
            if files:
                await record(
                    session,
                    actor=system_actor("chat"),
                    action="knowledge.thread_file_withdrawn",
                    resource=f"thread:{key}",
                    allowed=True,
                    reason="its message was taken away",
                    outcome="done",
                    detail={"files": len(files)},
                    now=self._clock.now(),
                )
        return len(files)

    async def forget(self) -> int:
        """Take out the files that are older than the set number of days; return how many there were."""
        before = self._clock.now() - timedelta(days=self._config.uploads.thread_days)
        old = await asyncio.to_thread(self._older, before)
        await self._take_out(old)
        async with self._database.transaction() as session:
            await store.forget_brought(session, before=before)
        return len(old)

    async def _take_out(self, files: list[Path]) -> None:
        if not files:
            return
        paths = [file.relative_to(self._root).as_posix() for file in files]
        await self._index.delete(THREAD_FILES, paths)  # first: killed after it, whoever goes on finds the files
        await asyncio.to_thread(self._drop, files)
        await self._index.delete(THREAD_FILES, paths)  # a refresh that had read them before may have come in between

    def _arrive(self, attempt: str, name: str, content: bytes) -> Arrival:
        if not content:
            raise FileUnreadable("is empty", Reason.EMPTY)
        arrival = self._folder.arriving(name, attempt=attempt)
        arrival.write(content)
        return arrival

    def _place(self, arrival: Arrival, file: Path) -> None:
        self._folder.place(arrival, file.parent)
        now = self._clock.now().timestamp()
        os.utime(file, (now, now))

    async def _read(self, key: str, file: Path) -> tuple[IndexEntry, str]:
        """Put the file into the index; return its page and what is to be said about it."""
        path = f"{key}/{file.name}"
        limit = self._config.uploads.thread_file_bytes
        source = ThreadFilesSource(THREAD_FILES, self._root, longest_file_bytes=limit, readers=self._readers, only=key)
        listing = await source.listing()
        problems = [each for each in listing.problems if each.path == path]
        if path in listing.hashes:
            taken = await self._synchroniser.take_in(source, [path])
            problems = list(taken.problems)
            if taken.entries and path not in taken.lost:
                return taken.entries[0], _words(problems)
        await self._take_out([file])
        async with self._database.transaction() as session:
            await store.forget_file(session, thread=key, name=file.name)
        reason = next((each.reason for each in problems if each.reason is not Reason.OTHER), Reason.OTHER)
        raise FileUnreadable(_words(problems) or "cannot be read", reason)

    async def _embed(self, entry: IndexEntry) -> None:
        """Make the vectors of the beginning now; without a model the file is searched by words."""
        own = {each.key for of_one in entry.windows for each in of_one if not each.abroad}
        waiting = await self._index.pending(self._embedder.name, limit=_LOOKED_AT) if own else ()
        first = [each for each in waiting if each.key in own][:_AT_ONCE]
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
        return [file for file in found if file.is_file() and is_older(file, before)]

    def _drop(self, files: list[Path]) -> None:
        for file in files:
            file.unlink(missing_ok=True)
            with suppress(OSError):  # others are left in that thread
                file.parent.rmdir()


def _attempt(key: str, message: str, *name: str) -> str:
    """Return the name of the attempts to bring a message's files into a thread, or one file of them."""
    return ".".join((key, _digest(message), *map(_digest, name)))


def _digest(*identifiers: str) -> str:
    """Return a name for ids of a chat platform that tells nothing of them."""
    return hashlib.sha256("\0".join(identifiers).encode()).hexdigest()[:32]


def _differs(file: Path, content: bytes) -> bool:
    return file.is_file() and file.read_bytes() != content


def _words(problems: Sequence[SourceProblem]) -> str:
    return "; ".join(each.what for each in problems)


def _plain(name: str) -> str:
    """Return what a file of that name is called here; empty where none can be."""
    try:
        return safe_name(name)
    except FileUnreadable:
        return ""
