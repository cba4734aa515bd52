"""What waited before it could be sent is drawn again: what its readers may read can have changed since."""

from datetime import datetime, timedelta

from adapters.cards import Card, Note
from agent.runs.rights import rights_of
from bot.delivery.news import store
from bot.delivery.news.store import NewsState
from bot.delivery.news.telling import NewsTelling, Who
from bot.delivery.news.ways import Parcel
from bot.delivery.posts import Post
from bot.delivery.showing import Showing
from bot.rendering.cards import card_of
from bot.rendering.texts.catalogue import say
from identity.errors import UnknownPerson
from storage.clock import Clock
from storage.database import Session
from storage.queue.worker import Ending

#: For so long the own words of a person are told as they were drawn: of thousands at once each is drawn once.
FRESH = timedelta(seconds=5)


class Renewal:
    """Draws news from their facts, records from their state; of anything else it looks at its reader's rights."""

    def __init__(self, clock: Clock, *, people: Who, news: NewsTelling, showing: Showing) -> None:
        self._clock = clock
        self._people = people
        self._news = news
        self._showing = showing

    async def renew(self, waited: Post | Parcel, *, platform: str) -> Card | Ending:
        """Return the card as it may be read now; its end when there is nothing to be told any more."""
        card = await self._card(waited, platform=platform)
        return Ending("dropped", effects=lambda session: self._drop(session, waited.news)) if card is None else card

    async def _drop(self, session: Session, news: tuple[str, ...]) -> None:
        await store.settle(session, news, NewsState.DROPPED, now=self._clock.now())

    async def _card(self, waited: Post | Parcel, *, platform: str) -> Card | None:
        drawn_at = datetime.fromisoformat(waited.drawn_at) if waited.drawn_at else None
        fresh = drawn_at is not None and self._clock.now() - drawn_at < FRESH
        language = waited.card.language
        reader = self._showing.reader_in(waited.timezone, language=language, platform=platform)
        try:
            actor = await self._people(waited.person) if waited.person else None
        except UnknownPerson:
            return None
        if fresh and actor is not None and waited.rights == rights_of(actor):
            return waited.card
        if waited.news and actor is not None:
            return await self._news.again(actor, waited.news, reader)
        if waited.subject:
            return await self._showing.card(waited.subject, reader)
        if actor is not None and waited.rights and waited.rights != rights_of(actor):
            return card_of((Note(say(language, "notice.rights_changed")),), reader)
        return waited.card
