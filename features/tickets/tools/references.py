"""What people and models say for the ticket or draft that was last spoken of, and what is refused on the way."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated

from pydantic import Field

from agent.errors import ToolRefused
from agent.tools.context import ToolContext
from tickets.errors import TicketsError
from tickets.service import TicketService
from tickets.ticket import Status, Ticket

Reference = Annotated[
    str, Field(min_length=1, max_length=64, description='A number such as TCK-2026-000123, or "last" for the last one')
]

#: What people and models say for the thing that was last spoken of.
BACK_REFERENCES = frozenset(
    {"last", "latest", "my last", "that", "that one", "it", "this", "上一单", "刚才那个", "那个", "最近"}
)


async def number_of(service: TicketService, context: ToolContext, said: str) -> str:
    """Return the number behind a back reference; any other reference goes to the service as it was said."""
    if said in (Status.CANCELLED, Status.RESOLVED):
        ended = await service.mine(context.actor, status=Status(said), limit=1)
        if not ended:
            raise ToolRefused("no_ticket_yet")
        return ended[0].number
    if said.casefold() not in BACK_REFERENCES:
        return said
    remembered = context.memory.last.get("ticket")
    if remembered:
        return remembered
    latest = await service.latest(context.actor)
    if latest is None:
        raise ToolRefused("no_ticket_yet")
    return latest.number


async def ticket_of(service: TicketService, context: ToolContext, said: str) -> Ticket:
    """Return the ticket behind a reference, with its comments."""
    return await service.show(context.actor, await number_of(service, context, said))


@contextmanager
def refusing() -> Iterator[None]:
    """Turn what the tickets refuse into what the gate understands."""
    try:
        yield
    except TicketsError as error:
        raise ToolRefused(error.code, str(error)) from error


#: Tickets of a list that can be pointed out: "the second one".
POINTED_OUT = 9


def remember_listed(tickets: Sequence[Ticket]) -> Mapping[str, str]:
    """Return what "my last ticket" and "the second one" mean after a list."""
    numbers = ",".join(ticket.number for ticket in tickets[:POINTED_OUT])
    return {**remember(tuple(tickets[:1])), "listed": numbers}


def remember(tickets: tuple[Ticket, ...]) -> Mapping[str, str]:
    """Return what "my last ticket" means from here on."""
    return {"ticket": tickets[0].number} if tickets else {}
