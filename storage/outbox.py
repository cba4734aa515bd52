"""Side effects that survive a crash: written in the transaction, carried out after its commit.

Delivery is at least once: a handler may see a message again with a higher `attempt`, and tells by the `key` whether
the first time came through. No message is lost; after too many failures it is kept as dead, and logged.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from sqlalchemy import Select, Update, case, delete, literal, or_, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from storage.clock import Clock
from storage.conflicts import changed_rows, insert_new
from storage.database import Database, announce
from storage.ids import JsonObject, new_id
from storage.redaction import redact
from storage.tables import OutboxTable

log = logging.getLogger(__name__)

#: Messages that one drain takes at most; they are handled side by side.
BATCH = 16
#: Seconds until the second attempt, and at most between two.
FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 300.0
#: Seconds after which a waiting drain looks for messages that another process wrote.
POLL_S = 1.0

AT_ONCE = datetime(1970, 1, 1, tzinfo=UTC)
PENDING = literal("pending", literal_execute=True)  # written out: SQLite uses a partial index for nothing else
#: Mark of a holder that had one message only. When it dies, the message may be the reason; of many, none is blamed.
ALONE = "alone:"
DIED = case((OutboxTable.lease_owner.startswith(ALONE), 1), else_=0)
LONGEST_ERROR = 500


@dataclass(frozen=True)
class OutboxMessage:
    """A promised side effect; `key` is the same for every attempt."""

    id: str
    key: str
    topic: str
    payload: JsonObject
    attempt: int
    order: str


class RetryLater(Exception):
    """The other side asks to come back in that many seconds; it does not count as a failure."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"come back in {seconds} s")
        self.seconds = seconds


Handler = Callable[[OutboxMessage], Awaitable[None]]


@dataclass(frozen=True)
class _Claimed:
    sequence: int
    failures: int
    message: OutboxMessage


@dataclass(frozen=True)
class _Outcome:
    sequence: int
    state: Literal["sent", "pending", "dead"]
    failures: int = 0
    retry_in_s: float = 0.0
    error: str | None = None


async def enqueue(
    session: AsyncSession,
    *,
    topic: str,
    payload: JsonObject,
    key: str,
    order: str = "",
    not_before: datetime | None = None,
) -> bool:
    """Promise a side effect with this transaction; False when the key was promised before.

    Messages of the same non-empty `order` are handled strictly one after the other.
    """
    announce(session, "outbox")
    values = {
        "id": new_id("msg"),
        "key": key,
        "topic": topic,
        "line": order,
        "payload": dict(payload),
        "state": "pending",
        "attempt": 0,
        "failures": 0,
        "not_before": not_before or AT_ONCE,
    }
    return await insert_new(session, OutboxTable, values)


async def prune(session: AsyncSession, *, before: datetime) -> int:
    """Delete what was sent before that instant, and with it the memory of its key; return how many."""
    statement = delete(OutboxTable).where(OutboxTable.state == "sent", OutboxTable.finished_at < before)
    return await changed_rows(session, statement)


class Outbox:
    """Carries out what was enqueued; any number of them, in any number of processes, share the work.

    A handler gets half the lease; then it is stopped and tried again, so that two never work on one message.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        handlers: Mapping[str, Handler],
        owner: str,
        lease_s: float = 60,
        max_attempts: int = 8,
    ) -> None:
        self._database = database
        self._clock = clock
        self._handlers = handlers
        self._owner = owner
        self._lease_s = lease_s
        self._max_attempts = max_attempts
        self._awake = asyncio.Event()
        self._jitter = random.Random()  # noqa: S311 - spreads retries, keeps no secret
        database.listen("outbox", self.wake)

    def wake(self) -> None:
        """Have `run` look at once; commits of this process do so by themselves."""
        self._awake.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Drain until told to stop; what is being handled then is finished first."""
        stopped = asyncio.create_task(stop.wait())
        try:
            while not stop.is_set():
                self._awake.clear()
                if await self._drain_or_log() == 0:
                    await self._pause(stopped)
        finally:
            stopped.cancel()

    async def drain_once(self) -> int:
        """Handle one batch of what is due and return how many messages that were, well or badly."""
        token = new_id(self._owner)  # a new one each time: what comes of a batch is only taken from its holder
        token, batch = await self._claim(token)
        tasks = {asyncio.create_task(self._handle(claimed)): claimed for claimed in batch}
        waiting = set(tasks)
        try:
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                await self._settle(token, [self._outcome(task, tasks[task]) for task in done])
        finally:
            for task in waiting:
                task.cancel()
        return len(batch)

    async def recover(self) -> int:
        """Take back every lease, for a start when no other process can be at work; return how many there were."""
        statement = update(OutboxTable).where(OutboxTable.state == PENDING, OutboxTable.lease_owner.is_not(None))
        async with self._database.transaction() as session:
            return await changed_rows(session, statement.values(lease_until=AT_ONCE))

    async def _drain_or_log(self) -> int:
        try:
            return await self.drain_once()
        except SQLAlchemyError:
            log.exception("the outbox cannot reach its database; trying again")
            return 0

    async def _pause(self, stopped: "asyncio.Task[Literal[True]]") -> None:
        awake = asyncio.create_task(self._awake.wait())
        await asyncio.wait({awake, stopped}, timeout=POLL_S, return_when=asyncio.FIRST_COMPLETED)
        awake.cancel()

    async def _claim(self, token: str) -> tuple[str, list[_Claimed]]:
        """Lease a batch; a message whose last holder died is leased alone, so that only the deadly one is given up."""
        now = self._clock.now()
        async with self._database.transaction() as session:
            rows = (await session.execute(_due(now, topics=list(self._handlers)))).scalars().all()
            suspects = [row for row in rows if row.lease_owner is not None]
            batch = [_claimed(row) for row in suspects[:1] or rows]
            holder = f"{ALONE}{token}" if len(batch) == 1 else token
            statement = (
                update(OutboxTable)
                .where(OutboxTable.sequence.in_([claimed.sequence for claimed in batch]))
                .values(
                    lease_owner=holder,
                    lease_until=now + timedelta(seconds=self._lease_s),
                    attempt=OutboxTable.attempt + 1,
                    failures=OutboxTable.failures + DIED,
                )
            )
            if batch:
                await changed_rows(session, statement)
        return holder, batch

    async def _handle(self, claimed: _Claimed) -> _Outcome:
        message = claimed.message
        if claimed.failures >= self._max_attempts:
            return self._failed(claimed, failures=claimed.failures, error="whoever handled it died each time")
        try:
            async with asyncio.timeout(self._lease_s / 2):
                await self._handlers[message.topic](message)
        except RetryLater as later:
            return _Outcome(claimed.sequence, "pending", failures=claimed.failures, retry_in_s=later.seconds)
        except Exception as error:  # whatever a handler raises, the other messages go on
            log.warning("outbox: %s %s failed, attempt %d", message.topic, message.key, message.attempt, exc_info=True)
            words = redact(f"{type(error).__name__}: {error}")[:LONGEST_ERROR]
            return self._failed(claimed, failures=claimed.failures + 1, error=words)
        return _Outcome(claimed.sequence, "sent", failures=claimed.failures)

    def _outcome(self, task: asyncio.Task[_Outcome], claimed: _Claimed) -> _Outcome:
        if task.cancelled():  # by its own doing: when we are stopped, nobody asks what came of it
            return self._failed(claimed, failures=claimed.failures + 1, error="the handler cancelled itself")
        return task.result()

    def _failed(self, claimed: _Claimed, *, failures: int, error: str) -> _Outcome:
        message = claimed.message
        if failures >= self._max_attempts:
            log.error("outbox: %s %s is given up after %d failures: %s", message.topic, message.key, failures, error)
            return _Outcome(claimed.sequence, "dead", failures=failures, error=error)
        longest = min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** (failures - 1))
        wait_s = longest * self._jitter.uniform(0.5, 1)
        return _Outcome(claimed.sequence, "pending", failures=failures, retry_in_s=wait_s, error=error)

    async def _settle(self, token: str, outcomes: list[_Outcome]) -> None:
        now = self._clock.now()
        mine = update(OutboxTable).where(OutboxTable.lease_owner == token)
        sent = [outcome.sequence for outcome in outcomes if outcome.state == "sent"]
        async with self._database.transaction() as session:
            if sent:
                done = mine.where(OutboxTable.sequence.in_(sent))
                await changed_rows(
                    session, done.values(state="sent", finished_at=now, lease_owner=None, lease_until=None)
                )
            for outcome in outcomes:
                if outcome.state != "sent":
                    await changed_rows(session, _unsent(mine, outcome, now=now))


def _due(now: datetime, *, topics: list[str]) -> Select[OutboxTable]:
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
        .order_by(OutboxTable.sequence)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )


def _claimed(row: OutboxTable) -> _Claimed:
    message = OutboxMessage(
        id=row.id, key=row.key, topic=row.topic, payload=row.payload, attempt=row.attempt + 1, order=row.line
    )
    died = row.lease_owner is not None and row.lease_owner.startswith(ALONE)
    return _Claimed(sequence=row.sequence, failures=row.failures + died, message=message)


def _unsent(mine: Update, outcome: _Outcome, *, now: datetime) -> Update:
    return mine.where(OutboxTable.sequence == outcome.sequence).values(
        state=outcome.state,
        failures=outcome.failures,
        not_before=now + timedelta(seconds=outcome.retry_in_s),
        finished_at=now if outcome.state == "dead" else None,
        lease_owner=None,
        lease_until=None,
        error=outcome.error,
    )
