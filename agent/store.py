"""All SQL of `agent`: runs with their steps and evidence, approvals, thread memory. Rows never leave."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, CursorResult, Select, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from agent.answer import Outcome
from agent.approval import Approval, ApprovalState
from agent.context import Recollection, Turn
from agent.evidence import Evidence
from agent.run import Feedback, Run, RunState, Step, Usage
from agent.tables import ApprovalRow, EvidenceRow, MemoryRow, RunRow, StepRow
from storage.ids import JsonObject


async def add_run(session: AsyncSession, run: Run) -> None:
    """Write a run that begins."""
    session.add(RunRow.of(run))
    await session.flush()


async def close_run(
    session: AsyncSession,
    run_id: str,
    *,
    state: RunState,
    outcome: Outcome,
    answer: JsonObject,
    brain: str,
    prompt: str,
    usage: Usage,
    timings_ms: Mapping[str, float],
    at: datetime,
) -> bool:
    """End a run that is still running; return False when somebody ended it before."""
    done = await session.execute(
        update(RunRow)
        .where(RunRow.id == run_id, RunRow.state == RunState.RUNNING.value)
        .values(
            state=state.value,
            outcome=outcome.value,
            answer=answer,
            brain=brain,
            prompt=prompt,
            usage=vars(usage),
            timings=dict(timings_ms),
            finished_at=at,
        )
    )
    return _changed(done)


async def next_number(session: AsyncSession, run_id: str) -> int | None:
    """Return the number of the next step; None when the run is not kept any more."""
    if await session.get(RunRow, run_id) is None:
        return None
    highest: int | None = await session.scalar(select(func.max(StepRow.number)).where(StepRow.run_id == run_id))
    return 1 if highest is None else highest + 1


async def add_step(session: AsyncSession, run_id: str, step: Step) -> None:
    """Append a step."""
    session.add(StepRow.of(run_id, step))
    await session.flush()


async def add_evidence(session: AsyncSession, run_id: str, items: Sequence[Evidence], *, step_id: str) -> None:
    """Add the items that the run has not seen yet; a passage found twice keeps its first row."""
    known = set(await session.scalars(select(EvidenceRow.evidence_id).where(EvidenceRow.run_id == run_id)))
    for item in items:
        if item.evidence_id in known:
            continue
        known.add(item.evidence_id)
        session.add(EvidenceRow.of(run_id, item, step_id=step_id))
    await session.flush()


async def read_run(session: AsyncSession, run_id: str) -> Run | None:
    """Return a run with its steps and evidence."""
    row = await session.get(RunRow, run_id)
    if row is None:
        return None
    steps = await session.scalars(select(StepRow).where(StepRow.run_id == run_id).order_by(StepRow.number))
    items = await session.scalars(select(EvidenceRow).where(EvidenceRow.run_id == run_id))
    evidence = sorted((item.value() for item in items), key=lambda item: int(item.evidence_id[1:]))
    return replace(row.value(), steps=tuple(step.value() for step in steps), evidence=tuple(evidence))


async def list_runs(
    session: AsyncSession, *, actor_id: str | None, outcome: Outcome | None, before: datetime | None, limit: int
) -> tuple[Run, ...]:
    """Return runs without steps, newest first."""
    query = select(RunRow).order_by(RunRow.started_at.desc(), RunRow.id.desc()).limit(limit)
    if actor_id is not None:
        query = query.where(RunRow.actor_id == actor_id)
    if outcome is not None:
        query = query.where(RunRow.outcome == outcome.value)
    if before is not None:
        query = query.where(RunRow.started_at < before)
    return tuple(row.value() for row in await session.scalars(query))


async def run_owner(session: AsyncSession, run_id: str) -> str | None:
    """Return whose run it is."""
    owner: str | None = await session.scalar(select(RunRow.actor_id).where(RunRow.id == run_id))
    return owner


async def set_feedback(session: AsyncSession, run_id: str, feedback: Feedback) -> None:
    """Keep the newest verdict; an empty reason does not wipe one that was given with the same verdict."""
    row = await session.get(RunRow, run_id)
    if row is None:
        return
    if feedback.reason or row.verdict != feedback.verdict:
        row.verdict_reason = feedback.reason
    row.verdict = feedback.verdict
    row.verdict_at = feedback.at
    await session.flush()


async def read_verdicts(session: AsyncSession, run_ids: Sequence[str], *, actor_id: str) -> Mapping[str, str]:
    """Return the verdicts that stand on these runs of one person."""
    own = select(RunRow.id, RunRow.verdict).where(RunRow.id.in_(run_ids), RunRow.actor_id == actor_id)
    return {run_id: verdict for run_id, verdict in await session.execute(own) if verdict}


async def running_before(session: AsyncSession, at: datetime) -> tuple[str, ...]:
    """Return the runs that began before an instant and have not ended."""
    query = select(RunRow.id).where(RunRow.state == RunState.RUNNING.value, RunRow.started_at < at)
    return tuple(await session.scalars(query))


async def delete_runs(session: AsyncSession, *, before: datetime, keep: int) -> int:
    """Delete runs older than an instant, and those beyond the newest `keep` of each person."""
    place = func.row_number().over(partition_by=RunRow.actor_id, order_by=(RunRow.started_at.desc(), RunRow.id.desc()))
    ranked = select(RunRow.id, place.label("place")).subquery()
    beyond = select(ranked.c.id).where(ranked.c.place > keep)
    doomed = list(await session.scalars(select(RunRow.id).where((RunRow.started_at < before) | RunRow.id.in_(beyond))))
    for table in (StepRow, EvidenceRow):
        await session.execute(delete(table).where(table.run_id.in_(doomed)))
    await session.execute(delete(RunRow).where(RunRow.id.in_(doomed)))
    return len(doomed)


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
        .where(*_at(approval_id, ApprovalState.EXECUTING), ApprovalRow.lease_until <= now)
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


async def overdue_approvals(session: AsyncSession, now: datetime) -> tuple[Approval, ...]:
    """Return the pending ones past their time."""
    query = select(ApprovalRow).where(ApprovalRow.state == ApprovalState.PENDING.value, ApprovalRow.expires_at <= now)
    return tuple(row.value() for row in await session.scalars(query))


async def interrupted_approvals(session: AsyncSession, now: datetime) -> tuple[Approval, ...]:
    """Return the executing ones whose owner has gone silent."""
    executing = ApprovalRow.state == ApprovalState.EXECUTING.value
    query = select(ApprovalRow).where(executing, ApprovalRow.lease_until <= now)
    return tuple(row.value() for row in await session.scalars(query))


async def read_memory(session: AsyncSession, *, thread: str, actor_id: str) -> Recollection:
    """Return what a thread remembers for a person; empty when nothing."""
    row = await session.get(MemoryRow, (thread, actor_id))
    if row is None:
        return Recollection()
    return Recollection(turns=tuple(Turn(**turn) for turn in row.turns), last=dict(row.last))


async def write_memory(
    session: AsyncSession, memory: Recollection, *, thread: str, actor_id: str, at: datetime
) -> None:
    """Replace what a thread remembers for a person."""
    row = await session.get(MemoryRow, (thread, actor_id))
    if row is None:
        row = MemoryRow(thread=thread, actor_id=actor_id)
        session.add(row)
    row.turns = [vars(turn) for turn in memory.turns]
    row.last = dict(memory.last)
    row.updated_at = at
    await session.flush()


async def delete_memory(session: AsyncSession, *, before: datetime) -> int:
    """Forget threads that were quiet since an instant."""
    done = await session.execute(delete(MemoryRow).where(MemoryRow.updated_at < before))
    return done.rowcount if isinstance(done, CursorResult) else 0


def _at(approval_id: str, state: ApprovalState) -> tuple[ColumnElement[bool], ...]:
    return (ApprovalRow.id == approval_id, ApprovalRow.state == state.value)


def _changed(result: Any) -> bool:
    """Return whether a conditional update hit its one row."""
    return isinstance(result, CursorResult) and result.rowcount == 1
