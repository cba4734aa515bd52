"""My tickets, one ticket with what may be done to it, and the queue of those who work."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from features.anatomy.pages import BackTo, Drawn, NoSuchPage, View, Visit
from features.tickets.phrases import phrases
from features.tickets.rendering import category_label, field_label
from identity.actor import Actor
from identity.directory import Directory
from identity.permissions import Permission
from identity.policy import decide
from tickets.config import TicketsConfig
from tickets.errors import FieldProblem, Invalid, NotAssignable, NotFound, TicketsError
from tickets.service import TicketService
from tickets.ticket import Change, Draft, Priority, Status, Ticket

_ACTIVE = (Status.OPEN, Status.IN_PROGRESS)
STATUS_TONES: Mapping[Status, str] = {
    Status.OPEN: "info",
    Status.IN_PROGRESS: "warn",
    Status.RESOLVED: "good",
    Status.CANCELLED: "neutral",
}
PRIORITY_TONES: Mapping[Priority, str] = {
    Priority.LOW: "neutral",
    Priority.NORMAL: "neutral",
    Priority.HIGH: "warn",
    Priority.URGENT: "bad",
}
_TONES: Mapping[str, Any] = {"tones": STATUS_TONES, "priority_tones": PRIORITY_TONES}


@dataclass(frozen=True)
class Line:
    """One line of the timeline."""

    name: str
    what: str
    at: datetime
    text: str


class TicketPages:
    """Pages over the ticket service; every right is checked there, the pages only leave out useless buttons."""

    def __init__(self, tickets: TicketService, config: TicketsConfig, directory: Directory) -> None:
        self._tickets = tickets
        self._directory = directory
        self._config = config

    def views(self) -> tuple[View, ...]:
        """Return every page and write."""
        return (
            View("/tickets", self.mine, menu="tickets", menu_for=Permission.TICKETS_READ_OWN),
            View("/tickets/{number}", self.show),
            View("/tickets/{number}/{act}", self.act, writes=True),
            View("/queue", self.queue, menu="queue", menu_for=Permission.TICKETS_WORK),
        )

    async def mine(self, visit: Visit) -> Drawn:
        """Show the visitor's own tickets and open drafts."""
        drafts = [
            {"title": draft.title, "place": _place(draft, visit)}
            for draft in await self._tickets.open_drafts(visit.actor)
        ]
        tickets = await self._tickets.mine(visit.actor)
        return Drawn("mine.html", {"tickets": tickets, "drafts": drafts, **_TONES}, here="tickets")

    async def queue(self, visit: Visit) -> Drawn:
        """Show everybody's tickets to those who work them."""
        search = visit.asked("search")
        status = visit.asked("status") or "active"
        known = {each.value for each in Status}
        found = await self._tickets.queue(
            visit.actor, status=Status(status) if status in known else None, search=search or None
        )
        shown = [ticket for ticket in found if status != "active" or ticket.status in _ACTIVE]
        values = {
            "tickets": shown,
            "search": search,
            "status": status,
            "statuses": ["active", "all", *(each.value for each in Status)],
            "category": partial(category_label, self._config, language=visit.language),
        }
        return Drawn("queue.html", {**values, **_TONES}, here="queue")

    async def show(self, visit: Visit) -> Drawn:
        """Show one ticket; one that is not the visitor's to see looks like none."""
        return await self._draw(visit, await self._ticket(visit))

    async def act(self, visit: Visit) -> Drawn | BackTo:
        """Do one thing to a ticket and go back; what cannot be done is said on the page, with what was typed."""
        name = visit.parts["act"]
        act = _ACTS.get(name)
        if act is None:
            raise NoSuchPage
        try:
            ticket = await act(self, visit, visit.parts["number"])
        except NotFound as error:
            raise NoSuchPage from error
        except TicketsError as error:
            phrase = phrases(self._config).get(type(error))
            words = phrase(visit.reader, error) if phrase else ""
            return await self._draw(
                visit, await self._ticket(visit), sorry=words or str(error), failed=name, status=409
            )
        if visit.form.get("back") == "queue":
            return BackTo("/queue", done=name)
        return BackTo(f"/tickets/{ticket.number}", done=name)

    async def _ticket(self, visit: Visit) -> Ticket:
        try:
            return await self._tickets.show(visit.actor, visit.parts["number"])
        except NotFound as error:
            raise NoSuchPage from error

    async def _draw(
        self, visit: Visit, ticket: Ticket, *, sorry: str = "", failed: str = "", status: int = 200
    ) -> Drawn:
        own = ticket.requester_id == visit.actor.id
        fields = [
            (field_label(self._config, name, visit.language), value) for name, value in ticket.fields.items() if value
        ]
        values = {
            "ticket": ticket,
            "own": own,
            "acts": _offered(ticket, visit),
            "fields": fields,
            "assignees": [(each.id, each.name) for each in await self._who_work(visit)],
            "named_priorities": [(each.value, visit.say(f"ticket.priority.{each}")) for each in Priority],
            "category": partial(category_label, self._config, language=visit.language),
            "timeline": _timeline(ticket, visit),
            "key": secrets.token_urlsafe(12),
            "sorry": sorry,
            "failed": failed,
            "typed": visit.form.get("text", ""),
        }
        return Drawn("ticket.html", {**values, **_TONES}, here="tickets" if own else "queue", status=status)

    async def _assign(self, visit: Visit, number: str) -> Ticket:
        named = visit.form.get("to", "")
        if not named:
            return await self._tickets.assign(visit.actor, number, assignee=visit.actor, key=_key(visit))
        assignee = next((each for each in await self._who_work(visit) if each.id == named), None)
        if assignee is None:
            raise NotAssignable(named)
        version = int(visit.form.get("version", "0")[:9] or 0) if visit.form.get("version", "").isdecimal() else None
        return await self._tickets.assign(visit.actor, number, assignee=assignee, version=version, key=_key(visit))

    async def _who_work(self, visit: Visit) -> tuple[Actor, ...]:
        """Return the people who work tickets, by name, for somebody who does so, too."""
        if not decide(visit.actor, Permission.TICKETS_WORK).allowed:
            return ()
        people = [each for each in await self._directory.people() if decide(each, Permission.TICKETS_WORK).allowed]
        return tuple(sorted(people, key=lambda each: each.name))

    async def _prioritise(self, visit: Visit, number: str) -> Ticket:
        wanted = visit.form.get("priority", "")
        if wanted not in {each.value for each in Priority}:
            raise Invalid(FieldProblem("priority", "unknown_priority"))
        return await self._tickets.prioritise(visit.actor, number, priority=Priority(wanted), key=_key(visit))

    async def _resolve(self, visit: Visit, number: str) -> Ticket:
        return await self._tickets.resolve(visit.actor, number, resolution=_text(visit), key=_key(visit))

    async def _comment(self, visit: Visit, number: str) -> Ticket:
        return await self._tickets.comment(visit.actor, number, text=_text(visit), key=_key(visit))

    async def _urge(self, visit: Visit, number: str) -> Ticket:
        return await self._tickets.urge(visit.actor, number, key=_key(visit))

    async def _reopen(self, visit: Visit, number: str) -> Ticket:
        return await self._tickets.reopen(visit.actor, number, reason=_text(visit), key=_key(visit))

    async def _cancel(self, visit: Visit, number: str) -> Ticket:
        return await self._tickets.cancel(visit.actor, number, reason=_text(visit), key=_key(visit))


#: The last part of a write's address → what it does.
_ACTS: Mapping[str, Callable[[TicketPages, Visit, str], Awaitable[Ticket]]] = {
    "assign": TicketPages._assign,  # noqa: SLF001 - the table of this very class
    "cancel": TicketPages._cancel,  # noqa: SLF001
    "comment": TicketPages._comment,  # noqa: SLF001
    "prioritise": TicketPages._prioritise,  # noqa: SLF001
    "reopen": TicketPages._reopen,  # noqa: SLF001
    "resolve": TicketPages._resolve,  # noqa: SLF001
    "urge": TicketPages._urge,  # noqa: SLF001
}


def _offered(ticket: Ticket, visit: Visit) -> list[str]:
    works = decide(visit.actor, Permission.TICKETS_WORK).allowed
    own = ticket.requester_id == visit.actor.id
    if not (works or own):
        return []
    if ticket.status not in _ACTIVE:
        return ["comment", "reopen"]
    mine = ["assign"] if works and ticket.assignee_id != visit.actor.id else []
    return [
        *mine,
        *(["resolve", "give", "prioritise"] if works else []),
        "comment",
        *(["urge"] if own else []),
        "cancel",
    ]


def _timeline(ticket: Ticket, visit: Visit) -> list[Line]:
    """Return changes and comments in one row; a comment's text stands in both, so it is told once."""
    lines = [_line(change, visit) for change in ticket.changes if change.action != "comment"]
    lines += [
        Line(
            name=comment.author_name,
            what=visit.say("console.timeline.comment"),
            at=comment.created_at,
            text=comment.text,
        )
        for comment in ticket.comments
    ]
    return sorted(lines, key=lambda line: line.at)


def _line(change: Change, visit: Visit) -> Line:
    if change.action == "assign" and change.detail not in ("", change.actor_name):
        what, text = visit.say("console.timeline.handed", name=change.detail), ""
    else:
        what = visit.say(f"console.timeline.{change.action}")
        text = "" if change.action in ("assign", "filed") else change.detail
        text = visit.say(f"ticket.priority.{text}") if change.action == "prioritise" and text else text
    return Line(name=change.actor_name, what=what, at=change.at, text=text)


def _place(draft: Draft, visit: Visit) -> str:
    prefix = f"web:{visit.actor.id}/"
    return draft.thread.removeprefix(prefix) if draft.thread.startswith(prefix) else ""


def _text(visit: Visit) -> str:
    return visit.form.get("text", "").strip()


def _key(visit: Visit) -> str:
    key = visit.form.get("key", "")[:64]
    return f"console:{visit.actor.id}:{key}" if key else ""
