"""The one use case that makes a draft a ticket."""

from datetime import datetime

from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import require
from storage.database import Session
from storage.ids import JsonObject, new_id
from storage.queue import work
from tickets import content, store
from tickets.errors import AlreadyFiled, Incomplete, Stale
from tickets.reference import number_of
from tickets.ticket import Change, Draft, DraftState, Status, ThreadLink, ThreadRole, Ticket
from tickets.use_cases.drafting import Drafting, content_of


class Filing(Drafting):
    """Press Confirm as often as you like: one draft, one ticket."""

    async def file(self, actor: Actor, draft_id: str, *, nonce: str) -> Ticket:
        """Make the draft a ticket, once.

        Raises `AlreadyFiled` with the number for a repetition, and for the same content by the same person within
        `duplicate_window_s`; `Incomplete`, `Stale`, `Expired`, `Discarded`, `NotYours` or `NotFound` otherwise.
        """
        async with self._audited(actor, "draft.file", resource=draft_id):
            require(actor, Permission.TICKETS_CREATE)
            async with self.database.transaction() as session:
                draft = await self._own_draft(session, actor, draft_id, nonce=nonce)
                absent = content.missing(content_of(draft), self.config)
                if absent:
                    raise Incomplete(absent)
                now = self.clock.now()
                await store.lock_counter(session, now.year)
                since = now - self._duplicate_window
                twin = await store.same_ticket(session, actor.id, content=content_of(draft).digest, since=since)
                ticket = twin or await self._add_ticket(session, draft, now)
                await self._close_as(session, actor, draft, ticket, now)
        if twin:
            raise AlreadyFiled(twin.number, by=twin.requester_name, at=twin.created_at)
        return ticket

    async def _add_ticket(self, session: Session, draft: Draft, now: datetime) -> Ticket:
        sequence = await store.next_number(session, now.year)
        ticket = Ticket(
            id=new_id("ticket"),
            number=number_of(self.config.prefix, year=now.year, sequence=sequence),
            requester_id=draft.requester_id,
            requester_name=draft.requester_name,
            assignee_id=None,
            assignee_name=None,
            status=Status.OPEN,
            priority=draft.priority,
            category=draft.category,
            title=draft.title,
            description=draft.description,
            fields=draft.fields,
            version=1,
            created_at=now,
            updated_at=now,
            draft_id=draft.id,
        )
        await store.add_ticket(session, ticket, year=now.year, sequence=sequence, content=content_of(draft).digest)
        filed = Change(at=now, actor_id=ticket.requester_id, actor_name=ticket.requester_name, action="filed")
        await store.add_change(session, ticket, filed)
        home = ThreadLink(ticket.id, draft.thread, ThreadRole.REQUESTER, draft.address)
        await store.link_thread(session, home, now=now)
        await self._mirror(session, ticket)
        return ticket

    async def _close_as(self, session: Session, actor: Actor, draft: Draft, ticket: Ticket, now: datetime) -> None:
        """Turn the draft into that ticket; the conditional update is what makes it happen once."""
        closed = await store.close_draft(
            session, draft, state=DraftState.FILED, by=draft.requester_name, at=now, number=ticket.number
        )
        if not closed:
            raise Stale(draft.id, version=draft.version)
        merged = ticket.draft_id != draft.id
        detail: JsonObject = {"number": ticket.number, "version": draft.version, "same_as_before": merged}
        await self._record(session, actor, "draft.file", draft, detail=detail)
        payload: JsonObject = {
            "draft_id": draft.id,
            "ticket_id": ticket.id,
            "number": ticket.number,
            "merged": merged,
            "category": ticket.category,
            "priority": ticket.priority.value,
            "actor_id": actor.id,
            "actor_name": actor.name,
            "requester_id": draft.requester_id,
            "thread": draft.thread,
            "address": draft.address,
        }
        key = f"draft:{draft.id}:filed"
        await work.enqueue(session, topic="draft.filed", payload=payload, key=key, line=f"ticket:{ticket.id}")
