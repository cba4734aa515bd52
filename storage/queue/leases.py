"""Fenced leases on the database's clock.

Every decision compares with the database's own time, so that a replica whose clock is wrong does no harm. A fence is
a number that grows with each new holder: what a former holder still does can be told apart and refused.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import Update, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from storage.clock import LONGEST_HOLD
from storage.columns import is_over
from storage.database import changed_rows, insert_new
from storage.tables import LeaseTable


@dataclass(frozen=True)
class Lease:
    """The right to do a named piece of work until then."""

    name: str
    owner: str
    fence: int
    until: datetime


async def database_now(session: AsyncSession) -> datetime:
    """Return the instant by the database's clock."""
    if session.get_bind().dialect.name == "sqlite":
        written = (await session.execute(text("SELECT strftime('%Y-%m-%dT%H:%M:%f', 'now')"))).scalar_one()
        return datetime.fromisoformat(written).replace(tzinfo=UTC)
    instant: datetime = (await session.execute(text("SELECT clock_timestamp()"))).scalar_one()
    return instant.astimezone(UTC)


async def acquire(session: AsyncSession, *, name: str, owner: str, ttl_s: float) -> Lease | None:
    """Take the lease, or None while somebody (even the same owner) holds it."""
    now = await database_now(session)
    lease = Lease(name=name, owner=owner, fence=1, until=now + timedelta(seconds=ttl_s))
    if await insert_new(session, LeaseTable, {"name": name, "owner": owner, "fence": 1, "until": lease.until}):
        return lease
    statement = (
        update(LeaseTable)
        .where(LeaseTable.name == name, is_over(LeaseTable.until, now, now + LONGEST_HOLD))
        .values(owner=owner, until=lease.until, fence=LeaseTable.fence + 1)
        .returning(LeaseTable.fence)
    )
    fence = (await session.execute(statement)).scalar_one_or_none()
    return None if fence is None else replace(lease, fence=fence)


async def renew(session: AsyncSession, lease: Lease, ttl_s: float) -> Lease | None:
    """Hold it for longer; None when somebody else has it meanwhile, and the work has to stop."""
    until = await database_now(session) + timedelta(seconds=ttl_s)
    kept = await changed_rows(session, _held(lease).values(until=until))
    return replace(lease, until=until) if kept else None


async def is_held(session: AsyncSession, *, name: str) -> bool:
    """Say whether anybody holds the lease now."""
    now = await database_now(session)
    held = (LeaseTable.until > now, LeaseTable.until <= now + LONGEST_HOLD)
    statement = select(LeaseTable.name).where(LeaseTable.name == name, *held)
    return (await session.execute(statement)).scalar_one_or_none() is not None


async def release(session: AsyncSession, lease: Lease) -> None:
    """Give it back early; no matter when somebody else has it already."""
    await changed_rows(session, _held(lease).values(until=await database_now(session)))


def _held(lease: Lease) -> Update:
    return update(LeaseTable).where(LeaseTable.name == lease.name, LeaseTable.fence == lease.fence)
