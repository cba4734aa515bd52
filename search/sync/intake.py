"""A stored source brought in line with its folder; the report is kept, and who asked for it recorded."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncSession

from identity.actor import Actor, ActorKind
from identity.audit import record
from identity.permissions import Permission
from identity.policy import require
from search.access import THREAD_FILES
from search.config import SearchConfig
from search.documents import ChangedPage
from search.errors import FolderUnreadable
from search.indexes.port import Index
from search.parsing.apart.readers import FileReaders, limits_of
from search.sources.folder import FolderSource, ThreadFilesSource
from search.sources.origins import Origins
from search.sources.port import PageSource, SourceProblem
from search.sources.report import Progress, SyncReport
from search.sync import store
from search.sync.store import StoredSource
from search.sync.sync import Synchroniser
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject, new_id
from storage.queue import leases


async def record_change(
    session: AsyncSession, actor: Actor, action: str, resource: str, *, detail: JsonObject, now: datetime
) -> None:
    """Write the audit record of a change that `knowledge:manage` allows, with the caller's transaction."""
    await record(
        session,
        actor=actor,
        action=action,
        resource=resource,
        allowed=True,
        reason=require(actor, Permission.KNOWLEDGE_MANAGE).reason,
        outcome="done",
        detail=detail,
        now=now,
    )


#: How long it is known which pages came or changed.
CHANGES_KEPT = timedelta(days=60)
_KEPT = "; its pages were kept"
#: The lease by which other processes know of a run, and how long one that was killed is taken for one that goes on.
RUN, RUN_S = "knowledge.index", 900.0


@dataclass(frozen=True)
class Intake:
    """Takes sources in, one at a time; whoever changes the index otherwise waits for the `turn`, too."""

    database: Database
    index: Index
    synchroniser: Synchroniser
    clock: Clock
    config: SearchConfig
    link_hosts: tuple[str, ...] = ()  # to which pages of every source may lead
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def sync(
        self, actor: Actor, source: StoredSource, *, progress: Progress | None, attended: bool = True
    ) -> SyncReport:
        """Read what changed, and what could not be read where somebody `attended` to it; raise `FolderUnreadable`."""
        changes: list[ChangedPage] = []
        async with self.turn, self._told(), self.folder(source) as folder:
            report = await self.synchroniser.sync(
                folder, progress=progress, attended=attended, earlier=_of_pages(source), changes=changes
            )
        now = self.clock.now()
        async with self.database.transaction() as session:
            await store.keep_report(session, report, now=now)
            if changes and source.name != THREAD_FILES:
                await store.note_changes(session, changes, now=now, kept=CHANGES_KEPT)
            if actor.kind is not ActorKind.SYSTEM or report.added or report.changed or report.removed:
                await record_change(
                    session, actor, "knowledge.index", f"source:{source.name}", detail=figures(report), now=now
                )
        return report

    async def sync_or_tell(
        self, actor: Actor, source: StoredSource, *, progress: Progress | None, attended: bool = True
    ) -> SyncReport:
        """Read what changed; a folder that is not there is told and kept as a problem, and its pages stay."""
        try:
            return await self.sync(actor, source, progress=progress, attended=attended)
        except FolderUnreadable as error:
            kept = await self.index.statistics(source.name)
            report = SyncReport(
                source=source.name,
                unchanged=kept.documents,
                chunks=kept.chunks,
                problems=(SourceProblem(path="", what=f"{error}{_KEPT if kept.documents else ''}"), *_of_pages(source)),
                without_access=kept.without_access,
                vectors_pending=kept.vectors_pending,
            )
            async with self.database.transaction() as session:
                await store.keep_report(session, report, now=None)
            return report

    async def is_busy(self) -> bool:
        """Say whether a run is under way, in this process or in another one."""
        if self.turn.locked():
            return True
        async with self.database.reading() as session:
            return await leases.is_held(session, name=RUN)

    @asynccontextmanager
    async def _told(self) -> AsyncIterator[None]:
        """Let other processes know of a run; one beside it all the same does no harm, only the work twice."""
        async with self.database.transaction() as session:
            lease = await leases.acquire(session, name=RUN, owner=new_id("run"), ttl_s=RUN_S)
        try:
            yield
        finally:
            if lease is not None:
                async with self.database.transaction() as session:
                    await leases.release(session, lease)

    @asynccontextmanager
    async def folder(self, source: StoredSource) -> AsyncIterator[PageSource]:
        """Open a source's folder, with the processes that read its files."""
        readers = FileReaders(limits_of(self.config))
        longest = self.config.longest_file_bytes
        try:
            if source.name == THREAD_FILES:
                yield ThreadFilesSource(source.name, Path(source.path), longest_file_bytes=longest, readers=readers)
                return
            yield FolderSource(
                source.name,
                Path(source.path),
                default_allow=source.default_allow,
                longest_file_bytes=longest,
                readers=readers,
                origins=Origins(site=source.site, hosts=self.link_hosts),
            )
        finally:
            await asyncio.to_thread(readers.close)


def _of_pages(source: StoredSource) -> tuple[SourceProblem, ...]:
    """Return what was told of single pages the last time."""
    return tuple(each for each in source.report.problems if each.path) if source.report else ()


def figures(report: SyncReport) -> JsonObject:
    """Return what the audit trail keeps of a report."""
    return {
        "added": report.added,
        "changed": report.changed,
        "removed": report.removed,
        "chunks": report.chunks,
        "problems": len(report.problems),
        "without_access": report.without_access,
    }
