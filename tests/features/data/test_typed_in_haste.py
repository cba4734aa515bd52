"""Questions for numbers as they are typed in haste: several words misspelt, cut short, negated from behind."""

from datetime import date
from decimal import Decimal

import pytest

from features.data.understanding.asked import AskedData, UnclearQuestion
from features.data.understanding.reading import read_all
from features.data.understanding.words.lexicon import vocabulary_of
from features.data.understanding.words.mending.mistyped import spelt
from queries.sql.metrics.query import Bound, Condition, MetricQuery, Period, RowQuery, Without
from tests.features.data.test_reading import COMPANY, OCTOBER, TODAY, query, said

QUARTER = Period(start=date(2026, 7, 1), end=date(2026, 10, 1))
NOVEMBER = Period(start=date(2026, 11, 1), end=date(2026, 12, 1))
GERMANY = Condition(column="orders.region", values=("Germany",))
COLD_CHAIN = Condition(column="products.name", values=("Cold Chain",))


def test_several_misspelt_words_are_understood_and_told() -> None:
    found = said("sales of cold chian in germny lst month")

    assert isinstance(found, AskedData)
    assert found.query == MetricQuery(metric="revenue", where=(COLD_CHAIN, GERMANY), period=OCTOBER)
    assert {said: meant.partition(" (")[0] for said, meant in found.assumed} == {
        "cold chian": "Cold Chain",
        "germny": "Germany",
    }


def test_words_cut_short_and_misspelt_together_are_understood() -> None:
    nordics = Condition(column="orders.region", values=("Nordics",))

    assert query("revenu nordcis lst quarter") == MetricQuery(metric="revenue", where=(nordics,), period=QUARTER)


def test_a_chinese_name_with_one_wrong_character_is_taken_for_it_and_told() -> None:
    found = said("海关直联上个月卖了几件")

    assert isinstance(found, AskedData)
    assert found.query.where == (Condition(column="products.name", values=("Customs Link",)),)
    assert found.assumed == (("海关直联", "Customs Link (product)"),)


@pytest.mark.parametrize("text", ["我们的承运商客户有多少家", "承运商客户有几家"])
def test_words_that_say_something_are_no_misspelt_name(text: str) -> None:
    found = said(text)
    queries = [found.query] if isinstance(found, AskedData) else []
    queries += [each.asked.query for each in found.choices] if isinstance(found, UnclearQuestion) else []

    assert queries
    assert not any(made.column == "products.name" for each in queries for made in each.where)


@pytest.mark.parametrize(
    "text", ["中国以外的客户有多少", "中国之外有多少客户", "how many customers do we have excluding China"]
)
def test_what_is_left_out_may_stand_before_the_word_that_says_so(text: str) -> None:
    left = Condition(column="customers.country", values=("China",), operator="is_not")

    assert query(text) == RowQuery(table="customers", where=(left,), count=True)


@pytest.mark.parametrize("text", ["which country has the fewest customers", "哪个国家的客户最少"])
def test_what_has_most_rows_of_something_else_counts_them(text: str) -> None:
    assert query(text) == MetricQuery(
        metric="customers", aggregate="count", by=("customers.country",), rows=1, ascending=True
    )


def test_it_does_so_in_a_thread_about_another_number_too() -> None:
    before = said("top 5 customers by revenue this year")
    assert isinstance(before, AskedData)
    found = read_all(
        "which country has the fewest customers",
        catalogs={"company": COMPANY}, known={}, today=TODAY, language="en", before=before,
    )  # fmt: skip

    assert isinstance(found, AskedData)
    assert found.query == query("which country has the fewest customers")


@pytest.mark.parametrize("text", ["which departments have more than 50 people", "哪些部门超过50人"])
def test_people_who_are_bounded_are_those_who_work_here(text: str) -> None:
    assert query(text) == MetricQuery(
        metric="headcount", by=("departments.name",), having=(Bound(operator="more", value=Decimal(50)),)
    )


@pytest.mark.parametrize(
    "text",
    ["products nobody ordered in November", "11月没人买的产品有哪些", "which products did no one buy in November"],
)
def test_what_nobody_bought_is_a_list(text: str) -> None:
    assert query(text) == RowQuery(table="products", without=Without(table="orders", period=NOVEMBER))


@pytest.mark.parametrize("text", ["本月两万欧以上的订单有几个", "这个月两万以上的订单有多少"])
def test_a_bound_may_name_its_money(text: str) -> None:
    assert query(text) == RowQuery(
        table="orders",
        where=(Condition(column="orders.amount", values=(Decimal(20_000),), operator="at_least"),),
        period=NOVEMBER,
        count=True,
    )


@pytest.mark.parametrize("text", ["projects due before Christmas", "圣诞节前要到期的项目"])
def test_what_is_due_before_a_feast_is_still_to_come(text: str) -> None:
    ahead = Period(start=TODAY, end=date(2026, 12, 25))

    assert query(text) == RowQuery(table="projects", period=ahead, time="projects.due_on")


@pytest.mark.parametrize("text", ["shippers and carriers: how many of each", "货主和承运商各有多少家"])
def test_how_many_of_each_tells_values_apart(text: str) -> None:
    both = Condition(column="customers.segment", values=("shipper", "carrier"))

    assert query(text) == MetricQuery(metric="customers", aggregate="count", by=("customers.segment",), where=(both,))


@pytest.mark.parametrize(
    "text", ["customers since 2024 in Germany", "projects not finished", "customers without orders"]
)
def test_rows_are_listed_by_since_when_and_by_what_was_not_done(text: str) -> None:
    found = query(text)

    assert isinstance(found, RowQuery)
    assert not found.count


@pytest.mark.parametrize("text", ["闸口自助机平均每单几件", "库存还有多少", "how many units are left"])
def test_pieces_are_no_money_and_stock_is_nobody_who_left(text: str) -> None:
    found = read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="zh")

    assert not isinstance(found, AskedData)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("how many orders last mnth", "how many orders last month"),
        ("montly revenue since july", "monthly revenue since july"),
        ("avrage order value tihs year", "average order value this year"),
        ("revenue by qaurter", "revenue by quarter"),
        ("how many orders of 40k or more this wk", "how many orders of at least 40,000 this week"),
        ("any orders of 40k or more this wk? how many", "how many orders of at least 40,000 this week"),
        ("how many orders 500+", "how many orders of at least 500"),
        ("how many orders above 30 grand", "how many orders above 30,000"),
        ("how many folks quit tihs year", "how many people quit this year"),
        ("本周订单数比上周多了还是少了", "本周订单数比上周"),
        ("这个月销售额比上个月高还是低", "这个月销售额和上个月比"),
        ("有多少客户这周一单都没下", "有多少客户本周没下单"),
    ],
)
def test_words_of_time_and_measure_may_be_mistyped(typed: str, meant: str) -> None:
    assert query(typed) == query(meant)


def test_what_the_catalogue_calls_so_is_no_typo() -> None:
    vocabulary = vocabulary_of(COMPANY, {"customers.name": ("Mnth Freight",)})

    assert spelt("orders of mnth freight last mnth", vocabulary) == "orders of mnth freight last mnth"
    assert spelt("thus yeah witch mouth", vocabulary) == "thus yeah witch mouth"
