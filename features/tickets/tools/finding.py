"""The tool that finds what somebody has reported, by the words in which they ask how it stands."""

import functools
from collections.abc import Sequence
from typing import Annotated, TypeVar

from pydantic import Field

from agent.errors import ToolRefused
from agent.results import Bilingual, Message, Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.texts import say
from features.tickets.tools.drafting import as_it_waits
from features.tickets.tools.references import POINTED_OUT, refusing, remember_listed
from features.tickets.understanding.references import named_of
from identity.permissions import Permission
from tickets.service import TicketService
from tickets.ticket import Draft, Ticket

_Reported = TypeVar("_Reported", Draft, Ticket)


class FindTicket(Arguments):
    """What somebody asks after."""

    about: Annotated[str, Field(max_length=400, description="The question in the person's own words")] = ""


def tools(service: TicketService) -> tuple[Tool, ...]:
    """Return the tools of this file."""
    return (
        Tool(
            spec=ToolSpec(
                name="find_ticket",
                description="Show how a report of the person stands: their ticket, or the draft that waits.",
                arguments=FindTicket,
            ),
            policy=ToolPolicy(
                permission=Permission.TICKETS_READ_OWN,
                effect=Effect.READ,
                audit="ticket.find",
                returns_untrusted=True,
            ),
            handler=functools.partial(_find, service),
        ),
    )


async def _find(service: TicketService, context: ToolContext, arguments: FindTicket) -> ToolResult:
    with refusing():
        tickets = await service.mine(context.actor)
        drafts = await service.open_drafts(context.actor)
        here = await service.drafts_of(context.actor, thread=context.thread)
    words = named_of(arguments.about)
    if not words:
        return _last(context, tickets, here or drafts)
    (shared, found), (shared_waiting, waiting) = _nearest(words, tickets), _nearest(words, drafts)
    if shared_waiting > shared:
        return as_it_waits(waiting[0])
    if found:
        return _tickets(found)
    if not tickets:
        return _last(context, (), here)
    said = say(context.language, "ticket.none_about")
    listed = _tickets(tickets)
    return ToolResult((Message(Bilingual(said, said)), *listed.results), remembers=listed.remembers)


def _last(context: ToolContext, tickets: Sequence[Ticket], drafts: Sequence[Draft]) -> ToolResult:
    """Return what was spoken of or reported last, where nothing says which is meant."""
    remembered = context.memory.last.get("ticket")
    spoken_of = [each for each in tickets if each.number == remembered]
    if drafts and not spoken_of:
        return as_it_waits(drafts[0])
    if not tickets:
        raise ToolRefused("no_ticket_yet")
    return _tickets(spoken_of or tickets[:1])


def _tickets(found: Sequence[Ticket]) -> ToolResult:
    numbers = tuple(each.number for each in found[:POINTED_OUT])
    code, kind = ("ticket.shown", "ticket") if len(numbers) == 1 else ("tickets.mine", "tickets")
    return ToolResult((Records(kind, numbers, code),), remembers=remember_listed(found))


def _nearest(words: frozenset[str], reported: Sequence[_Reported]) -> tuple[int, Sequence[_Reported]]:
    """Return how many words are shared with the question at most, and those that share so many, the newest first."""
    shared = [len(words & named_of(f"{each.title} {each.description}")) for each in reported]
    most = max(shared, default=0)
    return most, [each for each, count in zip(reported, shared, strict=True) if count == most > 0]
