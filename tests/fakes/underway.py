"""Deliveries that are on their way by themselves: started, counted, waited for, given up."""

import asyncio
from collections.abc import Awaitable


class Underway:
    """The tasks of one platform's deliveries."""

    def __init__(self) -> None:
        self._running: set[asyncio.Future[None]] = set()

    def start(self, work: Awaitable[None]) -> None:
        """Let a delivery begin."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def waiting(self) -> int:
        """Return how many events are not delivered for good yet, those between two retries among them."""
        return len(self._running)

    async def settled(self, *, within_s: float = 30.0) -> None:
        """Return when no event waits for anything any more; TimeoutError after real seconds."""
        async with asyncio.timeout(within_s):
            while self._running:
                await asyncio.wait(self._running)

    async def close(self) -> None:
        """Give up every event that still waits."""
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
