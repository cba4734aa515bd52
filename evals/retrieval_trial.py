"""A run of `dutydesk eval retrieval`: an index of its own, the modes one after the other, the report."""

import asyncio
import re
import secrets
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, assert_never

from bot.cli import screen
from bot.cli.progress import Bars
from evals.beir import load_corpus
from evals.retrieval import MEASURES, Measured, Mode, build, measure
from search.config import ElasticsearchConfig, SearchConfig
from search.embedding.choice import embedder_of
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.port import Index

Kind = Literal["embedded", "elasticsearch"]


@asynccontextmanager
async def opened(kind: Kind, *, keep: Path | None, cluster: ElasticsearchConfig) -> AsyncIterator[Index]:
    """Open an index; with `keep` the same folder opens the same one again."""
    match kind:
        case "embedded":
            with tempfile.TemporaryDirectory() as scratch:
                file = EmbeddedIndex((keep or Path(scratch)) / "index.sqlite")
                yield file
                await file.close()
        case "elasticsearch":
            async with _on(cluster, keep=keep) as index:
                yield index
        case _:
            assert_never(kind)


@asynccontextmanager
async def _on(cluster: ElasticsearchConfig, *, keep: Path | None) -> AsyncIterator[Index]:
    # The client is an extra: only who measures a cluster needs it installed.
    from search.indexes.elasticsearch.engine import ElasticsearchIndex  # noqa: PLC0415

    name = re.sub(r"[^a-z0-9]+", "-", keep.name.lower()) if keep else secrets.token_hex(4)
    index = ElasticsearchIndex(cluster.model_copy(update={"prefix": f"{cluster.prefix}-eval-{name}"}))
    try:
        try:
            yield index
        finally:  # a run that was broken off leaves nothing on the cluster either
            if keep is None:
                await index.remove_all()
    finally:
        await index.close()


HEADINGS = ("mode", *MEASURES, "p50 ms", "p95 ms")


async def run(
    folder: Path, *, split: str, modes: Sequence[Mode], keep: Path | None, kind: Kind, config: SearchConfig
) -> Mapping[Mode, Measured]:
    """Measure a corpus; raise `CorpusInvalid`, `EmbedderUnavailable`. Without `keep` the index goes."""
    corpus = load_corpus(folder, split=split)
    for remark in corpus.remarks:
        screen.warn(remark)
    embedder = await asyncio.to_thread(embedder_of, config.embedding)
    with Bars() as bars:
        async with opened(kind, keep=keep, cluster=config.elasticsearch) as index:
            tell = bars.advance
            await build(corpus, index=index, embedder=embedder, vectors=set(modes) != {"bm25"}, progress=tell)
            return {
                mode: await measure(corpus, mode, index=index, embedder=embedder, config=config, progress=tell)
                for mode in modes
            }


def rows(report: Mapping[Mode, Measured]) -> list[tuple[str, ...]]:
    """Return a row per mode under `HEADINGS`."""
    return [
        (mode, *(f"{found.scores[name]:.3f}" for name in MEASURES), f"{found.p50_ms:.1f}", f"{found.p95_ms:.1f}")
        for mode, found in report.items()
    ]


def as_json(report: Mapping[Mode, Measured]) -> dict[str, object]:
    """Return the report as a JSON object: mode → measure → value."""
    return {
        mode: {
            **{name: round(value, 4) for name, value in found.scores.items()},
            "p50_ms": round(found.p50_ms, 2),
            "p95_ms": round(found.p95_ms, 2),
            "questions": len(found.each),
        }
        for mode, found in report.items()
    }
