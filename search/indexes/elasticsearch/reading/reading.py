"""Every question to the index but the search itself."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from search.access import Scope
from search.documents import Chunk
from search.indexes.elasticsearch.cluster.bulk import scan
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.commits.counting import ABROAD, CHUNK, PAGE, WINDOW, lacking
from search.indexes.elasticsearch.commits.reader import Body, HeadReader, HeadView, hits
from search.indexes.elasticsearch.documents.documents import key_of, keys_by_index, page_key, page_of, passage_of
from search.indexes.elasticsearch.documents.queries import access, all_of, count, none_of
from search.indexes.port import EmbeddedText, Statistics, StoredPage, StoredPassage

#: Most that one search gives back.
_MOST = 10_000


@dataclass(frozen=True)
class IndexReading:
    """Asks through a reader."""

    connection: Connection
    reader: HeadReader

    async def manifest(self, source: str) -> Mapping[str, str]:
        """Return path → content hash."""
        view = await self.reader.view()
        if view is None:
            return {}
        query = all_of(PAGE, {"term": {"source": source}}, view.head.visible())
        body = {"query": query, "_source": ["stored.path", "stored.content_hash"]}
        found = [each["_source"]["stored"] async for each in scan(self.connection, view.index, body)]
        return {each["path"]: each["content_hash"] for each in found}

    async def pending(self, model: str, *, limit: int) -> Sequence[EmbeddedText]:
        """Return texts without a vector of the model, each once, oldest first; those for another language last."""

        def bodies(view: HeadView) -> tuple[Body, ...]:
            query = all_of(lacking(model), view.head.visible())
            return ({
                "query": query,
                "collapse": {"field": "hash"},
                "sort": [{"kind": "desc"}, "version"],  # "window" before "abroad"
                "size": min(limit, _MOST),
                "_source": ["kind", "hash", "stored.text"],
            },)  # fmt: skip

        found = await self._sources(bodies)
        return [EmbeddedText(each["hash"], each["stored"]["text"], abroad=each["kind"] == "abroad") for each in found]

    async def passages(self, keys: Sequence[str], scope: Scope) -> Mapping[str, StoredPassage]:
        """Return passages by key; what is gone or not allowed is left out.

        A key tells the index that it was found in, which another one may have replaced a moment ago.
        """
        found: dict[str, StoredPassage] = {}
        for index, ids in keys_by_index(keys).items():
            found |= await self._passages(index, ids, scope)
        return found

    async def _passages(self, index: str, ids: Sequence[str], scope: Scope) -> Mapping[str, StoredPassage]:
        def bodies(view: HeadView) -> tuple[Body, ...]:
            query = all_of({"ids": {"values": list(ids)}}, CHUNK, view.head.visible(), *access(scope))
            return ({"query": query, "size": len(ids), "track_total_hits": False},)

        answers = await self.reader.ask(bodies, index=index)
        found = hits(answers.each[0]) if answers else ()
        return {key_of(index, each["_id"]): passage_of(each["_source"]) for each in found}

    async def neighbours(self, chunk_id: str, scope: Scope, reach: tuple[int, int]) -> tuple[Chunk, ...]:
        """Return a chunk and those around it, or nothing."""
        document, _, number = chunk_id.rpartition("#")
        source, _, path = document.partition(":")
        if not number.isdigit():
            return ()
        middle = int(number)

        def bodies(view: HeadView) -> tuple[Body, ...]:
            near = {"range": {"number": {"gte": middle - reach[0], "lte": middle + reach[1]}}}
            page = {"term": {"page": page_key(source, path)}}
            query = all_of(CHUNK, page, near, view.head.visible(), *access(scope))
            return ({"query": query, "size": sum(reach) + 1, "sort": ["number"]},)

        chunks = tuple(passage_of(each).chunk for each in await self._sources(bodies))
        return chunks if any(chunk.number == middle for chunk in chunks) else ()

    async def page(self, source: str, path: str, scope: Scope) -> StoredPage | None:
        """Return a page, or None."""

        def bodies(view: HeadView) -> tuple[Body, ...]:
            named = {"term": {"page": page_key(source, path)}}
            return ({"query": all_of(PAGE, named, view.head.visible(), *access(scope)), "size": 1},)

        found = await self._sources(bodies)
        return page_of(found[0]) if found else None

    async def readable(self, documents: Collection[str], scope: Scope) -> frozenset[str]:
        """Return which pages are there and allowed."""
        keys = {page_key(*document.split(":", 1)): document for document in documents if ":" in document}

        def bodies(view: HeadView) -> tuple[Body, ...]:
            named = {"terms": {"page": sorted(keys)}}
            query = all_of(PAGE, named, view.head.visible(), *access(scope))
            return ({"query": query, "size": len(keys), "_source": ["page"], "track_total_hits": False},)

        return frozenset(keys[each["page"]] for each in await self._sources(bodies)) if keys else frozenset()

    async def statistics(self, source: str | None) -> Statistics:
        """Count what is there."""

        def bodies(view: HeadView) -> tuple[Body, ...]:
            of_source = () if source is None else ({"term": {"source": source}},)
            texts = {"cardinality": {"field": "hash", "precision_threshold": 40_000}}
            return ({
                "size": 0,
                "query": all_of(view.head.visible(), *of_source),
                "aggs": {
                    "pages": {"filter": PAGE},
                    "chunks": {"filter": CHUNK},
                    "closed": {"filter": all_of(PAGE, none_of({"exists": {"field": "allow"}}))},
                    "waiting": {"filter": all_of(WINDOW, lacking(view.head.model)), "aggs": {"texts": texts}},
                    "abroad": {"filter": all_of(ABROAD, lacking(view.head.model)), "aggs": {"texts": texts}},
                },
            },)  # fmt: skip

        answers = await self.reader.ask(bodies)
        if answers is None:
            return Statistics(documents=0, chunks=0, without_access=0, vectors_pending=0)
        answer = answers.each[0]
        return Statistics(
            documents=count(answer, "pages"),
            chunks=count(answer, "chunks"),
            without_access=count(answer, "closed"),
            vectors_pending=int(answer["aggregations"]["waiting"]["texts"]["value"]),
            abroad_pending=int(answer["aggregations"]["abroad"]["texts"]["value"]),
            model=answers.view.head.model,
        )

    async def _sources(self, bodies: Any) -> Sequence[Mapping[str, Any]]:
        answers = await self.reader.ask(bodies)
        return [each["_source"] for each in hits(answers.each[0])] if answers else []
