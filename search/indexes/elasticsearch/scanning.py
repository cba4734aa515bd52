"""Every document of a query, however many there are."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from search.indexes.elasticsearch.connection import Connection

_AT_ONCE = 5_000
_KEPT = "1m"

Found = Mapping[str, Any]


async def scan(connection: Connection, index: str, body: Mapping[str, Any]) -> AsyncIterator[Found]:
    """Yield the hits of a query, in no order; those that fit into one answer cost one request."""
    first = await _page(connection, {"index": index, **body})
    if len(first) < _AT_ONCE:
        for each in first:
            yield each
        return
    async for each in _all(connection, index, body):
        yield each


async def _all(connection: Connection, index: str, body: Mapping[str, Any]) -> AsyncIterator[Found]:
    """Yield the hits at one point in time, so that nothing is seen twice or missed."""
    moment = await connection.call(lambda client: client.open_point_in_time(index=index, keep_alive=_KEPT))
    request = {**body, "pit": {"id": moment["id"], "keep_alive": _KEPT}, "sort": ["_shard_doc"]}
    try:
        while hits := await _page(connection, request):
            for each in hits:
                yield each
            request["search_after"] = hits[-1]["sort"]
    finally:
        await connection.call(lambda client: client.close_point_in_time(id=moment["id"]))


async def _page(connection: Connection, request: Mapping[str, Any]) -> Sequence[Found]:
    found = await connection.search(**request, size=_AT_ONCE, track_total_hits=False)
    hits: Sequence[Found] = found["hits"]["hits"]
    return hits
