"""A drafted catalogue is closed, is read back, and fits its database."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from queries.sql.catalog.catalog import Catalog
from queries.sql.catalog.private import looks_private
from queries.sql.datasource import LiveColumn, LiveTable
from queries.sql.setup.checking import differences
from queries.sql.setup.drafting import draft
from queries.sql.setup.reading import parse_catalog, read_catalog
from tests.fixtures.shop import Shop
from tests.scale import scaled

PRIVATE = ("password", "apiToken", "user_email", "iban", "phone_number", "date_of_birth", "salary_eur", "身份证号")
OPEN = ("amount", "region", "key", "description", "shipped_on", "title", "zipped", "version")

words = st.text(st.characters(codec="utf-8"), max_size=12)
names = st.one_of(st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True), words)
columns = st.builds(
    LiveColumn,
    name=names,
    type=st.sampled_from(["integer", "text", "TEXT", "", "date", "timestamp with time zone", "bool", "jsonb", "mood"]),
    comment=words,
    samples=st.lists(words.filter(lambda each: each.strip() and each.isprintable()), max_size=3).map(tuple),
)
tables = st.builds(
    LiveTable,
    name=names,
    columns=st.lists(columns, max_size=4, unique_by=lambda each: each.name.lower()).map(tuple),
    comment=words,
    references=st.dictionaries(names, st.just("orders.id"), max_size=1),
    rows=st.none() | st.integers(0, 10**9),
)
databases = st.lists(tables, max_size=3, unique_by=lambda each: each.name.lower()).map(tuple)
ORDERS = LiveTable("orders", (LiveColumn("id", "integer"),))


async def test_a_draft_is_read_back_and_fits(shop: Shop) -> None:
    live = await shop.source().describe(samples=True)

    catalog = parse_catalog(draft(live), Path("shop.yaml"), dialects=(shop.dialect,))

    assert differences(catalog, live, dialect=shop.dialect) == ()
    assert [(join.many, join.one) for join in catalog.joins] == [("orders.customer_id", "customers.id")]
    assert set(catalog.tables["orders"].columns["product"].values) == {"chair", "desk"}
    assert {"orders_count", "orders_amount"} <= set(catalog.metrics)
    assert catalog.metrics["orders_amount"].time == "ordered_on"
    assert "customers.name" in catalog.metrics["orders_amount"].dimensions


async def test_nobody_reads_a_draft_and_what_is_private_is_masked(shop: Shop) -> None:
    catalog = parse_catalog(draft(await shop.source().describe(samples=True)), Path("shop.yaml"))

    assert {rule.to for table in catalog.tables.values() for rule in table.rows} == {("role:admin",)}
    assert not any(table.public for table in catalog.tables.values())
    masked = {name for table in catalog.tables.values() for name, column in table.columns.items() if column.masked}
    assert masked == {"email", "password", "salary"}


@settings(max_examples=scaled(500))
@given(live=databases)
def test_whatever_a_database_is_called_its_draft_is_read_back(live: tuple[LiveTable, ...]) -> None:
    others = tuple(table for table in live if table.name.lower() != "orders")

    catalog = parse_catalog(draft((*others, ORDERS)), Path("shop.yaml"))

    assert differences(catalog, (*others, ORDERS)) == ()


@pytest.mark.parametrize("name", PRIVATE)
def test_a_private_column_is_told_by_its_name(name: str) -> None:
    assert looks_private(name)


@pytest.mark.parametrize("name", OPEN)
def test_another_one_is_not(name: str) -> None:
    assert not looks_private(name)


CATALOG = """\
tables:
  order:
    public: true
    columns:
      id: {type: number}
  customers:
    public: true
    columns:
      nam: {type: text}
      since: {type: number}
      active: {type: flag}
"""
LIVE = (
    LiveTable("orders", (LiveColumn("id", "integer"),)),
    LiveTable("customers", (LiveColumn("name", "text"), LiveColumn("since", "date"), LiveColumn("active", "INTEGER"))),
)


def catalog_in(folder: Path) -> tuple[Catalog, Path]:
    path = folder / "shop.yaml"
    path.write_text(CATALOG, encoding="utf-8")
    return read_catalog(path), path


def test_what_differs_is_told_with_its_line(tmp_path: Path) -> None:
    catalog, path = catalog_in(tmp_path)

    assert differences(catalog, LIVE, path=path) == (
        f"{path}:2: the database has no table order, or its role may not read it. Do you mean orders?",
        f"{path}:9: table customers has no column nam. Do you mean name?",
        f"{path}:10: customers.since is date in the database and number here. Write `type: date`.",
    )


def test_postgresql_keeps_flags_as_flags(tmp_path: Path) -> None:
    catalog, _ = catalog_in(tmp_path)

    told = differences(catalog, LIVE, dialect="postgres")

    assert told[-1] == "customers.active is INTEGER in the database and flag here. Write `type: number`."
