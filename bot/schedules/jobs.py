"""What happens by the clock: the tick that puts the slots of schedules into the queue, and the desk's own jobs.

Every replica ticks. A tick only reads while nothing is due; whoever moves a schedule on first puts its slot into the
queue in the same transaction, and any worker handles it there. A job that comes every few seconds would write more
than it does, so it is no schedule: it beats in each replica, has to be safe anywhere, and reads before it writes.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from bot.schedules.triggers import first_slot, is_too_far, slots_until
from features.anatomy.schedules import Job, OnSlot, OnSlots, Slot
from features.anatomy.telling import Telling
from storage.clock import Clock
from storage.database import UNHURRIED, Database
from storage.queue import schedules, work
from storage.queue.precedence import Precedence
from storage.queue.rows import WorkItem
from storage.queue.schedules import CatchUp, Every, Schedule, ScheduledSlot
from storage.queue.worker import Ending, Topic, Worker
from storage.redaction.stored import redact

log = logging.getLogger(__name__)

#: Seconds between two ticks; a slot comes no later than that.
TICK_S = 1.0
#: Ticks after which some schedules are looked at for slots further ahead than they can be, and how many. Where the
#: clock went back, the desk's own are looked at at once, and each tick looks at some until all were seen.
TICKS_BETWEEN_LOOKS, LOOKED_AT = 10, 50
#: Schedules that are moved on in one transaction, and between two pauses for others.
BATCH, BETWEEN_PAUSES = 50, 10
#: A job that comes more often than that is a beat.
SHORTEST_S = 5.0
#: After which a schedule that cannot be read is looked at again.
UNREADABLE_FOR = timedelta(hours=1)
#: Seconds that a slot may be late and still count as in time.
GRACE_S = 60.0
#: Hours that a job may take.
LONGEST_H = 12
#: Jobs that one process works on at a time.
PARALLEL = 4


class Jobs:
    """Ticks, and runs each slot once over all replicas."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        jobs: tuple[Job, ...],
        *,
        slots: OnSlots | None = None,
        in_turn: Collection[str] = (),
        telling: Telling | None = None,
        precedence: Precedence | None = None,
        lease_s: float = 60.0,
    ) -> None:
        self._database = database
        self._clock = clock
        self.table = jobs
        self._telling = telling
        self._precedence = precedence or Precedence()
        self._ticked_at: datetime | None = None
        self._ticks = 0
        self._rounds, self._looked_until = 0, ""
        handles = {**{job.topic: self._on_slot(job) for job in jobs}, **(slots or {})}
        topics = {
            topic: Topic(
                _handler(topic, self._giving_way(handle)),
                timeout_s=LONGEST_H * 3_600,
                in_turn=topic in in_turn,
                in_order=topic in in_turn,
            )
            for topic, handle in handles.items()
        }
        self.worker = Worker(
            database,
            clock,
            topics,
            name="jobs",
            parallel=PARALLEL,
            lease_s=lease_s,
            courtesy=self._precedence.give_way,
            at_stop="give back",
        )

    async def run(self, stop: asyncio.Event) -> None:
        """Tick, beat and work until told to stop."""
        beats = [
            asyncio.create_task(self._beat(job, every_s), name=job.name)
            for job in self.table
            if (every_s := _beat_s(job)) is not None
        ]
        ticking = asyncio.create_task(self._tick_on(), name="tick")
        UNHURRIED.set(True)
        try:
            await self.worker.run(stop)
        finally:
            for task in (*beats, ticking):
                task.cancel()
            await asyncio.gather(*beats, ticking, return_exceptions=True)

    async def prepare(self) -> None:
        """Make the schedules of the desk's own jobs known, and forget those of jobs that it has no more."""
        mine = {job.name: job.schedule for job in self.table if _beat_s(job) is None}
        async with self._database.reading() as session:
            known = await schedules.everything(session, owner=schedules.SYSTEM)
        gone = [each.name for each in known if each.topic.startswith("job:") and each.name not in mine]
        async with self._database.transaction() as session:
            await schedules.put_all(session, tuple(mine.values()))
            for name in gone:
                await schedules.remove(session, name)

    async def tick(self) -> int:
        """Put what is due into the queue; return how many slots that were."""
        UNHURRIED.set(True)
        now = self._clock.now()
        went_back = self._ticked_at is None or now < self._ticked_at
        self._ticked_at = now
        await self._precedence.give_way()
        async with self._database.looking() as session:
            looked_at = await self._to_look_at(session, went_back=went_back)
            due = await schedules.due(session, now, limit=BATCH)
        _, moved = await self._move_on([each for each in looked_at if _is_too_far(each, now)], now)
        while True:
            known, slots = await self._move_on(due, now)
            moved += slots
            if len(due) < BATCH or not known:
                return moved
            await self._precedence.give_way()
            async with self._database.looking() as session:
                due = await schedules.due(session, now, limit=BATCH)

    async def _to_look_at(self, session: AsyncSession, *, went_back: bool) -> Collection[Schedule]:
        """Return those that are looked at in this tick for slots further ahead than they can be.

        Page by page all are looked at, however many there are.
        """
        if went_back:  # what was looked at before in this round was so by the other time: a whole one has to follow
            self._rounds = 2 if self._looked_until else 1
        looked_at: tuple[Schedule, ...] = ()
        if went_back:  # the desk's own are few, and some come every few seconds
            looked_at = await schedules.everything(session, owner=schedules.SYSTEM)
        if self._rounds or self._ticks % TICKS_BETWEEN_LOOKS == 0:
            looked_at += await self._next_page(session)
        self._ticks += 1
        return {each.name: each for each in looked_at if not each.paused}.values()

    async def _next_page(self, session: AsyncSession) -> tuple[Schedule, ...]:
        found, self._looked_until = await schedules.next_page(session, self._looked_until, limit=LOOKED_AT)
        if not self._looked_until:
            self._rounds = max(0, self._rounds - 1)
        return found

    async def _move_on(self, due: Sequence[Schedule], now: datetime) -> tuple[int, int]:
        """Move schedules on in one transaction; return how many moved and how many slots they had."""
        moves = []
        for number, schedule in enumerate(due):
            if number % BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)  # to work out a time takes part of a millisecond
            try:
                moves.append(_move_of(schedule, now))
            except (LookupError, ValueError):  # a zone or a line that nobody can read: the other schedules go on
                log.exception("schedule %s cannot be read", schedule.name)
                moves.append(_Move(schedule, (), now + UNREADABLE_FOR))
        if not moves:
            return 0, 0
        async with self._database.transaction() as session:
            held = await schedules.hold(session, [move.schedule for move in moves])
            mine = [move for move in moves if move.schedule.name in held]
            busy = await work.waiting_lines(session, [move.schedule.line for move in mine if not move.is_for_all])
            await schedules.move_on(session, {move.schedule.name: move.following for move in mine})
            # Where the slot before is not done, another beside it would only pile up.
            slots = [each for move in mine if move.schedule.line not in busy or move.is_for_all for each in move.slots]
            return len(mine), await schedules.enqueue_slots(session, slots)

    def _on_slot(self, job: Job) -> OnSlot:
        async def do(slot: Slot) -> object:
            if job.says is None or self._telling is None:
                return await job.work()
            return await self._telling.post(slot.target, job.says, key=slot.key, timezone=job.timezone)

        return do

    def _giving_way(self, handle: OnSlot) -> OnSlot:
        """Return a handler that lets people go first who wait for an answer: of what is due at nine there is much."""

        async def do(slot: Slot) -> object:
            with self._precedence.unhurried():
                await self._precedence.step()
                return await handle(slot)

        return do

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

    async def _beat(self, job: Job, every_s: float) -> None:
        while True:
            try:
                with self._precedence.unhurried():
                    await job.work()
            except Exception:
                # One beat's failure is the next one's business.
                log.exception("job %s failed", job.name)
            await asyncio.sleep(every_s)


@dataclass(frozen=True)
class _Move:
    """A schedule, its slots that have come and are to happen, and its next time."""

    schedule: Schedule
    slots: tuple[ScheduledSlot, ...]
    following: datetime | None

    @property
    def is_for_all(self) -> bool:
        """Return whether each slot is to happen, however many wait."""
        return self.schedule.catch_up is CatchUp.ALL


def _move_of(schedule: Schedule, now: datetime) -> _Move:
    known = None if _is_too_far(schedule, now) else schedule.next_at
    slot = known or first_slot(schedule.trigger, schedule.timezone, now)
    if slot is None or slot > now:
        return _Move(schedule, (), slot)
    passed, following = slots_until(schedule.trigger, schedule.timezone, slot, now)
    chosen = _chosen(schedule, passed, now)
    return _Move(
        schedule, tuple(ScheduledSlot(schedule, each, _jittered(schedule, each)) for each in chosen), following
    )


def _is_too_far(schedule: Schedule, now: datetime) -> bool:
    try:
        return schedule.next_at is not None and is_too_far(schedule.trigger, schedule.timezone, schedule.next_at, now)
    except (LookupError, ValueError):  # a zone or a line that nobody can read: said when it is due
        return False


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


def _handler(topic: str, on_slot: OnSlot) -> Callable[[WorkItem], Awaitable[Ending]]:
    async def handle(item: WorkItem) -> Ending:
        try:
            came = await on_slot(_slot_of(item))
        except Exception as error:
            # One slot's failure is the next slot's business; the others must not feel it.
            log.exception("%s failed", topic)
            return Ending(f"failed: {redact(f'{type(error).__name__}: {error}')}"[:200])
        if isinstance(came, Ending):
            return came
        return Ending(came[:200] if isinstance(came, str) else "done")

    return handle


def _slot_of(item: WorkItem) -> Slot:
    target, payload = item.payload.get("target"), item.payload.get("payload")
    return Slot(
        schedule=str(item.payload["schedule"]),
        key=item.key,
        owner=str(item.payload["owner"]),
        timezone=str(item.payload.get("timezone") or "UTC"),
        target=target if isinstance(target, Mapping) else None,
        payload=payload if isinstance(payload, Mapping) else {},
    )


def _beat_s(job: Job) -> float | None:
    """Return the seconds between two beats of a job; None for one that has a schedule."""
    trigger = job.trigger
    return trigger.seconds if isinstance(trigger, Every) and trigger.seconds < SHORTEST_S else None
