"""The two doors to the database."""

import asyncio
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from bot.compose import migrate
from search.indexes.embedded.schema import connect
from storage.database import Database
from tests.scale import scaled


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


async def test_a_write_that_is_called_off_at_any_moment_leaves_the_database_writable(database: Database) -> None:
    chance = Random(3)
    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE scratch (id INTEGER)"))

    async def write() -> None:
        async with database.transaction() as session:
            await session.execute(text("INSERT INTO scratch VALUES (1)"))
            await session.execute(text("SELECT count(*) FROM scratch"))

    for _ in range(scaled(3_000)):
        writing = asyncio.create_task(write())
        await asyncio.sleep(chance.uniform(0, 0.006))
        writing.cancel()
        failed = (await asyncio.gather(writing, return_exceptions=True))[0]  # kept, and with it all that it refers to
        assert failed is None or isinstance(failed, asyncio.CancelledError)
        async with asyncio.timeout(60):
            await write()


@pytest.mark.parametrize("door", ["transaction", "reading", "looking"])
async def test_what_is_called_off_at_any_pause_of_the_driver_ends_as_called_off(
    database: Database, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever goes on after an error of the database would never stop: a desk that ends waits for its jobs."""
    monkeypatch.setattr("psycopg.waiting.MAX_BUSY_TIME", 0)  # as on a busy loop: the driver pauses at each step
    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE scratch (id INTEGER)"))

    async def use() -> None:
        async with getattr(database, door)() as session:
            await session.execute(text("SELECT 1"))
            await session.execute(text("INSERT INTO scratch VALUES (:id)"), [{"id": 1}, {"id": 2}])

    for last in range(1, 20):
        pauses = count(1)

        async def pause(seconds: float) -> None:
            if next(pauses) == last:  # noqa: B023 - called within this round
                using.cancel()  # noqa: B023
            await asyncio.sleep(seconds)

        monkeypatch.setattr("psycopg.waiting.sleep", pause)
        using = asyncio.create_task(use())
        ended = (await asyncio.gather(using, return_exceptions=True))[0]
        assert ended is None or isinstance(ended, asyncio.CancelledError), f"at pause {last}: {ended!r}"


async def test_a_new_file_that_another_writes_is_opened_once_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        database = Database(f"sqlite+aiosqlite:///{path}")
        opening = asyncio.create_task(database.ping())
        opening_index = asyncio.create_task(asyncio.to_thread(connect, path))
        done, _ = await asyncio.wait((opening, opening_index), timeout=0.2)
        assert not done
        other.execute("ROLLBACK")
    await opening
    (await opening_index).close()
    await database.close()
