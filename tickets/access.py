"""Whose ticket or draft is it, and what follows from that: pure rules on top of the policy."""

from identity.actor import Actor, ActorKind
from identity.errors import Forbidden
from identity.permissions import Permission
from identity.policy import Decision, Reason, decide
from tickets.ticket import Draft, Ticket


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
        return Decision(allowed=True, reason=Reason.OWN, permission=Permission.TICKETS_READ_OWN)
    raise Forbidden(actor_id=actor.id, permission=Permission.TICKETS_WORK, reason=Reason.NOT_YOURS)


def may_see_draft(actor: Actor, draft: Draft) -> bool:
    """Return whether the actor may read a draft: its requester, and the desk itself when it draws the card again."""
    return draft.requester_id == actor.id or actor.kind in (ActorKind.OPERATOR, ActorKind.SYSTEM)
