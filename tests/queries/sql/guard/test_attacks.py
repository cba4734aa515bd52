"""Attacks of every class that has broken somebody: refused, or without harm when they run with every right."""

import pytest

from queries.sql.errors import StatementRefused
from queries.sql.guard.guard import guard
from tests.queries.sql.guard.conftest import Shops
from tests.queries.sql.guard.corpus.canary import PostgresShop, SqliteShop, Tried, harmful
from tests.queries.sql.guard.corpus.shop import ASKER, Statement, catalog, statements

ATTACKS = statements("attacks.sql")
CLASSES = sorted({attack.kind for attack in ATTACKS})
CATALOG = catalog()


def _of(kind: str) -> list[Statement]:
    return [attack for attack in ATTACKS if attack.kind == kind]


@pytest.mark.parametrize("kind", CLASSES)
def test_no_attack_shows_or_changes_anything(kind: str, shops: Shops, oracles: Shops) -> None:
    before = {dialect: shop.state() for dialect, shop in shops.items()}
    tried = []
    for attack in _of(kind):
        try:
            guarded = guard(attack.text, CATALOG, ASKER, dialect=attack.dialect, rows=1_000)
        except StatementRefused:
            continue
        whole, oracle = (databases[attack.dialect].run(guarded) for databases in (shops, oracles))
        tried.append(Tried(attack.text, whole, oracle))
    assert list(harmful(tried)) == []
    assert {dialect: shop.state() for dialect, shop in shops.items()} == before


#: Nothing of these classes is a question about data, so that none may pass at all.
NEVER = sorted({*CLASSES} - {"columns", "masked", "rows", "characters", "comments", "quoting", "bombs", "not_sql"})


@pytest.mark.parametrize("kind", NEVER)
def test_what_is_no_question_is_refused_with_what_is_wrong(kind: str) -> None:
    passed, details = [], []
    for attack in _of(kind):
        try:
            passed.append(guard(attack.text, CATALOG, ASKER, dialect=attack.dialect).statement)
        except StatementRefused as refused:
            details.append(refused.detail)
    assert passed == []
    assert [detail for detail in details if "\n" in detail or len(detail) > 200] == []


def test_the_canary_sings() -> None:
    assert len(ATTACKS) >= 300
    assert len(CLASSES) >= 20
    for dialect in ("postgres", "sqlite"):
        assert sum(attack.dialect == dialect for attack in ATTACKS) >= 250


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT lo_create(0)",
        "SELECT pg_advisory_lock(42)",
        "SELECT pg_notify('canary', 'x')",
        "SELECT set_config('work_mem', '8MB', false)",
        "UPDATE orders SET status = 'x' WHERE id = 1",
        "SELECT nextval('numbers')",
        "CREATE TABLE harm (a int)",
    ],
)
def test_the_canary_notices_harm_on_postgresql(statement: str, shops: Shops) -> None:
    shop = shops["postgres"]
    before = shop.state()
    shop.raw(statement)
    shop.raw("SELECT 1")  # takes the notices in
    assert shop.state() != before
    _mend(shop)
    assert shop.raw("SELECT name FROM people WHERE password LIKE 'hashed%'").harm() == ""
    assert shop.raw("SELECT customer FROM orders WHERE region = 'south'").harm()
    assert shop.raw("SELECT password::int FROM people").harm()
    assert shop.raw("SELECT pg_sleep(2.1)").harm()


def _mend(shop: PostgresShop | SqliteShop) -> None:
    for statement in ("SELECT pg_advisory_unlock_all()", "RESET work_mem", "DROP TABLE IF EXISTS harm"):
        shop.raw(statement)
