"""The port behind which tickets may also live in somebody else's tracker.

Our database stays the truth of who asked for what; a tracker is told through the queue and may answer late.
"""

from dataclasses import dataclass
from typing import Protocol

from tickets.ticket import Comment, Status, Ticket


@dataclass(frozen=True)
class TrackerReference:
    """A ticket's name in a tracker, and a page for people, if there is one."""

    key: str
    url: str = ""


class Tracker(Protocol):
    """Where tickets are worked. Every call may raise `TrackerUnavailable` and may then be repeated."""

    name: str
    remote: bool  # False: nothing has to be sent, the queue is not used

    async def create(self, ticket: Ticket, *, key: str) -> TrackerReference:
        """Make the ticket there, once for each key: a repetition finds the first one, even after a lost response."""
        ...

    async def update(self, reference: TrackerReference, ticket: Ticket) -> None:
        """Bring its state, assignee and resolution to those of `ticket`; an older version changes nothing."""
        ...

    async def comment(self, reference: TrackerReference, comment: Comment) -> None:
        """Add the comment, once for each comment id."""
        ...

    async def status(self, reference: TrackerReference) -> Status | None:
        """Return the state it has there, or None when the tracker knows no better than we do."""
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...
