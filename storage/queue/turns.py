"""Whose turn it is: of some topics, one process at a time works off what nobody waits for.

It alone knows what it sent within the last minute, and keeps what is due at once in order. Where it dies, its turn ends
with its lease. Who is waited for waits for no turn.
"""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Update, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from storage.clock import LONGEST_HOLD
from storage.queue import leases
from storage.queue.leases import Lease
from storage.queue.rows import AT_ONCE, database_time
from storage.queue.tables import QueueTable
from storage.tables import LeaseTable

_PREFIX = "turn:"


class TopicTurns:
    """The turns of one worker."""

    def __init__(self, worker: str, lease_s: float) -> None:
        self._worker = worker
        self._lease_s = lease_s
        self._held: dict[str, Lease] = {}
        self._used: set[str] = set()  # since the leases were renewed
        self._fresh: set[str] = set()  # taken in the transaction that is open or was last

    @property
    def held(self) -> Collection[str]:
        """Return the topics whose turn it has."""
        return self._held.keys()

    def nobody_else_has(self, topics: Collection[str]) -> ColumnElement[bool]:
        """Return the condition that an item is waited for, needs no turn, or that no other worker has its turn."""
        now, latest = database_time(), database_time(LONGEST_HOLD.total_seconds())
        elsewhere = select(LeaseTable.name).where(
            LeaseTable.name == literal(_PREFIX) + QueueTable.topic,
            LeaseTable.owner != self._worker,
            LeaseTable.until > now,
            LeaseTable.until <= latest,
        )
        return or_(QueueTable.priority <= 0, QueueTable.topic.not_in(sorted(topics)), ~elsewhere.exists())

    async def take(self, session: AsyncSession, topics: Collection[str]) -> frozenset[str]:
        """Take the turns of these topics with what is claimed; return those that another worker took first."""
        self._fresh = set(topics) - self._held.keys()
        for topic in sorted(self._fresh):
            name = f"{_PREFIX}{topic}"
            lease = await leases.acquire(session, name=name, owner=self._worker, ttl_s=self._lease_s)
            if lease is not None:
                self._held[topic] = lease
        self._used |= {*topics} & self._held.keys()
        return frozenset(topics) - self._held.keys()

    async def keep(self, session: AsyncSession, in_hand: Collection[str]) -> None:
        """Renew the turns that were used since, or of which something is in hand, and give up the others."""
        used, self._used = self._used | {*in_hand}, set()
        for topic, lease in tuple(self._held.items()):
            kept = await leases.renew(session, lease, self._lease_s) if topic in used else None
            if kept is None:
                await leases.release(session, self._held.pop(topic))
            else:
                self._held[topic] = kept

    async def give_up(self, session: AsyncSession) -> None:
        """Leave every turn to the next worker."""
        self._used.clear()
        await self.keep(session, ())

    def forget_fresh(self) -> None:
        """Forget those that were taken in a transaction which was not committed."""
        for topic in self._fresh:
            self._held.pop(topic, None)


def left_by_the_dead() -> Update:
    """End every turn, where no other process can be at work."""
    return update(LeaseTable).where(LeaseTable.name.startswith(_PREFIX)).values(until=AT_ONCE)
