"""A damaged index is put aside and made again from the sources, by itself; nobody gets a trace, nothing loops."""

import asyncio
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.settings import load
from identity.actor import local_operator
from search.errors import IndexBeingMade, IndexUnusable
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.embedded.schema import connect
from search.indexes.port import IndexQuery
from search.sources.memory import MemorySource
from search.sync.sync import Synchroniser
from storage.database import Database
from tests.cli.conftest import PAGES, PEOPLE, invoke
from tests.scenarios.world import World, words, world_in
from tests.search.making import EMBEDDER, EVERYTHING

PAGE = 4_096
QUESTION = "How long does a VPN session last?"
BOOK = {
    f"c{number}.md": f"# Chapter {number}\n\n"
    + "\n\n".join(
        f"## Part {part}\n\nRule {part} of chapter {number} {'holds for everybody ' * 8}." for part in range(12)
    )
    for number in range(48)
}
TABLES = ("meta", "document", "chunk", "window", "embedding", "gone", "term", "posting")


def corrupt(file: Path, pages: int = 200) -> None:
    """Write garbage over so many pages of a file, or over all but the first where it has fewer."""
    chosen = random.Random(7)
    every = range(1, file.stat().st_size // PAGE)
    with file.open("r+b") as content:
        for page in chosen.sample(every, min(pages, len(every))):
            content.seek(page * PAGE)
            content.write(chosen.randbytes(PAGE))


def one_text(file: Path) -> None:
    """Write garbage into a text of every page, where SQLite itself sees nothing wrong."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE chunk SET text = CAST(x'ff20fe' AS TEXT)")
        connection.commit()


def changed(statement: str) -> Callable[[Path], None]:
    """Return what lets a disk give back other bytes, which SQLite and every reader take for good ones."""

    def change(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute(statement).rowcount > 0
            connection.commit()

    return change


def dropped(table: str) -> Callable[[Path], None]:
    def drop(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(f"DROP TABLE {table}")

    return drop


DAMAGES: dict[str, Callable[[Path], object]] = {
    "pages": corrupt,
    "half": lambda file: os.truncate(file, file.stat().st_size // PAGE // 2 * PAGE),
    "odd": lambda file: os.truncate(file, file.stat().st_size - 1_000),
    "empty": lambda file: os.truncate(file, 0),
    "no-database": lambda file: file.write_text("no database " * 500),
    "header": lambda file: file.write_bytes(b"\0" * 100 + file.read_bytes()[100:]),
    "text": one_text,
    "other-text": changed(
        "UPDATE chunk SET text = 'Rule 7 of chapter 7 holds for nobody.' WHERE text LIKE '%chapter 7 %'"
    ),
    "other-readers": changed("UPDATE document SET allow = '[\"group:others\"]'"),
    "other-vectors": changed("UPDATE embedding SET vector = randomblob(length(vector))"),
    "other-terms": changed("UPDATE posting SET terms = substr(terms, 9) || substr(terms, 1, 8)"),
    "other-page": changed("UPDATE document SET markdown = '# Chapter' WHERE path = 'c7.md'"),
    **{f"without-{table}": dropped(table) for table in TABLES},
}


def settled(file: Path) -> None:
    """Put everything into the one file, as a desk that ended does."""
    with closing(connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def put_aside(file: Path) -> int:
    """Return how many damaged files lie beside an index."""
    return len(list(file.parent.glob("*.damaged-*Z")))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an index file of more than 200 SQLite pages."""
    file = tmp_path_factory.mktemp("whole") / "index.db"

    async def fill() -> None:
        index = EmbeddedIndex(file)
        await _filled(index)
        await index.close()

    asyncio.run(fill())
    assert file.stat().st_size > 200 * PAGE
    return file


async def _filled(index: EmbeddedIndex) -> None:
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(MemorySource("book", BOOK))
    await synchroniser.embed_pending()
    await index.filled(await index.unfilled())


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
async def test_no_damage_is_answered_with_an_error_of_the_file(
    damage: Callable[[Path], object], whole: Path, tmp_path: Path
) -> None:
    file = Path(shutil.copy(whole, tmp_path / "index.db"))
    index = EmbeddedIndex(file)
    found = await _looked_for(index)
    settled(file)
    damage(file)

    with pytest.raises(IndexBeingMade):
        for _ in range(2):  # what is in memory already may serve once more
            await _looked_for(index)
            if await index.verify():
                await index.set_aside()
    await _filled(index)

    assert await _looked_for(index) == found
    assert await index.verify() == ()
    assert put_aside(file) == 1
    await index.close()


async def _looked_for(index: EmbeddedIndex) -> dict[str, str]:
    """Return the passages that a question finds, by the page."""
    vector = (await EMBEDDER.embed(["rule 7 of chapter 7"]))[0]
    findings = await index.search(IndexQuery(terms=("rule", "7"), vector=vector, depth=20), EVERYTHING)
    keys = [each.key for leg in findings.legs.values() for each in leg]
    passages = await index.passages(keys, EVERYTHING)
    await index.neighbours("book:c7.md#1", EVERYTHING, before=3, after=3)
    return {each.document_path: each.chunk.text for each in passages.values()}


async def test_a_serving_desk_says_so_in_both_languages_and_makes_it_again(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        settled(world.desk.settings.index_path)
        corrupt(world.desk.settings.index_path)
        english = words(await world.say("ada", QUESTION))
        chinese = words(await world.say("bao", "VPN 会话多久结束?"))
        (job,) = (each for each in world.desk.jobs.table if each.name == "knowledge: make a damaged index again")
        await job.work()

        assert "about 3 pages to go" in english
        assert "约剩 3 页" in chinese
        assert "12 hours" in words(await world.say("ada", QUESTION))
        assert "12 小时" in words(await world.say("bao", "VPN 会话多久结束?"))


async def test_another_process_goes_on_with_the_new_file(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        file = world.desk.settings.index_path
        other = EmbeddedIndex(file)
        documents = (await other.statistics()).documents
        settled(file)
        corrupt(file)
        await world.desk.search.mend(local_operator(), thoroughly=True)

        assert (await other.statistics()).documents == documents
        await other.close()
        assert "12 hours" in words(await world.say("ada", QUESTION))
        assert await world.desk.search.verify(local_operator()) == ()


async def test_uploads_and_files_of_threads_come_back(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        await _upload(world)
        settled(world.desk.settings.index_path)
        corrupt(world.desk.settings.index_path)
        await world.desk.search.mend(local_operator(), thoroughly=True)

        found = await world.desk.search.search(local_operator(), "When does the canteen open?")
        assert "half past eleven" in found.hits[0].chunk.text


async def _upload(world: World) -> None:
    async def pieces() -> "object":
        yield b"# Canteen\n\nThe canteen opens at half past eleven.\n"

    arrival = await world.desk.uploads.arrive(local_operator(), "canteen.md", pieces())  # type: ignore[arg-type]
    await world.desk.uploads.add(local_operator(), "menus", [arrival])


async def test_a_disk_that_damages_everything_ends_in_words_and_not_in_a_loop(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path / "index.db")
    for _ in range(5):
        await index.close()
        (tmp_path / "index.db").write_bytes(b"garbage" * 1_000)
        assert await index.unfilled()
    await index.close()
    (tmp_path / "index.db").write_bytes(b"garbage" * 1_000)

    with pytest.raises(IndexUnusable, match="look at its disk"):
        await index.unfilled()


async def test_a_mark_of_an_index_before_lets_no_other_serve(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path / "index.db")
    await index.statistics()
    await index.set_aside()
    first = await index.unfilled()
    await index.set_aside()
    await index.filled(first)

    assert await index.unfilled() not in ("", first)
    await index.close()


@pytest.fixture
def damaged_home(tmp_path: Path) -> Path:
    home, handbook = tmp_path / "home", tmp_path / "handbook"
    for name, text in PAGES.items():
        (handbook / name).parent.mkdir(parents=True, exist_ok=True)
        (handbook / name).write_text(text, encoding="utf-8")
    home.mkdir()
    (home / "people.yaml").write_text(PEOPLE, encoding="utf-8")
    assert invoke("index", str(handbook), "--allow", "staff", home=home).exit_code == 0
    corrupt(load(home=home).index_path)
    return home


def test_every_command_mends_it_and_the_doctor_tells(damaged_home: Path) -> None:
    told = invoke("doctor", home=damaged_home)
    assert told.exit_code == 1
    assert "dutydesk knowledge rebuild" in told.output

    asked = invoke("ask", "How do I connect to the VPN?", home=damaged_home)
    assert asked.exit_code == 0, asked.output
    assert "Tidegate" in asked.output
    assert "The index is made from the sources: 3 pages" in asked.output
    after = invoke("doctor", home=damaged_home)
    assert after.exit_code == 0, after.output
    assert "was put aside as" in after.output
    assert invoke("knowledge", "verify", home=damaged_home).exit_code == 0


@pytest.mark.parametrize("command", ["index", "rebuild", "search"])
def test_a_command_that_meets_it_does_its_work(command: str, damaged_home: Path) -> None:
    line = {
        "index": ("index", str(damaged_home.parent / "handbook")),
        "rebuild": ("knowledge", "rebuild"),
        "search": ("search", "connect to the VPN"),
    }[command]
    done = invoke(*line, home=damaged_home)

    assert done.exit_code == 0, done.output
    assert invoke("knowledge", "verify", home=damaged_home).exit_code == 0
    assert "Tidegate" in invoke("ask", "How do I connect to the VPN?", home=damaged_home).output


def test_the_words_of_the_error_name_the_command() -> None:
    assert "dutydesk knowledge rebuild" in str(IndexBeingMade(done=1, left=2))
