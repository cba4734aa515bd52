"""The rows of the outbox: what is due, who holds it, and how it ended."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from sqlalchemy import Select, Update, case, literal, or_, select
from sqlalchemy.orm import aliased

from storage.ids import JsonObject
from storage.tables import OutboxTable

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
PENDING = literal("pending", literal_execute=True)  # written out: SQLite uses a partial index for nothing else
#: Mark of a holder that had one message only. When it dies, the message may be the reason; of many, none is blamed.
ALONE = "alone:"
DIED = case((OutboxTable.lease_owner.startswith(ALONE), 1), else_=0)


@dataclass(frozen=True)
class OutboxMessage:
    """A promised side effect; `key` is the same for every attempt."""

    id: str
    key: str
    topic: str
    payload: JsonObject
    attempt: int
    order: str


@dataclass(frozen=True)
class Claimed:
    """A message that is leased, and how often it failed so far."""

    sequence: int
    failures: int
    message: OutboxMessage


@dataclass(frozen=True)
class Outcome:
    """How one attempt ended."""

    sequence: int
    state: Literal["sent", "pending", "dead"]
    failures: int = 0
    retry_in_s: float = 0.0
    error: str | None = None


def due(now: datetime, *, topics: list[str], limit: int) -> Select[OutboxTable]:
    """Select what may be handled now: the first open message of each line, and what stands in no line."""
    earlier = aliased(OutboxTable)
    behind = (
        select(earlier.sequence)
        .where(earlier.line == OutboxTable.line, earlier.sequence < OutboxTable.sequence, earlier.state == PENDING)
        .exists()
    )
    return (
        select(OutboxTable)
        .where(
            OutboxTable.state == PENDING,
            OutboxTable.not_before <= now,
            or_(OutboxTable.lease_until.is_(None), OutboxTable.lease_until <= now),
            OutboxTable.topic.in_(topics),
            or_(OutboxTable.line == "", ~behind),
        )
        .order_by(OutboxTable.priority, OutboxTable.sequence)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )


def claimed_from(row: OutboxTable) -> Claimed:
    """Return what is to be handled; a death alone with it counts as a failure."""
    message = OutboxMessage(
        id=row.id, key=row.key, topic=row.topic, payload=row.payload, attempt=row.attempt + 1, order=row.line
    )
    died = row.lease_owner is not None and row.lease_owner.startswith(ALONE)
    return Claimed(sequence=row.sequence, failures=row.failures + died, message=message)


def unsent(mine: Update, outcome: Outcome, *, now: datetime) -> Update:
    """Write down that a message waits for its next attempt, or is given up."""
    return mine.where(OutboxTable.sequence == outcome.sequence).values(
        state=outcome.state,
        failures=outcome.failures,
        not_before=now + timedelta(seconds=outcome.retry_in_s),
        finished_at=now if outcome.state == "dead" else None,
        lease_owner=None,
        lease_until=None,
        error=outcome.error,
    )
