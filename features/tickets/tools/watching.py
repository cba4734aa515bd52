"""The tools by which somebody follows a ticket that is not theirs, and learns who is told of their own."""

import functools
from typing import Annotated

from pydantic import Field

from agent.results import Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.tickets.tools.references import Reference, number_of, refusing, remember
from identity.permissions import Permission
from tickets.service import TicketService


class WatchTicket(Arguments):
    """Which ticket."""

    ticket: Reference = "last"


class UnwatchTicket(Arguments):
    """Which ticket."""

    ticket: Reference = "last"


class ShowDuty(Arguments):
    """Of which category; all, where none is named."""

    category: Annotated[str, Field(max_length=100)] = ""


def tools(service: TicketService) -> tuple[Tool, ...]:
    """Return the tools of this file."""
    return (
        Tool(
            spec=ToolSpec(
                name="show_duty",
                description="Show who is told when the person files a ticket, as the desk is set.",
                arguments=ShowDuty,
            ),
            policy=ToolPolicy(permission=Permission.TICKETS_CREATE, effect=Effect.READ, audit="ticket.duty"),
            handler=_duty,
        ),
        _tool("watch_ticket", "Tell the person from now on what happens to a ticket.", WatchTicket, service),
        _tool("unwatch_ticket", "Tell the person no more what happens to a ticket.", UnwatchTicket, service),
    )


def _tool(name: str, description: str, arguments: type[WatchTicket | UnwatchTicket], service: TicketService) -> Tool:
    return Tool(
        spec=ToolSpec(name=name, description=description, arguments=arguments),
        policy=ToolPolicy(
            permission=Permission.TICKETS_READ_OWN,
            effect=Effect.WRITE,
            audit=f"ticket.{name.partition('_')[0]}",
            confirmation=Confirmation.AFTER_UNTRUSTED,
        ),
        handler=functools.partial(_set, service),
        resumable=True,  # watching twice is watching
    )


async def _duty(_context: ToolContext, arguments: ShowDuty) -> ToolResult:
    return ToolResult((Records("duty", (arguments.category,) if arguments.category else ()),))


async def _set(service: TicketService, context: ToolContext, arguments: WatchTicket | UnwatchTicket) -> ToolResult:
    watches = isinstance(arguments, WatchTicket)
    with refusing():
        number = await number_of(service, context, arguments.ticket)
        change = service.watch if watches else service.unwatch
        ticket = await change(context.actor, number)
    code = "ticket.watched" if watches else "ticket.unwatched"
    return ToolResult((Records("ticket", (ticket.number,), code),), remembers=remember((ticket,)))
