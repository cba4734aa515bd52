"""`kill -9` while a folder is indexed: the index verifies, nothing is half visible, the next run finishes."""

import asyncio
import json
import random
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from search.config import ElasticsearchConfig
from search.indexes.port import Index
from search.sources.folder import FolderSource
from search.sync.sync import Synchroniser
from tests.processes import ROOT
from tests.scale import scaled
from tests.search.index_and_die import opened
from tests.search.making import EMBEDDER, EVERYTHING

PAGES, PARAGRAPHS = 160, 6
#: Not all that the run makes: five batches of pages, and more of vectors.
STEPS = 20


def told(config: ElasticsearchConfig) -> str:
    """Return settings as another process reads them, with the password."""
    shown = config.model_dump(include={"url", "prefix", "username", "timeout_s"})
    return json.dumps({**shown, "password": config.password.get_secret_value()})


@pytest.fixture(params=["elasticsearch", "embedded"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "elasticsearch":
        return told(request.getfixturevalue("elasticsearch_config"))
    return str(tmp_path / "index.sqlite")


@pytest.fixture
async def index(place: str) -> AsyncIterator[Index]:
    made = opened(place)
    yield made
    await made.close()


def write(folder: Path, turn: int) -> None:
    """Write every page anew, so that there is always something to do, and old pages to replace."""
    folder.mkdir(exist_ok=True)
    for number in range(PAGES):
        text = "\n\n".join(f"Paragraph {line} of page {number} as of turn {turn}. " * 5 for line in range(PARAGRAPHS))
        (folder / f"p{number}.md").write_text(f"# Page {number}\n\n{text}\n", encoding="utf-8")


async def run_and_kill(place: str, pages: Path, *, after: int) -> None:
    """Kill the run a moment after so many of its steps."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.search.index_and_die", str(pages), place, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    for _ in range(after + 1):
        assert await process.stdout.readline(), "it ended by itself"
    await asyncio.sleep(random.Random(after).uniform(0, 0.1))
    process.send_signal(signal.SIGKILL)
    assert await process.wait() == -signal.SIGKILL


async def whole(index: Index) -> int:
    """Return how many pages are visible, each of them with all its text, of one turn."""
    assert await index.verify() == ()
    seen = set(await index.manifest("book"))
    for path in sorted(seen)[:: max(1, len(seen) // 20)]:
        chunks = await index.neighbours(f"book:{path}#0", EVERYTHING, before=0, after=99)
        found = set(re.findall(r"Paragraph (\d+) of page \d+ as of turn (\d+)", " ".join(each.text for each in chunks)))
        assert len(found) == PARAGRAPHS
        assert len({turn for _, turn in found}) == 1
    return len(seen)


async def test_a_killed_run_leaves_whole_pages_and_the_next_one_finishes(
    place: str, index: Index, tmp_path: Path
) -> None:
    pages, counts, kills = tmp_path / "pages", [0], scaled(20, least=3)
    for kill in range(kills):
        write(pages, kill)
        await run_and_kill(place, pages, after=kill * STEPS // kills)
        counts.append(await whole(index))
    assert counts == sorted(counts)
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    report = await synchroniser.sync(FolderSource("book", pages))
    assert (report.pages, report.chunks) == (PAGES, (await index.statistics()).chunks)
    await synchroniser.embed_pending()
    assert await whole(index) == PAGES
    assert (await index.statistics()).vectors_pending == 0
