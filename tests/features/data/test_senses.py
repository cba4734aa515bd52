"""Words that a catalogue does not list: what they are taken for is said, and what nobody knows is named."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from features.data.understanding.asked import AskedData, UnclearQuestion
from features.data.understanding.reading import read
from features.data.wording import Wording
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Bound, Condition, MetricQuery, Period, RowQuery, Without

SHOPS = Catalog.model_validate(
    yaml.safe_load(Path(__file__).with_name("repair_shops.yaml").read_text(encoding="utf-8"))
)
OCTOBER = Period(start=date(2026, 10, 1), end=date(2026, 11, 1))
LAST_YEAR = Period(start=date(2025, 1, 1), end=date(2026, 1, 1))


def said(text: str) -> AskedData | UnclearQuestion | None:
    language = "en" if text.isascii() else "zh"
    return read(text, catalogs={"shops": SHOPS}, known={}, today=date(2026, 11, 23), language=language)


@pytest.mark.parametrize(
    ("text", "wanted", "assumed"),
    [
        (
            "What was our income in Leeds last month?",
            {"metric": "turnover", "place": "shops.city"},
            {"income": "turnover"},
        ),
        ("how many repairs last month", {"metric": "jobs"}, {"repairs": "repair jobs"}),
        ("上个月修了多少", {"metric": "jobs"}, {"修了": "维修量"}),
        ("上个月的生意怎么样", {"metric": "turnover"}, {"生意": "营业额"}),
    ],
)
def test_another_word_of_any_trade_is_taken_and_told(
    text: str, wanted: Mapping[str, str], assumed: Mapping[str, str]
) -> None:
    found = said(text)

    assert isinstance(found, AskedData)
    assert isinstance(found.query, MetricQuery)
    assert (found.query.metric, found.query.period) == (wanted["metric"], OCTOBER)
    assert [each.column for each in found.query.where] == [each for each in [wanted.get("place")] if each]
    assert dict(found.assumed) == assumed


@pytest.mark.parametrize(
    "text",
    ["profit last month", "turnover minus parts cost last month", "上个月的毛利", "上月营业额减去材料费"],
)
def test_what_is_left_is_one_metric_less_the_other(text: str) -> None:
    found = said(text)

    assert isinstance(found, AskedData)
    assert found.query == MetricQuery(metric="turnover", minus="parts_cost", period=OCTOBER)


@pytest.mark.parametrize("text", ["how much did we earn last month", "上个月赚了多少钱"])
def test_what_was_earned_may_be_before_or_after_cost(text: str) -> None:
    found = said(text)

    assert isinstance(found, UnclearQuestion)
    queries = [each.asked.query for each in found.choices]
    assert {each.minus for each in queries if isinstance(each, MetricQuery)} == {"", "parts_cost"}


@pytest.mark.parametrize(
    "text",
    ["15% of last year's turnover", "15 percent of turnover in 2025", "去年营业额的15%", "2025年营业额的百分之15"],
)
def test_so_much_of_a_number(text: str) -> None:
    found = said(text)

    assert isinstance(found, AskedData)
    assert found.query == MetricQuery(metric="turnover", times=Decimal("0.15"), period=LAST_YEAR)


@pytest.mark.parametrize(
    ("text", "table", "without"),
    [
        ("Which mechanics have no jobs?", "mechanics", Without(table="jobs")),
        ("customers without repair jobs last month", "customers", Without(table="jobs", period=OCTOBER)),
        ("哪些技师没有维修单", "mechanics", Without(table="jobs")),
        ("上个月没有维修单的客户有哪些", "customers", Without(table="jobs", period=OCTOBER)),
    ],
)
def test_who_has_none(text: str, table: str, without: Without) -> None:
    found = said(text)

    assert isinstance(found, AskedData)
    assert found.query == RowQuery(table=table, without=without)


def test_how_many_have_none() -> None:
    found = said("How many customers never had a repair?")

    assert isinstance(found, AskedData)
    assert found.query == RowQuery(table="customers", count=True, without=Without(table="jobs"))


@pytest.mark.parametrize("text", ["which parts have less than 5 in stock?", "库存少于5的配件"])
def test_a_bound_on_a_column_lists_the_rows(text: str) -> None:
    found = said(text)

    assert isinstance(found, AskedData)
    assert isinstance(found.query, RowQuery)
    assert found.query.where == (Condition(column="parts.stock", values=(Decimal(5),), operator="less"),)


@pytest.mark.parametrize("text", ["parts that are out of stock", "哪些配件没货了"])
def test_nothing_in_stock_is_none(text: str) -> None:
    found = said(text)

    assert isinstance(found, AskedData)
    assert isinstance(found.query, RowQuery)
    assert found.query.where == (Condition(column="parts.stock", values=("0",)),)


def test_a_bound_on_rows_that_no_metric_counts() -> None:
    found = said("which shop has more than 8 mechanics")

    assert isinstance(found, AskedData)
    assert found.query == MetricQuery(
        metric="mechanics", aggregate="count", by=("shops.name",), having=(Bound(operator="more", value=Decimal(8)),)
    )


def test_the_mean_of_what_a_sum_adds_up_is_the_metric_of_the_mean() -> None:
    found = said("What is the average bill for brake repair?")

    assert isinstance(found, AskedData)
    assert isinstance(found.query, MetricQuery)
    assert found.query.metric == "average_invoice"


@pytest.mark.parametrize(
    ("text", "word"),
    [("How many glittery jobs did we have last month?", "glittery"), ("上个月闪亮的维修量是多少", "闪亮")],
)
def test_a_word_that_nobody_knows_is_named_beside_what_can_be_answered(text: str, word: str) -> None:
    found = said(text)

    assert isinstance(found, UnclearQuestion)
    assert (found.reason, found.word) == ("word", word)
    assert [each.asked.query for each in found.choices] == [MetricQuery(metric="jobs", period=OCTOBER)]


def test_words_of_everyday_are_no_misspellings() -> None:
    found = said("How much are our repair jobs worth right now?")

    assert not isinstance(found, AskedData) or "shop" not in dict(found.assumed).values()


def test_a_deed_counts_what_it_is_done_to_each_time() -> None:
    found = said("How many brake repairs did we fix last month?")

    assert isinstance(found, AskedData)
    assert isinstance(found.query, MetricQuery)
    assert (found.query.metric, found.query.period) == ("jobs", OCTOBER)


@pytest.mark.parametrize("text", ["去年营业额的一半", "half of last year's turnover"])
def test_half_of_a_number(text: str) -> None:
    found = said(text)

    assert isinstance(found, AskedData)
    assert found.query == MetricQuery(metric="turnover", times=Decimal("0.5"), period=LAST_YEAR)


def test_a_list_that_the_documents_may_know_is_left_to_them() -> None:
    assert said("Which customers get a discount?") is None


def test_a_value_without_english_words_is_shown_as_the_database_writes_it() -> None:
    where = (Condition(column="jobs.status", values=("waiting",)),)
    query = MetricQuery(metric="jobs", where=where)

    assert Wording(SHOPS, "en").subject(query) == "Repair jobs, waiting"
    assert Wording(SHOPS, "zh").subject(query) == "维修量，等待中"
