"""What is done by the clock for the documents: changes are read, vectors are made, old files are forgotten."""

import asyncio
from contextlib import suppress

from features.anatomy.schedules import Job
from identity.actor import system_actor
from search.errors import SearchError
from search.service import SearchService
from search.uploads.thread_files import ThreadFiles
from search.uploads.uploads import Uploads
from storage.queue.schedules import Every

#: Texts whose vectors are made in one go, and the seconds that this may take: whoever makes many makes the rest.
VECTORS, VECTORS_S = 64, 20.0
#: Who looks for changed documents, in the audit.
KEEP_UP = "bring sources in line"
#: Who fills an index that was damaged and begun anew, and the seconds between two looks whether there is one.
MEND, MEND_S = "make a damaged index again", 2.0


class KnowledgeSchedules:
    """Keeps the index in line with its sources."""

    def __init__(
        self, search: SearchService, uploads: Uploads, thread_files: ThreadFiles, *, refresh_minutes: float
    ) -> None:
        self._search = search
        self._uploads = uploads
        self._thread_files = thread_files
        self._refresh_minutes = refresh_minutes

    def jobs(self) -> tuple[Job, ...]:
        """Return every job."""
        always = (
            Job("forget old files", Every(3_600), self._forget_files),
            Job("make missing vectors", Every(30), self._make_vectors),
            Job(MEND, Every(MEND_S), self._mend),
        )
        every_s = self._refresh_minutes * 60
        return (*always, Job(KEEP_UP, Every(every_s), self._keep_up)) if every_s else always

    async def _forget_files(self) -> None:
        await self._thread_files.forget()
        await self._uploads.forget()

    async def _keep_up(self) -> None:
        """Read what changed in the folders of all sources, and make its vectors; nothing while somebody else reads."""
        report = await self._search.keep_up(system_actor(KEEP_UP))
        if report is not None and report.vectors_pending:
            await self._search.embed_pending()

    async def _mend(self) -> None:
        with suppress(SearchError):  # whoever found it has told, and the next look is soon
            await self._search.mend(system_actor(MEND))

    async def _make_vectors(self) -> None:
        """Make vectors of what came in beside a start of the desk or a command: long files, uploads."""
        with suppress(TimeoutError):
            async with asyncio.timeout(VECTORS_S):
                await self._search.embed_pending(limit=VECTORS)
