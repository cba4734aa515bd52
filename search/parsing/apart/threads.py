"""Threads of their own for work that takes long: whoever waits for a short piece of work never stands behind it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

GivenP = ParamSpec("GivenP")
ResultT = TypeVar("ResultT")


class LongWork:
    """As `asyncio.to_thread`, on so many threads of its own; they begin with the first work."""

    def __init__(self, name: str, *, threads: int = 1) -> None:
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)

    async def run(self, work: Callable[GivenP, ResultT], *given: GivenP.args, **named: GivenP.kwargs) -> ResultT:
        """Return what the work returns; it waits while all threads are busy."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: work(*given, **named))

    def close(self) -> None:
        """Let the threads end with what they are doing."""
        self._threads.shutdown(wait=False, cancel_futures=True)
