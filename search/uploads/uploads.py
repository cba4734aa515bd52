"""Sources that people fill by uploading files: each is a folder of its own, indexed like any other folder."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import require
from search.access import checked_principals
from search.errors import FileUnreadable, Reason, SourceNameInvalid, SourceNameTaken
from search.service import SearchService
from search.sources.report import Progress, SyncReport
from search.sync import store
from search.sync.intake import record_change
from search.sync.naming import checked_name
from search.uploads.thread_files import THREADS
from search.uploads.upload_folder import Arrival, UploadFolder
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject

#: Days for which the files of a removed source can be fetched back.
KEPT_DAYS = 1


@dataclass(frozen=True)
class Uploaded:
    """What came of an upload: the run over its source, and the files that took another one's place."""

    report: SyncReport
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True)
class Removed:
    """What was taken out: how many pages, and where the uploaded files are kept for a day."""

    pages: int
    kept: Path | None = None


class Uploads:
    """Takes files in and out for people who manage the knowledge."""

    def __init__(
        self, database: Database, search: SearchService, folder: UploadFolder, clock: Clock, *, longest_file_bytes: int
    ) -> None:
        self._database = database
        self._search = search
        self._folder = folder
        self._clock = clock
        self._longest = longest_file_bytes

    async def arrive(self, actor: Actor, name: str, pieces: AsyncIterator[bytes]) -> Arrival:
        """Take in one file, piece by piece; raise `FileUnreadable` where it cannot be read or is too large."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        arrival = await asyncio.to_thread(self._folder.arriving, name)
        size = 0
        whole = False
        try:
            async for piece in pieces:
                size += len(piece)
                if size > self._longest:
                    raise FileUnreadable(f"has more than {self._longest // 1_000_000} MB", Reason.TOO_LARGE)
                await asyncio.to_thread(arrival.write, piece)
            if size == 0:
                raise FileUnreadable("is empty", Reason.EMPTY)
            whole = True
        finally:
            if not whole:
                await asyncio.to_thread(arrival.drop)
        return arrival

    async def check(self, actor: Actor, name: str, allow: Sequence[str] = ()) -> None:
        """Raise what would speak against an upload to that source, before anything is sent.

        `SourceNameInvalid`, `SourceNameTaken`, `AccessInvalid`.
        """
        require(actor, Permission.KNOWLEDGE_MANAGE)
        checked_principals(tuple(allow))
        name = checked_name(name)
        if name == THREADS or name.startswith(".") or "\\" in name or not name.isprintable():
            raise SourceNameInvalid(f"{name!r} cannot name a source of uploads: take a plain name of your own")
        async with self._database.reading() as session:
            known = await store.find(session, name)
        path = str(await asyncio.to_thread(self._folder.of, name))
        if known is not None and known.path != path:
            raise SourceNameTaken(name, taken_by=known.path, wanted_for=path)

    async def add(
        self,
        actor: Actor,
        name: str,
        arrivals: Sequence[Arrival],
        *,
        allow: tuple[str, ...] = (),
        progress: Progress | None = None,
    ) -> Uploaded:
        """Put files into a source and index it; one of the same name takes the old one's place.

        Vectors come afterwards. Raises what `check` raises, and then nothing has changed.
        """
        await self.check(actor, name, allow)
        name = checked_name(name)
        folder = await asyncio.to_thread(self._folder.of, name)
        replaced = [
            arrival.name for arrival in arrivals if await asyncio.to_thread(self._folder.place, arrival, folder)
        ]
        detail: JsonObject = {"files": [arrival.name for arrival in arrivals], "replaced": replaced}
        async with self._database.transaction() as session:
            now = self._clock.now()
            await record_change(session, actor, "knowledge.upload", f"source:{name}", detail=detail, now=now)
        report = await self._search.add_folder(actor, folder, allow=allow, name=name, progress=progress)
        return Uploaded(report=report, replaced=tuple(replaced))

    async def remove(self, actor: Actor, name: str) -> Removed:
        """Remove any source with its pages; uploaded files are kept for a day, a folder elsewhere is not touched."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        async with self._database.reading() as session:
            known = await store.find(session, name)
        pages = await self._search.remove(actor, name)
        path = Path(known.path) if known is not None else None
        if path is None or not await asyncio.to_thread(self._is_ours, path):
            return Removed(pages=pages)
        return Removed(
            pages=pages, kept=await asyncio.to_thread(self._folder.put_away, path.name, now=self._clock.now())
        )

    async def forget(self) -> int:
        """Delete what was removed, or began to arrive, more than a day ago."""
        return await asyncio.to_thread(self._folder.forget, before=self._clock.now() - timedelta(days=KEPT_DAYS))

    def _is_ours(self, path: Path) -> bool:
        return path.is_dir() and self._folder.holds(path)
