"""Turns: how many messages of one person are worked on at once, so that nobody takes all places of the desk."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from adapters.port import Unavailable

#: Seconds after which a message that found no turn is tried again.
AGAIN_S = 1.0


class Turns:
    """Counts in this process; a message that finds no turn goes back to the queue and holds no place meanwhile."""

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, person: str) -> Iterator[None]:
        """Hold a turn of that person for the time of the block; raise `Unavailable` when all of theirs are taken."""
        if self._taken[person] >= self._at_most:
            raise Unavailable("earlier messages of the same person are worked on", retry_after_s=AGAIN_S)
        self._taken[person] += 1
        try:
            yield
        finally:
            self._taken[person] -= 1
            if not self._taken[person]:
                del self._taken[person]
