"""People first: what nobody waits for lets them go ahead who wait for an answer of this process."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from storage.database import UNHURRIED

#: Seconds between two looks whether people still wait, and for which one thing lets them go first in all.
LOOK_S: Final = 0.01
GIVES_WAY_S: Final = 2.0
#: The seconds that are left to what is done in this task, where nobody waits for it.
_LEFT: ContextVar[list[float] | None] = ContextVar("left", default=None)


class Precedence:
    """Tells whether anybody waits for an answer, and waits for it."""

    def __init__(self, is_asked: Callable[[], bool] = lambda: False) -> None:
        self._is_asked = is_asked

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """Say that nobody waits for what is done inside: it lets others go first before each transaction."""
        before, was = _LEFT.set([GIVES_WAY_S]), UNHURRIED.set(True)
        try:
            yield
        finally:
            _LEFT.reset(before)
            UNHURRIED.reset(was)

    async def step(self) -> None:
        """Let others go first, where nobody waits for what is done here."""
        if (left := _LEFT.get()) is not None:
            await self._wait(left)

    async def give_way(self) -> None:
        """Return when nobody waits for an answer any more, or after two seconds."""
        await self._wait([GIVES_WAY_S])

    async def _wait(self, left: list[float]) -> None:
        while left[0] > 0 and self._is_asked():
            await asyncio.sleep(LOOK_S)
            left[0] -= LOOK_S
