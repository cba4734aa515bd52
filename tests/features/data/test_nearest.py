"""A question for numbers in words that no catalogue has: what was read is kept, the nearest numbers are offered."""

from pathlib import Path

import pytest
import yaml

from agent.tools.context import Recollection, Turn
from features.data.understanding.asked import AskedData
from features.data.understanding.nearest import Nearest
from features.data.understanding.thread import Questions
from language.scripts import language_of
from queries.sql.catalog.catalog import Catalog
from queries.sql.metrics.query import MetricQuery
from tests.features.data.test_reading import TODAY

SHOPS = Catalog.model_validate(
    yaml.safe_load(Path(__file__).with_name("repair_shops.yaml").read_text(encoding="utf-8"))
)
QUESTIONS = Questions({"shops": SHOPS})


def nearest(text: str) -> Nearest:
    return QUESTIONS.nearest(text, today=TODAY, language=language_of(text) or "en")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("how many wobblies did we have last month", "period"),
        ("wobblies seen this year by month", "grain"),
        ("上个月有多少起鬯夔", "period"),
    ],
)
def test_numbers_are_offered_with_what_could_be_read(text: str, kept: str) -> None:
    assert QUESTIONS.read(text, Recollection(), today=TODAY, language=language_of(text) or "en") is None
    assert QUESTIONS.unread(text, today=TODAY)
    offered = nearest(text).ranked({})

    assert offered
    assert any(getattr(each.asked.query, kept, None) for each in offered)


def test_the_number_that_means_the_same_is_offered_first_and_pressing_it_goes_on() -> None:
    text = "wobblies seen this year by month"
    found = nearest(text)
    meant = found.near[-1]
    offered = found.ranked({meant.terms[0]: 2.0})
    assert len(offered) > 1
    assert offered[0] == meant.choice

    memory = Recollection(turns=(Turn(asked=text, answered="", outcome="asked_back"),))
    pressed = QUESTIONS.read(offered[0].label, memory, today=TODAY, language="en")

    assert isinstance(pressed, AskedData)
    assert isinstance(pressed.query, MetricQuery)
    assert pressed.query == offered[0].asked.query
    assert pressed.query.period is not None


@pytest.mark.parametrize(
    "text",
    [
        "the wobbly in bay 3 is broken since Monday",
        "corporate card ending 4410 is declined at every hotel",
        "how many days off do I have this year",
        "宿舍两人间多少钱",
        "11号码头的卷帘门开到一半就停",
    ],
)
def test_a_report_and_a_question_about_oneself_want_no_rows(text: str) -> None:
    assert not QUESTIONS.unread(text, today=TODAY)


def test_where_nothing_could_be_read_and_nothing_is_near_nothing_is_offered() -> None:
    assert nearest("how many wobblies").ranked({}) == ()
