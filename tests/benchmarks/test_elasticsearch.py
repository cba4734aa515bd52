"""What our index adds to the bare request to Elasticsearch: the same two legs, once through each."""

import statistics
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from elasticsearch import AsyncElasticsearch

from search.access import Scope
from search.config import ElasticsearchConfig, SearchConfig
from search.embedding.onnx import OnnxEmbedder
from search.indexes.elasticsearch.cluster.connection import AnswerT, Connection
from search.indexes.elasticsearch.commits.reader import HeadReader
from search.indexes.elasticsearch.documents.mapping import WEIGHTED_FIELDS, vector_field
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.elasticsearch.generations import Names
from search.indexes.elasticsearch.reading.searching import Searching
from search.indexes.port import Index, IndexQuery
from search.ranking.finding import Finder
from search.ranking.query import analyse
from storage.clock import SystemClock
from tests.benchmarks.figures import percentile
from tests.benchmarks.seeding import GROUPS, Texts, fill

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(1_200)]

CHUNKS, QUESTIONS, DEPTH, SHOWN = 20_000, 150, 100, 32
MOST = 1.2
Request = Mapping[str, Any]
Way = Callable[["Asked"], Awaitable[object]]


@dataclass(frozen=True)
class Asked:
    """One question by one person, and the request that our index makes of it."""

    text: str
    question: IndexQuery
    scope: Scope
    request: Request


@pytest.fixture
async def bare(elasticsearch_config: ElasticsearchConfig) -> AsyncIterator[AsyncElasticsearch]:
    sign_in = (elasticsearch_config.username, elasticsearch_config.password.get_secret_value())
    async with AsyncElasticsearch(elasticsearch_config.url, basic_auth=sign_in, request_timeout=30) as client:
        yield client


@pytest.fixture
async def index(elasticsearch_config: ElasticsearchConfig) -> AsyncIterator[ElasticsearchIndex]:
    made = ElasticsearchIndex(elasticsearch_config)
    yield made
    await made.close()


def legs(alias: str, question: IndexQuery, scope: Scope, *, source: bool) -> Sequence[Request]:
    """Return the two legs as somebody writes them by hand: the access list in both, hits with their ids."""
    assert question.vector is not None
    allowed = {"terms": {"allow": sorted(scope.principals)}}
    words = {"combined_fields": {"query": " ".join(question.terms), "fields": WEIGHTED_FIELDS}}
    near = {
        "field": vector_field(len(question.vector)),
        "query_vector": question.vector.tolist(),
        "k": DEPTH,
        "num_candidates": DEPTH * 3 // 2,
        "filter": [allowed],
    }
    shape = {"size": DEPTH, "_source": source, "track_total_hits": False}
    header = {"index": alias}
    return header, {"query": {"bool": {"must": [words], "filter": [allowed]}}, **shape}, header, {"knn": near, **shape}


@dataclass
class Noting:
    """A client that notes each `_msearch` on its way."""

    client: AsyncElasticsearch
    requests: list[Request] = field(default_factory=list)

    async def msearch(self, **request: Any) -> object:
        self.requests.append(request)
        return await self.client.msearch(**request)


class Noted(Connection):
    """Our connection, which keeps the last `_msearch` that went through it."""

    last: Request

    async def call(self, work: Callable[[AsyncElasticsearch], Awaitable[AnswerT]]) -> AnswerT:
        async def noted(client: AsyncElasticsearch) -> AnswerT:
            noting = Noting(client)
            answer = await work(noting)  # type: ignore[arg-type]  # of the client, a search uses that one method
            self.last = noting.requests[-1]
            return answer

        return await super().call(noted)


async def asked(config: ElasticsearchConfig, texts: Texts, embedder: OnnxEmbedder, scope: Scope) -> Sequence[Asked]:
    """Return made-up questions, each with the request that our index sends for it."""
    connection = Noted(config, SystemClock())
    searching = Searching(HeadReader(connection, Names(config.prefix).read))
    made: list[Asked] = []
    for text in (" ".join(texts.words(6)) for _ in range(QUESTIONS)):
        (vector,) = await embedder.embed([text])
        question = IndexQuery(terms=analyse(text).terms, vector=vector, depth=DEPTH)
        await searching.search(question, scope)
        made.append(Asked(text, question, scope, connection.last))
    await connection.close()
    return made


def told(name: str, seconds: Sequence[float]) -> float:
    """Print p50 and p95 in milliseconds, and return the first."""
    inside = sorted(value * 1_000 for value in seconds)
    middle = statistics.median(inside)
    print(f"  {name}: p50 {middle:.1f} ms, p95 {percentile(inside, 0.95):.1f} ms")  # noqa: T201 - the result
    return middle


async def timed(ways: Mapping[str, Way], questions: Sequence[Asked]) -> Mapping[str, float]:
    """Ask every question each way, in turns, and return the median milliseconds of each way."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    order = list(ways)
    for number, one in enumerate(questions):
        for name in order[number % len(order) :] + order[: number % len(order)]:
            started = time.perf_counter()
            await ways[name](one)
            seconds[name].append(time.perf_counter() - started)
    return {name: told(name, each[len(each) // 10 :]) for name, each in seconds.items()}


def our_ways(index: Index) -> Mapping[str, Way]:
    async def ours(one: Asked) -> object:
        return await index.search(one.question, one.scope)

    async def ours_with_texts(one: Asked) -> object:
        found = await index.search(one.question, one.scope)
        keys = dict.fromkeys(each.key for leg in found.legs.values() for each in leg[: SHOWN // 2])
        return await index.passages(list(keys), one.scope)

    return {"ours": ours, "ours with texts": ours_with_texts}


def bare_ways(bare: AsyncElasticsearch, alias: str) -> Mapping[str, Way]:
    async def raw(one: Asked) -> object:
        return await bare.msearch(searches=legs(alias, one.question, one.scope, source=False))

    async def raw_with_texts(one: Asked) -> object:
        return await bare.msearch(searches=legs(alias, one.question, one.scope, source=True))

    async def same(one: Asked) -> object:
        return await bare.msearch(**one.request)

    return {"raw": raw, "raw with texts": raw_with_texts, "our own request, raw": same}


async def test_our_index_adds_little_to_the_bare_request(
    elasticsearch_config: ElasticsearchConfig, index: ElasticsearchIndex, bare: AsyncElasticsearch
) -> None:
    texts, embedder = Texts(1), OnnxEmbedder()
    await fill(index, chunks=CHUNKS, model=embedder.name, texts=texts)
    finder = Finder(index=index, embedder=embedder, config=SearchConfig())
    ways = {**bare_ways(bare, Names(elasticsearch_config.prefix).read), **our_ways(index)}
    for groups in (1, 10, GROUPS):
        print(f"{groups} groups:")  # noqa: T201
        scope = Scope(everything=False, principals=frozenset(f"group:{number}" for number in range(groups)))
        questions = await asked(elasticsearch_config, texts, embedder, scope)
        middle = await timed(ways, questions)
        traces = [(await finder.trace(one.text, scope, language="en", limit=8)).timings_ms for one in questions]
        told("with fusion and the choice of eight", [(each["legs"] + each["order"]) / 1_000 for each in traces])
        assert middle["ours"] <= MOST * middle["raw"]
        assert middle["ours"] <= MOST * middle["our own request, raw"]
