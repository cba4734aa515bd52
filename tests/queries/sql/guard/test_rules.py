"""Row rules: what their author is told, and what becomes of the asker in them."""

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identity.actor import Actor
from queries.sql.catalog.catalog import Catalog, CatalogTable
from queries.sql.datasource import Dialect
from queries.sql.errors import StatementRefused
from queries.sql.guard.guard import guard
from queries.sql.guard.rules import check_rule

TABLE = CatalogTable.model_validate(
    {"public": True, "columns": {"region": {"type": "text"}, "Owner": {"type": "text"}, "n": {"type": "number"}}}
)


@pytest.mark.parametrize("dialect", ["postgres", "sqlite"])
@pytest.mark.parametrize(
    "where",
    [
        "TRUE",
        "region IN (:units)",
        "region IN ('all', :units, :groups) OR owner = :person",
        "NOT region IN (:roles) AND n BETWEEN 1 AND 3",
        'OWNER = :email OR "Owner" IS NULL',
        "UPPER(region) LIKE 'N%'",
    ],
)
def test_a_rule_about_its_own_table_and_the_asker_is_fine(where: str, dialect: Dialect) -> None:
    assert check_rule(where, TABLE, dialect) is None


@pytest.mark.parametrize("dialect", ["postgres", "sqlite"])
@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("salary > 1", "salary"),
        ("other.region = 'x'", "other"),
        ("region = :unit", ":unit"),
        ("region = :units", ":units"),
        ("LOWER(:groups) = region", ":groups"),
        ("region IN (SELECT region FROM regions)", "SUBQUERY"),
        ("EXISTS (SELECT 1)", "SELECT"),
        ("COUNT(*) > 1", "COUNT"),
        ("pg_sleep(1) IS NULL", "pg_sleep"),
        ("TRUE; DELETE FROM orders", "not_one"),
        ("TRUE ORDER BY n", "unreadable"),
        ("TRUE UNION SELECT 1", "unreadable"),
        ("TRUE) OR (TRUE", "unreadable"),
        ("region = ?", "?"),
        ("this is no SQL", "unreadable"),
    ],
)
def test_a_rule_that_cannot_work_is_told_with_what_is_wrong(where: str, names: str, dialect: Dialect) -> None:
    assert names in (check_rule(where, TABLE, dialect) or "")


def _seen(where: str, actor: Actor, rows: list[str]) -> list[str]:
    known = Catalog.model_validate({"tables": {"t": {"rows": [{"where": where}], "columns": {"r": {"type": "text"}}}}})
    guarded = guard("SELECT r FROM t ORDER BY r", known, actor, dialect="sqlite")
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (r TEXT)")
    database.executemany("INSERT INTO t VALUES (?)", [(row,) for row in rows])
    found = [row[0] for row in database.execute(guarded.statement)]
    database.close()
    return found


_EMPTY = ["r IN (:units)", "NOT r IN (:units)", "r NOT IN (:units)", "r = :email", "r <> :email"]


@pytest.mark.parametrize("where", _EMPTY)
def test_who_has_no_unit_or_address_sees_nothing_by_it_and_not_the_rest_either(where: str) -> None:
    assert _seen(where, Actor("ada", "Ada"), ["north", "south"]) == []


def test_a_rule_beside_an_empty_one_still_holds() -> None:
    assert _seen("r IN (:units) OR r = :person", Actor("ada", "Ada"), ["ada", "south"]) == ["ada"]


_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@given(_texts, _texts)
def test_whatever_a_unit_is_called_it_matches_itself_alone(mine: str, other: str) -> None:
    actor = Actor(mine, "Ada", units=frozenset({mine}))
    expected = sorted({mine, other} & {mine})
    assert _seen("r IN (:units)", actor, sorted({mine, other})) == expected
    assert _seen("r = :person", actor, sorted({mine, other})) == expected


def test_nobody_reads_a_row_by_a_broken_rule() -> None:
    table = {"rows": [{"where": "TRUE OR"}], "columns": {"r": {"type": "text"}}}
    known = Catalog.model_validate({"tables": {"t": table}})
    with pytest.raises(StatementRefused):
        guard("SELECT r FROM t", known, Actor("ada", "Ada"), dialect="sqlite")
