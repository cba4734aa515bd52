"""Questions that point back at rows: bounded as those are, or asked back; never a number of all rows."""

import pytest

from agent.tools.context import Recollection, Turn
from evals.data_trial import CATALOG
from features.data.understanding.asked import AskedData, AskedParts, ReadMessage, UnclearQuestion
from features.data.understanding.thread import Questions
from language.scripts import language_of
from queries.sql.metrics.query import Condition
from queries.sql.setup.reading import read_catalog
from tests.features.data.test_reading import TODAY

QUESTIONS = Questions({"company": read_catalog(CATALOG)})
GERMAN = Condition(column="customers.country", values=("Germany",))
OF_THE_DESK = Condition(column="departments.name", values=("Service Desk",))


def _read(*said: str) -> ReadMessage:
    """Read the last of the messages of a thread."""
    turns = tuple(Turn(asked=each, answered="", outcome="answered") for each in said[:-1])
    language = language_of(said[-1]) or "en"
    return QUESTIONS.read(said[-1], Recollection(turns=turns), today=TODAY, language=language)


@pytest.mark.parametrize(
    "said",
    [
        ("of those, how many were cancelled",),
        ("how many wobbly orders last week", "of those, how many were cancelled"),
        ("how many wobbly orders last week", "how much money is that"),
        ("上周一共多少鬯夔单", "其中取消了多少"),
        ("thank you", "how many of these orders were cancelled"),
        ("what share of orders were cancelled last month", "how much money is that"),
        ("top 3 products this year by revenue", "how many orders are these"),
        ("how many orders were there last month", "how many of those fell through"),
        ("成都现在多少人", "里面在家办公的几个"),
    ],
)
def test_what_points_back_at_rows_that_nobody_read_is_asked_back(said: tuple[str, ...]) -> None:
    found = _read(*said)

    assert isinstance(found, UnclearQuestion)
    assert found.reason == "those"
    assert _read(*said, found.choices[0].label) == found.choices[0].asked


@pytest.mark.parametrize(
    ("said", "bound"),
    [
        (("how many customers do we have in germany", "how many orders did they place this year"), GERMAN),
        (("德国有多少客户", "他们今年下了多少单"), GERMAN),
        (("how many projects does the service desk have", "what is their budget all together"), OF_THE_DESK),
    ],
)
def test_what_points_back_at_rows_is_bounded_as_they_are(said: tuple[str, ...], bound: Condition) -> None:
    found = _read(*said)

    assert isinstance(found, AskedData)
    assert found.query.where == (bound,)


def test_a_second_number_of_one_message_is_of_the_rows_of_the_first() -> None:
    found = _read("how many projects does the service desk have and whats their budget all together")

    assert isinstance(found, AskedParts)
    assert [part.asked.query.where for part in found.asked] == [(OF_THE_DESK,)] * 2


def test_a_second_number_that_cannot_be_of_those_rows_is_left() -> None:
    found = _read("how many environments are idle and what is their budget")

    assert not isinstance(found, AskedData)
    asked = found.asked if isinstance(found, AskedParts) else ()
    assert all("environments" in part.asked.query.model_dump_json() for part in asked)


@pytest.mark.parametrize(
    "text",
    [
        "How does this month's revenue compare to the same month last year",
        "list running projects of operations with their budget",
        "上个月有多少订单，其中被取消的有多少",
    ],
)
def test_what_a_message_names_itself_is_answered(text: str) -> None:
    assert isinstance(_read(text), AskedData | AskedParts)
