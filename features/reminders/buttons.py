"""Buttons of reminders and the form of one: everything is looked up and checked again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from adapters.cards import Block, Button, Buttons, Form, Note
from adapters.events import FormSubmit, Press
from agent.runs.answer import Outcome
from features.anatomy.handling import FormHandling, OnOpen, OnPress, Pressed, Sent
from features.anatomy.moments import known_zone
from features.anatomy.planned import in_words
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken, note
from features.anatomy.texts import say
from features.reminders.drawing import ReminderDrawing
from features.reminders.reminder import LONGEST, Reminder
from features.reminders.rendering import (
    CHANGE,
    DELETE,
    DONE,
    REMOVE,
    RESTORE,
    RESUME,
    SKIP,
    SKIP_LISTED,
    SNOOZE_HOUR,
    SNOOZE_MINUTES,
    SNOOZE_TOMORROW,
    UNCHANGE,
    UNDO,
    change_form,
    left_out_in_words,
    removed_blocks,
    shortened,
)
from features.reminders.service import ReminderService
from features.reminders.wish import plan_said, tomorrow_morning
from identity.actor import Actor
from identity.readership import others_read
from language.planning.plans import Unclear
from storage.clock import Clock

_MINUTES, _HOUR = timedelta(minutes=10), timedelta(hours=1)


@dataclass(frozen=True)
class ReminderButtons:
    """Carries out presses and the form."""

    service: ReminderService
    drawing: ReminderDrawing
    clock: Clock

    def table(self) -> Mapping[str, OnPress]:
        """Return what each action does. The one that opens the form stands in `openers`."""
        return {
            DELETE: self._delete,
            DONE: self._done,
            REMOVE: self._remove,
            RESTORE: self._restore,
            RESUME: self._resume,
            SKIP: self._skip,
            SKIP_LISTED: self._skip_listed,
            SNOOZE_HOUR: self._snooze_hour,
            SNOOZE_MINUTES: self._snooze_minutes,
            SNOOZE_TOMORROW: self._snooze_tomorrow,
            UNCHANGE: self._unchange,
            UNDO: self._undo,
        }

    def openers(self) -> Mapping[str, OnOpen]:
        """Return the form that each action opens."""
        return {CHANGE: self._open}

    def forms(self) -> Mapping[str, FormHandling]:
        """Return what is done with each form."""
        return {CHANGE: FormHandling(self._change, wrong=self._wrong, row=_row)}

    async def _undo(self, pressed: Pressed) -> Spoken:
        gone = await self.service.delete(pressed.actor, pressed.event.id)
        return await self._redrawn(pressed, gone, "reminder.undone")

    async def _delete(self, pressed: Pressed) -> Spoken:
        gone = await self.service.delete(pressed.actor, pressed.event.id)
        return await self._redrawn(pressed, gone, "reminder.deleted")

    async def _remove(self, pressed: Pressed) -> Spoken:
        """Delete one of a list, which is not drawn again."""
        gone = await self.service.delete(pressed.actor, pressed.event.id)
        blocks = removed_blocks(gone, pressed.reader)
        return Spoken(Outcome.ANSWERED, blocks, refresh=(gone.subject,), whisper=True)

    async def _restore(self, pressed: Pressed) -> Spoken:
        """Bring one back, and show it: it may have been deleted from a list."""
        kept = await self.service.restore(pressed.actor, pressed.event.id)
        blocks = await self.drawing.card(kept, pressed.reader)
        return Spoken(Outcome.ANSWERED, blocks, subject=kept.subject, refresh=(kept.subject,), whisper=True)

    async def _skip(self, pressed: Pressed) -> Spoken:
        return await self._redrawn(pressed, await self.service.skip(pressed.actor, pressed.event.id))

    async def _skip_listed(self, pressed: Pressed) -> Spoken:
        """Leave out the next time of one of a list, which is not drawn again."""
        kept = await self.service.skip(pressed.actor, pressed.event.id)
        words = left_out_in_words(kept, pressed.reader.language)
        undo = Button(say(pressed.reader.language, "reminder.button.undo"), UNCHANGE, kept.id)
        blocks = (Note(f"{shortened(kept.text)}: {words}", tone="good"), Buttons((undo,)))
        return Spoken(Outcome.ANSWERED, blocks, refresh=(kept.subject,), whisper=True)

    async def _unchange(self, pressed: Pressed) -> Spoken:
        return await self._redrawn(pressed, await self.service.unchange(pressed.actor, pressed.event.id))

    async def _done(self, pressed: Pressed) -> Spoken:
        return await self._redrawn(pressed, await self.service.done(pressed.actor, pressed.event.id))

    async def _resume(self, pressed: Pressed) -> Spoken:
        return await self._redrawn(pressed, await self.service.resume(pressed.actor, pressed.event.id))

    async def _snooze_minutes(self, pressed: Pressed) -> Spoken:
        return await self._snooze(pressed, self.clock.now() + _MINUTES)

    async def _snooze_hour(self, pressed: Pressed) -> Spoken:
        return await self._snooze(pressed, self.clock.now() + _HOUR)

    async def _snooze_tomorrow(self, pressed: Pressed) -> Spoken:
        return await self._snooze(pressed, tomorrow_morning(self.clock.now(), known_zone(pressed.actor.timezone)))

    async def _snooze(self, pressed: Pressed, until: datetime) -> Spoken:
        return await self._redrawn(pressed, await self.service.snooze(pressed.actor, pressed.event.id, until=until))

    async def _redrawn(self, pressed: Pressed, reminder: Reminder, gone: str = "") -> Spoken:
        """Have the card drawn again where it stands; what is whispered stands nowhere, so it is said once more."""
        refresh = (reminder.subject,)
        if not others_read(pressed.readership):
            return Spoken(Outcome.ANSWERED, (), refresh=refresh)
        said = (Note(say(pressed.reader.language, gone), tone="good"),) if gone else ()
        blocks: tuple[Block, ...] = said or await self.drawing.card(reminder, pressed.reader)
        return Spoken(Outcome.ANSWERED, blocks, refresh=refresh, whisper=True)

    async def _open(self, actor: Actor, press: Press, reader: Reader) -> Form:
        return change_form(await self.service.find(actor, press.id), reader)

    def _wrong(self, event: FormSubmit, reader: Reader) -> Mapping[str, str]:
        wrong = {}
        text, said = event.values.get("text", "").strip(), event.values.get("when", "").strip()
        if not text:
            wrong["text"] = say(reader.language, "draft.required")
        if len(text) > LONGEST:
            wrong["text"] = say(reader.language, "draft.too_long", limit=LONGEST)
        if said and (why := unread(said, reader, now=self.clock.now())):
            wrong["when"] = why
        return wrong

    async def _change(self, sent: Sent) -> Spoken:
        found = await self.service.find(sent.actor, sent.event.id)
        text, said = sent.event.values.get("text", "").strip(), sent.event.values.get("when", "").strip()
        zone, plan = found.timezone, found.plan
        if said:
            zone = known_zone(sent.actor.timezone)
            plan = plan_said(said, now=self.clock.now(), timezone=zone).plan or plan
        kept = await self.service.change(sent.actor, found.id, text=text, plan=plan, timezone=zone)
        words = say(sent.reader.language, "reminder.changed", when=in_words(kept.plan, sent.reader.language, zone))
        said_so = note(Outcome.ANSWERED, words, tone="good", refresh=(kept.subject,))
        return Spoken(said_so.outcome, said_so.blocks, refresh=said_so.refresh, whisper=True)


def unread(said: str, reader: Reader, *, now: datetime) -> str:
    """Return why a time cannot be read, in words; "" where it can."""
    found = plan_said(said, now=now, timezone=known_zone(reader.timezone))
    if found.plan is not None:
        return ""
    words = say(reader.language, f"asked_back.reminder_{found.unclear or Unclear.NOTHING}")
    choices = [in_words(each, reader.language, known_zone(reader.timezone)) for each in found.choices]
    return " ".join((words, " / ".join(choices))).strip()


def _row(reader: Reader, name: str, value: str) -> tuple[str, str]:
    return say(reader.language, f"reminder.form.{name}"), value
