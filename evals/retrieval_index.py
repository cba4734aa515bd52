"""The index that a judged corpus is put into: one of its own, gone afterwards unless it is to be kept."""

import re
import secrets
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal, assert_never

from search.config import ElasticsearchConfig
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
