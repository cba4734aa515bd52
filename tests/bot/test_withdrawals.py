"""Messages that are taken away: what they had brought goes without a word, now or as soon as it can."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from adapters.events import File, Message, Withdrawn, withdrawal_of
from adapters.memory import MemoryChat
from search.access import THREAD_FILES
from search.errors import IndexUnavailable
from search.indexes.memory import MemoryIndex
from storage.clock import ManualClock
from storage.database import Database
from tests.scenarios.world import ACCOUNTS, World, words, world_in

LEASE = b"# Lease of the north hall\n\nThe notice period of the north hall is eleven weeks.\n"


class Away(MemoryIndex):
    """An index that does not answer a number of times."""

    times = 0

    async def delete(self, source: str, paths: Sequence[str] | None = None) -> int:
        if self.times:
            self.times -= 1
            raise IndexUnavailable("the index does not answer")
        return await super().delete(source, paths)


@pytest.fixture
def index() -> Away:
    return Away()


@pytest.fixture
async def world(tmp_path: Path, database: Database, index: Away) -> AsyncIterator[World]:
    chat = MemoryChat(people=ACCOUNTS)
    chat.files["lease.md"] = LEASE
    async with world_in(tmp_path, database, chat=chat, clock=ManualClock(datetime.now(UTC)), index=index) as made:
        yield made


def sent(world: World, *, text: str = "") -> Message:
    assert isinstance(world.chat, MemoryChat)
    event = world.chat._event("ada", "main", "")
    file = File(name="lease.md", reference={"id": "lease.md"})
    return Message(**{**vars(event), "received_at": world.desk.clock.now()}, text=text, files=(file,))


def taken_away(message: Message) -> Withdrawn:
    event = {name: getattr(message, name) for name in ("account", "address", "thread", "received_at")}
    return Withdrawn(**event, event_id=withdrawal_of(message.event_id), message=message.event_id)


async def hear(world: World, *events: Message | Withdrawn) -> str:
    """Hand in events, work them off, and return what is said."""
    before = len(world.all("ada"))
    for event in events:
        await world.desk.inbox.receive(event)
    await world.desk.inbox.drain()
    while await world.desk.outbox.drain_once():
        pass
    return "\n".join(words(each.card) for each in world.all("ada")[before:])


async def test_an_index_that_is_away_is_told_later(world: World, index: Away) -> None:
    message = sent(world)
    await hear(world, message)
    index.times = 3

    assert await hear(world, taken_away(message)) == ""
    assert await index.manifest(THREAD_FILES) == {}
    assert not list((world.desk.settings.search_config.uploads.path / "threads").glob("*/*"))


async def test_a_file_is_not_read_whose_message_is_gone_already(world: World, index: Away) -> None:
    message = sent(world, text="/desk help")

    said = await hear(world, message, taken_away(message))

    assert "ticket new" in said
    assert "lease.md" not in said
    assert await index.manifest(THREAD_FILES) == {}


async def test_a_message_of_a_file_alone_that_is_gone_already_is_answered_with_nothing(world: World) -> None:
    message = sent(world)

    assert await hear(world, message, taken_away(message)) == ""


async def test_a_deletion_is_no_talk_with_the_desk(world: World) -> None:
    message = sent(world)
    await hear(world, taken_away(message))
    talk = sent(world, text="What is the notice period?")

    assert await hear(world, Message(**{**vars(talk), "addressed": False, "files": ()})) == ""


async def held(world: World) -> str:
    """Return all rows of all tables but those of the index, as text."""
    async with world.desk.database.reading() as session:
        rows = await (await session.connection()).run_sync(_rows)
    return "\n".join(rows)


def _rows(connection: Connection) -> list[str]:
    tables = [each for each in inspect(connection).get_table_names() if not each.startswith("search_")]
    return [str(tuple(row)) for table in tables for row in connection.execute(text(f'SELECT * FROM "{table}"'))]


def said(world: World, words_said: str) -> Message:
    assert isinstance(world.chat, MemoryChat)
    event = world.chat._event("ada", "main", "")
    return Message(**{**vars(event), "received_at": world.desk.clock.now()}, text=words_said)


@pytest.mark.parametrize(
    "words_said",
    [
        "My zebra printer on floor 3 is broken",
        "How long does a zebra session of the VPN last?",
        "/desk ticket show zebra",
    ],
)
async def test_a_message_that_was_taken_back_is_in_no_table_any_more(world: World, words_said: str) -> None:
    message = said(world, words_said)
    await hear(world, message)
    assert "zebra" in await held(world)

    assert "zebra" not in await hear(world, taken_away(message))
    assert "zebra" not in await held(world)


async def test_what_was_said_before_and_after_it_stays(world: World) -> None:
    await hear(world, said(world, "How long does a giraffe session of the VPN last?"))
    message = said(world, "My zebra printer on floor 3 is broken")
    await hear(world, message)
    await hear(world, taken_away(message))
    await hear(world, said(world, "How long does an okapi session of the VPN last?"))

    everything = await held(world)
    assert all(each in everything for each in ("giraffe", "okapi"))
    assert "zebra" not in everything


async def test_what_was_on_its_way_when_it_was_taken_back_is_forgotten_once_it_is_sent(world: World) -> None:
    message = said(world, "How long does a zebra session of the VPN last?")

    assert await hear(world, message, taken_away(message))
    assert "zebra" not in await held(world)
