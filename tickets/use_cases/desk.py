"""What every use case stands on: whose ticket it is, the way to it, the trace that a refusal leaves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from identity import audit
from identity.actor import Actor, ActorKind
from identity.errors import Forbidden
from identity.permissions import Permission
from identity.policy import Decision, PolicyReason, decide
from storage import once
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject, digest
from storage.queue import work
from tickets import store
from tickets.config import TicketsConfig
from tickets.content import clean_line
from tickets.errors import Ambiguous, KeyReused, NotFound, TicketsError
from tickets.reference import is_id, parse
from tickets.ticket import Change, Draft, ThreadLink, ThreadRole, Ticket
from tickets.tracker import Tracker


def may_see(actor: Actor, ticket: Ticket) -> bool:
    """Return whether the actor may know that this ticket exists: its requester, and who works or reads all tickets."""
    if ticket.requester_id == actor.id:
        return decide(actor, Permission.TICKETS_READ_OWN).allowed
    return any(decide(actor, right).allowed for right in (Permission.TICKETS_READ_ALL, Permission.TICKETS_WORK))


def require_change(actor: Actor, ticket: Ticket) -> Decision:
    """Return why the actor may change a ticket that he may see, or raise `Forbidden`."""
    works = decide(actor, Permission.TICKETS_WORK)
    if works.allowed:
        return works
    if ticket.requester_id == actor.id:
        return Decision(allowed=True, reason=PolicyReason.OWN, permission=Permission.TICKETS_READ_OWN)
    raise Forbidden(actor_id=actor.id, permission=Permission.TICKETS_WORK, reason=PolicyReason.NOT_YOURS)


def may_see_draft(actor: Actor, draft: Draft) -> bool:
    """Return whether the actor may read a draft: its requester, and the desk itself when it draws the card again."""
    return draft.requester_id == actor.id or actor.kind in (ActorKind.OPERATOR, ActorKind.SYSTEM)


#: How long the answer to an idempotency key is kept.
_KEY_WINDOW_S = 24 * 3_600.0
#: Longest reference that is repeated in an error or in the audit.
_SHOWN_CHARS = 80


class UseCases:
    """The parts of the ticket service. `signing_key` makes the nonces of drafts; it must outlive restarts."""

    def __init__(
        self, database: Database, clock: Clock, config: TicketsConfig, tracker: Tracker, signing_key: bytes
    ) -> None:
        if len(signing_key) < 16:
            raise ValueError("signing_key needs at least 16 bytes; take them from `secrets.token_bytes(32)`")
        self.database = database
        self.clock = clock
        self.config = config
        self.tracker = tracker
        self.signing_key = signing_key

    @asynccontextmanager
    async def _audited(self, actor: Actor, action: str, *, resource: str) -> AsyncIterator[None]:
        """Let an error pass, but note the refused attempt in a transaction of its own."""
        try:
            yield
        except (TicketsError, Forbidden) as refusal:
            async with self.database.transaction() as session:
                await audit.record(
                    session,
                    actor=actor,
                    action=action,
                    resource=_reference(resource),
                    allowed=isinstance(refusal, TicketsError) and refusal.permitted,
                    reason=refusal.reason,
                    outcome="refused",
                    now=self.clock.now(),
                )
            raise

    async def _locate(self, session: Session, actor: Actor, reference: str, *, lock: bool = False) -> Ticket:
        """Return the one ticket that the actor may see under a reference; raise `NotFound` or `Ambiguous`."""
        candidates = await self._candidates(session, reference)
        visible = [ticket for ticket in candidates if may_see(actor, ticket)]
        if len(visible) > 1:
            raise Ambiguous(shown(reference), tuple(ticket.number for ticket in visible))
        found = visible[0] if visible else None
        if found and lock:
            found = await store.find_ticket(session, found.id, lock=True)
        if found is None:
            raise NotFound(shown(reference), hidden=bool(candidates))
        return found

    async def _candidates(self, session: Session, reference: str) -> tuple[Ticket, ...]:
        wanted = reference.strip()
        if is_id(wanted, "ticket"):
            ticket = await store.find_ticket(session, wanted)
            return (ticket,) if ticket else ()
        said = parse(wanted, self.config.prefix)
        if said is None:
            return ()
        return await store.tickets_numbered(session, sequence=said.sequence, year=said.year)

    async def _replayed(self, session: Session, actor: Actor, *, action: str, key: str, request: str) -> str | None:
        """Return the id that this key made before, or None when the request is new (or has no key)."""
        if not key:
            return None
        begun = await once.begin(
            session,
            scope=_scope(actor, action),
            key=key,
            fingerprint=digest(request),
            now=self.clock.now(),
            window_s=_KEY_WINDOW_S,
        )
        match begun:
            case once.Replay(response=response):
                return str(response["id"])
            case once.Fresh():
                return None
            case _:  # Busy cannot be seen: key and change are one transaction
                raise KeyReused(key)

    async def _keep(self, session: Session, actor: Actor, *, action: str, key: str, made: str) -> None:
        """Remember the id that this key made."""
        if key:
            await once.finish(session, scope=_scope(actor, action), key=key, response={"id": made})

    async def _announce(
        self, session: Session, ticket: Ticket, change: Change, *, before: Ticket, comment_id: str = ""
    ) -> None:
        """Put what others must learn of a change into the queue; `before`: the ticket as it stood."""
        home = requester_thread(await store.threads_of(session, ticket.id))
        payload: JsonObject = {
            "ticket_id": ticket.id,
            "number": ticket.number,
            "title": ticket.title,
            "status": ticket.status.value,
            "version": ticket.version,
            "action": change.action,
            "detail": change.detail,
            "actor_id": change.actor_id,
            "actor_name": change.actor_name,
            "requester_id": ticket.requester_id,
            "assignee_id": ticket.assignee_id or "",
            "was_assignee_id": before.assignee_id or "",
            "asked_by": before.asked_by or "",
            "category": ticket.category,
            "priority": ticket.priority.value,
            "thread": home.thread if home else "",
            "address": home.address if home else {},
        }
        key = f"ticket:{ticket.id}:{ticket.version}"
        await work.enqueue(session, topic="ticket.changed", payload=payload, key=key, line=f"ticket:{ticket.id}")
        await self._mirror(session, ticket, comment_id=comment_id)

    async def _mirror(self, session: Session, ticket: Ticket, *, comment_id: str = "") -> None:
        """Tell an external tracker of this version of a ticket, through the queue."""
        if self.tracker.remote:
            await work.enqueue(
                session,
                topic="tracker.push",
                payload={"ticket_id": ticket.id, "comment_id": comment_id},
                key=f"tracker:{ticket.id}:{ticket.version}",
                line=f"tracker:{ticket.id}",
            )

    @property
    def _duplicate_window(self) -> timedelta:
        """Return within which time the same request by the same person is one."""
        return timedelta(seconds=self.config.duplicate_window_s)


def shown(reference: str) -> str:
    """Return a reference as errors and the audit repeat it."""
    return clean_line(reference)[:_SHOWN_CHARS]


def _reference(given: str) -> str:
    """Return what was asked for as the audit keeps it: a reference, and of words only how many there were."""
    said = shown(given).split()
    known = len(said) == 1 and (":" in said[0] or any(each.isdigit() for each in said[0]))
    return said[0] if known else f"({len(said)} words)"


def requester_thread(links: tuple[ThreadLink, ...]) -> ThreadLink | None:
    """Return the thread in which the requester is told of changes."""
    return next((link for link in links if link.role is ThreadRole.REQUESTER), None)


def _scope(actor: Actor, action: str) -> str:
    return f"tickets:{action}:{actor.id}"
