"""How often somebody may do something: GCRA on one row per key.

A key may burst up to its limit and then goes on evenly (https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm).
The database decides who is admitted. A cache only remembers refusals: until the instant that a refusal names, every
further try is refused too and changes nothing, so it makes no difference to any answer whether the cache is there.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from storage.clock import Clock
from storage.database import Database, changed_rows, insert_new
from storage.tables import ThrottleTable


class Cache(Protocol):
    """What may be forgotten at any time; `storage.connect.RedisGateway` is one."""

    async def get(self, key: str) -> str | None:
        """Return the text under that key, or None."""
        ...

    async def put(self, key: str, value: str, *, ttl_s: float) -> bool:
        """Keep a text for so long; False when it could not be kept."""
        ...


class RefusalsRemembered:
    """A `Cache` of this process, for keys that somebody may ask for thousands of times a minute."""

    def __init__(self, clock: Clock, *, at_most: int = 10_000) -> None:
        self._clock = clock
        self._at_most = at_most
        self._kept: dict[str, tuple[str, float]] = {}

    async def get(self, key: str) -> str | None:
        """Return the text under that key until its time is over."""
        value, until = self._kept.get(key, ("", 0.0))
        return value if until > self._clock.monotonic() else None

    async def put(self, key: str, value: str, *, ttl_s: float) -> bool:
        """Keep a text for so long; of too many the first is forgotten."""
        if len(self._kept) >= self._at_most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = (value, self._clock.monotonic() + ttl_s)
        return True


@dataclass(frozen=True)
class Admission:
    """Whether it may be done now, and if not, in how many seconds."""

    allowed: bool
    retry_after_s: float = 0.0


class _SomeRefused(Exception):
    """Rolls back what was counted beside a refusal."""


class Throttle:
    """Rate limits that hold across all processes of one database."""

    def __init__(self, database: Database, clock: Clock, redis: Cache | None = None) -> None:
        self._database = database
        self._clock = clock
        self._cache = redis

    async def admit(self, key: str, *, limit: int, per_s: float, cost: int = 1) -> Admission:
        """Count `cost` more of `limit` per `per_s` seconds, or refuse and count nothing; more than the limit waits."""
        if cost > limit:
            return Admission(allowed=False, retry_after_s=per_s)
        return await self._admit({key: limit}, per_s=per_s, cost=cost)

    async def admit_all(self, limits: Mapping[str, int], *, per_s: float) -> Admission:
        """Count one more under each key (key → limit) in one transaction; a key that refuses counts nothing."""
        return await self._admit(limits, per_s=per_s, cost=1)

    async def admit_together(self, limits: Mapping[str, int], *, per_s: float, costs: Mapping[str, int]) -> Admission:
        """Count what it costs under each key (1 where `costs` has none), or nothing at all when one of them refuses."""
        now, window = self._clock.now(), timedelta(seconds=per_s)
        opens: list[datetime] = []
        with suppress(_SomeRefused):
            async with self._database.transaction() as session:
                for key, limit in limits.items():
                    cost = costs.get(key, 1)
                    took = window / limit * cost
                    until = (
                        now + window if cost > limit else await _decide(session, key, now=now, took=took, window=window)
                    )
                    opens += [until] if until else []
                if opens:
                    raise _SomeRefused  # so that the others are not counted
        wait = max(opens, default=now) - now
        return Admission(allowed=not opens, retry_after_s=wait.total_seconds())

    async def _admit(self, limits: Mapping[str, int], *, per_s: float, cost: int) -> Admission:
        now = self._clock.now()
        opens = {key: await self._remembered(_note(key, limit, per_s, cost)) for key, limit in limits.items()}
        latest = now + timedelta(seconds=per_s)  # what is remembered beyond it was written while the clock was ahead
        undecided = [key for key, until in opens.items() if until is None or not now < until <= latest]
        if undecided:
            async with self._database.transaction() as session:
                for key in undecided:
                    step = timedelta(seconds=per_s / limits[key])
                    opens[key] = await _decide(session, key, now=now, took=step * cost, window=timedelta(seconds=per_s))
        refused = {key: until for key, until in opens.items() if until is not None}
        for key in refused.keys() & set(undecided):
            await self._remember(_note(key, limits[key], per_s, cost), refused[key], now=now)
        if not refused:
            return Admission(allowed=True)
        return Admission(allowed=False, retry_after_s=(max(refused.values()) - now).total_seconds())

    async def prune(self) -> int:
        """Delete the rows of keys that are idle again; return how many."""
        async with self._database.transaction() as session:
            return await changed_rows(session, delete(ThrottleTable).where(ThrottleTable.idle_at <= self._clock.now()))

    async def _remembered(self, note: str) -> datetime | None:
        written = None if self._cache is None else await self._cache.get(note)
        try:
            return None if written is None else datetime.fromisoformat(written)
        except ValueError:  # somebody else's words under our key
            return None

    async def _remember(self, note: str, until: datetime, *, now: datetime) -> None:
        if self._cache is not None:
            await self._cache.put(note, until.isoformat(), ttl_s=(until - now).total_seconds())


async def _decide(
    session: AsyncSession, key: str, *, now: datetime, took: timedelta, window: timedelta
) -> datetime | None:
    """Return None and count the part of the window that is taken, or the instant from which it would be admitted."""
    if await insert_new(session, ThrottleTable, {"key": key, "idle_at": now + took}):
        return None
    idle_at = max(await _locked(session, key) or now, now)
    if idle_at > now + window + took:  # no admission leads there: the clock was ahead for a while
        idle_at = now
    opens_at = idle_at + took - window
    if opens_at > now:
        return opens_at
    moved = update(ThrottleTable).where(ThrottleTable.key == key).values(idle_at=idle_at + took)
    if await changed_rows(session, moved) == 0:  # pruned in between, so it was idle
        await insert_new(session, ThrottleTable, {"key": key, "idle_at": now + took})
    return None


def _note(key: str, limit: int, per_s: float, cost: int) -> str:
    return f"throttle:{limit}:{per_s}:{cost}:{key}"


async def _locked(session: AsyncSession, key: str) -> datetime | None:
    statement = select(ThrottleTable.idle_at).where(ThrottleTable.key == key).with_for_update()
    return (await session.execute(statement)).scalar_one_or_none()
