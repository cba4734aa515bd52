"""Where a person can be reached: the place where they last spoke, however many workers hear them at once."""

import asyncio
from datetime import UTC, datetime

from bot.delivery import address_store
from storage.database import Database

NOW = datetime(2026, 1, 1, tzinfo=UTC)


async def remember(database: Database, thread: str) -> None:
    async with database.transaction() as session:
        await address_store.remember_address(
            session, actor_id="ada", platform="slack", address={"thread": thread}, language="en", now=NOW
        )


async def test_the_last_place_is_kept(database: Database) -> None:
    await remember(database, "first")
    await remember(database, "second")

    async with database.reading() as session:
        known = await address_store.addresses_of(session, "ada")
    assert [each.address for each in known] == [{"thread": "second"}]


async def test_somebody_who_asks_in_many_threads_at_once_is_remembered_once(database: Database) -> None:
    await asyncio.gather(*(remember(database, f"thread {number}") for number in range(8)))

    async with database.reading() as session:
        assert len(await address_store.addresses_of(session, "ada")) == 1
