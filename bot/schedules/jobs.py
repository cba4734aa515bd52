"""What happens by the clock: the tick that puts the slots of schedules into the queue, and the desk's own jobs.

Every replica ticks. A tick only reads while nothing is due; whoever moves a schedule on first puts its slot into the
queue in the same transaction, and any worker handles it there. A job that comes every few seconds would write more
than it does, so it is no schedule: it beats in each replica, has to be safe anywhere, and reads before it writes.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.schedules.triggers import first_slot, slots_until
from storage.clock import Clock
from storage.database import Database
from storage.queue import schedules, work
from storage.queue.rows import WorkItem
from storage.queue.schedules import CatchUp, Every, Schedule
from storage.queue.worker import Ending, Topic, Worker
from storage.redaction import redact

log = logging.getLogger(__name__)

#: Seconds between two ticks; a slot comes no later than that.
TICK_S = 1.0
#: A job that comes more often than that is a beat.
SHORTEST_S = 5.0
#: Seconds that a slot may be late and still count as in time.
GRACE_S = 60.0
#: Hours that a job may take.
LONGEST_H = 12
#: Jobs that one process works on at a time.
PARALLEL = 4


@dataclass(frozen=True)
class Job:
    """A named piece of the desk's own work and the seconds between its runs."""

    name: str
    every_s: float
    work: Callable[[], Awaitable[object]]

    @property
    def topic(self) -> str:
        """Return the topic of its slots."""
        return f"job:{self.name}"

    @property
    def schedule(self) -> Schedule:
        """Return its schedule: a missed slot happens once, as soon as somebody is there."""
        return Schedule(self.name, self.topic, Every(self.every_s))


class Jobs:
    """Ticks, and runs each slot once over all replicas."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        jobs: tuple[Job, ...],
        *,
        topics: Mapping[str, Topic] | None = None,
        lease_s: float = 60.0,
    ) -> None:
        self._database = database
        self._clock = clock
        self.table = jobs
        handled = {job.topic: Topic(_handler(job), timeout_s=LONGEST_H * 3_600) for job in jobs}
        self.worker = Worker(
            database,
            clock,
            {**handled, **(topics or {})},
            name="jobs",
            parallel=PARALLEL,
            lease_s=lease_s,
            at_stop="give back",
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Tick, beat and work until told to stop."""
        beats = [asyncio.create_task(self._beat(job), name=job.name) for job in self.table if job.every_s < SHORTEST_S]
        ticking = asyncio.create_task(self._tick_on(), name="tick")
        try:
            await self.worker.run(stop)
        finally:
            for task in (*beats, ticking):
                task.cancel()
            await asyncio.gather(*beats, ticking, return_exceptions=True)

    async def prepare(self) -> None:
        """Make the schedules of the desk's own jobs known, and forget those of jobs that it has no more."""
        mine = {job.name: job.schedule for job in self.table if job.every_s >= SHORTEST_S}
        async with self._database.reading() as session:
            known = await schedules.everything(session, owner=schedules.SYSTEM)
        gone = [each.name for each in known if each.topic.startswith("job:") and each.name not in mine]
        async with self._database.transaction() as session:
            for schedule in mine.values():
                await schedules.put(session, schedule)
            for name in gone:
                await schedules.remove(session, name)

    async def tick(self) -> int:
        """Put what is due into the queue; return how many slots that were."""
        now = self._clock.now()
        async with self._database.reading() as session:
            due = await schedules.due(session, now)
        return sum([await self._move_on(schedule, now) for schedule in due])

    async def _move_on(self, schedule: Schedule, now: datetime) -> int:
        slot = schedule.next_at or first_slot(schedule.trigger, schedule.timezone, now)
        passed, following = (
            ([], slot) if slot is None or slot > now else slots_until(schedule.trigger, schedule.timezone, slot, now)
        )
        async with self._database.transaction() as session:
            if not await schedules.advance(session, schedule, following):
                return 0
            if schedule.catch_up is not CatchUp.ALL and await work.is_waiting(session, line=schedule.line):
                return 0  # the one before is not done: another beside it would only pile up
            chosen = _chosen(schedule, passed, now)
            for each in chosen:
                await schedules.enqueue_slot(session, schedule, each, not_before=_jittered(schedule, each))
        return len(chosen)

    async def _tick_on(self) -> None:
        prepared = False
        while True:
            try:
                if not prepared:
                    await self.prepare()
                    prepared = True
                await self.tick()
            except Exception:
                # The database may be away, or one row broken: the next tick comes.
                log.exception("a tick failed")
            await asyncio.sleep(TICK_S)

    async def _beat(self, job: Job) -> None:
        while True:
            try:
                await job.work()
            except Exception:
                # One beat's failure is the next one's business.
                log.exception("job %s failed", job.name)
            await asyncio.sleep(job.every_s)


def _chosen(schedule: Schedule, passed: list[datetime], now: datetime) -> list[datetime]:
    """Return the slots that are to happen of those that have come."""
    match schedule.catch_up:
        case CatchUp.ALL:
            return passed
        case CatchUp.ONCE:
            return passed[-1:]
        case CatchUp.SKIP:
            return [slot for slot in passed[-1:] if now - slot <= timedelta(seconds=GRACE_S)]


def _jittered(schedule: Schedule, slot: datetime) -> datetime | None:
    if not schedule.jitter_s:
        return None
    chance = random.Random(f"{schedule.name} {slot.isoformat()}")  # noqa: S311 - spreads load, keeps no secret
    return slot + timedelta(seconds=chance.uniform(0, schedule.jitter_s))


def _handler(job: Job) -> Callable[[WorkItem], Awaitable[Ending]]:
    async def handle(_item: WorkItem) -> Ending:
        try:
            await job.work()
        except Exception as error:
            # One slot's failure is the next slot's business; the others must not feel it.
            log.exception("job %s failed", job.name)
            return Ending(f"failed: {redact(f'{type(error).__name__}: {error}')}"[:200])
        return Ending("done")

    return handle
