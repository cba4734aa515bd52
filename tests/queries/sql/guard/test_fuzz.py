"""Statements made of attacks and of queries: whatever the guard lets through does no harm with every right."""

import itertools
from collections import Counter

import pytest

from queries.sql.datasource import Dialect
from queries.sql.errors import StatementRefused
from queries.sql.guard.guard import guard
from tests.queries.sql.guard.conftest import Shops
from tests.queries.sql.guard.corpus.canary import Ran, Tried, harmful
from tests.queries.sql.guard.corpus.mutations import Mutator
from tests.queries.sql.guard.corpus.shop import ASKER, catalog, statements
from tests.scale import SCALE, scaled

#: Runs of the guard for both databases together.
RUNS = scaled(100_000) // 2 if SCALE >= 1 else 2_500
#: Nothing is left to be found after so many rows: a product of tables has millions.
ROWS = 1_000


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("dialect", ["postgres", "sqlite"])
def test_no_mutation_shows_or_changes_anything(dialect: Dialect, shops: Shops, oracles: Shops) -> None:
    known = catalog()
    corpus = [
        each.text
        for name in ("attacks.sql", "benign.sql", "benign.sql")
        for each in statements(name)
        if each.dialect == dialect
    ]
    mutator = Mutator(corpus, seed=3)
    shop, oracle = shops[dialect], oracles[dialect]
    before, passed, told = shop.state(), Counter[str](), Counter[str]()
    tried: list[Tried] = []
    moments = 0
    for _ in itertools.repeat(None, RUNS):
        statement = mutator.statement()
        try:
            guarded = guard(statement, known, ASKER, dialect=dialect, rows=ROWS)
        except StatementRefused as refused:
            told[refused.code] += 1
            continue
        passed[guarded.statement] += 1
        if passed[guarded.statement] == 1:
            whole = shop.run(guarded)
            plain = oracle.run(guarded) if _whole(whole) else whole
            if plain.told != whole.told and shop.run(guarded).told != whole.told:
                plain = whole  # it tells the moment: it differs from itself as well
                moments += 1
            tried.append(Tried(statement, whole, plain))
    assert list(harmful(tried)) == []
    assert shop.state() == before
    assert moments * 50 <= len(tried)
    assert passed.total() > RUNS / 50
    assert len(told) >= 8


def _whole(ran: Ran) -> bool:
    """Tell whether all the rows are there: which of more come first is the database's to choose."""
    return len(ran.rows) <= ROWS
