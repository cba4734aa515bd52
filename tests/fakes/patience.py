"""How long a platform waits for an app."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from storage.clock import Clock

T = TypeVar("T")


async def within(clock: Clock, seconds: float, work: Coroutine[Any, Any, T]) -> T | None:
    """Return what `work` gives, or None when the clock ran over the time first; `work` is then called off."""
    task, timer = asyncio.ensure_future(work), asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({task, timer}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for each in (task, timer):
            each.cancel()
        await asyncio.gather(task, timer, return_exceptions=True)
