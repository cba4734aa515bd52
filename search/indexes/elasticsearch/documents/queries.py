"""Pieces of requests that several modules build."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from search.access import Scope

Clause = dict[str, Any]


def access(scope: Scope) -> list[Clause]:
    """Return what a document must meet so that the scope may read it; nothing for the operator."""
    lists = [] if scope.everything else [scope.principals]
    if scope.within is not None:
        lists.append(scope.within)
    return [*({"terms": {"allow": sorted(each)}} for each in lists), *_of_sources(scope)]


def access_alone_only(scope: Scope) -> list[Clause]:
    """Return what a document must meet that the actor may read, and not where others read along."""
    within = [] if scope.within is None else [{"terms": {"allow": sorted(scope.within)}}]
    return [*access(scope.alone), none_of(all_of(*within, *_of_sources(scope)))]


def _of_sources(scope: Scope) -> list[Clause]:
    return [] if scope.sources is None else [{"terms": {"source": sorted(scope.sources)}}]


def all_of(*clauses: Clause) -> Clause:
    """Return a filter that every clause has to meet; scores nothing."""
    return {"bool": {"filter": list(clauses)}}


def none_of(clause: Clause) -> Clause:
    """Return a filter that the clause must not meet."""
    return {"bool": {"must_not": [clause]}}


def pieces(values: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield a list in pieces that one request takes."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def count(answer: Mapping[str, Any], name: str) -> int:
    """Return how many documents an aggregation counted."""
    return int(answer["aggregations"][name]["doc_count"])
