"""A clock that jumps to the next moment that somebody waits for: hours of waiting are a test of milliseconds."""

import asyncio
import heapq
import itertools
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from typing import TypeVar

T = TypeVar("T")
START = datetime(2026, 1, 1, tzinfo=UTC)
#: How often others get a turn before the clock moves; longer chains of ready tasks are not in these tests.
TURNS = 20


class VirtualClock:
    """Sleepers are woken in the order of their times; the clock stands still while anybody can go on."""

    def __init__(self) -> None:
        self.elapsed_s = 0.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    def now(self) -> datetime:
        return START + timedelta(seconds=self.elapsed_s)

    def monotonic(self) -> float:
        return self.elapsed_s

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self.elapsed_s + max(0.0, seconds), next(self._numbers), woken))
        await woken

    async def run(self, work: Awaitable[T]) -> T:
        """Return what `work` gives, moving the clock whenever everybody waits for it."""
        task = asyncio.ensure_future(work)
        while not task.done():
            for _ in range(TURNS):
                await asyncio.sleep(0)
            if not task.done() and self._sleepers:
                at, _, woken = heapq.heappop(self._sleepers)
                if not woken.done():
                    self.elapsed_s = max(self.elapsed_s, at)
                    woken.set_result(None)
        return task.result()
