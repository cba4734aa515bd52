"""Use cases that change a filed ticket. Each is one conditional update with its timeline, audit and news."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

from identity import audit
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide, require
from storage.columns import storable
from storage.database import Session
from storage.ids import canonical_json, new_id
from tickets import store
from tickets.content import clean_paragraph
from tickets.errors import Conflict, FieldProblem, Invalid, NotAssignable, TooSoon
from tickets.ticket import Action, Change, Comment, Priority, ThreadLink, ThreadRole, Ticket, next_status
from tickets.use_cases.desk import UseCases, require_change


@dataclass(frozen=True)
class TicketStep:
    """What somebody wants to do. `version` is the one that he saw; None where the state alone decides."""

    action: Action
    text: str = ""  # the comment, resolution or reason
    assignee: Actor | None = None
    priority: Priority | None = None
    version: int | None = None
    key: str = ""
    by: str = ""  # who takes it

    @property
    def detail(self) -> str:
        """Return what the timeline and the notice say beside the action."""
        if self.priority is not None:
            return self.priority.value
        return storable(self.assignee.name) if self.assignee else self.text


def changes_nothing(ticket: Ticket, step: TicketStep) -> bool:
    """Return whether the ticket already is what the step asks for: the same person, or the same priority, again."""
    if step.priority is not None:
        return ticket.priority is step.priority
    return step.assignee is not None and ticket.assignee_id == step.assignee.id


def taken_by_another(ticket: Ticket, step: TicketStep) -> bool:
    """Return whether the step would silently take the ticket from somebody; naming the version makes it deliberate."""
    return step.assignee is not None and ticket.assignee_id is not None and step.version is None


def apply(ticket: Ticket, step: TicketStep, *, now: datetime) -> Ticket:
    """Return the ticket after the step; raise KeyError when its state does not allow it."""
    status = next_status(step.action, ticket.status) or ticket.status
    asked_by = _asked_by(ticket, step)
    moved = replace(ticket, status=status, version=ticket.version + 1, updated_at=now, asked_by=asked_by)
    match step.action:
        case Action.ASSIGN:
            assignee = step.assignee
            return replace(
                moved,
                assignee_id=assignee.id if assignee else None,
                assignee_name=storable(assignee.name) if assignee else None,
            )
        case Action.PRIORITISE:
            return replace(moved, priority=step.priority or ticket.priority)
        case Action.RESOLVE:
            return replace(moved, resolution=step.text)
        case Action.REOPEN:  # back in the queue: nobody has it, and it may be urged at once
            return replace(moved, resolution="", assignee_id=None, assignee_name=None, urged_at=None)
        case Action.URGE:
            return replace(moved, urged_at=now, urges=ticket.urges + 1)
        case Action.CANCEL | Action.COMMENT:
            return moved
        case _:
            assert_never(step.action)


def _asked_by(ticket: Ticket, step: TicketStep) -> str | None:
    """Return who waits for the requester's answer after the step; the ticket's end makes one needless."""
    match step.action:
        case Action.COMMENT if step.by != ticket.requester_id:
            return step.by if _ASKS.search(step.text) else ticket.asked_by
        case Action.COMMENT | Action.RESOLVE | Action.CANCEL | Action.REOPEN:
            return None
        case _:
            return ticket.asked_by


#: A comment that asks something: the mark at the end of a sentence, or a Chinese word that asks at the end.
_ASKS = re.compile(r"[?？](?=[\s\"'”’)）]|$)|[吗呢]\s*$")
#: Actions that leave the state as it is, so they never explain why another one came too late.
_STATELESS = (Action.COMMENT, Action.URGE)


class Working(UseCases):
    """What people do with tickets."""

    async def comment(self, actor: Actor, reference: str, *, text: str, key: str = "") -> Ticket:
        """Append a comment; the ticket's requester and who works tickets may."""
        return await self._perform(actor, reference, TicketStep(Action.COMMENT, text=text, key=key))

    async def urge(self, actor: Actor, reference: str, *, key: str = "") -> Ticket:
        """Ask for attention; raise `TooSoon` with the seconds left while the last time is recent."""
        return await self._perform(actor, reference, TicketStep(Action.URGE, key=key))

    async def assign(
        self, actor: Actor, reference: str, *, assignee: Actor, version: int | None = None, key: str = ""
    ) -> Ticket:
        """Give the ticket to somebody who works tickets.

        Without `version` a ticket that another person has is a `Conflict` that names him: of two who press at
        once, one wins. With the version that the actor saw it changes hands. The same person again changes nothing.
        """
        step = TicketStep(Action.ASSIGN, assignee=assignee, version=version, key=key)
        return await self._perform(actor, reference, step, permission=Permission.TICKETS_WORK)

    async def resolve(self, actor: Actor, reference: str, *, resolution: str, key: str = "") -> Ticket:
        """Say that it is done, and how."""
        step = TicketStep(Action.RESOLVE, text=resolution, key=key)
        return await self._perform(actor, reference, step, permission=Permission.TICKETS_WORK)

    async def prioritise(self, actor: Actor, reference: str, *, priority: Priority, key: str = "") -> Ticket:
        """Change how soon somebody should look; the same priority again changes nothing."""
        step = TicketStep(Action.PRIORITISE, priority=priority, key=key)
        return await self._perform(actor, reference, step, permission=Permission.TICKETS_WORK)

    async def reopen(self, actor: Actor, reference: str, *, reason: str, key: str = "") -> Ticket:
        """Put a resolved or cancelled ticket back into the queue, with nobody assigned."""
        return await self._perform(actor, reference, TicketStep(Action.REOPEN, text=reason, key=key))

    async def cancel(
        self, actor: Actor, reference: str, *, reason: str, version: int | None = None, key: str = ""
    ) -> Ticket:
        """Say that it is not wanted any more; with `version` only if nothing has happened since."""
        return await self._perform(actor, reference, TicketStep(Action.CANCEL, text=reason, version=version, key=key))

    async def link_thread(self, actor: Actor, reference: str, link: ThreadLink) -> None:
        """Tie a triage thread to a ticket; the ticket id in `link` is replaced by the one found."""
        async with self._audited(actor, "ticket.link", resource=reference):
            require(actor, Permission.TICKETS_WORK)
            async with self.database.transaction() as session:
                ticket = await self._locate(session, actor, reference)
                tied = replace(link, ticket_id=ticket.id, role=ThreadRole.TRIAGE)
                await store.link_thread(session, tied, now=self.clock.now())

    async def _perform(
        self, actor: Actor, reference: str, step: TicketStep, *, permission: Permission = Permission.TICKETS_READ_OWN
    ) -> Ticket:
        async with self._audited(actor, f"ticket.{step.action}", resource=reference):
            require(actor, permission)
            step = self._checked(actor, step)
            async with self.database.transaction() as session:
                request = canonical_json([reference, step.detail, step.version])
                action = step.action.value
                made = await self._replayed(session, actor, action=action, key=step.key, request=request)
                if made:
                    return await self._locate(session, actor, made)
                ticket = await self._locate(session, actor, reference, lock=True)
                after = await self._take(session, actor, ticket, step)
                await self._keep(session, actor, action=action, key=step.key, made=after.id)
                return after

    def _checked(self, actor: Actor, step: TicketStep) -> TicketStep:
        """Return the step with its text cleaned and its people checked, before any row is read."""
        if step.assignee and not decide(step.assignee, Permission.TICKETS_WORK).allowed:
            raise NotAssignable(step.assignee.name)
        text = clean_paragraph(step.text)
        if step.action is Action.COMMENT and not text:
            raise Invalid(FieldProblem("text", "empty"))
        if len(text) > self.config.comment_chars:
            raise Invalid(FieldProblem("text", "too_long", limit=self.config.comment_chars))
        return replace(step, text=text, by=actor.id)

    async def _take(self, session: Session, actor: Actor, ticket: Ticket, step: TicketStep) -> Ticket:
        """Do the step and write everything that belongs to it."""
        decision = require_change(actor, ticket)
        now = self.clock.now()
        after = await self._moved(session, ticket, step, now=now)
        if after == ticket:
            return ticket
        name = storable(actor.name)
        change = Change(at=now, actor_id=actor.id, actor_name=name, action=step.action, detail=step.detail)
        await store.add_change(session, after, change)
        comment_id = await _add_comment(session, after, change) if step.action is Action.COMMENT else ""
        told = {"assignee": step.assignee.id} if step.assignee else {"characters": len(step.text)}  # never the words
        await audit.record(
            session,
            actor=actor,
            action=f"ticket.{step.action}",
            resource=ticket.number,
            allowed=True,
            reason=decision.reason,
            outcome="done",
            detail={"version": after.version, "from": ticket.status, "to": after.status, **told},
            now=now,
        )
        await self._announce(session, after, change, before=ticket, comment_id=comment_id)
        return after

    async def _moved(self, session: Session, ticket: Ticket, step: TicketStep, *, now: datetime) -> Ticket:
        """Update the row from what was seen to what the step makes of it; raise `Conflict` where it has moved on."""
        if step.version not in (None, ticket.version):
            raise await _conflict(session, ticket, step, after=step.version or 0)
        try:
            after = apply(ticket, step, now=now)
        except KeyError:
            raise await _conflict(session, ticket, step, beside=_STATELESS) from None
        if step.action is Action.URGE:
            self._require_patience(ticket, now)
        if changes_nothing(ticket, step):
            return ticket
        if taken_by_another(ticket, step) or not await store.update_ticket(session, ticket, after):
            raise await _conflict(session, ticket, step, beside=_STATELESS)
        return after

    def _require_patience(self, ticket: Ticket, now: datetime) -> None:
        if ticket.urged_at is None:
            return
        left = ticket.urged_at + timedelta(seconds=self.config.urge_cooldown_s) - now
        if left > timedelta(0):
            raise TooSoon(ticket.number, left_s=max(1, round(left.total_seconds())))


async def _add_comment(session: Session, ticket: Ticket, change: Change) -> str:
    comment = Comment(
        id=new_id("comment"),
        ticket_id=ticket.id,
        author_id=change.actor_id,
        author_name=change.actor_name,
        text=change.detail,
        created_at=change.at,
    )
    await store.add_comment(session, comment, version=ticket.version)
    return comment.id


async def _conflict(
    session: Session, ticket: Ticket, step: TicketStep, *, beside: tuple[Action, ...] = (), after: int = 0
) -> Conflict:
    last = await store.last_change(session, ticket.id, beside=beside, after=after)
    return Conflict(
        ticket.number,
        attempted=step.action,
        done=last.action if last else "",
        by=last.actor_name if last else ticket.requester_name,
        by_id=last.actor_id if last else ticket.requester_id,
        at=last.at if last else ticket.updated_at,
        status=ticket.status,
        version=ticket.version,
    )
