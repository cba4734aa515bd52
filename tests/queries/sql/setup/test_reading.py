"""Files of an operator are read strictly, and what is wrong in them is told with line and advice."""

from pathlib import Path
from textwrap import dedent

import pytest

from queries.sql.errors import SourcesInvalid
from queries.sql.setup.reading import parse_catalog, read_catalog, read_sources

SHOP = """\
tables:
  customers:
    public: true
    label: name
    columns:
      id: {type: number}
      name: {type: text}
      region: {type: text, values: {north: {en: [north]}}}
  orders:
    rows:
      - {to: [staff], where: "region IN (:units)"}
    columns:
      id: {type: number}
      customer_id: {type: number}
      amount: {type: number}
      region: {type: text}
      ordered_on: {type: date}
joins:
  - {many: orders.customer_id, one: customers.id}
metrics:
  revenue:
    called: {en: [revenue], zh: [收入]}
    table: orders
    expression: sum(amount)
    where: amount > 0
    time: ordered_on
    dimensions: [region, customers.region]
"""
#: A line of the catalogue above, what it becomes, and what is told of it.
MISTAKES = (
    ("    public: true", "    publik: true",
     "shop.yaml:3: tables.customers.publik: there is no such setting. Do you mean public?"),
    ("    public: true", "    comment: x", "Use one of called, meaning, public, rows, columns, label."),
    ("    public: true", "    label_: x", "shop.yaml:3"),
    ("      id: {type: number}\n      name", "      id: {type: nummer}\n      name", "Do you mean number?"),
    ("    public: true\n", "", "shop.yaml:2: tables.customers: who may read it?"),
    ("label: name", "label: nom", "`label: nom` is none of its columns"),
    ("{type: text, values", "{type: text, unit: 3, values", "write it in quotes"),
    ("(:units)", "(:unit)", "shop.yaml:11: tables.orders.rows.1.where: :unit is not known"),
    ("region IN (:units)", "area = 1", "shop.yaml:11: tables.orders.rows.1.where"),
    ("region IN (:units)", "region = (SELECT 1)", "shop.yaml:11: tables.orders.rows.1.where"),
    ("region IN (:units)", "pg_sleep(1) = 1", "shop.yaml:11: tables.orders.rows.1.where"),
    ("region IN (:units)", "TRUE; DROP TABLE orders", "shop.yaml:11: tables.orders.rows.1.where"),
    ("one: customers.id", "one: customer.id", "shop.yaml:19: joins.1.one: there is no column customer.id"),
    ("table: orders", "table: order", "shop.yaml:23: metrics.revenue.table: there is no table order"),
    ("sum(amount)", "sum(amuont)", "shop.yaml:24: metrics.revenue.expression: amuont is none of its table's columns"),
    ("sum(amount)", "amount", "it has to be an aggregate"),
    ("sum(amount)", "amount + sum(amount)", "stands outside of every aggregate"),
    ("sum(amount)", "sum(amount), 1", "it has to be one expression"),
    ("sum(amount)", "sum(amount) FROM payroll", "it has to be one expression"),
    ("sum(amount)", "sum((SELECT 1))", "shop.yaml:24: metrics.revenue.expression"),
    ("sum(amount)", "sum(pg_sleep(amount))", "shop.yaml:24: metrics.revenue.expression: function: pg_sleep"),
    ("where: amount > 0", "where: region IN (:units)", "it must not depend on who asks"),
    ("where: amount > 0", "where: sum(amount) > 0", "shop.yaml:25: metrics.revenue.where"),
    ("time: ordered_on", "time: amount", "amount is neither a date nor a time"),
    ("customers.region]", "customers.area]",
     "shop.yaml:27: metrics.revenue.dimensions.2: there is no column customers.area"),
    ("  - {many: orders.customer_id, one: customers.id}", "  []", "no join leads from orders to customers"),
    ("      name: {type: text}", "      id: {type: text}", "shop.yaml:7: id stands here a second time"),
    ("    public: true", "    public: !!python/name:os.system", "uses a tag"),
    ("    public: true", "    public: *other", "shop.yaml:3: uses an alias"),
    ("    public: true", "    public: [", "no YAML"),
    ("tables:", "tables: &a\n  <<: *a", "shop.yaml:2: uses a merge key"),
)  # fmt: skip


def problems_of(text: str) -> tuple[str, ...]:
    with pytest.raises(SourcesInvalid) as found:
        parse_catalog(text, Path("shop.yaml"))
    return found.value.problems


def test_a_sound_catalogue_is_read() -> None:
    catalog = parse_catalog(SHOP, Path("shop.yaml"))

    assert list(catalog.tables) == ["customers", "orders"]
    assert catalog.metrics["revenue"].called.zh == ("收入",)


@pytest.mark.parametrize(("line", "wrong", "told"), MISTAKES)
def test_a_mistake_is_told_with_its_line_and_what_to_do(line: str, wrong: str, told: str) -> None:
    assert line in SHOP

    problems = problems_of(SHOP.replace(line, wrong, 1))

    assert any(told in problem for problem in problems)
    assert all(problem.startswith("shop.yaml:") for problem in problems)


def test_every_mistake_is_told_at_once() -> None:
    text = SHOP.replace("type: number", "type: nummer").replace("public: true", "publik: true")

    assert len(problems_of(text)) >= 5


def test_a_huge_or_deep_text_is_refused() -> None:
    assert "longer" in problems_of("a: b\n" * 500_000)[0]
    assert "nested" in problems_of("a: " + "[" * 30 + "]" * 30)[0]


@pytest.mark.parametrize("text", ["", "- a", "tables: {}", "tables: []", "3"])
def test_what_is_no_catalogue_is_told(text: str) -> None:
    assert problems_of(text)


def test_a_missing_file_and_one_that_is_no_text_are_told(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_bytes(b"\xff\xfe\x00")

    with pytest.raises(SourcesInvalid, match="there is no such file"):
        read_catalog(tmp_path / "none.yaml")
    with pytest.raises(SourcesInvalid, match="is not UTF-8"):
        read_catalog(other)


def test_sources_are_read(tmp_path: Path) -> None:
    path = tmp_path / "datasources.yaml"
    path.write_text(
        dedent("""\
        datasources:
          shop: {kind: postgresql, url: env:SHOP_URL, schema: sales, title: {en: Shop, zh: 商店}}
          people: {kind: sqlite, path: people.db, timeout_s: 3}
        """),
        encoding="utf-8",
    )

    config = read_sources(path)

    assert config.datasources["shop"].schema_name == "sales"
    assert config.datasources["people"].timeout_s == 3


def test_no_file_names_no_source(tmp_path: Path) -> None:
    assert read_sources(tmp_path / "datasources.yaml").datasources == {}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("datasources:\n  shop: {kind: postgres, url: env:A}", "Do you mean postgresql?"),
        ("datasources:\n  shop: {kind: postgresql, url: 'postgresql://a:b@c/d'}", "the password never stands in"),
        ("datasources:\n  shop: {kind: sqlite}", "needs `path`"),
        ("datasources:\n  shop: {kind: sqlite, path: a, pol: 3}", "Do you mean pool?"),
        ("datasources:\n  shop-1: {kind: sqlite, path: a}", "is no plain name"),
        ("datasource: {}", "Do you mean datasources?"),
    ],
)
def test_a_mistake_in_the_sources_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "datasources.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(SourcesInvalid) as found:
        read_sources(path)

    assert told in found.value.problems[0]
    assert "a:b@c" not in str(found.value)
