"""What was asked lately: kept for a while, and asked once however many want it at the same time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from adapters.port import ChatClock

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True)
class _Remembered(Generic[Value]):
    value: Value
    until: float


class Recent(Generic[Key, Value]):
    """At most `most` values, each for `seconds`; a failure is kept for nobody."""

    def __init__(self, clock: ChatClock, *, seconds: float, most: int = 10_000) -> None:
        self._clock = clock
        self._seconds = seconds
        self._most = most
        self._kept: OrderedDict[Key, _Remembered[Value]] = OrderedDict()
        self._asking: dict[Key, asyncio.Task[Value]] = {}

    def known(self, key: Key) -> Value | None:
        """Return a value that is still good, None when there is none."""
        kept = self._kept.get(key)
        return kept.value if kept is not None and kept.until > self._clock.monotonic() else None

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value from now on, in place of the oldest when there are too many."""
        self._kept[key] = _Remembered(value, self._clock.monotonic() + self._seconds)
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def forget(self, key: Key) -> None:
        """Ask anew the next time; what is being asked now is told to those who wait, and not kept."""
        self._kept.pop(key, None)
        self._asking.pop(key, None)

    async def get(self, key: Key, ask: Callable[[], Awaitable[Value]]) -> Value:
        """Return the value, asked for when it is not known; raise what asking raises."""
        kept = self.known(key)
        if kept is not None:
            return kept
        if key not in self._asking:
            task = asyncio.ensure_future(self._ask(ask))
            self._asking[key] = task
            task.add_done_callback(lambda done: self._settle(key, done))
        return await asyncio.shield(self._asking[key])

    async def _ask(self, ask: Callable[[], Awaitable[Value]]) -> Value:
        return await ask()

    def _settle(self, key: Key, done: "asyncio.Task[Value]") -> None:
        failed = done.cancelled() or done.exception() is not None
        if self._asking.get(key) is done:  # else it was forgotten meanwhile
            del self._asking[key]
            if not failed:
                self.keep(key, done.result())
