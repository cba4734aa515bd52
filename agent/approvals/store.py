"""All SQL of approvals. Rows never leave."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, CursorResult, Select, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from agent.approvals.approval import Approval, ApprovalState
from agent.approvals.tables import ApprovalRow
from storage.clock import LONGEST_HOLD
from storage.columns import is_over
from storage.ids import JsonObject
from storage.redaction.repeated import repeats


async def add_approval(session: AsyncSession, approval: Approval) -> None:
    """Write an approval that waits."""
    session.add(ApprovalRow.of(approval))
    await session.flush()


async def read_approval(session: AsyncSession, approval_id: str) -> Approval | None:
    """Return an approval."""
    row = await session.get(ApprovalRow, approval_id, populate_existing=True)
    return None if row is None else row.value()


async def find_waiting(
    session: AsyncSession, *, actor_id: str, digest: str, version: int | None, now: datetime
) -> Approval | None:
    """Return the approval that already waits for the same call on the same state of the resource."""
    query = _waiting(actor_id, now).where(ApprovalRow.digest == digest)
    for row in await session.scalars(query):
        if row.resource_version == version:
            return row.value()
    return None


async def list_waiting(session: AsyncSession, *, actor_id: str, now: datetime) -> tuple[Approval, ...]:
    """Return what waits for this person, oldest first."""
    return tuple(row.value() for row in await session.scalars(_waiting(actor_id, now)))


def _waiting(actor_id: str, now: datetime) -> Select[ApprovalRow]:
    return (
        select(ApprovalRow)
        .where(
            ApprovalRow.actor_id == actor_id,
            ApprovalRow.state == ApprovalState.PENDING.value,
            ApprovalRow.expires_at > now,
        )
        .order_by(ApprovalRow.created_at, ApprovalRow.id)
    )


async def run_out(session: AsyncSession, *, actor_id: str, digests: Collection[str], now: datetime) -> None:
    """Let the waiting calls of these digests wait no longer than until now."""
    waiting = (ApprovalRow.actor_id == actor_id, ApprovalRow.state == ApprovalState.PENDING.value)
    due = (ApprovalRow.digest.in_(digests), ApprovalRow.expires_at > now)
    await session.execute(update(ApprovalRow).where(*waiting, *due).values(expires_at=now))


async def claim_approval(
    session: AsyncSession, approval: Approval, *, by: str, owner: str, now: datetime, until: datetime
) -> bool:
    """Move pending → executing, for one presser only: the update carries every condition that was checked."""
    done = await session.execute(
        update(ApprovalRow)
        .where(
            *_at(approval.id, ApprovalState.PENDING),
            ApprovalRow.version == approval.version,
            ApprovalRow.digest == approval.digest,
            ApprovalRow.expires_at > now,
        )
        .values(
            state=ApprovalState.EXECUTING.value, decided_by=by, decided_at=now, lease_owner=owner, lease_until=until
        )
    )
    return _changed(done)


async def reclaim_approval(
    session: AsyncSession, approval_id: str, *, owner: str, now: datetime, until: datetime
) -> bool:
    """Take over an execution whose owner has gone silent."""
    done = await session.execute(
        update(ApprovalRow)
        .where(*_at(approval_id, ApprovalState.EXECUTING), _is_silent(now))
        .values(lease_owner=owner, lease_until=until)
    )
    return _changed(done)


async def end_approval(
    session: AsyncSession,
    approval_id: str,
    *,
    owner: str,
    state: ApprovalState,
    at: datetime,
    result: JsonObject,
    error: JsonObject,
) -> bool:
    """Move executing → succeeded | failed | unknown, by the owner of the lease only."""
    done = await session.execute(
        update(ApprovalRow)
        .where(*_at(approval_id, ApprovalState.EXECUTING), ApprovalRow.lease_owner == owner)
        .values(state=state.value, finished_at=at, lease_until=None, result=dict(result), error=dict(error))
    )
    return _changed(done)


async def drop_approval(
    session: AsyncSession, approval_id: str, *, state: ApprovalState, by: str, at: datetime
) -> bool:
    """Move pending → declined | expired."""
    done = await session.execute(
        update(ApprovalRow)
        .where(*_at(approval_id, ApprovalState.PENDING))
        .values(state=state.value, decided_by=by, decided_at=at, finished_at=at)
    )
    return _changed(done)


async def erase_approvals(
    session: AsyncSession, *, event_id: str, thread: str, words: Collection[str] | None, at: datetime
) -> None:
    """Take what was said out of the approvals that a message led to; those that wait have run out.

    With `words` only out of those whose call repeats them.
    """
    of_message: tuple[ColumnElement[bool], ...] = (ApprovalRow.event_id == event_id, ApprovalRow.thread == thread)
    if words is not None:
        rows = await session.scalars(select(ApprovalRow).where(*of_message))
        of_message = (*of_message, ApprovalRow.id.in_([row.id for row in rows if repeats(row.arguments, words)]))
    waiting = (*of_message, ApprovalRow.state == ApprovalState.PENDING.value)
    ended = {"state": ApprovalState.EXPIRED.value, "decided_at": at, "finished_at": at}
    await session.execute(update(ApprovalRow).where(*waiting).values(**ended))
    erased = {"text": "", "arguments": {}, "result": {}, "error": {}}
    settled = ApprovalRow.state != ApprovalState.EXECUTING.value
    await session.execute(update(ApprovalRow).where(*of_message, settled).values(**erased))


async def overdue_approvals(session: AsyncSession, now: datetime) -> tuple[Approval, ...]:
    """Return the pending ones past their time."""
    query = select(ApprovalRow).where(ApprovalRow.state == ApprovalState.PENDING.value, ApprovalRow.expires_at <= now)
    return tuple(row.value() for row in await session.scalars(query))


async def interrupted_approvals(session: AsyncSession, now: datetime) -> tuple[Approval, ...]:
    """Return the executing ones whose owner has gone silent."""
    executing = ApprovalRow.state == ApprovalState.EXECUTING.value
    query = select(ApprovalRow).where(executing, _is_silent(now))
    return tuple(row.value() for row in await session.scalars(query))


def _is_silent(now: datetime) -> ColumnElement[bool]:
    return is_over(ApprovalRow.lease_until, now, now + LONGEST_HOLD)


def _at(approval_id: str, state: ApprovalState) -> tuple[ColumnElement[bool], ...]:
    return (ApprovalRow.id == approval_id, ApprovalRow.state == state.value)


def _changed(result: Any) -> bool:
    """Return whether a conditional update hit its one row."""
    return isinstance(result, CursorResult) and result.rowcount == 1
