"""The rows of the queue: what is due, who holds it, and how it ended."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, Update, case, func, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import aliased
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from storage.clock import LONGEST_HOLD
from storage.columns import UtcDateTime, is_over
from storage.ids import JsonObject
from storage.queue.holders import ALONE, WITH_OTHERS, held_by
from storage.queue.tables import QueueTable

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
OPEN = literal("open", literal_execute=True)  # written out: SQLite uses a partial index for nothing else
DIED = case((QueueTable.lease_owner.startswith(ALONE), 1), else_=0)
_EARLIER = aliased(QueueTable)
_BEFORE = (_EARLIER.line == QueueTable.line, _EARLIER.state == OPEN, _EARLIER.sequence < QueueTable.sequence)
#: Something of the same line came before; made once, because idle workers ask several times a second.
_BEHIND = select(_EARLIER.sequence).where(*_BEFORE).exists()
#: So did something else than what nobody waits for.
_BEHIND_OTHERS = (
    select(_EARLIER.sequence).where(*_BEFORE, or_(_EARLIER.priority <= 0, _EARLIER.topic != QueueTable.topic)).exists()
)


class DatabaseTime(FunctionElement[datetime]):
    """The database's own instant, that many seconds from now: leases never depend on a replica's clock."""

    type = UtcDateTime()
    inherit_cache = True


@compiles(DatabaseTime, "sqlite")
def _sqlite_time(element: DatabaseTime, compiler: SQLCompiler, **kwargs: Any) -> str:
    seconds = compiler.process(element.clauses, **kwargs)
    return f"strftime('%Y-%m-%d %H:%M:%f', 'now', ({seconds}) || ' seconds') || '000'"


@compiles(DatabaseTime, "postgresql")
def _postgresql_time(element: DatabaseTime, compiler: SQLCompiler, **kwargs: Any) -> str:
    return f"clock_timestamp() + make_interval(secs => {compiler.process(element.clauses, **kwargs)})"


def database_time(plus_s: float = 0.0) -> DatabaseTime:
    """Return the SQL of the database's instant, that many seconds from now."""
    return DatabaseTime(literal(plus_s))


@dataclass(frozen=True)
class WorkItem:
    """What was promised; `key` is the same for every attempt."""

    id: str
    key: str
    topic: str
    line: str
    payload: JsonObject
    attempt: int
    enqueued_at: datetime


@dataclass(frozen=True)
class Claimed:
    """An item that is leased by `holder`, how often it failed so far, and how many died who held nothing else."""

    sequence: int
    holder: str
    failures: int
    item: WorkItem
    deaths: int = 0
    after_death: bool = False  # or its last holder has lost it
    priority: int = 0


@dataclass(frozen=True)
class Outcome:
    """How one attempt ended."""

    state: Literal["done", "open", "dead"]
    failures: int = 0
    retry_in_s: float = 0.0
    begun: bool = True  # False: nobody has looked at it yet, and the attempt does not count
    outcome: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class Eligible:
    """What a worker handles.

    Items of `patient` topics may wait for days; another one that would was written while the clock was ahead. In the
    line of an item of an `overtaking` topic that somebody waits for, others of that topic that nobody waits for stand
    behind it. `bounds` are further conditions.
    """

    topics: Collection[str]
    patient: Collection[str] = ()
    overtaking: Collection[str] = ()
    bounds: tuple[ColumnElement[bool], ...] = ()


def due(now: datetime, eligible: Eligible, *, limit: int, highest: int | None = None) -> Select[QueueTable]:
    """Select what may be handled now: the first open item of each line, and what stands in no line.

    No priority may be above `highest`.
    """
    bounds = () if highest is None else (QueueTable.priority <= highest,)
    return (
        select(QueueTable)
        .where(*_is_due(now, eligible), *bounds)
        .order_by(QueueTable.priority, QueueTable.sequence)
        .limit(limit)
        .with_for_update(skip_locked=True, of=QueueTable)
    )


def anything_due(now: datetime, eligible: Eligible) -> Select[int]:
    """Select one number when something may be handled now."""
    ordered = select(QueueTable.sequence).where(*_is_due(now, eligible))
    return ordered.order_by(QueueTable.priority, QueueTable.sequence).limit(1)


def _is_due(now: datetime, eligible: Eligible) -> tuple[ColumnElement[bool], ...]:
    far = QueueTable.not_before > now + LONGEST_HOLD
    first = ~_BEHIND
    if eligible.overtaking:
        overtakes = (QueueTable.priority <= 0) & QueueTable.topic.in_(sorted(eligible.overtaking))
        first = or_(first, overtakes & ~_BEHIND_OTHERS)
    return (
        QueueTable.state == OPEN,
        or_(QueueTable.not_before <= now, far & QueueTable.topic.not_in(sorted(eligible.patient))),
        or_(
            QueueTable.lease_until.is_(None),
            is_over(QueueTable.lease_until, database_time(), database_time(LONGEST_HOLD.total_seconds())),
        ),
        QueueTable.topic.in_(list(eligible.topics)),
        or_(QueueTable.line == "", first),
        *eligible.bounds,
    )


def claim(sequences: Iterable[int], *, holder: str, lease_s: float) -> Update:
    """Lease those rows, which are locked or looked at in this transaction."""
    return (
        update(QueueTable)
        .where(QueueTable.sequence.in_(list(sequences)))
        .values(
            lease_owner=holder,
            lease_until=database_time(lease_s),
            attempt=QueueTable.attempt + 1,
            failures=QueueTable.failures + DIED,
        )
    )


def claimed_from(row: QueueTable, *, holder: str, deaths: int = 0) -> Claimed:
    """Return what is to be handled; a death alone with it counts as a failure."""
    item = WorkItem(
        id=row.id,
        key=row.key,
        topic=row.topic,
        line=row.line,
        payload=row.payload,
        attempt=row.attempt + 1,
        enqueued_at=row.enqueued_at,
    )
    died = row.lease_owner is not None and row.lease_owner.startswith(ALONE)
    return Claimed(
        sequence=row.sequence,
        holder=holder,
        failures=row.failures + died,
        item=item,
        deaths=deaths,
        after_death=row.lease_owner is not None,
        priority=row.priority,
    )


async def deaths_of(session: AsyncSession, row: QueueTable, *, taken_by: str) -> int:
    """Return the deaths that count against an item which its holder left, and mark what that holder held besides."""
    if row.lease_owner is None:
        return 0
    last = held_by(row.lease_owner)
    if last.with_others or last.worker == taken_by:  # the latter has lost it, and lives
        return last.deaths
    held = select(func.count()).select_from(QueueTable).where(_is_held_by(last.worker))
    if (await session.scalar(held) or 0) == 1:
        return last.deaths + 1
    await session.execute(_mark(last.worker))
    return last.deaths


def _is_held_by(worker: str) -> ColumnElement[bool]:
    return (QueueTable.state == OPEN) & QueueTable.lease_owner.contains(f"{worker}/", autoescape=True)


def _mark(worker: str) -> Update:
    # Of a worker that lives and lost a lease, the others are its own.
    lapsed = QueueTable.lease_until <= database_time()
    marked = update(QueueTable).where(_is_held_by(worker), lapsed, ~QueueTable.lease_owner.endswith(WITH_OTHERS))
    return marked.values(lease_owner=QueueTable.lease_owner + WITH_OTHERS).execution_options(synchronize_session=False)


def renew(held: Iterable[Claimed], *, lease_s: float) -> Update:
    """Hold those for longer; the rows that come back are still held, the others are lost."""
    held = list(held)
    return (
        update(QueueTable)
        .where(
            QueueTable.sequence.in_([each.sequence for each in held]),
            QueueTable.lease_owner.in_({each.holder for each in held}),
            QueueTable.state == OPEN,
        )
        .values(lease_until=database_time(lease_s))
    )


def finished(held: Iterable[Claimed], outcome: Outcome, *, now: datetime) -> Update:
    """Write down how an attempt ended, for those of them that nobody else took over."""
    held = list(held)
    kept = update(QueueTable).where(
        QueueTable.sequence.in_([each.sequence for each in held]),
        QueueTable.lease_owner.in_({each.holder for each in held}),
        QueueTable.state == OPEN,
    )
    if outcome.state == "open":
        waits = min(timedelta(seconds=outcome.retry_in_s), LONGEST_HOLD)
        return kept.values(
            attempt=QueueTable.attempt - int(not outcome.begun),
            failures=outcome.failures,
            not_before=now + waits,
            lease_owner=None,
            lease_until=None,
            error=outcome.error,
        )
    return kept.values(
        state=outcome.state,
        finished_at=now,
        lease_owner=None,
        lease_until=None,
        outcome=outcome.outcome or outcome.state,
        failures=outcome.failures,
        error=outcome.error,
    )


def given_back(held: Iterable[Claimed]) -> Update:
    """Leave items to the next worker at once: whoever held them stops."""
    held = list(held)
    return (
        update(QueueTable)
        .where(
            QueueTable.sequence.in_([each.sequence for each in held]),
            QueueTable.lease_owner.in_({each.holder for each in held}),
        )
        .values(lease_owner=None, lease_until=None)
    )


def left_by_the_dead() -> Update:
    """Let every lease lapse, where no other process can be at work; who held an item stays known."""
    return (
        update(QueueTable)
        .where(QueueTable.state == OPEN, QueueTable.lease_owner.is_not(None))
        .values(lease_until=AT_ONCE)
    )
