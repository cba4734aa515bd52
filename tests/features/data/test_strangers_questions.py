"""Questions that people asked of a database that nobody had prepared for them: a driving school's, in their words."""

from datetime import date
from pathlib import Path

import pytest

from agent.tools.context import Recollection, Turn
from features.data.understanding.asked import AskedData, AskedParts, ReadMessage, UnclearQuestion
from features.data.understanding.reading import read_all
from features.data.understanding.thread import Questions
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

    assert columns == {"damages.fix_by", "damages.fixed_on", "damages.status"}  # what is written off is not awaited


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


@pytest.mark.parametrize("text", ["how many learners haven't passed an exam this year", "今年没缺考的学员有几个"])
def test_of_those_of_whom_something_is_not_so_no_rows_are_counted(text: str) -> None:
    found = said(text)

    assert not isinstance(found, AskedData) or not getattr(found.query, "groups", False)


def test_a_place_of_another_kind_is_none_of_ours() -> None:
    assert not isinstance(said("how much did the restaurant at Quarry Dock make in August"), AskedData)


def test_money_is_asked_of_the_rows_that_were_counted() -> None:
    for text in ("overdue invoices - how many and how much money", "逾期未付的账单有多少，一共多少钱"):
        found = said(text)
        assert isinstance(found, AskedParts)
        count, total = (part.asked.query for part in found.asked)
        assert isinstance(total, MetricQuery)
        assert total.metric in ("invoices.amount", "takings")  # of open ones both are the same sum
        assert set(total.where) == set(count.where) == {OPEN, OVERDUE}


@pytest.mark.parametrize("text", ["compared with motorbikes", "跟摩托车比呢"])
def test_another_group_is_compared_with_and_no_other_period(text: str) -> None:
    first = "pass rate for the car licence this year" if text.isascii() else "今年小车的通过率"
    found = asked(first, text)

    assert isinstance(found, MetricQuery)
    assert found.by == ("learners.license",)
    assert found.where == (Condition(column="learners.license", values=("car", "motorbike")),)
    assert found.against is None


def test_a_group_is_not_compared_with_a_number_of_all() -> None:
    first = said("pass rate this year")

    assert isinstance(first, AskedData)
    assert not isinstance(said("compared with motorbikes", first), AskedData)


@pytest.mark.parametrize("text", ["how many lessons did we give last week", "上周上了几节课"])
def test_what_was_done_counts_none_that_was_not(text: str) -> None:
    assert Condition(column="lessons.status", values=("given",)) in asked(text).where


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("how long does it take on average to repair a collision", "damages.hours"),
        ("how many hours does it take to fix a tyre on average", "damages.hours"),
        ("修发动机平均要几个小时", "damages.hours"),
        ("what does an instructor earn per hour", "instructors.hourly_wage"),
    ],
)
def test_what_each_takes_or_earns_is_a_mean_of_its_column(text: str, column: str) -> None:
    found = asked(text)

    assert isinstance(found, MetricQuery)
    assert (found.metric, found.aggregate) == (column, "average")


def test_what_is_paid_for_one_is_what_its_row_says() -> None:
    found = asked("what rent do we pay for Wicker Lane")

    assert isinstance(found, RowQuery)
    assert found.columns == ("branches.name", "branches.monthly_rent")


def test_a_state_of_several_things_is_asked_back() -> None:
    found = said("how many are open?")

    assert isinstance(found, UnclearQuestion)
    assert [each.label for each in found.choices] == ["Invoices, open"]


@pytest.mark.parametrize(("text", "first"), [("oldest first", True), ("newest first", False)])
def test_rows_stand_in_the_order_of_their_first_day(text: str, *, first: bool) -> None:
    found = asked(f"damages not fixed yet at Stennet, {text}")

    assert isinstance(found, RowQuery)
    assert (found.order, found.ascending) == ("damages.reported_on", first)
    assert Condition(column="damages.status", values=("written_off",), operator="is_not") in found.where


def test_what_is_so_many_days_late_was_due_before_them() -> None:
    late = Condition(column="invoices.due_on", values=("2026-09-29",), operator="less")

    assert set(asked("how many overdue invoices", "just the ones more than 60 days late").where) == {late, OPEN}
    assert set(asked("how many invoices are more than 60 days overdue").where) == {late, OPEN}


def test_a_follow_up_is_of_each_number_that_was_asked_of_the_same_rows() -> None:
    asks = "how many unpaid invoices are there, and how much money"
    thread = Recollection(turns=(Turn(asked=asks, answered="", outcome="answered"),))
    found = Questions({"school": SCHOOL}).read("only Holm Square", thread, today=TODAY, language="en")

    assert isinstance(found, AskedParts)
    assert [type(part.asked.query) for part in found.asked] == [RowQuery, MetricQuery]
    assert all(Condition(column="branches.name", values=("Holm Square",)) in p.asked.query.where for p in found.asked)
