"""Files of threads through what happens to an index and to messages: refresh, rebuild, rollback, deletion.

On each back end a file is found in its thread and nowhere else, until its message is gone.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from identity.actor import Actor
from search.access import THREAD_FILES
from search.config import ElasticsearchConfig
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.port import Index
from search.uploads.upload_folder import UploadFolder
from storage.clock import ManualClock
from storage.database import Database
from tests.search.thread_house import LEASE, OTHER, THREAD, Breaking, House, open_house

PARKING = b"# Parking\n\nThe barrier opens at six. The notice stands beside it.\n"
on_the_fake = pytest.mark.parametrize("index", ["memory"], indirect=True)


@pytest.fixture(params=["memory", "embedded", "elasticsearch"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Index:
    match request.param:
        case "memory":
            return Breaking()
        case "embedded":
            return EmbeddedIndex(tmp_path / "index.sqlite")
        case _:
            config: ElasticsearchConfig = request.getfixturevalue("elasticsearch_config")
            return ElasticsearchIndex(config)


@pytest.fixture
async def house(database: Database, clock: ManualClock, index: Index, tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(database, clock, index, tmp_path) as opened:
        yield opened


async def assert_kept(house: House, *readers: Actor) -> None:
    """See that each thread has its own file and that nobody has one anywhere else."""
    for reader in readers:
        assert await house.found(reader, THREAD) == ["lease.md"]
        assert await house.found(reader, OTHER) == ["parking.md"]
        assert await house.found(reader, "slack:T1:C1:300.3") == []
        assert await house.found(reader) == []


async def test_a_rebuild_keeps_each_file_to_its_thread(house: House, ada: Actor, ben: Actor, operator: Actor) -> None:
    await house.files.take_in(ada, THREAD, "lease.md", LEASE, message="1")
    await house.files.take_in(ada, OTHER, "parking.md", PARKING, message="2")
    await assert_kept(house, ada, ben)

    report = await house.search.rebuild(operator)

    assert (report.pages, report.without_access) == (2, 0)
    await assert_kept(house, ada, ben)
    assert await house.files.withdraw(THREAD, "1") == 1
    assert await house.found(ada, THREAD) == []


@pytest.mark.parametrize("index", ["elasticsearch"], indirect=True)
async def test_a_rollback_brings_no_file_back_and_loses_none(
    house: House, ada: Actor, ben: Actor, operator: Actor
) -> None:
    await house.files.take_in(ada, THREAD, "plan.md", LEASE, message="1")
    await house.search.rebuild(operator)
    await house.files.withdraw(THREAD, "1")
    await house.files.take_in(ada, THREAD, "lease.md", LEASE, message="2")
    await house.files.take_in(ada, OTHER, "parking.md", PARKING, message="3")

    await house.search.rollback(operator)

    await assert_kept(house, ada, ben)
    await house.search.rollback(operator)
    await assert_kept(house, ada, ben)
    assert await house.search.verify(operator) == ()


async def test_a_file_goes_with_the_last_message_that_brought_it(house: House, ada: Actor, operator: Actor) -> None:
    for message in ("1", "2"):
        await house.files.take_in(ada, THREAD, "lease.md", LEASE, message=message)
    await house.files.take_in(ada, OTHER, "lease.md", LEASE, message="1")

    assert await house.files.withdraw(THREAD, "1") == 0
    assert await house.found(ada, THREAD) == ["lease.md"]
    assert await house.files.withdraw(THREAD, "2") == 1
    assert await house.found(ada, THREAD) == []
    assert await house.found(ada, OTHER) == ["lease.md"]
    assert len(list(house.folder.glob("*/*"))) == 1
    assert await house.files.withdraw(THREAD, "2") == 0
    assert (await house.search.sources(operator))[0].statistics.documents == 1


async def test_the_older_message_takes_no_newer_file_with_it(house: House, ada: Actor) -> None:
    await house.files.take_in(ada, THREAD, "lease.md", LEASE, message="1")
    await house.files.take_in(ada, THREAD, "lease.md", b"# Parking\n\nThe barrier opens at six.\n", message="2")

    assert await house.files.withdraw(THREAD, "1") == 0
    assert await house.found(ada, THREAD, query="barrier opens") == ["lease.md"]
    assert await house.files.withdraw(THREAD, "2") == 1
    assert await house.found(ada, THREAD, query="barrier opens") == []


async def test_what_an_edit_keeps_stays(house: House, ada: Actor) -> None:
    for name in ("lease.md", "plan.md"):
        await house.files.take_in(ada, THREAD, name, LEASE, message="1")

    assert await house.files.withdraw(THREAD, "1", kept=["shot.png", "sub/lease.md"]) == 1
    assert await house.found(ada, THREAD) == ["lease.md"]


@on_the_fake
async def test_what_was_taken_back_while_it_was_read_does_not_come_back(
    house: House, index: Index, ada: Actor, operator: Actor
) -> None:
    assert isinstance(index, Breaking)
    await house.files.take_in(ada, THREAD, "lease.md", LEASE, message="1")
    (file,) = house.folder.glob("*/*")
    file.write_bytes(LEASE + b"\nMore.\n")  # so that a refresh reads it again

    async def taken_back() -> None:
        await house.files.withdraw(THREAD, "1")

    index.before_replace = taken_back
    await house.search.refresh(operator)

    assert await house.found(ada, THREAD) == []
    assert await index.manifest(THREAD_FILES) == {}


@on_the_fake
async def test_an_index_that_was_away_is_told_again(house: House, index: Index, ada: Actor) -> None:
    assert isinstance(index, Breaking)
    await house.files.take_in(ada, THREAD, "lease.md", LEASE, message="1")
    index.broken = True
    with pytest.raises(ConnectionError):
        await house.files.withdraw(THREAD, "1")
    index.broken = False

    assert await house.files.withdraw(THREAD, "1") == 1
    assert await house.found(ada, THREAD) == []
    assert not list(house.folder.glob("*/*"))


async def test_an_attempt_that_was_killed_leaves_nothing_behind(house: House, ada: Actor) -> None:
    arriving = house.folder.parent / ".arriving"
    await house.files.take_in(ada, THREAD, "lease.md", LEASE, message="1")
    folder = UploadFolder(house.folder.parent)
    half = folder.arriving("lease.md", attempt="killed")
    half.write(LEASE[:10])
    others = folder.arriving("lease.md")

    again = folder.arriving("lease.md", attempt="killed")

    assert sorted(arriving.iterdir()) == sorted([again.path, others.path])


async def test_what_a_killed_attempt_left_goes_with_its_message(
    house: House, ada: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    arriving = house.folder.parent / ".arriving"

    async def killed(*_: object, **__: object) -> None:
        raise ConnectionError

    with monkeypatch.context() as during:
        during.setattr("search.uploads.thread_files.store.bring", killed)
        for message in ("1", "2"):
            with pytest.raises(ConnectionError):
                await house.files.take_in(ada, THREAD, "lease.md", LEASE, message=message)
    assert len(list(arriving.iterdir())) == 2

    await house.files.withdraw(THREAD, "1")

    assert len(list(arriving.iterdir())) == 1
