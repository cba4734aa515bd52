"""Questions for single rows, for counts that no metric names, for what is done on a day, and for stretches of days."""

from datetime import date
from decimal import Decimal

import pytest

from features.data.understanding.asked import AskedData
from features.data.understanding.reading import read_all
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.building import built
from queries.sql.metrics.query import Bound, Condition, MetricQuery, Period, RowQuery
from tests.features.data.test_reading import COMPANY, OCTOBER, TODAY, query, said

YEAR = Period(start=date(2026, 1, 1), end=date(2027, 1, 1))


@pytest.mark.parametrize("text", ["哪个行业的客户贡献收入最多", "which segment's customers have the highest revenue"])
def test_a_path_to_one_column_splits_by_it_alone(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert found.by == ("customers.segment",)


@pytest.mark.parametrize(
    ("text", "table", "order", "ascending"),
    [
        ("what was the largest order last month?", "orders", "orders.amount", False),
        ("上个月最小的订单", "orders", "orders.amount", True),
        ("最贵的产品是哪个", "products", "products.price", False),
        ("what's the cheapest product we sell?", "products", "products.price", True),
        ("who is our newest customer?", "customers", "customers.since", False),
        ("最新的客户是谁", "customers", "customers.since", False),
        ("which environment is the oldest?", "environments", "environments.created_on", True),
    ],
)
def test_a_superlative_of_a_thing_is_one_row(text: str, table: str, order: str, ascending: bool) -> None:
    found = query(text)

    assert isinstance(found, RowQuery)
    assert (found.table, found.order, found.ascending, found.rows) == (table, order, ascending, 1)


def test_a_superlative_that_is_not_sure_gives_no_number() -> None:
    assert not isinstance(said("what is our largest product?"), AskedData)


@pytest.mark.parametrize(
    ("text", "table", "columns"),
    [
        (
            "which customer placed the largest order last month",
            "orders",
            ("orders.id", "orders.amount", "customers.name"),
        ),
        ("预算最大的项目属于哪个部门", "projects", ("projects.name", "projects.budget", "departments.name")),
        (
            "which department has the project with the largest budget?",
            "projects",
            ("projects.name", "projects.budget", "departments.name"),
        ),
    ],
)
def test_what_a_superlative_row_belongs_to_is_said_beside_it(text: str, table: str, columns: tuple[str, ...]) -> None:
    found = query(text)

    assert isinstance(found, RowQuery)
    assert (found.table, found.columns, found.rows) == (table, columns, 1)


@pytest.mark.parametrize("text", ["list the recruiters", "who in Rotterdam is a recruiter?"])
def test_people_who_left_are_in_no_list_of_who_works_here(text: str) -> None:
    found = query(text)

    assert isinstance(found, RowQuery)
    assert (found.table, found.of) == ("people", "headcount")
    assert Condition(column="people.job", values=("recruiter",)) in found.where


@pytest.mark.parametrize("text", ["who joined in October?", "10月入职的有哪些人"])
def test_who_did_something_is_a_list_and_no_number(text: str) -> None:
    assert query(text) == RowQuery(table="people", period=OCTOBER)


@pytest.mark.parametrize("text", ["Which projects are due in December?", "12月到期的项目有哪些"])
def test_days_that_lie_ahead_are_those_to_come(text: str) -> None:
    period = Period(start=date(2026, 12, 1), end=date(2027, 1, 1))

    assert query(text) == RowQuery(table="projects", period=period, time="projects.due_on")


def test_days_that_are_over_are_the_latest() -> None:
    found = query("which projects started in December?")

    assert isinstance(found, RowQuery)
    assert found.period == Period(start=date(2025, 12, 1), end=date(2026, 1, 1))


@pytest.mark.parametrize(
    "text", ["orders on 11 November last year", "去年11月11日的订单", "orders on November 11 of last year"]
)
def test_a_day_is_in_the_year_beside_it(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert found.period == Period(start=date(2025, 11, 11), end=date(2025, 11, 12))


@pytest.mark.parametrize("text", ["how many shippers in Belgium?", "比利时有多少货主"])
def test_values_are_counted_in_their_own_table(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.aggregate) == ("customers", "count")
    assert {each.column for each in found.where} == {"customers.segment", "customers.country"}


@pytest.mark.parametrize("text", ["how many developers left in October", "上个月离职的开发人员有几位"])
def test_what_is_done_is_counted_of_values_too(text: str) -> None:
    developers = Condition(column="people.job", values=("developer",))

    assert query(text) == MetricQuery(
        metric="people", aggregate="count", where=(developers,), period=OCTOBER, time="people.left_on"
    )


@pytest.mark.parametrize("text", ["人力资源部有谁", "who works in human resources?"])
def test_who_there_is_are_people(text: str) -> None:
    where = (Condition(column="departments.name", values=("People",)),)

    assert query(text) == RowQuery(table="people", where=where, of="headcount")


@pytest.mark.parametrize("text", ["今年有多少人离职", "how many people left this year?"])
def test_what_is_done_is_counted_on_its_own_day(text: str) -> None:
    wanted = RowQuery(table="people", period=YEAR, time="people.left_on", count=True)

    assert query(text) == wanted
    assert "left_on >=" in built(wanted, COMPANY, dialect="sqlite", today=TODAY).statement


def test_what_is_done_is_split_on_its_own_day() -> None:
    wanted = MetricQuery(
        metric="people", aggregate="count", by=("departments.name",), period=YEAR, time="people.left_on"
    )

    assert query("how many people left per department this year") == wanted


def test_who_did_it_is_listed() -> None:
    assert query("上个月谁离职了") == RowQuery(table="people", period=OCTOBER, time="people.left_on")


def test_a_metric_of_that_day_is_taken() -> None:
    found = query("how many support agents were hired since March?")

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.period) == ("new_hires", Period(start=date(2026, 3, 1)))


def test_the_day_of_a_period_is_a_day_of_the_table() -> None:
    for time in ("people.salary", "orders.ordered_on"):
        with pytest.raises(QueryNotPossible):
            built(RowQuery(table="people", period=YEAR, time=time), COMPANY, dialect="sqlite", today=TODAY)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("revenue from 1 to 15 November", date(2026, 11, 1), date(2026, 11, 16)),
        ("revenue between the 3rd and 9th of October", date(2026, 10, 3), date(2026, 10, 10)),
        ("revenue November 1-15", date(2026, 11, 1), date(2026, 11, 16)),
        ("revenue 5 to 9 December", date(2025, 12, 5), date(2025, 12, 10)),
        ("10月1日到7日的销售额", date(2026, 10, 1), date(2026, 10, 8)),
        ("去年10月1-7日的销售额", date(2025, 10, 1), date(2025, 10, 8)),
    ],
)
def test_days_of_a_month(text: str, start: date, end: date) -> None:
    assert query(text) == MetricQuery(metric="revenue", period=Period(start=start, end=end))


@pytest.mark.parametrize("text", ["how many orders over 20,000 euros", "超过2万欧的订单有多少"])
def test_a_bound_in_money_stands_on_either_side(text: str) -> None:
    dear = Condition(column="orders.amount", values=(Decimal(20000),), operator="more")

    assert query(text) == RowQuery(table="orders", where=(dear,), count=True)


def test_a_bound_that_is_said_afterwards_is_of_the_one_question() -> None:
    text = "active projects per customer, only customers with two or more"
    asked = read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="en")

    assert isinstance(asked, AskedData)
    found = asked.query
    assert isinstance(found, MetricQuery)
    assert found.having == (Bound(operator="at_least", value=Decimal(2)),)


def test_what_rows_were_chosen_for_stands_beside_their_name() -> None:
    found = built(query("the largest order of last month"), COMPANY, dialect="sqlite", today=TODAY)

    assert [each.refers_to for each in found.columns][:2] == ["orders.id", "orders.amount"]


@pytest.mark.parametrize("text", ["who was hired most recently?", "谁最晚入职"])
def test_who_did_something_last_is_one_row_by_that_day(text: str) -> None:
    found = query(text)

    assert isinstance(found, RowQuery)
    assert (found.order, found.ascending, found.rows) == ("people.hired_on", False, 1)


@pytest.mark.parametrize("text", ["what does Cold Chain cost?", "how much is the Cold Chain?", "冷链多少钱一个"])
def test_a_price_is_asked_for_in_many_ways(text: str) -> None:
    found = query(text)

    assert isinstance(found, RowQuery)
    assert "products.price" in found.columns


@pytest.mark.parametrize("text", ["revenue this year until June", "今年截至6月的销售额"])
def test_a_period_that_is_cut_off_is_shorter(text: str) -> None:
    found = query(text)

    assert found.period == Period(start=date(2026, 1, 1), end=date(2026, 7, 1))


@pytest.mark.parametrize("text", ["which projects are due before the end of the month?", "月底前到期的项目有哪些"])
def test_the_end_of_a_period_belongs_to_it(text: str) -> None:
    found = query(text)

    assert found.period == Period(start=TODAY, end=date(2026, 12, 1))  # what is due is still to come


def test_people_are_counted_by_their_own_word_and_never_by_what_a_department_is_called() -> None:
    found = query("财务部在职的有几位")

    assert isinstance(found, MetricQuery)
    assert found.metric == "headcount"
    assert not isinstance(said("Finance, how many?"), AskedData)


@pytest.mark.parametrize("text", ["预算超过50万的项目有几项", "今年有多少笔订单", "今年几张订单"])
def test_what_is_counted_stands_behind_its_classifier(text: str) -> None:
    assert isinstance(said(text), AskedData)


def test_the_dearest_of_a_kind_is_asked_for_with_its_price() -> None:
    found = query("最贵的附加产品多少钱")

    assert isinstance(found, RowQuery)
    assert (found.order, found.rows) == ("products.price", 1)
