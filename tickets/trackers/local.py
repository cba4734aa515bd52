"""The default: tickets live in our own database and nowhere else."""

from tickets.ticket import Comment, Status, Ticket
from tickets.tracker import TrackerReference


class LocalTracker:
    """Has nothing to do; what the service stores is all there is."""

    name = "local"
    remote = False

    async def create(self, ticket: Ticket, *, key: str) -> TrackerReference:  # noqa: ARG002 - the number is unique
        """Return the ticket's own number."""
        return TrackerReference(key=ticket.number)

    async def update(self, reference: TrackerReference, ticket: Ticket) -> None:
        """Do nothing: the ticket is stored already."""

    async def comment(self, reference: TrackerReference, comment: Comment) -> None:
        """Do nothing: the comment is stored already."""

    async def status(self, reference: TrackerReference) -> Status | None:  # noqa: ARG002 - nobody else knows it
        """Return None: our database is the truth."""
        return None

    async def close(self) -> None:
        """Do nothing: there is no connection."""
