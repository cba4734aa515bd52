"""The tools that work tickets: reading them here, drafts and changes in the files beside.

A file of tools is one argument class and one handler each, and `tools()` that ties them to what the gate enforces.
No argument says who is calling: handlers take the caller from the context.
"""

import functools
from datetime import datetime, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from agent.results import Bilingual, Message, Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.texts import LANGUAGES, say
from features.tickets.tools import changes, drafting, finding, watching
from features.tickets.tools.changes import People
from features.tickets.tools.references import Reference, refusing, remember, remember_listed, ticket_of
from identity.permissions import Permission
from storage.ids import JsonObject
from tickets.service import TicketService
from tickets.ticket import Status, Ticket


class ListTickets(Arguments):
    """Which tickets."""

    scope: Annotated[Literal["mine", "queue"], Field(description='"queue" is for people who work tickets')] = "mine"
    status: Status | None = None
    search: Annotated[str, Field(max_length=200)] = ""


class CountTickets(Arguments):
    """Since when, and whose."""

    period: Annotated[Literal["all", "today", "yesterday", "week", "month"], Field(description="Since when")] = "all"
    mine: Annotated[bool, Field(description="Only the person's own, also for people who work tickets")] = False


class ShowTicket(Arguments):
    """Which ticket."""

    ticket: Reference = "last"


def tools(service: TicketService, people: People) -> tuple[Tool, ...]:
    """Return every tool that works tickets."""
    return (
        *drafting.tools(service),
        *_reading_tools(service),
        *finding.tools(service),
        *changes.tools(service, people),
        *watching.tools(service),
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
            spec=ToolSpec(
                name="count_tickets",
                description="Count tickets filed and resolved since a day, and those open now: the person's own, or "
                "everybody's for people who work tickets.",
                arguments=CountTickets,
            ),
            policy=ToolPolicy(permission=Permission.TICKETS_READ_OWN, effect=Effect.READ, audit="ticket.count"),
            handler=functools.partial(_count, service),
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


async def _list(service: TicketService, context: ToolContext, arguments: ListTickets) -> ToolResult:
    with refusing():
        if arguments.scope == "queue":
            found = await service.queue(context.actor, status=arguments.status, search=arguments.search or None)
        else:
            found = await service.mine(context.actor, status=arguments.status)
    rows: list[JsonObject] = [_summary(ticket) for ticket in found]
    code = f"tickets.{arguments.scope}" if found else "tickets.none"
    listed = Records("tickets", tuple(ticket.number for ticket in found), code, {"tickets": rows})
    return ToolResult((listed,), remembers=remember_listed(found))


async def _count(service: TicketService, context: ToolContext, arguments: CountTickets) -> ToolResult:
    since = _began(arguments.period, context.now.astimezone(ZoneInfo(context.actor.timezone)))
    with refusing():
        count = await service.count(context.actor, since=since, mine=arguments.mine)
    texts = {}
    for language in LANGUAGES:
        day = _day(since, language)
        period = say(language, f"ticket.counted.period.{arguments.period}", since=day)
        said = "ticket.counted.said" if count.everybody else "ticket.counted.own"
        texts[language] = say(
            language, said, period=period, count=count.filed, resolved=count.resolved, open=count.open
        )
    return ToolResult((Message(Bilingual(texts["en"], texts["zh"])),))


def _began(period: str, now: datetime) -> datetime:
    """Return the instant since which tickets are counted: a midnight where the person lives."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    match period:
        case "today":
            return midnight
        case "yesterday":
            return midnight - timedelta(days=1)
        case "week":
            return midnight - timedelta(days=midnight.weekday())
        case "month":
            return midnight.replace(day=1)
        case _:
            return datetime(1970, 1, 1, tzinfo=now.tzinfo)


def _day(since: datetime, language: str) -> str:
    return f"{since.month}月{since.day}日" if language == "zh" else f"{since.day} {since:%b %Y}"


async def _show(service: TicketService, context: ToolContext, arguments: ShowTicket) -> ToolResult:
    with refusing():
        ticket = await ticket_of(service, context, arguments.ticket)
    comments: list[JsonObject] = [{"by": comment.author_name, "text": comment.text} for comment in ticket.comments]
    content: JsonObject = {"ticket": {**_summary(ticket), "description": ticket.description, "comments": comments}}
    shown = Records("ticket", (ticket.number,), "ticket.shown", content)
    return ToolResult((shown,), remembers=remember((ticket,)))


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
