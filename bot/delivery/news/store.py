"""The SQL of news: plain functions on a session."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.delivery.tables import AddressRow, NewsRow
from storage.database import changed_rows, insert_new
from storage.ids import JsonObject

#: Characters of a reason that are kept.
REASON_CHARS = 300


class NewsState(StrEnum):
    """What became of news."""

    WAITING = "waiting"
    TOLD = "told"  # it is on its way, or arrived
    DROPPED = "dropped"  # its reader may not know it any more, or is not known any more
    UNDELIVERED = "undelivered"  # no way was left


@dataclass(frozen=True)
class News:
    """Something that one person is told."""

    key: str
    person: str
    kind: str
    facts: JsonObject
    address: JsonObject
    line: str
    urgent: bool
    state: NewsState = NewsState.WAITING
    way: str = ""
    reason: str = ""
    tries: int = 0
    changed_at: datetime | None = None


async def add(session: AsyncSession, news: News, *, now: datetime) -> bool:
    """Keep what a person is to be told; False when it is known under its key."""
    return await insert_new(session, NewsRow, {**vars(news), "state": news.state.value, "changed_at": now})


async def waiting(session: AsyncSession, person: str, *, urgent: bool, limit: int) -> tuple[News, ...]:
    """Return what a person is to be told, in the order in which it happened."""
    mine = (NewsRow.person == person, NewsRow.state == NewsState.WAITING.value, NewsRow.urgent == urgent)
    rows = await session.scalars(select(NewsRow).where(*mine).order_by(NewsRow.sequence).limit(limit))
    return tuple(_news(row) for row in rows)


async def of_keys(session: AsyncSession, keys: Collection[str]) -> tuple[News, ...]:
    """Return the news of these keys, in the order in which they happened."""
    rows = await session.scalars(select(NewsRow).where(NewsRow.key.in_(list(keys))).order_by(NewsRow.sequence))
    return tuple(_news(row) for row in rows)


async def last_told(session: AsyncSession, person: str, *, urgent: bool) -> datetime | None:
    """Return when a person was told something last, of what is urgent or of what is not."""
    told = (NewsRow.person == person, NewsRow.state == NewsState.TOLD.value, NewsRow.urgent == urgent)
    return await session.scalar(select(func.max(NewsRow.changed_at)).where(*told))


async def last_heard(session: AsyncSession, person: str) -> datetime | None:
    """Return when a person wrote or pressed something last."""
    return await session.scalar(select(func.max(AddressRow.updated_at)).where(AddressRow.actor_id == person))


async def settle(
    session: AsyncSession, keys: Collection[str], state: NewsState, *, way: str = "", reason: str = "", now: datetime
) -> int:
    """Write down what became of news that waited or was told; return of how much."""
    known = NewsRow.key.in_(list(keys))
    values = {"state": state.value, "way": way, "reason": reason[:REASON_CHARS], "changed_at": now}
    return await changed_rows(session, update(NewsRow).where(known).values(**values))


async def undelivered(session: AsyncSession, *, limit: int) -> tuple[News, ...]:
    """Return what could not be delivered, the newest first."""
    lost = NewsRow.state == NewsState.UNDELIVERED.value
    rows = await session.scalars(select(NewsRow).where(lost).order_by(NewsRow.changed_at.desc()).limit(limit))
    return tuple(_news(row) for row in rows)


async def find_undelivered(session: AsyncSession, key: str) -> News | None:
    """Return one that could not be delivered."""
    lost = (NewsRow.key == key, NewsRow.state == NewsState.UNDELIVERED.value)
    row = await session.scalar(select(NewsRow).where(*lost))
    return None if row is None else _news(row)


async def wait_again(session: AsyncSession, news: News, *, now: datetime) -> bool:
    """Let news wait that could not be delivered; False when somebody else did so meanwhile."""
    lost = (NewsRow.key == news.key, NewsRow.state == NewsState.UNDELIVERED.value, NewsRow.tries == news.tries)
    again = {"state": NewsState.WAITING.value, "tries": news.tries + 1, "changed_at": now}
    return await changed_rows(session, update(NewsRow).where(*lost).values(**again)) == 1


async def prune(session: AsyncSession, *, told_before: datetime, lost_before: datetime) -> None:
    """Forget what was told, and later what could not be."""
    ended = (NewsState.TOLD.value, NewsState.DROPPED.value)
    await session.execute(delete(NewsRow).where(NewsRow.state.in_(ended), NewsRow.changed_at < told_before))
    lost = (NewsRow.state == NewsState.UNDELIVERED.value, NewsRow.changed_at < lost_before)
    await session.execute(delete(NewsRow).where(*lost))


def _news(row: NewsRow) -> News:
    return News(
        key=row.key,
        person=row.person,
        kind=row.kind,
        facts=row.facts,
        address=row.address,
        line=row.line,
        urgent=row.urgent,
        state=NewsState(row.state),
        way=row.way,
        reason=row.reason,
        tries=row.tries,
        changed_at=row.changed_at,
    )
