"""When people are told: at once, after their quiet hours, or together with what happens in the same minute.

The first news go at once: whoever waits for them is there. What follows within a minute is told as one message at its
end, unless the person has written meanwhile: then they are in a conversation, and every turn of it goes at once.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from adapters.cards import Block, Buttons, Card, Heading, Note
from agent.runs.rights import rights_of
from bot.delivery.events import load_card
from bot.delivery.news import store
from bot.delivery.news.store import News, NewsState
from bot.delivery.news.ways import CARD, CHAT, Parcel, Ways, card_facts
from bot.rendering.cards import card_of
from bot.rendering.texts.catalogue import say
from features.anatomy.reader import Reader
from features.anatomy.telling import NewsKind, Promise, ToldNews
from identity.actor import Actor
from identity.errors import UnknownPerson
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject, new_id
from storage.queue import work
from storage.queue.failures import RetryLater
from storage.queue.rows import WorkItem
from storage.queue.worker import Ending

#: The topic of what has to be told.
NEWS = "news"
#: Within this time after the last news, further ones wait to be told together, where nothing else is set.
TOGETHER = timedelta(seconds=60)
#: Most news that one message lists, and most buttons below them.
MOST, MOST_BUTTONS = 50, 5
#: A process that looks a little early tells no less.
_LEAST_S = 0.05

#: Finds an actor by id with the rights of this moment; raises UnknownPerson.
Who = Callable[[str], Awaitable[Actor]]
#: Draws a subject (`kind:id`) as it stands now; None when it is gone.
DrawSubject = Callable[[str, Reader], Awaitable[Card | None]]


@dataclass(frozen=True)
class _Drawn:
    """News as they are told now."""

    news: News
    told: ToldNews
    card: Card | None = None  # it was drawn before, and is shown as it is


class NewsTelling:
    """Keeps what people are to be told, and tells it when it is time."""

    def __init__(
        self, database: Database, clock: Clock, people: Who, *, ways: Ways, together: timedelta = TOGETHER
    ) -> None:
        self._together = together
        self._database = database
        self._clock = clock
        self._people = people
        self._ways = ways
        self._kinds: dict[str, NewsKind] = {}
        self._draw: DrawSubject | None = None

    def know(self, kinds: Mapping[str, NewsKind]) -> None:
        """Take note of how the features' news are drawn: they are made after this."""
        self._kinds.update(kinds)

    def draws(self, draw: DrawSubject) -> None:
        """Take note of how a card with a subject is drawn when it is told."""
        self._draw = draw

    async def announce(self, news: News, *, beside: Promise | None = None) -> None:
        """Keep news, and have them told; what `beside` writes is committed with those that were not known."""
        async with self._database.transaction() as session:
            if await store.add(session, news, now=self._clock.now()):
                await _enqueue(session, news)
                if beside is not None:
                    await beside(session)

    async def keep_card(
        self, actor: Actor, card: Card, news: News, *, subject: str, beside: Promise | None = None
    ) -> None:
        """Keep a card that may wait: what it is about, and the rights for which it was drawn."""
        facts = card_facts(card, rights=rights_of(actor), subject=subject)
        await self.announce(
            News(news.key, news.person, CARD, facts, news.address, news.line, urgent=news.urgent), beside=beside
        )

    async def tell(self, item: WorkItem) -> Ending | None:
        """Tell a person what waits for them, all of it together, if it is time."""
        person, urgent = str(item.payload["person"]), bool(item.payload["urgent"])
        try:
            actor = await self._people(person)
        except UnknownPerson:
            return await self._dropped(person, urgent=urgent)
        async with self._database.reading() as session:
            waiting = await store.waiting(session, person, urgent=urgent, limit=MOST)
            if not waiting:
                return None
            told = await store.last_told(session, person, urgent=urgent)
            heard = await store.last_heard(session, person)
            self._require_time(actor, told, heard=heard, urgent=urgent)
            address = _common_address(waiting)
            reader = await self._ways.reader(session, actor, address) or self._ways.reader_anywhere(actor)
        drawn = [each for news in waiting if (each := await self._drawn(actor, news, reader)) is not None]
        ways = self._ways.of(actor)
        if address and ways[0] == CHAT:
            for each in drawn:
                kind = self._kinds.get(each.news.kind)
                if kind is not None and kind.told is not None:
                    await kind.told(actor, each.news.facts)
        parcels = [self._parcel(actor, each, reader, address=address, ways=ways) for each in _messages(drawn)]
        gone = {news.key for news in waiting} - {each.news.key for each in drawn}
        return Ending(effects=lambda session: self._send(session, parcels, gone=gone))

    async def again(self, actor: Actor, keys: Collection[str], reader: Reader) -> Card | None:
        """Return what was told of these news as it may be read now; None where nothing is left of it."""
        async with self._database.reading() as session:
            found = await store.of_keys(session, keys)
        drawn = [each for news in found if (each := await self._drawn(actor, news, reader)) is not None]
        return _card(drawn, reader) if drawn else None

    async def retry(self, session: Session, key: str) -> bool:
        """Tell once more what could not be delivered; False when there is nothing under that key any more."""
        news = await store.find_undelivered(session, key)
        if news is None or not await store.wait_again(session, news, now=self._clock.now()):
            return False
        await _enqueue(session, news, again=new_id("again"))
        return True

    def _require_time(self, actor: Actor, told: datetime | None, *, heard: datetime | None, urgent: bool) -> None:
        """Raise `RetryLater` until the quiet hours are over, unless it is urgent, and while further news may come."""
        now, quiet = self._clock.now(), None if urgent else actor.preferences.quiet
        ends = quiet.end_after(now, actor.timezone) if quiet else None
        if ends is None and told is not None and not (heard is not None and heard > told):
            ends = told + self._together
        if ends is not None and ends > now:
            raise RetryLater(max(_LEAST_S, (ends - now).total_seconds()), begun=False)

    async def _dropped(self, person: str, *, urgent: bool) -> Ending:
        async with self._database.reading() as session:
            waiting = await store.waiting(session, person, urgent=urgent, limit=MOST)
        return Ending(effects=lambda session: self._send(session, (), gone={news.key for news in waiting}))

    async def _drawn(self, actor: Actor, news: News, reader: Reader) -> _Drawn | None:
        kept = news.facts.get("card")
        if news.kind == CARD and isinstance(kept, Mapping):
            card = await self._kept(actor, news, load_card(kept), reader)
            return None if card is None else _Drawn(news, ToldNews(card.fallback, news.key), card)
        kind = self._kinds.get(news.kind)
        told = None if kind is None else await kind.draw(actor, news.facts, reader)
        return None if told is None else _Drawn(news, told)

    async def _kept(self, actor: Actor, news: News, card: Card, reader: Reader) -> Card | None:
        """Return a kept card: what it is about as it stands now, else the card itself while the rights are the same."""
        subject, rights = news.facts.get("subject"), news.facts.get("rights")
        if subject and self._draw is not None:
            return await self._draw(str(subject), reader)
        if rights and rights != list(rights_of(actor)):
            return card_of((Note(say(reader.language, "notice.rights_changed")),), reader)
        return card

    def _parcel(
        self, actor: Actor, drawn: Sequence[_Drawn], reader: Reader, *, address: JsonObject, ways: tuple[str, ...]
    ) -> Parcel:
        first = drawn[0]
        return Parcel(
            person=actor.id,
            card=_card(drawn, reader),
            key=f"told:{first.news.key}:{first.news.tries}",
            ways=ways,
            timezone=actor.timezone,
            address=address,
            line=first.news.line if address else "",
            email=actor.email or "",
            subject=str(first.news.facts.get("subject") or ""),
            news=tuple(each.news.key for each in drawn),
            rights=rights_of(actor),
        )

    async def _send(self, session: Session, parcels: Sequence[Parcel], *, gone: set[str]) -> None:
        now = self._clock.now()
        if gone:
            await store.settle(session, gone, NewsState.DROPPED, now=now)
        for parcel in parcels:
            way = await self._ways.put(session, parcel)
            state = NewsState.TOLD if way else NewsState.UNDELIVERED
            reason = "" if way else "they were never spoken to, and no other way leads to them"
            await store.settle(session, parcel.news, state, way=way, reason=reason, now=now)


async def _enqueue(session: Session, news: News, *, again: str = "") -> None:
    """Have a person told. What may wait stands in a line of its own: one look is enough for all of it."""
    line = f"news:{news.person}:urgent" if news.urgent else f"news:{news.person}"
    payload: JsonObject = {"person": news.person, "urgent": news.urgent}
    await work.enqueue(session, topic=NEWS, payload=payload, key=f"news:{again}{news.key}", line=line, priority=1)


def _card(drawn: Sequence[_Drawn], reader: Reader) -> Card:
    return drawn[0].card or card_of(_blocks(drawn, reader), reader, fallback=_fallback(drawn, reader))


def _common_address(waiting: Sequence[News]) -> JsonObject:
    """Return where all of them would be told best; {} where they belong to several places."""
    first = waiting[0].address
    return first if all(each.address == first for each in waiting) else {}


def _messages(drawn: Sequence[_Drawn]) -> list[list[_Drawn]]:
    """Return what is told in one message each: news together, and what was drawn before by itself."""
    together = [each for each in drawn if each.card is None]
    alone = [[each] for each in drawn if each.card is not None]
    return [*([together] if together else []), *alone]


def _blocks(drawn: Sequence[_Drawn], reader: Reader) -> tuple[Block, ...]:
    """Return what happened line by line, and below it the one thing that it happened to, or the ways to each."""
    newest = {each.told.about: each.told for each in drawn}
    lines = tuple(Note(each.told.line, tone="info") for each in drawn)
    below: tuple[Block, ...] = next(iter(newest.values())).blocks
    if len(newest) > 1:
        buttons = tuple(told.button for told in newest.values() if told.button is not None)[:MOST_BUTTONS]
        below = (Buttons(buttons),) if buttons else ()
    if len(drawn) == 1:
        return (*lines, *below)
    return (Heading(say(reader.language, "notice.several", count=len(drawn))), *lines, *below)


def _fallback(drawn: Sequence[_Drawn], reader: Reader) -> str:
    if len(drawn) == 1:
        return drawn[0].told.line[:300]
    return f"{say(reader.language, 'notice.several', count=len(drawn))} – {drawn[0].told.line}"[:300]
