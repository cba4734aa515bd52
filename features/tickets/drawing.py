"""Drafts and tickets drawn from their state, as one actor may see them."""

from collections.abc import Mapping

from adapters.cards import Block, Buttons, Note, Text
from agent.results import Records
from features.anatomy.handling import RecordKind
from features.anatomy.reader import Reader
from features.anatomy.spoken import said_of
from features.anatomy.texts import say
from features.tickets.duty import Duty
from features.tickets.rendering import draft_blocks, ticket_blocks, ticket_list_blocks, tried_blocks, undo_button
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide
from tickets.config import TicketsConfig
from tickets.errors import NotFound
from tickets.service import TicketService
from tickets.ticket import DraftState, Status
from tickets.use_cases.desk import may_see

#: What is said above the card of a draft.
_SAID_ABOVE = ("draft.already_here", "draft.corrected", "draft.button", "draft.unfinished", "draft.restored")


class Drawing:
    """Draws drafts and tickets as they stand now."""

    def __init__(self, tickets: TicketService, config: TicketsConfig, duty: Duty) -> None:
        self._tickets = tickets
        self._duty = duty
        self._config = config

    def kinds(self) -> Mapping[str, RecordKind]:
        """Return how each kind of record is drawn."""
        return {
            "draft": RecordKind(self._draft, draw_followed=self._followed_draft, changes=True, acts=True),
            "discarded": RecordKind(self._discarded),
            "ticket": RecordKind(self._ticket, private=True),
            "tickets": RecordKind(self._list, private=True),
            "duty": RecordKind(self._who_is_told, private=True),
        }

    async def home(self, actor: Actor, reader: Reader) -> tuple[Block, ...]:
        """Return a person's waiting drafts and active tickets; for workers, theirs and what nobody has."""
        if not decide(actor, Permission.TICKETS_READ_OWN).allowed:
            return ()
        blocks: list[Block] = []
        for draft in await self._tickets.open_drafts(actor):
            blocks.extend(await self.draft(actor, draft.id, reader, answerable=False))
        lists = {"list": await self._tickets.mine(actor)}
        if decide(actor, Permission.TICKETS_WORK).allowed:
            queue = await self._tickets.queue(actor)
            lists["work"] = tuple(each for each in queue if each.assignee_id == actor.id)
            lists["free"] = tuple(each for each in queue if each.assignee_id is None)
        for name, tickets in lists.items():
            if active := tuple(each for each in tickets if each.status in (Status.OPEN, Status.IN_PROGRESS)):
                blocks.extend(ticket_list_blocks(active, reader, title=say(reader.language, f"ticket.{name}_title")))
        return tuple(blocks)

    async def described(self, actor: Actor, number: str) -> Mapping[str, str]:
        """Return what the words of an approval say of the ticket that it would change."""
        try:
            return {"title": (await self._tickets.show(actor, number)).title}
        except NotFound:
            return {"title": ""}

    async def draft(
        self, actor: Actor, draft_id: str, reader: Reader, *, answerable: bool = True, below: str = ""
    ) -> tuple[Block, ...]:
        """Return a draft's blocks; its buttons work for its requester only. `below`: the code of its making."""
        try:
            draft = await self._tickets.show_draft(actor, draft_id)
        except NotFound:
            return (Note(say(reader.language, "draft.gone"), tone="warn"),)
        nonce = await self._tickets.nonce_for(actor, draft_id)
        if below in ("draft.tried", "draft.asked") and draft.state is DraftState.OPEN:
            return tried_blocks(draft, reader, self._config, nonce=nonce, wished=below == "draft.asked")
        return draft_blocks(draft, reader, self._config, nonce=nonce, answerable=answerable)

    async def told(self, actor: Actor, number: str, reader: Reader) -> Note:
        """Return the line that says who learns of a ticket that the actor has filed or urged."""
        return await self._duty.told(actor, await self._tickets.show(actor, number), reader.language)

    async def discarded(self, actor: Actor, draft_id: str, reader: Reader, *, code: str) -> tuple[Block, ...]:
        """Return what is said of a draft that was thrown away just now, with the way back."""
        nonce = await self._tickets.nonce_for(actor, draft_id)
        undo = undo_button(draft_id, reader.language, nonce)
        return (*said_of(code, reader.language), Buttons((undo,)))

    async def ticket(self, actor: Actor, number: str, reader: Reader) -> tuple[Block, ...]:
        """Return a ticket's blocks with the buttons that the actor may press."""
        return await self._ticket(actor, Records(kind="ticket", ids=(number,)), reader)

    async def ticket_for(self, by: Actor, person: Actor, number: str, reader: Reader) -> tuple[Block, ...] | None:
        """Return a ticket's blocks as a person sees them, drawn by the desk itself; None when they may not see it."""
        ticket = await self._tickets.show(by, number)
        if not may_see(person, ticket):
            return None
        works = decide(person, Permission.TICKETS_WORK).allowed
        return ticket_blocks(ticket, reader, self._config, actor_id=person.id, works=works)

    async def _draft(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        said = said_of(shown.code, reader.language) if shown.code in _SAID_ABOVE else ()
        if shown.code == "draft.handed_over":
            said = await self._on_duty(actor, shown.ids[0], reader)
        return (*said, *await self.draft(actor, shown.ids[0], reader, below=shown.code))

    async def _who_is_told(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        return await self._duty.drawn(actor, shown.ids, reader.language)

    async def _on_duty(self, actor: Actor, draft_id: str, reader: Reader) -> tuple[Block, ...]:
        """Return who gets a draft of somebody who wants to speak with a person, once it is confirmed."""
        try:
            draft = await self._tickets.show_draft(actor, draft_id)
        except NotFound:
            return ()
        return (await self._duty.waiting(actor, draft.category, reader.language),)

    async def _discarded(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        return await self.discarded(actor, shown.ids[0], reader, code=shown.code)

    async def _followed_draft(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return an older card of a draft, kept short: the newest card has what it says and the buttons."""
        heading, *rest = await self.draft(actor, shown.ids[0], reader)
        if any(isinstance(block, Buttons) for block in rest):
            return (heading, Note(say(reader.language, "draft.superseded")))
        return (heading, *rest[-1:])

    async def _ticket(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        number = shown.ids[0]
        try:
            ticket = await self._tickets.show(actor, number)
        except NotFound:
            return (Note(say(reader.language, "ticket.not_found", number=number), tone="warn"),)
        said = said_of(
            shown.code,
            reader.language,
            number=number,
            name=ticket.assignee_name or "",
            priority=say(reader.language, f"ticket.priority.{ticket.priority}"),
        )
        if shown.code == "ticket.urged":
            said = (*said, await self._duty.told(actor, ticket, reader.language))
        works = decide(actor, Permission.TICKETS_WORK).allowed
        card = ticket_blocks(ticket, reader, self._config, actor_id=actor.id, works=works, tells=True)
        return (*said, *card)

    async def _list(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        queue = shown.code == "tickets.queue"
        title = say(reader.language, "ticket.queue_title" if queue else "ticket.list_title")
        if not shown.ids:
            return (Text(say(reader.language, "ticket.queue_empty" if queue else "ticket.none")),)
        found = await self._tickets.several(actor, shown.ids)
        return ticket_list_blocks(found, reader, title=title)
