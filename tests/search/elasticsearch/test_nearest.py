"""The filter inside the graph of vectors: all that may be read is found, nearly as brute force finds it."""

from collections.abc import Mapping

import numpy as np
import pytest

from search.access import Scope
from search.embedding.port import FloatArray
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.passage_text import embedded_key
from search.indexes.port import IndexQuery
from tests.benchmarks.seeding import CHUNKS_PER_PAGE, DIMENSIONS, GROUPS, Texts, page_of
from tests.scale import scaled

PAGES = scaled(2_000)
DEPTH, QUESTIONS = 100, 20
MODEL = "seeded"
#: Texts lie near few directions, unlike vectors of which every number is made up.
DIRECTIONS = np.random.default_rng(1).standard_normal((24, DIMENSIONS), dtype=np.float32)
#: A page and the place of a passage in it.
Place = tuple[str, int]


def vectors(count: int, *, seed: int) -> FloatArray:
    made = np.random.default_rng(seed).standard_normal((count, len(DIRECTIONS)), dtype=np.float32) @ DIRECTIONS
    unit: FloatArray = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


async def found(index: ElasticsearchIndex, vector: FloatArray, scope: Scope) -> set[Place]:
    candidates = (await index.search(IndexQuery(vector=vector, depth=DEPTH), scope)).legs["dense"]
    passages = await index.passages([each.key for each in candidates], scope)
    return {(each.document_path, each.chunk.number) for each in passages.values()}


def nearest(vector: FloatArray, permitted: Mapping[Place, FloatArray]) -> set[Place]:
    places = list(permitted)
    order = np.argsort(-(np.stack(list(permitted.values())) @ vector))[:DEPTH]
    return {places[place] for place in order}


@pytest.mark.timeout(600)
async def test_a_filter_loses_nothing_that_may_be_read(index: ElasticsearchIndex) -> None:
    texts = Texts(5)
    pages = [page_of(number, texts) for number in range(PAGES)]
    for start in range(0, PAGES, 100):
        await index.replace(pages[start : start + 100])
    made = dict(
        zip(
            (embedded_key(text) for page in pages for (text,) in page.embedded),
            vectors(PAGES * CHUNKS_PER_PAGE, seed=2),
            strict=True,
        )
    )
    keys = list(made)
    for start in range(0, len(keys), 5_000):
        await index.put_vectors(MODEL, {key: made[key] for key in keys[start : start + 5_000]})
    for groups in (1, 10, GROUPS):
        scope = Scope(everything=False, principals=frozenset(f"group:{number}" for number in range(groups)))
        permitted = {
            (page.document.path, chunk.number): made[embedded_key(text)]
            for page in pages
            if scope.allows(page.document.allow)
            for chunk, (text,) in zip(page.chunks, page.embedded, strict=True)
        }
        shares = []
        for vector in vectors(QUESTIONS, seed=groups):
            places, exact = await found(index, vector, scope), nearest(vector, permitted)
            assert len(places) == len(exact)
            shares.append(len(places & exact) / len(exact))
        print(f"{groups} groups, {len(permitted)} passages: {np.mean(shares):.3f} of brute force")  # noqa: T201
        assert np.mean(shares) > 0.95
