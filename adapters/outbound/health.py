"""How a platform is doing, as the desk sees it: one line in the log when trouble begins, one when it is over."""

import logging
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from adapters.port import ChatClock

log = logging.getLogger(__name__)


class Trouble(StrEnum):
    """What can be wrong; each has at most one episode at a time."""

    LIMITED = "rate_limited"
    AWAY = "away"
    CREDENTIALS = "credentials_refused"
    SCOPE = "scope_missing"
    KEYS = "keys_missing"
    SOCKET = "socket_silent"
    NOT_STORED = "not_stored"


@dataclass(frozen=True)
class Episode:
    """Trouble that is not over yet."""

    trouble: Trouble
    since: datetime
    words: str


class Health:
    """Open episodes, and counts of what happened since the start; the status page shows both."""

    def __init__(self, clock: ChatClock, *, platform: str) -> None:
        self._clock = clock
        self._platform = platform
        self._open: dict[Trouble, Episode] = {}
        self.counts: Counter[str] = Counter()

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """Return what is wrong now, oldest first."""
        return tuple(self._open.values())

    def count(self, what: str) -> None:
        """Add one to a count."""
        self.counts[what] += 1

    def begins(self, trouble: Trouble, words: str) -> None:
        """Log an ERROR with what is wrong and what to do, unless this trouble is known already."""
        self.count(f"trouble.{trouble}")
        if trouble not in self._open:
            self._open[trouble] = Episode(trouble, self._clock.now(), words)
            log.error("%s: %s", self._platform, words)

    def ends(self, trouble: Trouble) -> None:
        """Log an INFO line when trouble is over; nothing when there was none."""
        episode = self._open.pop(trouble, None)
        if episode is not None:
            lasted_s = (self._clock.now() - episode.since).total_seconds()
            log.info("%s: over after %.0f s: %s", self._platform, lasted_s, episode.words)
