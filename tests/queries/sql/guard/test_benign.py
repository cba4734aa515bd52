"""Analytic queries pass, and give what they give without the guard over the rows and cells that the asker may see."""

from collections.abc import Sequence

import pytest

from queries.sql.errors import StatementRefused
from queries.sql.guard.guard import guard
from tests.queries.sql.guard.conftest import Shops
from tests.queries.sql.guard.corpus.shop import ASKER, Statement, catalog, statements

CATALOG = catalog()


def _wrong(queries: Sequence[Statement], shops: Shops, oracles: Shops) -> list[str]:
    """Return the queries that are refused or answered otherwise, with what differs."""
    found = []
    for query in queries:
        expected = oracles[query.dialect].raw(query.text)
        if expected.error:
            found.append(f"{query.dialect} {query.text}: does not run at all: {expected.error}")
            continue
        try:
            guarded = guard(query.text, CATALOG, ASKER, dialect=query.dialect, rows=1_000)
        except StatementRefused as refused:
            found.append(f"{query.dialect} {query.text}: {refused}")
            continue
        given = shops[query.dialect].run(guarded)
        if given.told != expected.told:
            found.append(f"{query.dialect} {query.text}: {given.told[:3]}, not {expected.told[:3]}")
    return found


@pytest.mark.parametrize("name", ["benign.sql", "benign_held_back.sql"])
def test_analytic_queries_are_answered_as_without_the_guard(name: str, shops: Shops, oracles: Shops) -> None:
    queries = statements(name)
    wrong = _wrong(queries, shops, oracles)
    assert wrong == [], f"{len(wrong)} of {len(queries)}: {wrong}"


def test_there_are_enough_of_them() -> None:
    known = {
        (query.dialect, query.text) for name in ("benign.sql", "benign_held_back.sql") for query in statements(name)
    }
    assert len({text for _, text in known}) >= 120
    assert len(statements("benign_held_back.sql")) >= len(known) // 3 - 1
