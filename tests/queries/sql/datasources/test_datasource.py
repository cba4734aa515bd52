"""What every datasource promises: rows within limits, no way to write whatever it is handed, nothing left behind."""

import asyncio
import time
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from queries.sql.datasource import Guarded
from queries.sql.errors import QueryFailed, QueryTooSlow, SourceUnavailable, SqlError
from tests.fixtures.shop import Shop

#: What neither database may do, however a statement got that far.
HOSTILE = (
    "DELETE FROM orders",
    "UPDATE orders SET amount = 0",
    "INSERT INTO customers VALUES (9, 'Eve', '', '', '')",
    "DROP TABLE orders",
    "CREATE TABLE loot (a integer)",
    "CREATE TEMP TABLE loot AS SELECT 1 AS a",
    "ALTER TABLE orders ADD COLUMN loot text",
    "SELECT 1; DELETE FROM orders",
    "COMMIT; DELETE FROM orders; SELECT 1",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT loot",
    "WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone",
    "REINDEX",
    "ANALYZE",
    "VACUUM",
    "",
    "SELECT",
    "nonsense",
    "SELECT 'unclosed",
)
HOSTILE_SQLITE = (
    "ATTACH 'loot.db' AS loot",
    "VACUUM INTO 'copy.db'",
    "PRAGMA writable_schema = 1",
    "PRAGMA query_only = 0",
    "SELECT load_extension('loot')",
    "SELECT randomblob(1000000000)",
    "SELECT zeroblob(1000000000)",
    "SELECT sql FROM sqlite_master",
    "SELECT count(*) FROM sqlite_master",
    "SELECT name FROM pragma_table_info('payroll')",
    "SELECT count(*) FROM pragma_table_list",
    "SELECT count(*) FROM json_tree('[1]')",
    "SELECT * FROM payroll",
    "SELECT count(*) FROM payroll",
    "SELECT rowid FROM payroll",
    "SELECT name, password FROM customers",
    "SELECT name FROM customers WHERE password = 'pw1'",
    "SELECT name FROM customers ORDER BY email",
    "SELECT product FROM large_orders",
    # A query that calls itself like a view may not read what the view does not.
    "WITH large_orders AS (SELECT salary AS id FROM payroll) SELECT id FROM large_orders",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
    "EXPLAIN SELECT 1",
    "DETACH main",
)
HOSTILE_POSTGRES = (
    "SELECT set_config('transaction_read_only', 'off', true)",
    "SELECT nextval('loot')",
    "SET ROLE postgres",
    "RESET ALL",
    "COPY orders TO PROGRAM 'true'",
    "DO $$ BEGIN DELETE FROM orders; END $$",
    "LISTEN loot",
    "LOCK TABLE orders",
    "SELECT * FROM orders FOR UPDATE",
    "SELECT amount INTO loot FROM orders",
    "EXPLAIN ANALYZE DELETE FROM orders",
    "PREPARE loot AS SELECT 1",
    "SELECT lo_create(0)",
    "SELECT lo_from_bytea(0, 'loot')",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT query_to_xml('DELETE FROM orders RETURNING 1', true, false, '')",
    "VALUES (1); DELETE FROM orders",
)
#: What runs all the same: a row without columns, and before PostgreSQL 16 large objects, which are rolled back.
ROLLED_BACK = {"SELECT", "SELECT lo_create(0)", "SELECT lo_from_bytea(0, 'loot')"}


async def test_it_gives_rows_of_python_values(shop: Shop) -> None:
    statement = "SELECT id, product, amount, ordered_on FROM orders ORDER BY id"

    found = await shop.source().run(shop.guarded(statement))

    assert found.columns == ("id", "product", "amount", "ordered_on")
    amount, day = (Decimal("50.00"), date(2026, 1, 31)) if shop.dialect == "postgres" else (50, "2026-01-31")
    assert found.rows[0] == (1, "chair", amount, day)
    assert len(found.rows) == 4
    assert not found.truncated
    assert found.milliseconds > 0


@pytest.mark.usefixtures("no_blocking")
async def test_the_loop_is_never_held_up(shop: Shop) -> None:
    source = shop.source()

    found = await source.run(shop.guarded("SELECT id FROM orders"))
    cost = await source.cost(shop.guarded("SELECT id FROM orders"))
    await source.examine()
    tables = await source.describe(samples=True)
    await source.close()

    assert (len(found.rows), cost is None or cost > 0, len(tables) > 3) == (4, True, True)


async def test_no_rows_are_an_answer(shop: Shop) -> None:
    found = await shop.source().run(shop.guarded("SELECT id FROM orders WHERE id = 0"))

    assert found.columns == ("id",)
    assert found.rows == ()


async def test_a_view_is_read(shop: Shop) -> None:
    found = await shop.source().run(shop.guarded("SELECT id FROM large_orders"))

    assert found.rows == ((2,),)


async def test_ten_million_rows_are_cut_off(shop: Shop) -> None:
    source = shop.source()
    began = time.monotonic()

    found = await source.run(shop.guarded("SELECT number FROM ten_million", rows=1_000))

    assert (len(found.rows), found.truncated) == (1_000, True)
    assert time.monotonic() - began < 5


async def test_exactly_as_many_rows_as_asked_for_are_whole(shop: Shop) -> None:
    found = await shop.source().run(shop.guarded("SELECT id FROM orders", rows=4))

    assert (len(found.rows), found.truncated) == (4, False)


async def test_heavy_rows_are_cut_off(shop: Shop) -> None:
    heavy = "SELECT replace(printf('%999d', 1), ' ', 'ä')" if shop.dialect == "sqlite" else "SELECT repeat('ä', 999)"

    found = await shop.source(most_bytes=10_000).run(shop.guarded(f"{heavy} AS a FROM ten_million", rows=1_000))

    assert (len(found.rows), found.truncated) == (5, True)


async def test_a_slow_statement_ends_in_time(shop: Shop) -> None:
    source = shop.source(timeout_s=0.3)
    began = time.monotonic()

    with pytest.raises(QueryTooSlow):
        await source.run(shop.guarded("SELECT count(*) FROM ten_million a, ten_million b WHERE a.number < b.number"))

    assert time.monotonic() - began < 1.5
    assert (await source.run(shop.guarded("SELECT id FROM orders WHERE id = 1"))).rows == ((1,),)


async def test_twenty_askers_are_answered_in_turn_by_five_connections(shop: Shop) -> None:
    source = shop.source(pool=5)
    statement = shop.guarded("SELECT count(*) FROM digits a, digits b, digits c, digits d, digits e")

    found = await asyncio.gather(*(source.run(_over_digits(statement)) for _ in range(20)))

    assert [each.rows for each in found] == [((100_000,),)] * 20


async def test_who_waits_for_a_busy_pool_is_told_in_time(shop: Shop) -> None:
    source = shop.source(pool=1, timeout_s=0.4)
    slow = shop.guarded("SELECT count(*) FROM ten_million a, ten_million b WHERE a.number < b.number")
    began = time.monotonic()

    problems = await asyncio.gather(*(source.run(slow) for _ in range(8)), return_exceptions=True)

    assert time.monotonic() - began < 2
    assert all(isinstance(each, QueryTooSlow | SourceUnavailable) for each in problems)
    assert any(isinstance(each, SourceUnavailable) and "busy" in each.why for each in problems)
    assert (await source.run(shop.guarded("SELECT id FROM orders WHERE id = 1"))).rows == ((1,),)


async def test_an_asker_who_leaves_frees_the_pool(shop: Shop) -> None:
    source = shop.source(pool=1)
    slow = shop.guarded("SELECT count(*) FROM ten_million a, ten_million b WHERE a.number < b.number")
    asked = asyncio.create_task(source.run(slow))
    await asyncio.sleep(0.2)

    asked.cancel()

    assert isinstance((await asyncio.gather(asked, return_exceptions=True))[0], asyncio.CancelledError)
    assert (await source.run(shop.guarded("SELECT id FROM orders WHERE id = 1"))).rows == ((1,),)


async def test_nothing_that_it_is_handed_can_write(shop: Shop) -> None:
    source, before = shop.source(timeout_s=2), shop.look()
    special = HOSTILE_SQLITE if shop.dialect == "sqlite" else HOSTILE_POSTGRES
    ran: set[str] = set()

    for statement in (*HOSTILE, *special):
        try:
            await source.run(shop.guarded(statement))
        except SqlError:
            continue
        ran.add(statement)

    assert shop.look() == before
    assert ran <= ROLLED_BACK


async def test_an_estimate_runs_nothing(shop: Shop) -> None:
    source, before = shop.source(), shop.look()

    for statement in ("DELETE FROM orders", "SELECT 1; DELETE FROM orders", "ANALYZE DELETE FROM orders"):
        await asyncio.gather(source.cost(shop.guarded(statement)), return_exceptions=True)

    assert shop.look() == before


async def test_an_error_tells_of_the_statement_and_never_of_a_row(shop: Shop) -> None:
    source = shop.source()

    with pytest.raises(QueryFailed, match="nope"):
        await source.run(shop.guarded("SELECT nope FROM orders"))
    if shop.dialect == "postgres":
        with pytest.raises(QueryFailed) as failed:
            await source.run(shop.guarded("SELECT CAST(name AS integer) FROM customers"))
        assert "Ada" not in str(failed.value)


async def test_a_closed_source_says_so(shop: Shop) -> None:
    source = shop.source()
    await source.run(shop.guarded("SELECT id FROM orders"))

    await source.close()

    with pytest.raises(SourceUnavailable):
        await source.run(shop.guarded("SELECT id FROM orders"))


async def test_tables_are_described(shop: Shop) -> None:
    tables = {table.name: table for table in await shop.source().describe(samples=True)}

    assert {"customers", "orders", "large_orders"} <= set(tables)
    orders = tables["orders"]
    assert orders.key == ("id",)
    assert orders.references == {"customer_id": "customers.id"}
    assert orders.rows == 4
    columns = {column.name: column for column in orders.columns}
    assert columns["product"].samples == ("chair", "desk")
    assert columns["amount"].samples == ()


async def test_what_looks_private_is_not_sampled(shop: Shop) -> None:
    tables = {table.name: table for table in await shop.source().describe(samples=True)}
    columns = {column.name: column for column in tables["customers"].columns}

    assert columns["region"].samples == ("north", "south")
    assert columns["name"].samples == ()  # a name of each row, however few rows there are
    assert columns["password"].samples == columns["email"].samples == ()


async def test_without_being_asked_no_value_is_shown(shop: Shop) -> None:
    tables = await shop.source().describe()

    assert [column.samples for table in tables for column in table.columns if column.samples] == []


def _over_digits(guarded: Guarded) -> Guarded:
    return replace(guarded, reads={**guarded.reads, "digits": frozenset({"digit"})})
