"""One line a minute in the log for what repeats."""

import logging
from collections.abc import Callable, Hashable

#: Seconds between two lines of the same words.
AGAIN_S = 60.0
#: Things that are remembered, so that nobody fills the memory with new ones.
_MOST = 1_000


class Seldom:
    """Lets the same thing through at most once a minute, and tells then how often it was kept back."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._said: dict[Hashable, float] = {}
        self._kept_back: dict[Hashable, int] = {}

    def admit(self, what: Hashable) -> int | None:
        """Return how often it was kept back since it was let through last; None where it is kept back now."""
        now = self._monotonic()
        if now - self._said.get(what, -AGAIN_S) < AGAIN_S:
            self._kept_back[what] = self._kept_back.get(what, 0) + 1
            return None
        if len(self._said) >= _MOST:
            self._said.clear()
        self._said[what] = now
        return self._kept_back.pop(what, 0)


class SeldomLog:
    """Says the same thing at most once a minute, and then how often it was so."""

    def __init__(self, logger: logging.Logger, monotonic: Callable[[], float]) -> None:
        self._logger = logger
        self._seldom = Seldom(monotonic)

    def say(self, what: str, *, level: int = logging.WARNING, error: Exception | None = None) -> None:
        """Write a line, unless the same one was written within the minute."""
        often = self._seldom.admit(what)
        if often is not None:
            self._logger.log(level, "%s%s", what, f" ({often} times more since)" if often else "", exc_info=error)
