"""Putting work into the queue, and asking what became of it: plain functions on the caller's transaction."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from storage.database import (
    announce,
    changed_rows,
    insert_all_new,
    insert_new,
    insert_numbered,
    offered_seat,
    take_seat,
)
from storage.ids import JsonObject, new_id
from storage.queue.rows import AT_ONCE, OPEN, Claimed, WorkItem, database_time
from storage.queue.tables import QueueTable
from storage.redaction.repeated import repeats, without


@dataclass(frozen=True)
class Record:
    """What is known of an item, open or finished."""

    key: str
    topic: str
    line: str
    state: str  # open, done, dead
    attempt: int
    enqueued_at: datetime
    finished_at: datetime | None
    outcome: str | None
    error: str | None


@dataclass(frozen=True)
class Promise:
    """An item that is to be put into the queue; its fields are those of `enqueue`."""

    topic: str
    payload: JsonObject
    key: str
    line: str = ""
    priority: int = 0
    not_before: datetime | None = None
    kind: str = "item"

    @property
    def values(self) -> dict[str, Any]:
        """Return the row of an item that nobody has taken yet."""
        return {
            "id": new_id(self.kind),
            "key": self.key,
            "topic": self.topic,
            "line": self.line,
            "priority": self.priority,
            "payload": dict(self.payload),
            "state": "open",
            "attempt": 0,
            "failures": 0,
            "enqueued_at": database_time(),
            "not_before": self.not_before or AT_ONCE,
        }


def topic_signal(topic: str) -> str:
    """Return what `Database.listen` is told after a commit that put work of that topic into the queue."""
    return f"queue:{topic}"


async def enqueue(
    session: AsyncSession,
    *,
    topic: str,
    payload: JsonObject,
    key: str,
    line: str = "",
    priority: int = 0,
    not_before: datetime | None = None,
    kind: str = "item",
) -> bool:
    """Promise work with this transaction; False when the key was promised before.

    Items of the same non-empty `line` are handled strictly one after the other; of what is due, a lower `priority`
    goes first. `not_before` is for minutes (it is looked at with each claim): what is to happen at a far time is a
    row of `schedules`. The item's id begins with `kind`.

    Where a worker of this process is free for it, and nothing stands before it in its line, the item is leased with
    the promise and begins after the commit: nobody has to claim it.
    """
    values = Promise(topic, payload, key, line, priority, not_before, kind).values
    seat = None if not_before else offered_seat(session, topic, priority)
    if seat is None or not await _is_free(session, line):
        announce(session, topic_signal(topic))
        return await insert_new(session, QueueTable, values)
    leased = {"lease_owner": seat.holder, "lease_until": database_time(seat.lease_s), "attempt": 1}
    sequence = await insert_numbered(session, QueueTable, {**values, **leased})
    if sequence is not None:
        item = WorkItem(str(values["id"]), key, topic, line, dict(payload), attempt=1, enqueued_at=datetime.now(UTC))
        take_seat(session, seat, Claimed(sequence, seat.holder, failures=0, item=item, priority=priority))
    return sequence is not None


async def enqueue_many(session: AsyncSession, promises: Iterable[Promise]) -> int:
    """Promise many items in one statement, as `enqueue` does; return how many were not promised before."""
    known = tuple(promises)
    for topic in {each.topic for each in known}:
        announce(session, topic_signal(topic))
    return await insert_all_new(session, QueueTable, [each.values for each in known])


async def waiting_lines(session: AsyncSession, lines: Iterable[str]) -> frozenset[str]:
    """Return those lines in which something that was promised is not carried out yet."""
    query = select(QueueTable.line).where(QueueTable.line.in_(tuple(lines)), QueueTable.state == OPEN).distinct()
    return frozenset(await session.scalars(query))


async def _is_free(session: AsyncSession, line: str) -> bool:
    """Return whether nothing stands before a new item of a line, and nothing can come between.

    On SQLite there is one writer at a time. On PostgreSQL whoever takes an item as it is promised holds a lock on its
    line until the commit: of two at once, one goes the ordinary way.
    """
    if not line:
        return True
    if session.get_bind().dialect.name == "postgresql" and not await session.scalar(
        select(func.pg_try_advisory_xact_lock(func.hashtextextended(line, 0)))
    ):
        return False
    return not await is_waiting(session, line=line)


async def is_waiting(session: AsyncSession, *, line: str) -> bool:
    """Return whether something that was promised in this line is not carried out yet."""
    waiting = select(QueueTable.sequence).where(QueueTable.line == line, QueueTable.state == OPEN).limit(1)
    return await session.scalar(waiting) is not None


async def is_known(session: AsyncSession, *, key: str) -> bool:
    """Return whether work was promised under a key, carried out or not."""
    return await session.scalar(select(QueueTable.sequence).where(QueueTable.key == key)) is not None


async def is_finished(session: AsyncSession, *, key: str) -> bool:
    """Return whether what was promised under a key has ended, well or badly."""
    ended = select(QueueTable.sequence).where(QueueTable.key == key, QueueTable.state != OPEN)
    return await session.scalar(ended) is not None


async def was_promised(session: AsyncSession, *, line: str, topic: str) -> bool:
    """Return whether anything of that topic was ever promised in a line."""
    found = select(QueueTable.sequence).where(QueueTable.line == line, QueueTable.topic == topic).limit(1)
    return await session.scalar(found) is not None


async def count_open(session: AsyncSession, *, topics: Iterable[str]) -> int:
    """Return how many items of these topics wait or are being handled."""
    unfinished = (QueueTable.state == OPEN, QueueTable.topic.in_(list(topics)))
    return await session.scalar(select(func.count()).select_from(QueueTable).where(*unfinished)) or 0


async def count_waiting(
    session: AsyncSession, *, topics: Iterable[str], of: str, path: Iterable[str], value: str
) -> tuple[int, int]:
    """Return how many items of these topics are open, and how many of `of` have that text in their payload."""
    found: Any = QueueTable.payload
    for name in path:
        found = found[name]
    same = case(((QueueTable.topic == of) & (found.as_string() == value), 1), else_=0)
    counted = select(func.count(), func.coalesce(func.sum(same), 0)).where(
        QueueTable.state == OPEN, QueueTable.topic.in_(list(topics))
    )
    row = (await session.execute(counted)).one()
    return int(row[0]), int(row[1])


async def open_topics(session: AsyncSession) -> dict[str, int]:
    """Return how many items of each topic are open."""
    counted = select(QueueTable.topic, func.count()).where(QueueTable.state == OPEN).group_by(QueueTable.topic)
    return {row[0]: row[1] for row in (await session.execute(counted)).all()}


async def records(session: AsyncSession, *, line: str, limit: int = 20) -> tuple[Record, ...]:
    """Return what became of the items of a line, the newest first."""
    newest = select(QueueTable).where(QueueTable.line == line).order_by(QueueTable.sequence.desc()).limit(limit)
    return tuple(
        Record(
            key=row.key,
            topic=row.topic,
            line=row.line,
            state=row.state,
            attempt=row.attempt,
            enqueued_at=row.enqueued_at,
            finished_at=row.finished_at,
            outcome=row.outcome,
            error=row.error,
        )
        for row in await session.scalars(newest)
    )


async def find_finished(
    session: AsyncSession, *, before: datetime, topics: Iterable[str] | None = None, limit: int = 5_000
) -> tuple[int, ...]:
    """Return the numbers of items that were done before that instant, the oldest `limit` of them, or of some topics.

    No index over all finished rows is kept for this: ask in a transaction that only reads.
    """
    old = select(QueueTable.sequence).where(QueueTable.state == "done", QueueTable.finished_at < before)
    old = old if topics is None else old.where(QueueTable.topic.in_(list(topics)))
    return tuple((await session.scalars(old.order_by(QueueTable.sequence).limit(limit))).all())


async def forget(session: AsyncSession, sequences: Iterable[int]) -> int:
    """Delete finished items, and with them the memory of their keys; return how many."""
    gone = delete(QueueTable).where(QueueTable.sequence.in_(list(sequences)), QueueTable.state == "done")
    return await changed_rows(session, gone)


async def find(session: AsyncSession, *, key: str) -> WorkItem | None:
    """Return what was promised under a key, carried out or not."""
    row = await session.scalar(select(QueueTable).where(QueueTable.key == key))
    if row is None:
        return None
    return WorkItem(row.id, row.key, row.topic, row.line, row.payload, row.attempt, row.enqueued_at)


async def erase(session: AsyncSession, *, key: str, payload: JsonObject) -> bool:
    """Replace the payload of what was carried out, so that its words are gone while its key is known.

    False when it is not carried out yet, or there is nothing under that key.
    """
    done = (QueueTable.key == key, QueueTable.state != OPEN)
    return await changed_rows(session, update(QueueTable).where(*done).values(payload=dict(payload))) > 0


async def erase_line(session: AsyncSession, *, line: str) -> tuple[str, ...]:
    """Take what people wrote out of the slots of a line, carried out or not; return their keys."""
    rows = (await session.scalars(select(QueueTable).where(QueueTable.line == line))).all()
    for row in rows:
        row.payload = {**row.payload, "payload": {}}
    return tuple(row.key for row in rows)


async def take_out(session: AsyncSession, *, line: str, topic: str, words: Collection[str]) -> tuple[str, ...]:
    """Take words out of what was carried out in a line; return the keys of what repeats them and is still to come."""
    waiting = []
    rows = select(QueueTable).where(QueueTable.line == line, QueueTable.topic == topic)
    for row in await session.scalars(rows):
        if repeats(row.payload, words):
            if row.state == OPEN:
                waiting.append(row.key)
            else:
                row.payload = without(row.payload, words)
    return tuple(waiting)


async def lag_s(session: AsyncSession, *, topics: Iterable[str], now: datetime) -> float:
    """Return for how many seconds the oldest due item of these topics has waited; 0 when none waits."""
    oldest = select(func.min(QueueTable.enqueued_at)).where(
        QueueTable.state == OPEN, QueueTable.not_before <= now, QueueTable.topic.in_(list(topics))
    )
    since = await session.scalar(oldest)
    return max(timedelta(0), now - since).total_seconds() if since else 0.0
