"""Words that change what a number is of are heeded or asked back, and never left out in silence."""

from datetime import date

import pytest

from features.data.understanding.asked import AskedData
from features.data.understanding.reading import read
from features.data.wording import Wording
from queries.sql.metrics.query import Bound, Condition, MetricQuery, Period, RowQuery
from tests.features.data.test_reading import COMPANY, TODAY, query, said


@pytest.mark.parametrize(
    "text",
    [
        "how many customers bought both Cold Chain and Customs Link",
        "which customers only bought Cold Chain this year",
        "how many customers only buy online",
        "which customers bought Cold Chain but not Trackline",
        "revenue from existing customers this year",
        "customers with several orders this year",
        "what will revenue be this year",
        "how many environments are working",
        "other regions' revenue this year",
        "how many orders per working day in October",
        "projects running in March",
        "how many environments did we have last year",
        "what did Polderfris buy last month",
        "冷链和海关直连都买过的客户有多少家",
        "只买过冷链的客户有哪些",
        "今年只买过一次的客户有几家",
        "下过多单的客户今年有多少",
        "其他地区今年的销售额",
        "2024年有多少客户",
        "上个月在用的环境",
        "上个月下线了多少环境",
    ],
)
def test_a_word_that_the_query_does_not_heed_is_asked_back(text: str) -> None:
    assert not isinstance(said(text), AskedData)


def test_both_joined_and_left_are_not_one_number() -> None:
    found = said("how many people joined and left this year")

    assert not isinstance(found, AskedData)


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("how many different products did Benelux buy in 2026", "products.name"),
        ("荷比卢今年买过几种产品", "products.name"),
        ("荷比卢今年买了多少种不同的产品", "products.name"),
        ("how many sellers sold Trackline in October", "orders.seller_email"),
        ("上个月有几位销售员卖出了Trackline", "orders.seller_email"),
        ("in how many different countries do we have customers?", "customers.country"),
        ("客户来自多少个国家", "customers.country"),
    ],
)
def test_different_things_are_each_counted_once(text: str, by: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert found.groups
    assert found.by == (by,)


def test_different_customers_are_those_that_the_catalogue_counts() -> None:
    found = query("how many distinct customers ordered last month")

    assert isinstance(found, MetricQuery)
    assert found.metric == "buying_customers"


def test_exactly_so_many_is_a_bound() -> None:
    found = query("how many customers had exactly 3 orders last month")

    assert isinstance(found, MetricQuery)
    assert found.having == (Bound(operator="is", value=3),)
    assert found.groups


def test_neither_nor_leaves_both_out() -> None:
    found = query("how many orders were neither cancelled nor returned last month")

    assert isinstance(found, MetricQuery)
    assert found.where == (Condition(column="orders.status", values=("cancelled", "returned"), operator="is_not"),)


def test_the_others_are_those_that_are_not_left_out() -> None:
    found = query("除了中国，其他地区今年的销售额")

    assert isinstance(found, MetricQuery)
    assert found.where == (Condition(column="orders.region", values=("China",), operator="is_not"),)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("orders from last week", date(2026, 11, 16), date(2026, 11, 23)),
        ("orders from last week on", date(2026, 11, 16), None),
        ("orders before July this year", date(2026, 1, 1), date(2026, 7, 1)),
        ("orders before July 2024", None, date(2024, 7, 1)),
        ("今年7月之前的订单有多少", date(2026, 1, 1), date(2026, 7, 1)),
        ("revenue in Septmber", date(2026, 9, 1), date(2026, 10, 1)),
        ("yesterday's revenue", date(2026, 11, 22), date(2026, 11, 23)),
    ],
)
def test_a_period_is_what_its_words_say(text: str, start: date | None, end: date | None) -> None:
    assert query(text).period == Period(start=start, end=end)


def test_this_time_last_year_is_as_far_as_this_month_has_come() -> None:
    found = query("revenue this month vs this time last year")

    assert isinstance(found, MetricQuery)
    assert found.against == Period(start=date(2025, 11, 1), end=date(2025, 11, 24))


@pytest.mark.parametrize(
    "text",
    [
        "what's our second biggest region by revenue this year?",
        "今年销售额排名第二的地区是哪个",
        "今年销售额第二高的地区",
    ],
)
def test_the_second_is_not_the_first_two(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert (found.rows, found.from_place) == (2, 2)


@pytest.mark.parametrize(
    ("text", "falls"),
    [("largest drop in revenue by region vs last month", True), ("今年哪个地区的销售额增长最多", False)],
)
def test_what_changed_most_is_not_what_is_highest(text: str, falls: bool) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert found.by_change
    assert found.ascending is falls


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("how many people don't work in Rotterdam", [("people.site", "is_not")]),
        ("不在鹿特丹办公的开发人员有几个", [("people.site", "is_not"), ("people.job", "is")]),
    ],
)
def test_who_does_not_is_left_out(text: str, conditions: list[tuple[str, str]]) -> None:
    assert [(each.column, each.operator) for each in query(text).where] == conditions


@pytest.mark.parametrize(
    "text",
    [
        "how many orders haven't shipped",
        "how many products did we sell last month",
        "staging environments that nobody uses",
    ],
)
def test_another_number_is_not_given_for_it(text: str) -> None:
    assert not isinstance(said(text), AskedData)


def test_the_day_is_told_where_a_state_might_have_another() -> None:
    wording = Wording(COMPANY, "en")

    assert wording.subject(query("orders returned last month")) == "Orders, order date October 2026, returned"
    assert wording.subject(query("web orders last month")) == "Orders, October 2026, web"


def test_since_when_somebody_is_a_customer_is_one_day() -> None:
    known = {"company": {"customers.name": ("Kowalski Cargo",)}}
    for text in ("since when has Kowalski Cargo been a customer?", "Kowalski Cargo是什么时候成为我们客户的"):
        found = read(text, catalogs={"company": COMPANY}, known=known, today=TODAY, language="en")

        assert isinstance(found, AskedData)
        assert isinstance(found.query, RowQuery)
        assert found.query.columns == ("customers.name", "customers.since")
