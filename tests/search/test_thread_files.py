"""Files that were sent in a chat thread: for that thread only, whatever they say themselves, and not for ever."""

import itertools
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from identity.actor import Actor, system_actor
from search.access import THREAD_FILES, checked_principals, thread_principal
from search.errors import AccessInvalid, FileUnreadable, SourceNameInvalid
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.port import Index
from storage.clock import ManualClock
from storage.database import Database
from tests.search.parsing.making import pdf
from tests.search.thread_house import LEASE, OTHER, THREAD, Breaking, House, open_house


@pytest.fixture(params=["memory", "embedded"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Index:
    return Breaking() if request.param == "memory" else EmbeddedIndex(tmp_path / "index.sqlite")


@pytest.fixture
async def house(database: Database, clock: ManualClock, index: Index, tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(database, clock, index, tmp_path) as opened:
        yield opened


async def test_a_file_is_found_in_its_thread_and_nowhere_else(
    house: House, ada: Actor, ben: Actor, operator: Actor
) -> None:
    taken = await house.files.take_in(ada, THREAD, "lease.md", LEASE)

    assert (taken.name, taken.pages, taken.sections, taken.replaced) == ("lease.md", 0, 1, False)
    assert await house.found(ada, THREAD) == ["lease.md"]
    assert await house.found(ben, THREAD) == ["lease.md"]  # whoever reads the thread has seen the file there
    assert await house.found(ada, OTHER) == []
    assert await house.found(ada) == []
    assert await house.found(operator) == ["lease.md"]


async def test_what_folders_are_read_with_reads_files_too(house: House, ada: Actor) -> None:
    pages = pdf([["Lease of the north hall"], ["The notice period is eleven weeks."]])
    taken = await house.files.take_in(ada, THREAD, "lease.pdf", pages)

    assert (taken.pages, taken.sections) == (2, 2)
    assert "eleven weeks" in await house.texts(ada, THREAD)


async def test_in_a_channel_the_file_may_be_cited_in_its_thread_only(house: House, ada: Actor) -> None:
    await house.files.take_in(ada, THREAD, "lease.md", LEASE)

    assert await house.found(ada, THREAD, audience=frozenset({"public"})) == ["lease.md"]
    assert await house.found(ada, OTHER, audience=frozenset({"public", "staff"})) == []


async def test_nothing_in_a_file_opens_it_to_others(house: House, ada: Actor, ben: Actor) -> None:
    wide = b"---\naccess: {allow: [public, staff]}\n---\n" + LEASE

    await house.files.take_in(ada, THREAD, "lease.md", wide)

    assert await house.found(ben) == []
    assert await house.found(ben, OTHER, audience=frozenset({"public"})) == []
    assert await house.found(ben, THREAD) == ["lease.md"]


def test_nobody_can_name_a_thread_in_an_access_list() -> None:
    with pytest.raises(AccessInvalid):
        checked_principals([thread_principal(THREAD)])


async def test_the_same_file_twice_is_one_page(house: House, ada: Actor, operator: Actor) -> None:
    await house.files.take_in(ada, THREAD, "lease.md", LEASE)
    again = await house.files.take_in(ada, THREAD, "lease.md", LEASE)

    assert not again.replaced
    (status,) = await house.search.sources(operator)
    assert (status.name, status.statistics.documents, status.statistics.vectors_pending) == (THREAD_FILES, 1, 0)


@pytest.mark.parametrize("index", ["memory"], indirect=True)
async def test_killed_before_it_was_in_the_index_it_is_read_when_the_message_comes_again(
    house: House, index: Index, ada: Actor, operator: Actor
) -> None:
    assert isinstance(index, Breaking)
    index.broken = True
    with pytest.raises(ConnectionError):
        await house.files.take_in(ada, THREAD, "lease.md", LEASE)
    index.broken = False

    taken = await house.files.take_in(ada, THREAD, "lease.md", LEASE)

    assert not taken.replaced
    assert await house.found(ada, THREAD) == ["lease.md"]
    (status,) = await house.search.sources(operator)
    assert status.statistics.documents == 1


async def test_no_case_of_many_finds_what_was_sent_elsewhere(
    house: House, ada: Actor, ben: Actor, gus: Actor, tmp_path: Path
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for allow in ("public", "staff", "group:it"):
        name = allow.replace(":", "-")
        text = f"---\naccess: {{allow: ['{allow}']}}\n---\n# {name}\n\nThe notice period is one week.\n"
        (pages / f"{name}.md").write_text(text)
    await house.search.add_folder(system_actor("test"), pages)
    threads = [f"slack:T1:C{number}:1.1" for number in range(6)]
    for number, thread in enumerate(threads[:-1]):  # nobody sent anything in the last one
        opened = ("public", "staff", "group:it", "thread:x", "person:ada")[number]
        wide = f"---\naccess: {{allow: ['{opened}']}}\n---\n# File {number}\n\nThe notice period is {number} weeks.\n"
        await house.files.take_in(ada, thread, f"file{number}.md", wide.encode())
    audiences = (None, frozenset({"public"}), frozenset({"public", "staff"}), frozenset[str]())
    for actor, thread, audience in itertools.product((ada, ben, gus), ["", *threads], audiences):
        found = set(await house.found(actor, thread, audience=audience))
        sent = {f"file{threads.index(thread)}.md"} if thread in threads[:-1] else set()

        assert {name for name in found if name.startswith("file")} == sent, (actor.id, thread, audience)


async def test_a_newer_file_of_that_name_takes_the_older_ones_place(house: House, ada: Actor) -> None:
    await house.files.take_in(ada, THREAD, "lease.md", LEASE)
    await house.files.take_in(ada, OTHER, "lease.md", LEASE)
    newer = await house.files.take_in(ada, THREAD, "lease.md", b"# Parking\n\nThe barrier opens at six.\n")

    assert newer.replaced
    assert "barrier" in await house.texts(ada, THREAD)
    assert "eleven weeks" not in await house.texts(ada, THREAD)
    assert "eleven weeks" in await house.texts(ada, OTHER)


async def test_what_was_sent_survives_a_refresh(house: House, ada: Actor, operator: Actor) -> None:
    await house.files.take_in(ada, THREAD, "lease.md", LEASE)

    report = await house.search.refresh(operator)

    assert (report.unchanged, report.added, report.removed, report.without_access) == (1, 0, 0, 0)
    (house.folder / thread_principal(THREAD).partition(":")[2] / "more.md").write_bytes(b"# Keys\n\nTwo keys exist.\n")
    assert (await house.search.refresh(operator, source=THREAD_FILES)).added == 1
    assert await house.found(ada, THREAD, query="keys exist") == ["more.md", "lease.md"]
    assert await house.found(ada, OTHER, query="keys exist") == []


async def test_files_are_gone_after_some_days(house: House, ada: Actor) -> None:
    await house.files.take_in(ada, THREAD, "lease.md", LEASE)
    house.clock.advance(timedelta(days=6).total_seconds())
    await house.files.take_in(ada, OTHER, "lease.md", LEASE)
    assert await house.files.forget() == 0

    house.clock.advance(timedelta(days=2).total_seconds())

    assert await house.files.forget() == 1
    assert await house.found(ada, THREAD) == []
    assert await house.found(ada, OTHER) == ["lease.md"]
    assert [file.name for file in house.folder.glob("*/*")] == ["lease.md"]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("shot.png", b"\x89PNG", "no format that is read"),
        ("old.doc", b"\xd0\xcf", "old Word format"),
        ("empty.md", b"", "is empty"),
        ("broken.pdf", b"%PDF-1.7\nbroken", "PDF|damaged|broken"),
        (".access.yaml", b"allow: [public]", "no format that is read"),
    ],
)
async def test_what_cannot_be_read_is_told_and_leaves_nothing(
    house: House, ada: Actor, operator: Actor, name: str, content: bytes, why: str
) -> None:
    with pytest.raises(FileUnreadable, match=why):
        await house.files.take_in(ada, THREAD, name, content)

    assert await house.found(operator, query="allow public pdf") == []
    assert not [file for file in house.folder.rglob("*") if file.is_file()]


@pytest.mark.parametrize("name", ["../../people.md", "..\\..\\people.md", "/etc/people.md", "a/../b/people.md"])
async def test_a_name_leads_nowhere(house: House, ada: Actor, name: str) -> None:
    taken = await house.files.take_in(ada, THREAD, name, LEASE)

    assert taken.name == "people.md"
    assert [file.name for file in house.folder.glob("*/*")] == ["people.md"]


async def test_no_other_source_takes_its_name(house: House, operator: Actor, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    with pytest.raises(SourceNameInvalid):
        await house.search.add_folder(operator, tmp_path / "pages", name=THREAD_FILES)
