"""How well passages are found on public question sets: one default for all of them and both back ends."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from evals.beir import load_corpus
from evals.retrieval import MODES, Mode, build, measure
from search.config import SearchConfig
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import FloatArray, Role
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.passage_text import embedded_key
from search.indexes.port import Index
from tests.processes import ROOT

# The first run makes 13,000 vectors, which takes a quarter of an hour on two cores.
pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3_600)]

SETS = ROOT.parent / "shared" / "data" / "retrieval"
#: Least nDCG@10 by set and mode.
LEAST: Mapping[str, Mapping[Mode, float]] = {
    "scifact": {"bm25": 0.685, "dense": 0.64, "hybrid": 0.725},
    "stackfaq": {"hybrid": 0.92},
}
Making = Callable[[Path, pytest.FixtureRequest], Index]
INDEXES: dict[str, Making] = {
    "elasticsearch": lambda _, request: ElasticsearchIndex(request.getfixturevalue("elasticsearch_config")),
    "embedded": lambda folder, _: EmbeddedIndex(folder / "index.sqlite"),
}


class Remembering(OnnxEmbedder):
    """The packaged model, which makes a passage's vector once for both back ends and later runs."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._known: dict[str, FloatArray] = {}
        if file.exists():
            with np.load(file) as kept:
                self._known = dict(zip(kept["keys"].tolist(), kept["vectors"], strict=True))

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        """Return a row per text."""
        if role == "question":
            return await super().embed(texts, role=role)
        keys = [embedded_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self._known.update(zip(new, await super().embed(list(new.values())), strict=True))
        return np.stack([self._known[key] for key in keys])

    def keep(self) -> None:
        """Write down what was made."""
        np.savez(self._file, keys=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))


@pytest.fixture(scope="module")
def embedder(request: pytest.FixtureRequest) -> Iterator[Remembering]:
    made = Remembering(request.config.cache.mkdir("vectors") / f"{OnnxEmbedder.name}.npz")
    yield made
    made.keep()


@pytest.fixture(params=INDEXES)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    made = INDEXES[request.param](tmp_path, request)
    yield made
    await made.close()


@pytest.mark.parametrize("name", LEAST)
async def test_passages_are_found(name: str, index: Index, embedder: Remembering) -> None:
    if not (SETS / name).is_dir():
        pytest.skip(f"../shared/data/retrieval/{name} is not there")
    corpus = load_corpus(SETS / name)
    await build(corpus, index=index, embedder=embedder)
    embedder.keep()

    found = {mode: await measure(corpus, mode, index=index, embedder=embedder, config=SearchConfig()) for mode in MODES}

    told = {mode: {**each.scores, "p50_ms": each.p50_ms, "p95_ms": each.p95_ms} for mode, each in found.items()}
    print(f"{name}: {json.dumps({mode: {k: round(v, 4) for k, v in each.items()} for mode, each in told.items()})}")  # noqa: T201
    for mode, least in LEAST[name].items():
        assert told[mode]["ndcg@10"] >= least, mode
    # A leg of little use on a set may cost something, but never much of what the better one finds.
    assert told["hybrid"]["ndcg@10"] >= max(told["bm25"]["ndcg@10"], told["dense"]["ndcg@10"]) - 0.03
