"""Teams' rate limits: so many operations of a bot in one conversation, and of an app in all of a tenant."""

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from storage.clock import Clock

Scenario = Literal["send", "create", "members"]
#: Seconds → the most operations in any such span.
SPANS: dict[Scenario, dict[float, int]] = {
    "send": {1.0: 7, 2.0: 8, 30.0: 60, 3600.0: 1800},
    "create": {1.0: 7, 2.0: 8, 30.0: 60, 3600.0: 1800},
    "members": {1.0: 14, 2.0: 16, 30.0: 120, 3600.0: 3600},
}
#: Of one app in one tenant, over everything.
APP_SPANS = {1.0: 30}
#: What a span may be shorter than itself by: a clock that counts in floating point.
SLACK_S = 1e-6


@dataclass
class Windows:
    """The instants of what was taken, and how many any span may hold."""

    spans: dict[float, int]
    _taken: deque[float] = field(default_factory=deque)

    def wait(self, now: float) -> float:
        """Return the seconds until one more may be taken, 0 when it may be now."""
        longest = max(self.spans)
        while self._taken and now - self._taken[0] >= longest - SLACK_S:
            self._taken.popleft()
        return max((self._wait(now, span, most) for span, most in self.spans.items()), default=0.0)

    def take(self, now: float) -> None:
        """Count one."""
        self._taken.append(now)

    def _wait(self, now: float, span: float, most: int) -> float:
        if len(self._taken) < most:
            return 0.0
        left = self._taken[-most] + span - now
        return left if left > SLACK_S else 0.0


@dataclass
class Rates:
    """The windows of one app; `enforced` False lets everything through."""

    clock: Clock
    enforced: bool = True
    #: How often somebody was refused.
    refused: int = 0
    _windows: dict[tuple[str, str], Windows] = field(default_factory=dict)

    def take(self, scenario: Scenario, place: str) -> int | None:
        """Spend one operation; return None, or the whole seconds for `Retry-After` when there was none to spend."""
        if not self.enforced:
            return None
        now = self.clock.monotonic()
        wanted = [self._window(scenario, place, SPANS[scenario]), self._window("app", "", APP_SPANS)]
        wait = max(window.wait(now) for window in wanted)
        if wait:
            self.refused += 1
            return max(1, math.ceil(wait))
        for window in wanted:
            window.take(now)
        return None

    def _window(self, scenario: str, place: str, spans: dict[float, int]) -> Windows:
        return self._windows.setdefault((scenario, place), Windows(spans))
