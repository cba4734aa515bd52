"""All SQL of runs, their steps and their evidence. Rows never leave."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, assert_never

from sqlalchemy import ColumnElement, CursorResult, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import undefer

from agent.runs.answer import Outcome
from agent.runs.run import LINKS, AskedOf, AskedOften, Feedback, Run, RunState, Step
from agent.runs.tables import EvidenceRow, RunRow, StepRow
from agent.tools.evidence import Evidence
from storage.redaction.repeated import repeats, without

#: The brain of what was typed as a command: nobody asked it in words.
COMMAND = "command"
#: How long after it was asked an answer is still judged.
_JUDGED = timedelta(days=30)


async def add_run(session: AsyncSession, run: Run, **values: Any) -> None:
    """Write a run that begins; with values that differ by now, such as those of its end, it is written with them."""
    row = RunRow.of(run)
    for name, value in values.items():
        setattr(row, name, value)
    session.add(row)
    await session.flush()


async def move_run(session: AsyncSession, run_id: str, *, waited: Run | None, **values: Any) -> bool:
    """Write a run's next state if it still stands where its worker found it; return False when it moved on.

    It was found waiting as `waited`, or running. A run that asks twice waits for the same twice, until another time.
    """
    found = RunRow.state == (RunState.RUNNING if waited is None else RunState.WAITING).value
    waits_for, waits_until = ("", None) if waited is None else (waited.waits_for, waited.waits_until)
    until = RunRow.waits_until.is_(None) if waits_until is None else RunRow.waits_until == waits_until
    here = (RunRow.id == run_id, found, RunRow.waits_for == waits_for, until)
    return _changed(await session.execute(update(RunRow).where(*here).values(**values)))


async def waiting_for(session: AsyncSession, waits_for: str) -> tuple[Run, ...]:
    """Return the runs that wait for this, with what it takes to go on, oldest first."""
    query = (
        select(RunRow)
        .options(undefer(RunRow.record))
        .where(RunRow.state == RunState.WAITING.value, RunRow.waits_for == waits_for)
        .order_by(RunRow.started_at, RunRow.id)
    )
    return tuple(replace(row.value(), record=row.record) for row in await session.scalars(query))


async def overdue(session: AsyncSession, now: datetime) -> tuple[Run, ...]:
    """Return the runs that have waited in vain."""
    query = select(RunRow).where(RunRow.state == RunState.WAITING.value, RunRow.waits_until <= now)
    return tuple(row.value() for row in await session.scalars(query))


async def next_number(session: AsyncSession, run_id: str) -> int | None:
    """Return the number of the next step; None when the run is not kept any more."""
    if await session.get(RunRow, run_id) is None:
        return None
    highest: int | None = await session.scalar(select(func.max(StepRow.number)).where(StepRow.run_id == run_id))
    return 1 if highest is None else highest + 1


async def add_steps(session: AsyncSession, run_id: str, steps: Sequence[Step]) -> None:
    """Append steps."""
    session.add_all(StepRow.of(run_id, step) for step in steps)
    await session.flush()


async def known_evidence(session: AsyncSession, run_id: str) -> set[str]:
    """Return the ids of what the run has seen."""
    return set(await session.scalars(select(EvidenceRow.evidence_id).where(EvidenceRow.run_id == run_id)))


async def add_evidence(
    session: AsyncSession, run_id: str, items: Sequence[Evidence], *, step_id: str, known: set[str]
) -> None:
    """Add the items that are not known yet, and make them known; a passage found twice keeps its first row."""
    for item in items:
        if item.evidence_id in known:
            continue
        known.add(item.evidence_id)
        session.add(EvidenceRow.of(run_id, item, step_id=step_id))
    await session.flush()


async def read_run(session: AsyncSession, run_id: str) -> Run | None:
    """Return a run with its steps and evidence."""
    row = await session.get(RunRow, run_id, options=[undefer(RunRow.record)], populate_existing=True)
    if row is None:
        return None
    steps = await session.scalars(select(StepRow).where(StepRow.run_id == run_id).order_by(StepRow.number))
    items = await session.scalars(select(EvidenceRow).where(EvidenceRow.run_id == run_id))
    evidence = sorted((item.value() for item in items), key=lambda item: int(item.evidence_id[1:]))
    return replace(
        row.value(), record=row.record, steps=tuple(step.value() for step in steps), evidence=tuple(evidence)
    )


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


async def count_asked(session: AsyncSession, kind: AskedOf, *, since: datetime) -> int:
    """Count the runs that asked something of a kind since an instant."""
    return await session.scalar(select(func.count()).select_from(RunRow).where(*_asked(kind, since))) or 0


async def asked_often(session: AsyncSession, kind: AskedOf, *, since: datetime, limit: int) -> tuple[AskedOften, ...]:
    """Return in which words something of a kind was asked since an instant, the most used first."""
    times = func.count()
    rows = await session.execute(
        select(RunRow.text, times)
        .where(*_asked(kind, since))
        .group_by(RunRow.text)
        .order_by(times.desc(), func.max(RunRow.started_at).desc())
        .limit(limit)
    )
    return tuple(AskedOften(words, count) for words, count in rows)


async def blocked_links(session: AsyncSession, *, since: datetime) -> Mapping[str, int]:
    """Return the hosts of links that were taken out of answers since an instant, with how often."""
    rows = await session.scalars(select(StepRow.returned).where(StepRow.node == LINKS, StepRow.at >= since))
    return Counter(host for returned in rows for host in returned["blocked"])


def _asked(kind: AskedOf, since: datetime) -> tuple[ColumnElement[bool], ...]:
    said = (RunRow.text != "", RunRow.brain != COMMAND)
    match kind:
        case AskedOf.UNANSWERED:
            return (*said, RunRow.started_at >= since, RunRow.outcome == Outcome.NO_EVIDENCE.value)
        case AskedOf.DISLIKED:
            # By the time of the question, too, since that is what the table is in the order of.
            return (*said, RunRow.started_at >= since - _JUDGED, RunRow.verdict == "down", RunRow.verdict_at >= since)
        case AskedOf.ANSWERED:
            quoted = exists().where(EvidenceRow.run_id == RunRow.id, EvidenceRow.type == "doc_chunk")
            return (*said, RunRow.started_at >= since, RunRow.outcome == Outcome.ANSWERED.value, quoted)
        case _:
            assert_never(kind)


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


async def runs_asked(session: AsyncSession, *, event_id: str, thread: str, aside: str) -> tuple[Run, ...]:
    """Return the runs of a message, and those that answered its words once more in a thread beginning with `aside`."""
    own = (await session.scalars(select(RunRow).where(RunRow.event_id == event_id, RunRow.thread == thread))).all()
    again = select(RunRow).where(
        RunRow.thread.startswith(aside, autoescape=True), RunRow.text.in_([row.text for row in own])
    )
    return tuple(row.value() for row in (*own, *(await session.scalars(again))))


async def erase_run(session: AsyncSession, run_id: str) -> None:
    """Take everything that was said out of a run: what is left tells that there was one, and how it ended."""
    for table in (StepRow, EvidenceRow):
        await session.execute(delete(table).where(table.run_id == run_id))
    ended = {"state": RunState.ENDED.value, "waits_for": "", "waits_until": None}
    erased = {"text": "", "answer": {}, "record": {}, "verdict_reason": ""}
    await session.execute(update(RunRow).where(RunRow.id == run_id).values(**ended, **erased))


async def erase_remembered(
    session: AsyncSession,
    asked: Collection[str],
    *,
    thread: str,
    aside: str,
    actors: Collection[str],
    since: datetime,
) -> tuple[Run, ...]:
    """Take these words out of the runs since then that remembered or repeated them; return those as they were.

    That is their steps, what they kept for later, and what they answered. What waits keeps what it needs to go on,
    without the words. The runs are those of the thread, and of the actors wherever they asked.
    """
    found = []
    place = (RunRow.thread == thread) | RunRow.thread.startswith(aside, autoescape=True) | RunRow.actor_id.in_(actors)
    query = select(RunRow).options(undefer(RunRow.record)).where(place, RunRow.started_at >= since)
    for row in await session.scalars(query):
        turns = row.record.get("origin", {}).get("memory", {}).get("turns", ())
        repeated = repeats(row.answer, asked)
        remembered = any(turn["asked"] in asked for turn in turns) or repeats(row.record, asked)
        if remembered or repeated:
            found.append(row.value())
        if repeated:
            row.answer = without(row.answer, asked)
        if remembered:
            await session.execute(delete(StepRow).where(StepRow.run_id == row.id))
            row.record = {} if row.state == RunState.ENDED.value else _without(row.record, asked)
    await session.flush()
    return tuple(found)


def _without(value: Any, words: Collection[str]) -> Any:
    """Return JSON whose texts do not hold these words; turns of a memory that began with them are left out."""
    if isinstance(value, str):
        for each in words:
            value = value.replace(each, "")
        return value
    if isinstance(value, dict):
        return {name: _without(held, words) for name, held in value.items()}
    if isinstance(value, list):
        kept = (each for each in value if not (isinstance(each, dict) and each.get("asked") in words))
        return [_without(each, words) for each in kept]
    return value


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


def _changed(result: Any) -> bool:
    """Return whether a conditional update hit its one row."""
    return isinstance(result, CursorResult) and result.rowcount == 1
