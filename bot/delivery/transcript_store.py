"""All SQL of the web chat's transcript: plain functions on a session."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.delivery.tables import EntryRow, ThreadRow
from storage.database import insert_new
from storage.ids import JsonObject, new_id


@dataclass(frozen=True)
class Said:
    """A message of the web chat as it is stored: words of a person, or a card of the desk."""

    reference: str
    seq: int
    author: str
    text: str
    card: JsonObject | None
    key: str
    created_at: datetime
    edited: bool


@dataclass(frozen=True)
class Conversation:
    """A line in the list of a person's conversations."""

    thread: str
    title: str
    updated_at: datetime


async def say(
    session: AsyncSession,
    *,
    user: str,
    thread: str,
    author: str,
    text: str,
    card: JsonObject | None,
    key: str,
    title: str,
    now: datetime,
) -> Said:
    """Append a message once per key; the thread's row is locked first, so that `seq` and commits agree in order."""
    place: dict[str, object] = {"user": user, "thread": thread}
    fresh = {**place, "title": title, "titled_by": author, "last_seq": 0, "updated_at": now}
    await insert_new(session, ThreadRow, fresh)
    row = await _lock_thread(session, user, thread)
    known = await session.scalar(
        select(EntryRow).where(EntryRow.user == user, EntryRow.thread == thread, EntryRow.key == key)
    )
    if known is not None:
        return _said(known)
    row.last_seq += 1
    row.updated_at = now
    if author == "person" and row.titled_by != "person":
        row.title, row.titled_by = title, author
    entry = EntryRow(
        reference=new_id("msg"),
        user=user,
        thread=thread,
        key=key,
        seq=row.last_seq,
        said=row.last_seq,
        author=author,
        text=text,
        card=card,
        edited=False,
        created_at=now,
    )
    session.add(entry)
    await session.flush()
    return _said(entry)


async def edit_said(session: AsyncSession, *, user: str, thread: str, reference: str, card: JsonObject) -> Said | None:
    """Give a message a new card and a new `seq`, unless it is the same; None when the place holds no such message."""
    entry = await session.get(EntryRow, reference)
    if entry is None or (entry.user, entry.thread) != (user, thread):
        return None
    if entry.card == card:
        return _said(entry)
    row = await _lock_thread(session, user, thread)
    row.last_seq += 1
    entry.seq, entry.card, entry.text, entry.edited = row.last_seq, card, "", True
    await session.flush()
    return _said(entry)


async def said_since(session: AsyncSession, *, user: str, thread: str, after: int, limit: int) -> tuple[Said, ...]:
    """Return what changed after `after`, by `seq`."""
    rows = await session.scalars(
        select(EntryRow)
        .where(EntryRow.user == user, EntryRow.thread == thread, EntryRow.seq > after)
        .order_by(EntryRow.seq)
        .limit(limit)
    )
    return tuple(_said(row) for row in rows)


async def last_said(session: AsyncSession, *, user: str, thread: str, limit: int) -> tuple[Said, ...]:
    """Return the last messages in the order of saying."""
    rows = await session.scalars(
        select(EntryRow)
        .where(EntryRow.user == user, EntryRow.thread == thread)
        .order_by(EntryRow.said.desc())
        .limit(limit)
    )
    return tuple(reversed([_said(row) for row in rows]))


async def conversations(session: AsyncSession, *, user: str, without: str, limit: int) -> tuple[Conversation, ...]:
    """Return a person's conversations but one, the latest first."""
    rows = await session.scalars(
        select(ThreadRow)
        .where(ThreadRow.user == user, ThreadRow.thread != without)
        .order_by(ThreadRow.updated_at.desc())
        .limit(limit)
    )
    return tuple(Conversation(thread=row.thread, title=row.title, updated_at=row.updated_at) for row in rows)


async def _lock_thread(session: AsyncSession, user: str, thread: str) -> ThreadRow:
    row = await session.scalar(
        select(ThreadRow).where(ThreadRow.user == user, ThreadRow.thread == thread).with_for_update()
    )
    if row is None:
        raise LookupError(thread)
    return row


def _said(row: EntryRow) -> Said:
    return Said(
        reference=row.reference,
        seq=row.seq,
        author=row.author,
        text=row.text,
        card=row.card,
        key=row.key,
        created_at=row.created_at,
        edited=row.edited,
    )
