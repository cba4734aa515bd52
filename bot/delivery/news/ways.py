"""By which ways people are told: their chats, e-mail, a webhook. What one cannot deliver falls to the next."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from adapters.cards import Card
from adapters.port import Chat
from bot.delivery import address_store
from bot.delivery.address_store import KnownAddress
from bot.delivery.events import dump_card, load_card
from bot.delivery.news import store
from bot.delivery.news.store import News, NewsState
from bot.delivery.posts import Post, enqueue
from features.anatomy.reader import Reader
from identity.actor import Actor
from storage.clock import Clock
from storage.database import Session
from storage.ids import JsonObject
from storage.queue import work
from storage.queue.rows import WorkItem

log = logging.getLogger(__name__)

#: Ways beside the platforms, which go by their names: where somebody was last spoken to, and two without any chat.
CHAT, MAIL, WEBHOOK = "chat", "mail", "webhook"
#: What is kept of a card that could not be delivered and belongs to no news.
CARD = "card"


@dataclass(frozen=True)
class Parcel:
    """A card on its way to one person, with the ways that are left for it."""

    person: str
    card: Card
    key: str
    ways: tuple[str, ...]
    timezone: str = "UTC"
    address: JsonObject = field(default_factory=dict)  # where they would be told best, as a run was given it
    line: str = ""
    subject: str = ""
    email: str = ""
    news: tuple[str, ...] = ()  # the keys of what it tells
    rights: tuple[str, ...] = ()  # of the person, for whom it was drawn
    drawn_at: str = ""  # as of a post

    def dump(self) -> JsonObject:
        """Return it as JSON, for the queue."""
        return {
            **vars(self),
            "card": dump_card(self.card),
            "ways": list(self.ways),
            "news": list(self.news),
            "rights": list(self.rights),
            "address": dict(self.address),
        }


def parcel_of(item: WorkItem) -> Parcel:
    """Return the parcel of a work item."""
    said = {**item.payload}
    card, lists = said.pop("card"), {name: said.pop(name, []) for name in ("ways", "news", "rights")}
    if not isinstance(card, Mapping):
        raise TypeError(item.key)
    return Parcel(card=load_card(card), **{name: tuple(each) for name, each in lists.items()}, **said)  # type: ignore[arg-type]  # `dump`


class Ways:
    """Puts what people are told on its way."""

    def __init__(self, clock: Clock, *, chats: Mapping[str, Chat], public_url: str, mail: bool, webhook: bool) -> None:
        self._clock = clock
        self._chats = chats
        self._public_url = public_url
        self._beside = tuple(name for name, there in ((MAIL, mail), (WEBHOOK, webhook)) if there)

    @property
    def offered(self) -> tuple[str, ...]:
        """Return every way that somebody can choose here."""
        return (CHAT, *self._chats, *self._beside)

    def of(self, actor: Actor) -> tuple[str, ...]:
        """Return the ways of a person in their order: the chosen one first, if this desk has it."""
        chosen = actor.preferences.way
        return tuple(dict.fromkeys((*((chosen,) if chosen in self.offered else ()), CHAT, *self._beside)))

    async def reader(self, session: Session, actor: Actor, address: JsonObject) -> Reader | None:
        """Return how a person reads what they are told by the first of their ways; None where no way leads to them."""
        for way in self.of(actor):
            if way == WEBHOOK or (way == MAIL and actor.email):
                return self.reader_anywhere(actor)
            place = await self._place(session, actor.id, way, address)
            if place is not None:
                language = actor.preferences.language or place.language
                base = "" if place.platform == "web" else self._public_url
                return Reader("zh" if language == "zh" else "en", actor.timezone, base)
        return None

    def reader_anywhere(self, actor: Actor) -> Reader:
        """Return how a person reads what goes to no chat."""
        return Reader("zh" if actor.language == "zh" else "en", actor.timezone, self._public_url)

    async def put(self, session: Session, parcel: Parcel) -> str:
        """Put a parcel on the first of its ways that leads to the person; return it, "" where none does."""
        for at, way in enumerate(parcel.ways):
            left = replace(parcel, ways=parcel.ways[at + 1 :])
            if way == MAIL and not parcel.email:
                continue
            if way in (MAIL, WEBHOOK):
                await work.enqueue(session, topic=way, payload=left.dump(), key=f"{way}:{parcel.key}")
                return way
            place = await self._place(session, parcel.person, way, parcel.address)
            if place is not None:
                await enqueue(session, _post(left, place), line=parcel.line or parcel.person)
                return way
        return ""

    async def fall(self, session: Session, parcel: Parcel, *, way: str, reason: str) -> None:
        """Send by the next way what one could not deliver; where none is left, it is kept for those who look after it.

        Another place of the same chat is no other way: `chat` is where they were last spoken to.
        """
        log.warning("%s did not reach %s by %s: %s", parcel.key, parcel.person, way, reason)
        if await self.put(session, parcel):
            return
        now = self._clock.now()
        if parcel.news:
            await store.settle(session, parcel.news, NewsState.UNDELIVERED, way=way, reason=reason, now=now)
            return
        lost = News(
            key=f"{CARD}:{parcel.key}",
            person=parcel.person,
            kind=CARD,
            facts=card_facts(parcel.card, rights=parcel.rights, subject=parcel.subject),
            address={},
            line=parcel.line,
            urgent=True,
            state=NewsState.UNDELIVERED,
            way=way,
            reason=reason[: store.REASON_CHARS],
        )
        await store.add(session, lost, now=now)

    async def post_goes_on(self, session: Session, post: Post, reason: str) -> None:
        """Send by the next way what did not arrive in a chat."""
        parcel = Parcel(
            person=post.actor_id,
            card=post.card,
            key=post.key,
            ways=post.ways,
            timezone=post.timezone,
            subject=post.subject,
            email=post.email,
            news=post.news,
            rights=post.rights,
            drawn_at=post.drawn_at,
        )
        await self.fall(session, parcel, way=post.platform, reason=reason)

    async def _place(self, session: Session, person: str, way: str, address: JsonObject) -> KnownAddress | None:
        best = address_store.address_in(address)
        served = way == CHAT and best is not None and best.platform in self._chats
        if best and served and not await address_store.is_gone(session, actor_id=person, platform=best.platform):
            return best
        known = await address_store.addresses_of(session, person)
        return next((each for each in known if each.platform in self._chats and way in (CHAT, each.platform)), None)


def _post(parcel: Parcel, place: KnownAddress) -> Post:
    return Post(
        place.platform,
        place.address,
        parcel.card,
        key=parcel.key,
        subject=parcel.subject,
        timezone=parcel.timezone,
        proactive=True,
        actor_id=parcel.person,
        ways=parcel.ways,
        news=parcel.news,
        email=parcel.email,
        rights=parcel.rights,
        drawn_at=parcel.drawn_at,
    )


def card_facts(card: Card, *, rights: tuple[str, ...], subject: str) -> JsonObject:
    """Return what is kept of a card that is told later: what it is about, and for which rights it was drawn."""
    return {"card": dump_card(card), "rights": list(rights), "subject": subject}
