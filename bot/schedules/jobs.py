"""What happens by the clock. One table; every replica ticks, a leased row in the database decides who runs.

APScheduler's job stores must not be shared between processes, so its store is in memory and it only ticks
(the reasons and the measurements are in docs/decisions).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from storage import leases
from storage.clock import Clock
from storage.database import Database
from storage.ids import new_id

log = logging.getLogger(__name__)

#: Seconds without a sign of life after which a job's owner counts as dead.
LEASE_S = 60.0
#: A replica asks at least that often whether a job is due, so that one that is due after a start waits no longer.
TICK_S = 60.0


@dataclass(frozen=True)
class Job:
    """A named piece of work and the seconds between its runs."""

    name: str
    every_s: float
    work: Callable[[], Awaitable[object]]


class Jobs:
    """Runs each job once per slot over all replicas; a missed slot is run once, as soon as somebody is there."""

    def __init__(self, database: Database, clock: Clock, jobs: tuple[Job, ...], *, lease_s: float = LEASE_S) -> None:
        self._database = database
        self._clock = clock
        self._lease_s = lease_s
        self.table = jobs
        self._owner = new_id("jobs")
        self._scheduler = AsyncIOScheduler(
            job_defaults={"misfire_grace_time": 3_600, "coalesce": True, "max_instances": 1}
        )

    async def start(self) -> None:
        """Make sure that each job has its row, then tick."""
        async with self._database.transaction() as session:
            for job in self.table:
                await leases.ensure_job(session, name=job.name, first_run=self._clock.now())
        for job in self.table:
            seconds = max(0.5, min(job.every_s / 2, TICK_S))
            self._scheduler.add_job(self.tick, "interval", args=[job], seconds=seconds, id=job.name)
        self._scheduler.start()

    async def stop(self) -> None:
        """Stop ticking, and what runs; its slot is run again when its lease is over."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    async def tick(self, job: Job) -> bool:
        """Run the job if its time has come and no other replica has it; return whether it ran."""
        async with self._database.transaction() as session:
            slot = await leases.claim_due(session, name=job.name, owner=self._owner, ttl_s=self._lease_s)
        if slot is None:
            return False
        try:
            async with self._held(slot):
                await job.work()
        except Exception:
            # One job's failure is its next slot's business; the others must not feel it.
            log.exception("job %s failed", job.name)
        following = max(slot.slot, self._clock.now() - timedelta(seconds=job.every_s)) + timedelta(seconds=job.every_s)
        async with self._database.transaction() as session:
            await leases.complete(session, slot, following)
        return True

    @asynccontextmanager
    async def _held(self, slot: leases.Slot) -> AsyncIterator[None]:
        """Hold the slot while the block lasts; the block ends with `TimeoutError` when somebody else has the slot."""
        async with asyncio.timeout(None) as limit:
            keeping = asyncio.create_task(self._keep(slot, limit), name=f"hold {slot.name}")
            try:
                yield
            finally:
                keeping.cancel()
                await asyncio.gather(keeping, return_exceptions=True)

    async def _keep(self, slot: leases.Slot, limit: asyncio.Timeout) -> None:
        while True:
            await self._clock.sleep(self._lease_s / 3)
            try:
                async with self._database.transaction() as session:
                    kept = await leases.hold_slot(session, slot, self._lease_s)
            except Exception:
                # The database may be back before the lease is over; if not, somebody else takes the slot.
                log.exception("the slot of job %s could not be held", slot.name)
                continue
            if not kept:
                limit.reschedule(asyncio.get_running_loop().time())
                return
