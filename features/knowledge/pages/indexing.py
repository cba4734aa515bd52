"""Uploads that are being indexed behind the page: how far each is, how fast, and what came of it."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from identity.actor import Actor
from search.errors import SearchError
from search.service import SearchService
from search.sources.report import SyncStep
from search.uploads.upload_folder import Arrival
from search.uploads.uploads import Uploaded, Uploads

log = logging.getLogger(__name__)


@dataclass
class Work:
    """One upload on its way into the index."""

    source: str
    step: SyncStep
    uploaded: Uploaded | None = None
    over: bool = False
    failed: bool = False


@dataclass
class Indexing:
    """What this process indexes for people at its pages; the newest of each source is remembered.

    It ends with the desk: what was not finished goes on with the next upload, refresh or start.
    """

    search: SearchService
    uploads: Uploads
    works: dict[str, Work] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def begin(self, actor: Actor, source: str, arrivals: Sequence[Arrival], *, allow: tuple[str, ...]) -> Work:
        """Index files behind the page."""
        work = Work(source=source, step=SyncStep(stage="indexing", done=0, total=len(arrivals)))
        self.works[source] = work
        task = asyncio.create_task(self._index(work, actor, arrivals, allow), name=f"upload to {source}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return work

    async def stop(self) -> None:
        """Cancel what still runs."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _index(self, work: Work, actor: Actor, arrivals: Sequence[Arrival], allow: tuple[str, ...]) -> None:
        def advance(step: SyncStep) -> None:
            work.step = step

        try:
            work.uploaded = await self.uploads.add(actor, work.source, arrivals, allow=allow, progress=advance)
            await self.search.embed_pending(progress=advance)
        except (SearchError, OSError):
            log.exception("an upload to %s could not be indexed", work.source)
            work.failed = True
        work.over = True
