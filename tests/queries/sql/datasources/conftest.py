"""`shop`: a small database of each kind, with a role that may only read."""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from queries.sql.config import SourceConfig
from queries.sql.datasource import Datasource, Dialect, Guarded
from queries.sql.datasources.postgres.source import PostgresSource
from queries.sql.datasources.sqlite.source import SqliteSource
from tests.fixtures.database import PostgresServer

READS = {
    "customers": frozenset({"id", "name", "region"}),
    "orders": frozenset({"id", "customer_id", "product", "amount", "ordered_on"}),
    "large_orders": frozenset({"id", "amount"}),
    "ten_million": frozenset({"number"}),
}
#: What both databases understand.
TABLES = """
CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, region text, email text, password text);
CREATE TABLE orders (
  id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers (id), product text, amount numeric(10, 2),
  ordered_on date
);
CREATE TABLE payroll (person text, salary integer);
CREATE TABLE digits (digit integer PRIMARY KEY);
CREATE VIEW large_orders AS SELECT id, amount, product FROM orders WHERE amount > 100;
INSERT INTO customers VALUES (1, 'Ada', 'north', 'ada@example.org', 'pw1'),
  (2, '王芳', 'south', 'w@example.org', 'pw2');
INSERT INTO orders VALUES (1, 1, 'chair', 50.00, '2026-01-31'), (2, 1, 'desk', 250.00, '2026-02-01'),
  (3, 2, 'chair', 50.00, '2026-02-03');
INSERT INTO payroll VALUES ('Ada', 90000);
INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
"""
TEN_MILLION = {
    "postgres": "CREATE VIEW ten_million AS SELECT generate_series(1, 10000000) AS number",
    "sqlite": "CREATE VIEW ten_million AS SELECT a.digit AS number FROM digits a, digits b, digits c, digits d,"
    " digits e, digits f, digits g",
}
#: Says that the database is as it was: every row of every table.
CANARY = ("customers", "orders", "payroll", "digits")


@dataclass
class Shop:
    """A database, and how to look at it past the datasource."""

    dialect: Dialect
    look: Callable[[], object]  # at everything in it
    make: Callable[[SourceConfig], Datasource]
    opened: list[Datasource] = field(default_factory=list)

    def source(self, **limits: object) -> Datasource:
        """Return the database with these limits."""
        kind = {"kind": "sqlite", "path": "shop.db"}
        if self.dialect == "postgres":
            kind = {"kind": "postgresql", "url": "env:SHOP"}
        made = self.make(SourceConfig.model_validate({**kind, "timeout_s": 5, **limits}))
        self.opened.append(made)
        return made

    def guarded(self, statement: str, rows: int = 50) -> Guarded:
        """Return a statement as if the guard had written it."""
        return Guarded(statement, self.dialect, rows, READS)


@pytest.fixture(scope="session")
def sqlite_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(TABLES + TEN_MILLION["sqlite"])
    return path


@dataclass(frozen=True)
class PostgresShop:
    """A database of its own, its owner's connection, and the address of a role that may only read."""

    name: str
    role: str
    socket: Path
    owner: psycopg.Connection

    def url(self, role: str = "") -> str:
        return f"postgresql://{role or self.role}@/{self.name}?host={self.socket}"


@pytest.fixture(scope="session")
def postgres_shop(postgresql_server: PostgresServer) -> Iterator[PostgresShop]:
    with made_shop(postgresql_server) as made:
        yield made


@pytest.fixture
def own_postgres_shop(postgresql_server: PostgresServer) -> Iterator[PostgresShop]:
    """Make one that the test may change."""
    with made_shop(postgresql_server) as made:
        yield made


@contextmanager
def made_shop(server: PostgresServer) -> Iterator[PostgresShop]:
    """Make the database and the role as the how-to tells, and remove both."""
    name = server.create()
    role = f"reader_{name}"
    with psycopg.connect(f"host={server.socket} user=postgres dbname={name}", autocommit=True) as owner:
        owner.execute((TABLES + TEN_MILLION["postgres"]).encode())
        owner.execute(
            f"CREATE ROLE {role} LOGIN; GRANT USAGE ON SCHEMA public TO {role};"
            f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}; ANALYZE".encode()
        )
        yield PostgresShop(name, role, server.socket, owner)
    server.drop(name)
    server.admin.execute(f"DROP ROLE {role}".encode())


@pytest.fixture(params=["sqlite", "postgres"])
async def shop(request: pytest.FixtureRequest) -> AsyncIterator[Shop]:
    """Run the test on each kind of database, and close what it opened."""
    made = _sqlite(request) if request.param == "sqlite" else _postgres(request)
    yield made
    for source in made.opened:
        await source.close()


@pytest.fixture
async def postgres_only(request: pytest.FixtureRequest) -> AsyncIterator[Shop]:
    made = _postgres(request)
    yield made
    for source in made.opened:
        await source.close()


def _sqlite(request: pytest.FixtureRequest) -> Shop:
    path: Path = request.getfixturevalue("sqlite_shop")

    def look() -> object:
        with closing(sqlite3.connect(path)) as connection:
            rows = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in CANARY}
        return rows, path.read_bytes(), sorted(file.name for file in path.parent.iterdir())

    return Shop("sqlite", look, lambda config: SqliteSource("shop", path, config))


def _postgres(request: pytest.FixtureRequest) -> Shop:
    made: PostgresShop = request.getfixturevalue("postgres_shop")

    def look() -> object:
        rows = {table: made.owner.execute(f"SELECT * FROM {table}".encode()).fetchall() for table in CANARY}
        everything = "SELECT (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_largeobject_metadata)"
        locks = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
        return rows, made.owner.execute(everything.encode()).fetchall(), made.owner.execute(locks.encode()).fetchall()

    return Shop("postgres", look, lambda config: PostgresSource("shop", made.url(), config))
