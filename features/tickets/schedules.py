"""What tickets do by the clock."""

from features.anatomy.schedules import Job
from features.anatomy.telling import Telling
from storage.ids import new_id
from storage.queue.schedules import Every
from tickets.service import TicketService


class TicketSchedules:
    """Ends drafts that nobody confirmed."""

    def __init__(self, tickets: TicketService, telling: Telling) -> None:
        self._tickets = tickets
        self._telling = telling

    def jobs(self) -> tuple[Job, ...]:
        """Return every job."""
        return (Job("expire drafts", Every(300), self._expire_drafts),)

    async def _expire_drafts(self) -> None:
        for draft_id in await self._tickets.expire_drafts():
            await self._telling.redraw(f"draft:{draft_id}", version=new_id("expired"))
