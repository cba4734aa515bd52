"""Many documents in one request, each with its own result, and every document of a query, however many there are.

What the server was too busy for is sent again.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from search.errors import IndexUnavailable, IndexUnusable
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.cluster.problems import is_busy, meaning, reason_of

_MOST_OPERATIONS = 1_000
#: Below the megabyte from which the client would hold up the event loop to send it.
_MOST_BYTES = 900_000
_ATTEMPTS = 6
_FIRST_WAIT_S = 0.25
_PARTS = ["items.*.status", "items.*.error"]


@dataclass(frozen=True)
class BulkOperation:
    """One document to write, to change in part, or to remove."""

    kind: Literal["index", "update", "delete"]
    id: str
    document: Mapping[str, Any] | None = None


async def send(connection: Connection, index: str, operations: Iterable[BulkOperation]) -> int:
    """Carry out operations in order of their requests; return how many of them found nothing to change.

    Raises `IndexUnavailable` when the server stays too busy and `IndexUnusable` with the reason of the first refusal.
    """
    missing = 0
    async for lines in _requests(operations):
        missing += await _sent(connection, index, lines)
    return missing


async def _requests(operations: Iterable[BulkOperation]) -> AsyncIterator[list[tuple[bytes, ...]]]:
    """Yield what fits into one request; text is made in a thread, since it is long."""
    requests = _filled(operations)
    while lines := await asyncio.to_thread(next, requests, None):
        yield lines


def _filled(operations: Iterable[BulkOperation]) -> Iterator[list[tuple[bytes, ...]]]:
    lines: list[tuple[bytes, ...]] = []
    size = 0
    for line in map(_lines, operations):
        length = sum(map(len, line))
        if lines and (len(lines) >= _MOST_OPERATIONS or size + length > _MOST_BYTES):
            yield lines
            lines, size = [], 0
        lines.append(line)
        size += length
    if lines:
        yield lines


def _lines(operation: BulkOperation) -> tuple[bytes, ...]:
    action = json.dumps({operation.kind: {"_id": operation.id}}).encode()
    match operation.kind:
        case "index":
            return action, json.dumps(operation.document, ensure_ascii=False).encode()
        case "update":
            return action, json.dumps({"doc": operation.document}, ensure_ascii=False).encode()
        case "delete":
            return (action,)


async def _sent(connection: Connection, index: str, lines: Sequence[tuple[bytes, ...]]) -> int:
    missing, wait_s = 0, _FIRST_WAIT_S
    for _ in range(_ATTEMPTS):
        results = await _results(connection, index, lines)
        busy = [line for line, result in zip(lines, results, strict=True) if _is_busy(result)]
        missing += sum(int(result["status"]) == 404 for result in results)
        _check(results, connection)
        if not busy:
            return missing
        lines = busy
        await connection.clock.sleep(wait_s)
        wait_s *= 2
    raise IndexUnavailable(f"Elasticsearch stayed too busy to take {len(lines)} documents; they are sent again later")


async def _results(
    connection: Connection, index: str, lines: Sequence[tuple[bytes, ...]]
) -> Sequence[Mapping[str, Any]]:
    operations: list[Any] = [part for line in lines for part in line]  # the client takes finished lines as they are
    answer = await connection.call(lambda client: client.bulk(index=index, operations=operations, filter_path=_PARTS))
    return [result for item in answer["items"] for result in item.values()]


def _check(results: Iterable[Mapping[str, Any]], connection: Connection) -> None:
    for result in results:
        status = int(result["status"])
        if "error" in result and not _is_busy(result) and status != 404:
            reason = reason_of(result["error"])
            raise meaning(status, reason, connection.config) or IndexUnusable(f"Elasticsearch refused a page: {reason}")


def _is_busy(result: Mapping[str, Any]) -> bool:
    return is_busy(int(result["status"]), reason_of(result.get("error", "")))


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
