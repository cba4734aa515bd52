"""Asking at one head: several searches in one request, all of them about the same commit.

The head is asked together with the rest. When it is not the one that the searches were filtered by, they are asked
again with the new one, so that a question always sees what was there when it was asked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elasticsearch import AsyncElasticsearch

from search.errors import IndexUnusable
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.cluster.problems import ClusterBusy, meaning, reason_of
from search.indexes.elasticsearch.commits.head import HEAD_ID, Head

Body = Mapping[str, Any]
Answer = Mapping[str, Any]
_HEAD: Body = {"size": 1, "query": {"ids": {"values": [HEAD_ID]}}, "_source": ["stored"]}
#: Only this is sent back: the rest is as long as the hits themselves.
_PARTS = [
    f"responses.{part}"
    for part in (
        "error",
        "status",
        "hits.total.value",
        "hits.hits._index",
        "hits.hits._id",
        "hits.hits._score",
        "hits.hits._source",
        "hits.hits.fields",
        "hits.hits.sort",
        "aggregations",
        "suggest",
    )
]


@dataclass(frozen=True)
class HeadView:
    """One commit of one index."""

    index: str
    head: Head

    @property
    def position(self) -> tuple[str, int]:
        """Return what differs between any two commits."""
        return self.index, self.head.commits


@dataclass(frozen=True)
class Answers:
    """What the searches found, and at which commit."""

    view: HeadView
    each: Sequence[Answer]


class HeadReader:
    """Asks through an alias; remembers the last commit that it saw, which mostly still is the current one."""

    def __init__(self, connection: Connection, alias: str) -> None:
        self._connection = connection
        self._alias = alias
        self._view: HeadView | None = None

    async def ask(self, bodies: Callable[[HeadView], Sequence[Body]], *, index: str = "") -> Answers | None:
        """Return the answers of one commit, of one index by its name if given; None when there is no such index."""
        known = self._view if self._view and index in {"", self._view.index} else None
        current, answers = await self._asked(index or self._alias, known, bodies)
        if current is None:
            return None
        if known is None or current.position != known.position:
            known = current
            self._view = self._view if index else current
            _, answers = await self._asked(current.index, known, bodies)
        for answer in answers:
            _check(answer, self._connection)
        return Answers(known, answers)

    async def view(self) -> HeadView | None:
        """Return the current commit."""
        found = await self.ask(lambda _: ())
        return found.view if found else None

    async def _asked(
        self, named: str, view: HeadView | None, bodies: Callable[[HeadView], Sequence[Body]]
    ) -> tuple[HeadView | None, Sequence[Answer]]:
        lines: list[Body] = [_header(named), _HEAD]
        for body in bodies(view) if view else ():
            lines += [_header(view.index if view else ""), body]

        async def work(client: AsyncElasticsearch) -> Sequence[Answer]:
            found = await client.msearch(searches=lines, filter_path=_PARTS)
            responses: Sequence[Answer] = found["responses"]
            for each in responses:
                if isinstance(problem := _problem(each, self._connection), ClusterBusy):
                    raise problem
            return responses

        head, *answers = await self._connection.call(work)
        return _view(head, self._connection), answers


def hits(answer: Answer) -> Sequence[Mapping[str, Any]]:
    """Return the hits of one answer."""
    found: Sequence[Mapping[str, Any]] = answer.get("hits", {}).get("hits", ())
    return found


def _header(index: str) -> Body:
    return {"index": index, "allow_partial_search_results": False}


def _view(answer: Answer, connection: Connection) -> HeadView | None:
    if answer.get("status") == 404:
        return None
    _check(answer, connection)
    found = hits(answer)
    if len(found) > 1:
        raise IndexUnusable("several indices stand behind the alias: keep one (docs/how-to/use-elasticsearch.md)")
    return HeadView(found[0]["_index"], Head.read(found[0]["_source"]["stored"])) if found else None


def _check(answer: Answer, connection: Connection) -> None:
    if problem := _problem(answer, connection):
        raise problem


def _problem(answer: Answer, connection: Connection) -> Exception | None:
    """Return what is wrong with one search of several."""
    error = answer.get("error")
    if error is None:
        return None
    reason = reason_of(error)
    return meaning(int(answer["status"]), reason, connection.config) or IndexUnusable(f"Elasticsearch: {reason}")
