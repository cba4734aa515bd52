"""Fenced leases on the database's clock, and the slots of scheduled jobs that are held by them.

Every decision compares with the database's own time, so that a replica whose clock is wrong does no harm. A fence is
a number that grows with each new holder: what a former holder still does can be told apart and refused.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sqlalchemy import Update, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from storage.conflicts import changed_rows, insert_new
from storage.tables import JobRunTable, JobTable, LeaseTable


@dataclass(frozen=True)
class Lease:
    """The right to do a named piece of work until then."""

    name: str
    owner: str
    fence: int
    until: datetime


@dataclass(frozen=True)
class Slot:
    """One due run of a scheduled job; `slot` is the instant that it stands for, whenever it really runs."""

    name: str
    slot: datetime
    fence: int


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
        .where(LeaseTable.name == name, LeaseTable.until <= now)
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
    statement = select(LeaseTable.name).where(LeaseTable.name == name, LeaseTable.until > now)
    return (await session.execute(statement)).scalar_one_or_none() is not None


async def release(session: AsyncSession, lease: Lease) -> None:
    """Give it back early; no matter when somebody else has it already."""
    await changed_rows(session, _held(lease).values(until=await database_now(session)))


async def ensure_job(session: AsyncSession, *, name: str, first_run: datetime) -> bool:
    """Make the job known, due at that instant; False when it is known, and then nothing changes."""
    return await insert_new(session, JobTable, {"name": name, "next_run": first_run, "fence": 0})


async def claim_due(session: AsyncSession, *, name: str, owner: str, ttl_s: float) -> Slot | None:
    """Take the job's due slot; None when it is not due or somebody is at it."""
    now = await database_now(session)
    statement = (
        update(JobTable)
        .where(
            JobTable.name == name,
            JobTable.next_run <= now,
            or_(JobTable.lease_until.is_(None), JobTable.lease_until <= now),
        )
        .values(lease_owner=owner, lease_until=now + timedelta(seconds=ttl_s), fence=JobTable.fence + 1)
        .returning(JobTable.next_run, JobTable.fence)
    )
    row = (await session.execute(statement)).one_or_none()
    return None if row is None else Slot(name=name, slot=row.next_run, fence=row.fence)


async def hold_slot(session: AsyncSession, slot: Slot, ttl_s: float) -> bool:
    """Hold the slot for longer; False when it was lost, and the work has to stop."""
    until = await database_now(session) + timedelta(seconds=ttl_s)
    return await changed_rows(session, _at_slot(slot).values(lease_until=until)) == 1


async def give_back(session: AsyncSession, slot: Slot) -> bool:
    """Leave the slot undone for the next one, at once; for a stop or a failure."""
    return await changed_rows(session, _at_slot(slot).values(lease_owner=None, lease_until=None)) == 1


async def complete(session: AsyncSession, slot: Slot, next_run: datetime) -> bool:
    """Mark the slot done, in the transaction of its effects; on False it was lost: roll them back."""
    if next_run <= slot.slot:
        message = f"the next run of {slot.name} has to come after {slot.slot}"
        raise ValueError(message)
    done = _at_slot(slot).values(next_run=next_run, lease_owner=None, lease_until=None)
    if await changed_rows(session, done) != 1:
        return False
    finished_at = await database_now(session)
    return await insert_new(session, JobRunTable, {"name": slot.name, "slot": slot.slot, "finished_at": finished_at})


async def completed_slots(session: AsyncSession, *, name: str, limit: int = 100) -> tuple[datetime, ...]:
    """Return the latest slots that were completed, newest first."""
    statement = select(JobRunTable.slot).where(JobRunTable.name == name).order_by(JobRunTable.slot.desc()).limit(limit)
    return tuple((await session.execute(statement)).scalars())


def _held(lease: Lease) -> Update:
    return update(LeaseTable).where(LeaseTable.name == lease.name, LeaseTable.fence == lease.fence)


def _at_slot(slot: Slot) -> Update:
    return update(JobTable).where(
        JobTable.name == slot.name, JobTable.fence == slot.fence, JobTable.next_run == slot.slot
    )
