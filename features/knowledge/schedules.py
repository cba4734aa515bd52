"""What is done by the clock for the documents: changes are read, vectors are made, old files are forgotten."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from features.anatomy.schedules import Job, Slot
from identity.actor import system_actor
from search.errors import SearchError, SourceNotFound
from search.service import SearchService
from search.uploads.thread_files import ThreadFiles
from search.uploads.uploads import Uploads
from storage.clock import Clock
from storage.database import Database
from storage.queue import schedules
from storage.queue.schedules import Every, Schedule

#: Texts whose vectors are made in one go, and the seconds that this may take: whoever makes many makes the rest.
VECTORS, VECTORS_S = 64, 20.0
#: Who looks for changed documents, in the audit and as the topic of each source's schedule.
KEEP_UP = "bring sources in line"
#: The job that gives each source a schedule of its own, and the seconds between two looks which there are.
PLAN, PLAN_S = "plan the reading of sources", 60.0
#: After which a source is looked at again while another one is read.
_BUSY = timedelta(minutes=1)
#: Who fills an index that was damaged and begun anew, and the seconds between two looks whether there is one.
MEND, MEND_S = "make a damaged index again", 2.0


class KnowledgeSchedules:
    """Keeps the index in line with its sources."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        search: SearchService,
        uploads: Uploads,
        thread_files: ThreadFiles,
        *,
        refresh_minutes: float,
    ) -> None:
        self._database = database
        self._clock = clock
        self._search = search
        self._uploads = uploads
        self._thread_files = thread_files
        self._refresh_minutes = refresh_minutes

    def jobs(self) -> tuple[Job, ...]:
        """Return every job."""
        return (
            Job("forget old files", Every(3_600), self._forget_files),
            Job("make missing vectors", Every(30), self._make_vectors),
            Job(MEND, Every(MEND_S), self._mend),
            Job(PLAN, Every(PLAN_S), self._plan),
        )

    async def keep_up(self, slot: Slot) -> str:
        """Read what changed in the folder of a source, and make its vectors; later while another one is read."""
        source = str(slot.payload["source"])
        try:
            report = await self._search.keep_up(system_actor(KEEP_UP), source=source)
        except SourceNotFound:
            return "it was removed"
        if report is None:
            await self._put_off(slot.schedule)
            return "put off: another source is read now"
        if report.vectors_pending:
            await self._search.embed_pending()
        wrong = f", {len(report.problems)} problems" if report.problems else ""
        return f"{report.added} added, {report.changed} changed, {report.removed} removed{wrong}"

    async def _plan(self) -> None:
        """Give each source a schedule of its own, in turn over the minutes between two, and none to what is gone."""
        every = timedelta(minutes=self._refresh_minutes)
        names = await self._search.names(system_actor(KEEP_UP)) if every else ()
        wanted = {
            f"read {name}": Schedule(f"read {name}", KEEP_UP, Every(every.total_seconds()), payload={"source": name})
            for name in names
        }
        async with self._database.reading() as session:
            found = await schedules.everything(session, owner=schedules.SYSTEM)
        known = {each.name: each for each in found if each.topic == KEEP_UP}
        new = [each for name, each in wanted.items() if name not in known or known[name].trigger != each.trigger]
        gone = known.keys() - wanted.keys()
        if not new and not gone:
            return
        first = self._clock.now()
        async with self._database.transaction() as session:
            for number, each in enumerate(new):
                await schedules.put(session, replace(each, next_at=first + every * number / len(new)))
            for name in gone:
                await schedules.remove(session, name)

    async def _put_off(self, name: str) -> None:
        async with self._database.transaction() as session:
            found = await schedules.find(session, name)
            if found is not None:
                await schedules.advance(session, found, self._clock.now() + _BUSY)

    async def _forget_files(self) -> None:
        await self._thread_files.forget()
        await self._uploads.forget()

    async def _mend(self) -> None:
        with suppress(SearchError):  # whoever found it has told, and the next look is soon
            await self._search.mend(system_actor(MEND))

    async def _make_vectors(self) -> None:
        """Make vectors of what came in beside a start of the desk or a command: long files, uploads."""
        with suppress(TimeoutError):
            async with asyncio.timeout(VECTORS_S):
                await self._search.embed_pending(limit=VECTORS)
