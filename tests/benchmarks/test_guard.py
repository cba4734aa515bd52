"""How long the guard takes for a statement, over the analytic queries that its tests ask."""

import time

import pytest

from queries.sql.guard.guard import guard
from tests.benchmarks.figures import percentile
from tests.queries.sql.guard.corpus.shop import ASKER, catalog, statements

pytestmark = pytest.mark.benchmark
P95_MS = 5.0


def test_the_guard_takes_milliseconds() -> None:
    known = catalog()
    queries = [query for name in ("benign.sql", "benign_held_back.sql") for query in statements(name)]
    for query in queries[:20]:
        guard(query.text, known, ASKER, dialect=query.dialect)
    taken = []
    for query in queries * 5:
        start = time.thread_time()
        guard(query.text, known, ASKER, dialect=query.dialect)
        taken.append((time.thread_time() - start) * 1_000)
    taken.sort()
    half, most = percentile(taken, 0.5), percentile(taken, 0.95)
    print(f"{len(taken)} statements: median {half:.2f} ms, p95 {most:.2f} ms of the processor")  # noqa: T201
    assert most < P95_MS
