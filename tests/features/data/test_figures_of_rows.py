"""Questions for what rows are worth, means over things, the place of one among all, and who has none."""

from datetime import date
from decimal import Decimal

import pytest

from features.data.understanding.asked import AskedData
from features.data.understanding.reading import read_all
from features.data.wording import Wording
from language.scripts import language_of
from queries.sql.metrics.building import built
from queries.sql.metrics.query import Condition, MetricQuery, Period, RowQuery
from tests.features.data.test_reading import COMPANY, OCTOBER, TODAY, query

YEAR = Period(start=date(2026, 1, 1), end=date(2027, 1, 1))
OPEN = Condition(column="orders.status", values=("open",))


@pytest.mark.parametrize("text", ["what is the total value of our open orders?", "未完成的订单一共值多少钱"])
def test_what_rows_are_worth_is_no_number_of_rows(text: str) -> None:
    assert query(text) == MetricQuery(metric="orders.amount", aggregate="sum", where=(OPEN,))


@pytest.mark.parametrize(
    "text",
    ["average number of orders per customer this year", "今年平均每个客户下了几单", "今年每个客户平均下了几单"],
)
def test_a_mean_over_things_is_none_over_rows(text: str) -> None:
    assert query(text) == MetricQuery(metric="orders", period=YEAR, each="orders.customer_id")


def test_an_average_customer_spends_more_than_an_average_order_is_worth() -> None:
    found = query("what did the average customer in Sweden spend this year?")

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.each) == ("revenue", "orders.customer_id")
    told = built(found, COMPANY, dialect="sqlite", today=TODAY)
    assert "COUNT(DISTINCT" in told.statement
    assert "mean_each" in {each.code for each in told.assumptions}


@pytest.mark.parametrize(
    "text",
    [
        "what rank does Cold Chain have among the products by revenue this year",
        "where does Cold Chain rank by revenue this year",
        "冷链在今年销售额里排第几",
    ],
)
def test_the_place_of_one_is_told_among_all(text: str) -> None:
    cold = Condition(column="products.name", values=("Cold Chain",))

    assert query(text) == MetricQuery(metric="revenue", by=("products.name",), period=YEAR, place=cold)


def test_a_place_is_told_in_a_sentence() -> None:
    found = query("冷链在今年销售额里排第几")
    told = built(found, COMPANY, dialect="sqlite", today=TODAY)

    said = Wording(COMPANY, "zh").sentence(found, told, [("Cold Chain", Decimal(1200), 6, 8)])

    assert "第 6 位（共 8 个）" in said
    assert "1,200 EUR" in said


@pytest.mark.parametrize("text", ["which sellers had no orders last month", "上个月哪些销售员一单都没有"])
def test_who_had_none_is_told_of_a_column_too(text: str) -> None:
    found = query(text)

    assert found == MetricQuery(metric="orders", by=("orders.seller_email",), period=OCTOBER, absent=True)
    assert "HAVING" in built(found, COMPANY, dialect="sqlite", today=TODAY).statement


def test_customers_without_orders_are_all_those_who_have_none() -> None:
    assert isinstance(query("customers without orders in 12 months"), RowQuery)


@pytest.mark.parametrize(
    "text", ["customers who bought Cold Chain last month", "上个月买过冷链的客户", "who bought Cold Chain last month"]
)
def test_who_bought_is_a_list_of_customers(text: str) -> None:
    cold = Condition(column="products.name", values=("Cold Chain",))

    assert query(text) == MetricQuery(metric="orders", by=("customers.name",), where=(cold,), period=OCTOBER)


def test_who_sold_is_a_seller() -> None:
    found = query("who sold the most Trackline last month")

    assert isinstance(found, MetricQuery)
    assert found.by == ("orders.seller_email",)


@pytest.mark.parametrize("text", ["今年退货超过3次的客户", "customers with more than 3 returned orders this year"])
def test_a_bound_may_be_on_rows_of_a_value(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.by) == ("orders", ("customers.name",))
    assert [each.value for each in found.having] == [Decimal(3)]
    assert found.where == (Condition(column="orders.status", values=("returned",)),)


def test_the_share_of_a_value_over_time_is_of_each_year() -> None:
    web = Condition(column="orders.channel", values=("web",))

    assert query("线上订单占比每年怎么变化") == MetricQuery(metric="orders", grain="year", share=True, part=(web,))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("11月上旬的订单量", date(2026, 11, 1), date(2026, 11, 11)),
        ("上个月下旬的订单量", date(2026, 10, 21), date(2026, 11, 1)),
        ("国庆那一周的订单量", date(2026, 10, 1), date(2026, 10, 8)),
        ("去年五一期间的订单量", date(2025, 5, 1), date(2025, 5, 6)),
    ],
)
def test_days_that_chinese_has_names_for(text: str, start: date, end: date) -> None:
    assert query(text).period == Period(start=start, end=end)


@pytest.mark.parametrize(
    "text", ["revenue this month compared to the same days of last month", "本月销售额和上月同期比"]
)
def test_as_many_days_are_compared(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert found.against is not None
    assert found.against.start == date(2026, 10, 1)
    assert found.against.end == date(2026, 10, TODAY.day + 1)


def test_after_a_number_its_rows_are_asked_for() -> None:
    worth = _asked("what is the total value of our open orders?", None)
    many = _asked("how many are there", worth)
    oldest = _asked("which one is the oldest?", many)

    assert many.query == RowQuery(table="orders", where=(OPEN,), count=True)
    assert oldest.query == RowQuery(table="orders", where=(OPEN,), order="orders.ordered_on", rows=1)


def _asked(text: str, before: AskedData | None) -> AskedData:
    found = read_all(
        text,
        catalogs={"company": COMPANY},
        known={},
        today=TODAY,
        language=language_of(text) or "en",
        before=before,
    )
    assert isinstance(found, AskedData), text
    return found


def test_those_that_were_spoken_of_are_told_apart_and_not_all() -> None:
    running = _asked("how many projects are running", None)

    told = _asked("which departments are they in?", running).query

    assert isinstance(told, MetricQuery)
    assert (told.by, told.where) == (("departments.name",), running.query.where)


@pytest.mark.parametrize(
    ("listed", "summed"),
    [("which projects are planned", "what do their budgets add up to"), ("计划中的项目有哪些", "预算加起来多少")],
)
def test_the_sum_of_what_was_listed_is_of_those_rows(listed: str, summed: str) -> None:
    before = _asked(listed, None)

    told = _asked(summed, before).query

    assert isinstance(before.query, RowQuery)
    assert isinstance(told, MetricQuery)
    assert told.where == before.query.where != ()


def test_a_status_that_is_named_takes_the_place_of_the_one_that_overdue_means() -> None:
    found = query("projects past their due date that are planned or running")
    assert isinstance(found, RowQuery)
    (status,) = [each for each in found.where if each.column == "projects.status"]
    assert set(status.values) == {"planned", "running"}
