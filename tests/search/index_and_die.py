"""Indexes a folder and makes vectors from where it was, and says a line after each step, until somebody kills it."""

import asyncio
import json
import sys
from pathlib import Path

from search.config import ElasticsearchConfig
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.port import Index
from search.sources.folder import FolderSource
from search.sync.sync import Synchroniser
from tests.search.making import EMBEDDER


def opened(place: str) -> Index:
    """Return the index in a file, or the one that settings in JSON name."""
    if place.startswith("{"):
        return ElasticsearchIndex(ElasticsearchConfig(**json.loads(place)))
    return EmbeddedIndex(Path(place))


def say(step: object) -> None:
    sys.stdout.write(f"{step}\n")
    sys.stdout.flush()


async def main(folder: Path, place: str) -> None:
    index = opened(place)
    try:
        await index.statistics()
        say("started")
        synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
        await synchroniser.sync(FolderSource("book", folder), progress=say)
        await synchroniser.embed_pending(batch=2_500, progress=say)
    finally:
        await index.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
