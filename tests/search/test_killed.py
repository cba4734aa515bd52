"""`kill -9` while a folder is indexed: the index verifies, nothing is half visible, the next run finishes."""

import asyncio
import json
import signal
import sys
from pathlib import Path

import pytest

from search.config import ElasticsearchConfig
from search.index import Index
from search.sources.folder import FolderSource
from search.sync import Synchroniser
from tests.processes import ROOT
from tests.scale import SCALE, scaled
from tests.search.index_and_die import opened
from tests.search.making import EMBEDDER, EVERYTHING

PAGES = 300


def told(config: ElasticsearchConfig) -> str:
    """Return settings as another process reads them, with the password."""
    shown = config.model_dump(include={"url", "prefix", "username", "timeout_s"})
    return json.dumps({**shown, "password": config.password.get_secret_value()})


@pytest.fixture(params=["elasticsearch", "embedded"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "elasticsearch":
        if SCALE < 1:
            pytest.skip("only at full scale: a cluster that is busy with other tests answers 503 right after a kill")
        return told(request.getfixturevalue("elasticsearch_config"))
    return str(tmp_path / "index.sqlite")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(PAGES):
        text = "\n\n".join(f"Paragraph {line} of page {number}. " * 12 for line in range(6))
        (folder / f"p{number}.md").write_text(f"# Page {number}\n\n{text}\n", encoding="utf-8")
    return folder


async def run_and_kill(place: str, pages: Path, *, after_s: float) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.search.index_and_die", str(pages), place, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline()
    await asyncio.sleep(after_s)
    if process.returncode is None:
        process.send_signal(signal.SIGKILL)
    await process.wait()


async def whole(index: Index) -> int:
    """Return how many pages are visible, each of them with all its passages."""
    assert await index.verify() == ()
    seen = set(await index.manifest("book"))
    some = sorted(seen)[:: max(1, len(seen) // 20)]
    lengths = {len(await index.neighbours(f"book:{path}#0", EVERYTHING, before=0, after=99)) for path in some}
    assert len(lengths) <= 1
    assert 0 not in lengths
    return len(seen)


async def test_a_killed_run_leaves_whole_pages_and_the_next_one_finishes(place: str, pages: Path) -> None:
    index = opened(place)
    counts = [0]
    for kill in range(scaled(20, least=3)):
        await run_and_kill(place, pages, after_s=0.05 + 0.07 * kill)
        counts.append(await whole(index))
    assert counts == sorted(counts)
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    report = await synchroniser.sync(FolderSource("book", pages))
    assert (report.pages, report.chunks) == (PAGES, (await index.statistics()).chunks)
    await synchroniser.embed_pending()
    assert await whole(index) == PAGES
    assert (await index.statistics()).vectors_pending == 0
    await index.close()
