"""The SQL of where people can be reached: plain functions on a session."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.delivery.tables import AddressRow
from storage.database import changed_rows, insert_new
from storage.ids import JsonObject


@dataclass(frozen=True)
class KnownAddress:
    """Where a person can be reached."""

    platform: str
    address: JsonObject
    language: str


def address_in(kept: JsonObject) -> KnownAddress | None:
    """Return the address that an envelope (as a run was given it) holds; None where it holds none."""
    platform, address = kept.get("platform"), kept.get("address")
    if not isinstance(platform, str) or not isinstance(address, Mapping):
        return None
    return KnownAddress(platform, address, str(kept.get("language") or "en"))


async def remember_address(
    session: AsyncSession, *, actor_id: str, platform: str, address: JsonObject, language: str, now: datetime
) -> None:
    """Keep where a person was last spoken to."""
    where = {"actor_id": actor_id, "platform": platform}
    now_known = {"address": address, "language": language, "updated_at": now, "gone_at": None}
    # Somebody who asks in two threads at once is remembered by two workers at once.
    if not await insert_new(session, AddressRow, {**where, **now_known}):
        await session.execute(update(AddressRow).filter_by(**where).values(**now_known))


async def addresses_of(session: AsyncSession, actor_id: str) -> tuple[KnownAddress, ...]:
    """Return where a person can be reached, most recent first."""
    rows = await session.scalars(
        select(AddressRow)
        .where(AddressRow.actor_id == actor_id, AddressRow.gone_at.is_(None))
        .order_by(AddressRow.updated_at.desc())
    )
    return tuple(KnownAddress(platform=row.platform, address=row.address, language=row.language) for row in rows)


async def mark_gone(session: AsyncSession, *, actor_id: str, platform: str, now: datetime) -> bool:
    """Send a person nothing there any more until they write again; return whether that is news."""
    where = (AddressRow.actor_id == actor_id, AddressRow.platform == platform, AddressRow.gone_at.is_(None))
    return await changed_rows(session, update(AddressRow).where(*where).values(gone_at=now)) > 0


async def is_gone(session: AsyncSession, *, actor_id: str, platform: str) -> bool:
    """Return whether the desk is not let in to a person's chat there."""
    row = await session.get(AddressRow, (actor_id, platform))
    return row is not None and row.gone_at is not None


async def count_gone(session: AsyncSession) -> int:
    """Return how many chats the desk is not let in to."""
    return await session.scalar(select(func.count()).where(AddressRow.gone_at.is_not(None))) or 0
