"""Rows are asked for by their names, and for the last day on which something was done with one."""

from datetime import date

import pytest

from features.data.understanding.asked import AskedData
from features.data.understanding.reading import read
from features.data.understanding.thread import Questions
from language.scripts import language_of
from queries.sql.metrics.query import RowQuery
from tests.features.data.test_reading import COMPANY, TODAY

NAMES = {"company": {"customers.name": ("Polderfris", "川味冷链"), "people.name": ("Emma de Wit",)}}


def asked(text: str) -> AskedData:
    found = read(
        text, catalogs={"company": COMPANY}, known=NAMES, today=TODAY, language=language_of(text) or "en", before=None
    )
    assert isinstance(found, AskedData)
    return found


@pytest.mark.parametrize(
    ("text", "day", "ascending"),
    [
        ("when did Polderfris last order?", "orders.ordered_on", False),
        ("川味冷链最近一次下单是哪天", "orders.ordered_on", False),
        ("when was the first order of Polderfris?", "orders.ordered_on", True),
    ],
)
def test_the_last_day_of_what_belongs_to_a_row(text: str, day: str, *, ascending: bool) -> None:
    query = asked(text).query

    assert isinstance(query, RowQuery)
    assert (query.order, query.ascending, query.rows) == (day, ascending, 1)


def test_the_day_on_which_somebody_began() -> None:
    query = asked("when did Emma de Wit start?").query

    assert isinstance(query, RowQuery)
    assert query.columns == ("people.name", "people.hired_on")


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("total of bills due next week", True),
        ("下周到期的账单总额", True),
        ("the number of pallets shown last week is wrong", False),
        ("how many times did I tell you last week", False),
        ("the printer was broken last week", False),
    ],
)
def test_a_question_for_a_number_is_told_from_a_report(text: str, *, asks: bool) -> None:
    assert Questions({"company": COMPANY}).asks_number(text, today=date(2026, 11, 23)) == asks
