"""What a head says of the index that it describes: which pages count, and how much that is."""

from collections.abc import Sequence
from dataclasses import replace

from search.indexes.elasticsearch.cluster.bulk import scan
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.commits.head import Head
from search.indexes.elasticsearch.commits.reader import HeadView
from search.indexes.elasticsearch.documents.documents import unpacked
from search.indexes.elasticsearch.documents.queries import Clause, all_of, count, none_of

PAGE: Clause = {"term": {"kind": "page"}}
CHUNK: Clause = {"term": {"kind": "chunk"}}
WINDOW: Clause = {"term": {"kind": "window"}}
#: A window whose vector is for who asks in another language.
ABROAD: Clause = {"term": {"kind": "abroad"}}


def lacking(model: str) -> Clause:
    """Return the filter for windows of either kind without a vector of the model."""
    return all_of({"terms": {"kind": ["window", "abroad"]}}, none_of({"term": {"model": model}}))


async def committed(connection: Connection, view: HeadView, head: Head) -> Head:
    """Return the head of the next commit, with what it holds counted."""
    counted = {
        "chunks": {"filter": CHUNK},
        "windows": {"filter": WINDOW},
        "waiting": {"filter": all_of(WINDOW, lacking(head.model))},
    }
    answer = await connection.search(index=view.index, size=0, query=head.visible(), aggs=counted)
    windows, waiting = count(answer, "windows"), count(answer, "waiting")
    return replace(
        head,
        commits=head.commits + 1,
        chunks=count(answer, "chunks"),
        windows=windows,
        waiting=waiting,
        dimensions=head.dimensions or (await _dimensions(connection, view, head) if waiting < windows else 0),
    )


async def versions(connection: Connection, view: HeadView, which: Clause) -> Sequence[int]:
    """Return the versions of the pages that count and are meant."""
    body = {"query": all_of(PAGE, view.head.visible(), which), "_source": ["version"]}
    return [each["_source"]["version"] async for each in scan(connection, view.index, body)]


async def _dimensions(connection: Connection, view: HeadView, head: Head) -> int:
    """Return how long the vectors are that the model has already made."""
    body = {"query": {"term": {"model": head.model}}, "_source": ["stored.vector"], "size": 1}
    found = await connection.search(index=view.index, **body)
    return len(unpacked(found["hits"]["hits"][0]["_source"]["stored"]["vector"]))
