"""Credentials that are read where they stand: again after a minute, and at once when they were refused."""

import asyncio
import base64
from collections.abc import Callable

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.sources.asking import Presented
from storage.clock import Clock

#: As Kubernetes' own clients do: a token in a file is replaced before it ends.
_GOOD_FOR_S = 60.0

#: Returns the secret behind `env:NAME` or `file:PATH`; raises ValueError, LookupError or OSError where there is none.
Resolve = Callable[[str], str]


class ReadCredentials:
    """Credentials that a function reads; it may read files."""

    def __init__(self, read: Callable[[], Presented], clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._held: Presented | None = None
        self._read_at = 0.0

    async def present(self, *, again: bool = False) -> Presented:
        """Return what was read within the last minute; raise `ReadFailed` of NOT_SET_UP where there is none."""
        now = self._clock.monotonic()
        if self._held is None or again or now - self._read_at > _GOOD_FOR_S:
            try:
                self._held = await asyncio.to_thread(self._read)
            except (ValueError, LookupError, OSError) as error:
                raise ReadFailed(FailureKind.NOT_SET_UP, "credentials", detail=str(error)[:200]) from error
            self._read_at = now
        return self._held


class MissingCredentials:
    """Stands for a source that cannot be asked, for a reason that was known before anybody asked."""

    def __init__(self, why: str) -> None:
        self._why = why

    async def present(self, *, again: bool = False) -> Presented:  # noqa: ARG002 - the port's
        """Raise `ReadFailed` of NOT_SET_UP, with the reason."""
        raise ReadFailed(FailureKind.NOT_SET_UP, "credentials", detail=self._why)


def bearer(token: str) -> Presented:
    """Return a token as it is sent; raise ValueError for one that is none."""
    return Presented({"authorization": f"Bearer {one_line(token)}"})


def basic(user: str, password: str) -> Presented:
    """Return name and password as they are sent."""
    return Presented({"authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()})


def one_line(secret: str) -> str:
    """Return a secret without the white space around it; raise ValueError for one that no header can hold."""
    found = secret.strip()
    if not found or not (found.isascii() and found.isprintable()):
        raise ValueError("the secret is empty, or is more than one line of plain letters")
    return found
