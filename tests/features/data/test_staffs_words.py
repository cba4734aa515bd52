"""What staff typed and got a wrong number for, or none: what lacks something, is idle, is best, and how many pieces."""

from datetime import date
from decimal import Decimal

import pytest

from features.data.understanding.asked import AskedData, AskedParts, UnclearQuestion
from features.data.understanding.reading import read, read_all
from features.data.wording import Wording
from language.scripts import Language
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.building import built
from queries.sql.metrics.query import Condition, MetricQuery, Period, RowQuery, Without
from tests.features.data.test_reading import COMPANY, TODAY, query, said

YEAR = Period(start=date(2026, 1, 1), end=date(2027, 1, 1))
LAUNDRY = Catalog.model_validate(
    {
        "tables": {
            "articles": {
                "called": {"en": ["articles"]},
                "public": True,
                "label": "name",
                "columns": {
                    "id": {"type": "number"},
                    "name": {
                        "type": "text",
                        "called": {"en": ["article"], "zh": ["品名"]},
                        "values": {"Towel": {"en": ["towels"], "zh": ["毛巾"]}},
                    },
                },
            },
            "hospitals": {
                "called": {"en": ["hospitals"], "zh": ["医院"]},
                "public": True,
                "label": "name",
                "columns": {
                    "id": {"type": "number"},
                    "name": {"type": "text", "called": {"en": ["hospital"], "zh": ["医院"]}},
                    "city": {"type": "text", "values": {"Utrecht": {"en": ["Utrecht"], "zh": ["乌得勒支"]}}},
                    "beds": {"type": "number", "called": {"en": ["beds"], "zh": ["床位"]}},
                    "weight": {"type": "number", "unit": "kg", "called": {"en": ["weight"], "zh": ["重量"]}},
                    "contract_until": {"type": "date", "called": {"en": ["contract ends"]}, "ahead": True},
                },
            },
            "deliveries": {
                "called": {"en": ["deliveries"], "zh": ["配送"]},
                "public": True,
                "label": "id",
                "columns": {
                    "id": {"type": "number"},
                    "delivered_on": {"type": "date"},
                    "article_id": {"type": "number"},
                    "hospital_id": {"type": "number"},
                    "pieces": {"type": "number", "called": {"en": ["pieces"], "zh": ["件数"]}},
                    "charge": {"type": "number", "unit": "EUR"},
                },
            },
        },
        "joins": [
            {"many": "deliveries.article_id", "one": "articles.id"},
            {"many": "deliveries.hospital_id", "one": "hospitals.id"},
        ],
        "metrics": {
            "hospitals": {
                "called": {"en": ["hospitals"], "zh": ["医院"]}, "table": "hospitals", "expression": "count(*)",
                "dimensions": ["city"],
            },
            "deliveries": {
                "called": {"en": ["deliveries"], "zh": ["配送", "送货次数"]}, "table": "deliveries",
                "expression": "count(*)", "time": "delivered_on", "dimensions": ["articles.name", "hospitals.city"],
            },
            "pieces": {
                "called": {"en": ["pieces delivered"], "zh": ["配送件数"]}, "table": "deliveries",
                "expression": "sum(pieces)", "time": "delivered_on", "dimensions": ["articles.name", "hospitals.city"],
            },
            "revenue": {
                "called": {"en": ["revenue"], "zh": ["收入"]}, "table": "deliveries", "expression": "sum(charge)",
                "unit": "EUR", "time": "delivered_on", "dimensions": ["articles.name", "hospitals.city"],
            },
        },
    }
)  # fmt: skip


def laundry(text: str) -> AskedData | UnclearQuestion | None:
    language = "en" if text.isascii() else "zh"
    return read(text, catalogs={"laundry": LAUNDRY}, known={}, today=TODAY, language=language)


def asked(text: str) -> MetricQuery | RowQuery:
    found = laundry(text)
    assert isinstance(found, AskedData), found
    return found.query


@pytest.mark.parametrize("text", ["projects without a customer", "哪些项目没有客户"])
def test_what_lacks_something_is_not_what_is_lacked(text: str) -> None:
    assert query(text) == RowQuery(table="projects", where=(Condition(column="projects.customer_id", values=(None,)),))


@pytest.mark.parametrize("text", ["customers without a project", "没有项目的客户有哪些"])
def test_what_nothing_belongs_to_is_listed_as_before(text: str) -> None:
    assert query(text) == RowQuery(table="customers", without=Without(table="projects"))


@pytest.mark.parametrize("text", ["今年最好的三个产品", "the three best products this year"])
def test_by_what_the_best_are_meant_is_asked_back(text: str) -> None:
    found = said(text)

    assert found is None or isinstance(found, UnclearQuestion)


def test_a_ranking_that_is_said_twice_is_one() -> None:
    assert query("预算最高的前五个项目") == RowQuery(table="projects", order="projects.budget", ascending=False, rows=5)


@pytest.mark.parametrize("text", ["离职最多的是哪个部门", "离职最多的部门"])
def test_what_is_done_most_is_counted_by_its_day(text: str) -> None:
    assert query(text) == MetricQuery(metric="leavers", by=("departments.name",), rows=1)


def test_rows_that_are_counted_are_split_as_the_number_beside_them() -> None:
    found = read_all("客户数和订单数，按国家", catalogs={"company": COMPANY}, known={}, today=TODAY, language="zh")

    assert isinstance(found, AskedParts)
    assert [part.asked.query for part in found.asked] == [
        MetricQuery(metric="customers", aggregate="count", by=("customers.country",)),
        MetricQuery(metric="orders", by=("customers.country",)),
    ]


@pytest.mark.parametrize(
    "text",
    ["customers that haven't ordered for a year", "超过一年没下单的客户", "customers without orders in 12 months"],
)
def test_how_long_nothing_was_done_is_a_period_until_today(text: str) -> None:
    year = Period(start=date(2025, 11, 24), end=date(2026, 11, 24))

    assert query(text) == RowQuery(table="customers", without=Without(table="orders", period=year))


@pytest.mark.parametrize("text", ["staff who worked here for a year", "how long for 3 months"])
def test_how_long_something_lasts_is_no_period(text: str) -> None:
    assert not isinstance(said(text), AskedData)


@pytest.mark.parametrize("text", ["how many towels did we deliver last month", "上个月送了多少条毛巾"])
def test_pieces_are_counted_where_a_row_is_of_several(text: str) -> None:
    found = asked(text)

    assert (found.metric if isinstance(found, MetricQuery) else found) == "pieces"


def test_deliveries_of_a_thing_are_counted_where_they_are_named() -> None:
    found = asked("how many deliveries of towels last month")

    assert (found.metric if isinstance(found, MetricQuery) else found) == "deliveries"


def test_how_many_of_what_a_column_counts_is_its_sum() -> None:
    where = (Condition(column="hospitals.city", values=("Utrecht",)),)

    assert asked("how many beds do our hospitals in Utrecht have in total") == MetricQuery(
        metric="hospitals.beds", aggregate="sum", where=where
    )


def test_a_unit_behind_a_number_is_the_columns() -> None:
    heavy = Condition(column="hospitals.weight", values=(Decimal(100),), operator="more")

    assert asked("hospitals with a weight over 100 kg") == RowQuery(table="hospitals", where=(heavy,))
    assert not isinstance(laundry("hospitals with a weight over 100 tonnes"), AskedData)


def test_what_ends_soon_is_listed_by_its_day() -> None:
    months = Period(start=TODAY, end=date(2027, 2, 24))

    assert asked("whose contract ends in the next 3 months") == RowQuery(table="hospitals", period=months)


@pytest.mark.parametrize("text", ["revenue of the hospitals in Utrecht last month", "乌得勒支的医院上个月的收入"])
def test_what_a_value_is_said_of_adds_nothing(text: str) -> None:
    where = (Condition(column="hospitals.city", values=("Utrecht",)),)
    october = Period(start=date(2026, 10, 1), end=date(2026, 11, 1))

    assert asked(text) == MetricQuery(metric="revenue", where=where, period=october)


def test_who_did_something_is_not_how_often_it_was_done() -> None:
    assert not isinstance(said("how many customers from France placed an order last month"), AskedData)


def test_a_guess_beside_a_value_of_its_column_is_not_added_to_it() -> None:
    assert not isinstance(said("how many shipments are still open"), AskedData)


def test_orders_that_are_to_come_are_none() -> None:
    assert not isinstance(said("orders in the next 3 months"), AskedData)


@pytest.mark.parametrize(
    ("language", "asked_for", "told"),
    [
        ("en", "projects without a customer", "Projects, customers: none"),
        ("zh", "哪些项目没有客户", "项目，客户：无"),
        ("en", "which projects are overdue?", "Projects, due date before 2026-11-23, running"),
        ("zh", "哪些项目逾期了", "项目，截止日期早于 2026-11-23、进行中"),
        ("en", "which people left?", "People, leaving date: any day"),
        ("zh", "离职的员工有哪些", "员工，离职日期：有"),
    ],
)
def test_what_rows_lack_or_have_is_told_in_words(language: Language, asked_for: str, told: str) -> None:
    assert Wording(COMPANY, language).subject(query(asked_for)) == told


@pytest.mark.parametrize(("language", "told"), [("en", "Pieces delivered plus deliveries"), ("zh", "配送件数加配送")])
def test_two_numbers_that_are_added_are_both_named(language: Language, told: str) -> None:
    added = MetricQuery(metric="pieces", plus="deliveries")

    assert Wording(LAUNDRY, language).subject(added) == told


def test_a_list_shows_no_keys_that_only_join_rows() -> None:
    shown = built(query("projects without a customer"), COMPANY, dialect="sqlite", today=TODAY).columns

    assert not {"projects.id", "projects.department_id", "projects.customer_id"} & {each.refers_to for each in shown}
    assert shown[0].refers_to == "projects.name"


@pytest.mark.parametrize("text", ["去年十二月比十一月销售额变化", "revenue in December last year vs November"])
def test_a_month_beside_one_of_a_named_year_is_of_that_year(text: str) -> None:
    found = query(text)

    assert isinstance(found, MetricQuery)
    assert found.period == Period(start=date(2025, 12, 1), end=date(2026, 1, 1))
    assert found.against == Period(start=date(2025, 11, 1), end=date(2025, 12, 1))


def test_a_month_compared_with_itself_of_last_year_stays_this_years() -> None:
    assert query("revenue in October compared with October last year").period == Period(
        start=date(2026, 10, 1), end=date(2026, 11, 1)
    )
