"""Questions that people asked of a database that nobody had prepared for them: a driving school's, in their words."""

from datetime import date
from pathlib import Path

import pytest

from features.data.understanding.asked import AskedData, ReadMessage
from features.data.understanding.reading import read_all
from language.scripts import language_of
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, Period, RowQuery
from queries.sql.setup.reading import read_catalog

TODAY = date(2026, 11, 28)
SCHOOL = read_catalog(Path(__file__).parent / "driving_school.yaml")
OPEN = Condition(column="invoices.status", values=("open",))
OVERDUE = Condition(column="invoices.due_on", values=("2026-11-28",), operator="less")


def said(text: str, before: AskedData | None = None) -> ReadMessage:
    return read_all(text, catalogs={"school": SCHOOL}, known={}, today=TODAY, language=language_of(text), before=before)


def asked(*texts: str) -> DataQuery:
    found: ReadMessage = None
    for text in texts:
        found = said(text, found if isinstance(found, AskedData) else None)
        assert isinstance(found, AskedData), (text, found)
    assert isinstance(found, AskedData)
    return found.query


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("how many lessons are planned for tomorrow", date(2026, 11, 29)),
        ("明天已预约的课有几节", date(2026, 11, 29)),
        ("how many lessons are planned for the day after tomorrow", date(2026, 11, 30)),
        ("后天已预约的课有几节", date(2026, 11, 30)),
    ],
)
def test_days_ahead_are_of_what_lies_ahead(text: str, day: date) -> None:
    planned = Condition(column="lessons.status", values=("planned",))
    found = asked(text)

    assert found.where == (planned,)
    assert found.period == Period(start=day, end=date.fromordinal(day.toordinal() + 1))


def test_nothing_is_counted_of_days_to_come_that_hold_nothing() -> None:
    assert not isinstance(said("takings tomorrow"), AskedData)


def test_a_follow_up_by_month_goes_on_to_come() -> None:
    december = Period(start=date(2026, 12, 1), end=date(2027, 1, 1))

    assert asked("下周有几节课", "那整个十二月呢").period == december


@pytest.mark.parametrize("text", ["逾期没付的账单有几张", "how many overdue invoices are there"])
def test_overdue_is_what_was_due_and_is_open(text: str) -> None:
    found = asked(text)

    assert isinstance(found, RowQuery)
    assert OVERDUE in found.where
    assert OPEN in found.where


def test_overdue_is_not_what_was_never_reported() -> None:
    columns = {each.column for each in asked("damages past their deadline and still not fixed").where}

    assert columns == {"damages.fix_by", "damages.fixed_on"}


def test_without_a_value_leaves_it_out_of_what_was_asked() -> None:
    left = Condition(column="learners.source", values=("friends",), operator="is_not")
    first = "sign-ups by source this year"

    assert left in asked(first, "same without word of mouth").where
    assert left in asked(first, "same thing except word of mouth").where


@pytest.mark.parametrize("text", ["which branches have unpaid invoices", "which branches have invoices that are open"])
def test_who_has_rows_with_a_value_is_their_number_for_each(text: str) -> None:
    assert asked(text) == MetricQuery(metric="invoices", aggregate="count", by=("branches.name",), where=(OPEN,))


@pytest.mark.parametrize("text", ["how many learners failed a practical exam this year", "今年路考没通过的学员有几个"])
def test_those_to_whom_something_belongs_are_counted_once(text: str) -> None:
    found = asked(text)

    assert isinstance(found, MetricQuery)
    assert found.groups
    assert found.by == ("exams.learner_id",)
    assert {made.values for made in found.where} == {("failed",), ("practical",)}


def test_a_place_of_another_kind_is_none_of_ours() -> None:
    assert not isinstance(said("how much did the restaurant at Quarry Dock make in August"), AskedData)
