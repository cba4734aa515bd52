"""A person's home: what waits for them."""

from adapters.cards import Block, Heading, Note
from agent.approvals.approvals import Approvals
from bot.delivery.showing import Showing
from bot.rendering.cards import Reader
from bot.rendering.texts.catalogue import say
from bot.rendering.ticket_cards import ticket_list_blocks
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide
from tickets.service import TicketService
from tickets.ticket import Status


class Home:
    """Gathers a person's drafts, approvals and open tickets."""

    def __init__(self, *, tickets: TicketService, approvals: Approvals, showing: Showing) -> None:
        self._tickets = tickets
        self._approvals = approvals
        self._showing = showing

    async def blocks(self, actor: Actor, reader: Reader) -> tuple[Block, ...]:
        """Return the home's blocks: approvals first, then drafts, then tickets."""
        blocks: list[Block] = []
        language = reader.language
        for approval in await self._approvals.waiting(actor):
            blocks.extend(await self._showing.approval(actor, approval.id, reader))
        if decide(actor, Permission.TICKETS_READ_OWN).allowed:
            for draft in await self._tickets.open_drafts(actor):
                blocks.extend(await self._showing.draft(actor, draft.id, reader, answerable=False))
            mine = await self._tickets.mine(actor)
            active = tuple(each for each in mine if each.status in (Status.OPEN, Status.IN_PROGRESS))
            if active:
                blocks.extend(ticket_list_blocks(active, reader, title=say(language, "ticket.list_title")))
        return (Heading(text=say(language, "home.title")), *(blocks or [Note(say(language, "home.nothing"))]))
