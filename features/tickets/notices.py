"""News of tickets: to the requester; of what the requester did, to whoever works on the ticket."""

from collections.abc import Mapping

from adapters.cards import Block, Note
from agent.tools.execution import SCOPE
from features.anatomy.feature import OnTopic, Services
from features.anatomy.reader import Reader
from features.anatomy.schedules import Says
from features.anatomy.texts import has, say
from features.tickets.drawing import Drawing
from identity.actor import system_actor
from storage import once
from storage.ids import JsonObject

#: Topics that `tickets` writes.
TICKET_CHANGED, DRAFT_FILED, DRAFT_CHANGED = "ticket.changed", "draft.filed", "draft.changed"
#: The named actor that draws a ticket for somebody who did not ask.
NOTICE = system_actor("notice")


class TicketNotices:
    """Says what happened to a ticket, and draws what shows it again."""

    def __init__(self, drawing: Drawing, services: Services) -> None:
        self._drawing = drawing
        self._telling = services.telling
        self._database = services.database
        self._memory = services.memory
        self._people = services.people

    def topics(self) -> Mapping[str, OnTopic]:
        """Return what is done with each topic."""
        return {
            TICKET_CHANGED: self._ticket_changed,
            DRAFT_FILED: self._redraw_draft,
            DRAFT_CHANGED: self._draft_changed,
        }

    async def _ticket_changed(self, change: JsonObject, key: str) -> None:
        """Tell the requester, in the thread where the ticket was made; else where they were last spoken to."""
        requester, number = _text(change, "requester_id"), _text(change, "number")
        words = f"notice.{_text(change, 'action')}"
        if not has(words):
            return
        if requester == _text(change, "actor_id"):
            await self._tell_assignee(change, words, key=key)
            return

        draw = self._news(change, words, person=requester)
        stored = change.get("address")
        await self._telling.tell(
            requester,
            draw,
            key=f"notice:{key}",
            address=stored if isinstance(stored, Mapping) else {},
            order=_text(change, "thread"),
        )
        # What they say next in that thread is about this ticket.
        last = {"ticket": number, "told": number}
        await self._memory.note(await self._people(requester), thread=_text(change, "thread"), last=last)

    async def _tell_assignee(self, change: JsonObject, words: str, *, key: str) -> None:
        """Tell who works the ticket what its requester did: an answer comes back to who asked."""
        assignee, number = _text(change, "assignee_id"), _text(change, "number")
        if not assignee or assignee == _text(change, "actor_id"):
            return

        draw = self._news(change, words, person=assignee, works=True)
        await self._telling.tell(assignee, draw, key=f"notice:{key}:assignee", order=f"ticket:{number}")

    def _news(self, change: JsonObject, words: str, *, person: str, works: bool = False) -> Says:
        """Return how a change is told to a person: what happened, and the ticket as they see it."""
        number = _text(change, "number")

        async def draw(reader: Reader) -> tuple[Block, ...]:
            detail = _text(change, "detail") or say(reader.language, "notice.no_detail")
            said = say(reader.language, words, actor=_text(change, "actor_name"), number=number, detail=detail)
            shown = await self._drawing.ticket_for(NOTICE, person, number, reader, works=works)
            return (Note(said, tone="info"), *shown)

        return draw

    async def _draft_changed(self, change: JsonObject, key: str) -> None:
        """Show a discarded or restored draft as it is, and make a new draft of what is reported again."""
        async with self._database.transaction() as session:
            await once.erase(session, scope=SCOPE, mention=_text(change, "draft_id"))
        await self._redraw_draft(change, key)

    async def _redraw_draft(self, change: JsonObject, key: str) -> None:
        """Draw the draft's cards as it stands now, for everybody who sees them."""
        await self._telling.redraw(f"draft:{_text(change, 'draft_id')}", version=key)


def _text(values: JsonObject, name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""
