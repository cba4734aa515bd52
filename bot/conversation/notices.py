"""News of tickets: from the queue to the people whom they concern."""

from collections.abc import Mapping
from typing import Literal

from adapters.cards import Note
from bot.conversation.people import People
from bot.conversation.requests import open_envelope
from bot.delivery import address_store
from bot.delivery.posts import Post, enqueue, enqueue_refresh
from bot.delivery.showing import Showing
from bot.rendering.cards import Reader, card_of
from bot.rendering.texts.catalogue import has, say
from identity.errors import UnknownPerson
from storage.database import Database
from storage.ids import JsonObject, JsonValue
from storage.queue.rows import WorkItem

#: Topics that `tickets` writes.
TICKET_CHANGED, DRAFT_FILED = "ticket.changed", "draft.filed"


class Notices:
    """Turns a change of a ticket into a post to its requester, unless they made the change themselves."""

    def __init__(self, database: Database, *, people: People, showing: Showing) -> None:
        self._database = database
        self._people = people
        self._showing = showing

    async def ticket_changed(self, item: WorkItem) -> None:
        """Tell the requester, in the thread where the ticket was made; else where they were last spoken to."""
        change = item.payload
        requester = _text(change, "requester_id")
        if requester == _text(change, "actor_id"):
            return
        key = f"notice.{_text(change, 'action')}"
        place = await self._place(requester, change)
        if place is None or not has(key):
            return
        platform, address, language = place
        reader = await self._reader(requester, platform, language)
        detail = _text(change, "detail") or say(reader.language, "notice.no_detail")
        words = say(
            reader.language, key, actor=_text(change, "actor_name"), number=_text(change, "number"), detail=detail
        )
        shown = await self._showing.ticket_for(requester, _text(change, "number"), reader)
        card = card_of((Note(words, tone="info"), *shown), reader)
        async with self._database.transaction() as session:
            await enqueue(
                session,
                Post(
                    platform=platform,
                    address=address,
                    card=card,
                    key=f"notice:{item.key}",
                    proactive=True,
                    actor_id=requester,
                ),
                line=_text(change, "thread") or requester,
            )

    async def draft_filed(self, item: WorkItem) -> None:
        """Draw the draft's cards in their final state, for everybody who sees them."""
        draft_id = _text(item.payload, "draft_id")
        async with self._database.transaction() as session:
            await enqueue_refresh(session, f"draft:{draft_id}", version=item.key)

    async def _place(self, requester: str, change: JsonObject) -> tuple[str, JsonObject, Literal["en", "zh"]] | None:
        stored = change.get("address")
        platform, address, language = open_envelope(stored if isinstance(stored, Mapping) else {})
        async with self._database.reading() as session:
            if not platform or await address_store.is_gone(session, actor_id=requester, platform=platform):
                known = await address_store.addresses_of(session, requester)
                if not known:
                    return None
                platform, address, language = known[0].platform, known[0].address, known[0].language
        return platform, address, "zh" if language == "zh" else "en"

    async def _reader(self, requester: str, platform: str, language: Literal["en", "zh"]) -> Reader:
        try:
            actor = await self._people.by_id(requester)
        except UnknownPerson:
            return self._showing.reader_in("UTC", language=language, platform=platform)
        return self._showing.reader(actor, language=language, platform=platform)


def _text(values: Mapping[str, JsonValue], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""
