"""Indexes a folder and makes vectors, over and over from where it was, until somebody kills it."""

import asyncio
import sys
from pathlib import Path

from search.indexes.embedded.engine import EmbeddedIndex
from search.sources.folder import FolderSource
from search.sync import Synchroniser
from tests.search.making import EMBEDDER


async def main(folder: Path, file: Path) -> None:
    index = EmbeddedIndex(file)
    await index.statistics()
    sys.stdout.write("started\n")
    sys.stdout.flush()
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(FolderSource("book", folder))
    await synchroniser.embed_pending(batch=8)


asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
