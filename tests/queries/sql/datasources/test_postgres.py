"""What is special to PostgreSQL: connections that end, settings that stay, estimates of its plans."""

import asyncio
import random
import socket
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from decimal import Decimal

import pytest

from queries.sql.config import SourceConfig
from queries.sql.datasource import Guarded
from queries.sql.datasources.postgres.source import PostgresSource, address_problem
from queries.sql.errors import QueryFailed, SourceUnavailable, SqlError
from tests.fixtures.database import PostgresServer
from tests.fixtures.shop import READS, PostgresShop, Shop
from tests.queries.sql.datasources.test_datasource import HOSTILE, HOSTILE_POSTGRES
from tests.scale import scaled

ENDED = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s AND pid <> pg_backend_pid()"
#: What a statement could leave behind on its connection, and how to see it.
LEFTOVERS = (
    ("SELECT set_config('statement_timeout', '0', false)", "SELECT current_setting('statement_timeout') = '0'"),
    ("SELECT set_config('search_path', 'pg_temp', false)", "SELECT current_setting('search_path') LIKE 'pg_temp%'"),
    ("SELECT set_config('app.person', 'eve', false)", "SELECT current_setting('app.person', true) = 'eve'"),
    ("SELECT set_config('TimeZone', 'Asia/Tokyo', false)", "SELECT current_setting('TimeZone') = 'Asia/Tokyo'"),
    ("SELECT pg_advisory_lock(42)", "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory'"),
    ("SELECT pg_notify('loot', 'x')", "SELECT count(*) > 0 FROM pg_listening_channels()"),
)

HOSTILE_SUPERUSER = (
    "SELECT setval('counter', 42)",
    "SELECT nextval('counter')",
    "ALTER SYSTEM SET work_mem = '1GB'",
    "SELECT lo_import('/etc/hostname')",
    "COPY (SELECT 1) TO '/tmp/dutydesk-loot'",
    "SELECT set_config('transaction_read_only', 'off', false) FROM orders",
    "SELECT 1); DELETE FROM orders; --",
    "SELECT 1; COMMIT; DELETE FROM orders",
    "SELECT 1 -- \n; DELETE FROM orders",
)


def statement(text: str, rows: int = 50) -> Guarded:
    return Guarded(text, "postgres", rows, READS)


def source_of(shop: PostgresShop, role: str = "", **limits: object) -> PostgresSource:
    config = SourceConfig.model_validate({"kind": "postgresql", "url": "env:SHOP", "timeout_s": 5, **limits})
    return PostgresSource("shop", shop.url(role), config)


@pytest.fixture
async def source(own_postgres_shop: PostgresShop) -> AsyncIterator[PostgresSource]:
    made = source_of(own_postgres_shop, pool=1)
    yield made
    await made.close()


@pytest.mark.parametrize(("leave", "seen"), LEFTOVERS)
async def test_nothing_is_left_for_the_next_asker(postgres_only: Shop, leave: str, seen: str) -> None:
    source = postgres_only.source(pool=1)
    await source.run(statement("SELECT pg_backend_pid()"))

    await asyncio.gather(source.run(statement(leave)), return_exceptions=True)

    assert (await source.run(statement(seen))).rows in {((False,),), ((None,),)}


async def test_a_connection_serves_one_asker_after_the_other(postgres_only: Shop) -> None:
    source = postgres_only.source(pool=1)

    first, second = [(await source.run(statement("SELECT pg_backend_pid()"))).rows for _ in range(2)]

    assert first == second


async def test_a_role_that_may_do_everything_changes_nothing_here(own_postgres_shop: PostgresShop) -> None:
    owner, source = own_postgres_shop.owner, source_of(own_postgres_shop, role="postgres", timeout_s=2)
    owner.execute("CREATE SEQUENCE counter")
    seen = "SELECT (SELECT count(*) FROM orders), (SELECT count(*) FROM pg_class), (SELECT last_value FROM counter)"
    before = owner.execute(seen.encode()).fetchall()

    for hostile in (*HOSTILE, *HOSTILE_POSTGRES, *HOSTILE_SUPERUSER):
        await asyncio.gather(source.run(statement(hostile)), return_exceptions=True)
        await asyncio.gather(source.cost(statement(hostile)), return_exceptions=True)

    assert owner.execute(seen.encode()).fetchall() == before
    assert owner.execute("SELECT count(*) FROM pg_largeobject_metadata").fetchall() == [(0,)]
    assert owner.execute("SELECT setting FROM pg_file_settings WHERE name = 'work_mem'").fetchall() == []
    await source.close()


async def test_it_takes_one_statement(postgres_only: Shop) -> None:
    source = postgres_only.source()

    for ask in (source.run, source.cost):
        with pytest.raises(QueryFailed, match="multiple commands"):
            await ask(statement("SELECT 1; SELECT 2"))


async def test_every_statement_stands_in_a_read_only_transaction(postgres_only: Shop) -> None:
    asked = "SELECT current_setting('transaction_read_only'), current_setting('TimeZone'), current_schemas(false)::text"

    assert (await postgres_only.source().run(statement(asked))).rows == (("on", "UTC", "{pg_catalog,public}"),)


async def test_values_of_every_type_can_be_shown(postgres_only: Shop) -> None:
    asked = """
        SELECT 'infinity'::date, '-infinity'::timestamptz, '0044-03-15 BC'::date, 'NaN'::numeric, 'Infinity'::float8,
               '{"a": [1]}'::jsonb, ARRAY[1, NULL], '00000000-0000-0000-0000-000000000001'::uuid, '\\x00ff'::bytea,
               interval '1 day', time '10:00', true, row(1, 'a'), inet '10.0.0.1', 12345678901234567890::numeric
    """

    (row,) = (await postgres_only.source().run(statement(asked))).rows

    assert row[:5] == ("infinity", "-infinity", "0044-03-15 BC", "NaN", "inf")
    assert row[5:9] == ('{"a": [1]}', "[1, null]", "00000000-0000-0000-0000-000000000001", "00ff")
    assert row[9:12] == ("1 day, 0:00:00", "10:00:00", True)
    assert isinstance(row[12], str)
    assert row[13:] == ("10.0.0.1", Decimal(12345678901234567890))


async def test_a_connection_that_was_ended_while_idle_is_replaced(
    source: PostgresSource, own_postgres_shop: PostgresShop
) -> None:
    await source.run(statement("SELECT 1"))
    own_postgres_shop.owner.execute(ENDED, (own_postgres_shop.role,))

    assert (await source.run(statement("SELECT 1"))).rows == ((1,),)


async def test_a_connection_that_is_ended_while_it_runs_is_told_and_replaced(
    source: PostgresSource, own_postgres_shop: PostgresShop
) -> None:
    asked = asyncio.create_task(source.run(statement("SELECT pg_sleep(4)")))
    await asyncio.sleep(0.4)
    own_postgres_shop.owner.execute(ENDED, (own_postgres_shop.role,))

    with pytest.raises(SourceUnavailable, match="ended the connection"):
        await asked
    assert (await source.run(statement("SELECT 1"))).rows == ((1,),)


async def test_the_pool_is_whole_whatever_happens_to_its_askers(own_postgres_shop: PostgresShop) -> None:
    shop, source, chance = own_postgres_shop, source_of(own_postgres_shop, pool=5, timeout_s=3), random.Random(15)
    statements = ("SELECT pg_sleep(0.02)", "SELECT nope", "SELECT id FROM orders", "SELECT 1/0", "SELECT pg_sleep(2)")

    async def asker(number: int) -> None:
        await asyncio.sleep(chance.random())
        if number % 10 == 0:
            await asyncio.to_thread(shop.owner.execute, ENDED, (shop.role,))
        with suppress(SqlError, TimeoutError):
            await asyncio.wait_for(source.run(statement(chance.choice(statements))), chance.random() / 2)

    await asyncio.gather(*(asker(number) for number in range(scaled(600))))
    found = await asyncio.gather(*(source.run(statement("SELECT pg_backend_pid(), pg_sleep(0.1)")) for _ in range(10)))

    assert len({each.rows[0][0] for each in found}) == 5
    open_now = shop.owner.execute("SELECT count(*) FROM pg_stat_activity WHERE usename = %s", (shop.role,)).fetchone()
    assert open_now == (5,)
    await source.close()


async def test_a_database_that_is_down_is_told_at_once_and_found_again(
    source: PostgresSource, own_postgres_shop: PostgresShop, postgresql_server: PostgresServer
) -> None:
    await source.run(statement("SELECT 1"))
    with postgresql_server.unreachable(own_postgres_shop.name):
        began = time.monotonic()
        with pytest.raises(SourceUnavailable, match="does not"):
            await source.run(statement("SELECT 1"))
        assert time.monotonic() - began < 2

    assert (await source.run(statement("SELECT 1"))).rows == ((1,),)


async def test_a_server_that_never_answers_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://reader@127.0.0.1:{silent.getsockname()[1]}/shop?sslmode=disable"
        config = SourceConfig.model_validate({"kind": "postgresql", "url": "env:SHOP", "timeout_s": 0.5})
        source = PostgresSource("shop", url, config)
        began = time.monotonic()

        with pytest.raises(SqlError):
            await source.run(statement("SELECT 1"))

        assert time.monotonic() - began < 2
        await source.close()


async def test_an_estimate_counts_the_rows_that_are_read(own_postgres_shop: PostgresShop) -> None:
    owner, role = own_postgres_shop.owner, own_postgres_shop.role
    owner.execute("CREATE TABLE events AS SELECT n AS id, n % 7 AS kind FROM generate_series(1, 20000) AS n")
    owner.execute(f"CREATE UNIQUE INDEX ON events (id); GRANT SELECT ON events TO {role}".encode())
    owner.execute("ANALYZE events")
    source = source_of(own_postgres_shop)

    async def cost(text: str) -> int:
        return await source.cost(statement(text)) or 0

    assert await cost("SELECT count(*) FROM events WHERE kind = 3") == 20_000
    assert await cost("SELECT kind FROM events WHERE id = 17") < 10
    assert await cost("SELECT * FROM events LIMIT 50") < 1_000
    assert await cost("SELECT * FROM (SELECT * FROM events ORDER BY kind) AS q LIMIT 50") == 20_000
    assert await cost("SELECT count(*) FROM events a, events b WHERE a.kind < b.kind") >= 40_000
    await source.close()


async def test_an_estimate_of_a_wrong_statement_says_what_is_wrong(postgres_only: Shop) -> None:
    with pytest.raises(QueryFailed, match="nope"):
        await postgres_only.source().cost(statement("SELECT nope FROM orders"))


async def test_comments_and_labels_are_described(own_postgres_shop: PostgresShop) -> None:
    own_postgres_shop.owner.execute(
        "CREATE TYPE mood AS ENUM ('good', 'bad'); CREATE TABLE notes (id integer, mood mood);"
        "COMMENT ON TABLE notes IS 'What was said'; COMMENT ON COLUMN notes.mood IS 'How it felt';"
        f"GRANT SELECT ON notes TO {own_postgres_shop.role}; CREATE TABLE unseen (id integer)".encode()
    )
    source = source_of(own_postgres_shop)

    tables = {table.name: table for table in await source.describe()}

    assert tables["notes"].comment == "What was said"
    assert (tables["notes"].columns[1].comment, tables["notes"].columns[1].samples) == ("How it felt", ("good", "bad"))
    assert "unseen" not in tables
    await source.close()


@pytest.mark.parametrize(
    "address", ["postgresql://reader:p@ss@db/shop", "postgresql://reader:p@[db/shop", "nonsense ="]
)
def test_a_wrong_address_is_told_without_quoting_it(address: str) -> None:
    problem = address_problem(address)

    assert problem
    assert not any(part in problem for part in ("ss@db", "p@", "nonsense"))


def test_a_right_address_is_none() -> None:
    assert address_problem("postgresql://reader:p%40ss@db.example.org:5432/shop?sslmode=verify-full") == ""
