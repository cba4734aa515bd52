"""What people see of schedules and do to them: list, history, run now, pause, resume."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from bot.delivery import channel_store
from bot.delivery.channel_store import Channel
from bot.schedules.order import NoSuchChannel, NoSuchJob, Order
from identity.actor import Actor
from identity.audit import record
from identity.errors import UnknownPerson
from identity.permissions import Permission
from identity.policy import require
from storage.clock import Clock
from storage.database import Database, Session
from storage.queue import schedules, work
from storage.queue.schedules import Schedule
from storage.queue.work import Record

#: What people ordered stands on pages of so many: there may be very much of it.
PAGE = 50
#: Returns a person by id; raises `UnknownPerson`.
FindActor = Callable[[str], Awaitable[Actor]]


@dataclass(frozen=True)
class JobStatus:
    """A schedule and how its latest slot went."""

    schedule: Schedule
    latest: Record | None
    by: str = ""  # the name of who ordered it; "" for the desk itself, and for who is not known any more

    @property
    def took_s(self) -> float | None:
        """Return the seconds from when its latest slot was due until it had ended; None where none has."""
        latest = self.latest
        if latest is None or latest.finished_at is None:
            return None
        return max(0.0, (latest.finished_at - latest.enqueued_at).total_seconds())


@dataclass(frozen=True)
class OrderedJobs:
    """A page of what people ordered."""

    jobs: tuple[JobStatus, ...]
    counts: Mapping[str, int]  # topic → how many there are in all
    following: str = ""  # the name after which the next page begins; "" where there is none


class JobControl:
    """Shows schedules to who may see them, and carries out what they order; each order is audited."""

    def __init__(self, database: Database, clock: Clock, *, people: FindActor | None = None) -> None:
        self._database = database
        self._clock = clock
        self._people = people

    async def system(self, actor: Actor) -> tuple[JobStatus, ...]:
        """Return what the desk does by itself, each with its latest slot; needs `jobs:manage`."""
        require(actor, Permission.JOBS_MANAGE)
        async with self._database.reading() as session:
            known = await schedules.everything(session, owner=schedules.SYSTEM)
            return tuple([await _status(session, each) for each in known])

    async def ordered(
        self, actor: Actor, *, owner: str = "", topic: str = "", after: str = "", limit: int = PAGE
    ) -> OrderedJobs:
        """Return a page of what people ordered, by name, of one person or of one topic; needs `jobs:manage`."""
        require(actor, Permission.JOBS_MANAGE)
        async with self._database.reading() as session:
            counts = await schedules.count_ordered(session)
            found = await schedules.ordered(session, owner=owner, topic=topic, after=after, limit=limit + 1)
            shown = [await _status(session, each) for each in found[:limit]]
        names = {each.schedule.owner: await self._name_of(each.schedule.owner) for each in shown}
        jobs = tuple(replace(each, by=names[each.schedule.owner]) for each in shown)
        return OrderedJobs(jobs, counts, following=found[limit - 1].name if len(found) > limit else "")

    async def everything(self, actor: Actor) -> tuple[JobStatus, ...]:
        """Return every schedule, page by page, what the desk does by itself first; needs `jobs:manage`."""
        found = list(await self.system(actor))
        page = await self.ordered(actor)
        found += page.jobs
        while page.following:
            page = await self.ordered(actor, after=page.following)
            found += page.jobs
        return tuple(found)

    async def _name_of(self, owner: str) -> str:
        if self._people is None:
            return ""
        try:
            return (await self._people(owner)).name
        except UnknownPerson:
            return ""

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


async def _status(session: Session, schedule: Schedule) -> JobStatus:
    latest = await work.records(session, line=schedule.line, limit=1)
    return JobStatus(schedule, latest[0] if latest else None)
