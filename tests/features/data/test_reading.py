"""Words about numbers: what they are read as, what is asked back, and what is left to others."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
import yaml

from features.data.understanding.asked import AskedData, Unclear
from features.data.understanding.reading import read
from features.data.understanding.samples import sample_questions
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Condition, MetricQuery, Period, RowQuery

TODAY = date(2026, 11, 23)
COMPANY = Catalog.model_validate(
    yaml.safe_load((Path(__file__).parents[3] / "sample" / "catalog" / "company.yaml").read_text(encoding="utf-8"))
)
OCTOBER = Period(start=date(2026, 10, 1), end=date(2026, 11, 1))
SEPTEMBER = Period(start=date(2026, 9, 1), end=date(2026, 10, 1))


def said(text: str, before: AskedData | None = None, language: str = "en") -> AskedData | Unclear | None:
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
        "median revenue by region last month",
        "average number of orders per customer",
        "revenue and orders by region",
        "revenue, orders by region",
        "orders in April and in May",
        "revenue from Q1 to Q2 change",
        "customers with more than 10 orders",
    ],
)
def test_no_number_ignores_a_word(text: str) -> None:
    assert not isinstance(said(text), AskedData)


def test_a_word_that_nobody_knows_is_named() -> None:
    found = said("revenue from Atlantis last month by region")

    assert isinstance(found, Unclear)
    assert (found.reason, found.word) == ("word", "Atlantis")


@pytest.mark.parametrize(("language", "label"), [("en", "revenue"), ("zh", "销售额")])
def test_what_to_rank_by_is_asked_back_with_choices_that_are_ready(language: str, label: str) -> None:
    found = said("top 3 products last month", language=language)

    assert isinstance(found, Unclear)
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

    assert isinstance(found, Unclear)
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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_sample_question_is_answered(language: str) -> None:
    samples = [text for metric in COMPANY.metrics.values() for text in sample_questions(metric, language)]

    assert len(samples) >= 5
    assert [text for text in samples if not isinstance(said(text, language=language), AskedData)] == []
