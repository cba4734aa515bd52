"""What the desk tells people who did not ask just now."""

from collections.abc import Mapping

from adapters.port import Chat, Unavailable
from agent.runs.rights import rights_of
from bot.conversation.people import People
from bot.conversation.readers import Readers
from bot.conversation.requests import open_envelope
from bot.delivery import channel_store
from bot.delivery.news.store import News
from bot.delivery.news.telling import NewsTelling
from bot.delivery.news.ways import MAIL, Parcel, Ways
from bot.delivery.posts import Post, enqueue, enqueue_refresh
from bot.rendering.cards import card_of
from features.anatomy.reader import Reader
from features.anatomy.schedules import Says
from features.anatomy.sections import Audience
from features.anatomy.telling import Beside, Promise
from identity.actor import Actor
from identity.errors import UnknownPerson
from identity.policy import in_common
from identity.readership import PUBLIC, Shared
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject


class Notices:
    """Writes to people where they can be reached."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        people: People,
        chats: Mapping[str, Chat],
        ways: Ways,
        news: NewsTelling,
        public_url: str,
    ) -> None:
        self._database = database
        self._clock = clock
        self._people = people
        self._chats = chats
        self._readers = Readers(people, chats)
        self._ways = ways
        self._news = news
        self._public_url = public_url

    async def tell(
        self,
        person: str,
        draw: Says,
        *,
        key: str,
        address: JsonObject | None = None,
        order: str = "",
        subject: str = "",
        patient: bool = False,
        beside: Promise | None = None,
    ) -> bool:
        """Write to a person, once for each `key`; return whether they can be written to.

        It goes by the first of their ways that leads to them, in their chat to `address` while they can be reached
        there, else to where they were last spoken to. What is `patient` may wait; what `beside` writes is committed
        with it.
        """
        if patient:
            news = News(key, person, "", {}, address or {}, order, urgent=False)
            return await self._keep(person, draw, news, subject, beside=beside)
        drawn = await self.draw(person, draw, key=key, address=address, order=order, subject=subject)
        if drawn is None:
            return False
        async with self._database.transaction() as session:
            await drawn(session)
            if beside is not None:
                await beside(session)
        return True

    async def draw(
        self,
        person: str,
        draw: Says,
        *,
        key: str,
        address: JsonObject | None = None,
        order: str = "",
        subject: str = "",
        own: bool = False,
    ) -> Promise | None:
        """Draw what `tell` would write to a person; None where no way leads to them."""
        try:
            actor = await self._people.by_id(person)
        except UnknownPerson:
            return None
        place = address or {}
        async with self._database.reading() as session:
            reader = await self._ways.reader(session, actor, place)
        if reader is None:
            return None
        parcel = Parcel(
            person=person,
            card=card_of(await draw(reader), reader),
            key=key,
            ways=self._ways.of(actor),
            timezone=actor.timezone,
            address=place,
            line=order,
            subject=subject,
            email=actor.email or "",
            rights=rights_of(actor),
            drawn_at=self._clock.now().isoformat() if own else "",
        )

        async def put(session: Session) -> None:
            await self._ways.put(session, parcel)

        return put

    async def _keep(self, person: str, draw: Says, news: News, subject: str, *, beside: Promise | None = None) -> bool:
        """Keep what a person is told for its time; return whether they are known."""
        try:
            actor = await self._people.by_id(person)
        except UnknownPerson:
            return False
        async with self._database.reading() as session:
            reader = await self._ways.reader(session, actor, news.address) or self._ways.reader_anywhere(actor)
        await self._news.keep_card(actor, card_of(await draw(reader), reader), news, subject=subject, beside=beside)
        return True

    async def announce(
        self,
        person: str,
        kind: str,
        facts: JsonObject,
        *,
        key: str,
        address: JsonObject | None = None,
        order: str = "",
        urgent: bool = False,
    ) -> None:
        """Tell a person news, once for each `key`, drawn when they are sent."""
        await self._news.announce(News(key, person, kind, facts, address or {}, order, urgent=urgent))

    async def post(
        self,
        target: JsonObject | None,
        draw: Says,
        *,
        key: str,
        timezone: str = "UTC",
        subject: str = "",
        beside: Beside | None = None,
    ) -> str:
        """Post to the channel that is the target of a slot, once for each `key`; return what came of it, in a word."""
        async with self._database.reading() as session:
            channel = await channel_store.channel_at(session, target) if target else None
        if channel is None:
            return "no channel is known for it" if target else "no channel is named for it"
        reader = Reader(language="zh" if channel.language == "zh" else "en", timezone=timezone, base=self._public_url)
        blocks = await draw(reader)
        if not blocks:
            return "nothing to say"
        post = Post(
            channel.platform,
            channel.address,
            card_of(blocks, reader),
            key=f"said:{key}",
            subject=subject,
            timezone=timezone,
            proactive=True,
        )
        async with self._database.transaction() as session:
            if beside is not None and not await beside(session):
                return "not sent: it was changed"
            await enqueue(session, post, line=f"channel:{channel.name}")
        return f"posted to {channel.name}"

    async def reaches(self, person: str) -> bool:
        """Return whether a way leads to a person at this moment."""
        try:
            actor = await self._people.by_id(person)
        except UnknownPerson:
            return False
        async with self._database.reading() as session:
            return await self._ways.reader(session, actor, {}) is not None

    def ways(self, person: Actor) -> tuple[str, ...]:
        """Return the ways that a person can choose for news, `chat` (where they were last spoken to) first."""
        return tuple(each for each in self._ways.offered if each != MAIL or person.email)

    async def knows(self, target: JsonObject) -> bool:
        """Return whether the desk can post to a channel."""
        async with self._database.reading() as session:
            return await channel_store.channel_at(session, target) is not None

    def channel_of(self, address: JsonObject) -> JsonObject | None:
        """Return the target of the channel that a kept address lies in; None in a person's own conversation."""
        platform, place, _ = open_envelope(address)
        found = self._chats[platform].channel(place) if platform in self._chats else None
        return None if found is None else {"platform": platform, "channel": found[0]}

    async def is_member(self, person: str, place: JsonObject) -> bool | None:
        """Return whether a person reads at a channel's target or an address now; False where nobody can tell.

        None while the platform gives no answer.
        """
        platform, address = await self._located(place)
        if not address or platform not in self._chats:
            return False
        try:
            return await self._readers.includes(person, platform, address)
        except Unavailable:
            return None

    async def readers(self, place: JsonObject) -> frozenset[str]:
        """Return the principals that all who read at a channel's target or an address have in common at this moment.

        Where nobody can tell, those are the public's.
        """
        readership = (await self.audience(place)).readership
        return readership.principals if isinstance(readership, Shared) else PUBLIC

    async def audience(self, place: JsonObject) -> Audience:
        """Return everybody who reads at a channel's target or an address, with what all of them may do and read."""
        platform, address = await self._located(place)
        if not address or platform not in self._chats:
            return Audience(in_common(()), Shared(PUBLIC))
        actor, principals = await self._readers.audience(platform, address)
        return Audience(actor, Shared(principals))

    async def _located(self, place: JsonObject) -> tuple[str, JsonObject]:
        """Return the platform and the address of a kept address or a channel's target; {} where none is known."""
        platform, address, _ = open_envelope(place)
        if not address:
            async with self._database.reading() as session:
                channel = await channel_store.channel_at(session, place)
            address = {} if channel is None else channel.address
        return platform, address

    async def redraw(self, subject: str, *, version: str) -> None:
        """Draw the posted cards of a record again, once for each `version`."""
        async with self._database.transaction() as session:
            await enqueue_refresh(session, subject, version=version)
