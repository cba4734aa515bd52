"""What happens by the clock. One table; every replica ticks, a leased row in the database decides who runs.

APScheduler's job stores must not be shared between processes, so its store is in memory and it only ticks
(the reasons and the measurements are in docs/decisions).
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from storage import leases
from storage.clock import Clock
from storage.database import Database
from storage.ids import new_id

log = logging.getLogger(__name__)

#: Seconds after which a job's owner counts as dead.
LEASE_S = 60.0


@dataclass(frozen=True)
class Job:
    """A named piece of work and the seconds between its runs."""

    name: str
    every_s: float
    work: Callable[[], Awaitable[object]]


class Jobs:
    """Runs each job once per slot over all replicas; a missed slot is run once, as soon as somebody is there."""

    def __init__(self, database: Database, clock: Clock, jobs: tuple[Job, ...]) -> None:
        self._database = database
        self._clock = clock
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
            self._scheduler.add_job(self.tick, "interval", args=[job], seconds=max(0.5, job.every_s / 2), id=job.name)
        self._scheduler.start()

    async def stop(self) -> None:
        """Stop ticking; a job that runs goes on to its end."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)

    async def tick(self, job: Job) -> bool:
        """Run the job if its time has come and no other replica has it; return whether it ran."""
        async with self._database.transaction() as session:
            slot = await leases.claim_due(session, name=job.name, owner=self._owner, ttl_s=LEASE_S)
        if slot is None:
            return False
        try:
            await job.work()
        except Exception:
            # One job's failure is its next slot's business; the others must not feel it.
            log.exception("job %s failed", job.name)
        following = max(slot.slot, self._clock.now() - timedelta(seconds=job.every_s)) + timedelta(seconds=job.every_s)
        async with self._database.transaction() as session:
            await leases.complete(session, slot, following)
        return True
