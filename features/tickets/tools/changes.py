"""The tools that change a filed ticket; they differ in words and rights, not in how they run."""

import functools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from agent.errors import ToolRefused
from agent.results import Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext, repeat_key
from agent.tools.registry import Confirmation, Effect, Prepared, Tool, ToolPolicy, ToolResult, ToolSpec
from features.tickets.tools.references import Reference, number_of, refusing, remember, ticket_of
from identity.actor import Actor
from identity.errors import UnknownPerson
from identity.permissions import Permission
from storage.ids import JsonObject
from tickets.service import TicketService
from tickets.ticket import Action, Priority, Ticket

Words = Annotated[str, Field(min_length=1, max_length=4_000)]

#: Finds a person by id or e-mail; raises UnknownPerson. The directory's `person`.
People = Callable[[str], Awaitable[Actor]]


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


class PrioritiseTicket(Arguments):
    """Which ticket, and how soon somebody should look."""

    ticket: Reference = "last"
    priority: Priority


class ResolveTicket(Arguments):
    """Which ticket, and what was done."""

    ticket: Reference = "last"
    resolution: Words


class CancelTicket(Arguments):
    """Which ticket, and why."""

    ticket: Reference = "last"
    reason: Annotated[str, Field(max_length=4_000)] = ""


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
    _Change(
        Action.PRIORITISE,
        PrioritiseTicket,
        "Change the priority of a ticket.",
        permission=Permission.TICKETS_WORK,
    ),
    _Change(Action.RESOLVE, ResolveTicket, "Close a ticket with what was done.", permission=Permission.TICKETS_WORK),
    _Change(
        Action.CANCEL,
        CancelTicket,
        "Withdraw a ticket; the person has to press a button.",
        effect=Effect.RISKY,
        confirmation=Confirmation.ALWAYS,
    ),
)


def tools(service: TicketService, people: People) -> tuple[Tool, ...]:
    """Return the tools of this file."""
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


async def _change(
    service: TicketService, people: People, action: Action, context: ToolContext, arguments: BaseModel
) -> ToolResult:
    with refusing():
        number = await number_of(service, context, _named(arguments))
        ticket = await _call(service, people, action)(context, number, arguments)
    return _change_result(context, ticket, action)


_Call = Callable[[ToolContext, str, BaseModel], Awaitable[Ticket]]


def _call(service: TicketService, people: People, action: Action) -> _Call:
    """Return the service's own call for an action, with what only that one needs."""

    async def call(context: ToolContext, number: str, arguments: BaseModel) -> Ticket:
        actor, key = context.actor, repeat_key(context, action, arguments)
        match arguments:
            case CommentTicket(text=text):
                done = service.comment(actor, number, text=text, key=key)
            case UrgeTicket():
                done = service.urge(actor, number, key=key)
            case ReopenTicket(reason=reason):
                done = service.reopen(actor, number, reason=reason, key=key)
            case AssignTicket(assignee=assignee):
                to = await _assignee(people, actor, assignee)
                seen = context.approved.version if context.approved else None
                if to.id != actor.id and seen is None:  # who names another person means to hand it over
                    seen = (await service.show(actor, number)).version
                done = service.assign(actor, number, assignee=to, version=seen, key=key)
            case PrioritiseTicket(priority=priority):
                done = service.prioritise(actor, number, priority=priority, key=key)
            case ResolveTicket(resolution=resolution):
                done = service.resolve(actor, number, resolution=resolution, key=key)
            case CancelTicket(reason=reason):
                version = context.approved.version if context.approved else None
                done = service.cancel(actor, number, reason=reason, version=version, key=key)
            case _:
                raise ToolRefused("unknown_action", action)
        return await done

    return call


async def _prepare(service: TicketService, action: Action, context: ToolContext, arguments: BaseModel) -> Prepared:
    """Name the ticket that a button would change, so that "last" means the same when it is pressed."""
    with refusing():
        ticket = await ticket_of(service, context, _named(arguments))
    resolved = arguments.model_copy(update={"ticket": ticket.number})
    # What only adds to a ticket need not wait because somebody else has added something.
    version = None if action in (Action.COMMENT, Action.URGE) else ticket.version
    return Prepared(arguments=resolved, resource=ticket.number, version=version)


def _named(arguments: BaseModel) -> str:
    reference: str = getattr(arguments, "ticket")  # noqa: B009 - every argument class of `_CHANGES` has it
    return reference


async def _assignee(people: People, actor: Actor, said: str) -> Actor:
    if said.casefold() in {"me", "myself", "我", "自己"}:
        return actor
    try:
        return await people(said)
    except UnknownPerson as error:
        raise ToolRefused("unknown_person", said) from error


#: Action → what the reply says happened.
_DONE: Mapping[Action, str] = {
    Action.ASSIGN: "ticket.assigned",
    Action.CANCEL: "ticket.cancelled",
    Action.COMMENT: "ticket.commented",
    Action.PRIORITISE: "ticket.prioritised",
    Action.REOPEN: "ticket.reopened",
    Action.RESOLVE: "ticket.resolved",
    Action.URGE: "ticket.urged",
}


def _change_result(context: ToolContext, ticket: Ticket, action: Action) -> ToolResult:
    content: JsonObject = {"ticket": {"number": ticket.number, "status": ticket.status.value, "done": _DONE[action]}}
    changed = Records("ticket", (ticket.number,), _DONE[action], content)
    filed = {"filed": ticket.number} if context.memory.last.get("filed") == ticket.number else {}  # more may follow
    return ToolResult((changed,), remembers={**remember((ticket,)), **filed})
