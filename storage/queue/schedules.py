"""Schedules: rows that put work into the queue when their time has come. Plain functions on the caller's transaction.

A schedule's slot is an instant by its trigger. The slot's item has the key `schedule:<name>:<slot>` and the line
`schedule:<name>`: over all replicas each slot happens once, and never beside another one of the same schedule.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Integer, Row, bindparam, delete, func, select, union_all, update
from sqlalchemy.ext.asyncio import AsyncSession

from storage.columns import UtcDateTime
from storage.database import changed_rows, insert_all_new
from storage.ids import JsonObject, new_id
from storage.queue import work
from storage.queue.tables import ScheduleTable

#: Who owns what the desk does by itself.
SYSTEM = "system"


class CatchUp(StrEnum):
    """What becomes of slots that passed while no replica ran."""

    SKIP = "skip"  # they are left out
    ONCE = "once"  # the newest of them happens, late
    ALL = "all"  # each happens, late


@dataclass(frozen=True)
class Every:
    """A slot every so many seconds, the first at once."""

    seconds: float


@dataclass(frozen=True)
class Cron:
    """Slots by a crontab line of five fields, in the schedule's time zone; 0 and 7 are Sunday.

    Where a day of the month and a day of the week are named, both have to fit.
    """

    line: str


@dataclass(frozen=True)
class Calendar:
    """A slot every so many months, weeks and days at a time of day (`HH:MM`), in the schedule's time zone."""

    at: str
    months: int = 0
    weeks: int = 0
    days: int = 0


@dataclass(frozen=True)
class At:
    """One slot."""

    instant: datetime


@dataclass(frozen=True)
class Rule:
    """Slots by a rule of RFC 5545 without its DTSTART, at a time of day (`HH:MM`), in the schedule's time zone.

    Of a rule that leaves days, weeks or months out (`INTERVAL=2`), `start` is the first day (`YYYY-MM-DD`), from which
    they are counted. A time of day that a day lacks comes when the gap ends; one that it has twice comes at the first.
    """

    rule: str
    at: str
    start: str = ""

    @property
    def time_of_day(self) -> time:
        """Return the time of day."""
        return time.fromisoformat(self.at)

    @property
    def first(self) -> date | None:
        """Return the first day."""
        return date.fromisoformat(self.start) if self.start else None


@dataclass(frozen=True)
class Each:
    """Slots by each of several triggers."""

    of: tuple[At | Rule, ...]


#: Made once, and of columns alone: every replica asks each second, and mostly nothing is due.
# The order keeps PostgreSQL on the index: what has ended has no next time either, and there is much of it.
_COLUMNS = ScheduleTable.__table__.columns
_GOING = (
    select(*_COLUMNS)
    .where(ScheduleTable.ended.is_(False), ScheduleTable.paused.is_(False))
    .order_by(ScheduleTable.next_at)
    .limit(bindparam("most", type_=Integer))
)
_DUE = union_all(
    select(_GOING.where(ScheduleTable.next_at.is_(None)).subquery()),
    select(_GOING.where(ScheduleTable.next_at <= bindparam("now", type_=UtcDateTime())).subquery()),
)
_PAGE = (
    select(*_COLUMNS)
    .where(ScheduleTable.name > bindparam("after"))
    .order_by(ScheduleTable.name)
    .limit(bindparam("most", type_=Integer))
)

Trigger = Every | Cron | Calendar | At | Rule | Each
_KINDS: Mapping[str, type[Trigger]] = {
    "every": Every, "cron": Cron, "calendar": Calendar, "at": At, "rule": Rule, "each": Each,
}  # fmt: skip
_ADAPTERS = {kind: TypeAdapter(each) for kind, each in _KINDS.items()}


@dataclass(frozen=True)
class Schedule:
    """What happens when. `target` is an address that the result goes to."""

    name: str
    topic: str
    trigger: Trigger
    timezone: str = "UTC"
    owner: str = SYSTEM
    target: JsonObject | None = None
    payload: JsonObject = field(default_factory=dict)
    catch_up: CatchUp = CatchUp.ONCE
    jitter_s: float = 0.0
    paused: bool = False
    next_at: datetime | None = None
    ended: bool = False

    @property
    def line(self) -> str:
        """Return the line of its slots."""
        return f"schedule:{self.name}"


async def put(session: AsyncSession, schedule: Schedule) -> None:
    """Make a schedule known, or bring the known one to this; it keeps its pause, and its next time unless that moved.

    It keeps its target, too, where this one has none. A schedule without a `next_at` gets one from the tick.
    """
    await put_all(session, (schedule,))


async def put_all(session: AsyncSession, wanted: Sequence[Schedule]) -> None:
    """Put each of them, with one look at what is known and one statement for all that are new."""
    rows = await session.scalars(select(ScheduleTable).where(ScheduleTable.name.in_([each.name for each in wanted])))
    known = {row.name: _schedule(row) for row in rows}
    await insert_all_new(session, ScheduleTable, [_values(each) for each in wanted if each.name not in known])
    for each in wanted:
        if each.name in known:
            await _bring_to(session, known[each.name], each)


async def _bring_to(session: AsyncSession, known: Schedule, schedule: Schedule) -> None:
    kept = {"paused"} if schedule.target is not None else {"paused", "target"}
    if (known.trigger, known.timezone) == (schedule.trigger, schedule.timezone):
        kept |= {"next_at", "ended"}
    changed = {name: value for name, value in _values(schedule).items() if name not in kept}
    if changed != {name: value for name, value in _values(known).items() if name not in kept}:
        await changed_rows(session, update(ScheduleTable).where(ScheduleTable.name == schedule.name).values(changed))


async def remove(session: AsyncSession, name: str) -> bool:
    """Forget a schedule; what it put into the queue stays. False when there is none."""
    return await changed_rows(session, delete(ScheduleTable).where(ScheduleTable.name == name)) == 1


async def forget_ended(session: AsyncSession, *, topic: str, field: str, before: str) -> int:
    """Forget what has no further time and holds an earlier ISO instant in a field of its payload; return how many."""
    ended = (ScheduleTable.topic == topic, ScheduleTable.ended.is_(True))
    old = delete(ScheduleTable).where(*ended, ScheduleTable.payload[field].as_string() < before)
    return await changed_rows(session, old)


async def find(session: AsyncSession, name: str) -> Schedule | None:
    """Return one schedule."""
    row = await session.scalar(select(ScheduleTable).where(ScheduleTable.name == name))
    return None if row is None else _schedule(row)


async def everything(session: AsyncSession, *, owner: str | None = None) -> tuple[Schedule, ...]:
    """Return every schedule, or those of one owner, by name."""
    query = select(ScheduleTable).order_by(ScheduleTable.name)
    rows = await session.scalars(query if owner is None else query.where(ScheduleTable.owner == owner))
    return tuple(_schedule(row) for row in rows)


async def due(session: AsyncSession, now: datetime, *, limit: int) -> tuple[Schedule, ...]:
    """Return so many of what has no next time yet, or has a slot at that instant or before, the oldest first."""
    rows = (await session.execute(_DUE, {"now": now, "most": limit})).all()
    found = sorted(rows, key=lambda row: (row.next_at is not None, row.next_at or now))
    return tuple(_schedule(row) for row in found[:limit])


async def next_page(session: AsyncSession, after: str, *, limit: int) -> tuple[tuple[Schedule, ...], str]:
    """Return what repeats of so many schedules by name, from the one after that name on, and the last one's name.

    The name is "" where no further one follows. What comes once keeps its instant, and is not even made out.
    """
    rows = (await session.execute(_PAGE, {"after": after, "most": limit})).all()
    repeating = tuple(_schedule(row) for row in rows if row.trigger["kind"] != "at")
    return repeating, rows[-1].name if len(rows) == limit else ""


async def hold(session: AsyncSession, known: Iterable[Schedule]) -> frozenset[str]:
    """Return the names of those whose time is still as it was read, and keep others from moving them on until the end.

    What another replica moves on at this moment is left to it. One for which somebody has set another time since has
    another trigger, though neither has a next time yet.
    """
    read = {each.name: (_trigger(each), each.timezone, each.next_at) for each in known}
    rows = select(ScheduleTable.name, ScheduleTable.trigger, ScheduleTable.timezone, ScheduleTable.next_at).where(
        ScheduleTable.name.in_(read), ScheduleTable.paused.is_(False), ScheduleTable.ended.is_(False)
    )
    found = await session.execute(rows.order_by(ScheduleTable.name).with_for_update(skip_locked=True))
    return frozenset(name for name, *when in found if tuple(when) == read[name])


async def move_on(session: AsyncSession, next_at: Mapping[str, datetime | None]) -> None:
    """Move on schedules that are held, each to its next time, or to its end where it has none."""
    values = [{"name": name, "next_at": each, "ended": each is None} for name, each in next_at.items()]
    if values:
        await session.execute(update(ScheduleTable), values)


async def advance(session: AsyncSession, schedule: Schedule, next_at: datetime | None) -> bool:
    """Move a schedule on, to its end when there is no next time; False when another replica did so before."""
    same = ScheduleTable.next_at.is_(None) if schedule.next_at is None else ScheduleTable.next_at == schedule.next_at
    moved = (
        update(ScheduleTable)
        .where(ScheduleTable.name == schedule.name, same, ScheduleTable.paused.is_(False))
        .values(next_at=next_at, ended=next_at is None)
    )
    return await changed_rows(session, moved) == 1


@dataclass(frozen=True)
class ScheduledSlot:
    """A slot of a schedule that is to be put into the queue."""

    schedule: Schedule
    slot: datetime
    not_before: datetime | None = None


async def enqueue_slots(session: AsyncSession, slots: Iterable[ScheduledSlot]) -> int:
    """Put slots into the queue; return how many were not there yet."""
    promises = [
        _promise(each.schedule, each.slot.astimezone(UTC).isoformat(), not_before=each.not_before) for each in slots
    ]
    return await work.enqueue_many(session, promises)


async def enqueue_now(session: AsyncSession, schedule: Schedule) -> bool:
    """Have a schedule happen once more, now, whether it is paused or not."""
    return await work.enqueue_many(session, [_promise(schedule, new_id("now"))]) == 1


async def set_paused(session: AsyncSession, name: str, *, paused: bool) -> bool:
    """Pause a schedule or let it go on from its next time after now; False when there is none, or it is so already."""
    changed: dict[str, Any] = {"paused": paused} if paused else {"paused": paused, "next_at": None}
    where = (ScheduleTable.name == name, ScheduleTable.paused.is_(not paused))
    return await changed_rows(session, update(ScheduleTable).where(*where).values(changed)) == 1


async def set_target(session: AsyncSession, name: str, target: JsonObject | None) -> None:
    """Name the address that what a schedule says goes to, or none."""
    await changed_rows(session, update(ScheduleTable).where(ScheduleTable.name == name).values(target=target))


async def set_payload(session: AsyncSession, name: str, payload: JsonObject) -> None:
    """Keep what the slots from now on are given; nothing where there is no such schedule any more."""
    await changed_rows(session, update(ScheduleTable).where(ScheduleTable.name == name).values(payload=dict(payload)))


def _promise(schedule: Schedule, slot: str, *, not_before: datetime | None = None) -> work.Promise:
    payload: JsonObject = {
        "schedule": schedule.name,
        "slot": slot,
        "owner": schedule.owner,
        "timezone": schedule.timezone,
        "target": schedule.target,
        "payload": schedule.payload,
    }
    return work.Promise(
        topic=schedule.topic,
        payload=payload,
        key=f"schedule:{schedule.name}:{slot}",
        line=schedule.line,
        priority=2,  # whatever a person waits for goes first
        not_before=not_before,
        kind="slot",
    )


def _trigger(schedule: Schedule) -> dict[str, Any]:
    kind = next(kind for kind, each in _KINDS.items() if isinstance(schedule.trigger, each))
    return {"kind": kind, **_ADAPTERS[kind].dump_python(schedule.trigger, mode="json")}


def _values(schedule: Schedule) -> dict[str, Any]:
    return {
        "name": schedule.name,
        "topic": schedule.topic,
        "trigger": _trigger(schedule),
        "timezone": schedule.timezone,
        "owner": schedule.owner,
        "target": schedule.target,
        "payload": dict(schedule.payload),
        "catch_up": schedule.catch_up.value,
        "jitter_s": schedule.jitter_s,
        "paused": schedule.paused,
        "next_at": schedule.next_at,
        "ended": schedule.ended,
    }


def _schedule(row: ScheduleTable | Row[Any]) -> Schedule:
    fields = {name: value for name, value in row.trigger.items() if name != "kind"}
    return Schedule(
        name=row.name,
        topic=row.topic,
        trigger=_ADAPTERS[row.trigger["kind"]].validate_python(fields),
        timezone=row.timezone,
        owner=row.owner,
        target=row.target,
        payload=row.payload,
        catch_up=CatchUp(row.catch_up),
        jitter_s=row.jitter_s,
        paused=row.paused,
        next_at=row.next_at,
        ended=row.ended,
    )


async def ordered(session: AsyncSession, *, owner: str, topic: str, after: str, limit: int) -> tuple[Schedule, ...]:
    """Return what people ordered, by name from the one after `after`; of one owner or topic where they are named."""
    wanted = [ScheduleTable.owner != SYSTEM if not owner else ScheduleTable.owner == owner, ScheduleTable.name > after]
    if topic:
        wanted.append(ScheduleTable.topic == topic)
    rows = await session.scalars(select(ScheduleTable).where(*wanted).order_by(ScheduleTable.name).limit(limit))
    return tuple(_schedule(row) for row in rows)


async def count_ordered(session: AsyncSession) -> Mapping[str, int]:
    """Return how many schedules people ordered, by topic."""
    counted = select(ScheduleTable.topic, func.count()).where(ScheduleTable.owner != SYSTEM)
    return {row[0]: row[1] for row in await session.execute(counted.group_by(ScheduleTable.topic))}
