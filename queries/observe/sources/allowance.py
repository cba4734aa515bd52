"""What one run may ask, known to whatever sends a request for it.

A call of a reader is one request at least, which the run has paid for; a further page or a second try is paid here. The
run is found by its context, since readers outlive runs and serve many at once.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Allowance:
    """The requests that a run has left."""

    left: int
    used: int = 0

    def take(self) -> bool:
        """Take one request; False when there is none left."""
        if self.left <= 0:
            return False
        self.left -= 1
        self.used += 1
        return True


_CURRENT: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def paid_by(allowance: Allowance) -> Iterator[None]:
    """Let what is sent inside be paid by an allowance."""
    token = _CURRENT.set(allowance)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def may_send_another() -> bool:
    """Take a further request of the run that is asking; True where nobody counts."""
    allowance = _CURRENT.get()
    return allowance is None or allowance.take()
