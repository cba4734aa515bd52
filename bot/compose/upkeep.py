"""What the desk does by the clock: the table of jobs."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from agent.approvals.approval import SomebodyElses
from agent.approvals.approvals import Approvals
from agent.memory.memory import Memory
from agent.runs.runs import Runs
from bot.compose.knowledge import Knowledge
from bot.delivery import store
from bot.delivery.posts import enqueue_refresh
from bot.schedules.jobs import Job
from identity.actor import system_actor
from identity.audit import AuditTrail
from identity.sign_in import SignIn
from storage import once
from storage.clock import Clock
from storage.database import Database
from storage.ids import new_id
from storage.queue import work
from storage.throttle import Throttle
from tickets.service import TicketService

#: Days after which a finished event may be forgotten; no platform redelivers so late.
INBOX_DAYS = 30
#: Days for which it is known how the desk's own jobs went.
SLOT_DAYS = 2
#: Texts whose vectors are made in one go, and the seconds that this may take: whoever makes many makes the rest.
VECTORS, VECTORS_S = 64, 20.0
#: The job that looks for changed documents, and who did so in the audit.
KEEP_UP = "bring sources in line"
#: Hours for which a file that a page sent waits for its message.
ON_THE_WAY_H = 24


class Upkeep:
    """Seals, expires, resumes and forgets."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        audit: AuditTrail,
        approvals: Approvals,
        runs: Runs,
        memory: Memory,
        tickets: TicketService,
        throttle: Throttle,
        sign_in: SignIn,
        knowledge: Knowledge,
        refresh_minutes: float,
    ) -> None:
        self._database = database
        self._clock = clock
        self._audit = audit
        self._approvals = approvals
        self._runs = runs
        self._memory = memory
        self._tickets = tickets
        self._throttle = throttle
        self._sign_in = sign_in
        self._knowledge = knowledge
        self._refresh_minutes = refresh_minutes

    def jobs(self) -> tuple[Job, ...]:
        """Return every job with the seconds between its runs."""
        every_s = self._refresh_minutes * 60
        return (*self._always(), Job(KEEP_UP, every_s=every_s, work=self._keep_up)) if every_s else self._always()

    def _always(self) -> tuple[Job, ...]:
        return (
            Job("seal the audit", every_s=1.0, work=self._audit.seal),
            Job("expire approvals", every_s=30.0, work=self._expire_approvals),
            Job("resume interrupted approvals", every_s=30.0, work=self._resume_approvals),
            Job("expire drafts", every_s=300.0, work=self._expire_drafts),
            Job("close abandoned runs", every_s=300.0, work=self._runs.close_abandoned),
            Job("end runs that waited in vain", every_s=300.0, work=self._runs.close_overdue),
            Job("forget old runs", every_s=3_600.0, work=self._runs.retain),
            Job("forget old threads", every_s=3_600.0, work=self._memory.retain),
            Job("forget what is over", every_s=3_600.0, work=self._forget),
            Job("forget old files", every_s=3_600.0, work=self._forget_files),
            Job("make missing vectors", every_s=30.0, work=self._make_vectors),
        )

    async def _expire_approvals(self) -> None:
        expired = await self._approvals.expire()
        await self._refresh([f"approval:{approval.id}" for approval in expired])

    async def _resume_approvals(self) -> None:
        ends = await self._approvals.recover()
        await self._refresh([f"approval:{end.approval.id}" for end in ends if not isinstance(end, SomebodyElses)])

    async def _expire_drafts(self) -> None:
        await self._refresh([f"draft:{draft_id}" for draft_id in await self._tickets.expire_drafts()])

    async def _refresh(self, subjects: list[str]) -> None:
        async with self._database.transaction() as session:
            for subject in subjects:
                await enqueue_refresh(session, subject, version=new_id("upkeep"))

    async def _forget(self) -> None:
        """Drop what no promise needs any more."""
        now = self._clock.now()
        before = now - timedelta(days=INBOX_DAYS)
        async with self._database.transaction() as session:
            await store.drop_streams(session, before=before)
            await store.drop_answers(session, before=before)
            await once.prune(session, now=now, events_before=before)
        await self._forget_finished(before)
        await self._forget_finished(now - timedelta(days=SLOT_DAYS), topics=[job.topic for job in self.jobs()])
        await self._throttle.prune()
        await self._sign_in.prune()

    async def _forget_finished(self, before: datetime, topics: Sequence[str] | None = None) -> None:
        """Drop what the queue did long ago; it is looked for while others may write."""
        while True:
            async with self._database.reading() as session:
                old = await work.find_finished(session, before=before, topics=topics)
            if not old:
                return
            async with self._database.transaction() as session:
                await work.forget(session, old)

    async def _forget_files(self) -> None:
        await self._knowledge.thread_files.forget()
        await self._knowledge.uploads.forget()
        await self._knowledge.web_files.forget(before=self._clock.now() - timedelta(hours=ON_THE_WAY_H))

    async def _keep_up(self) -> None:
        """Read what changed in the folders of all sources, and make its vectors; nothing while somebody else reads."""
        report = await self._knowledge.search.keep_up(system_actor(KEEP_UP))
        if report is not None and report.vectors_pending:
            await self._knowledge.search.embed_pending()

    async def _make_vectors(self) -> None:
        """Make vectors of what came in beside a start of the desk or a command: long files, uploads."""
        with suppress(TimeoutError):
            async with asyncio.timeout(VECTORS_S):
                await self._knowledge.search.embed_pending(limit=VECTORS)
