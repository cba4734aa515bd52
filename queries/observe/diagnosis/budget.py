"""How much a run may ask for, and how it asks: within its time, so many at once, and each failure kept as a fact."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.facts.facts import UnreadSource
from queries.observe.report.report import SourceCall

_T = TypeVar("_T")


@dataclass(frozen=True)
class RunBudget:
    """The most that one run asks for."""

    steps: int = 6
    requests: int = 30
    at_once: int = 6
    timeout_s: float = 5.0
    lines_each: int = 500
    lines: int = 5_000
    objects: int = 2_500


class RunReads:
    """The requests of one run: counted, limited, timed; what failed is kept and never raised."""

    def __init__(self, budget: RunBudget, clock: Callable[[], float] = time.monotonic) -> None:
        self._budget = budget
        self._clock = clock
        self._slots = asyncio.Semaphore(budget.at_once)
        self.left = budget.requests
        self.unread: list[UnreadSource] = []
        self.calls: list[SourceCall] = []

    async def step(self, name: str, reads: list[Awaitable[None]]) -> None:
        """Run the reads of one step together, and keep how it went."""
        began, before = self._clock(), len(self.unread)
        if len(self.calls) >= self._budget.steps:
            for each in reads:
                if asyncio.iscoroutine(each):
                    each.close()
            return
        await asyncio.gather(*reads)
        failed = self.unread[before:]
        error = failed[0].error.kind if failed and len(failed) >= len(reads) else None
        latency = int((self._clock() - began) * 1000)
        self.calls.append(
            SourceCall(name, not failed, len(reads), latency, error or (failed[0].error.kind if failed else None))
        )

    async def one(self, what: str, source: str, request: str, read: Callable[[], Awaitable[_T]]) -> _T | None:
        """Return what one request gives, or None; the failure is kept under its source."""
        if self.left <= 0:
            self._fail(what, source, ReadFailed(FailureKind.OVER_BUDGET, request))
            return None
        self.left -= 1
        async with self._slots:
            try:
                return await asyncio.wait_for(read(), self._budget.timeout_s)
            except ReadFailed as failed:
                self._fail(what, source, failed)
            except TimeoutError:
                self._fail(what, source, ReadFailed(FailureKind.TIMED_OUT, request))
        return None

    def _fail(self, what: str, source: str, error: ReadFailed) -> None:
        self.unread.append(UnreadSource(what, source, error))
