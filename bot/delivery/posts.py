"""Posts: cards on their way to a chat, through the queue.

A post's key names the reply or notice it is: the queue keeps one row per key, and `Chat.send` is given the same
key, so that a repeated delivery shows one message where the platform can tell.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from adapters.cards import Card, Note
from adapters.port import Chat, Gone, Sending, Unavailable, Undeliverable
from agent.tools.prefetch import PageRights
from bot.delivery import store
from bot.delivery.events import dump_card, load_card
from bot.rendering.cards import as_readable, pages_of
from bot.rendering.texts.catalogue import say
from identity.actor import Actor
from identity.errors import UnknownPerson
from identity.readership import ALONE, Alone, Shared
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject
from storage.queue import work
from storage.queue.failures import Hopeless, RetryLater
from storage.queue.precedence import Precedence
from storage.queue.rows import WorkItem
from storage.queue.worker import Ending, Topic

log = logging.getLogger(__name__)

#: Topics that this module handles beside one for each platform.
REFRESH = "refresh"
ERASE = "erase"


def topic_of(platform: str) -> str:
    """Return the topic of posts to a platform: only a process that serves the platform takes them."""
    return f"post:{platform}"


@dataclass(frozen=True)
class Post:
    """A card for one place. `subject` names what it shows, when that may change later."""

    platform: str
    address: JsonObject
    card: Card
    key: str
    subject: str = ""
    timezone: str = "UTC"  # the reader's, for when the card is drawn again
    whisper: bool = False  # only the person behind the address sees it
    proactive: bool = False  # nobody waits for it: answers go first
    again: bool = False  # a process that died over this may have shown something already
    actor_id: str = ""  # whom it is for, when it is for one person
    readership: Alone | Shared = ALONE  # who reads it there, for the pages that it quotes
    ways: tuple[str, ...] = ()  # by which it goes on where it does not arrive (`delivery/news/ways.py`)
    news: tuple[str, ...] = ()  # the keys of the news that it tells
    email: str = ""  # of the person, for such a way
    rights: tuple[str, ...] = ()  # of the person, for whom it was drawn
    drawn_at: str = ""  # when, where nothing but the own words of its reader stand on it

    @property
    def person(self) -> str:
        """Return whom it is for, when it is for one person."""
        return self.actor_id

    @property
    def goes_on(self) -> bool:
        """Return whether somebody has to learn of it by another way when it does not arrive."""
        return bool(self.ways or self.news)


async def enqueue(session: Session, post: Post, *, line: str) -> None:
    """Put a post into the queue; the same key is kept once."""
    payload: JsonObject = {
        "platform": post.platform,
        "address": post.address,
        "card": dump_card(post.card),
        "subject": post.subject,
        "timezone": post.timezone,
        "whisper": post.whisper,
        "proactive": post.proactive,
        "again": post.again,
        "actor_id": post.actor_id,
        "rights": list(post.rights),
        "drawn_at": post.drawn_at,
        "thread": post.readership.thread,
        "principals": sorted(post.readership.principals) if isinstance(post.readership, Shared) else None,
        "sources": sorted(sources) if (sources := getattr(post.readership, "sources", None)) is not None else None,
        **({"ways": list(post.ways), "news": list(post.news), "email": post.email} if post.goes_on else {}),
    }
    await work.enqueue(
        session,
        topic=topic_of(post.platform),
        payload=payload,
        key=post.key,
        line=line,
        priority=int(post.proactive),
    )


async def enqueue_refresh(
    session: Session, subject: str, *, version: str, line: str = "", drawn: Sequence[str] = ()
) -> None:
    """Have every posted card about `subject` drawn again from state, after what stands before it in its line.

    `drawn`: the keys of posts that were drawn with this change, and keep what is said above their cards.
    """
    key = f"refresh:{subject}:{version}"
    payload = {"subject": subject, "drawn": list(drawn)}
    await work.enqueue(session, topic=REFRESH, payload=payload, key=key, line=line or subject)


async def enqueue_erasure(session: Session, key: str, *, line: str) -> None:
    """Have the words of a post taken out of the queue once it is sent: it stands before this in its line."""
    await work.enqueue(session, topic=ERASE, payload={"key": key}, key=f"erase:{key}", line=line)


#: Attempts, over about a minute, for which a post waits for an index that is away; then it goes without its quotations.
INDEX_AWAITED = 6


class UnknownPlatform(Exception):
    """A post names a platform that this desk does not serve."""


class Draw(Protocol):
    """Draws the present state of a subject; `latest` is False for a card that a newer one of the same place follows."""

    def __call__(self, place: store.Posted, *, latest: bool) -> Awaitable[Card | None]:
        """Return the card for that place; None when there is nothing to show."""
        ...


#: Told of a post whose person took the desk away.
Unreached = Callable[[Post], Awaitable[None]]
#: Sends by another way what did not arrive, with the caller's transaction and the reason.
GoesOn = Callable[[Session, Post, str], Awaitable[None]]
#: Draws a post, or what goes by another way, as it may be read now, or returns its end when nothing is left to be told.
Renew = Callable[..., Awaitable[Card | Ending]]
#: Finds an actor by id with the rights of this moment; raises UnknownPerson.
Who = Callable[[str], Awaitable[Actor]]


class Poster:
    """The queue's handlers for cards."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        chats: Mapping[str, Chat],
        draw: Draw,
        renew: Renew,
        unreachable: Unreached,
        search: PageRights,
        people: Who,
        goes_on: GoesOn,
        precedence: Precedence | None = None,
    ) -> None:
        self._search = search
        self._precedence = precedence or Precedence()
        self._people = people
        self._database = database
        self._clock = clock
        self._chats = chats
        self._draw = draw
        self._renew = renew
        self._unreachable = unreachable
        self._goes_on = goes_on

    @property
    def topic(self) -> Topic:
        """Return the topic of posts."""
        return Topic(self.post, gave_up=self.gave_up, in_turn=True, overtakes=True)

    async def post(self, item: WorkItem) -> Ending:
        """Send one card, then remember where it stands when its subject may change."""
        post = _post_of(item)
        if not post.proactive:
            return await self._post(item, post)
        with self._precedence.unhurried():
            await self._precedence.step()
            return await self._post(item, post)

    async def _post(self, item: WorkItem, post: Post) -> Ending:
        if post.proactive:
            card = await self._renew(post, platform=post.platform)
            if isinstance(card, Ending):
                return card
            post = replace(post, card=card)
        post = await self._readable(post, can_wait=item.attempt < INDEX_AWAITED)
        chat = self._chat(post.platform)
        try:
            with _told_to_the_queue():
                reference = await self._send(chat, post, attempt=item.attempt)
        except Hopeless as hopeless:
            if isinstance(hopeless.__cause__, Gone) and post.actor_id:
                await self._unreachable(post)
            raise
        if not post.subject or not reference:
            return Ending()
        posted = store.Posted(
            key=post.key,
            subject=post.subject,
            platform=post.platform,
            thread=item.line,
            address=post.address,
            reference=reference,
            language=post.card.language,
            timezone=post.timezone,
        )

        async def remember(session: Session) -> None:
            await store.add_posted(session, posted, now=self._clock.now())

        return Ending(effects=remember)

    def gave_up(self, item: WorkItem, error: Exception) -> Ending:
        """Let what somebody has to learn go on by the next way; of who took the desk away, `unreachable` knows."""
        post = _post_of(item)
        if not post.goes_on or isinstance(error.__cause__, Gone):
            return Ending("dead")

        async def goes_on(session: Session) -> None:
            await self._goes_on(session, post, str(error))

        return Ending("dead", effects=goes_on)

    async def _readable(self, post: Post, *, can_wait: bool) -> Post:
        """Return a post as it may be read now: it may have waited since its pages were closed.

        What may be read is not known while the index is away; a post that can wait is sent again by the queue then.
        """
        pages = pages_of(post.card)
        if not pages:
            return post
        try:
            actor = await self._people(post.actor_id)
            readable = await self._search.readable(actor, pages, readership=post.readership, can_wait=can_wait)
        except UnknownPerson:
            readable = frozenset()
        return replace(post, card=as_readable(post.card, readable))

    async def _send(self, chat: Chat, post: Post, *, attempt: int) -> str:
        """Return the reference of what everybody can see, "" for what is for one person alone."""
        unfinished = ""
        if attempt > 1 or post.again or not post.proactive:  # nothing was shown before of what nobody waits for
            async with self._database.reading() as session:
                unfinished = await store.stream_of(session, post.key)
        if post.whisper:
            if unfinished and post.again:
                await _left(chat, post, unfinished)
            await chat.whisper(post.address, post.card, key=post.key)
            return ""

        async def opened(reference: str) -> None:
            async with self._database.transaction() as session:
                await store.open_stream(session, key=post.key, reference=reference, now=self._clock.now())

        again = attempt > 1 or post.again
        sending = Sending(again=again, unfinished=unfinished, opened=opened, proactive=post.proactive)
        return await chat.send(post.address, post.card, key=post.key, sending=sending)

    async def refresh(self, item: WorkItem) -> None:
        """Draw the subject's cards again, everywhere that they were posted before the change."""
        subject, drawn = str(item.payload["subject"]), _names(item.payload.get("drawn"))
        async with self._database.reading() as session:
            places = await store.posted_of(session, subject)
        for number, place in enumerate(places):
            # By thread: an address may name the very message that was answered.
            latest = all(later.thread != place.thread for later in places[number + 1 :])
            served = self._chats.get(place.platform)
            again = served and not (latest and place.key in drawn)
            card = await self._draw(place, latest=latest) if again else None
            if served and card is not None:
                await _update(served, place, card)

    async def erase(self, item: WorkItem) -> None:
        """Forget what was posted under a key."""
        async with self._database.transaction() as session:
            await work.erase(session, key=str(item.payload["key"]), payload={})

    def _chat(self, platform: str) -> Chat:
        if platform not in self._chats:
            raise UnknownPlatform(platform)
        return self._chats[platform]


def _post_of(item: WorkItem) -> Post:
    payload = item.payload
    return Post(
        platform=str(payload["platform"]),
        address=_object(payload["address"]),
        card=load_card(_object(payload["card"])),
        key=item.key,
        subject=str(payload.get("subject") or ""),
        timezone=str(payload.get("timezone") or "UTC"),
        whisper=bool(payload.get("whisper")),
        proactive=bool(payload.get("proactive")),
        again=bool(payload.get("again")),
        actor_id=str(payload.get("actor_id") or ""),
        readership=_readership_of(payload),
        ways=_names(payload.get("ways")),
        news=_names(payload.get("news")),
        email=str(payload.get("email") or ""),
        rights=_names(payload.get("rights")),
        drawn_at=str(payload.get("drawn_at") or ""),
    )


def _names(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _readership_of(payload: JsonObject) -> Alone | Shared:
    thread, principals = str(payload.get("thread") or ""), payload.get("principals")
    if not isinstance(principals, list):
        return Alone(thread)
    sources = payload.get("sources")
    said = frozenset(map(str, sources)) if isinstance(sources, list) else None
    return Shared(frozenset(map(str, principals)), thread, said)


async def _left(chat: Chat, post: Post, unfinished: str) -> None:
    """End what a dead process began to show to everybody of an answer that is for one person."""
    words = say(post.card.language, "answer.elsewhere")
    try:
        await chat.update(post.address, unfinished, Card((Note(words),), words, language=post.card.language))
    except Undeliverable as gone:
        log.info("what was shown of an answer is not there any more: %s", gone)


async def _update(chat: Chat, place: store.Posted, card: Card) -> None:
    """Draw one place again; what nobody can see any more keeps no other place from it."""
    with _told_to_the_queue():
        try:
            await chat.update(place.address, place.reference, card)
        except Undeliverable as gone:
            log.warning("%s cannot be drawn again on %s: %s", place.subject, place.platform, gone)


@contextmanager
def _told_to_the_queue() -> Iterator[None]:
    """Say in the queue's terms what a platform says in the chat port's."""
    try:
        yield
    except Unavailable as away:
        raise RetryLater(away.retry_after_s) from away
    except Undeliverable as never:
        raise Hopeless(str(never)) from never


def _object(value: object) -> JsonObject:
    if not isinstance(value, Mapping):
        raise TypeError(value)
    return value
