"""A result of ten million rows costs no more memory than the rows that are shown."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT
from tests.fixtures.shop import PostgresShop
from tests.scale import scaled

#: Bytes by which a process may grow while it asks, and rows of the result.
MOST, ROWS = 50_000_000, scaled(10_000_000)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("text", ["number", "number || ' ' || number || ' orders'"], ids=["numbers", "texts"])
def test_a_result_of_ten_million_rows_needs_little_memory(
    request: pytest.FixtureRequest, kind: str, text: str, sqlite_shop: Path
) -> None:
    where = str(sqlite_shop)
    if kind == "postgresql":
        made: PostgresShop = request.getfixturevalue("postgres_shop")
        where = made.url()
    statement = f"SELECT {text} AS told FROM (SELECT number FROM ten_million LIMIT {ROWS}) AS many"
    asked = [sys.executable, "-m", "tests.queries.sql.datasources.memory_reader", kind, where, statement]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    grown, rows, truncated = map(int, done.stdout.split())

    assert (rows, truncated) == (1_000, 1)
    assert grown < MOST, f"it grew by {grown / 1e6:.1f} MB"
