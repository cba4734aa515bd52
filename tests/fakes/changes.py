"""How a fake tells of what happens in it: listeners that are called at once, and waiting for a condition."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Kind = TypeVar("Kind", bound=str)
Found = TypeVar("Found")


@dataclass(frozen=True)
class Change(Generic[Kind]):
    """Something that happened, and the record that it happened to."""

    kind: Kind
    subject: Any


class Changes(Generic[Kind]):
    """What a platform's state is built on, so that tests and pages learn of every change."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Change[Kind]], None]] = []

    def on_change(self, listener: Callable[[Change[Kind]], None]) -> Callable[[], None]:
        """Call `listener` at once with every change; return what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def changed(self, kind: Kind, subject: object) -> None:
        """Tell every listener what happened."""
        change = Change(kind, subject)
        for listener in tuple(self._listeners):
            listener(change)

    async def until(self, condition: Callable[[], Found], *, within_s: float = 10.0) -> Found:
        """Return the first true value of `condition`, asked after every change; TimeoutError after real seconds."""
        happened = asyncio.Event()
        end = self.on_change(lambda _: happened.set())
        try:
            async with asyncio.timeout(within_s):
                while not (found := condition()):
                    await happened.wait()
                    happened.clear()
                return found
        finally:
            end()
