"""All SQL of `bot`: plain functions on a session."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bot.delivery.events import Kind
from bot.delivery.tables import InboxRow, PostedRow, StreamRow
from storage.conflicts import insert_new
from storage.ids import JsonObject, new_id

#: What the subject of an answer begins with, where a platform says only which message somebody judged.
RUN = "run:"


@dataclass(frozen=True)
class InboxEntry:
    """An event taken from the inbox."""

    id: str
    platform: str
    event_id: str
    thread: str
    kind: Kind
    payload: JsonObject
    received_at: datetime
    attempts: int

    @property
    def reply_key(self) -> str:
        """Return the key of the one reply to this event."""
        return f"reply:{self.id}"


@dataclass(frozen=True)
class Posted:
    """Where a card that may change was posted."""

    key: str
    subject: str
    platform: str
    thread: str
    address: JsonObject
    reference: str
    language: str
    timezone: str


async def add_event(
    session: AsyncSession, *, platform: str, event_id: str, thread: str, kind: Kind, payload: JsonObject, now: datetime
) -> bool:
    """Store an event under the platform's id; False when it was stored before."""
    values: dict[str, object] = {
        "id": new_id("in"),
        "platform": platform,
        "event_id": event_id,
        "thread": thread,
        "kind": kind,
        "payload": payload,
        "received_at": now,
        "state": "waiting",
        "attempts": 0,
    }
    return await insert_new(session, InboxRow, values)


async def take_events(
    session: AsyncSession, *, owner: str, platforms: Collection[str], now: datetime, lease_s: float, limit: int
) -> tuple[InboxEntry, ...]:
    """Lease the oldest unfinished event of each thread that nobody works on; a dead owner's lease lapses.

    Only events of the platforms that this worker serves: nobody else could answer them.
    """
    other = aliased(InboxRow)
    first_of_thread = (
        select(func.min(other.position)).where(other.thread == InboxRow.thread, other.state != "done").scalar_subquery()
    )
    free = InboxRow.lease_until.is_(None) | (InboxRow.lease_until < now)
    due = (
        select(InboxRow.id)
        .where(InboxRow.state != "done", InboxRow.platform.in_(platforms), free, InboxRow.position == first_of_thread)
        .order_by(InboxRow.position)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    identifiers = list((await session.scalars(due)).all())
    if not identifiers:
        return ()
    taken = (
        update(InboxRow)
        .where(InboxRow.id.in_(identifiers), free)
        .values(
            state="working", owner=owner, lease_until=now + timedelta(seconds=lease_s), attempts=InboxRow.attempts + 1
        )
        .returning(InboxRow)
    )
    rows = (await session.scalars(taken)).all()
    return tuple(_entry(row) for row in sorted(rows, key=lambda row: row.position))


async def finish_event(
    session: AsyncSession, identifier: str, *, owner: str, outcome: str, run_id: str | None, now: datetime
) -> bool:
    """Close an event; False when its lease was lost to somebody else meanwhile."""
    statement = (
        update(InboxRow)
        .where(InboxRow.id == identifier, InboxRow.owner == owner, InboxRow.state == "working")
        .values(state="done", outcome=outcome, run_id=run_id, finished_at=now, lease_until=None)
        .returning(InboxRow.id)
    )
    return (await session.execute(statement)).first() is not None


async def postpone_event(session: AsyncSession, identifier: str, *, owner: str, until: datetime) -> None:
    """Give an event back until then; it does not count as an attempt, for nobody has looked at it yet."""
    await session.execute(
        update(InboxRow)
        .where(InboxRow.id == identifier, InboxRow.owner == owner, InboxRow.state == "working")
        .values(state="waiting", owner=None, lease_until=until, attempts=InboxRow.attempts - 1)
    )


async def takes_part(session: AsyncSession, *, platform: str, thread: str) -> bool:
    """Return whether the desk was ever spoken to in a thread."""
    said = InboxRow.kind != "withdrawn"
    found = select(InboxRow.position).where(InboxRow.thread == thread, InboxRow.platform == platform, said).limit(1)
    return await session.scalar(found) is not None


async def is_known(session: AsyncSession, *, platform: str, event_id: str) -> bool:
    """Return whether an event came in, worked off or not."""
    found = select(InboxRow.position).where(InboxRow.platform == platform, InboxRow.event_id == event_id)
    return await session.scalar(found) is not None


async def open_stream(session: AsyncSession, *, key: str, reference: str, now: datetime) -> None:
    """Keep that people see a message which is still being made."""
    await insert_new(session, StreamRow, {"key": key, "reference": reference, "opened_at": now})


async def stream_of(session: AsyncSession, key: str) -> str:
    """Return the reference of the stream that was opened under a key; empty when none was."""
    return await session.scalar(select(StreamRow.reference).where(StreamRow.key == key)) or ""


async def drop_streams(session: AsyncSession, *, before: datetime) -> None:
    """Forget streams that were opened before that instant."""
    await session.execute(delete(StreamRow).where(StreamRow.opened_at < before))


async def renew_owner(session: AsyncSession, *, owner: str, until: datetime) -> None:
    """Keep the leases of everything that a worker holds."""
    await session.execute(
        update(InboxRow).where(InboxRow.owner == owner, InboxRow.state == "working").values(lease_until=until)
    )


async def release_all(session: AsyncSession) -> None:
    """Give back what a dead process held, where no other process can be working (the desk's own SQLite file)."""
    working = update(InboxRow).where(InboxRow.state == "working")
    await session.execute(working.values(state="waiting", owner=None, lease_until=None))


async def release_owner(session: AsyncSession, *, owner: str) -> None:
    """Give back what a stopping worker still holds, so that the next one need not wait for the lease."""
    await session.execute(
        update(InboxRow)
        .where(InboxRow.owner == owner, InboxRow.state == "working")
        .values(state="waiting", owner=None, lease_until=None)
    )


async def count_unfinished(session: AsyncSession, *, platforms: Collection[str]) -> int:
    """Return how many events of these platforms wait or are being worked on."""
    unfinished = (InboxRow.state != "done", InboxRow.platform.in_(platforms))
    count = await session.scalar(select(func.count()).select_from(InboxRow).where(*unfinished))
    return count or 0


async def drop_finished(session: AsyncSession, *, before: datetime) -> int:
    """Forget finished events older than that; a platform never redelivers so late."""
    rows = await session.scalars(
        select(InboxRow).where(InboxRow.state == "done", InboxRow.finished_at < before).limit(5_000)
    )
    dropped = 0
    for row in rows:
        await session.delete(row)
        dropped += 1
    return dropped


async def add_posted(session: AsyncSession, posted: Posted, *, now: datetime) -> None:
    """Keep where a card was posted; the same key is kept once."""
    values: dict[str, object] = {
        "key": posted.key,
        "subject": posted.subject,
        "platform": posted.platform,
        "thread": posted.thread,
        "address": posted.address,
        "reference": posted.reference,
        "language": posted.language,
        "timezone": posted.timezone,
        "posted_at": now,
    }
    await insert_new(session, PostedRow, values)


async def posted_of(session: AsyncSession, subject: str) -> tuple[Posted, ...]:
    """Return every place where a card about `subject` stands."""
    rows = await session.scalars(select(PostedRow).where(PostedRow.subject == subject).order_by(PostedRow.posted_at))
    return tuple(
        Posted(
            key=row.key,
            subject=row.subject,
            platform=row.platform,
            thread=row.thread,
            address=row.address,
            reference=row.reference,
            language=row.language,
            timezone=row.timezone,
        )
        for row in rows
    )


async def answer_at(session: AsyncSession, *, platform: str, thread: str, reference: str) -> str:
    """Return the id of the run whose answer stands in a message, "" when none is known.

    A client that does not say which message it was is taken to mean the newest answer of the thread.
    """
    place = PostedRow.reference == reference if reference else PostedRow.thread == thread
    subject = await session.scalar(
        select(PostedRow.subject)
        .where(PostedRow.platform == platform, place, PostedRow.subject.startswith(RUN))
        .order_by(PostedRow.posted_at.desc())
        .limit(1)
    )
    return (subject or "").removeprefix(RUN)


async def drop_answers(session: AsyncSession, *, before: datetime) -> None:
    """Forget in which messages old answers stand: nobody judges them any more."""
    await session.execute(delete(PostedRow).where(PostedRow.subject.startswith(RUN), PostedRow.posted_at < before))


def _entry(row: InboxRow) -> InboxEntry:
    kind: Kind = row.kind  # type: ignore[assignment]  # written by add_event only
    return InboxEntry(
        id=row.id,
        platform=row.platform,
        event_id=row.event_id,
        thread=row.thread,
        kind=kind,
        payload=row.payload,
        received_at=row.received_at,
        attempts=row.attempts,
    )
