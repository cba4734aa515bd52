"""Days of the week, ratios, medians, two splits at once, and a stranger's catalogue in pence without counts."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from features.data.understanding.asked import AskedData
from features.data.understanding.reading import read_all
from features.data.wording import Wording
from language.scripts import language_of
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import Condition, MetricQuery, Period, RowQuery
from tests.features.data.test_reading import COMPANY, OCTOBER, TODAY, query, said

YEAR = Period(start=date(2026, 1, 1), end=date(2027, 1, 1))
AUTUMN = MetricQuery(metric="revenue", period=OCTOBER, against=Period(start=date(2026, 9, 1), end=date(2026, 10, 1)))
NOVEMBERS = MetricQuery(
    metric="revenue",
    period=Period(start=date(2026, 11, 1), end=date(2026, 12, 1)),
    against=Period(start=date(2025, 11, 1), end=date(2025, 12, 1)),
)
WEEKEND = Period(start=date(2026, 11, 21), end=date(2026, 11, 23))
BY_BOTH = MetricQuery(metric="revenue", grain="month", by=("orders.region",), period=YEAR)
SURGERY = Catalog.model_validate(yaml.safe_load(Path(__file__).with_name("surgery.yaml").read_text(encoding="utf-8")))


def surgery(text: str) -> MetricQuery | RowQuery:
    """Return what a question to the animal hospitals is read as."""
    found = read_all(text, catalogs={"s": SURGERY}, known={}, today=TODAY, language=language_of(text) or "en")
    assert isinstance(found, AskedData), (text, found)
    return found.query


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("orders by weekday this year", MetricQuery(metric="orders", grain="weekday", period=YEAR)),
        ("今年按星期看订单数", MetricQuery(metric="orders", grain="weekday", period=YEAR)),
        ("which weekday had the most orders", MetricQuery(metric="orders", grain="weekday", rows=1)),
        ("周几订单最多", MetricQuery(metric="orders", grain="weekday", rows=1)),
        ("how many orders on Mondays in October", MetricQuery(metric="orders", period=OCTOBER, weekdays=(1,))),
        ("revenue at weekends this year", MetricQuery(metric="revenue", period=YEAR, weekdays=(6, 7))),
        ("每周六的收入", MetricQuery(metric="revenue", weekdays=(6,))),
        ("orders last weekend", MetricQuery(metric="orders", period=WEEKEND)),
        ("revenue by month and region this year", BY_BOTH),
        ("按地区和月份统计今年的订单", MetricQuery(metric="orders", grain="month", by=("orders.region",), period=YEAR)),
    ],
)  # fmt: skip
def test_days_of_the_week_and_two_splits(text: str, asked: MetricQuery) -> None:
    found = said(text, language=language_of(text) or "en")

    assert isinstance(found, AskedData)
    assert found.query == asked


def test_every_monday_is_not_the_last_one() -> None:
    assert query("how many orders do we get every Monday") == MetricQuery(metric="orders", weekdays=(1,))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("revenue per unit this year", MetricQuery(metric="revenue", over="units_sold", period=YEAR)),
        ("revenue divided by orders in October", MetricQuery(metric="revenue", over="orders", period=OCTOBER)),
        ("ratio of revenue to orders", MetricQuery(metric="revenue", over="orders")),
        ("每单收入", MetricQuery(metric="revenue", aggregate="average")),
        ("revenue per order this year", MetricQuery(metric="revenue", aggregate="average", period=YEAR)),
        ("median revenue last month", MetricQuery(metric="revenue", aggregate="median", period=OCTOBER)),
        ("what's the median salary", MetricQuery(metric="average_salary", aggregate="median")),
        ("工资中位数", MetricQuery(metric="average_salary", aggregate="median")),
    ],
)
def test_ratios_and_medians(text: str, asked: MetricQuery) -> None:
    found = said(text, language=language_of(text) or "en")

    assert isinstance(found, AskedData), found
    assert found.query == asked


@pytest.mark.parametrize(
    "text",
    [
        "revenue per employee",
        "total and median revenue last month",
        "average orders per weekday",
        "revenue in dollars last month",
        "revenue on Mondays and Fridays and Mondays",
        "工作日和周末的订单对比",
    ],
)
def test_what_would_be_another_number_is_asked_back(text: str) -> None:
    assert not isinstance(said(text, language=language_of(text) or "en"), AskedData)


def test_an_answer_says_what_it_is_made_of() -> None:
    words = Wording(COMPANY, "en")

    assert words.subject(query("revenue per unit this year")) == "Revenue divided by units sold, 2026"
    assert words.subject(query("what's the median salary")) == "Median salary (of each entry in people)"
    assert words.subject(query("revenue at weekends this year")) == "Revenue, 2026, Saturday, Sunday"


SURGERIES = Condition(column="visits.kind", values=("surgery",))
VISITS = MetricQuery(metric="visits", aggregate="count")
SOME = VISITS.model_copy(update={"where": (SURGERIES,), "period": OCTOBER})
MONTHLY = VISITS.model_copy(update={"where": (SURGERIES,), "period": YEAR, "grain": "month"})
COMMONEST = VISITS.model_copy(update={"by": ("visits.kind",), "rows": 1})
VETS = Condition(column="staff.job", values=("vet",))
BY_CARD = (Condition(column="bills.status", values=("paid",)), Condition(column="bills.method", values=("card",)))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("how many surgeries were there in October", SOME),
        ("10月做了多少台手术", SOME),
        ("surgeries by month this year", MONTHLY),
        ("avg bill in October", MetricQuery(metric="average_bill", period=OCTOBER)),
        ("average rating by vet", MetricQuery(metric="satisfaction", by=("staff.name",), where=(VETS,))),
        ("what is the most common kind of visit", COMMONEST),
        ("bills per owner on average", MetricQuery(metric="bills", aggregate="count", each="bills.owner_id")),
        ("what share of revenue was paid by card", MetricQuery(metric="revenue", share=True, part=BY_CARD)),
        ("compare October's revenue with September's", AUTUMN),
        ("revenue this November vs last November", NOVEMBERS),
    ],
)  # fmt: skip
def test_a_catalogue_of_strangers_is_understood(text: str, asked: MetricQuery) -> None:
    assert surgery(text) == asked


def test_a_limit_in_pounds_is_held_against_the_pence_of_each_row() -> None:
    found = surgery("how many bills over 500 pounds in October")

    assert [(each.operator, each.values) for each in found.where] == [("more", (Decimal(50_000),))]


def test_what_is_overdue_is_open_and_not_written_off() -> None:
    found = surgery("how many bills are overdue")

    assert {each.column for each in found.where} == {"bills.due_on", "bills.status"}


@pytest.mark.parametrize(
    "text",
    ["how many visits had a good rating", "what margin do we make", "how many bills were there per weekday on average"],
)
def test_no_number_is_taken_for_another(text: str) -> None:
    found = read_all(text, catalogs={"s": SURGERY}, known={}, today=TODAY, language="en")

    assert not isinstance(found, AskedData)
