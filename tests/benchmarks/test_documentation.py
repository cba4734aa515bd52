"""How fast a whole documentation is taken in: some 3,000 real pages, in English and Chinese."""

import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from search.chunking import chunk
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import FloatArray, Role
from search.index import Entry
from search.indexes.embedded.engine import EmbeddedIndex
from search.sources.folder import FolderSource
from search.sync import Synchroniser
from tests import kubernetes

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(900)]

#: Each so-manieth page is in the sample of 150.
EVERY = 20


class Seeded(OnnxEmbedder):
    """The real tokenizer; vectors are made up until `real` is set, since the real ones take half an hour."""

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

    async def replace(self, entries: Sequence[Entry]) -> None:
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


async def bare_embedding(embedder: OnnxEmbedder, texts: Sequence[str]) -> float:
    started = time.perf_counter()
    await embedder.embed(texts)
    return time.perf_counter() - started


async def test_what_indexing_costs_beside_embedding(tmp_path: Path, index: Overheard) -> None:
    sample = tmp_path / "sample"
    for path, text in kubernetes.pages(every=EVERY):
        (sample / path).parent.mkdir(parents=True, exist_ok=True)
        (sample / path).write_text(text, encoding="utf-8")
    embedder = OnnxEmbedder()
    await embedder.warm_up()
    synchroniser = Synchroniser(index=index, embedder=embedder)
    started = time.perf_counter()
    report = await synchroniser.sync(FolderSource("book", sample))
    reading = time.perf_counter() - started
    texts = list(index.texts)
    before = await bare_embedding(embedder, texts)
    started = time.perf_counter()
    made = await synchroniser.embed_pending()
    indexing = reading + time.perf_counter() - started
    bare = (
        before + await bare_embedding(embedder, texts)
    ) / 2  # before and after, since machines do not keep their pace
    told = f"{report.added} pages, {made} vectors: {indexing:.1f} s, of which reading {reading:.1f} s"
    print(f"{told}; bare embedding {bare:.1f} s; {indexing / bare:.3f} times")  # noqa: T201 - the result
    assert report.added >= 150
    assert made == len(texts)
    assert indexing <= 1.1 * bare


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
