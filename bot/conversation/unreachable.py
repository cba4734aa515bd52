"""When the desk is not let in any more: it stops writing there, news go elsewhere, and somebody hears of a person."""

from collections.abc import Mapping
from dataclasses import replace

from adapters.cards import Note
from adapters.port import Chat
from bot.conversation.people import People
from bot.delivery import address_store
from bot.delivery.posts import GoesOn, Post, enqueue
from bot.rendering.cards import card_of
from bot.rendering.texts.catalogue import has, say
from features.anatomy.reader import Reader
from identity.errors import UnknownPerson
from identity.permissions import Permission
from identity.policy import decide
from storage.clock import Clock
from storage.database import Database, Session

#: Why something did not arrive, for those who look after it.
GONE = "the desk was blocked or removed there"


class Unreachable:
    """Remembers who cannot be reached where, sends their news elsewhere, and tells those who run the desk."""

    def __init__(
        self, database: Database, clock: Clock, *, people: People, chats: Mapping[str, Chat], goes_on: GoesOn
    ) -> None:
        self._goes_on = goes_on
        self._database = database
        self._clock = clock
        self._people = people
        self._chats = chats

    async def note(self, post: Post) -> None:
        """Take note that a post found no way to its place; the same again changes nothing."""
        if not self._is_for_one(post):  # a team or a group threw the desk out: its people can still be reached
            async with self._database.transaction() as session:
                await self._send_elsewhere(session, post)
            return
        keepers = [each.id for each in await self._people.all() if decide(each, Permission.AUDIT_READ).allowed]
        name = await self._name(post.actor_id)
        async with self._database.transaction() as session:
            news = await address_store.mark_gone(
                session, actor_id=post.actor_id, platform=post.platform, now=self._clock.now()
            )
            await self._send_elsewhere(session, post)
            if news:
                for keeper in keepers:
                    await self._tell(session, keeper, post, name=name)

    def _is_for_one(self, post: Post) -> bool:
        return post.whisper or dict(self._chats[post.platform].privately(post.address)) == dict(post.address)

    async def _send_elsewhere(self, session: Session, post: Post) -> None:
        """Post news where the person can be reached still; an answer is of no use elsewhere."""
        known = await address_store.addresses_of(session, post.actor_id)
        if post.proactive and known:
            place = known[0]
            moved = replace(post, platform=place.platform, address=place.address, key=f"{post.key}:{place.platform}")
            await enqueue(session, moved, line=post.actor_id)
        elif post.goes_on:
            await self._goes_on(session, post, GONE)

    async def _tell(self, session: Session, keeper: str, post: Post, *, name: str) -> None:
        for place in (await address_store.addresses_of(session, keeper))[:1]:
            reader = Reader(language="zh" if place.language == "zh" else "en", timezone="UTC", base="")
            named = f"platform.{post.platform}"
            platform = say(reader.language, named) if has(named) else post.platform
            words = say(reader.language, "notice.unreachable", name=name, platform=platform)
            key = f"unreachable:{keeper}:{post.platform}:{post.actor_id}:{post.key}"
            card = card_of((Note(words, tone="warn"),), reader)
            told = Post(place.platform, place.address, card, key=key[:200], proactive=True, actor_id=keeper)
            await enqueue(session, told, line=keeper)

    async def _name(self, actor_id: str) -> str:
        try:
            return (await self._people.by_id(actor_id)).name
        except UnknownPerson:
            return actor_id
