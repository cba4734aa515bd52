"""Searches an index file in a process of its own, whose memory is then that of a desk; prints one line of JSON.

python -m tests.benchmarks.searching FILE GROUPS
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from search.access import Scope
from search.config import SearchConfig
from search.embedding.onnx import OnnxEmbedder
from search.embedding.port import FloatArray, Role
from search.indexes.embedded.engine import EmbeddedIndex
from search.ranking.finding import Finder
from tests.benchmarks.seeding import Texts

QUESTIONS = 200


class SeededEmbedder(OnnxEmbedder):
    """The real model for questions; made-up vectors for the sentences of passages, since embedding counts apart."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, FloatArray] = {}

    async def embed(self, texts: Sequence[str], *, role: Role = "passage") -> FloatArray:
        if len(texts) == 1:
            if texts[0] not in self._known:
                self._known[texts[0]] = await super().embed(texts, role=role)
            return self._known[texts[0]]
        made = np.random.default_rng(len(texts)).standard_normal((len(texts), self.dimensions)).astype(np.float32)
        unit: FloatArray = made / np.linalg.norm(made, axis=1, keepdims=True)
        return unit


class Lag:
    """How long the event loop was held up at most, in seconds."""

    def __init__(self) -> None:
        self.most = 0.0

    async def watch(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.002)
            self.most = max(self.most, time.perf_counter() - before - 0.002)


async def measured(file: Path, groups: int) -> dict[str, object]:
    embedder = SeededEmbedder()
    await embedder.embed(["warm up the model"])
    idle = _memory_mb()
    index = EmbeddedIndex(file)
    finder = Finder(index=index, embedder=embedder, config=SearchConfig())
    scope = Scope(everything=False, principals=frozenset(f"group:{number}" for number in range(groups)))
    lag = Lag()
    watching = asyncio.create_task(lag.watch())
    started = time.perf_counter()
    await finder.find("warm up the index", scope, language="en", limit=8)
    loading_s, loading_lag = time.perf_counter() - started, lag.most
    texts = Texts(1)
    questions = [" ".join(texts.words(6)) for _ in range(QUESTIONS)]
    searched = [await _timed(finder, question, scope) for question in questions]
    lag.most = 0.0
    for question in questions:  # once more without the model, which would hold the processors
        await _timed(finder, question, scope)
    watching.cancel()
    await index.close()
    return {
        "loading_s": loading_s,
        "loading_lag_ms": loading_lag * 1_000,
        "lag_ms": lag.most * 1_000,
        "memory_mb": _most_memory_mb() - idle,
        "legs_ms": [legs for legs, _ in searched],
        "search_ms": [legs + order for legs, order in searched],
    }


async def _timed(finder: Finder, question: str, scope: Scope) -> tuple[float, float]:
    spent = (await finder.trace(question, scope, language="en", limit=8)).timings_ms
    return spent["legs"], spent["order"]


def _memory_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1_048_576


def _most_memory_mb() -> float:
    """Return the most memory since this program began; `ru_maxrss` counts that of the process it was started from."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (kilobytes,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(kilobytes) / 1_024


if __name__ == "__main__":
    print(json.dumps(asyncio.run(measured(Path(sys.argv[1]), int(sys.argv[2])))))  # noqa: T201 - what it is for
