from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from search.embedding.memory import HashEmbedder
from search.embedding.port import FloatArray, Role
from search.errors import FolderUnreadable, IndexUnusable, Reason
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.embedded.schema import VERSION, connect
from search.indexes.embedded.writing import prune
from search.indexes.memory import MemoryIndex
from search.indexes.port import IndexQuery
from search.sources.folder import FolderSource
from search.sources.memory import MemorySource
from search.sources.origins import Origins
from search.sources.port import Loaded
from search.sources.report import SyncStep
from search.sync.rebuilding import rebuild
from search.sync.sync import Synchroniser
from storage.clock import ManualClock
from tests.search.making import EMBEDDER, EVERYTHING

PAGES = {f"p{number}.md": f"# Page {number}\n\nIt speaks of topic{number}.\n" for number in range(5)}


@pytest.fixture
def synchroniser() -> Synchroniser:
    return Synchroniser(index=MemoryIndex(), embedder=EMBEDDER)


async def test_the_second_run_reads_nothing(synchroniser: Synchroniser) -> None:
    first = await synchroniser.sync(MemorySource("book", PAGES))
    again = MemorySource("book", PAGES)
    second = await synchroniser.sync(again)
    assert (first.added, first.unchanged, first.chunks) == (5, 0, 5)
    assert (second.added, second.changed, second.removed, second.unchanged) == (0, 0, 0, 5)
    assert again.asked == []


async def test_only_what_changed_is_read_and_what_is_gone_is_gone(synchroniser: Synchroniser) -> None:
    await synchroniser.sync(MemorySource("book", PAGES))
    changed = {**PAGES, "p1.md": "# Page 1\n\nChanged.\n", "new.md": "# New\n\nText.\n"}
    del changed["p2.md"]
    source = MemorySource("book", changed)
    report = await synchroniser.sync(source)
    assert (report.added, report.changed, report.removed, report.unchanged) == (1, 1, 1, 3)
    assert sorted(source.asked) == ["new.md", "p1.md"]
    assert set(await synchroniser.index.manifest("book")) == set(changed)


async def test_a_page_that_takes_too_long_to_be_cut_is_one_line_of_the_report(
    synchroniser: Synchroniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    await synchroniser.sync(MemorySource("book", PAGES))
    monkeypatch.setattr("search.sync.sync.CHUNKING_S", -1.0)
    report = await synchroniser.sync(MemorySource("book", {**PAGES, "p1.md": "# Page 1\n\nChanged.\n"}))
    assert [(each.path, each.reason) for each in report.problems] == [("p1.md", Reason.TOO_SLOW)]
    assert set(await synchroniser.index.manifest("book")) == PAGES.keys() - {"p1.md"}


async def test_another_list_for_the_same_text_is_a_change(synchroniser: Synchroniser) -> None:
    await synchroniser.sync(MemorySource("book", PAGES))
    report = await synchroniser.sync(MemorySource("book", PAGES, allow=()))
    assert (report.changed, report.without_access) == (5, 5)


async def test_another_model_cuts_the_pages_anew(synchroniser: Synchroniser) -> None:
    await synchroniser.sync(MemorySource("book", PAGES))
    other = Synchroniser(index=synchroniser.index, embedder=HashEmbedder(name="other"))
    assert (await other.sync(MemorySource("book", PAGES))).changed == 5


async def test_an_old_version_of_an_unreadable_page_is_not_kept(tmp_path: Path) -> None:
    synchroniser = Synchroniser(index=MemoryIndex(), embedder=EMBEDDER)
    (tmp_path / "page.md").write_text("# Page\n\nText.\n", encoding="utf-8")
    assert (await synchroniser.sync(FolderSource("book", tmp_path))).added == 1
    (tmp_path / "page.md").write_bytes(b"# Page\n\n\xff\xff\n")
    report = await synchroniser.sync(FolderSource("book", tmp_path))
    assert (report.added, report.changed, report.removed, report.unchanged, report.pages) == (0, 0, 1, 0, 0)
    assert [problem.path for problem in report.problems] == ["page.md"]
    assert await synchroniser.index.manifest("book") == {}


async def test_progress_is_told_step_by_step(synchroniser: Synchroniser) -> None:
    steps: list[SyncStep] = []
    await synchroniser.sync(MemorySource("book", PAGES), progress=steps.append)
    await synchroniser.embed_pending(progress=steps.append, batch=20)
    assert steps == [
        SyncStep(stage="indexing", done=5, total=5),
        SyncStep(stage="embedding", done=2, total=5),
        SyncStep(stage="embedding", done=4, total=5),
        SyncStep(stage="embedding", done=5, total=5),
    ]


async def test_progress_tells_the_rate_and_the_time_left() -> None:
    clock = ManualClock()

    class Slow(HashEmbedder):
        async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
            clock.advance(len(texts) * 0.5)
            return await super().embed(texts, role=role)

    steps: list[SyncStep] = []
    synchroniser = Synchroniser(index=MemoryIndex(), embedder=Slow(), clock=clock)
    report = await synchroniser.sync(MemorySource("book", PAGES))
    await synchroniser.embed_pending(progress=steps.append, batch=20)
    assert report.seconds == 0
    assert [(step.seconds, step.rate, step.seconds_left) for step in steps] == [(1, 2, 1.5), (2, 2, 0.5), (2.5, 2, 0)]


async def test_texts_of_like_length_are_embedded_together_in_batches_of_about_so_many_tokens() -> None:
    asked: list[list[int]] = []

    class Counting(HashEmbedder):
        async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
            asked.append([self.count_tokens(text) for text in texts])
            return await super().embed(texts, role=role)

    lengths = [(number * 37) % 150 + 1 for number in range(60)]
    pages = {f"{number}.md": f"# P{number}\n\n{'word ' * length}\n" for number, length in enumerate(lengths)}
    synchroniser = Synchroniser(index=MemoryIndex(), embedder=Counting())
    await synchroniser.sync(MemorySource("book", pages))
    assert await synchroniser.embed_pending(batch=1_000) == 60
    padded = [max(batch) * len(batch) for batch in asked]
    assert max(padded) <= 1_000
    assert sum(padded) < 1.2 * sum(map(sum, asked))
    assert len(asked) < 15


async def test_embedding_goes_on_where_it_stopped(synchroniser: Synchroniser) -> None:
    await synchroniser.sync(MemorySource("book", PAGES))
    assert await synchroniser.embed_pending(limit=3) == 3
    assert (await synchroniser.index.statistics()).vectors_pending == 2
    assert await synchroniser.embed_pending() == 2
    assert await synchroniser.embed_pending() == 0


async def test_pages_that_the_model_cannot_read_get_no_vectors(synchroniser: Synchroniser) -> None:
    await synchroniser.sync(MemorySource("book", {"zh.md": "# 年假\n\n每年十天，在系统里申请。\n"}))
    assert (await synchroniser.index.statistics()).vectors_pending == 0


async def test_a_page_that_moves_or_comes_back_is_not_embedded_again(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(MemorySource("book", {"old.md": PAGES["p1.md"]}))
    assert await synchroniser.embed_pending() == 1
    await synchroniser.sync(MemorySource("book", {"new.md": PAGES["p1.md"]}))
    assert await synchroniser.embed_pending() == 0
    await synchroniser.sync(MemorySource("book", {}))
    assert await synchroniser.embed_pending() == 0
    await synchroniser.sync(MemorySource("book", {"new.md": PAGES["p1.md"]}))
    assert await synchroniser.embed_pending() == 0
    assert (await index.statistics()).vectors_pending == 0
    await index.close()


async def test_vectors_of_what_is_gone_are_dropped_when_they_outnumber_the_others(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    index = EmbeddedIndex(file)
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(MemorySource("book", PAGES))
    assert await synchroniser.embed_pending() == 5
    held = []
    for staying in (3, 2):
        await synchroniser.sync(MemorySource("book", dict(list(PAGES.items())[:staying])))
        connection = connect(file)
        prune(connection, kept=1)
        held.append(connection.execute("SELECT count(*) FROM embedding").fetchone()[0])
        connection.close()
    assert held == [5, 2]
    await index.close()


async def test_another_process_sees_a_change_at_once(tmp_path: Path) -> None:
    writer, reader = (EmbeddedIndex(tmp_path / "index.sqlite") for _ in range(2))
    synchroniser = Synchroniser(index=writer, embedder=EMBEDDER)
    for turn in range(3):
        pages = {f"{turn}.md": f"# Turn\n\nturn{turn} stands here\n", "same.md": "# Same\n\nnothing new\n"}
        await synchroniser.sync(MemorySource("book", pages))
        await synchroniser.embed_pending()
        vector = (await EMBEDDER.embed([f"Turn\nturn{turn} stands here"]))[0]
        found = await reader.search(IndexQuery(terms=(f"turn{turn}",), vector=vector), EVERYTHING)
        assert found.total == 2
        best = await reader.passages([found.legs["dense"][0].key, found.legs["bm25"][0].key], EVERYTHING)
        assert {passage.document_path for passage in best.values()} == {f"{turn}.md"}
        assert len(found.legs["dense"]) == 2
    await writer.close()
    await reader.close()


async def test_a_rebuild_in_place_reads_every_page_again_and_makes_no_vector_twice(tmp_path: Path) -> None:
    index = EmbeddedIndex(tmp_path / "index.sqlite")
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(MemorySource("book", PAGES))
    await synchroniser.embed_pending()
    source = MemorySource("book", {**PAGES, "new.md": "# New\n\nText.\n"})
    steps: list[SyncStep] = []
    report = await rebuild(index, EMBEDDER, [source], batch=100, progress=steps.append)
    assert (report.added, report.changed, report.unchanged) == (1, 5, 0)
    assert len(source.asked) == 6
    assert [step.total for step in steps if step.stage == "embedding"] == [1]
    await index.close()


class Watched(FolderSource):
    """A folder that notes what is read of it."""

    asked: tuple[str, ...] = ()

    async def load(self, paths: Sequence[str]) -> Loaded:
        self.asked += tuple(paths)
        return await super().load(paths)


async def test_what_is_wrong_is_told_by_every_run_and_read_again_by_the_clock_only_when_it_changed(
    tmp_path: Path,
) -> None:
    synchroniser = Synchroniser(index=MemoryIndex(), embedder=EMBEDDER)
    (tmp_path / "fine.md").write_text("# Fine\n\nText.\n", encoding="utf-8")
    (tmp_path / "closed.md").write_text("---\ntitle: [x\n---\n# Closed\n\nText.\n", encoding="utf-8")
    (tmp_path / "broken.md").write_bytes(b"\x01\xff" * 100)
    first = await synchroniser.sync(FolderSource("book", tmp_path))
    assert [problem.path for problem in first.problems] == ["broken.md", "closed.md"]

    async def asked(*, attended: bool) -> tuple[str, ...]:
        source = Watched("book", tmp_path)
        report = await synchroniser.sync(source, attended=attended, earlier=first.problems)
        assert sorted(report.problems, key=str) == sorted(first.problems, key=str)
        assert (report.added, report.changed, report.removed, report.unchanged) == (0, 0, 0, 2)
        return source.asked

    assert await asked(attended=False) == ()
    assert await asked(attended=True) == ("broken.md",)
    (tmp_path / "broken.md").write_bytes(b"\x02\xff" * 100)
    assert await asked(attended=False) == ("broken.md",)
    assert await asked(attended=False) == ()

    (tmp_path / "broken.md").write_text("# Mended\n\nText.\n", encoding="utf-8")
    mended = await synchroniser.sync(FolderSource("book", tmp_path), attended=False, earlier=first.problems)
    assert mended.added == 1
    assert [problem.path for problem in mended.problems] == ["closed.md"]
    (tmp_path / "closed.md").write_text("# Open\n\nText.\n", encoding="utf-8")
    opened = await synchroniser.sync(FolderSource("book", tmp_path), attended=False, earlier=mended.problems)
    assert opened.problems == ()


@pytest.mark.parametrize(("pages", "kept"), [(19, 0), (20, 20)])
async def test_by_the_clock_a_folder_that_is_suddenly_empty_keeps_its_pages_unless_they_were_few(
    pages: int, kept: int
) -> None:
    index = MemoryIndex()
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(MemorySource("book", {f"{number}.md": "# Page\n\nText.\n" for number in range(pages)}))
    with pytest.raises(FolderUnreadable, match="all 20 pages are gone") if kept else nullcontext():
        await synchroniser.sync(MemorySource("book", {}), attended=False)
    assert (await index.statistics("book")).documents == kept
    assert (await synchroniser.sync(MemorySource("book", {}))).removed == kept
    assert (await index.statistics("book")).documents == 0


async def test_a_file_without_addresses_gets_them_in_place_and_keeps_its_vectors(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    page = "---\nurl: https://docs.example.org/vpn\n---\n# VPN\n\nOpen the client.\n"
    index = EmbeddedIndex(file)
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(MemorySource("book", {**PAGES, "vpn.md": page}))
    await synchroniser.embed_pending()
    await index.close()
    with closing(connect(file)) as connection:
        later = {
            "document": ("url", "valid", "sum", "markdown_sum"),
            "chunk": ("gap", "repeated", "sum"),
            "posting": ("sum",),
            "embedding": ("sum",),
        }
        for table, column in ((table, column) for table, columns in later.items() for column in columns):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    _set_version(file, 2)

    stored = await index.page("book", "vpn.md", EVERYTHING)
    assert stored is not None
    assert stored.url == ""
    assert not index.dropped_older_version
    source = MemorySource("book", {**PAGES, "vpn.md": page}, origins=Origins(site="https://docs.example.org/"))
    report = await synchroniser.sync(source)
    assert (report.added, report.removed, report.vectors_pending) == (0, 0, 0)
    stored = await index.page("book", "vpn.md", EVERYTHING)
    assert stored is not None
    assert stored.url == "https://docs.example.org/vpn"
    assert await index.verify() == ()
    await index.close()


async def test_an_older_file_is_built_again_and_a_newer_one_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    index = EmbeddedIndex(file)
    await Synchroniser(index=index, embedder=EMBEDDER).sync(MemorySource("book", PAGES))
    await index.close()
    _set_version(file, 1)
    assert await index.manifest("book") == {}
    assert index.dropped_older_version
    await Synchroniser(index=index, embedder=EMBEDDER).sync(MemorySource("book", PAGES))
    assert await index.verify() == ()
    await index.close()
    _set_version(file, VERSION + 1)
    with pytest.raises(IndexUnusable, match="newer"):
        await index.manifest("book")


async def test_a_file_that_is_no_index_is_kept_under_another_name(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    text = "this is no database, but long enough to look like one " * 100
    file.write_text(text, encoding="utf-8")
    index = EmbeddedIndex(file)
    assert await index.manifest("book") == {}
    await index.close()
    assert _put_aside(tmp_path) == text


def _put_aside(folder: Path) -> str:
    (kept,) = folder.glob("index.sqlite.damaged-*Z")
    return kept.read_text(encoding="utf-8")


def _set_version(file: Path, version: int) -> None:
    connection = connect(file)
    connection.execute("UPDATE meta SET value = ? WHERE key = 'version'", (str(version),))
    connection.close()
