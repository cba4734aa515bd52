"""Changing the head: compare and swap, again from the start when somebody else was faster."""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from elasticsearch import AsyncElasticsearch, ConflictError

from search.errors import IndexUnavailable
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.commits.head import HEAD_ID, Head
from search.indexes.elasticsearch.commits.reader import HeadView

_ATTEMPTS = 40
_LONGEST_WAIT_S = 0.2

Change = Callable[[HeadView], Awaitable[Head]]


class Held(Exception):
    """Another generation is taking over; what was to be written belongs there."""


async def swap(connection: Connection, index: str, change: Change, *, through_hold: bool = False) -> HeadView:
    """Put what `change` makes of the current head in its place; it is called again after each lost race.

    Raises `Held` while another generation takes over, and `NotFoundError` when the index is gone.
    """
    for attempt in range(_ATTEMPTS):
        found = await connection.call(lambda client: client.get(index=index, id=HEAD_ID))
        view = HeadView(found["_index"], Head.read(found["_source"]["stored"]))
        now = connection.clock.now().timestamp()
        if view.head.held > now and not through_hold:
            raise Held
        head = await change(view)
        if head == view.head:
            return view
        if await _swapped(connection, found.body, replace(head, at=now)):
            return HeadView(view.index, head)
        await connection.clock.sleep(random.uniform(0, _LONGEST_WAIT_S * min(attempt + 1, 5) / 5))  # noqa: S311 - spreads writers
    raise IndexUnavailable("too many others write to the index at the same time; try again")


async def create(connection: Connection, index: str, head: Head) -> None:
    """Write the head of a new index, unless another process just did."""

    async def work(client: AsyncElasticsearch) -> None:
        await client.create(index=index, id=HEAD_ID, document=_document(head), refresh=True)

    try:
        await connection.call(work)
    except ConflictError:
        return


async def refresh(connection: Connection, index: str) -> None:
    """Let searches find what was written."""
    await connection.call(lambda client: client.indices.refresh(index=index))


async def _swapped(connection: Connection, found: Mapping[str, Any], head: Head) -> bool:
    async def work(client: AsyncElasticsearch) -> None:
        await client.index(
            index=found["_index"],
            id=HEAD_ID,
            document=_document(head),
            if_seq_no=found["_seq_no"],
            if_primary_term=found["_primary_term"],
            refresh=True,
        )

    try:
        await connection.call(work)
    except ConflictError:
        return False
    return True


def _document(head: Head) -> dict[str, Any]:
    return {"kind": "head", "stored": head.written()}
