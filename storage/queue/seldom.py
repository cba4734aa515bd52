"""One line a minute in the log for what repeats."""

import logging
from collections.abc import Callable

#: Seconds between two lines of the same words.
AGAIN_S = 60.0


class SeldomLog:
    """Says the same thing at most once a minute, and then how often it was so."""

    def __init__(self, logger: logging.Logger, monotonic: Callable[[], float]) -> None:
        self._logger = logger
        self._monotonic = monotonic
        self._said: dict[str, float] = {}
        self._kept_back: dict[str, int] = {}

    def say(self, what: str, *, level: int = logging.WARNING, error: Exception | None = None) -> None:
        """Write a line, unless the same one was written within the minute."""
        now = self._monotonic()
        if now - self._said.get(what, -AGAIN_S) < AGAIN_S:
            self._kept_back[what] = self._kept_back.get(what, 0) + 1
            return
        self._said[what] = now
        often = self._kept_back.pop(what, 0)
        self._logger.log(level, "%s%s", what, f" ({often} times more since)" if often else "", exc_info=error)
