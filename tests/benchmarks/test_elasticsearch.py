"""What our index adds to the bare request to Elasticsearch: the same two legs, once through each."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

import pytest
from elasticsearch import AsyncElasticsearch

from search.access import Scope
from search.config import ElasticsearchConfig
from search.index import Question
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.elasticsearch.mapping import WEIGHTED_FIELDS, vector_field
from search.query import analyse
from tests.benchmarks.test_search import GROUPS, SeededEmbedder, Texts, fill, told

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(1_200)]

CHUNKS, QUESTIONS, DEPTH, SHOWN = 20_000, 150, 100, 32
MOST = 1.2
Ask = Callable[[Question, Scope], Awaitable[object]]


@pytest.fixture
async def bare(elasticsearch_config: ElasticsearchConfig) -> AsyncIterator[AsyncElasticsearch]:
    sign_in = (elasticsearch_config.username, elasticsearch_config.password.get_secret_value())
    async with AsyncElasticsearch(elasticsearch_config.url, basic_auth=sign_in, request_timeout=30) as client:
        yield client


def legs(alias: str, question: Question, scope: Scope, *, source: bool) -> Sequence[Mapping[str, Any]]:
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


async def timed(ways: Mapping[str, Ask], questions: Sequence[Question], scope: Scope) -> Mapping[str, float]:
    """Ask every question each way, in turns, and return the median seconds of each way."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    order = list(ways)
    for number, question in enumerate(questions):
        for name in order[number % len(order) :] + order[: number % len(order)]:
            started = time.perf_counter()
            await ways[name](question, scope)
            seconds[name].append(time.perf_counter() - started)
    return {name: told(name, each[len(each) // 10 :]) for name, each in seconds.items()}


async def test_our_index_adds_little_to_the_bare_request(
    elasticsearch_config: ElasticsearchConfig, bare: AsyncElasticsearch
) -> None:
    index = ElasticsearchIndex(elasticsearch_config)
    alias = f"{elasticsearch_config.prefix}-v*"
    texts, embedder = Texts(1), SeededEmbedder()
    await fill(index, chunks=CHUNKS, embedder=embedder, texts=texts)

    async def raw(question: Question, scope: Scope) -> object:
        return await bare.msearch(searches=legs(alias, question, scope, source=False))

    async def raw_with_texts(question: Question, scope: Scope) -> object:
        return await bare.msearch(searches=legs(alias, question, scope, source=True))

    async def ours(question: Question, scope: Scope) -> object:
        return await index.search(question, scope)

    async def ours_with_texts(question: Question, scope: Scope) -> object:
        found = await index.search(question, scope)
        keys = dict.fromkeys(each.key for leg in found.legs.values() for each in leg[: SHOWN // 2])
        return await index.passages(list(keys), scope)

    ways = {"raw": raw, "ours": ours, "raw with texts": raw_with_texts, "ours with texts": ours_with_texts}
    for groups in (1, 10, GROUPS):
        scope = Scope(everything=False, principals=frozenset(f"group:{number}" for number in range(groups)))
        questions = [await made(" ".join(texts.words(6)), embedder) for _ in range(QUESTIONS)]
        middle = await timed(ways, questions, scope)
        ratio = middle["ours"] / middle["raw"]
        with_texts = middle["ours with texts"] / middle["raw with texts"]
        print(f"{groups} groups: {ratio:.2f} of the bare request, {with_texts:.2f} with texts")  # noqa: T201
        assert ratio <= MOST
    await index.close()


async def made(text: str, embedder: SeededEmbedder) -> Question:
    (vector,) = await embedder.embed([text])
    return Question(terms=analyse(text).terms, vector=vector, depth=DEPTH)
