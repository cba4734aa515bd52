"""My tickets, one ticket with what may be done to it, and the queue of those who work."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from bot.console.pages import Pages, Visit, back_to
from features.tickets.phrases import phrases
from features.tickets.rendering import field_label
from identity.permissions import Permission
from identity.policy import decide
from tickets.errors import NotFound, TicketsError
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

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._tickets = pages.desk.tickets
        self._config = pages.desk.settings.tickets_config

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            self._pages.get("/tickets", self.mine),
            self._pages.get("/tickets/{number}", self.show),
            self._pages.post("/tickets/{number}/{act}", self.act),
            self._pages.get("/queue", self.queue),
        ]

    async def mine(self, visit: Visit) -> Response:
        """Show the visitor's own tickets and open drafts."""
        drafts = [
            {"title": draft.title, "place": _place(draft, visit)}
            for draft in await self._tickets.open_drafts(visit.actor)
        ]
        tickets = await self._tickets.mine(visit.actor)
        return await self._pages.draw(visit, "tickets.html", here="tickets", tickets=tickets, drafts=drafts, **_TONES)

    async def queue(self, visit: Visit) -> Response:
        """Show everybody's tickets to those who work them."""
        search = visit.asked("search")
        status = visit.asked("status") or "active"
        known = {each.value for each in Status}
        found = await self._tickets.queue(
            visit.actor, status=Status(status) if status in known else None, search=search or None
        )
        shown = [ticket for ticket in found if status != "active" or ticket.status in _ACTIVE]
        return await self._pages.draw(
            visit,
            "queue.html",
            here="queue",
            tickets=shown,
            search=search,
            status=status,
            statuses=["active", "all", *(each.value for each in Status)],
            **_TONES,
        )

    async def show(self, visit: Visit) -> Response:
        """Show one ticket; one that is not the visitor's to see looks like none."""
        ticket = await self._tickets.show(visit.actor, visit.request.path_params["number"])
        return await self._draw(visit, ticket)

    async def act(self, visit: Visit) -> Response:
        """Do one thing to a ticket and go back; what cannot be done is said on the page, with what was typed."""
        number, name = visit.request.path_params["number"], visit.request.path_params["act"]
        act = _ACTS.get(name)
        if act is None:
            raise HTTPException(404)
        try:
            ticket = await act(self, visit, number)
        except NotFound:
            raise
        except TicketsError as error:
            phrase = phrases(self._config).get(type(error))
            words = phrase(visit.reader, error) if phrase else ""
            ticket = await self._tickets.show(visit.actor, number)
            return await self._draw(visit, ticket, sorry=words or str(error), failed=name, status=409)
        if visit.form.get("back") == "queue":
            return back_to("/queue", done=name)
        return back_to(f"/tickets/{ticket.number}", done=name)

    async def _draw(
        self, visit: Visit, ticket: Ticket, *, sorry: str = "", failed: str = "", status: int = 200
    ) -> Response:
        own = ticket.requester_id == visit.actor.id
        return await self._pages.draw(
            visit,
            "ticket.html",
            here="tickets" if own else "queue",
            status_code=status,
            ticket=ticket,
            own=own,
            acts=_offered(ticket, visit),
            fields=[
                (field_label(self._config, name, visit.language), value)
                for name, value in ticket.fields.items()
                if value
            ],
            timeline=_timeline(ticket, visit),
            key=secrets.token_urlsafe(12),
            sorry=sorry,
            failed=failed,
            typed=visit.form.get("text", ""),
            **_TONES,
        )

    async def _assign(self, visit: Visit, number: str) -> Ticket:
        return await self._tickets.assign(visit.actor, number, assignee=visit.actor, key=_key(visit))

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
    return [*mine, *(["resolve"] if works else []), "comment", *(["urge"] if own else []), "cancel"]


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
    return Line(name=change.actor_name, what=what, at=change.at, text=text)


def _place(draft: Draft, visit: Visit) -> str:
    prefix = f"web:{visit.actor.id}/"
    return draft.thread.removeprefix(prefix) if draft.thread.startswith(prefix) else ""


def _text(visit: Visit) -> str:
    return visit.form.get("text", "").strip()


def _key(visit: Visit) -> str:
    key = visit.form.get("key", "")[:64]
    return f"console:{visit.actor.id}:{key}" if key else ""
