"""What the guard tells of a statement it refuses, and what it writes in the place of one that it lets through."""

import sqlite3
import time

import pytest

from identity.actor import Actor, local_operator
from queries.sql.catalog.catalog import Catalog
from queries.sql.datasource import MOST_ROWS, Dialect
from queries.sql.errors import Refusal, StatementRefused
from queries.sql.guard.guard import guard
from tests.queries.sql.guard.conftest import Shops
from tests.queries.sql.guard.corpus.shop import ASKER, catalog

CATALOG = catalog()
REFUSED = [
    ("SELECT 1" + " " * 10_000, Refusal.TOO_LONG, "10008 > 10000"),
    ("SELECT 'a\0b'", Refusal.CHARACTERS, "U+0000"),
    ("SELECT\u00a01", Refusal.CHARACTERS, "U+00A0"),
    ("SELECT * FROM orders WHERE (", Refusal.UNREADABLE, None),
    ("", Refusal.NOT_ONE, "0"),
    ("SELECT 1; SELECT 2", Refusal.NOT_ONE, "2"),
    ("DELETE FROM orders", Refusal.NOT_A_QUERY, "DELETE"),
    ("WITH x AS (DELETE FROM orders RETURNING id) SELECT id FROM x", Refusal.NOT_A_QUERY, "DELETE"),
    (
        "WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT * FROM r) SELECT * FROM r",
        Refusal.CONSTRUCT,
        "WITH RECURSIVE",
    ),
    ("SELECT load_extension('x')", Refusal.FUNCTION, "load_extension"),
    ("SELECT id FROM nowhere", Refusal.NO_SUCH_TABLE, "nowhere"),
    ("SELECT x.id FROM orders", Refusal.NO_SUCH_TABLE, "x"),
    ("SELECT id FROM payroll", Refusal.TABLE_NOT_PERMITTED, "payroll"),
    ("SELECT colour FROM orders", Refusal.NO_SUCH_COLUMN, "colour"),
    ("SELECT o.colour FROM orders o", Refusal.NO_SUCH_COLUMN, "orders.colour"),
    ("SELECT x.colour FROM (SELECT id FROM orders) x", Refusal.NO_SUCH_COLUMN, "x.colour"),
]
DIALECTS = pytest.mark.parametrize("dialect", ["postgres", "sqlite"])


@pytest.mark.parametrize("step", ["x y z", "", "1 day; drop"])
def test_an_interval_that_is_none_is_refused(step: str) -> None:
    with pytest.raises(StatementRefused) as refused:
        guard(f"SELECT x FROM generate_series(1, 2, '{step}') x", CATALOG, ASKER, dialect="postgres")
    assert refused.value.code is Refusal.UNREADABLE


@DIALECTS
@pytest.mark.parametrize(("statement", "code", "detail"), REFUSED)
def test_a_refusal_says_why_and_names_what(statement: str, code: Refusal, detail: str | None, dialect: Dialect) -> None:
    with pytest.raises(StatementRefused) as refused:
        guard(statement, CATALOG, ASKER, dialect=dialect)
    assert refused.value.code is code
    assert detail is None or refused.value.detail == detail


def test_a_statement_is_a_query_before_anything_else_is_asked_of_it() -> None:
    for statement in ("now()", "(now())", "load_extension('x')"):  # no part of a query is one
        with pytest.raises(StatementRefused) as refused:
            guard(statement, CATALOG, ASKER, dialect="sqlite")
        assert refused.value.code is Refusal.NOT_A_QUERY, statement


def test_every_reason_but_one_is_shown_above() -> None:
    # Each column of the catalogue is readable today, if only as empty, by whoever may read its table.
    assert {*Refusal} - {code for _, code, _ in REFUSED} == {Refusal.COLUMN_NOT_PERMITTED}


@DIALECTS
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT " + "(" * 400 + "1" + ")" * 400,
        "SELECT " + "array[" * 30 + "1" + "]" * 30,
        "SELECT 1 LIMIT " + "(SELECT 1 LIMIT " * 25 + "1" + ")" * 25,
        "SELECT " + "- " * 3_000 + "1",
        "SELECT " + "NOT " * 2_000 + "1",
        "SELECT " + "CASE WHEN 1 = 1 THEN " * 300 + "1" + " END" * 300,
        "SELECT 1" + " + 1" * 2_000,
        "SELECT 1 WHERE 1 = 1" + " OR 1 = 1" * 900,
        "SELECT 1" + " UNION SELECT 1" * 500,
        "SELECT " + "SELECT " * 1_000,
    ],
)
def test_no_statement_keeps_the_guard_busy(statement: str, dialect: Dialect) -> None:
    start = time.process_time()
    try:
        guard(statement, CATALOG, ASKER, dialect=dialect)
        refused = False
    except StatementRefused:
        refused = True
    assert refused in (True, False)
    assert time.process_time() - start < 3


@DIALECTS
@pytest.mark.parametrize(("asked", "rows"), [(5, 5), (0, 1), (-3, 1), (10**9, MOST_ROWS)])
def test_it_asks_for_one_row_more_than_is_wanted(asked: int, rows: int, dialect: Dialect) -> None:
    guarded = guard("SELECT id FROM orders", CATALOG, ASKER, dialect=dialect, rows=asked)
    assert guarded.rows == rows
    assert guarded.statement.endswith(f"LIMIT {rows + 1}")


def test_it_reads_the_columns_that_are_used_and_those_of_the_rules() -> None:
    statement = "SELECT o.customer, p.salary FROM orders o JOIN people p ON p.id = o.person_id"
    guarded = guard(statement, CATALOG, ASKER, dialect="sqlite")
    assert guarded.reads == {"orders": frozenset({"customer", "person_id", "region"}), "people": frozenset({"id"})}


@DIALECTS
def test_the_operator_reads_every_row_and_cell(dialect: Dialect, shops: Shops) -> None:
    statement = "SELECT COUNT(*), COUNT(note) FROM orders"
    whole = shops[dialect].run(guard(statement, CATALOG, local_operator(), dialect=dialect))
    assert whole.told == ("", "600 | 600")
    assert shops[dialect].run(guard(statement, CATALOG, ASKER, dialect=dialect)).told[1].endswith("| 0")


def test_who_has_no_rule_may_not_read_a_table() -> None:
    stranger = Actor("eve", "Eve", units=frozenset())
    assert guard("SELECT id FROM orders", CATALOG, stranger, dialect="sqlite").reads
    with pytest.raises(StatementRefused, match="table_not_permitted: payroll"):
        guard("SELECT id FROM payroll", CATALOG, stranger, dialect="sqlite")


@pytest.mark.parametrize(
    "expression",
    [
        "salary + 1",
        "note || 'x'",
        "ROUND(salary, 2)",
        "UPPER(note)",
        "salary > 1",
        "COALESCE(note, '-')",
        "CASE WHEN salary IS NULL THEN 'none' ELSE 'some' END",
        "SUM(salary) OVER ()",
    ],
)
def test_expressions_over_masked_cells_keep_their_type(expression: str, shops: Shops) -> None:
    statement = f"SELECT {expression} FROM people JOIN orders ON person_id = people.id LIMIT 1"
    guarded = guard(statement, CATALOG, ASKER, dialect="postgres")
    assert shops["postgres"].run(guarded).error == ""


def test_names_between_double_quotes_are_columns_first_and_texts_on_sqlite_otherwise(shops: Shops) -> None:
    statement = 'SELECT DISTINCT "region", "Berlin" FROM orders WHERE "region" = "north"'
    assert shops["sqlite"].run(guard(statement, CATALOG, ASKER, dialect="sqlite")).rows == (("north", "Berlin"),)
    with pytest.raises(StatementRefused, match="no_such_column: Berlin"):
        guard(statement, CATALOG, ASKER, dialect="postgres")


def test_names_in_any_case_are_found() -> None:
    columns = {"OrderId": {"type": "number"}, "total": {"type": "number"}}
    mixed = Catalog.model_validate({"tables": {"Orders": {"public": True, "columns": columns}}})
    for statement in ("SELECT orderid FROM orders o WHERE O.ORDERID = 1", 'SELECT "OrderId" FROM "Orders"'):
        written = guard(statement, mixed, ASKER, dialect="postgres").statement
        assert 'FROM "Orders"' in written
        assert "orderid" not in written


def test_what_it_writes_holds_nothing_that_was_not_read() -> None:
    statement = "SELECT /* c */ id -- d\n FROM orders /*+ hint */ WHERE status = 'it''s' -- e"
    written = guard(statement, CATALOG, ASKER, dialect="postgres").statement
    assert "--" not in written
    assert "/*" not in written
    assert "'it''s'" in written
    assert sqlite3.complete_statement(written + ";")


@DIALECTS
@pytest.mark.parametrize(
    ("statement", "fenced"),
    [
        ("SELECT region, ROUND(SUM(discount), 2) FROM orders WHERE id > 3 GROUP BY region", False),
        ("SELECT SUM(1 / (id - 7)) FROM orders", False),
        ("SELECT 1 FROM orders WHERE 1 / (id - 7) > 0", True),
        ("SELECT z FROM (SELECT 1 / (id - 7) AS z FROM orders) AS x WHERE z > 0", True),
        ("SELECT SUM((SELECT MAX(1) FROM orders o WHERE 1 / (o.id - 7) > 0)) FROM orders", True),
        ("SELECT 1 FROM orders WHERE customer LIKE 'x'", True),
    ],
)
def test_hidden_rows_stand_behind_a_fence_where_one_could_make_the_statement_fail(
    statement: str, fenced: bool, dialect: Dialect
) -> None:
    assert ("OFFSET 0" in guard(statement, CATALOG, ASKER, dialect=dialect).statement) is fenced
