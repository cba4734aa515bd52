"""A folder of every format over several runs: only what changed is read, and what is gone is not found any more."""

from pathlib import Path

import pytest

from search.config import SearchConfig
from search.indexes.memory import MemoryIndex
from search.indexes.port import Index
from search.ranking.finding import Finder
from search.sources.folder import FolderSource
from search.sync.sync import Synchroniser
from tests.search.making import EMBEDDER, EVERYTHING
from tests.search.parsing.making import pdf
from tests.search.parsing.test_shown import FILES


async def found(index: Index, question: str) -> list[tuple[str, tuple[str, ...]]]:
    finder = Finder(index=index, embedder=EMBEDDER, config=SearchConfig())
    result = await finder.find(question, EVERYTHING, language="en", limit=1)
    return [(hit.document_path, hit.chunk.section_path) for hit in result.hits]


@pytest.fixture
def synchroniser(tmp_path: Path) -> Synchroniser:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    return Synchroniser(index=MemoryIndex(), embedder=EMBEDDER)


async def test_the_second_run_reads_nothing_and_a_third_only_what_changed(
    synchroniser: Synchroniser, tmp_path: Path
) -> None:
    source = FolderSource("book", tmp_path)
    first, second = await synchroniser.sync(source), await synchroniser.sync(source)
    assert (first.added, second.added, second.changed, second.unchanged) == (len(FILES), 0, 0, len(FILES))
    (tmp_path / "handbook.pdf").write_bytes(pdf([["Twelve zebras a year."]]))
    (tmp_path / "leave.docx").unlink()
    third = await synchroniser.sync(source)
    assert (third.added, third.changed, third.removed, third.unchanged) == (0, 1, 1, len(FILES) - 2)
    assert await found(synchroniser.index, "how many zebras") == [("handbook.pdf", ("Page 1",))]
    assert "leave.docx" not in await synchroniser.index.manifest("book")


async def test_a_file_that_breaks_takes_its_old_version_with_it(synchroniser: Synchroniser, tmp_path: Path) -> None:
    source = FolderSource("book", tmp_path)
    await synchroniser.sync(source)
    (tmp_path / "budget.xlsx").write_bytes(b"PK\x03\x04 broken")
    report = await synchroniser.sync(source)
    assert (report.removed, [problem.path for problem in report.problems]) == (1, ["budget.xlsx"])
    assert "budget.xlsx" not in await synchroniser.index.manifest("book")
