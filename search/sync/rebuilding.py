"""A whole new index, built beside the one that serves: for another embedding model, or when something is wrong."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from search.embedding.port import Embedder
from search.errors import IndexUnusable, NoGenerations
from search.indexes.port import Building, Generational, Index, Recovering
from search.sources.port import PageSource
from search.sources.report import Progress, SyncReport, together
from search.sync.sync import Synchroniser


def generational(index: Index) -> Generational:
    """Return the index as one that keeps the one before; raise `NoGenerations` when it cannot."""
    if not isinstance(index, Generational):
        raise NoGenerations("the embedded index is changed in place and keeps no earlier one; Elasticsearch does")
    return index


async def rebuild(
    index: Index, embedder: Embedder, sources: Sequence[PageSource], *, batch: int, progress: Progress | None = None
) -> SyncReport:
    """Build an index from all sources and let it take over in one step; searches notice nothing.

    An index that keeps no other one is made anew in place, page by page; from nothing where it is damaged. Raises
    `FolderUnreadable` (nothing takes over then), `IndexUnusable` when what was built is not whole, and what the index
    raises.
    """
    if not isinstance(index, Generational):
        return await _in_place(index, embedder, sources, batch=batch, progress=progress)
    async with _begun(index) as building:
        synchroniser = Synchroniser(index=building, embedder=embedder)

        async def bring_in_line() -> SyncReport:
            reports = [await synchroniser.sync(source, progress=progress) for source in sources]
            await synchroniser.embed_pending(progress=progress, batch=batch)
            return together(reports)

        report = await bring_in_line()
        if wrong := await building.verify():
            raise IndexUnusable(f"the new index is not whole and was not taken: {wrong[0]}")
        await building.hold()
        await bring_in_line()  # what changed while it was built
        await building.publish()
        return report


async def _in_place(
    index: Index, embedder: Embedder, sources: Sequence[PageSource], *, batch: int, progress: Progress | None
) -> SyncReport:
    mark = await _begun_anew(index)
    synchroniser = Synchroniser(index=index, embedder=embedder)
    report = together([await synchroniser.sync(source, progress=progress, anew=True) for source in sources])
    if isinstance(index, Recovering):
        await index.filled(mark)
    await synchroniser.embed_pending(progress=progress, batch=batch)
    if wrong := await index.verify():
        raise IndexUnusable(f"the index is still not whole: {wrong[0]}; look at its disk, then rebuild once more")
    return report


async def _begun_anew(index: Index) -> str:
    """Put a damaged index out of the way; return the mark of one that is to be filled."""
    if not isinstance(index, Recovering):
        return ""
    if await index.verify():
        await index.set_aside()
    return await index.unfilled()


@asynccontextmanager
async def _begun(index: Generational) -> AsyncIterator[Building]:
    building = await index.begin()
    finished = False
    try:
        yield building
        finished = True
    finally:
        if not finished:
            await building.discard()
