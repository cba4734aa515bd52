"""Periods as people write them, seen from Monday, 23 November 2026."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from features.data.understanding.words.periods.spans import DaySpan
from features.data.understanding.words.periods.written import periods_in

TODAY = date(2026, 11, 23)


def days(text: str) -> list[tuple[str, str]]:
    return [(str(each.value.start), str(each.value.end)) for each in periods_in(text, TODAY)]


@pytest.mark.parametrize(
    ("texts", "start", "end"),
    [
        ("last month|the previous month|上个月|上月", "2026-10-01", "2026-11-01"),
        ("this year|今年|year to date|2026年", "2026-01-01", "2027-01-01"),
        ("Q3|third quarter|三季度|第3季度|q3 of this year|last quarter|上季度", "2026-07-01", "2026-10-01"),
        ("Q3 last year|last year's Q3|去年三季度|2025 Q3|Q3 2025|2025年Q3", "2025-07-01", "2025-10-01"),
        ("in May|May 2026|5月|五月份|今年5月", "2026-05-01", "2026-06-01"),
        ("in December|去年12月|12月", "2025-12-01", "2026-01-01"),
        ("past 7 days|last 7 days|近7天|最近一周|past week", "2026-11-17", "2026-11-24"),
        ("last week|上周|上个星期", "2026-11-16", "2026-11-23"),
        ("yesterday|昨天|2026-11-22|22 November", "2026-11-22", "2026-11-23"),
        ("since Monday|自周一以来|周一以来", "2026-11-16", "None"),
        ("since March|3月以来|从今年三月至今", "2026-03-01", "None"),
        ("from January to March|1月到3月|between January and March", "2026-01-01", "2026-04-01"),
        ("before 2025|2025年之前", "None", "2025-01-01"),
        ("the first half of 2025|去年上半年|H1 2025", "2025-01-01", "2025-07-01"),
        ("on Black Friday last year|Black Friday", "2025-11-28", "2025-11-29"),
        ("last Christmas|去年圣诞节|Christmas 2025", "2025-12-25", "2025-12-26"),
        ("去年双十一|2025年双11", "2025-11-11", "2025-11-12"),
    ],
)
def test_a_period_has_its_days(texts: str, start: str, end: str) -> None:
    assert {text: days(text) for text in texts.split("|")} == {text: [(start, end)] for text in texts.split("|")}


@pytest.mark.parametrize(
    "text", ["may I see it", "3个产品", "room 2017a", "more than 2000 euros", "the top 5", "march on"]
)
def test_what_is_no_period_is_none(text: str) -> None:
    assert days(text) == []


def test_two_periods_stay_two() -> None:
    assert days("this month compared with last month") == [("2026-11-01", "2026-12-01"), ("2026-10-01", "2026-11-01")]


def test_what_is_before_a_month_is_a_month() -> None:
    march = DaySpan(date(2026, 3, 1), date(2026, 4, 1), "month")

    assert march.before() == DaySpan(date(2026, 2, 1), date(2026, 3, 1), "month")
    assert march.year_before() == DaySpan(date(2025, 3, 1), date(2025, 4, 1), "month")


@given(
    some.text(alphabet="last month 上个月近7天2025-05 Q3 since 至今到to年 ", max_size=40),
    some.dates(date(2000, 1, 1), date(2100, 1, 1)),
)
def test_any_text_gives_periods_in_reading_order(text: str, today: date) -> None:
    found = list(periods_in(text, today))

    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(
        each.value.start is None or each.value.end is None or each.value.start < each.value.end for each in found
    )
