"""Time as a value that is handed in, so that tests and replays can own it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

#: Nothing is held, and nothing that is tried again waits, for longer: a row that says so was written while a clock was
#: ahead, and holds up nobody once the clock is right.
LONGEST_HOLD = timedelta(hours=6)


def is_held(until: datetime, now: datetime) -> bool:
    """Return whether what is held until an instant is held now."""
    return now < until <= now + LONGEST_HOLD


class Clock(Protocol):
    """The three questions about time; every part that waits or stamps asks them here."""

    def now(self) -> datetime:
        """Return the current instant, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that only ever grow, for measuring spans."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds of this clock."""
        ...


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """Return the current instant, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return the machine's monotonic seconds."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait that many real seconds."""
        await asyncio.sleep(seconds)


@dataclass(frozen=True)
class ScaledClock:
    """A clock that runs `speed` times as fast as the machine's; clocks of one `origin` agree across processes."""

    speed: float = 60.0
    origin: datetime = field(default_factory=lambda: datetime.now(UTC))

    def now(self) -> datetime:
        """Return the instant that a fast clock shows."""
        return self.origin + (datetime.now(UTC) - self.origin) * self.speed

    def monotonic(self) -> float:
        """Return fast seconds that only ever grow."""
        return time.monotonic() * self.speed

    async def sleep(self, seconds: float) -> None:
        """Wait that many fast seconds."""
        await asyncio.sleep(seconds / self.speed)


@dataclass
class ManualClock:
    """A clock that moves only when told to; `sleep` moves it at once. Ships for tests and replays."""

    at: datetime = field(default_factory=lambda: datetime(2026, 1, 1, 9, 0, tzinfo=UTC))
    elapsed_s: float = 0.0
    on_advance: Callable[[float], None] | None = None

    def now(self) -> datetime:
        """Return the instant the clock was last set to."""
        return self.at

    def monotonic(self) -> float:
        """Return the seconds advanced so far."""
        return self.elapsed_s

    async def sleep(self, seconds: float) -> None:
        """Advance by that much and yield to the event loop once."""
        self.advance(seconds)
        await asyncio.sleep(0)

    def advance(self, seconds: float) -> None:
        """Move the clock forward."""
        self.at += timedelta(seconds=seconds)
        self.elapsed_s += seconds
        if self.on_advance is not None:
            self.on_advance(seconds)
