"""What tickets do by the clock, and what they have to say in a digest."""

from adapters.cards import Block
from features.anatomy.reader import Reader
from features.anatomy.schedules import Job
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from features.tickets.rendering import ticket_list_blocks
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide
from storage.ids import new_id
from storage.queue.schedules import Every
from tickets.service import TicketService
from tickets.ticket import Priority, Status

_PRIORITIES = tuple(Priority)


class TicketSchedules:
    """Ends drafts that nobody confirmed, and tells those who work what is open."""

    def __init__(self, tickets: TicketService, telling: Telling) -> None:
        self._tickets = tickets
        self._telling = telling

    def jobs(self) -> tuple[Job, ...]:
        """Return every job."""
        return (Job("expire drafts", Every(300), self._expire_drafts),)

    async def _expire_drafts(self) -> None:
        for draft_id in await self._tickets.expire_drafts():
            await self._telling.redraw(f"draft:{draft_id}", version=new_id("expired"))

    async def digest(self, actor: Actor, reader: Reader) -> tuple[Block, ...]:
        """Return what is open: everybody's tickets for those who work them, else one's own; the most urgent first."""
        works = decide(actor, Permission.TICKETS_WORK).allowed
        if not (works or decide(actor, Permission.TICKETS_READ_OWN).allowed):
            return ()
        every = await (self._tickets.queue(actor) if works else self._tickets.mine(actor))
        found = [ticket for ticket in every if ticket.status in (Status.OPEN, Status.IN_PROGRESS)]
        if not found:
            return ()
        urgent_first = sorted(found, key=lambda each: (-_PRIORITIES.index(each.priority), each.created_at))
        free = sum(ticket.assignee_id is None for ticket in found)
        key = "ticket.digest.queue" if works else "ticket.digest.own"
        title = say(reader.language, key, count=len(found), free=free)
        return ticket_list_blocks(tuple(urgent_first), reader, title=title)
