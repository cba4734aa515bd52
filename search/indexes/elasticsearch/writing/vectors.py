"""Vectors of windows: which are missing, which are known from elsewhere, and putting them in."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace

from search.embedding.port import FloatArray
from search.indexes.elasticsearch.cluster.bulk import BulkOperation, scan, send
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.commits import committing
from search.indexes.elasticsearch.commits.counting import committed, lacking
from search.indexes.elasticsearch.commits.head import Head
from search.indexes.elasticsearch.commits.reader import HeadView
from search.indexes.elasticsearch.documents.documents import packed, vector_part
from search.indexes.elasticsearch.documents.mapping import vector_mapping
from search.indexes.elasticsearch.documents.queries import all_of, pieces

_TERMS_AT_ONCE = 2_000


async def use_model(connection: Connection, index: str, model: str) -> None:
    """Make a model the one whose vectors are searched."""

    async def change(view: HeadView) -> Head:
        if view.head.model == model:
            return view.head
        return await committed(connection, view, replace(view.head, model=model, dimensions=0))

    await committing.swap(connection, index, change)


async def put(connection: Connection, index: str, model: str, vectors: Mapping[str, FloatArray]) -> None:
    """Give windows their vector by the key of their text."""
    await use_model(connection, index, model)
    dimensions = len(next(iter(vectors.values())))
    await make_room(connection, index, dimensions)
    parts = {key: vector_part(packed(vector), model) for key, vector in vectors.items()}
    lacking = _lacking(connection, index, model, tuple(parts))
    await send(connection, index, [BulkOperation("update", place, parts[key]) async for place, key in lacking])
    await committing.refresh(connection, index)

    async def change(view: HeadView) -> Head:
        if view.head.model != model:
            return view.head
        return await committed(connection, view, replace(view.head, dimensions=dimensions))

    await committing.swap(connection, index, change)


async def known(connection: Connection, indices: Iterable[str], model: str, keys: Sequence[str]) -> dict[str, str]:
    """Return the vectors of texts that some window already has, whether it still counts or not."""
    found: dict[str, str] = {}
    for index in indices if model else ():
        missing = [key for key in keys if key not in found]
        for piece in pieces(missing, _TERMS_AT_ONCE):
            found |= await _stored(connection, index, model, piece)
    return found


async def make_room(connection: Connection, index: str, dimensions: int) -> None:
    """Let the index take vectors of that length."""
    await connection.call(lambda client: client.indices.put_mapping(index=index, properties=vector_mapping(dimensions)))


async def _stored(connection: Connection, index: str, model: str, keys: Sequence[str]) -> dict[str, str]:
    body = {
        "query": all_of({"terms": {"hash": list(keys)}}, {"term": {"model": model}}),
        "collapse": {"field": "hash"},
        "_source": ["hash", "stored.vector"],
        "size": len(keys),
        "track_total_hits": False,
    }
    answer = await connection.search(index=index, **body)
    sources = (each["_source"] for each in answer["hits"]["hits"])
    return {each["hash"]: each["stored"]["vector"] for each in sources}


async def _lacking(
    connection: Connection, index: str, model: str, keys: Sequence[str]
) -> AsyncIterator[tuple[str, str]]:
    """Yield id and text key of the windows that lack the vectors of these texts."""
    for piece in pieces(keys, _TERMS_AT_ONCE):
        query = all_of({"terms": {"hash": list(piece)}}, lacking(model))
        async for each in scan(connection, index, {"query": query, "_source": ["hash"]}):
            yield each["_id"], each["_source"]["hash"]
