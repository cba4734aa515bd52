"""No condition that was named is dropped from a number: it is in the query, or there is none."""

import itertools

import pytest

from features.data.understanding.asked import AskedData, AskedParts
from features.data.understanding.reading import read_all
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery
from tests.features.data.test_reading import COMPANY, TODAY
from tests.scale import SCALE

#: What is said of rows, with what has to hold of them.
_CONDITIONS: dict[str, tuple[str, bool | str]] = {
    "remote people": ("people.remote", True),
    "open orders": ("orders.status", "open"),
    "cancelled orders": ("orders.status", "cancelled"),
    "web orders": ("orders.channel", "web"),
    "idle environments": ("environments.status", "idle"),
    "远程办公的员工": ("people.remote", True),
    "取消的订单": ("orders.status", "cancelled"),
    "线上订单": ("orders.channel", "web"),
}
_SHAPES = (
    "{} in percent by {}", "percentage of {} by {}", "how many {} by {}", "{} per {} this year", "share of {} per {}",
    "average {} per {}", "which {1} has the most {0}", "number of {} and amount by {}", "amount of {} by {}",
    "按{1}的{0}占比", "各{1}{0}有多少", "今年每个月多少{0}，按{1}", "{0}最多的{1}",
    "{0}和去年同期比，按{1}", "各{1}{0}的比例",
)  # fmt: skip
_BY = {"en": ("region", "department", "product"), "zh": ("地区", "部门", "产品")}


def _questions() -> list[tuple[str, str, bool | str]]:
    made: list[tuple[str, str, bool | str]] = []
    for shape, (said, (column, value)) in itertools.product(_SHAPES, _CONDITIONS.items()):
        language = "en" if said.isascii() else "zh"
        if shape.replace("{", "").replace("}", "").isascii() == said.isascii():
            made += [(shape.format(said, by), column, value) for by in _BY[language]]
    return made


def _answered(text: str) -> list[DataQuery]:
    found = read_all(
        text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="en" if text.isascii() else "zh"
    )
    if isinstance(found, AskedParts):
        return [part.asked.query for part in found.asked]
    return [found.query] if isinstance(found, AskedData) else []


def _holds(query: DataQuery, column: str, value: bool | str) -> bool:
    conditions: tuple[Condition, ...] = query.where
    if isinstance(query, MetricQuery):
        conditions += query.part
    return any(each.column == column and value in each.values for each in conditions)


def test_a_condition_is_in_the_number_or_there_is_none() -> None:
    asked = _questions()[:: 1 if SCALE >= 1 else 9]
    answered = [(text, query, column, value) for text, column, value in asked for query in _answered(text)]

    assert len(answered) > len(asked) / 8
    assert [text for text, query, column, value in answered if not _holds(query, column, value)] == []


@pytest.mark.parametrize(
    "text",
    [
        "cancelled orders by channel, in percent",
        "share of web orders by region",
        "percentage of open orders per product",
    ],
)
def test_a_share_of_each_and_a_share_of_all_are_two_numbers(text: str) -> None:
    assert _answered(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "what share of orders per region were cancelled",
        "percentage of web orders in each region",
        "各部门远程办公的比例",
    ],
)
def test_a_share_of_each_is_told_where_it_is_said(text: str) -> None:
    (query,) = _answered(text)

    assert isinstance(query, MetricQuery)
    assert query.share
    assert query.part
    assert not query.where


def test_an_amount_is_no_number_of_rows() -> None:
    queries = [_answered(text) for text in ("cancelled amount last month", "returned order amount in October")]

    assert [(query.metric, query.aggregate) for (query,) in queries if isinstance(query, MetricQuery)] == [
        ("orders.amount", "sum"),
        ("orders.amount", "sum"),
    ]


@pytest.mark.parametrize("text", ["shortest orders by region", "最久的订单"])
def test_how_long_something_took_is_no_sum_of_money(text: str) -> None:
    assert _answered(text) == []
