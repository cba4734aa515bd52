"""Stop asking a service that does not answer; try again with one call after a while."""

from enum import StrEnum

from storage.clock import Clock


class BreakerState(StrEnum):
    """Whether calls go through."""

    CLOSED = "closed"  # yes
    OPEN = "open"  # no
    HALF_OPEN = "half_open"  # one is on its way to find out


class Breaker:
    """Opens after so many failures in a row, lets one call through after `open_s`, closes when that succeeds."""

    def __init__(self, clock: Clock, *, failures: int = 2, open_s: float = 5.0) -> None:
        self._clock = clock
        self._allowed_failures = failures
        self._open_s = open_s
        self._failures = 0
        self._opened_at = 0.0
        self._state = BreakerState.CLOSED

    @property
    def state(self) -> BreakerState:
        """Return whether calls go through."""
        return self._state

    def admits(self) -> bool:
        """Say whether a call may be made; whoever makes it reports `succeeded` or `failed`."""
        if self._state is BreakerState.CLOSED:
            return True
        if self._clock.monotonic() - self._opened_at < self._open_s:
            return False
        self._state = BreakerState.HALF_OPEN
        self._opened_at = self._clock.monotonic()  # should the one call never report, another one follows later
        return True

    def succeeded(self) -> bool:
        """Close; True when this changed something."""
        was_open = self._state is not BreakerState.CLOSED
        self._state = BreakerState.CLOSED
        self._failures = 0
        return was_open

    def failed(self) -> bool:
        """Count a failure; True when this opened the breaker from closed."""
        self._failures += 1
        if self._state is BreakerState.CLOSED and self._failures < self._allowed_failures:
            return False
        was_closed = self._state is BreakerState.CLOSED
        self._state = BreakerState.OPEN
        self._opened_at = self._clock.monotonic()
        return was_closed
