"""Questions for numbers in other people's words: values side by side, rates, rows looked up, what is left alone."""

from datetime import date
from decimal import Decimal

import pytest

from features.data.understanding.asked import AskedData, AskedParts, UnclearQuestion
from features.data.understanding.reading import read_all
from queries.sql.metrics.query import Condition, MetricQuery, Period, RowQuery
from tests.features.data.test_reading import COMPANY, OCTOBER, SEPTEMBER, TODAY, query, said

YEAR = Period(start=date(2026, 1, 1), end=date(2027, 1, 1))
RETURNED = Condition(column="orders.status", values=("returned",))


@pytest.mark.parametrize(
    "text",
    [
        "revenue of Quaymaster vs Trackline this year",
        "this year's revenue of Quaymaster and Trackline respectively",
        "今年Quaymaster和Trackline的销售额分别是多少",
    ],
)
def test_values_side_by_side_are_told_apart_and_not_added_up(text: str) -> None:
    wanted = Condition(column="products.name", values=("Quaymaster", "Trackline"))

    assert query(text) == MetricQuery(metric="revenue", by=("products.name",), where=(wanted,), period=YEAR)


@pytest.mark.parametrize("text", ["what is the return rate this year?", "今年退货率是多少？"])
def test_a_rate_is_the_share_of_what_meets_it(text: str) -> None:
    assert query(text) == MetricQuery(metric="orders", share=True, part=(RETURNED,), where=(), period=YEAR)


@pytest.mark.parametrize("text", ["return rate by region this year", "今年各地区的退货率"])
def test_a_rate_is_told_for_each_part(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert (found.by, found.part, found.share) == (("orders.region",), (RETURNED,), True)


@pytest.mark.parametrize("text", ["What is the list price of Customs Link?", "海关直连标价多少"])
def test_what_a_row_says_is_looked_up(text: str) -> None:
    named = Condition(column="products.name", values=("Customs Link",))

    assert query(text) == RowQuery(table="products", columns=("products.name", "products.price"), where=(named,))


@pytest.mark.parametrize("text", ["list all add-ons", "附加产品都有哪些"])
def test_rows_are_listed_by_what_they_are(text: str) -> None:
    assert query(text) == RowQuery(table="products", where=(Condition(column="products.kind", values=("add-on",)),))


def test_a_price_has_bounds_in_money() -> None:
    dear = Condition(column="products.price", values=(Decimal(1000),), operator="more")

    assert query("which products cost more than 1000 euros") == RowQuery(table="products", where=(dear,))


@pytest.mark.parametrize("text", ["and the month before?", "那前一个月呢"])
def test_the_period_before_is_asked_for_and_not_compared(text: str) -> None:
    assert query(text, "How many orders last month?") == MetricQuery(metric="orders", period=SEPTEMBER)


@pytest.mark.parametrize("text", ["revenue per month over the last 6 months", "近6个月每月的销售额"])
def test_months_are_whole_ones(text: str) -> None:
    assert query(text).period == Period(start=date(2026, 6, 1), end=date(2026, 11, 24))


@pytest.mark.parametrize("text", ["今年销售额前五的客户", "今年销售额前5大客户"])
def test_the_first_five_are_no_time_before(text: str) -> None:
    assert query(text) == MetricQuery(metric="revenue", by=("customers.name",), period=YEAR, rows=5)


def test_what_is_done_on_a_day_is_what_a_period_is_of() -> None:
    assert query("how many projects started in 2026?").period == YEAR
    due = RowQuery(table="projects", period=YEAR, time="projects.due_on", count=True)
    assert query("how many projects are due in 2026?") == due  # another day than the one that counts


def test_flags_that_are_named_hold() -> None:
    remote = Condition(column="people.remote", values=(True,))

    assert remote in query("成都办公室多少人远程办公？").where


@pytest.mark.parametrize(
    ("text", "excluded"),
    [("how many environments aren't retired", True), ("orders that weren't delivered last month", True)],
)
def test_short_forms_of_not_exclude(text: str, excluded: bool) -> None:
    assert (query(text).where[0].operator == "is_not") is excluded


@pytest.mark.parametrize(
    "text",
    [
        "how many orders haven't shipped",  # those that were delivered have shipped, too
        "didn't we get orders last month in China",
        "还有多少订单没发货？",
        "How many orders did I get last month?",
        "我上个月有多少订单",
        "how many of his orders were cancelled last month",
    ],
)
def test_a_word_that_changes_everything_is_never_passed_over(text: str) -> None:
    assert not hasattr(said(text), "query")


def test_selling_alone_asks_back_by_what() -> None:
    found = said("did we sell more this month than last month?")

    assert getattr(found, "reason", "") == "measure"
    assert {each.asked.query.metric for each in getattr(found, "choices", ())} >= {"revenue", "units_sold"}


@pytest.mark.parametrize(
    ("text", "rows"),
    [("上季度最畅销的三个产品", 3), ("best selling products last quarter", None)],
)
def test_what_sells_best_is_ranked_by_pieces_and_says_so(text: str, rows: int | None) -> None:
    found = said(text)

    assert isinstance(found, AskedData)
    assert isinstance(found.query, MetricQuery)
    assert (found.query.metric, found.query.by) == ("units_sold", ("products.name",))
    assert rows in (None, found.query.rows)
    assert [meant for _, meant in found.assumed] in (["销量"], ["units sold"])


@pytest.mark.parametrize(
    "text", ["上季度哪个产品卖得最好", "上季度卖得最好的三个产品", "which product sold best last quarter"]
)
def test_what_sold_best_may_be_best_by_money_or_by_pieces(text: str) -> None:
    found = said(text)

    assert isinstance(found, UnclearQuestion)
    metrics = [each.asked.query.metric for each in found.choices if isinstance(each.asked.query, MetricQuery)]
    assert {"revenue", "units_sold"} <= set(metrics[:3])


@pytest.mark.parametrize("text", ["what did customers buy most", "how many brokers bought"])
def test_who_does_it_is_no_number_of_what_is_done(text: str) -> None:
    assert not hasattr(said(text), "query")


def test_polite_words_around_a_question_add_nothing() -> None:
    assert query("can you give me the revenue for October") == MetricQuery(metric="revenue", period=OCTOBER)
    assert query("麻烦帮我看下10月的销售额") == MetricQuery(metric="revenue", period=OCTOBER)


def test_a_list_after_a_row_that_was_looked_up_is_another_question() -> None:
    after = query("list all add-ons", "What is the list price of Customs Link?")

    assert after == query("list all add-ons")


@pytest.mark.parametrize("text", ["percentage of web orders by region last month", "上个月各地区线上订单占比"])
def test_a_share_of_some_by_something_may_be_two_things(text: str) -> None:
    found = said(text)
    choices = [each.asked.query for each in getattr(found, "choices", ())]
    web = (Condition(column="orders.channel", values=("web",)),)

    assert choices == [
        MetricQuery(metric="orders", by=("orders.region",), part=web, share=True, period=OCTOBER),
        MetricQuery(metric="orders", by=("orders.region",), where=web, share=True, period=OCTOBER),
    ]


def test_values_are_compared_wherever_the_word_stands() -> None:
    found = query("今年线上和直销的客单价对比")

    assert isinstance(found, MetricQuery)
    assert (found.by, found.against) == (("orders.channel",), None)


def test_where_some_are_is_not_what_they_are_a_share_of() -> None:
    remote = query("percentage of remote employees in Engineering")
    assert isinstance(remote, MetricQuery)
    assert remote.part == (Condition(column="people.remote", values=(True,)),)
    assert remote.where == (Condition(column="departments.name", values=("Engineering",)),)

    cancelled = query("what share of Germany's orders were cancelled last year?")
    assert isinstance(cancelled, MetricQuery)
    assert cancelled.part == (Condition(column="orders.status", values=("cancelled",)),)


@pytest.mark.parametrize("text", ["orders in September and October", "9月和10月各有多少订单"])
def test_two_periods_that_are_joined_stand_side_by_side(text: str) -> None:
    assert query(text) == MetricQuery(metric="orders", period=OCTOBER, against=SEPTEMBER)


@pytest.mark.parametrize(
    "text",
    [
        "今年Quaymaster和Trackline哪个销售额高",
        "How much more revenue did we make with Quaymaster than with Trackline this year?",
    ],
)
def test_which_of_some_values_has_more_is_told_by_each_of_them(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert (found.by, found.against, found.period) == (("products.name",), None, YEAR)


def test_a_sum_is_no_count() -> None:
    opened = Condition(column="orders.status", values=("open",))

    assert query("total amount of open orders") == MetricQuery(metric="orders.amount", aggregate="sum", where=(opened,))


@pytest.mark.parametrize(
    "text",
    [
        "客户成功部有多少进行中的项目，预算一共多少",
        "合作伙伴渠道这两年的收入对比",
    ],
)
def test_what_another_number_would_answer_is_asked_back(text: str) -> None:
    found = read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="zh")

    assert isinstance(found, UnclearQuestion)


def test_what_those_have_is_no_number_of_all() -> None:
    text = "How many stopped projects, and what budget did they have?"

    found = read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="en")

    assert isinstance(found, AskedParts)
    assert len(found.asked) == 2
    assert all(part.asked.query.where for part in found.asked)


def test_a_ranking_leaves_no_row_out() -> None:
    found = query("上半年各区营收排名")

    assert isinstance(found, MetricQuery)
    assert (found.by, found.rows) == (("orders.region",), None)


def test_what_stands_before_a_colon_belongs_to_each_question() -> None:
    text = "Web: how many orders, and what is the revenue, in Q2?"

    found = read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="en")

    assert isinstance(found, AskedParts)
    conditions = [part.asked.query.where for part in found.asked if isinstance(part.asked.query, MetricQuery)]
    assert conditions == [(Condition(column="orders.channel", values=("web",)),)] * 2


@pytest.mark.parametrize(
    ("text", "by", "per", "rows"),
    [
        ("best product per channel by revenue", ("orders.channel", "products.name"), ("orders.channel",), 1),
        ("top three regions by orders for each channel", ("orders.channel", "orders.region"), ("orders.channel",), 3),
        ("各大区销量前两名的产品", ("orders.region", "products.name"), ("orders.region",), 2),
        ("which product had the highest revenue each month?", ("products.name",), ("month",), 1),
        ("Which month had the most orders in each region?", ("orders.region",), ("orders.region",), 1),
        ("top 5 customers by revenue", ("customers.name",), (), 5),
    ],
)
def test_each_part_has_a_ranking_of_its_own(text: str, by: tuple[str, ...], per: tuple[str, ...], rows: int) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert (found.by, found.per, found.rows) == (by, per, rows)


@pytest.mark.parametrize(
    "text",
    ["Is China growing? revenue per quarter since 2025", "正好在进行的项目有多少个，总预算多少？"],
)
def test_a_number_that_hangs_on_what_was_not_understood_is_not_given(text: str) -> None:
    assert isinstance(said(text), UnclearQuestion)


def test_all_are_shown_in_the_order_that_is_asked() -> None:
    found = query("How many customers do we have per country, smallest first?")

    assert isinstance(found, MetricQuery)
    assert (found.by, found.rows, found.ascending) == (("customers.country",), None, True)


def test_a_metric_is_known_by_what_it_counts() -> None:
    found = query("how many pieces last month?")

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.period) == ("units_sold", OCTOBER)


@pytest.mark.parametrize("text", ["what share of Operations works remotely?", "what share of Operations is remote?"])
def test_a_share_of_a_value_is_of_what_is_said_of_it(text: str) -> None:
    operations = Condition(column="departments.name", values=("Operations",))
    remote = Condition(column="people.remote", values=(True,))

    assert query(text) == MetricQuery(metric="headcount", where=(operations,), share=True, part=(remote,))


@pytest.mark.parametrize(
    ("after", "text", "part", "where"),
    [
        ("cancellation rate by channel last month", "and for China only?", "cancelled", ("China",)),
        ("what share of orders was cancelled last month?", "and in China?", "cancelled", ("China",)),
        ("what share of orders was cancelled last month?", "and the returned ones?", "returned", ()),
    ],
)
def test_a_share_stays_one_in_the_next_question(after: str, text: str, part: str, where: tuple[str, ...]) -> None:
    found = query(text, after)

    assert isinstance(found, MetricQuery)
    assert (found.share, found.part) == (True, (Condition(column="orders.status", values=(part,)),))
    assert tuple(value for made in found.where for value in made.values) == where


def test_a_name_is_not_put_together_across_a_superlative() -> None:
    found = query("每个国家下单最多的客户是谁")

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.per, found.rows) == ("orders", ("customers.country",), 1)


@pytest.mark.parametrize("after", ["orders last month, top 5 customers", "top 5 customers by orders last month"])
def test_how_many_are_shown_is_changed_by_a_number(after: str) -> None:
    found = query("make it 10", after)

    assert isinstance(found, MetricQuery)
    assert (found.by, found.rows) == (("customers.name",), 10)


def test_what_does_something_now_is_a_condition() -> None:
    found = query("how many projects does each department run?")

    assert found.where == (Condition(column="projects.status", values=("running",)),)


@pytest.mark.parametrize(
    "text",
    [
        "How many days of leave do employees get this year?",  # no leavers
        "客服部有多少人",  # there is no such department
        "how long are our projects?",
        "项目最长多少天",
    ],
)
def test_a_word_that_measures_or_restricts_is_never_passed_over(text: str) -> None:
    assert not isinstance(said(text), AskedData)


@pytest.mark.parametrize(
    "text",
    ["冷链今年下了多少单，一共多少钱", "how many orders of Cold Chain did we get this year and for how much"],
)
def test_how_much_said_behind_a_number_is_what_its_rows_are_worth(text: str) -> None:
    found = read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="zh")
    wanted = Condition(column="products.name", values=("Cold Chain",))

    assert isinstance(found, AskedParts)
    assert [part.asked.query for part in found.asked] == [
        MetricQuery(metric=metric, where=(wanted,), period=YEAR) for metric in ("orders", "revenue")
    ]


def test_a_second_question_that_was_not_understood_is_left_out_aloud() -> None:
    text = "biggest order last month and who placed it"
    found = read_all(text, catalogs={"company": COMPANY}, known={}, today=TODAY, language="en")

    assert isinstance(found, AskedParts)
    assert len(found.asked) == 1
    assert "who placed it" in (*found.left, found.documents)


@pytest.mark.parametrize("text", ["How much did we sell in the Nordics last quarter?"])
def test_how_much_is_a_sum_of_money_where_one_alone_is(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert found.metric == "revenue"


def test_two_quarters_of_a_year_are_compared() -> None:
    found = query("今年Q1和Q2的订单量对比")

    assert isinstance(found, MetricQuery)
    assert found.period == Period(start=date(2026, 4, 1), end=date(2026, 7, 1))
    assert found.against == Period(start=date(2026, 1, 1), end=date(2026, 4, 1))
