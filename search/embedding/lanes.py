"""Two threads for a model: one for pages, since two runs would only fight for the same cores, and one for questions."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

ResultT = TypeVar("ResultT")

#: Up to so many texts are the work of a question, which must not wait until a batch of pages is through.
_FEW = 16


class Lanes:
    """Runs a model's work off the event loop."""

    def __init__(self) -> None:
        self._pages = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed-pages")
        self._questions = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed-question")

    async def run(self, work: Callable[[], ResultT], *, texts: int) -> ResultT:
        """Return what the work returns; `texts` says how many it reads."""
        lane = self._questions if texts <= _FEW else self._pages
        return await asyncio.get_running_loop().run_in_executor(lane, work)
