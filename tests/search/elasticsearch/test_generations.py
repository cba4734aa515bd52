"""A new index takes over under load and nobody notices; the one before comes back, without what went since."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from search.config import ElasticsearchConfig, SearchConfig
from search.embedding.memory import HashEmbedder
from search.errors import FolderUnreadable, IndexUnavailable, NothingToRollBack
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.elasticsearch.generations import HOLD_S
from search.indexes.port import IndexQuery
from search.ranking.finding import Finder
from search.sources.memory import MemorySource
from search.sources.port import Listing
from search.sync.rebuilding import rebuild
from search.sync.sync import Synchroniser
from storage.clock import ManualClock
from tests.fixtures.elasticsearch import Generations
from tests.scale import scaled
from tests.search.making import EMBEDDER, EVERYTHING, entry

COUNT = scaled(400)
PAGES = {f"p{number}.md": f"# Page {number}\n\nCommon words of topic{number}.\n" for number in range(COUNT)}
OTHER = HashEmbedder(name="other", dimensions=48)


@pytest.fixture
async def index(elasticsearch_config: ElasticsearchConfig) -> AsyncIterator[ElasticsearchIndex]:
    made = ElasticsearchIndex(elasticsearch_config)
    yield made
    await made.close()


async def fill(index: ElasticsearchIndex, pages: dict[str, str] = PAGES) -> None:
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(MemorySource("book", pages))
    await synchroniser.embed_pending()


async def found(index: ElasticsearchIndex, word: str) -> set[str]:
    findings = await index.search(IndexQuery(terms=(word,)), EVERYTHING)
    passages = await index.passages([each.key for each in findings.legs["bm25"]], EVERYTHING)
    return {passage.document_path for passage in passages.values()}


class Asking:
    """Asks without a pause, as the desk does, and remembers what went wrong."""

    def __init__(self, config: ElasticsearchConfig) -> None:
        self.asked = 0
        self._index = ElasticsearchIndex(config)
        self._finder = Finder(index=self._index, embedder=EMBEDDER, config=SearchConfig())
        self._stop = asyncio.Event()

    async def run(self) -> None:
        while not self._stop.is_set():
            number = self.asked % len(PAGES)
            result = await self._finder.find(f"common words topic{number}", EVERYTHING, language="en", limit=5)
            assert result.hits[0].document_path == f"p{number}.md"
            self.asked += 1
        await self._index.close()

    def stop(self) -> None:
        self._stop.set()


async def test_a_new_index_takes_over_under_load_and_nobody_notices(
    index: ElasticsearchIndex, elasticsearch_config: ElasticsearchConfig
) -> None:
    await fill(index)
    asking = [Asking(elasticsearch_config) for _ in range(3)]
    tasks = [asyncio.create_task(each.run()) for each in asking]
    rebuilds = scaled(10, least=2)
    for _ in range(rebuilds):
        report = await rebuild(index, EMBEDDER, [MemorySource("book", PAGES)], batch=500)
        assert report.added == len(PAGES)
    for each in asking:
        each.stop()
    await asyncio.gather(*tasks)
    assert all(each.asked > 5 for each in asking)
    print(f"{rebuilds} rebuilds of {COUNT} pages, {sum(each.asked for each in asking)} questions")  # noqa: T201 - the figure
    assert await index.verify() == ()


async def test_vectors_that_are_there_are_not_made_again(index: ElasticsearchIndex) -> None:
    await fill(index)
    building = await index.begin()
    await Synchroniser(index=building, embedder=EMBEDDER).sync(MemorySource("book", PAGES))
    assert not await building.pending(EMBEDDER.name, limit=10)
    assert await building.verify() == ()
    await building.discard()


async def test_another_model_gets_an_index_of_its_own(index: ElasticsearchIndex) -> None:
    await fill(index)
    await rebuild(index, OTHER, [MemorySource("book", PAGES)], batch=500)
    assert await index.model() == OTHER.name
    (vector,) = await OTHER.embed(["topic3"])
    assert (await index.search(IndexQuery(vector=vector), EVERYTHING)).legs["dense"]
    await index.rollback()
    assert await index.model() == EMBEDDER.name
    (vector,) = await EMBEDDER.embed(["topic3"])
    assert (await index.search(IndexQuery(vector=vector), EVERYTHING)).legs["dense"]


async def test_a_rollback_brings_back_what_was_lost_and_nothing_that_was_removed_since(
    index: ElasticsearchIndex,
) -> None:
    await fill(index)
    short = {path: text for path, text in PAGES.items() if path != "p0.md"}
    await rebuild(index, EMBEDDER, [MemorySource("book", short)], batch=500)
    assert await found(index, "topic0") == set()
    await index.delete("book", ["p1.md"])
    await index.replace([entry("p2.md", PAGES["p2.md"], allow=("group:it",))])
    await index.rollback()
    assert await found(index, "topic0") == {"p0.md"}
    assert await found(index, "topic1") == set()
    assert await found(index, "topic2") == set(), "its list is narrower by now"
    assert await index.verify() == ()
    await index.rollback()
    assert await found(index, "topic0") == set()
    assert await found(index, "topic2") == {"p2.md"}


async def test_without_an_earlier_index_there_is_nothing_to_bring_back(index: ElasticsearchIndex) -> None:
    await fill(index)
    with pytest.raises(NothingToRollBack):
        await index.rollback()


async def test_only_one_earlier_index_is_kept(
    index: ElasticsearchIndex, elasticsearch_config: ElasticsearchConfig, generations: Generations
) -> None:
    await fill(index)
    for _ in range(3):
        await rebuild(index, EMBEDDER, [MemorySource("book", PAGES)], batch=500)
    assert len(generations(elasticsearch_config)) == 2


class Gone(MemorySource):
    async def listing(self) -> Listing:
        raise FolderUnreadable("the share is not mounted")


async def test_a_source_that_is_not_there_stops_the_new_index(
    index: ElasticsearchIndex, elasticsearch_config: ElasticsearchConfig, generations: Generations
) -> None:
    await fill(index)
    with pytest.raises(FolderUnreadable):
        await rebuild(index, EMBEDDER, [MemorySource("book", PAGES), Gone("share", {})], batch=500)
    assert await found(index, "topic0") == {"p0.md"}
    assert len(generations(elasticsearch_config)) == 1


async def test_writes_wait_for_the_index_that_takes_over(index: ElasticsearchIndex) -> None:
    await fill(index)
    building = await index.begin()
    await Synchroniser(index=building, embedder=EMBEDDER).sync(MemorySource("book", PAGES))
    await building.hold()
    deletion = asyncio.create_task(index.delete("book", ["p5.md"]))
    await asyncio.sleep(0.5)
    assert not deletion.done()
    await building.publish()
    assert await deletion == 1
    assert await found(index, "topic5") == set()


async def test_an_index_that_was_held_too_long_does_not_take_over(
    elasticsearch_config: ElasticsearchConfig, clock: ManualClock
) -> None:
    index = ElasticsearchIndex(elasticsearch_config, clock=clock)
    await index.replace([entry("p1.md", PAGES["p1.md"])])
    building = await index.begin()
    await building.hold()
    clock.advance(HOLD_S + 1)
    await index.replace([entry("p2.md", PAGES["p2.md"])])
    with pytest.raises(IndexUnavailable, match="in time"):
        await building.publish()
    assert await found(index, "topic2") == {"p2.md"}
    await index.close()


async def test_an_index_that_was_given_up_is_cleared_away(
    elasticsearch_config: ElasticsearchConfig, clock: ManualClock, generations: Generations
) -> None:
    index = ElasticsearchIndex(elasticsearch_config, clock=clock)
    await index.replace([entry("p1.md", PAGES["p1.md"])])
    await index.begin()
    await index.begin()
    assert len(generations(elasticsearch_config)) == 3
    clock.advance(2 * 3_600)
    await index.begin()
    assert len(generations(elasticsearch_config)) == 2
    await index.close()
