"""Reminders at their time: delivered with the rights of that moment, and ended with a word where those are gone."""

import asyncio
import logging
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from adapters.cards import Block, Note
from agent.memory.memory import Memory
from features.anatomy.moments import wall_time
from features.anatomy.reader import Reader
from features.anatomy.schedules import Slot
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from features.reminders.drawing import ReminderDrawing
from features.reminders.errors import NoSuchReminder
from features.reminders.reminder import POST, SET, Reminder, Waits, Where, begun, id_of
from features.reminders.rendering import shortened
from features.reminders.service import REMINDING, ReminderService
from identity.actor import Actor
from identity.directory import Directory
from identity.errors import UnknownPerson
from identity.policy import decide
from storage.database import Session
from storage.queue.worker import Ending

log = logging.getLogger(__name__)

#: After which a reminder is tried again whose place cannot be asked who reads there.
_TRY_AGAIN = timedelta(minutes=1)


@dataclass(frozen=True)
class ReminderSender:
    """Delivers reminders."""

    service: ReminderService
    drawing: ReminderDrawing
    telling: Telling
    directory: Directory
    memory: Memory
    #: Of thousands that are due at once one is delivered at a time: in the order in which they were due, and who asks
    #: meanwhile waits behind one, not behind several.
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(self, slot: Slot) -> str | Ending:
        """Deliver the reminder of a slot; return what came of it, for who runs the desk."""
        async with self.turn:
            return await self._send(slot)

    async def _send(self, slot: Slot) -> str | Ending:
        try:
            reminder = await self.service.find(REMINDING, id_of(slot.schedule))
        except NoSuchReminder:
            return "not sent: it was deleted"
        if reminder.state is Waits.DONE and not reminder.repeats:
            return "not sent: it is done"
        try:
            owner = await self.directory.actor(reminder.owner)
        except UnknownPerson:
            return f"not sent: {reminder.owner} is not known any more"
        lost = await self._lost(owner, reminder)
        if lost is None:
            await self.service.put_off(REMINDING, reminder.id, until=self.service.clock.now() + _TRY_AGAIN)
            return "put off: nobody can tell who reads there now"
        if lost:
            await self._explain(reminder, lost, key=slot.key)
            return f"not sent: {lost}"
        return await self._deliver(owner, reminder, slot)

    async def forget(self, slot: Slot) -> str:
        """Forget a deleted reminder whose time to be brought back is over."""
        await self.service.forget(REMINDING, id_of(slot.schedule))
        return "forgotten"

    async def _lost(self, owner: Actor, reminder: Reminder) -> str | None:
        """Return the code of a right that the owner has no more, "" for none; None where nobody can tell now."""
        if not decide(owner, SET).allowed:
            return "set"
        if reminder.where is not Where.ALONE:
            place = reminder.channel if reminder.where is Where.CHANNEL else reminder.address
            reads = await self.telling.is_member(owner.id, place) if place else False
            if reads is None:
                return None
            if not reads or not decide(owner, POST).allowed:
                return "member"
        return "" if await self.drawing.is_readable(reminder) else "about"

    async def _deliver(self, owner: Actor, reminder: Reminder, slot: Slot) -> str | Ending:
        now, due = self.service.clock.now(), _due(slot)
        plan = begun(reminder.plan, wall_time(now, reminder.timezone).date())
        told = replace(reminder, state=Waits.TOLD, since=now, due=due, plan=plan, before=None, left_out=None)

        async def blocks(reader: Reader) -> tuple[Block, ...]:
            return await self.drawing.card(told, reader)

        if reminder.where is Where.CHANNEL:

            async def kept(session: Session) -> bool:
                return await self.service.deliver(REMINDING, session, reminder, told=told)

            return await self.telling.post(
                told.channel, blocks, key=slot.key, timezone=slot.timezone, subject=told.subject, beside=kept
            )
        drawn = await self.telling.draw(
            owner.id,
            blocks,
            key=f"reminder:{slot.key}",
            address=told.address,
            order=told.thread,
            subject=told.subject,
            own=not told.about,
        )

        async def keep(session: Session) -> None:
            if not await self.service.deliver(REMINDING, session, reminder, told=told) or drawn is None:
                return
            await drawn(session)
            if told.thread:
                last = {"reminder": told.id, "told_reminder": told.id}
                await self.memory.note_with(session, owner, thread=told.thread, last=last)

        return Ending("sent" if drawn else f"not sent: {owner.id} cannot be written to", effects=keep)

    async def _explain(self, reminder: Reminder, lost: str, *, key: str) -> None:
        """Tell the owner, and nobody else, why nothing comes any more; the reminder ends."""
        log.warning("%s: not sent: the right %s is gone", reminder.id, lost)

        async def blocks(reader: Reader) -> tuple[Block, ...]:
            words = say(reader.language, f"reminder.lost.{lost}", text=shortened(reminder.text))
            return (Note(words, tone="warn"),)

        await self.service.delete(REMINDING, reminder.id)
        alone = reminder.address if reminder.where is Where.ALONE else None
        await self.telling.tell(reminder.owner, blocks, key=f"reminder:{key}", address=alone)


def _due(slot: Slot) -> datetime | None:
    """Return the instant that a slot was for; None for one that somebody had happen at once."""
    try:
        return datetime.fromisoformat(slot.key.removeprefix(f"schedule:{slot.schedule}:"))
    except ValueError:
        return None
