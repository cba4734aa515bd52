"""The tools that work tickets: drafts, which a person confirms, and what may be done to filed tickets.

A file of tools is one argument class and one handler each, and `tools()` that ties them to what the gate enforces.
No argument says who is calling: handlers take the caller from the context.
"""

import functools
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from agent.arguments import Arguments
from agent.context import ToolContext
from agent.errors import ToolRefused
from agent.registry import (
    Confirmation,
    Effect,
    Prepared,
    Shown,
    Tool,
    ToolPolicy,
    ToolResult,
    ToolSpec,
)
from identity.actor import Actor
from identity.errors import UnknownPerson
from identity.permissions import Permission
from storage.ids import JsonObject, digest
from tickets.errors import TicketsError
from tickets.service import TicketService
from tickets.ticket import Action, Draft, Priority, Status, Ticket

Reference = Annotated[
    str, Field(min_length=1, max_length=64, description='A number such as TCK-2026-000123, or "last" for the last one')
]
DraftReference = Annotated[
    str, Field(min_length=1, max_length=64, description='A draft id, or "last" for the last one')
]
Words = Annotated[str, Field(min_length=1, max_length=4_000)]

#: Finds a person by id or e-mail; raises UnknownPerson. The directory's `person`.
People = Callable[[str], Awaitable[Actor]]

#: What people and models say for the thing that was last spoken of.
BACK_REFERENCES = frozenset(
    {"last", "latest", "my last", "that", "that one", "it", "this", "上一单", "刚才那个", "那个", "最近"}
)


class DraftTicket(Arguments):
    """A problem or wish in the person's own words."""

    category: Annotated[str, Field(max_length=64)]
    title: Annotated[str, Field(min_length=1, max_length=200, description="One line")]
    description: Annotated[str, Field(max_length=8_000)] = ""
    priority: Priority = Priority.NORMAL
    fields: Annotated[
        dict[str, str], Field(default_factory=dict, max_length=24, description="Configured fields, such as location")
    ]


class ReviseDraft(Arguments):
    """What to change in a draft that is still open."""

    draft: DraftReference = "last"
    changes: Annotated[
        dict[str, str],
        Field(min_length=1, max_length=24, description="title, description, category, priority or a field → new value"),
    ]


class ListTickets(Arguments):
    """Which tickets."""

    scope: Annotated[Literal["mine", "queue"], Field(description='"queue" is for people who work tickets')] = "mine"
    status: Status | None = None
    search: Annotated[str, Field(max_length=200)] = ""


class ShowTicket(Arguments):
    """Which ticket."""

    ticket: Reference = "last"


class CommentTicket(Arguments):
    """What to add to which ticket."""

    ticket: Reference = "last"
    text: Words


class UrgeTicket(Arguments):
    """Which ticket."""

    ticket: Reference = "last"


class ReopenTicket(Arguments):
    """Which ticket, and why."""

    ticket: Reference = "last"
    reason: Annotated[str, Field(max_length=4_000)] = ""


class AssignTicket(Arguments):
    """Which ticket goes to whom."""

    ticket: Reference = "last"
    assignee: Annotated[str, Field(min_length=1, max_length=200, description='An e-mail, or "me"')] = "me"


class ResolveTicket(Arguments):
    """Which ticket, and what was done."""

    ticket: Reference = "last"
    resolution: Words


class CancelTicket(Arguments):
    """Which ticket, and why."""

    ticket: Reference = "last"
    reason: Annotated[str, Field(max_length=4_000)] = ""


def tools(service: TicketService, people: People) -> tuple[Tool, ...]:
    """Return the tools of this file."""
    return (*_draft_tools(service), *_reading_tools(service), *_change_tools(service, people))


def _draft_tools(service: TicketService) -> tuple[Tool, ...]:
    return (
        Tool(
            spec=ToolSpec(
                name="draft_ticket",
                description=_draft_description(service),
                arguments=DraftTicket,
            ),
            policy=ToolPolicy(
                permission=Permission.TICKETS_CREATE, effect=Effect.DRAFT, audit="ticket.draft", calls_per_run=3
            ),
            handler=functools.partial(_draft, service),
        ),
        Tool(
            spec=ToolSpec(name="revise_draft", description="Change a draft that is still open.", arguments=ReviseDraft),
            policy=ToolPolicy(permission=Permission.TICKETS_CREATE, effect=Effect.DRAFT, audit="ticket.revise"),
            handler=functools.partial(_revise, service),
        ),
    )


def _draft_description(service: TicketService) -> str:
    """Return what drafting is for, with the configured categories and what each of them needs."""
    needs = (
        f"{name} (needs {', '.join(category.required)})" if category.required else name
        for name, category in service.config.categories.items()
    )
    return (
        "Start a ticket for a problem or wish. It is only a draft until the person confirms it. "
        f"Categories: {'; '.join(needs)}. Leave out a field that the person has not told."
    )


def _reading_tools(service: TicketService) -> tuple[Tool, ...]:
    return (
        Tool(
            spec=ToolSpec(
                name="list_tickets",
                description="List the person's own tickets, or the queue for people who work tickets.",
                arguments=ListTickets,
            ),
            policy=ToolPolicy(
                permission=Permission.TICKETS_READ_OWN,
                effect=Effect.READ,
                audit="ticket.list",
                returns_untrusted=True,
            ),
            handler=functools.partial(_list, service),
        ),
        Tool(
            spec=ToolSpec(name="show_ticket", description="Show one ticket with its comments.", arguments=ShowTicket),
            policy=ToolPolicy(
                permission=Permission.TICKETS_READ_OWN,
                effect=Effect.READ,
                audit="ticket.show",
                returns_untrusted=True,
            ),
            handler=functools.partial(_show, service),
        ),
    )


@dataclass(frozen=True)
class _Change:
    """One row of the table of changes; they differ in words and rights, not in how they run."""

    action: Action
    arguments: type[BaseModel]
    description: str
    permission: Permission = Permission.TICKETS_READ_OWN
    effect: Effect = Effect.WRITE
    confirmation: Confirmation = Confirmation.AFTER_UNTRUSTED


_CHANGES = (
    _Change(Action.COMMENT, CommentTicket, "Add a comment to a ticket."),
    _Change(Action.URGE, UrgeTicket, "Remind whoever works a ticket that it is waiting."),
    _Change(Action.REOPEN, ReopenTicket, "Open a resolved or cancelled ticket again."),
    _Change(Action.ASSIGN, AssignTicket, "Give a ticket to somebody.", permission=Permission.TICKETS_WORK),
    _Change(Action.RESOLVE, ResolveTicket, "Close a ticket with what was done.", permission=Permission.TICKETS_WORK),
    _Change(
        Action.CANCEL,
        CancelTicket,
        "Withdraw a ticket; the person has to press a button.",
        effect=Effect.RISKY,
        confirmation=Confirmation.ALWAYS,
    ),
)


def _change_tools(service: TicketService, people: People) -> tuple[Tool, ...]:
    return tuple(
        Tool(
            spec=ToolSpec(name=f"{row.action}_ticket", description=row.description, arguments=row.arguments),
            policy=ToolPolicy(
                permission=row.permission,
                effect=row.effect,
                audit=f"ticket.{row.action}",
                confirmation=row.confirmation,
            ),
            handler=functools.partial(_change, service, people, row.action),
            prepare=functools.partial(_prepare, service, row.action),
            resumable=True,  # every call carries a key that the tickets keep
        )
        for row in _CHANGES
    )


async def _draft(service: TicketService, context: ToolContext, arguments: DraftTicket) -> ToolResult:
    with _refusing():
        draft = await service.draft(
            context.actor,
            thread=context.thread,
            category=arguments.category,
            title=arguments.title,
            description=arguments.description,
            priority=arguments.priority,
            fields=arguments.fields,
            address=context.address,
            key=_key(context, "draft", arguments),
        )
    return _draft_result(draft, "draft.made")


async def _revise(service: TicketService, context: ToolContext, arguments: ReviseDraft) -> ToolResult:
    with _refusing():
        draft_id = await _draft_id(service, context, arguments.draft)
        draft = await service.revise(context.actor, draft_id, changes=arguments.changes)
    return _draft_result(draft, "draft.revised")


async def _list(service: TicketService, context: ToolContext, arguments: ListTickets) -> ToolResult:
    with _refusing():
        if arguments.scope == "queue":
            found = await service.queue(context.actor, status=arguments.status, search=arguments.search or None)
        else:
            found = await service.mine(context.actor, status=arguments.status)
    rows: list[JsonObject] = [_summary(ticket) for ticket in found]
    code = f"tickets.{arguments.scope}" if found else "tickets.none"
    shown = Shown("tickets", tuple(ticket.number for ticket in found), code)
    return ToolResult(content={"tickets": rows}, shows=(shown,), remembers=_remember(found[:1]))


async def _show(service: TicketService, context: ToolContext, arguments: ShowTicket) -> ToolResult:
    with _refusing():
        ticket = await _resolve(service, context, arguments.ticket)
    comments: list[JsonObject] = [{"by": comment.author_name, "text": comment.text} for comment in ticket.comments]
    content: JsonObject = {"ticket": {**_summary(ticket), "description": ticket.description, "comments": comments}}
    return ToolResult(
        content=content, shows=(Shown("ticket", (ticket.number,), "ticket.shown"),), remembers=_remember((ticket,))
    )


async def _change(
    service: TicketService, people: People, action: Action, context: ToolContext, arguments: BaseModel
) -> ToolResult:
    with _refusing():
        number = await _number(service, context, _ticket_of(arguments))
        ticket = await _call(service, people, action)(context, number, arguments)
    return _change_result(ticket, action)


_Call = Callable[[ToolContext, str, BaseModel], Awaitable[Ticket]]


def _call(service: TicketService, people: People, action: Action) -> _Call:
    """Return the service's own call for an action, with what only that one needs."""

    async def call(context: ToolContext, number: str, arguments: BaseModel) -> Ticket:
        actor, key = context.actor, _key(context, action, arguments)
        match arguments:
            case CommentTicket(text=text):
                return await service.comment(actor, number, text=text, key=key)
            case UrgeTicket():
                return await service.urge(actor, number, key=key)
            case ReopenTicket(reason=reason):
                return await service.reopen(actor, number, reason=reason, key=key)
            case AssignTicket(assignee=assignee):
                to = await _assignee(people, actor, assignee)
                version = context.approved.version if context.approved else None
                return await service.assign(actor, number, assignee=to, version=version, key=key)
            case ResolveTicket(resolution=resolution):
                return await service.resolve(actor, number, resolution=resolution, key=key)
            case CancelTicket(reason=reason):
                version = context.approved.version if context.approved else None
                return await service.cancel(actor, number, reason=reason, version=version, key=key)
            case _:
                raise ToolRefused("unknown_action", action)

    return call


async def _prepare(service: TicketService, action: Action, context: ToolContext, arguments: BaseModel) -> Prepared:
    """Name the ticket that a button would change, so that "last" means the same when it is pressed."""
    with _refusing():
        ticket = await _resolve(service, context, _ticket_of(arguments))
    resolved = arguments.model_copy(update={"ticket": ticket.number})
    # What only adds to a ticket need not wait because somebody else has added something.
    version = None if action in (Action.COMMENT, Action.URGE) else ticket.version
    return Prepared(arguments=resolved, resource=ticket.number, version=version)


def _ticket_of(arguments: BaseModel) -> str:
    reference: str = getattr(arguments, "ticket")  # noqa: B009 - every argument class of `_CHANGES` has it
    return reference


async def _number(service: TicketService, context: ToolContext, said: str) -> str:
    """Return the number behind a back reference; any other reference goes to the service as it was said."""
    if said.casefold() not in BACK_REFERENCES:
        return said
    remembered = context.memory.last.get("ticket")
    if remembered is not None:
        return remembered
    latest = await service.latest(context.actor)
    if latest is None:
        raise ToolRefused("no_ticket_yet")
    return latest.number


async def _resolve(service: TicketService, context: ToolContext, said: str) -> Ticket:
    return await service.show(context.actor, await _number(service, context, said))


async def _draft_id(service: TicketService, context: ToolContext, said: str) -> str:
    if said.casefold() not in BACK_REFERENCES:
        return said
    remembered = context.memory.last.get("draft")
    if remembered is not None:
        return remembered
    latest = await service.latest_draft(context.actor, thread=context.thread)
    if latest is None:
        raise ToolRefused("no_draft_yet")
    return latest.id


async def _assignee(people: People, actor: Actor, said: str) -> Actor:
    if said.casefold() in {"me", "myself", "我", "自己"}:
        return actor
    try:
        return await people(said)
    except UnknownPerson as error:
        raise ToolRefused("unknown_person", said) from error


def _key(context: ToolContext, action: str, arguments: BaseModel) -> str:
    """Return what makes a repeated call the same one: the approval, else the inbound event and the arguments."""
    if context.approved is not None:
        return context.approved.approval_id
    said = digest({"event": context.event_id, "action": action, "arguments": arguments.model_dump(mode="json")})
    return f"tool:{said}"


@contextmanager
def _refusing() -> Iterator[None]:
    """Turn what the tickets refuse into what the gate understands."""
    try:
        yield
    except TicketsError as error:
        raise ToolRefused(error.code, str(error)) from error


def _draft_result(draft: Draft, code: str) -> ToolResult:
    content: JsonObject = {
        "draft": {
            "id": draft.id,
            "version": draft.version,
            "category": draft.category,
            "title": draft.title,
            "description": draft.description,
            "priority": draft.priority.value,
            "fields": dict(draft.fields),
            "missing": list(draft.missing),
        }
    }
    return ToolResult(content=content, shows=(Shown("draft", (draft.id,), code),), remembers={"draft": draft.id})


#: Action → what the reply says happened.
_DONE: Mapping[Action, str] = {
    Action.ASSIGN: "ticket.assigned",
    Action.CANCEL: "ticket.cancelled",
    Action.COMMENT: "ticket.commented",
    Action.REOPEN: "ticket.reopened",
    Action.RESOLVE: "ticket.resolved",
    Action.URGE: "ticket.urged",
}


def _change_result(ticket: Ticket, action: Action) -> ToolResult:
    return ToolResult(
        content={"ticket": {"number": ticket.number, "status": ticket.status.value, "done": _DONE[action]}},
        shows=(Shown("ticket", (ticket.number,), _DONE[action]),),
        remembers=_remember((ticket,)),
    )


def _summary(ticket: Ticket) -> dict[str, str]:
    return {
        "number": ticket.number,
        "title": ticket.title,
        "status": ticket.status.value,
        "priority": ticket.priority.value,
        "category": ticket.category,
        "assignee": ticket.assignee_name or "",
        "updated": ticket.updated_at.date().isoformat(),
    }


def _remember(tickets: tuple[Ticket, ...]) -> Mapping[str, str]:
    return {"ticket": tickets[0].number} if tickets else {}
