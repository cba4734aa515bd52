"""`dutydesk jobs`, as its service does it: who may, what it changes, and what the audit keeps."""

import pytest

from bot.schedules.control import JobControl
from bot.schedules.jobs import Jobs
from bot.schedules.order import NoSuchJob, Order
from features.anatomy.schedules import Job
from identity.actor import Actor, ActorKind, local_operator
from identity.audit import AuditTrail
from identity.errors import Forbidden
from storage.clock import ManualClock
from storage.database import Database
from storage.queue.schedules import Every


async def test_a_job_is_listed_run_now_paused_and_resumed(database: Database, clock: ManualClock) -> None:
    runs = 0

    async def work() -> None:
        nonlocal runs
        runs += 1

    jobs, control, operator = (
        Jobs(database, clock, (Job("sweep", Every(600), work),)),
        JobControl(database, clock),
        local_operator(),
    )
    await jobs.prepare()
    (before,) = await control.everything(operator)
    assert before.latest is None
    assert await control.order(operator, "sweep", Order.PAUSE)
    assert not await control.order(operator, "sweep", Order.PAUSE)
    assert await jobs.tick() == 0
    assert await control.order(operator, "sweep", Order.RUN)
    await jobs.worker.drain_once()
    assert await control.order(operator, "sweep", Order.RESUME)
    assert await jobs.tick() == 1
    await jobs.worker.drain_once()

    assert runs == 2
    assert [each.outcome for each in await control.history(operator, "sweep")] == ["done", "done"]
    entries = await AuditTrail(database, clock).entries(operator)
    assert [each.action for each in reversed(entries)] == ["job.pause", "job.pause", "job.run", "job.resume"]
    with pytest.raises(NoSuchJob):
        await control.order(operator, "unknown", Order.RUN)


async def test_staff_may_neither_see_nor_order(database: Database, clock: ManualClock) -> None:
    ada = Actor(id="ada", name="Ada", kind=ActorKind.STAFF)
    control = JobControl(database, clock)
    with pytest.raises(Forbidden):
        await control.everything(ada)
    with pytest.raises(Forbidden):
        await control.order(ada, "sweep", Order.RUN)
