"""The two doors to the database."""

import pytest
from sqlalchemy import text

from bot import migrate
from storage.database import Database


async def test_a_migrated_database_is_current(database: Database) -> None:
    await database.ping()
    assert await migrate.is_current(database)


async def test_what_raises_is_rolled_back(database: Database) -> None:
    with pytest.raises(RuntimeError):
        async with database.transaction() as session:
            await session.execute(text("CREATE TABLE scratch (id INTEGER)"))
            raise RuntimeError
    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE scratch (id INTEGER)"))


async def test_reading_never_commits(database: Database) -> None:
    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE scratch (id INTEGER)"))
    async with database.reading() as session:
        await session.execute(text("INSERT INTO scratch VALUES (1)"))
    async with database.reading() as session:
        assert (await session.execute(text("SELECT count(*) FROM scratch"))).scalar_one() == 0
