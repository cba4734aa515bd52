"""The browser chat's transcript on the database, behind the web adapter's own port.

What was said is kept as it was said, and shown with the person's rights of the moment: a card that rests on a page
which they may not read now is withheld, and so is what could be asked next where it was taken from such a page.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime
from typing import Literal, cast

from adapters.cards import Card
from adapters.web.transcript import HOME, Author, Summary, TranscriptEntry, TranscriptPlace
from agent.tools.prefetch import PageRights
from bot.delivery import transcript_store as store
from bot.delivery.events import dump_card, load_card
from bot.rendering.cards import as_readable, pages_of
from identity.actor import Actor
from identity.errors import UnknownPerson
from identity.readership import Alone
from storage.clock import Clock
from storage.database import Database, Session
from storage.redaction.announced import Announcements
from storage.redaction.said import redact_beside

#: The title of a conversation that nothing may be quoted from.
UNTITLED = "dutydesk"


class DatabaseTranscript:
    """What was said in the browser chat, kept like everything else."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        search: PageRights,
        people: Callable[[str], Awaitable[Actor]],
        announced: Announcements,
    ) -> None:
        self._database = database
        self._clock = clock
        self._announced = announced
        self._search = search
        self._people = people

    async def add(
        self, place: TranscriptPlace, *, author: Author, content: str | Card, key: str, asked: str = ""
    ) -> TranscriptEntry:
        """Append an entry, or return the one that the place already holds under this key; no secret of a person's."""
        if isinstance(content, str):
            content = await redact_beside(content)
        if isinstance(content, str) and author == "person":
            content = await self._announced.freed(f"{place.key}:{place.user}", key, content)
        words = content if isinstance(content, str) else UNTITLED if content.rests_on else content.fallback
        async with self._database.transaction() as session:
            said = await store.say(
                session,
                user=place.user,
                thread=place.thread,
                author=author,
                text=content if isinstance(content, str) else "",
                card=None if isinstance(content, str) else dump_card(content),
                key=key,
                asked=asked,
                title=store.title_of(words),
                now=self._clock.now(),
            )
        return _entry(said)

    async def replace(self, place: TranscriptPlace, reference: str, content: Card) -> TranscriptEntry | None:
        """Give an entry new content and a new `seq`."""
        async with self._database.transaction() as session:
            said = await store.edit_said(
                session, user=place.user, thread=place.thread, reference=reference, card=dump_card(content)
            )
        return None if said is None else _entry(said)

    async def remove(self, session: Session, place: TranscriptPlace, *, key: str, answers: Collection[str]) -> None:
        """Empty a message and what was answered to it, with the caller's transaction."""
        await store.remove_said(
            session, user=place.user, thread=place.thread, key=key, answers=answers, untitled=UNTITLED
        )

    async def take_out(self, session: Session, user: str, words: Collection[str], *, since: datetime) -> None:
        """Take words out of the desk's own messages that repeat them, with the caller's transaction.

        They are those of all conversations of the user that went on since then.
        """
        for thread in await store.threads_since(session, user=user, since=since):
            await store.take_out(session, user=user, thread=thread, words=words)

    async def since(self, place: TranscriptPlace, after: int, *, limit: int = 200) -> tuple[TranscriptEntry, ...]:
        """Return the oldest `limit` entries whose `seq` is larger than `after`, by `seq`."""
        async with self._database.reading() as session:
            found = await store.said_since(session, user=place.user, thread=place.thread, after=after, limit=limit)
        return await self._shown(place, [_entry(each) for each in found])

    async def recent(self, place: TranscriptPlace, *, limit: int = 100) -> tuple[TranscriptEntry, ...]:
        """Return the last entries in the order in which they were first said."""
        async with self._database.reading() as session:
            found = await store.last_said(session, user=place.user, thread=place.thread, limit=limit)
        return await self._shown(place, [_entry(each) for each in found])

    async def threads(self, user: str, *, limit: int = 50) -> tuple[Summary, ...]:
        """Return the user's conversations but `HOME`, the latest first."""
        async with self._database.reading() as session:
            found = await store.conversations(session, user=user, without=HOME, limit=limit)
        return tuple(Summary(each.thread, each.title, each.updated_at) for each in found)

    async def _shown(self, place: TranscriptPlace, entries: Sequence[TranscriptEntry]) -> tuple[TranscriptEntry, ...]:
        """Return the entries as the person of the place may read them now; all their pages are asked for at once."""
        cards = (entry.content for entry in entries if isinstance(entry.content, Card))
        pages = frozenset(page for card in cards for page in pages_of(card))
        readable = await self._readable(place, pages) if pages else pages
        return tuple(_entry_readable(entry, readable) for entry in entries)

    async def _readable(self, place: TranscriptPlace, pages: frozenset[str]) -> frozenset[str]:
        try:
            actor = await self._people(place.user)
        except UnknownPerson:
            return frozenset()
        return await self._search.readable(actor, pages, readership=Alone(place.key))


def _entry_readable(entry: TranscriptEntry, readable: AbstractSet[str]) -> TranscriptEntry:
    if isinstance(entry.content, str):
        return entry
    return replace(entry, content=as_readable(entry.content, readable))


def _entry(said: store.Said) -> TranscriptEntry:
    return TranscriptEntry(
        seq=said.seq,
        reference=said.reference,
        author=cast(Literal["person", "desk"], said.author),
        content=said.text if said.card is None else load_card(said.card),
        asked=said.asked,
        removed=said.removed,
        key=said.key,
        created_at=said.created_at,
        edited=said.edited,
    )
