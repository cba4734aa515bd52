"""Files that people upload: a source of their own, checked before anything changes, and taken out with a way back."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from identity.actor import Actor
from identity.audit import AuditTrail
from identity.errors import Forbidden
from search.config import SearchConfig, UploadConfig
from search.embedding.memory import HashEmbedder
from search.errors import AccessInvalid, FileUnreadable, SourceNameInvalid, SourceNameTaken, SourceNotFound
from search.indexes.memory import MemoryIndex
from search.service import SearchService
from search.uploads.upload_folder import UploadFolder
from search.uploads.uploads import Uploaded, Uploads
from storage.clock import ManualClock
from storage.database import Database

KEYS = b"# Keys\n\nThere are two keys to the archive.\n"


async def once(content: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(content), 10):
        yield content[at : at + 10]


@dataclass
class House:
    database: Database
    search: SearchService
    uploads: Uploads
    folder: Path
    clock: ManualClock

    async def upload(self, actor: Actor, name: str, content: bytes, *, to: str = "archive") -> Uploaded:
        arrival = await self.uploads.arrive(actor, name, once(content))
        return await self.uploads.add(actor, to, [arrival], allow=("staff",))

    async def found(self, actor: Actor) -> list[str]:
        result = await self.search.search(actor, "keys to the archive", language="en")
        return [hit.document_path for hit in result.hits]

    def files(self) -> list[str]:
        return sorted(file.relative_to(self.folder).as_posix() for file in self.folder.rglob("*") if file.is_file())


@pytest.fixture
async def house(database: Database, clock: ManualClock, tmp_path: Path) -> AsyncIterator[House]:
    config = SearchConfig(uploads=UploadConfig(path=tmp_path / "uploads"))
    search = SearchService(database, MemoryIndex(), HashEmbedder(), clock, config)
    folder = UploadFolder(config.uploads.path)
    uploads = Uploads(database, search, folder, clock, longest_file_bytes=1_000)
    yield House(database, search, uploads, config.uploads.path, clock)
    await search.close()


async def test_an_uploaded_file_is_found_by_those_who_may_read_it(house: House, cleo: Actor, ada: Actor) -> None:
    uploaded = await house.upload(cleo, "keys.md", KEYS)

    assert (uploaded.report.source, uploaded.report.added, uploaded.replaced) == ("archive", 1, ())
    assert await house.found(ada) == ["keys.md"]
    assert house.files() == ["archive/keys.md"]


async def test_a_file_takes_the_place_of_one_with_its_name_and_says_so(house: House, cleo: Actor) -> None:
    await house.upload(cleo, "keys.md", KEYS)
    await house.upload(cleo, "doors.md", b"# Doors\n\nThere is one door.\n")
    again = await house.upload(cleo, "keys.md", KEYS + b"\nAnd a third one.\n")

    assert (again.report.changed, again.report.unchanged, again.replaced) == (1, 1, ("keys.md",))


@pytest.mark.parametrize("name", ["ada", "ben"])
async def test_only_who_manages_the_knowledge_may(
    house: House, name: str, cleo: Actor, request: pytest.FixtureRequest
) -> None:
    actor: Actor = request.getfixturevalue(name)
    with pytest.raises(Forbidden):
        await house.uploads.arrive(actor, "keys.md", once(KEYS))
    arrival = await house.uploads.arrive(cleo, "keys.md", once(KEYS))
    with pytest.raises(Forbidden):
        await house.uploads.add(actor, "archive", [arrival])
    with pytest.raises(Forbidden):
        await house.uploads.remove(actor, "archive")


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [("x.md", b"x" * 1_001, "more than"), ("x.md", b"", "is empty"), ("x.exe", b"MZ", "no format that is read")],
)
async def test_what_cannot_be_taken_in_leaves_nothing(
    house: House, cleo: Actor, name: str, content: bytes, why: str
) -> None:
    with pytest.raises(FileUnreadable, match=why):
        await house.uploads.arrive(cleo, name, once(content))

    assert house.files() == []


@pytest.mark.parametrize("name", ["threads", ".removed", "..", "a/b", "sent in chat", "a\x00b", "a\\b", " "])
async def test_a_source_cannot_take_a_name_of_the_desks_own(house: House, cleo: Actor, name: str) -> None:
    with pytest.raises(SourceNameInvalid):
        await house.uploads.check(cleo, name)


async def test_a_name_that_a_folder_has_is_told_before_anything_changes(
    house: House, cleo: Actor, tmp_path: Path
) -> None:
    (tmp_path / "archive").mkdir()
    await house.search.add_folder(cleo, tmp_path / "archive")
    arrival = await house.uploads.arrive(cleo, "keys.md", once(KEYS))

    with pytest.raises(SourceNameTaken):
        await house.uploads.add(cleo, "archive", [arrival])

    assert not (house.folder / "archive").exists()


async def test_a_list_that_names_nobody_is_told_before_anything_changes(house: House, cleo: Actor) -> None:
    with pytest.raises(AccessInvalid):
        await house.uploads.check(cleo, "archive", ["everyone"])


async def test_what_is_removed_is_kept_for_a_day(house: House, cleo: Actor, ada: Actor) -> None:
    await house.upload(cleo, "keys.md", KEYS)
    removed = await house.uploads.remove(cleo, "archive")

    assert removed.pages == 1
    assert removed.kept is not None
    assert [file.name for file in removed.kept.iterdir()] == ["keys.md"]
    assert await house.found(ada) == []

    house.clock.advance(timedelta(hours=23).total_seconds())
    assert await house.uploads.forget() == 0
    house.clock.advance(timedelta(hours=2).total_seconds())
    assert await house.uploads.forget() == 1
    assert house.files() == []


async def test_removing_a_folder_of_ones_own_leaves_it_alone(house: House, cleo: Actor, tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "keys.md").write_bytes(KEYS)
    await house.search.add_folder(cleo, tmp_path / "book")

    removed = await house.uploads.remove(cleo, "book")

    assert (removed.pages, removed.kept) == (1, None)
    assert (tmp_path / "book" / "keys.md").exists()
    with pytest.raises(SourceNotFound):
        await house.uploads.remove(cleo, "book")


async def test_uploads_and_removals_are_in_the_audit(house: House, cleo: Actor) -> None:
    await house.upload(cleo, "keys.md", KEYS)
    await house.uploads.remove(cleo, "archive")
    trail = AuditTrail(house.database, house.clock)
    await trail.seal()

    entries = {entry.action: entry for entry in await trail.entries(cleo)}
    assert sorted(entries) == ["knowledge.index", "knowledge.remove", "knowledge.upload"]
    assert entries["knowledge.upload"].resource == "source:archive"
