"""`shops`: the shop in both databases, open to every harm; `oracles`: only what the asker may see of it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from queries.sql.datasource import Dialect
from tests.fixtures.database import PostgresServer
from tests.queries.sql.guard.corpus.canary import PostgresShop, SqliteShop
from tests.queries.sql.guard.corpus.shop import fill_postgres, fill_sqlite, permitted, rows

Shops = Mapping[Dialect, SqliteShop | PostgresShop]


@pytest.fixture(scope="module")
def shops(postgresql_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shops]:
    """Open the whole shop."""
    yield from _opened(postgresql_server, tmp_path_factory.mktemp("shop"), whole=True)


@pytest.fixture(scope="module")
def oracles(postgresql_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shops]:
    """Open what the asker may see."""
    yield from _opened(postgresql_server, tmp_path_factory.mktemp("oracle"), whole=False)


def _opened(server: PostgresServer, folder: Path, *, whole: bool) -> Iterator[Shops]:
    data = rows() if whole else permitted()
    fill_sqlite(folder / "shop.db", data)
    name = server.create()
    url = f"host={server.socket} user=postgres dbname={name}"
    fill_postgres(url, data)
    opened: Shops = {"sqlite": SqliteShop(folder / "shop.db"), "postgres": PostgresShop(url)}
    yield opened
    for shop in opened.values():
        shop.connection.close()
    server.drop(name)
