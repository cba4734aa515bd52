"""What the desk does by the clock: the table of jobs."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from adapters.web.files import WebFiles
from agent.approvals.approval import SomebodyElses
from agent.approvals.approvals import Approvals
from agent.memory.memory import Memory
from agent.runs.runs import Runs
from bot.compose.features import jobs_of
from bot.compose.witness import Witness
from bot.delivery import store
from bot.delivery.news import store as news_store
from bot.delivery.posts import enqueue_refresh
from features.anatomy.feature import Feature
from features.anatomy.schedules import Job
from identity.audit import AuditTrail
from identity.sign_in import SignIn
from storage import once
from storage.clock import Clock
from storage.database import Database
from storage.ids import new_id
from storage.queue import work
from storage.queue.schedules import Every
from storage.throttle import Throttle

#: Days after which a finished event may be forgotten; no platform redelivers so late.
INBOX_DAYS = 30
#: Days for which it is known how the desk's own jobs went.
SLOT_DAYS = 2
#: Days for which the words of news stay that were told.
NEWS_DAYS = 2
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
        witness: Witness,
        approvals: Approvals,
        runs: Runs,
        memory: Memory,
        throttle: Throttle,
        sign_in: SignIn,
        web_files: WebFiles,
        features: Sequence[Feature],
    ) -> None:
        self._database = database
        self._clock = clock
        self._audit = audit
        self._witness = witness
        self._approvals = approvals
        self._runs = runs
        self._memory = memory
        self._throttle = throttle
        self._sign_in = sign_in
        self._web_files = web_files
        self._features = jobs_of(features)

    def jobs(self) -> tuple[Job, ...]:
        """Return every job, those of the features too."""
        return (
            Job("seal the audit", Every(1.0), self._audit.seal),
            *self._witness.jobs,
            Job("expire approvals", Every(30.0), self._expire_approvals),
            Job("resume interrupted approvals", Every(30.0), self._resume_approvals),
            Job("close abandoned runs", Every(300.0), self._runs.close_abandoned),
            Job("end runs that waited in vain", Every(300.0), self._runs.close_overdue),
            Job("forget old runs", Every(3_600.0), self._runs.retain),
            Job("forget old threads", Every(3_600.0), self._memory.retain),
            Job("forget what is over", Every(3_600.0), self._forget),
            Job("forget files on the way", Every(3_600.0), self._forget_files),
            *self._features,
        )

    async def _expire_approvals(self) -> None:
        expired = await self._approvals.expire()
        await self._refresh([f"approval:{approval.id}" for approval in expired])

    async def _resume_approvals(self) -> None:
        ends = await self._approvals.recover()
        await self._refresh([f"approval:{end.approval.id}" for end in ends if not isinstance(end, SomebodyElses)])

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
            await news_store.prune(session, told_before=now - timedelta(days=NEWS_DAYS), lost_before=before)
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
        await self._web_files.forget(before=self._clock.now() - timedelta(hours=ON_THE_WAY_H))
