"""Reminders drawn from their state: to their owner, and again for all who see what was posted."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from adapters.cards import Block, Heading, Note
from agent.results import Records
from features.anatomy.handling import RecordKind
from features.anatomy.reader import Reader
from features.anatomy.texts import say
from features.reminders.errors import NoSuchReminder
from features.reminders.reminder import SET, Reminder, Waits, Where
from features.reminders.rendering import (
    draft_blocks_of,
    followed_blocks,
    listed_blocks,
    reminder_blocks,
    removed_blocks,
    ticket_blocks_of,
)
from features.reminders.service import REMINDING, ReminderService
from identity.actor import Actor
from identity.directory import Directory
from identity.errors import Forbidden, UnknownPerson
from identity.policy import decide
from tickets.errors import TicketsError
from tickets.service import TicketService

#: Reminders that a home shows.
AT_HOME = 5


@dataclass(frozen=True)
class ReminderDrawing:
    """Draws reminders as they stand now."""

    service: ReminderService
    tickets: TicketService
    directory: Directory

    def kinds(self) -> Mapping[str, RecordKind]:
        """Return how each kind of record is drawn."""
        erase = partial(self.service.erase, REMINDING)
        return {
            "reminder": RecordKind(self._one, draw_followed=self._followed, changes=True, private=True, erase=erase),
            "reminder_here": RecordKind(self._one, draw_followed=self._followed, changes=True, erase=erase),
            "reminder_gone": RecordKind(self._gone, private=True),
            "reminders": RecordKind(self._list, private=True),
        }

    async def home(self, actor: Actor, reader: Reader) -> tuple[Block, ...]:
        """Return what was told and waits for an answer, and what comes next."""
        if not decide(actor, SET).allowed:
            return ()
        mine = await self.service.of(actor)
        told_first = sorted(mine, key=lambda each: each.state is not Waits.TOLD)
        if not mine:
            return ()
        return (
            Heading(say(reader.language, "reminder.title")),
            *listed_blocks(tuple(told_first[:AT_HOME]), reader),
            *((Note(say(reader.language, "reminder.more", count=len(mine) - AT_HOME)),) if len(mine) > AT_HOME else ()),
        )

    async def card(self, reminder: Reminder, reader: Reader) -> tuple[Block, ...]:
        """Return a reminder's card with what its owner may see at this moment of what it is about."""
        return reminder_blocks(reminder, reader, about=await self._about(reminder, reader))

    async def is_readable(self, reminder: Reminder) -> bool:
        """Return whether the owner may still read the ticket or draft that a reminder is about."""
        if not reminder.about:
            return True
        try:
            await self._thing(reminder)
        except (TicketsError, UnknownPerson, Forbidden):
            return False
        return True

    async def _one(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        try:
            found = await self.service.find(actor, shown.ids[0])
        except NoSuchReminder:
            return await self._missing(actor, shown.ids[0], reader)
        return await self.card(found, reader)

    async def _followed(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        try:
            return followed_blocks(await self.service.find(actor, shown.ids[0]), reader)
        except NoSuchReminder:
            return (Note(say(reader.language, "reminder.deleted")),)

    async def _gone(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        return tuple([block for each in shown.ids for block in await self._one_gone(actor, each, reader)])

    async def _one_gone(self, actor: Actor, reminder_id: str, reader: Reader) -> tuple[Block, ...]:
        """Return what stands for a reminder that was deleted: the card of one that was brought back since."""
        try:
            back = await self.service.find(actor, reminder_id)
        except NoSuchReminder:
            return await self._missing(actor, reminder_id, reader)
        return await self.card(back, reader)

    async def _missing(self, actor: Actor, reminder_id: str, reader: Reader) -> tuple[Block, ...]:
        try:
            return removed_blocks(await self.service.find_deleted(actor, reminder_id), reader)
        except (NoSuchReminder, Forbidden):
            return (Note(say(reader.language, "reminder.deleted"), tone="good"),)

    async def _list(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        found = await self.service.of(actor) if decide(actor, SET).allowed else ()
        if shown.ids or shown.code:
            found = tuple(each for each in found if each.id in shown.ids)
            key = shown.code if found else "reminder.none_like_it"
            return (Note(say(reader.language, key)), *listed_blocks(found, reader))
        if not found:
            return (Note(say(reader.language, "reminder.none")),)
        return (Heading(say(reader.language, "reminder.title")), *listed_blocks(found, reader))

    async def _about(self, reminder: Reminder, reader: Reader) -> tuple[Block, ...]:
        """Return what the owner is shown of a ticket or draft; where others read along, nothing."""
        if not reminder.about or reminder.where is not Where.ALONE or reminder.state is Waits.DONE:
            return ()
        try:
            return await self._thing(reminder, reader)
        except (TicketsError, UnknownPerson, Forbidden):
            return ()

    async def _thing(self, reminder: Reminder, reader: Reader | None = None) -> tuple[Block, ...]:
        reader = reader or Reader("en")
        owner = await self.directory.actor(reminder.owner)
        if reminder.about.startswith("draft_"):
            return draft_blocks_of(await self.tickets.show_draft(owner, reminder.about), reader)
        return ticket_blocks_of(await self.tickets.show(owner, reminder.about), reader)
