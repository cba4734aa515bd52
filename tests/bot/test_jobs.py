"""A scheduled job is run by one replica at a time, however long it takes."""

import asyncio
import time

from sqlalchemy import select

from bot.schedules.jobs import Job, Jobs
from storage import leases
from storage.clock import SystemClock
from storage.database import Database
from storage.tables import JobTable

PATIENCE_S = 20.0


class Long:
    """Work that goes on until it is told to end."""

    def __init__(self) -> None:
        self.begun, self.over, self.broken_off = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.begun.set()
        try:
            await self.over.wait()
        finally:
            if not self.over.is_set():
                self.broken_off.set()


async def replicas(database: Database, work: Long, *, lease_s: float) -> tuple[Job, Jobs, Jobs]:
    """Return a job that is due, and two processes that may run it."""
    job = Job("long", every_s=3_600.0, work=work)
    clock = SystemClock()
    async with database.transaction() as session:
        await leases.ensure_job(session, name=job.name, first_run=clock.now())
    one, other = (Jobs(database, clock, (job,), lease_s=lease_s) for _ in range(2))
    return job, one, other


async def test_a_job_that_takes_longer_than_its_lease_is_still_run_once(database: Database) -> None:
    work = Long()
    job, one, other = await replicas(database, work, lease_s=2.0)
    running = asyncio.create_task(one.tick(job))
    async with asyncio.timeout(PATIENCE_S):
        await work.begun.wait()
    until = time.monotonic() + 4.5
    while time.monotonic() < until:
        assert not await other.tick(job)
        await asyncio.sleep(0.1)
    work.over.set()

    assert await running
    assert not await other.tick(job)
    async with database.reading() as session:
        assert len(await leases.completed_slots(session, name=job.name)) == 1


async def test_a_job_that_somebody_else_has_meanwhile_is_broken_off(database: Database) -> None:
    work = Long()
    job, one, _ = await replicas(database, work, lease_s=0.3)
    running = asyncio.create_task(one.tick(job))
    async with asyncio.timeout(PATIENCE_S):
        await work.begun.wait()
        async with database.transaction() as session:
            row = (await session.execute(select(JobTable.next_run, JobTable.fence))).one()
            await leases.give_back(session, leases.Slot(job.name, row.next_run, row.fence))
            assert await leases.claim_due(session, name=job.name, owner="another", ttl_s=60) is not None
        await work.broken_off.wait()
        await running
    async with database.reading() as session:
        assert await leases.completed_slots(session, name=job.name) == ()
