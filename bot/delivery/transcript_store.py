"""All SQL of the web chat's transcript: plain functions on a session."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from adapters.web.transcript import TITLE_CHARS
from bot.delivery.tables import EntryRow, ThreadRow
from storage.database import insert_new
from storage.ids import JsonObject, new_id
from storage.redaction.repeated import repeats, without


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
    asked: str
    removed: bool


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
    asked: str,
    title: str,
    now: datetime,
) -> Said:
    """Append a message once per key; the thread's row is locked first, so that `seq` and commits agree in order.

    An answer that comes after the message that it answers was removed is removed, too.
    """
    place: dict[str, object] = {"user": user, "thread": thread}
    fresh = {**place, "title": title, "titled_by": author, "last_seq": 0, "updated_at": now}
    await insert_new(session, ThreadRow, fresh)
    row = await _lock_thread(session, user, thread)
    known = await session.scalar(
        select(EntryRow).where(EntryRow.user == user, EntryRow.thread == thread, EntryRow.key == key)
    )
    if known is not None:
        return _said(known)
    gone = bool(asked) and await _is_removed(session, user=user, thread=thread, key=asked)
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
        card=None if gone else card,
        edited=False,
        asked=asked,
        removed=gone,
        created_at=now,
    )
    session.add(entry)
    await session.flush()
    return _said(entry)


async def edit_said(session: AsyncSession, *, user: str, thread: str, reference: str, card: JsonObject) -> Said | None:
    """Give a message a new card and a new `seq`, unless it is the same; None when the place holds no such message.

    What was removed stays removed.
    """
    entry = await session.get(EntryRow, reference)
    if entry is None or (entry.user, entry.thread) != (user, thread):
        return None
    if entry.removed or entry.card == card:
        return _said(entry)
    row = await _lock_thread(session, user, thread)
    row.last_seq += 1
    entry.seq, entry.card, entry.text, entry.edited = row.last_seq, card, "", True
    await session.flush()
    return _said(entry)


async def remove_said(
    session: AsyncSession, *, user: str, thread: str, key: str, answers: Collection[str], untitled: str
) -> None:
    """Empty a person's message and what was answered to it (`answers`: by their own keys, of an older release too).

    The conversation is called by the first words that are left.
    """
    if await session.get(ThreadRow, (user, thread)) is None:
        return
    row = await _lock_thread(session, user, thread)
    here = (EntryRow.user == user, EntryRow.thread == thread)
    about = or_(EntryRow.key == key, EntryRow.asked == key, EntryRow.key.in_(answers))
    for entry in await session.scalars(select(EntryRow).where(*here, about).order_by(EntryRow.said)):
        row.last_seq += 1
        entry.seq, entry.card, entry.text, entry.removed = row.last_seq, None, "", True
    words = select(EntryRow.text).where(*here, EntryRow.author == "person", EntryRow.removed.is_(False))
    first = await session.scalar(words.order_by(EntryRow.said).limit(1))
    row.title = title_of(first or untitled)


async def threads_since(session: AsyncSession, *, user: str, since: datetime) -> tuple[str, ...]:
    """Return the user's conversations in which something was said since then."""
    found = select(ThreadRow.thread).where(ThreadRow.user == user, ThreadRow.updated_at >= since)
    return tuple(await session.scalars(found.order_by(ThreadRow.thread)))


async def take_out(session: AsyncSession, *, user: str, thread: str, words: Collection[str]) -> None:
    """Take words out of the cards of a place that repeat them."""
    if await session.get(ThreadRow, (user, thread)) is None:
        return
    row = await _lock_thread(session, user, thread)
    cards = select(EntryRow).where(EntryRow.user == user, EntryRow.thread == thread, EntryRow.author != "person")
    for entry in await session.scalars(cards.order_by(EntryRow.said)):
        if repeats(entry.card, words):
            row.last_seq += 1
            entry.seq, entry.card = row.last_seq, without(entry.card, words)


def title_of(words: str) -> str:
    """Return the title of a conversation that begins with these words."""
    return " ".join(words.split())[:TITLE_CHARS]


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


async def _is_removed(session: AsyncSession, *, user: str, thread: str, key: str) -> bool:
    place = (EntryRow.user == user, EntryRow.thread == thread, EntryRow.key == key)
    return bool(await session.scalar(select(EntryRow.removed).where(*place)))


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
        asked=row.asked,
        removed=row.removed,
    )
