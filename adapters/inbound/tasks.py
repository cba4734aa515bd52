"""Waiting by the desk's clock, and what goes on after an acknowledgement."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, Generic, TypeVar

from adapters.port import ChatClock, Unavailable, Undeliverable

log = logging.getLogger(__name__)

#: Seconds that unfinished work is given when the desk stops.
CLOSE_S = 5.0

T = TypeVar("T")


async def within(clock: ChatClock, seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """Return what `work` gives; after that many seconds of the clock call it off and raise TimeoutError."""
    task, timer = asyncio.ensure_future(work), asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait([task, timer], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TimeoutError
        return task.result()
    finally:
        for each in (task, timer):
            each.cancel()
        await asyncio.gather(task, timer, return_exceptions=True)


class Afterwards:
    """Holds the tasks that begin with an acknowledgement and end after it; none is lost, none fails unseen."""

    def __init__(self, clock: ChatClock) -> None:
        self._clock = clock
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], *, what: str) -> None:
        """Begin; when it fails, the log says what could not be done."""
        task = asyncio.create_task(work, name=what)
        self._running.add(task)
        task.add_done_callback(self._done)

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Close with the block."""
        try:
            yield
        finally:
            await self.close()

    async def settled(self) -> None:
        """Return when nothing is going on."""
        while self._running:
            await asyncio.wait(tuple(self._running))

    async def close(self) -> None:
        """Wait for what is going on, a few seconds at most."""
        with contextlib.suppress(TimeoutError):
            await within(self._clock, CLOSE_S, self.settled())
        for task in tuple(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Unavailable | Undeliverable):
            log.info("%s did not come about: %s", task.get_name(), error)
        elif error is not None:
            log.error("%s did not come about", task.get_name(), exc_info=error)


class UnderWay(Generic[T]):
    """Work that goes on when nobody waits for it any more, and is found again by its name."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[T]] = {}

    async def result(self, name: str, begin: Callable[[], Coroutine[Any, Any, T]], *, within_s: float) -> T:
        """Return what the work of a name gives, begun unless it is under way; TimeoutError after real seconds."""
        if name not in self._tasks:
            task = asyncio.create_task(begin(), name=name)
            self._tasks[name] = task
            task.add_done_callback(self._done)
        async with asyncio.timeout(within_s):
            return await asyncio.shield(self._tasks[name])

    def close(self) -> None:
        """Break off what is under way."""
        for task in self._tasks.values():
            task.cancel()

    def _done(self, task: "asyncio.Task[T]") -> None:
        del self._tasks[task.get_name()]
        if not task.cancelled() and task.exception() is not None:
            log.debug("%s did not come about: %s", task.get_name(), task.exception())
