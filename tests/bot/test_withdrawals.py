"""Messages that are taken away: what they had brought goes without a word, now or as soon as it can."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

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
