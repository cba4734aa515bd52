"""Files that come with a message: what is said of each, whatever its platform does."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.events import Address, File, Message
from adapters.memory import MemoryChat
from adapters.port import Unavailable
from bot.conversation.files import MOST, PATIENCE, why
from bot.conversation.requests import files_of, private_thread
from bot.rendering.texts.catalogue import say
from identity.actor import Actor
from search.errors import Reason
from storage.clock import ManualClock
from storage.database import Database
from tests.scenarios.world import ACCOUNTS, World, words, world_in
from tests.search.parsing.making import pdf

LEASE = b"# Lease of the north hall\n\nThe notice period of the north hall is eleven weeks.\n"


@pytest.fixture
async def world(tmp_path: Path, database: Database) -> AsyncIterator[World]:
    chat = MemoryChat(people=ACCOUNTS)
    async with world_in(tmp_path, database, chat=chat, clock=ManualClock(datetime.now(UTC))) as made:
        yield made


class Sender:
    def __init__(self, world: World) -> None:
        self.world = world
        chat = world.chat
        assert isinstance(chat, MemoryChat)
        self.chat = chat

    async def send(self, *names: str, text: str = "", addressed: bool = True, size: int | None = None) -> str:
        """Send files of these names and return what the desk says in the end."""
        before = len(self.world.all("ada"))
        event = self.chat._event("ada", "main", "")
        now = self.world.desk.clock.now()
        files = tuple(File(name=name, reference={"id": name}, size=size) for name in names)
        message = Message(**{**vars(event), "received_at": now}, text=text, files=files, addressed=addressed)
        await self.chat.deliver(message)
        await self.world.desk.inbox.drain()
        while await self.world.desk.outbox.drain_once():
            pass
        return "\n".join(words(each.card) for each in self.world.all("ada")[before:])


@pytest.fixture
def sender(world: World) -> Sender:
    made = Sender(world)
    made.chat.files = {"lease.md": LEASE, "big.md": b"x" * 30_000_000, "empty.md": b""}
    return made


async def test_each_file_is_spoken_of(sender: Sender) -> None:
    said = await sender.send("lease.md", "gone.md", "big.md", "empty.md", "shot.png")

    assert "`lease.md`" in said
    assert say("en", "files.gone", name="gone.md") in said
    assert say("en", "files.too_large", name="big.md", limit=20) in said
    assert say("en", "files.unreadable", name="empty.md", reason="is empty") in said
    assert "is empty." in said
    assert say("en", "files.format", name="shot.png") in said


@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_reason_has_words(language: str, reason: Reason) -> None:
    words = say(language, "files.unreadable", name="x", reason=why(language, reason))

    assert any("\u4e00" <= letter <= "\u9fff" for letter in words) is (language == "zh")
    assert "  " not in words


@pytest.mark.parametrize("text", ["", "这个文件里有什么？"])
async def test_a_reason_is_said_in_the_language_of_the_sender(sender: Sender, text: str) -> None:
    sender.chat.files["locked.pdf"] = pdf([["secret"]], password="secret")
    said = await sender.send("locked.pdf", text=text)

    assert why("zh" if text else "en", Reason.LOCKED) in said


async def test_several_files_are_spoken_of_together(sender: Sender) -> None:
    sender.chat.files["plan.md"] = b"# Plan\n\n## A\n\nOne.\n\n## B\n\nTwo.\n"
    first = await sender.send("lease.md", "shot.png", "plan.md")
    sender.chat.files["lease.md"] = b"# Lease\n\nTwelve weeks.\n"
    second = await sender.send("lease.md", "plan.md")

    assert say("en", "files.read_many", files="`lease.md` (1 section), `plan.md` (2 sections)", days="7") in first
    assert say("en", "files.format", name="shot.png") in first
    assert say("en", "files.replaced", name="`lease.md`", extent="1 section") in second
    assert say("en", "files.read", name="`plan.md`", extent="2 sections", days="7") in second


async def test_what_is_told_to_be_too_large_is_not_fetched(sender: Sender) -> None:
    sender.chat.files.clear()

    assert say("en", "files.too_large", name="lease.md", limit=20) in await sender.send("lease.md", size=20_000_001)


async def test_a_message_waits_for_a_platform_that_is_away(sender: Sender) -> None:
    sender.chat.refuse = Unavailable("away", retry_after_s=20)

    assert "`lease.md`" in await sender.send("lease.md")


async def test_a_platform_that_stays_away_keeps_nobody_waiting_for_ever(sender: Sender) -> None:
    clock = sender.world.desk.clock
    assert isinstance(clock, ManualClock)
    fetch = sender.chat.fetch
    asked: list[datetime] = []

    async def away(address: object, file: File, *, at_most: int) -> bytes:
        del address, file, at_most
        asked.append(clock.now())
        raise Unavailable("away", retry_after_s=20)

    sender.chat.fetch = away  # type: ignore[method-assign]
    said = await sender.send("lease.md", text="/desk help")
    sender.chat.fetch = fetch  # type: ignore[method-assign]

    assert say("en", "files.gone", name="lease.md") in said
    assert "ticket new" in said
    assert timedelta() < asked[-1] - asked[0] < 2 * PATIENCE


async def test_only_so_many_files_of_a_message_are_read(sender: Sender) -> None:
    names = [f"lease{number}.md" for number in range(MOST + 1)]
    sender.chat.files |= dict.fromkeys(names, LEASE)

    said = await sender.send(*names)

    assert say("en", "files.too_many", count=MOST) in said
    assert f"lease{MOST - 1}.md" in said
    assert f"lease{MOST}.md" not in said


async def test_files_behind_slow_ones_are_named_and_those_before_are_read(sender: Sender) -> None:
    clock, fetch = sender.world.desk.clock, sender.chat.fetch
    assert isinstance(clock, ManualClock)
    names = [f"lease{number}.md" for number in range(4)]
    sender.chat.files |= dict.fromkeys(names, LEASE)

    async def slow(address: Address, file: File, *, at_most: int) -> bytes:
        clock.advance(11)  # of 60
        return await fetch(address, file, at_most=at_most)

    sender.chat.fetch = slow  # type: ignore[method-assign]
    said = await sender.send(*names)

    assert [say("en", "files.late", name=name) in said for name in names] == [False, False, True, True]
    assert "`lease0.md` (1 section), `lease1.md` (1 section)" in said


async def test_what_people_show_one_another_is_not_commented_on(sender: Sender) -> None:
    await sender.world.say("ada", "/desk help")

    assert await sender.send("shot.png", addressed=False) == ""
    assert "`lease.md`" in await sender.send("lease.md", addressed=False)


async def test_a_name_is_no_markdown(sender: Sender) -> None:
    name = "[click](https://evil.example)`**x.md"
    sender.chat.files[name] = LEASE

    said = await sender.send(name)

    assert "](https" not in said


@pytest.mark.parametrize("thread", ["slack:T1:C1:100.1", "web:ada/main", "teams:19:x@thread.tacv2;messageid=1"])
def test_who_is_answered_alone_may_ask_about_the_files_above(ada: Actor, thread: str) -> None:
    assert files_of(private_thread(thread, ada)) == thread
    assert files_of(thread) == thread
