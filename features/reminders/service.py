"""The use cases of reminders: schedules of the queue that people make, look at, put off and end."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from agent.tools.execution import SCOPE
from features.anatomy.planned import trigger_of
from features.reminders.errors import MOST_OPEN, ComesNoMore, NoSuchReminder, TimeIsOver, TooManyReminders
from features.reminders.reminder import (
    DELETED,
    POST,
    SET,
    TOPIC,
    Reminder,
    Waits,
    Where,
    id_of,
    is_own,
    name_of,
    name_of_deleted,
)
from identity import audit
from identity.actor import Actor, ActorKind, system_actor
from identity.policy import decide, require
from language.planning.instants import without_next
from language.planning.plans import Plan
from storage import once
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject
from storage.queue import schedules, work
from storage.queue.schedules import At, Schedule
from storage.redaction.stored import redact

#: Days for which a reminder is kept that is done, or that was told and never answered.
KEPT = timedelta(days=60)
#: For which a deleted one can be brought back.
KEPT_DELETED = timedelta(days=1)
#: The named actor that delivers reminders.
REMINDING = system_actor("reminders")


@dataclass(frozen=True)
class ReminderService:
    """Everything that happens to reminders; each change is audited."""

    database: Database
    clock: Clock

    async def set(self, actor: Actor, reminder: Reminder) -> Reminder:
        """Keep a new reminder of the actor's and return it as it is kept; raise `TooManyReminders`."""
        require(actor, SET)
        if reminder.where is not Where.ALONE:
            require(actor, POST)
        kept = replace(reminder, owner=actor.id, owner_name=actor.name, text=redact(reminder.text))
        async with self.database.transaction() as session:
            await _require_room(session, actor)
            await schedules.put(session, kept.schedule)
            await self._audit(session, actor, kept, "set", where=kept.where.value)
        return kept

    async def of(self, actor: Actor) -> tuple[Reminder, ...]:
        """Return the actor's open reminders, the oldest first."""
        require(actor, SET)
        async with self.database.reading() as session:
            found = await _read(session, actor.id)
        return tuple(sorted((each for each in found if each.is_open), key=lambda each: each.id))

    async def find(self, actor: Actor, reminder_id: str) -> Reminder:
        """Return a reminder of the actor's own, or to the desk itself anybody's; raise `NoSuchReminder`."""
        require(actor, SET)
        async with self.database.reading() as session:
            return await _find(session, actor, reminder_id)

    async def last_told(self, actor: Actor) -> Reminder:
        """Return the reminder that the actor was told last and has not answered; raise `NoSuchReminder`."""
        told = [(each.since, each) for each in await self.of(actor) if each.state is Waits.TOLD and each.since]
        if not told:
            raise NoSuchReminder
        return max(told, key=lambda pair: pair[0])[1]

    async def change(self, actor: Actor, reminder_id: str, *, text: str, plan: Plan, timezone: str) -> Reminder:
        """Give a reminder other words, or another time in a zone; it waits for that time."""
        async with self.database.transaction() as session:
            found = await _find(session, actor, reminder_id)
            moved = replace(found, text=redact(text), plan=plan, timezone=timezone)
            if moved.text != found.text:
                moved = replace(moved, worded=found.text)
            if (plan, timezone) != (found.plan, found.timezone):
                waits = replace(moved, state=Waits.WAITING, since=None, moved_to=None)
                moved = replace(waits, before=found.plan, left_out=None)
            await schedules.remove(session, moved.once_more(self.clock.now()).name)
            await self._keep(session, actor, moved, "change")
        return moved

    async def skip(self, actor: Actor, reminder_id: str) -> Reminder:
        """Leave out the next time at which a reminder comes; raise `ComesNoMore` where none follows that one."""
        async with self.database.transaction() as session:
            found = await _find(session, actor, reminder_id)
            rest = without_next(found.plan, ZoneInfo(found.timezone), self.clock.now())
            if rest is None:
                raise ComesNoMore
            kept = replace(found, plan=rest[1], before=found.plan, left_out=rest[0])
            await self._keep(session, actor, kept, "skip")
        return kept

    async def unchange(self, actor: Actor, reminder_id: str) -> Reminder:
        """Give a reminder the plan back that it had before; raise `TimeIsOver` where that has passed."""
        async with self.database.transaction() as session:
            found = await _find(session, actor, reminder_id)
            if found.before is None:
                raise NoSuchReminder(reminder_id)
            trigger = trigger_of(found.before, found.timezone)
            if isinstance(trigger, At) and trigger.instant <= self.clock.now():
                raise TimeIsOver
            kept = replace(found, plan=found.before, before=None, left_out=None)
            await self._keep(session, actor, kept, "change")
        return kept

    async def snooze(self, actor: Actor, reminder_id: str, *, until: datetime) -> Reminder:
        """Put a reminder off; one that comes again comes then, too."""
        async with self.database.transaction() as session:
            found = await _find(session, actor, reminder_id)
            kept = replace(found, state=Waits.SNOOZED, since=None, moved_to=until)
            if kept.repeats:
                await schedules.put(session, kept.once_more(until))
            await self._keep(session, actor, kept, "snooze")
        return kept

    async def resume(self, actor: Actor, reminder_id: str) -> Reminder:
        """Take back that a reminder was put off: it waits for its own time, or is told where that has come."""
        async with self.database.transaction() as session:
            found = await _find(session, actor, reminder_id)
            await schedules.remove(session, found.once_more(self.clock.now()).name)
            kept = replace(found, state=Waits.WAITING, since=None, moved_to=None)
            if not found.repeats and found.planned_at(self.clock.now()) is None:
                kept = replace(kept, state=Waits.TOLD, since=self.clock.now())
            await self._keep(session, actor, kept, "resume")
            if kept.state is Waits.TOLD:
                await _end(session, kept)
        return kept

    async def done(self, actor: Actor, reminder_id: str) -> Reminder:
        """End a reminder; of one that comes again this time only."""
        async with self.database.transaction() as session:
            found = await _find(session, actor, reminder_id)
            await schedules.remove(session, found.once_more(self.clock.now()).name)
            kept = replace(found, state=Waits.DONE, since=self.clock.now())
            await self._keep(session, actor, kept, "done")
            if not kept.repeats:
                await _end(session, kept)
        return kept

    async def deliver(self, actor: Actor, session: Session, reminder: Reminder, *, told: Reminder) -> bool:
        """Keep that a reminder is told as it was drawn, with the caller's transaction; False where it was changed.

        A changed one happens again at once, as it is now; one that was deleted does not.
        """
        try:
            found = await _find(session, actor, reminder.id)
        except NoSuchReminder:
            return False
        if found != reminder:
            await schedules.enqueue_now(session, found.schedule)
            return False
        await schedules.set_payload(session, told.name, told.schedule.payload)
        await self._audit(session, actor, told, "deliver")
        return True

    async def put_off(self, actor: Actor, reminder_id: str, *, until: datetime) -> None:
        """Deliver a reminder a little later, since it cannot be delivered now; its state stays."""
        async with self.database.transaction() as session:
            kept = await _find(session, actor, reminder_id)
            await schedules.put(session, kept.once_more(until))
            await self._audit(session, actor, kept, "put_off")

    async def delete(self, actor: Actor, reminder_id: str) -> Reminder:
        """Forget a reminder with all its times; raise `NoSuchReminder`."""
        async with self.database.transaction() as session:
            found = await _find(session, actor, reminder_id)
            await self._remove(session, found)
            if actor.kind is not ActorKind.SYSTEM:
                await schedules.put(session, found.deleted(self.clock.now() + KEPT_DELETED))
            await self._audit(session, actor, found, "delete")
        return found

    async def deleted(self, actor: Actor) -> tuple[Reminder, ...]:
        """Return what the actor deleted and may bring back, the oldest first."""
        require(actor, SET)
        async with self.database.reading() as session:
            found = await schedules.everything(session, owner=actor.id)
        return tuple(Reminder.of(each) for each in found if each.topic == DELETED and not each.ended)

    async def find_deleted(self, actor: Actor, reminder_id: str) -> Reminder:
        """Return a deleted reminder of the actor's, or to the desk itself anybody's; raise `NoSuchReminder`."""
        require(actor, SET)
        async with self.database.reading() as session:
            return Reminder.of(await _find_deleted(session, actor, reminder_id))

    async def restore(self, actor: Actor, reminder_id: str) -> Reminder:
        """Bring a deleted reminder back as it was; one whose time has passed meanwhile comes late."""
        require(actor, SET)
        async with self.database.transaction() as session:
            found = await _find_deleted(session, actor, reminder_id)
            await _require_room(session, actor)
            kept, now = replace(Reminder.of(found), restored=True), self.clock.now()
            again = kept.moved_to if kept.repeats and kept.state is Waits.SNOOZED else None
            if again is not None and again <= now:
                kept = replace(kept, state=Waits.WAITING, moved_to=None)
            elif again is not None:
                await schedules.put(session, kept.once_more(again))
            await schedules.remove(session, found.name)
            await self._keep(session, actor, kept, "restore")
            if not kept.repeats and kept.state in (Waits.TOLD, Waits.DONE):
                await _end(session, kept)
        return kept

    async def forget(self, actor: Actor, reminder_id: str) -> None:
        """Forget a deleted reminder for good."""
        require(actor, SET)
        async with self.database.transaction() as session:
            await schedules.remove(session, name_of_deleted(reminder_id))

    async def erase(self, actor: Actor, session: Session, reminder_id: str, words: Collection[str] = ()) -> str | None:
        """Take out everything that holds a reminder's words, and return them; None where it is gone.

        With `words` of another message a reminder that repeats them loses them, and still comes. The transaction is
        the caller's.
        """
        require(actor, SET)
        found = await schedules.find(session, name_of(reminder_id))
        found = found or await schedules.find(session, name_of_deleted(reminder_id))
        kept = None if found is None else Reminder.of(found)
        if words and (kept is None or kept.text not in words):
            return None
        for line in (f"schedule:{name_of(reminder_id)}", f"schedule:{name_of(reminder_id)}:again"):
            for slot in await work.erase_line(session, line=line):
                for post in (f"reminder:{slot}", f"said:{slot}"):
                    await work.erase(session, key=post, payload={})
        if kept is None:
            return None
        if words and found is not None and is_own(found):
            await schedules.put(session, replace(kept, text="").schedule)
            await once.erase(session, scope=SCOPE, mention=kept.id)
        else:
            await self._remove(session, kept)
        await self._audit(session, actor, kept, "erase")
        return kept.text

    async def retain(self, actor: Actor) -> int:
        """Forget reminders that ended long ago; return how many."""
        require(actor, SET)
        before = (self.clock.now() - KEPT).isoformat()
        async with self.database.transaction() as session:
            return await schedules.forget_ended(session, topic=TOPIC, field="since", before=before)

    async def _keep(self, session: Session, actor: Actor, kept: Reminder, action: str) -> None:
        await schedules.put(session, kept.schedule)
        await self._audit(session, actor, kept, action)

    async def _remove(self, session: Session, found: Reminder) -> None:
        await schedules.remove(session, found.name)
        await schedules.remove(session, found.once_more(self.clock.now()).name)
        await schedules.remove(session, name_of_deleted(found.id))
        await once.erase(session, scope=SCOPE, mention=found.id)  # said again, it is a new one

    async def _audit(self, session: Session, actor: Actor, kept: Reminder, action: str, **detail: str) -> None:
        said: JsonObject = {"owner": kept.owner, **detail}
        await audit.record(
            session,
            actor=actor,
            action=f"reminder.{action}",
            resource=kept.id,
            allowed=True,
            reason=decide(actor, SET).reason,
            outcome="done",
            detail=said,
            now=self.clock.now(),
        )


async def _read(session: Session, owner: str) -> tuple[Reminder, ...]:
    return tuple(Reminder.of(each) for each in await schedules.everything(session, owner=owner) if is_own(each))


async def _require_room(session: Session, actor: Actor) -> None:
    if len([each for each in await _read(session, actor.id) if each.is_open]) >= MOST_OPEN:
        raise TooManyReminders


async def _find(session: Session, actor: Actor, reminder_id: str) -> Reminder:
    require(actor, SET)
    found = await schedules.find(session, name_of(id_of(reminder_id)))
    everybodys = actor.kind is ActorKind.SYSTEM
    if found is None or not is_own(found) or not (everybodys or found.owner == actor.id):
        raise NoSuchReminder(reminder_id)
    return Reminder.of(found)


async def _find_deleted(session: Session, actor: Actor, reminder_id: str) -> Schedule:
    found = await schedules.find(session, name_of_deleted(reminder_id))
    if found is None or found.ended or not (actor.kind is ActorKind.SYSTEM or found.owner == actor.id):
        raise NoSuchReminder(reminder_id)
    return found


async def _end(session: Session, kept: Reminder) -> None:
    """Let a reminder that is done before its time have no time any more."""
    found = await schedules.find(session, kept.name)
    if found is not None and not found.ended:
        await schedules.advance(session, found, None)
