"""An event loop whose time passes only when nothing is left to do: waiting takes no time of the machine.

What depends on time (time limits, pauses between tries) comes out the same on a busy machine. While a thread works
for the loop, its time stands still.
"""

import asyncio
import selectors
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack, cast

ResultT = TypeVar("ResultT")
ArgumentTs = TypeVarTuple("ArgumentTs")


class _Jumping(selectors.DefaultSelector):
    """Waits for input without time; where there is none, lets the loop's time pass."""

    passed: float = 0.0
    working: int = 0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None or timeout <= 0 or self.working:
            return cast("list[Any]", super().select(timeout if timeout is None or timeout <= 0 else 0.01))
        found = super().select(0)
        self.passed += 0.0 if found else timeout
        return cast("list[Any]", found)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Use it as `asyncio.run(..., loop_factory=VirtualLoop)`; `time()` begins at 0."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.passed

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[ArgumentTs]], ResultT], *args: *ArgumentTs
    ) -> asyncio.Future[ResultT]:
        self._jumping.working += 1
        done = super().run_in_executor(executor, func, *args)
        done.add_done_callback(self._worked)
        return done

    def _worked(self, _done: object) -> None:
        self._jumping.working -= 1
