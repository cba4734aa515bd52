"""Waiting for a condition that nobody tells of."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


async def until(condition: Callable[[], Found], *, within_s: float = 10.0) -> Found:
    """Return the first true value of `condition`; TimeoutError after real seconds."""
    async with asyncio.timeout(within_s):
        while True:
            found = condition()
            if found:
                return found
            await asyncio.sleep(0.002)
