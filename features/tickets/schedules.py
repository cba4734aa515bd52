"""What tickets do by the clock."""

from functools import partial

from adapters.cards import Block, Note
from features.anatomy.reader import Reader, when
from features.anatomy.schedules import Job
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from storage.ids import new_id
from storage.queue.schedules import Every
from tickets.service import TicketService
from tickets.ticket import Draft


class TicketSchedules:
    """Ends drafts that nobody confirmed, and tells of that before."""

    def __init__(self, tickets: TicketService, telling: Telling) -> None:
        self._tickets = tickets
        self._telling = telling

    def jobs(self) -> tuple[Job, ...]:
        """Return every job."""
        return (
            Job("expire drafts", Every(300), self._expire_drafts),
            Job("remind of drafts", Every(1_800), self._remind_of_drafts),
        )

    async def _remind_of_drafts(self) -> None:
        """Tell people alone of a draft that is about to expire, once for each time at which it would."""
        for draft in await self._tickets.expiring_drafts():
            await self._telling.tell(
                draft.requester_id,
                partial(self._expiring, draft),
                key=f"draft-expiring:{draft.id}:{draft.expires_at.isoformat()}",
                patient=True,
            )

    async def _expiring(self, draft: Draft, reader: Reader) -> tuple[Block, ...]:
        moment = when(draft.expires_at, reader)
        return (Note(say(reader.language, "draft.expires_soon", title=draft.title, when=moment), tone="warn"),)

    async def _expire_drafts(self) -> None:
        for draft_id in await self._tickets.expire_drafts():
            await self._telling.redraw(f"draft:{draft_id}", version=new_id("expired"))
