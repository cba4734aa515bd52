"""What the desk tells people who did not ask just now."""

from collections.abc import Awaitable, Callable

from adapters.cards import Block
from bot.conversation.people import People
from bot.conversation.requests import open_envelope
from bot.delivery import address_store
from bot.delivery.posts import Post, enqueue, enqueue_refresh
from bot.rendering.cards import card_of
from features.anatomy.reader import Reader
from identity.errors import UnknownPerson
from storage.database import Database
from storage.ids import JsonObject


class Notices:
    """Writes to people where they can be reached."""

    def __init__(self, database: Database, *, people: People, public_url: str) -> None:
        self._database = database
        self._people = people
        self._public_url = public_url

    async def tell(
        self,
        person: str,
        draw: Callable[[Reader], Awaitable[tuple[Block, ...]]],
        *,
        key: str,
        address: JsonObject | None = None,
        order: str = "",
    ) -> bool:
        """Write to a person, once for each `key`; return whether they can be written to.

        It goes to `address` while they can be reached there, else where they were last spoken to.
        """
        platform, place, language = open_envelope(address or {})
        async with self._database.reading() as session:
            if not platform or await address_store.is_gone(session, actor_id=person, platform=platform):
                known = await address_store.addresses_of(session, person)
                if not known:
                    return False
                platform, place, language = known[0].platform, known[0].address, known[0].language
        reader = Reader(
            language="zh" if language == "zh" else "en",
            timezone=await self._timezone(person),
            base="" if platform == "web" else self._public_url,
        )
        card = card_of(await draw(reader), reader)
        post = Post(platform=platform, address=place, card=card, key=key, proactive=True, actor_id=person)
        async with self._database.transaction() as session:
            await enqueue(session, post, line=order or person)
        return True

    async def redraw(self, subject: str, *, version: str) -> None:
        """Draw the posted cards of a record again, once for each `version`."""
        async with self._database.transaction() as session:
            await enqueue_refresh(session, subject, version=version)

    async def _timezone(self, person: str) -> str:
        try:
            return (await self._people.by_id(person)).timezone
        except UnknownPerson:
            return "UTC"
