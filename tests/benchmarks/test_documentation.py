"""How fast a whole documentation is taken in: some 3,000 real pages, in English and Chinese."""

import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import FloatArray, Role
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.port import IndexEntry
from search.sources.folder import FolderSource
from search.sync.chunking import chunk
from search.sync.sync import Synchroniser
from tests import kubernetes

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(900)]

#: Each so-manieth page is in the sample of 150.
EVERY = 20
#: It is indexed in so many parts.
TURNS = 6
ResultT = TypeVar("ResultT")


class Seeded(OnnxEmbedder):
    """The real tokenizer; vectors are made up until `real` is set, since the real ones take minutes."""

    real = False

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        if self.real:
            return await super().embed(texts, role=role)
        made = np.random.default_rng(len(texts)).standard_normal((len(texts), self.dimensions)).astype(np.float32)
        unit: FloatArray = made / np.linalg.norm(made, axis=1, keepdims=True)
        return unit


class Overheard(EmbeddedIndex):
    """The real index, which also notes what is to be embedded."""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self.texts: dict[str, None] = {}

    async def replace(self, entries: Sequence[IndexEntry]) -> None:
        self.texts |= {text: None for entry in entries for texts in entry.embedded for text in texts}
        await super().replace(entries)


def add_to(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    page.write_text(f"{text}\nThe kettle of the second floor is descaled on Fridays.\n", encoding="utf-8")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return kubernetes.unpacked(tmp_path / "book")


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[Overheard]:
    opened = Overheard(tmp_path / "index.sqlite")
    yield opened
    await opened.close()


async def test_parsing_and_cutting(pages: Path) -> None:
    embedder = OnnxEmbedder()
    embedder.count_tokens("warm up")
    source = FolderSource("book", pages)
    started = time.perf_counter()
    paths = sorted((await source.listing()).hashes)
    loaded = [
        page for start in range(0, len(paths), 32) for page in (await source.load(paths[start : start + 32])).pages
    ]
    parsed = time.perf_counter() - started
    passages = sum(len(chunk(page.document, embedder.count_all)) for page in loaded)
    seconds = time.perf_counter() - started
    rate = len(loaded) / seconds
    print(f"{len(loaded)} pages, {passages} passages: {rate:.0f} pages/s, {parsed:.1f} of {seconds:.1f} s parsing")  # noqa: T201
    assert len(loaded) == len(paths) > 3_000
    assert rate >= 120


async def timed(work: Awaitable[ResultT]) -> tuple[float, ResultT]:
    started = time.perf_counter()
    result = await work
    return time.perf_counter() - started, result


async def test_what_indexing_costs_beside_embedding(tmp_path: Path, index: Overheard) -> None:
    for number, (path, text) in enumerate(kubernetes.pages(every=EVERY)):
        file = tmp_path / str(number % TURNS) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    embedder = OnnxEmbedder()
    await embedder.warm_up()
    synchroniser = Synchroniser(index=index, embedder=embedder)
    pages = vectors = 0
    reading = making = bare = 0.0
    for turn in range(TURNS):  # in turns, since machines do not keep their pace
        index.texts.clear()
        seconds, report = await timed(synchroniser.sync(FolderSource(f"book{turn}", tmp_path / str(turn))))
        reading, pages = reading + seconds, pages + report.added
        texts = list(index.texts)
        if turn % 2:
            bare += (await timed(embedder.embed(texts)))[0]
        seconds, made = await timed(synchroniser.embed_pending())
        making, vectors = making + seconds, vectors + made
        if turn % 2 == 0:
            bare += (await timed(embedder.embed(texts)))[0]
    whole = reading + making
    print(f"{pages} pages, {vectors} vectors: {whole:.1f} s, of which reading {reading:.1f} s; bare {bare:.1f} s")  # noqa: T201
    print(f"{whole / bare:.3f} times the bare embedding")  # noqa: T201 - the result
    assert pages >= 150
    assert whole <= 1.1 * bare


async def test_a_second_run(pages: Path, index: Overheard) -> None:
    embedder = Seeded()
    synchroniser = Synchroniser(index=index, embedder=embedder)

    async def run() -> tuple[float, int, int]:
        started = time.perf_counter()
        report = await synchroniser.sync(FolderSource("book", pages))
        made = await synchroniser.embed_pending()
        return time.perf_counter() - started, report.added + report.changed + report.removed, made

    first, added, made = await run()
    embedder.real = True
    await embedder.warm_up()
    nothing, unchanged, unmade = await run()
    add_to(pages / "en" / "docs" / "concepts" / "workloads" / "pods" / "init-containers.md")
    one, changed, again = await run()
    print(f"{added} pages and {made} vectors in {first:.1f} s; nothing changed {nothing:.2f} s; one page {one:.2f} s")  # noqa: T201
    assert (unchanged, unmade, changed) == (0, 0, 1)
    assert again <= 2
    assert nothing < 3
    assert one < 1
