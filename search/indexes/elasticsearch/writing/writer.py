"""Putting pages in and taking them out: written beside what is there, and let in by the head when all is complete."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from elasticsearch import NotFoundError

from search.errors import IndexUnavailable
from search.indexes.elasticsearch.cluster.bulk import BulkOperation, scan, send
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.commits import committing
from search.indexes.elasticsearch.commits.counting import committed, versions
from search.indexes.elasticsearch.commits.head import Head, IndexRun
from search.indexes.elasticsearch.commits.reader import HeadView
from search.indexes.elasticsearch.documents.documents import documents_of, page_key, texts_of, unpacked
from search.indexes.elasticsearch.documents.queries import Clause
from search.indexes.elasticsearch.writing import vectors
from search.indexes.port import IndexEntry

_ATTEMPTS = 3


class _Overtaken(Exception):
    """The write took so long that it counts as abandoned."""


@dataclass(frozen=True)
class Writer:
    """Writes to one index, which exists; `elder` is one whose vectors may be taken over."""

    connection: Connection
    index: str
    elder: str = ""

    async def replace(self, entries: Sequence[IndexEntry]) -> None:
        """Put pages in, all at once, in place of what stood under their source and path."""
        newest = {(entry.document.source, entry.document.path): entry for entry in entries}
        for _ in range(_ATTEMPTS):
            try:
                return await self._replace(tuple(newest.values()))
            except _Overtaken:
                continue
        raise IndexUnavailable("a write of pages was overtaken again and again; try again")

    async def delete(self, source: str, paths: Sequence[str] | None) -> int:
        """Let pages of a source count no more; return how many there were."""
        which = _of_source(source, paths)
        gone: list[int] = []

        async def change(view: HeadView) -> Head:
            gone[:] = await versions(self.connection, view, which)
            await self._forget_in(view.head.previous, which)
            if not gone:
                return view.head
            return await committed(self.connection, view, view.head.buried(gone, now=self._now()))

        await committing.swap(self.connection, self.index, change)
        return len(gone)

    async def purge(self) -> None:
        """Remove for good what no reader can have in view any more."""

        async def tidy(view: HeadView) -> Head:
            return view.head.tidied(now=self._now())

        view = await committing.swap(self.connection, self.index, tidy)
        if runs := view.head.purgeable(now=self._now()):
            await self._remove(runs)

    async def _replace(self, entries: Sequence[IndexEntry]) -> None:
        reserved = await self._reserved(len(entries))
        run, model = reserved.open[-1], reserved.model
        made = await vectors.known(self.connection, filter(None, (self.index, self.elder)), model, texts_of(entries))
        if made and not reserved.dimensions:
            await vectors.make_room(self.connection, self.index, len(unpacked(next(iter(made.values())))))
        await send(self.connection, self.index, self._within_time(run, _operations(entries, run, made, model)))
        await committing.refresh(self.connection, self.index)
        which: Clause = {"terms": {"page": [page_key(each.document.source, each.document.path) for each in entries]}}

        async def change(view: HeadView) -> Head:
            if run not in view.head.open:
                raise _Overtaken
            old = await versions(self.connection, view, which)
            await self._forget_in(view.head.previous, which)
            opened = replace(view.head, open=tuple(each for each in view.head.open if each != run))
            return await committed(self.connection, view, opened.buried(old, now=self._now()))

        await committing.swap(self.connection, self.index, change)
        if runs := reserved.purgeable(now=self._now()):
            await self._remove(runs)

    async def _reserved(self, size: int) -> Head:
        """Give out versions for so many pages."""

        async def change(view: HeadView) -> Head:
            return view.head.tidied(now=self._now()).reserved(size, now=self._now())

        return (await committing.swap(self.connection, self.index, change)).head

    async def _forget_in(self, previous: str, which: Clause) -> None:
        """Take pages out of the generation that a rollback would bring back: it must not bring these back."""
        if not previous:
            return

        async def change(view: HeadView) -> Head:
            gone = await versions(self.connection, view, which)
            if not gone:
                return view.head
            return await committed(self.connection, view, view.head.buried(gone, now=self._now()))

        try:
            await committing.swap(self.connection, previous, change, through_hold=True)
        except NotFoundError:
            return

    async def _remove(self, runs: Sequence[IndexRun]) -> None:
        await committing.refresh(self.connection, self.index)
        body = {"query": _within(runs), "_source": False}
        ids = [each["_id"] async for each in scan(self.connection, self.index, body)]
        await send(self.connection, self.index, (BulkOperation("delete", each) for each in ids))
        await committing.refresh(self.connection, self.index)

        async def change(view: HeadView) -> Head:
            return replace(view.head, dead=tuple(run for run in view.head.dead if run not in runs))

        await committing.swap(self.connection, self.index, change, through_hold=True)

    def _within_time(self, run: IndexRun, operations: Iterable[BulkOperation]) -> Iterator[BulkOperation]:
        """Stop a write that slept for so long that its versions may be gone."""
        for operation in operations:
            if self._now() > run.until:
                raise _Overtaken
            yield operation

    def _now(self) -> float:
        return self.connection.clock.now().timestamp()


def _operations(
    entries: Sequence[IndexEntry], run: IndexRun, made: Mapping[str, str], model: str
) -> Iterator[BulkOperation]:
    for version, entry in enumerate(entries, start=run.first):
        for place, document in documents_of(entry, version, made, model):
            yield BulkOperation("index", place, document)


def _of_source(source: str, paths: Sequence[str] | None) -> Clause:
    if paths is None:
        return {"term": {"source": source}}
    return {"terms": {"page": [page_key(source, path) for path in paths]}}


def _within(runs: Iterable[IndexRun]) -> Clause:
    spans = [{"range": {"version": {"gte": run.first, "lte": run.last}}} for run in runs]
    return {"bool": {"should": spans, "minimum_should_match": 1}}
