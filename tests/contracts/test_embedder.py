"""What every embedder promises."""

import asyncio

import numpy as np
import pytest

from search.embedding.memory import HashEmbedder
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import Embedder

TEXTS = ["How do I reset my password?", "年假", "", "word " * 2_000, "Resetting a password"]


@pytest.fixture(scope="module", params=["onnx", "memory"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return OnnxEmbedder(threads=1) if request.param == "onnx" else HashEmbedder()


async def test_vectors_have_length_one_and_the_texts_order(embedder: Embedder) -> None:
    together = await embedder.embed(TEXTS)
    assert together.shape == (len(TEXTS), embedder.dimensions)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-4)
    for text, vector in zip(TEXTS, together, strict=True):
        (alone,) = await embedder.embed([text])
        assert float(alone @ vector) > 0.99  # the int8 model rounds by what else is in the batch


async def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert (await embedder.embed([])).shape == (0, embedder.dimensions)


async def test_like_texts_lie_nearer_than_unlike_ones(embedder: Embedder) -> None:
    question, like, unlike = await embedder.embed(
        ["reset the password", "resetting a password", "the printer has no paper left"]
    )
    assert float(question @ like) > float(question @ unlike) + 0.2


def test_tokens_are_counted_alike_one_by_one_and_together(embedder: Embedder) -> None:
    assert list(embedder.count_all(TEXTS)) == [embedder.count_tokens(text) for text in TEXTS]
    assert embedder.count_tokens("") == 0
    assert embedder.count_tokens("年假 申请") == 4
    assert embedder.count_tokens("word " * 2_000) == 2_000  # never cut: the chunker has to see all of it


async def test_chinese_is_not_read(embedder: Embedder) -> None:
    assert embedder.reads("en")
    assert not embedder.reads("zh")


async def test_the_event_loop_is_free_meanwhile(embedder: Embedder) -> None:
    await embedder.warm_up()
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    beside = asyncio.create_task(tick())
    await embedder.embed([f"text number {number} " * 40 for number in range(32)])
    beside.cancel()
    assert ticks > 3 or isinstance(embedder, HashEmbedder)
