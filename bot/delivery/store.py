"""All SQL of `bot`: plain functions on a session."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.delivery.tables import PostedRow, StreamRow
from storage.database import insert_new
from storage.ids import JsonObject

#: What the subject of an answer begins with, where a platform says only which message somebody judged.
RUN = "run:"


@dataclass(frozen=True)
class InboxEntry:
    """An event that is worked on."""

    id: str
    thread: str
    attempts: int
    redacted: bool = False  # a secret was taken out of it before it was stored

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


async def open_stream(session: AsyncSession, *, key: str, reference: str, now: datetime) -> None:
    """Keep that people see a message which is still being made."""
    await insert_new(session, StreamRow, {"key": key, "reference": reference, "opened_at": now})


async def stream_of(session: AsyncSession, key: str) -> str:
    """Return the reference of the stream that was opened under a key; empty when none was."""
    return await session.scalar(select(StreamRow.reference).where(StreamRow.key == key)) or ""


async def drop_streams(session: AsyncSession, *, before: datetime) -> None:
    """Forget streams that were opened before that instant."""
    await session.execute(delete(StreamRow).where(StreamRow.opened_at < before))


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
