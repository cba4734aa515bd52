"""Words that change what a number is of are heeded or asked back, and never left out in silence."""

import pytest

from features.data.understanding.asked import AskedData
from queries.sql.metrics.query import Bound, Condition, MetricQuery
from tests.features.data.test_reading import query, said


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
