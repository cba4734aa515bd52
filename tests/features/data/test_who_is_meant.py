"""Whom a question is about where the catalogue knows several, and what is told apart instead of added up."""

from decimal import Decimal

import pytest

from features.data.understanding.asked import UnclearQuestion
from queries.sql.metrics.query import Condition, MetricQuery, RowQuery
from tests.features.data.test_reading import query, said


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("今年谁下的单最多?", "customers.name"),
        ("who ordered the most this year", "customers.name"),
        ("who spent the most last quarter", "customers.name"),
        ("who brought in the most revenue this year", "orders.seller_email"),
        ("三季度哪个销售的业绩最差", "orders.seller_email"),
    ],
)
def test_who_is_whoever_does_what_is_said(text: str, whose: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert found.by == (whose,)


@pytest.mark.parametrize("text", ["who has the most orders this year", "今年谁的订单最多"])
def test_who_is_asked_back_where_nothing_is_done(text: str) -> None:
    found = said(text)

    assert isinstance(found, UnclearQuestion)
    assert {each.asked.query.by for each in found.choices if isinstance(each.asked.query, MetricQuery)} == {
        ("customers.name",),
        ("orders.seller_email",),
    }


def test_two_values_of_one_column_that_nothing_joins_are_no_sum_of_both() -> None:
    assert isinstance(said("How many developers do we have in Chengdu who work from home?"), UnclearQuestion)
    assert isinstance(said("which customers bought Quaymaster but never Trackline?"), UnclearQuestion)
    assert query("how many developers in Chengdu and Hamburg") is not None


def test_either_of_two_is_told_apart_and_not_listed() -> None:
    found = query("今年新签的客户里承运商多还是货主多")

    assert isinstance(found, MetricQuery)
    assert (found.by, found.aggregate) == (("customers.segment",), "count")


def test_the_sum_of_rows_is_their_money_and_not_their_number() -> None:
    found = query("Sum of all open orders of carriers please")

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.aggregate) == ("orders.amount", "sum")


def test_a_bound_is_on_each_row_where_rows_are_counted_or_listed() -> None:
    dear = Condition(column="orders.amount", values=(Decimal(10000),), operator="more")
    many = Condition(column="orders.quantity", values=(Decimal(50),), operator="more")

    counted, listed = query("number of orders above 10,000 euros in 2026"), query("show orders with more than 50 units")

    assert isinstance(counted, MetricQuery)
    assert isinstance(listed, RowQuery)
    assert (counted.metric, counted.where, listed.where) == ("orders", (dear,), (many,))


@pytest.mark.parametrize(
    "text", ["how many of the people hired last year are still here", "去年入职的人里面现在还在的有多少"]
)
def test_who_is_still_here_did_not_leave(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.where) == ("new_hires", (Condition(column="people.left_on", values=(None,)),))
