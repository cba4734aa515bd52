"""Trouble that a test switches on: refusals, silence, slowness and lost answers, all in the platform's time."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from storage.clock import Clock

#: 503, a connection that is cut before an answer, or nobody who listens at all.
Outage = Literal["unavailable", "unreachable", "refused"]


@dataclass
class Faults:
    """The switches; each counts from the moment it is thrown."""

    clock: Clock
    #: What stops listening, set by the server.
    on_refused: Callable[[], None] | None = None
    _storm_until: float = -math.inf
    _down_until: float = -math.inf
    _outage: Outage = "unavailable"
    _slow: dict[str, float] = field(default_factory=dict)
    _lost: dict[str, int] = field(default_factory=dict)

    def storm(self, seconds: float) -> None:
        """Answer every call with 429 for that long."""
        self._storm_until = self.clock.monotonic() + seconds

    def down(self, seconds: float, *, kind: Outage = "unavailable") -> None:
        """Answer 503 (`unavailable`), cut every call (`unreachable`) or not even listen (`refused`) for that long."""
        self._down_until = self.clock.monotonic() + seconds
        self._outage = kind
        if kind == "refused" and self.on_refused is not None:
            self.on_refused()

    def slow(self, method: str, seconds: float) -> None:
        """Hold each answer of a method ("*": of all) for that long; 0 ends it."""
        self._slow[method] = seconds

    def lose_answer(self, method: str, times: int = 1) -> None:
        """Carry out the next calls of a method and cut the connection instead of answering."""
        self._lost[method] = times

    def calm(self) -> None:
        """Switch everything off."""
        self._storm_until = self._down_until = -math.inf
        self._slow.clear()
        self._lost.clear()

    def storm_left(self) -> float:
        """Return the seconds that the storm still lasts, 0 without one."""
        return max(0.0, self._storm_until - self.clock.monotonic())

    def outage(self) -> Outage | None:
        """Return how the platform is down now, None when it is up."""
        return self._outage if self.clock.monotonic() < self._down_until else None

    def delay(self, method: str) -> float:
        """Return the seconds by which the answer is held."""
        return self._slow.get(method, self._slow.get("*", 0.0))

    def takes_answer(self, method: str) -> bool:
        """Return whether this answer gets lost, and count it."""
        left = self._lost.get(method, 0)
        if left:
            self._lost[method] = left - 1
        return left > 0
