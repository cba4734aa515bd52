"""What people see of schedules and do to them: list, history, run now, pause, resume."""

from dataclasses import dataclass

from bot.delivery import channel_store
from bot.delivery.channel_store import Channel
from bot.schedules.order import NoSuchChannel, NoSuchJob, Order
from identity.actor import Actor
from identity.audit import record
from identity.permissions import Permission
from identity.policy import require
from storage.clock import Clock
from storage.database import Database
from storage.queue import schedules, work
from storage.queue.schedules import Schedule
from storage.queue.work import Record


@dataclass(frozen=True)
class JobStatus:
    """A schedule and how its latest slot went."""

    schedule: Schedule
    latest: Record | None


class JobControl:
    """Shows schedules to who may see them, and carries out what they order; each order is audited."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def everything(self, actor: Actor) -> tuple[JobStatus, ...]:
        """Return every schedule with its latest slot; needs `jobs:manage`."""
        require(actor, Permission.JOBS_MANAGE)
        async with self._database.reading() as session:
            found = []
            for schedule in await schedules.everything(session):
                latest = await work.records(session, line=schedule.line, limit=1)
                found.append(JobStatus(schedule, latest[0] if latest else None))
        return tuple(found)

    async def history(self, actor: Actor, name: str, *, limit: int = 20) -> tuple[Record, ...]:
        """Return the latest slots of a schedule, the newest first; needs `jobs:manage`."""
        require(actor, Permission.JOBS_MANAGE)
        async with self._database.reading() as session:
            schedule = await schedules.find(session, name)
            if schedule is None:
                raise NoSuchJob(name)
            return await work.records(session, line=schedule.line, limit=limit)

    async def channels(self, actor: Actor) -> tuple[Channel, ...]:
        """Return the channels that a job can post to; needs `jobs:manage`."""
        require(actor, Permission.JOBS_MANAGE)
        async with self._database.reading() as session:
            return await channel_store.channels(session)

    async def aim(self, actor: Actor, name: str, channel: str) -> None:
        """Name the channel (as `slack:C0123456`) that a job posts to, "" for none; needs `jobs:manage`."""
        known = {each.name: each.target for each in await self.channels(actor)}
        if channel and channel not in known:
            raise NoSuchChannel(channel)
        async with self._database.transaction() as session:
            if await schedules.find(session, name) is None:
                raise NoSuchJob(name)
            await schedules.set_target(session, name, known.get(channel))
            await record(
                session,
                actor=actor,
                action="job.target",
                resource=f"job:{name}",
                allowed=True,
                reason="",
                outcome=channel or "none",
                now=self._clock.now(),
            )

    async def order(self, actor: Actor, name: str, order: Order) -> bool:
        """Run a schedule now, pause it or let it go on; False when it was so already. Needs `jobs:manage`."""
        require(actor, Permission.JOBS_MANAGE)
        async with self._database.transaction() as session:
            schedule = await schedules.find(session, name)
            if schedule is None:
                raise NoSuchJob(name)
            if order is Order.RUN:
                done = await schedules.enqueue_now(session, schedule)
            else:
                done = await schedules.set_paused(session, name, paused=order is Order.PAUSE)
            await record(
                session,
                actor=actor,
                action=f"job.{order}",
                resource=f"job:{name}",
                allowed=True,
                reason="",
                outcome="done" if done else "unchanged",
                now=self._clock.now(),
            )
        return done
