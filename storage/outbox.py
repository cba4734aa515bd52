"""Side effects that survive a crash: written in the transaction, carried out after its commit.

Delivery is at least once: a handler may see a message again with a higher `attempt`, and tells by the `key` whether
the first time came through. No message is lost; after too many failures it is kept as dead, and logged.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import delete, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from storage.clock import Clock
from storage.conflicts import changed_rows, insert_new
from storage.database import Database, announce
from storage.ids import JsonObject, new_id
from storage.outbox_rows import (
    ALONE,
    AT_ONCE,
    DIED,
    PENDING,
    Claimed,
    OutboxMessage,
    Outcome,
    claimed_from,
    due,
    unsent,
)
from storage.redaction import redact
from storage.tables import OutboxTable

__all__ = ["Handler", "Hopeless", "Outbox", "OutboxMessage", "RetryLater", "enqueue", "is_waiting", "prune"]

log = logging.getLogger(__name__)

#: Messages that one drain takes at most; they are handled side by side.
BATCH = 16
#: Seconds until the second attempt, and at most between two.
FIRST_RETRY_S = 1.0
LONGEST_RETRY_S = 300.0
#: Seconds after which a waiting drain looks for messages that another process wrote.
POLL_S = 1.0

LONGEST_ERROR = 500


class Hopeless(Exception):
    """The other side will never take it: the message is kept as dead at once, with the reason."""


class RetryLater(Exception):
    """The other side asks to come back in that many seconds; it does not count as a failure."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"come back in {seconds} s")
        self.seconds = seconds


Handler = Callable[[OutboxMessage], Awaitable[None]]


async def enqueue(
    session: AsyncSession,
    *,
    topic: str,
    payload: JsonObject,
    key: str,
    order: str = "",
    priority: int = 0,
    not_before: datetime | None = None,
) -> bool:
    """Promise a side effect with this transaction; False when the key was promised before.

    Messages of the same non-empty `order` are handled strictly one after the other; of what is due, a lower
    `priority` goes first.
    """
    announce(session, "outbox")
    values = {
        "id": new_id("msg"),
        "key": key,
        "topic": topic,
        "line": order,
        "priority": priority,
        "payload": dict(payload),
        "state": "pending",
        "attempt": 0,
        "failures": 0,
        "not_before": not_before or AT_ONCE,
    }
    return await insert_new(session, OutboxTable, values)


async def is_waiting(session: AsyncSession, *, order: str) -> bool:
    """Return whether something that was promised in this order is not carried out yet."""
    waiting = select(OutboxTable.sequence).where(OutboxTable.line == order, OutboxTable.state == PENDING).limit(1)
    return await session.scalar(waiting) is not None


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
        self._handled: set[asyncio.Task[None]] = set()
        self._open = 0  # messages that are being handled by `run`
        database.listen("outbox", self.wake)

    def wake(self) -> None:
        """Have `run` look at once; commits of this process do so by themselves."""
        self._awake.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Drain until told to stop; what is being handled then is finished first.

        A slow message holds up nothing but its own line: further ones are taken while it is handled.
        """
        stopped = asyncio.create_task(stop.wait())
        try:
            while not stop.is_set():
                self._awake.clear()
                if not await self._begin_or_log():
                    await self._pause(stopped)
            await asyncio.gather(*self._handled)
        finally:
            stopped.cancel()
            for task in self._handled:
                task.cancel()

    async def drain_once(self) -> int:
        """Handle one batch of what is due and return how many messages that were, well or badly."""
        token, batch = await self._claim(BATCH)
        await self._handle_all(token, batch)
        return len(batch)

    async def _handle_all(self, token: str, batch: list[Claimed]) -> None:
        tasks = {asyncio.create_task(self._handle(claimed)): claimed for claimed in batch}
        waiting = set(tasks)
        try:
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                await self._settle(token, [self._outcome(task, tasks[task]) for task in done])
        finally:
            for task in waiting:
                task.cancel()

    async def recover(self) -> int:
        """Take back every lease, for a start when no other process can be at work; return how many there were."""
        statement = update(OutboxTable).where(OutboxTable.state == PENDING, OutboxTable.lease_owner.is_not(None))
        async with self._database.transaction() as session:
            return await changed_rows(session, statement.values(lease_until=AT_ONCE))

    async def _begin_or_log(self) -> bool:
        """Begin to handle what is due, as far as there is room; False when there was nothing to begin."""
        room = BATCH - self._open
        if room <= 0:
            return False
        try:
            token, batch = await self._claim(room)
        except SQLAlchemyError:
            log.exception("the outbox cannot reach its database; trying again")
            return False
        if not batch:
            return False
        self._open += len(batch)
        task = asyncio.create_task(self._handle_or_log(token, batch))
        self._handled.add(task)
        task.add_done_callback(self._handled.discard)
        return True

    async def _handle_or_log(self, token: str, batch: list[Claimed]) -> None:
        try:
            await self._handle_all(token, batch)
        except SQLAlchemyError:
            log.exception("the outbox cannot write down what was handled; it will be handled again")
        finally:
            self._open -= len(batch)
            self.wake()

    async def _pause(self, stopped: "asyncio.Task[Literal[True]]") -> None:
        awake = asyncio.create_task(self._awake.wait())
        await asyncio.wait({awake, stopped}, timeout=POLL_S, return_when=asyncio.FIRST_COMPLETED)
        awake.cancel()

    async def _claim(self, limit: int) -> tuple[str, list[Claimed]]:
        """Lease up to `limit`; what a holder died with is leased alone, so that only the deadly one is given up."""
        now = self._clock.now()
        token = new_id(self._owner)  # a new one each time: what comes of a batch is only taken from its holder
        async with self._database.transaction() as session:
            rows = (await session.execute(due(now, topics=list(self._handlers), limit=limit))).scalars().all()
            suspects = [row for row in rows if row.lease_owner is not None]
            batch = [claimed_from(row) for row in suspects[:1] or rows]
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

    async def _handle(self, claimed: Claimed) -> Outcome:
        message = claimed.message
        if claimed.failures >= self._max_attempts:
            return self._failed(claimed, failures=claimed.failures, error="whoever handled it died each time")
        try:
            async with asyncio.timeout(self._lease_s / 2):
                await self._handlers[message.topic](message)
        except RetryLater as later:
            return Outcome(claimed.sequence, "pending", failures=claimed.failures, retry_in_s=later.seconds)
        except Hopeless as error:
            log.error("outbox: %s %s is given up: %s", message.topic, message.key, error)  # noqa: TRY400 - the words say it all
            return Outcome(
                claimed.sequence, "dead", failures=claimed.failures + 1, error=redact(str(error))[:LONGEST_ERROR]
            )
        except Exception as error:  # whatever a handler raises, the other messages go on
            log.warning("outbox: %s %s failed, attempt %d", message.topic, message.key, message.attempt, exc_info=True)
            words = redact(f"{type(error).__name__}: {error}")[:LONGEST_ERROR]
            return self._failed(claimed, failures=claimed.failures + 1, error=words)
        return Outcome(claimed.sequence, "sent", failures=claimed.failures)

    def _outcome(self, task: asyncio.Task[Outcome], claimed: Claimed) -> Outcome:
        if task.cancelled():  # by its own doing: when we are stopped, nobody asks what came of it
            return self._failed(claimed, failures=claimed.failures + 1, error="the handler cancelled itself")
        return task.result()

    def _failed(self, claimed: Claimed, *, failures: int, error: str) -> Outcome:
        message = claimed.message
        if failures >= self._max_attempts:
            log.error("outbox: %s %s is given up after %d failures: %s", message.topic, message.key, failures, error)
            return Outcome(claimed.sequence, "dead", failures=failures, error=error)
        longest = min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** (failures - 1))
        wait_s = longest * self._jitter.uniform(0.5, 1)
        return Outcome(claimed.sequence, "pending", failures=failures, retry_in_s=wait_s, error=error)

    async def _settle(self, token: str, outcomes: list[Outcome]) -> None:
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
                    await changed_rows(session, unsent(mine, outcome, now=now))
