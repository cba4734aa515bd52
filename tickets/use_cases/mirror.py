"""Tells an external tracker what happened here: the queue's handler, outside of any transaction."""

from collections.abc import Mapping

from storage.database import Database
from storage.queue.failures import RetryLater
from storage.queue.rows import WorkItem
from storage.queue.worker import Topic
from tickets import store
from tickets.errors import TrackerUnavailable
from tickets.ticket import Ticket
from tickets.tracker import Tracker, TrackerReference


class TrackerMirror:
    """Brings tickets to the tracker. Messages of one ticket come in order; each may come more than once."""

    def __init__(self, database: Database, tracker: Tracker) -> None:
        self.database = database
        self.tracker = tracker

    def handlers(self) -> Mapping[str, Topic]:
        """Return what the queue's worker must know."""
        return {"tracker.push": Topic(self.push)}

    async def push(self, item: WorkItem) -> None:
        """Create the ticket there under its id, or bring it to what it is here; raise `RetryLater` when it is away."""
        async with self.database.reading() as session:
            ticket = await store.find_ticket(session, str(item.payload["ticket_id"]))
            comments = await store.comments_of(session, ticket.id) if ticket else ()
        if ticket is None:
            return
        try:
            reference = await self._reference(ticket)
            await self.tracker.update(reference, ticket)
            for comment in comments:
                if comment.id == item.payload["comment_id"]:
                    await self.tracker.comment(reference, comment)
        except TrackerUnavailable as away:
            raise RetryLater(away.retry_after_s) from away

    async def _reference(self, ticket: Ticket) -> TrackerReference:
        if ticket.external_key:
            return TrackerReference(ticket.external_key, ticket.external_url or "")
        reference = await self.tracker.create(ticket, key=ticket.id)
        async with self.database.transaction() as session:
            await store.set_external(session, ticket.id, key=reference.key, url=reference.url)
        return reference
