"""One answered question costs few write transactions: what belongs together is written together."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event

from adapters.cards import Card
from storage.database import Database
from storage.queue import work
from tests.scenarios.world import World, words, world_in

#: Receive and take, limits, the open stream, the end of the event with its run and its reply taken, the reply's end.
MOST = 5
QUESTION = "How long does a VPN session last?"


@contextmanager
def counted(database: Database) -> Iterator[list[list[str]]]:
    """Collect the write transactions of the block that wrote something, each as its statements."""
    committed: list[list[str]] = []
    written: dict[int, list[str]] = {}

    def execute(connection: Any, cursor: object, statement: str, *rest: object) -> None:
        del cursor, rest
        if statement.split(None, 1)[0] in ("INSERT", "UPDATE", "DELETE"):
            written.setdefault(id(connection.connection.dbapi_connection), []).append(statement)

    def commit(connection: Any) -> None:
        statements = written.pop(id(connection.connection.dbapi_connection), None)
        if statements:
            committed.append(statements)

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", execute)
    event.listen(engine, "commit", commit)
    try:
        yield committed
    finally:
        event.remove(engine, "before_cursor_execute", execute)
        event.remove(engine, "commit", commit)


async def asked(world: World, thread: str) -> Card:
    """Ask in a thread, and return the answer once nothing is left to be done."""
    await world.chat.say("ada", QUESTION, thread=thread)
    while True:
        async with world.desk.database.reading() as session:
            if not await work.open_topics(session):
                return world.newest("ada", thread).card
        await asyncio.sleep(0.02)


async def test_an_answered_question(database: Database, tmp_path: Path) -> None:
    async with world_in(tmp_path, database) as world:
        stop = asyncio.Event()
        workers = asyncio.gather(world.desk.inbox.run(stop), world.desk.outbox.run(stop))
        await asked(world, "warm")
        with counted(database) as committed:
            card = await asked(world, "main")
        stop.set()
        await workers

    assert "12 hours" in words(card)
    tables = [
        sorted({statement.split()[2 if statement.startswith(("INSERT", "DELETE")) else 1] for statement in each})
        for each in committed
    ]
    assert len(committed) <= MOST, tables
