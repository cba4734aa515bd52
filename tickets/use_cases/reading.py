"""Use cases that read tickets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide, require
from storage.columns import storable
from tickets import store
from tickets.ticket import Facet, Priority, Reported, Status, ThreadLink, Ticket, TicketCounts
from tickets.use_cases.desk import UseCases, may_see

#: Most tickets that one list shows.
_LIST_LIMIT = 200


class Reading(UseCases):
    """What people ask about tickets. Lists come in one query, without comments and timeline."""

    async def show(self, actor: Actor, reference: str) -> Ticket:
        """Return a ticket with its comments and timeline, oldest first; raise `NotFound` or `Ambiguous`."""
        async with self._audited(actor, "ticket.show", resource=reference):
            require(actor, Permission.TICKETS_READ_OWN)
            async with self.database.reading() as session:
                ticket = await self._locate(session, actor, reference)
                comments = await store.comments_of(session, ticket.id)
                changes = await store.changes_of(session, ticket.id)
                return replace(ticket, comments=comments, changes=changes)

    async def mine(self, actor: Actor, *, status: Status | None = None, limit: int = _LIST_LIMIT) -> tuple[Ticket, ...]:
        """Return the actor's own tickets, newest first."""
        async with self._audited(actor, "ticket.mine", resource=actor.id):
            require(actor, Permission.TICKETS_READ_OWN)
            async with self.database.reading() as session:
                return await store.list_tickets(session, requester_id=actor.id, status=status, limit=limit)

    async def several(self, actor: Actor, numbers: Sequence[str]) -> tuple[Ticket, ...]:
        """Return those of the numbers that the actor may see, newest first, in one query."""
        async with self._audited(actor, "ticket.several", resource=actor.id):
            require(actor, Permission.TICKETS_READ_OWN)
            async with self.database.reading() as session:
                found = await store.tickets_named(session, numbers)
            return tuple(ticket for ticket in found if may_see(actor, ticket))

    async def latest(self, actor: Actor) -> Ticket | None:
        """Return "my last ticket": the newest that the actor filed."""
        newest = await self.mine(actor, limit=1)
        return newest[0] if newest else None

    async def queue(
        self, actor: Actor, *, status: Status | None = None, search: str | None = None, limit: int = _LIST_LIMIT
    ) -> tuple[Ticket, ...]:
        """Return everybody's tickets, those to work first, the newest of each first.

        Each word of `search` must stand in number, text or name.
        """
        async with self._audited(actor, "ticket.queue", resource="queue"):
            require(actor, Permission.TICKETS_WORK)
            async with self.database.reading() as session:
                words = storable(search or "").split()
                return await store.list_tickets(session, status=status, words=words, active_first=True, limit=limit)

    async def report(
        self, actor: Actor, facet: Facet, *, since: datetime, beside: frozenset[Facet] = frozenset(), limit: int
    ) -> Reported:
        """Return how many tickets there are of a facet, and the first of them: everybody's for who works them.

        Others are told of their own; an actor who stands for several people of none, only how many are hidden from
        them. What is told under `beside` is left out.
        """
        require(actor, Permission.TICKETS_READ_OWN)
        works = decide(actor, Permission.TICKETS_WORK).allowed
        asked = store.Reporting(facet, since, self._due(), beside, requester_id=None if works else actor.id)
        async with self.database.reading() as session:
            count = await store.count_reported(session, asked)
            found = await store.reported(session, asked, limit=limit) if count else ()
            every = count if works else await store.count_reported(session, replace(asked, requester_id=None))
        return Reported(count, found, every - count)

    async def count(self, actor: Actor, *, since: datetime, mine: bool = False) -> TicketCounts:
        """Return how many tickets were filed and resolved since an instant, and are open now.

        Everybody's for who works them, unless `mine`; others are told of their own.
        """
        async with self._audited(actor, "ticket.count", resource="tickets"):
            require(actor, Permission.TICKETS_READ_OWN)
            works = decide(actor, Permission.TICKETS_WORK).allowed and not mine
            whose = None if works else actor.id
            new, done = (
                store.Reporting(facet, since, self._due(), requester_id=whose) for facet in (Facet.NEW, Facet.RESOLVED)
            )
            async with self.database.reading() as session:
                filed, resolved = await store.count_reported(session, new), await store.count_reported(session, done)
                return TicketCounts(filed, resolved, await store.count_active(session, whose), works)

    def _due(self) -> Mapping[Priority, datetime]:
        """Return the instants before which a ticket of a priority was filed that is open too long."""
        now = self.clock.now()
        return {priority: now - timedelta(hours=hours) for priority, hours in self.config.overdue_hours.items()}

    async def threads(self, actor: Actor, reference: str) -> tuple[ThreadLink, ...]:
        """Return the chat threads of a ticket, the requester's first."""
        async with self._audited(actor, "ticket.threads", resource=reference):
            require(actor, Permission.TICKETS_READ_OWN)
            async with self.database.reading() as session:
                ticket = await self._locate(session, actor, reference)
                return await store.threads_of(session, ticket.id)
