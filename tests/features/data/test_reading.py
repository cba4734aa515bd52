"""Words about numbers: what they are read as, what is asked back, and what is left to others."""

import time
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from features.data.understanding.asked import AskedData, AskedParts, UnclearQuestion
from features.data.understanding.composing.known import sample_questions
from features.data.understanding.reading import read, read_all
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Bound, Condition, MetricQuery, Period, RowQuery

TODAY = date(2026, 11, 23)
COMPANY = Catalog.model_validate(
    yaml.safe_load((Path(__file__).parents[3] / "sample" / "catalog" / "company.yaml").read_text(encoding="utf-8"))
)
OCTOBER = Period(start=date(2026, 10, 1), end=date(2026, 11, 1))
SEPTEMBER = Period(start=date(2026, 9, 1), end=date(2026, 10, 1))


def said(text: str, before: AskedData | None = None, language: str = "en") -> AskedData | UnclearQuestion | None:
    return read(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language=language, before=before)


def query(text: str, *after: str) -> MetricQuery | RowQuery:
    """Return the query that a message is read as, after others of its thread."""
    before: AskedData | None = None
    for each in (*after, text):
        found = said(each, before)
        assert isinstance(found, AskedData), (each, found)
        before = found
    assert before is not None
    return before.query


@pytest.mark.parametrize(
    "text", ["How many orders did we get last month?", "上个月有多少订单？", "上個月有多少訂單", "ORDERS LAST MONTH"]
)
def test_a_number_of_a_period(text: str) -> None:
    assert query(text) == MetricQuery(metric="orders", period=OCTOBER)


@pytest.mark.parametrize(
    "text", ["revenue last month compared with September", "上个月销售额环比", "10月和9月的销售额对比"]
)
def test_two_periods_of_which_the_earlier_one_is_compared_with(text: str) -> None:
    assert query(text) == MetricQuery(metric="revenue", period=OCTOBER, against=SEPTEMBER)


@pytest.mark.parametrize("text", ["orders per regoin last month", "odrers by region last month"])
def test_a_letter_that_is_wrong_is_tolerated(text: str) -> None:
    found = said(text)

    assert not isinstance(found, AskedData) or found.query == MetricQuery(
        metric="orders", by=("orders.region",), period=OCTOBER
    )
    assert found is not None


def test_except_takes_every_value_that_follows_it() -> None:
    found = query("revenue excluding China and France last month")

    assert found.where == (Condition(column="orders.region", values=("China", "France"), operator="is_not"),)


@pytest.mark.parametrize(
    "text",
    [
        "revenue of Atlantis last month",
        "orders by region and zodiac last month",
        "revenue last month before tax",
        "how many orders were not yet delivered last month",
        "上个月亚特兰蒂斯的销售额",
        "revenue from Q1 to Q2 change",
        "customers with orders over 1000",
        "customers with more than 10",
        "customers with more than 10 and orders",
        "average orders by month",
        "median orders per month",
        "why are customers unhappy in May?",
        "share of customers with more than 10 orders",
        "average revenue per customer per month",
        "orders by month, also revenue",
        "How many new customers do we have?",
        "新客户有多少",
        "how many orders did we get back last month",
    ],
)
def test_no_number_ignores_a_word(text: str) -> None:
    assert not isinstance(said(text), AskedData)


@pytest.mark.parametrize(
    ("text", "operators", "values"),
    [
        ("customers with more than 10 orders", ("more",), (10,)),
        ("customers with no more than 10 orders", ("at_most",), (10,)),
        ("which customers have at least ten orders?", ("at_least",), (10,)),
        ("customers with 10 or more orders", ("at_least",), (10,)),
        ("customers with between 10 and 1,200 orders", ("at_least", "at_most"), (10, 1200)),
        ("订单数不到10的客户", ("less",), (10,)),
        ("订单在10到20之间的客户", ("at_least", "at_most"), (10, 20)),
        ("订单数10以上的客户", ("at_least",), (10,)),
    ],
)
def test_bounds_are_on_the_value(text: str, operators: tuple[str, ...], values: tuple[int, ...]) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.by) == ("orders", ("customers.name",))
    assert tuple(bound.operator for bound in found.having) == operators
    assert tuple(bound.value for bound in found.having) == values


def test_how_many_counts_the_rows_within_the_bounds_and_which_ones_lists_them() -> None:
    many = query("how many customers have more than 10 orders?")
    ones = query("which ones?", "how many customers have more than 10 orders?")

    assert isinstance(many, MetricQuery)
    assert many.groups
    assert ones == many.model_copy(update={"groups": False})
    assert ones == query("list them", "how many customers have more than 10 orders?")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("regions with revenue above 3 million", 3_000_000),
        ("regions with revenue above 1.5m", 1_500_000),
        ("regions with revenue above 20 thousand", 20_000),
        ("regions with revenue above 20,000", 20_000),
        ("销售额超过300万的地区", 3_000_000),
        ("销售额超过3百万的地区", 3_000_000),
        ("销售额超过3千万的地区", 30_000_000),
        ("销售额超过1.5亿的地区", 150_000_000),
    ],
)
def test_large_numbers_are_read_as_they_are_said(text: str, value: int) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert [bound.value for bound in found.having] == [value]


@pytest.mark.parametrize("text", ["only those with more than 100", "and above 100?", "只看超过100的"])
def test_a_bound_that_follows_is_on_what_was_asked_for(text: str) -> None:
    for before in ("orders by customer this year", "customers with more than 10 orders this year"):
        found = query(text, before)

        assert isinstance(found, MetricQuery)
        assert found.having == (Bound(operator="more", value=Decimal(100)),)


@pytest.mark.parametrize("text", ["orders and revenue by region", "各地区的订单数和收入"])
def test_two_metrics_are_two_columns(text: str) -> None:
    assert query(text) == MetricQuery(metric="orders", also=("revenue",), by=("orders.region",))


@pytest.mark.parametrize("text", ["average orders per month in 2025", "2025年月均订单", "2025年平均每月订单数"])
def test_a_mean_over_steps_of_time(text: str) -> None:
    year = Period(start=date(2025, 1, 1), end=date(2026, 1, 1))

    assert query(text) == MetricQuery(metric="orders", mean="month", period=year)


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("How many pieces were sold last month?", "units_sold"),
        ("how many pieces did we sell last month", "units_sold"),
        ("how many people have we hired last month?", "new_hires"),
        ("上个月新入职了多少员工", "new_hires"),
    ],
)
def test_the_words_of_a_name_may_stand_apart_and_be_inflected(text: str, metric: str) -> None:
    assert query(text) == MetricQuery(metric=metric, period=OCTOBER)


@pytest.mark.parametrize(
    ("text", "before"),
    [("why so many in October?", "orders by month this year"), ("为什么10月这么多？", "今年每月的订单数")],
)
def test_why_looks_for_the_largest_changes_by_every_dimension(text: str, before: str) -> None:
    found = query(text, before)

    assert isinstance(found, MetricQuery)
    assert (found.period, found.against, found.grain, found.by) == (OCTOBER, SEPTEMBER, None, ())
    assert {"orders.region", "orders.channel", "products.name"} <= set(found.across)


def test_why_in_a_month_is_of_the_year_that_the_thread_speaks_of() -> None:
    found = query("why so few in May?", "orders by month in 2025")

    assert found.period == Period(start=date(2025, 5, 1), end=date(2025, 6, 1))


def test_why_leaves_out_what_is_filtered_already() -> None:
    found = query("why so many in May?", "orders from China by month this year")

    assert isinstance(found, MetricQuery)
    assert "orders.region" not in found.across


def test_a_filter_after_why_looks_for_the_reasons_within_it() -> None:
    found = query("only China", "orders by month this year", "why so many in May?")

    assert isinstance(found, MetricQuery)
    assert "orders.channel" in found.across
    assert "orders.region" not in found.across


def test_why_by_a_dimension_looks_at_that_one_alone() -> None:
    found = query("why so much in June, by region?", "revenue by month this year")

    assert isinstance(found, MetricQuery)
    assert (found.across, found.by) == (("orders.region",), ())


def test_last_year_is_compared_by_the_same_month() -> None:
    found = query("revenue in October compared with last year")

    assert isinstance(found, MetricQuery)
    assert found.against == Period(start=date(2025, 10, 1), end=date(2025, 11, 1))


def both(text: str) -> AskedParts:
    found = read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="en")
    assert isinstance(found, AskedParts), found
    return found


@pytest.mark.parametrize(
    ("text", "metrics", "documents", "left"),
    [
        ("How many orders last month? And how many people do we have?", ["orders", "headcount"], "", ()),
        ("上个月有多少订单？有多少员工？", ["orders", "headcount"], "", ()),
        ("revenue last month and headcount", ["revenue", "headcount"], "", ()),
        (
            "which environments are supported, and how many are in use?",
            ["environments"],
            "which environments are supported",
            (),
        ),
        ("支持哪些环境？有多少在用？", ["environments"], "支持哪些环境", ()),
        (
            "orders last month, and what was the revenue from Atlantis in May?",
            ["orders"],
            "",
            ("what was the revenue from Atlantis in May",),
        ),
    ],
)
def test_several_questions_are_each_read_or_named(
    text: str, metrics: list[str], documents: str, left: tuple[str, ...]
) -> None:
    found = both(text)

    assert [part.asked.query.metric for part in found.asked if isinstance(part.asked.query, MetricQuery)] == metrics
    assert (found.documents, found.left) == (documents, left)


@pytest.mark.parametrize(
    "text",
    [
        "how many orders and how many new hires last month?",
        "orders and new hires last month",
        "How many orders did we get last month? How many new hires?",
        "上个月有多少订单？新员工呢？",
    ],
)
def test_a_period_that_is_named_once_holds_for_each(text: str) -> None:
    assert [part.asked.query for part in both(text).asked] == [
        MetricQuery(metric="orders", period=OCTOBER),
        MetricQuery(metric="new_hires", period=OCTOBER),
    ]


@pytest.mark.parametrize("text", ["orders and cancelled orders last month", "上个月订单数和取消的订单数"])
def test_a_metric_that_is_named_twice_is_two_numbers(text: str) -> None:
    cancelled = Condition(column="orders.status", values=("cancelled",))

    assert [part.asked.query for part in both(text).asked] == [
        MetricQuery(metric="orders", period=OCTOBER),
        MetricQuery(metric="orders", period=OCTOBER, where=(cancelled,)),
    ]


@pytest.mark.parametrize("text", ["orders and new hires by month in 2025", "2025年的订单数和新员工数，按月"])
def test_a_split_that_is_named_once_holds_for_each(text: str) -> None:
    year = Period(start=date(2025, 1, 1), end=date(2026, 1, 1))

    assert [part.asked.query for part in both(text).asked] == [
        MetricQuery(metric="orders", grain="month", period=year),
        MetricQuery(metric="new_hires", grain="month", period=year),
    ]


@pytest.mark.parametrize(
    "text", ["How many people work in Chengdu and how many in Hamburg?", "成都有多少员工？汉堡呢？"]
)
def test_what_is_asked_of_each_is_not_added_up(text: str) -> None:
    sites = [part.asked.query.where[0].values for part in both(text).asked]

    assert sites == [("Chengdu",), ("Hamburg",)]


def test_a_period_that_is_said_last_is_of_both_numbers() -> None:
    found = both("How many people were hired and how many left last year?")

    year = Period(start=date(2025, 1, 1), end=date(2026, 1, 1))
    assert [part.asked.query.period for part in found.asked] == [year, year]
    assert [part.asked.query.time for part in found.asked] == ["", "people.left_on"]


def test_a_number_of_all_time_is_not_given_for_one_of_a_period() -> None:
    found = read_all(
        "revenue and orders in May and June", catalogs={"company": COMPANY}, known={}, today=TODAY, language="en"
    )

    assert not isinstance(found, AskedData | AskedParts)


@pytest.mark.parametrize(
    "text",
    ["My laptop is broken. How many orders last month?", "Please open a ticket, and what is the revenue this year?"],
)
def test_a_message_that_reports_something_is_no_question_for_numbers(text: str) -> None:
    assert read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="en") is None


def test_a_word_that_nobody_knows_is_named() -> None:
    found = said("revenue from Atlantis last month by region")

    assert isinstance(found, UnclearQuestion)
    assert (found.reason, found.word) == ("word", "Atlantis")


@pytest.mark.parametrize(("language", "label"), [("en", "revenue"), ("zh", "销售额")])
def test_what_to_rank_by_is_asked_back_with_choices_that_are_ready(language: str, label: str) -> None:
    found = said("top 3 products last month", language=language)

    assert isinstance(found, UnclearQuestion)
    assert found.reason == "measure"
    chosen = {choice.label: choice.asked.query for choice in found.choices}
    assert chosen[label] == MetricQuery(metric="revenue", by=("products.name",), period=OCTOBER, rows=3)


def test_a_value_of_two_columns_is_asked_back() -> None:
    towns: Mapping[str, object] = {
        "tables": {
            "sales": {
                "public": True,
                "columns": {
                    "origin": {"type": "text", "values": {"Delft": {"en": ["Delft"]}}},
                    "goal": {"type": "text", "values": {"Delft": {"en": ["Delft"]}}},
                },
            }
        },
        "metrics": {
            "trips": {
                "called": {"en": ["trips"]},
                "table": "sales",
                "expression": "COUNT(*)",
                "dimensions": ["origin", "goal"],
            }
        },
    }
    catalogs = {"trips": Catalog.model_validate(towns)}
    found = read("how many trips Delft", catalogs=catalogs, known={}, today=TODAY, language="en")

    assert isinstance(found, UnclearQuestion)
    assert (found.reason, found.word) == ("ambiguous", "Delft")
    assert [choice.asked.query.where[0].column for choice in found.choices] == ["sales.origin", "sales.goal"]


def test_follow_ups_change_what_they_name_and_keep_the_rest() -> None:
    first = "How many environments of Quaymaster are in use?"
    by_place = query("and by data centre?", first)
    only = query("only Shanghai", first, "and by data centre?")

    assert isinstance(by_place, MetricQuery)
    assert by_place.by == ("environments.location",)
    assert by_place.where == query(first).where
    assert only == by_place.model_copy(
        update={"where": (*by_place.where, Condition(column="environments.location", values=("Shanghai",)))}
    )
    assert query("那去年呢", "今年的销售额") == query("去年的销售额")


def test_a_chart_that_is_asked_for_is_noted_and_changes_nothing_else() -> None:
    before = said("revenue by region last month")
    assert isinstance(before, AskedData)
    found = said("as a chart", before)

    assert isinstance(found, AskedData)
    assert (found.drawn, found.query) == ("chart", before.query)


@pytest.mark.parametrize("text", ["only Berlin", "by department", "按部门呢", "as a chart", "what about last year?"])
def test_a_follow_up_of_nothing_is_no_question(text: str) -> None:
    assert not isinstance(said(text), AskedData)


@pytest.mark.parametrize(
    "text",
    [
        "people hired orders sold pieces and how many ",
        "上个月卖出的数量和订单多少，",
        "orders and ",
        "how many orders? ",
    ],
)
def test_a_long_message_is_read_in_no_time(text: str) -> None:
    began = time.process_time()
    read_all(text * (4_000 // len(text)), catalogs={"company": COMPANY}, known={}, today=TODAY, language="en")

    assert time.process_time() - began < 1


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_sample_question_is_answered(language: str) -> None:
    samples = [text for metric in COMPANY.metrics.values() for text in sample_questions(metric, language)]

    assert len(samples) >= 5
    assert [text for text in samples if not isinstance(said(text, language=language), AskedData)] == []
