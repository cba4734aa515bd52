"""One answered question costs few write transactions: what belongs together is written together."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event

from storage.database import Database
from tests.scenarios.world import words, world_in

#: Receive, take, limits, the open stream, the end of the event with its run and its reply, take and close the reply.
MOST = 7
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


async def test_an_answered_question(database: Database, tmp_path: Path) -> None:
    async with world_in(tmp_path, database) as world:
        await world.say("ada", QUESTION, thread="warm")
        with counted(database) as committed:
            card = await world.say("ada", QUESTION)

    assert "12 hours" in words(card)
    tables = [
        sorted({statement.split()[2 if statement.startswith(("INSERT", "DELETE")) else 1] for statement in each})
        for each in committed
    ]
    assert len(committed) <= MOST, tables
