"""`kill -9` of a desk while people send it files, and take some back: each is read once, or told once why not.

Slack delivers some events twice and retries what a dead desk did not take; a file is cited in its own thread alone.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.rendering.texts.catalogue import say
from identity.actor import Actor, ActorKind
from identity.readership import Alone
from search.access import THREAD_FILES, thread_key
from search.embedding.memory import HashEmbedder
from search.indexes.embedded.engine import EmbeddedIndex
from storage.clock import ScaledClock
from tests.crash.killing import PATIENCE_S, Killed, open_killed
from tests.desks.harbour import settings_of
from tests.desks.process import free_port
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person
from tests.fakes.slack.records import Json, Message
from tests.scale import scaled
from tests.search.parsing.making import pdf
from tests.slack_desk.floor import seen
from tests.slack_desk.house import install, slack_settings

SPEED, PEOPLE = 10.0, 8
FILES, KILLS = 300, 20
#: Files that are sent between two kills before the desk could have read them.
BURST = 6
#: … and beyond, as long as it has read everything.
MORE_FILES = 20
#: The share of files that Slack may give up on: nobody can read those, and a busy machine starts a desk slowly.
GIVEN_UP = 0.25
#: Nobody in particular: whoever reads a thread may ask about its files.
READER = Actor(id="reader", name="Reader", kind=ActorKind.STAFF)


@dataclass
class Sent:
    """A file in a thread of its own."""

    number: int
    name: str
    said: Message
    deleted: bool = False

    @property
    def event_id(self) -> str:
        return f"{self.said.channel}:{self.said.ts}"


@dataclass
class Senders:
    """People who send files, and what became of those."""

    slack: LocalSlack
    random: Random
    sent: list[Sent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._people = [self.slack.add_person(f"mate{number}") for number in range(PEOPLE)]

    async def send(self) -> None:
        """Send the next file; every fifth cannot be read, and a sixth are taken back again."""
        number = len(self.sent)
        who = self._people[number % PEOPLE]
        name, content = file_of(number)
        self.sent.append(Sent(number, name, await who.share("dm", name, content)))
        if self.random.random() < 1 / 6:
            await self._take_back(self.random.choice(self.sent))
        await self.slack.workspace.clock.sleep(self.random.uniform(0, 3))

    async def _take_back(self, sent: Sent) -> None:
        if not sent.deleted:
            sent.deleted = True
            who: Person = self._people[sent.number % PEOPLE]
            await who.delete(sent.said)

    def thread(self, sent: Sent) -> str:
        return f"slack:{self.slack.workspace.team.id}:{sent.said.channel}:{sent.said.ts}"

    def path(self, sent: Sent) -> str:
        """Return how the index and the disk know a file."""
        return f"{thread_key(self.thread(sent))}/{sent.name}"

    def told(self, sent: Sent) -> list[str]:
        """Return what the desk says of a file."""
        rooted = self.slack.workspace.replies(sent.said.channel, sent.said.ts)
        return [seen(each) for each in rooted if each.user == self.slack.workspace.bot.id]

    def reached(self, sent: Sent, *, deletion: bool = False) -> bool:
        """Return whether the desk took a message, or that it was deleted; the platform may give up on a dead desk."""
        taken = [each.body.get("event", {}) for each in self.slack.deliveries.records if each.reason is None]
        return any(_tells(event, sent, deletion=deletion) for event in taken)


def _tells(event: Json, sent: Sent, *, deletion: bool) -> bool:
    if event.get("channel") != sent.said.channel:
        return False
    if deletion:
        return bool(event.get("previous_message", {}).get("ts") == sent.said.ts)
    return bool(event.get("ts") == sent.said.ts)


def file_of(number: int) -> tuple[str, bytes]:
    words = f"The crate of note {number} weighs {1_000 + number} stones."
    match number % 5:
        case 0:
            return f"note{number}.pdf", pdf([[f"Note {number}"], [words]])
        case 1:
            return f"note{number}.pdf", b"%PDF-1.7\nbroken"
        case _:
            return f"note{number}.md", f"# Note {number}\n\n{words}\n".encode()


def is_readable(number: int) -> bool:
    return number % 5 != 1


@pytest.fixture
async def slack() -> AsyncIterator[LocalSlack]:
    async with LocalSlack(ScaledClock(SPEED, datetime.now(UTC))) as opened:
        yield opened


@pytest.fixture
async def killed(slack: LocalSlack, tmp_path: Path) -> AsyncIterator[Killed]:
    clock, port = slack.workspace.clock, free_port()
    assert isinstance(clock, ScaledClock)
    await install(slack, f"http://127.0.0.1:{port}")
    platforms = {"slack": slack_settings(slack, stream_after_s=0)}
    async with open_killed(tmp_path / "home", platforms, clock, port=port, database_url="") as opened:
        yield opened


async def waiting(killed: Killed) -> int:
    async with killed.database.reading() as session:
        return int(
            await session.scalar(text("SELECT count(*) FROM storage_queue WHERE state = 'open' AND id LIKE 'in_%'"))
            or 0
        )


async def _kill(senders: Senders, killed: Killed, files: int) -> int:
    """Send files, kill the desk before it has read them all, and return how many events were on their way."""
    met = 0
    for sent in range(files + MORE_FILES):
        if sent >= files and met:
            break
        await senders.send()
        met = await waiting(killed)
    await killed.desk.kill()
    return met


@pytest.mark.timeout(1_200)
async def test_every_file_is_read_once_or_told_once_why_not(slack: LocalSlack, killed: Killed, tmp_path: Path) -> None:
    slack.deliveries.duplicates = 0.2
    senders, kills = Senders(slack, Random(43)), scaled(KILLS, least=3)
    met = [await _kill(senders, killed, max(BURST, scaled(FILES) // kills)) for _ in range(kills)]
    await slack.deliveries.settled(within_s=PATIENCE_S)
    await killed.done()

    assert any(met), "no kill met a file on its way: this run showed nothing about them"
    taken = [each for each in senders.sent if senders.reached(each) or senders.told(each)]
    assert len(taken) >= len(senders.sent) * (1 - GIVEN_UP), "too few were taken: this run showed little"
    _assert_told(senders, taken)
    assert "BlockingError" not in killed.desk.read_log()
    unheard = [each for each in senders.sent if each.deleted and not senders.reached(each, deletion=True)]
    assert len(unheard) <= len(senders.sent) * GIVEN_UP, "too few were taken: this run showed little"
    standing = [each for each in taken if is_readable(each.number) and not each.deleted]
    await _assert_kept(tmp_path / "home", senders, standing, unheard=unheard)


def _assert_told(senders: Senders, taken: list[Sent]) -> None:
    for each in taken:
        told = senders.told(each)
        read = say("en", "files.sections.one", count=1), say("en", "files.pages.many", count=2)
        assert len(told) <= 1 if each.deleted else len(told) == 1, (each, told)
        assert all(each.name in words for words in told), (each, told)
        assert all(any(extent in words for extent in read) == is_readable(each.number) for words in told), (each, told)


async def _assert_kept(home: Path, senders: Senders, standing: list[Sent], *, unheard: list[Sent]) -> None:
    """See that the index, the disk and what is found hold the same files, and that nothing lies about half taken in.

    Of those that Slack did not get to say are deleted, any may still stand.
    """
    settings, expected = settings_of(home, {}), {senders.path(each) for each in standing}
    uploads, index = settings.search_config.uploads.path, EmbeddedIndex(settings.index_path)
    assert await index.verify() == ()
    held = set(await index.manifest(THREAD_FILES))
    await index.close()
    assert expected <= held <= expected | {senders.path(each) for each in unheard}
    threads = uploads / "threads"
    assert {file.relative_to(threads).as_posix() for file in threads.rglob("*") if file.is_file()} == held
    assert list((uploads / ".arriving").iterdir()) == []
    async with await compose(settings, embedder=HashEmbedder()) as desk:
        for each in standing:
            assert await found(desk, senders, each) == {senders.path(each)}
        assert await found(desk, senders, standing[0], thread="slack:elsewhere") == set()
        assert await found(desk, senders, standing[0], thread="") == set()


async def found(desk: Desk, senders: Senders, sent: Sent, *, thread: str | None = None) -> set[str]:
    """Return which files of threads a reader of a thread finds when they ask about a file."""
    place = senders.thread(sent) if thread is None else thread
    question = f"What does the crate of note {sent.number} weigh?"
    result = await desk.search.search(READER, question, readership=Alone(place))
    return {hit.document_path for hit in result.hits if hit.source == THREAD_FILES}
