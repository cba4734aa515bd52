"""Guard and datasources together: what the one lets through the others run, with the same result, and harm nothing."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from queries.sql.config import SourceConfig
from queries.sql.datasource import Datasource, Dialect, Rows
from queries.sql.datasources.postgres.source import PostgresSource
from queries.sql.datasources.sqlite.source import SqliteSource
from queries.sql.errors import SqlError, StatementRefused
from queries.sql.guard.guard import guard
from tests.fixtures.database import PostgresServer
from tests.queries.sql.guard.conftest import Shops
from tests.queries.sql.guard.corpus.canary import PostgresShop, Ran, SqliteShop
from tests.queries.sql.guard.corpus.shop import ASKER, SECRET, TABLES, catalog, statements

CATALOG = catalog()
DIALECTS = pytest.mark.parametrize("dialect", ["postgres", "sqlite"])


@pytest.fixture
def sources(shops: Shops, postgresql_server: PostgresServer) -> Iterator[Mapping[Dialect, Datasource]]:
    """Open the shop as the product does: a role that may only select, a file that is only read."""
    lite, server = shops["sqlite"], shops["postgres"]
    assert isinstance(lite, SqliteShop)
    assert isinstance(server, PostgresShop)
    role = f"reader_{postgresql_server.worker}"
    with psycopg.connect(server.url, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {role} LOGIN".encode())
        admin.execute(f"GRANT SELECT ON {', '.join(TABLES)} TO {role}".encode())
    url = server.url.replace("user=postgres", f"user={role}")
    file = SourceConfig.model_validate({"kind": "sqlite", "path": str(lite.path)})
    remote = SourceConfig.model_validate({"kind": "postgresql", "url": "env:NOT_READ"})
    yield {"sqlite": SqliteSource("shop", Path(lite.path), file), "postgres": PostgresSource("shop", url, remote)}
    with psycopg.connect(server.url, autocommit=True) as admin:
        admin.execute(f"DROP OWNED BY {role}".encode())
        admin.execute(f"DROP ROLE {role}".encode())


async def _run(source: Datasource, statement: str) -> Rows | SqlError:
    try:
        return await source.run(guard(statement, CATALOG, ASKER, dialect=source.dialect, rows=1_000))
    except SqlError as problem:
        return problem


@DIALECTS
async def test_analytic_queries_give_the_same_through_a_datasource(
    dialect: Dialect, sources: Mapping[Dialect, Datasource], oracles: Shops
) -> None:
    wrong, source = [], sources[dialect]
    for name in ("benign.sql", "benign_held_back.sql"):
        for query in statements(name):
            if query.dialect != dialect:
                continue
            given = await _run(source, query.text)
            expected = oracles[dialect].raw(query.text)
            if isinstance(given, SqlError) or len(given.rows) != len(expected.rows):
                wrong.append(f"{query.text}: {given}")
            elif dialect == "sqlite" and Ran(given.rows).told != expected.told:
                wrong.append(f"{query.text}: {given.rows[:3]}")
    await source.close()
    assert wrong == []


@DIALECTS
async def test_no_attack_gets_anything_out_of_a_datasource(
    dialect: Dialect, sources: Mapping[Dialect, Datasource], shops: Shops
) -> None:
    before, shown, answers = shops[dialect].state(), [], 0
    source = sources[dialect]
    for attack in statements("attacks.sql"):
        if attack.dialect == dialect:
            given = await asyncio.wait_for(_run(source, attack.text), 15)
            if isinstance(given, StatementRefused):
                continue
            answers += isinstance(given, Rows)
            cells = [str(cell) for row in given.rows for cell in row] if isinstance(given, Rows) else [str(given)]
            found = [word[0] for cell in cells if (word := SECRET.search(cell)) and word[0] not in attack.text]
            shown += [f"{attack.text}: {word}" for word in found]
    await source.close()
    assert shown == []
    assert answers > 30  # such as those that ask for masked cells
    assert shops[dialect].state() == before
