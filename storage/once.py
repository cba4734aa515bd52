"""Things that happen once: event ids, and idempotency keys with the answer that was given.

The rules of idempotency keys are Stripe's (https://docs.stripe.com/api/idempotent_requests): the same key with the
same request replays the first answer, with another request it is refused, and a failed validation is not kept.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Text, Update, cast, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from storage.clock import is_held
from storage.database import changed_rows, insert_new
from storage.ids import JsonObject
from storage.tables import EventTable, IdempotencyTable


@dataclass(frozen=True)
class Fresh:
    """It is yours to do. `retaken`: somebody began it and died, so look first how far that came."""

    fence: int
    retaken: bool = False


@dataclass(frozen=True)
class Replay:
    """It was done before; this was the answer."""

    response: JsonObject


@dataclass(frozen=True)
class Busy:
    """Somebody is at it; it is theirs until then at least."""

    until: datetime


@dataclass(frozen=True)
class Mismatch:
    """The key was used for another request."""


Begun = Fresh | Replay | Busy | Mismatch


async def claim(session: AsyncSession, *, source: str, event_id: str, now: datetime) -> bool:
    """Say whether this is the first time that the event of that source is seen."""
    return await insert_new(session, EventTable, {"source": source, "event_id": event_id, "seen_at": now})


async def begin(
    session: AsyncSession,
    *,
    scope: str,
    key: str,
    fingerprint: str,
    now: datetime,
    window_s: float,
    lease_s: float = 60,
) -> Begun:
    """Begin what the key stands for, or say what became of it; the window counts from the first begin."""
    times = {"lease_until": now + timedelta(seconds=lease_s), "expires_at": now + timedelta(seconds=window_s)}
    values = {"scope": scope, "key": key, "fingerprint": fingerprint, "state": "running", "fence": 1, **times}
    while not await insert_new(session, IdempotencyTable, values):
        row = await _locked(session, scope=scope, key=key)
        if row is None:
            continue  # it was abandoned in between: try to be the first again
        known = _judge(row, fingerprint=fingerprint, now=now)
        if known is not None:
            return known
        if row.expires_at > now:
            del times["expires_at"]  # the work is taken over, its window stays
        return await _take_over(session, row, fingerprint=fingerprint, times=times)
    return Fresh(fence=1)


async def finish(
    session: AsyncSession, *, scope: str, key: str, response: JsonObject, fence: int | None = None
) -> bool:
    """Keep the answer for whoever comes with the same key; False when somebody else has taken it over."""
    mine = _running(scope, key, fence)
    return await changed_rows(session, mine.values(state="done", response=dict(response))) == 1


async def abandon(session: AsyncSession, *, scope: str, key: str, fence: int | None = None) -> bool:
    """Forget that it was begun, so that the next one may try; what is finished stays."""
    statement = delete(IdempotencyTable).where(
        IdempotencyTable.scope == scope, IdempotencyTable.key == key, IdempotencyTable.state == "running"
    )
    if fence is not None:
        statement = statement.where(IdempotencyTable.fence == fence)
    return await changed_rows(session, statement) == 1


async def erase(session: AsyncSession, *, scope: str, mention: str) -> None:
    """Forget the answers of a scope that mention an id: what they say was taken back."""
    told = cast(IdempotencyTable.response, Text).contains(mention, autoescape=True)
    done = delete(IdempotencyTable).where(IdempotencyTable.scope == scope, IdempotencyTable.state == "done", told)
    await changed_rows(session, done)


async def prune(session: AsyncSession, *, now: datetime, events_before: datetime) -> int:
    """Delete keys whose window is over and events seen before that instant; return how many."""
    keys = delete(IdempotencyTable).where(IdempotencyTable.expires_at <= now, IdempotencyTable.lease_until <= now)
    events = delete(EventTable).where(EventTable.seen_at < events_before)
    return await changed_rows(session, keys) + await changed_rows(session, events)


async def _locked(session: AsyncSession, *, scope: str, key: str) -> IdempotencyTable | None:
    statement = (
        select(IdempotencyTable).where(IdempotencyTable.scope == scope, IdempotencyTable.key == key).with_for_update()
    )
    row = (await session.execute(statement)).scalar_one_or_none()
    if row is not None:
        session.expunge(row)  # a value from here on: later statements do not go through it
    return row


def _judge(row: IdempotencyTable, *, fingerprint: str, now: datetime) -> Replay | Busy | Mismatch | None:
    """Return what the row says about a second begin; None when the work may be taken over."""
    alive = row.state == "running" and is_held(row.lease_until, now)
    if row.expires_at <= now and not alive:
        return None
    if row.fingerprint != fingerprint:
        return Mismatch()
    if row.state == "done":
        return Replay(response=row.response or {})
    return Busy(until=row.lease_until) if alive else None


async def _take_over(
    session: AsyncSession, row: IdempotencyTable, *, fingerprint: str, times: dict[str, datetime]
) -> Fresh:
    fence = row.fence + 1
    statement = (
        update(IdempotencyTable)
        .where(IdempotencyTable.scope == row.scope, IdempotencyTable.key == row.key)
        .values(state="running", fence=fence, fingerprint=fingerprint, response=None, **times)
    )
    await changed_rows(session, statement)
    return Fresh(fence=fence, retaken=row.state == "running")


def _running(scope: str, key: str, fence: int | None) -> Update:
    statement = update(IdempotencyTable).where(
        IdempotencyTable.scope == scope, IdempotencyTable.key == key, IdempotencyTable.state == "running"
    )
    return statement if fence is None else statement.where(IdempotencyTable.fence == fence)
