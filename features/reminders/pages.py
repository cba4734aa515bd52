"""The page of one's reminders: what comes when, to be changed and deleted."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from features.anatomy.moments import known_zone
from features.anatomy.pages import BackTo, Drawn, NoSuchPage, View, Visit
from features.reminders.buttons import unread
from features.reminders.errors import ComesNoMore, NoSuchReminder
from features.reminders.reminder import LONGEST, SET, Waits
from features.reminders.rendering import describe, left_out_in_words
from features.reminders.service import ReminderService
from features.reminders.wish import plan_said
from identity.policy import require
from storage.clock import Clock


@dataclass(frozen=True)
class ReminderPages:
    """Views over the service, which asks for the rights."""

    service: ReminderService
    clock: Clock

    def views(self) -> tuple[View, ...]:
        """Return every page and write."""
        return (
            View("/reminders", self.mine, menu="reminders", menu_for=SET),
            View("/reminders/{reminder}/change", self.change, writes=True),
            View("/reminders/{reminder}/skip", self.skip, writes=True),
            View("/reminders/{reminder}/restore", self.restore, writes=True),
            View("/reminders/{reminder}/done", self.done, writes=True),
            View("/reminders/{reminder}/delete", self.delete, writes=True),
        )

    async def mine(self, visit: Visit) -> Drawn:
        """Show the visitor's reminders."""
        return await self._drawn(visit)

    async def change(self, visit: Visit) -> Drawn | BackTo:
        """Give one other words or another time; what cannot be read is said on the page, with what was typed."""
        with _no_page_of_none():
            found = await self.service.find(visit.actor, visit.parts["reminder"])
        text, said = visit.form.get("text", "").strip()[:LONGEST], visit.form.get("when", "").strip()
        sorry = "" if text else visit.say("draft.required")
        zone, plan = found.timezone, found.plan
        if said:
            zone = known_zone(visit.actor.timezone)
            sorry = sorry or unread(said, visit.reader, now=self.clock.now())
            plan = plan_said(said, now=self.clock.now(), timezone=zone).plan or plan
        if sorry:
            return await self._drawn(visit, sorry=sorry, failed=found.id)
        await self.service.change(visit.actor, found.id, text=text, plan=plan, timezone=zone)
        return BackTo("/reminders", done="reminder_changed")

    async def done(self, visit: Visit) -> BackTo:
        """Take one as done."""
        with _no_page_of_none():
            await self.service.done(visit.actor, visit.parts["reminder"])
        return BackTo("/reminders", done="reminder_done")

    async def skip(self, visit: Visit) -> Drawn | BackTo:
        """Leave the next time of one out."""
        try:
            with _no_page_of_none():
                await self.service.skip(visit.actor, visit.parts["reminder"])
        except ComesNoMore as error:
            return await self._drawn(visit, sorry=visit.say(f"refused.{error.code}"), failed=visit.parts["reminder"])
        return BackTo("/reminders", done="reminder_skipped")

    async def restore(self, visit: Visit) -> BackTo:
        """Bring a deleted one back."""
        with _no_page_of_none():
            await self.service.restore(visit.actor, visit.parts["reminder"])
        return BackTo("/reminders", done="reminder_restored")

    async def delete(self, visit: Visit) -> BackTo:
        """Delete one."""
        with _no_page_of_none():
            await self.service.delete(visit.actor, visit.parts["reminder"])
        return BackTo("/reminders", done="reminder_deleted")

    async def _drawn(self, visit: Visit, *, sorry: str = "", failed: str = "") -> Drawn:
        require(visit.actor, SET)
        lines = [
            {
                "id": each.id,
                "text": each.text,
                "when": describe(each, visit.reader),
                "state": each.state,
                "told": each.state is Waits.TOLD,
                "repeats": each.repeats,
                "left_out": left_out_in_words(each, visit.language),
                "typed_text": visit.form.get("text", each.text) if each.id == failed else each.text,
                "typed_when": visit.form.get("when", "") if each.id == failed else "",
                "sorry": sorry if each.id == failed else "",
            }
            for each in await self.service.of(visit.actor)
        ]
        gone = [{"id": each.id, "text": each.text} for each in await self.service.deleted(visit.actor)]
        values = {"reminders": lines, "deleted": gone, "longest": LONGEST}
        return Drawn("reminders.html", values, here="reminders", status=409 if sorry else 200)


@contextmanager
def _no_page_of_none() -> Iterator[None]:
    """Answer that there is no such page where there is no such reminder."""
    try:
        yield
    except NoSuchReminder as error:
        raise NoSuchPage from error
