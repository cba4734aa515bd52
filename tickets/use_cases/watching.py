"""Use cases of watchers: who asks to be told what happens to a ticket that is not theirs."""

from identity import audit
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import PolicyReason, require
from tickets import store
from tickets.ticket import Ticket
from tickets.use_cases.desk import UseCases, may_see


class Watching(UseCases):
    """Whoever may read a ticket may watch it, for as long as they may read it."""

    async def watch(self, actor: Actor, reference: str) -> Ticket:
        """Tell the actor from now on what happens to a ticket; once more changes nothing."""
        return await self._watch(actor, reference, watches=True)

    async def unwatch(self, actor: Actor, reference: str) -> Ticket:
        """Tell the actor no more what happens to a ticket."""
        return await self._watch(actor, reference, watches=False)

    async def watchers(self, by: Actor, ticket_id: str) -> tuple[str, ...]:
        """Return the ids of who watches a ticket, for whoever reads all tickets."""
        require(by, Permission.TICKETS_READ_ALL)
        async with self.database.reading() as session:
            return await store.watchers_of(session, ticket_id)

    async def end_watching(self, watcher: Actor, ticket: Ticket) -> bool:
        """Let somebody watch no more who may not read the ticket any more; return whether that is so."""
        if may_see(watcher, ticket):
            return False
        async with self.database.transaction() as session:
            await store.set_watching(session, ticket.id, watcher.id, watches=False, now=self.clock.now())
        return True

    async def _watch(self, actor: Actor, reference: str, *, watches: bool) -> Ticket:
        action = "ticket.watch" if watches else "ticket.unwatch"
        async with self._audited(actor, action, resource=reference):
            decision = require(actor, Permission.TICKETS_READ_OWN)
            async with self.database.transaction() as session:
                ticket = await self._locate(session, actor, reference)
                now = self.clock.now()
                if await store.set_watching(session, ticket.id, actor.id, watches=watches, now=now):
                    reason = PolicyReason.OWN if ticket.requester_id == actor.id else decision.reason
                    await audit.record(
                        session,
                        actor=actor,
                        action=action,
                        resource=ticket.number,
                        allowed=True,
                        reason=reason,
                        outcome="done",
                        now=now,
                    )
                return ticket
