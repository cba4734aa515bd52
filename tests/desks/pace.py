"""A fast clock that a busy machine cannot hurry: the desk's own work takes no longer on it than in reality."""

import asyncio
import heapq
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

from sqlalchemy import event
from sqlalchemy.pool import Pool

from storage.clock import Clock

#: Real seconds between two looks at the time; when the loop's turn comes later than twice that, the loop was busy.
TICK_S = 0.002


@dataclass
class PacedClock:
    """Runs `speed` times as fast as the machine while everybody waits, and as fast as it while somebody works.

    The work is an open connection to a database, and whatever keeps the event loop from its next turn. So a durable
    write of 0.2 s is one of 0.2 s here, and not one of 12 s that the desk rightly gives up.
    """

    speed: float = 60.0
    origin: datetime = field(default_factory=lambda: datetime.now(UTC))
    _elapsed_s: float = 0.0
    _open: int = 0
    _numbers: "count[int]" = field(default_factory=count)
    _sleepers: list[tuple[float, int, "asyncio.Future[None]"]] = field(default_factory=list)

    def now(self) -> datetime:
        """Return the instant that this clock shows."""
        return self.origin + timedelta(seconds=self._elapsed_s)

    def monotonic(self) -> float:
        """Return the seconds since it was made."""
        return self._elapsed_s

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds of this clock."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._elapsed_s + seconds, next(self._numbers), woken))
        await woken

    @asynccontextmanager
    async def running(self) -> AsyncIterator["PacedClock"]:
        """Let it run for the time of the block."""
        event.listen(Pool, "checkout", self._checked_out)
        event.listen(Pool, "checkin", self._checked_in)
        ticking = asyncio.create_task(self._tick())
        try:
            yield self
        finally:
            ticking.cancel()
            event.remove(Pool, "checkout", self._checked_out)
            event.remove(Pool, "checkin", self._checked_in)

    async def _tick(self) -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(TICK_S)
            now = time.monotonic()
            waited = 0.0 if self._open else min(now - last, 2 * TICK_S)
            self._elapsed_s += waited * self.speed + (now - last - waited)
            last = now
            while self._sleepers and self._sleepers[0][0] <= self._elapsed_s:
                woken = heapq.heappop(self._sleepers)[2]
                if not woken.done():
                    woken.set_result(None)

    def _checked_out(self, *_: object) -> None:
        self._open += 1

    def _checked_in(self, *_: object) -> None:
        self._open = max(0, self._open - 1)


def running(clock: Clock) -> AbstractAsyncContextManager[Clock]:
    """Let a clock run that runs only for a while; every other one does by itself."""
    return clock.running() if isinstance(clock, PacedClock) else nullcontext(clock)
