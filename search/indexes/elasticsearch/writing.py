"""Every change of an index: written beside what is there, and let in by the head when it is complete."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from search.embedding.port import FloatArray
from search.errors import IndexUnavailable
from search.index import Entry
from search.indexes.elasticsearch import committing
from search.indexes.elasticsearch.asking import Clause, all_of, count, none_of, pieces
from search.indexes.elasticsearch.bulk import Operation, send
from search.indexes.elasticsearch.connection import Connection
from search.indexes.elasticsearch.documents import documents_of, packed, page_key, texts_of, unpacked, vector_part
from search.indexes.elasticsearch.head import Head, Run
from search.indexes.elasticsearch.mapping import vector_mapping
from search.indexes.elasticsearch.reader import View
from search.indexes.elasticsearch.scanning import scan

_TERMS_AT_ONCE = 5_000
_ATTEMPTS = 3


class _Overtaken(Exception):
    """The write took so long that it counts as abandoned."""


@dataclass(frozen=True)
class Writer:
    """Writes to one index, which exists."""

    connection: Connection
    index: str

    async def replace(self, entries: Sequence[Entry]) -> None:
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
        gone: list[int] = []

        async def change(view: View) -> Head:
            gone[:] = await self._versions(view, _of_source(source, paths))
            return await self._committed(view, view.head.buried(gone, now=self._now())) if gone else view.head

        await committing.swap(self.connection, self.index, change)
        return len(gone)

    async def use_model(self, model: str) -> None:
        """Make a model the one whose vectors are searched."""

        async def change(view: View) -> Head:
            if view.head.model == model:
                return view.head
            return await self._committed(view, replace(view.head, model=model, dimensions=0))

        await committing.swap(self.connection, self.index, change)

    async def put_vectors(self, model: str, vectors: Mapping[str, FloatArray]) -> None:
        """Give windows their vector by the key of their text; they take part together."""
        await self.use_model(model)
        dimensions = len(next(iter(vectors.values())))
        await self.connection.call(
            lambda client: client.indices.put_mapping(index=self.index, properties=vector_mapping(dimensions))
        )
        data = {key: vector_part(packed(vector), model) for key, vector in vectors.items()}
        operations = [Operation("update", place, data[key]) async for place, key in self._lacking(model, tuple(data))]
        await send(self.connection, self.index, operations)
        await committing.refresh(self.connection, self.index)

        async def change(view: View) -> Head:
            if view.head.model != model:
                return view.head
            return await self._committed(view, replace(view.head, dimensions=dimensions))

        await committing.swap(self.connection, self.index, change)

    async def purge(self) -> None:
        """Remove for good what no reader can have in view any more."""
        view = await committing.swap(self.connection, self.index, self._tidied)
        runs = view.head.purgeable(now=self._now())
        if not runs:
            return
        await committing.refresh(self.connection, self.index)
        ids = [
            each["_id"] async for each in scan(self.connection, self.index, {"query": _within(runs), "_source": False})
        ]
        await send(self.connection, self.index, (Operation("delete", each) for each in ids))
        await committing.refresh(self.connection, self.index)

        async def change(view: View) -> Head:
            return replace(view.head, dead=tuple(run for run in view.head.dead if run not in runs))

        await committing.swap(self.connection, self.index, change)

    async def _replace(self, entries: Sequence[Entry]) -> None:
        run, model = await self._reserved(len(entries))
        vectors = await self._known_vectors(model, texts_of(entries))
        await send(self.connection, self.index, self._within_time(run, _operations(entries, run, vectors, model)))
        await committing.refresh(self.connection, self.index)
        pages = [page_key(entry.document.source, entry.document.path) for entry in entries]

        async def change(view: View) -> Head:
            if run not in view.head.open:
                raise _Overtaken
            old = await self._versions(view, {"terms": {"page": pages}})
            opened = replace(view.head, open=tuple(each for each in view.head.open if each != run))
            return await self._committed(view, opened.buried(old, now=self._now()))

        await committing.swap(self.connection, self.index, change)

    async def _reserved(self, size: int) -> tuple[Run, str]:
        """Give out versions for so many pages; return the model that is searched, too."""

        async def change(view: View) -> Head:
            return view.head.tidied(now=self._now()).reserved(size, now=self._now())

        view = await committing.swap(self.connection, self.index, change)
        return view.head.open[-1], view.head.model

    async def _tidied(self, view: View) -> Head:
        return view.head.tidied(now=self._now())

    def _within_time(self, run: Run, operations: Iterable[Operation]) -> Iterator[Operation]:
        """Stop a write that slept for so long that its versions may be gone."""
        for operation in operations:
            if self._now() > run.until:
                raise _Overtaken
            yield operation

    async def _committed(self, view: View, head: Head) -> Head:
        """Return the head of the next commit, with what it holds counted."""
        windows_only = {"term": {"kind": "window"}}
        counted = {
            "chunks": {"filter": {"term": {"kind": "chunk"}}},
            "windows": {"filter": windows_only},
            "waiting": {"filter": all_of(windows_only, none_of({"term": {"model": head.model}}))},
        }
        answer = await self.connection.search(index=view.index, size=0, query=head.visible(), aggs=counted)
        windows, waiting = count(answer, "windows"), count(answer, "waiting")
        return replace(
            head,
            commits=head.commits + 1,
            chunks=count(answer, "chunks"),
            windows=windows,
            waiting=waiting,
            dimensions=head.dimensions or (await self._dimensions(view, head) if waiting < windows else 0),
        )

    async def _dimensions(self, view: View, head: Head) -> int:
        """Return how long the vectors are that the model has already made."""
        body = {"query": {"term": {"model": head.model}}, "_source": ["stored.vector"], "size": 1}
        found = await self.connection.search(index=view.index, **body)
        return len(unpacked(found["hits"]["hits"][0]["_source"]["stored"]["vector"]))

    async def _versions(self, view: View, which: Clause) -> list[int]:
        """Return the versions of the pages that count and are meant."""
        body = {"query": all_of({"term": {"kind": "page"}}, view.head.visible(), which), "_source": ["version"]}
        return [each["_source"]["version"] async for each in scan(self.connection, view.index, body)]

    async def _known_vectors(self, model: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the vectors of texts that some window already has, whether it still counts or not."""
        known: dict[str, str] = {}
        for piece in pieces(keys, _TERMS_AT_ONCE) if model else ():
            body = {
                "query": all_of({"terms": {"hash": list(piece)}}, {"term": {"model": model}}),
                "collapse": {"field": "hash"},
                "_source": ["hash", "stored.vector"],
                "size": len(piece),
            }
            answer = await self.connection.search(index=self.index, **body)
            found = (each["_source"] for each in answer["hits"]["hits"])
            known |= {each["hash"]: each["stored"]["vector"] for each in found}
        return known

    async def _lacking(self, model: str, keys: Sequence[str]) -> AsyncIterator[tuple[str, str]]:
        """Yield id and text key of the windows that lack the vectors of these texts."""
        for piece in pieces(keys, _TERMS_AT_ONCE):
            query = all_of({"terms": {"hash": list(piece)}}, none_of({"term": {"model": model}}))
            async for each in scan(self.connection, self.index, {"query": query, "_source": ["hash"]}):
                yield each["_id"], each["_source"]["hash"]

    def _now(self) -> float:
        return self.connection.clock.now().timestamp()


def _operations(entries: Sequence[Entry], run: Run, vectors: Mapping[str, str], model: str) -> Iterator[Operation]:
    for version, entry in enumerate(entries, start=run.first):
        for place, document in documents_of(entry, version, vectors, model):
            yield Operation("index", place, document)


def _of_source(source: str, paths: Sequence[str] | None) -> Clause:
    if paths is None:
        return {"term": {"source": source}}
    return {"terms": {"page": [page_key(source, path) for path in paths]}}


def _within(runs: Iterable[Run]) -> Clause:
    spans = [{"range": {"version": {"gte": run.first, "lte": run.last}}} for run in runs]
    return {"bool": {"should": spans, "minimum_should_match": 1}}
