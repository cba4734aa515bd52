"""Slack's rate limits: one bucket for each method of the workspace, and for posts one for each channel too."""

import math
from dataclasses import dataclass, field
from typing import Literal

from storage.clock import Clock

Tier = Literal["T1", "T2", "T3", "T4", "special", "post"]

#: Calls a minute; all of them may come at once, then they come back one by one.
PER_MINUTE: dict[Tier, int] = {"T1": 1, "T2": 20, "T3": 50, "T4": 100, "special": 600}
#: A post: one a second for each channel with a short burst, and a limit over the whole workspace.
CHANNEL_PER_SECOND = 1.0
CHANNEL_BURST = 5
WORKSPACE_PER_MINUTE = 300


@dataclass
class Bucket:
    """`capacity` tokens at most, `rate` new ones a second; `filled_at` in monotonic seconds."""

    capacity: float
    rate: float
    filled_at: float
    tokens: float

    def fill(self, now: float) -> None:
        """Add what has grown since the last look."""
        self.tokens = min(self.capacity, self.tokens + (now - self.filled_at) * self.rate)
        self.filled_at = now

    def wait(self) -> float:
        """Return the seconds until a token is there."""
        return max(0.0, (1 - self.tokens) / self.rate)


@dataclass
class Tiers:
    """The buckets of one app in one workspace; `enforced` False lets everything through."""

    clock: Clock
    enforced: bool = True
    _buckets: dict[str, Bucket] = field(default_factory=dict)

    def take(self, method: str, tier: Tier, *, channel: str = "") -> int | None:
        """Spend one call; return None, or the whole seconds for `Retry-After` when there was none to spend."""
        if not self.enforced:
            return None
        now = self.clock.monotonic()
        buckets = list(self._wanted(method, tier, channel, now))
        for bucket in buckets:
            bucket.fill(now)
        wait = max(bucket.wait() for bucket in buckets)
        if wait > 1e-9:
            return max(1, math.ceil(wait))
        for bucket in buckets:
            bucket.tokens -= 1
        return None

    def _wanted(self, method: str, tier: Tier, channel: str, now: float) -> list[Bucket]:
        if tier == "post":
            return [
                self._bucket(f"{method}:{channel}", CHANNEL_BURST, CHANNEL_PER_SECOND, now),
                self._bucket(method, WORKSPACE_PER_MINUTE, WORKSPACE_PER_MINUTE / 60, now),
            ]
        return [self._bucket(method, PER_MINUTE[tier], PER_MINUTE[tier] / 60, now)]

    def _bucket(self, name: str, capacity: float, rate: float, now: float) -> Bucket:
        return self._buckets.setdefault(name, Bucket(capacity, rate, now, capacity))
