"""The judge of evidence: trees as data, signs, and what a table says by its marks."""

import json
import math
from pathlib import Path

import pytest

from agent.brains.rules.answering.certainty.forest import Forest
from agent.brains.rules.answering.certainty.likelihood import WEIGHTS, how_likely, likelihood
from agent.brains.rules.answering.certainty.signs import NAMES, signs_of
from agent.brains.rules.answering.passages import Passage, passages_of
from agent.brains.rules.answering.question import Question
from agent.brains.rules.answering.ranking import rank
from agent.brains.rules.answering.tables import from_table
from agent.grounding.support import support

HEADER = "| Date | Holiday | NL | DE | PL |\n| --- | --- | --- | --- | --- |\n"
HOLIDAYS = """| Date | Holiday | NL | DE | PL |
| --- | --- | --- | --- | --- |
| 2026-04-06 | Easter Monday | x | x | x |
| 2026-04-27 | King's Day | x |  |  |
| 2026-05-01 | Labour Day |  | x | x |"""


def told(question: str, text: str = HOLIDAYS, language: str = "en") -> str | None:
    passage = Passage("E1", "Holidays", "Holidays", "holidays.xlsx", text)
    return from_table(Question.of(question, language), passage.pieces)


def test_a_forest_adds_its_leaves_and_knows_the_unknown(tmp_path: Path) -> None:
    tree = [[0, 0.5, 1, 1, 2], -1.0, 2.0]
    file = tmp_path / "forest.json"
    file.write_text(json.dumps({"signs": ["words"], "base": 0.5, "trees": [tree, tree]}), encoding="utf-8")
    forest = Forest.read(file)
    assert forest.likelihood([0.4]) == pytest.approx(1 / (1 + math.exp(1.5)))
    assert forest.likelihood([0.6]) == pytest.approx(1 / (1 + math.exp(-4.5)))
    assert forest.likelihood([math.nan]) == forest.likelihood([0.4])


def test_the_shipped_forest_was_grown_over_the_signs_of_today() -> None:
    assert Forest.read(WEIGHTS).signs == NAMES


def test_what_is_not_known_has_no_value() -> None:
    question = Question.of("how long is a lease", "en")
    words = rank(
        question, [Passage("E1", "Leases", "Leases", "a.md", "A lease lasts 3 years.", coverage=0.9, score=1.0)]
    )
    assert math.isnan(signs_of(question, words).cosine)
    assert 0 < likelihood(question, words) < 1


def test_a_page_of_links_is_no_evidence() -> None:
    links = {"evidence": "E1", "title": "Leases", "section": "Leases", "source": "a.md", "text": "- [Leases](b.md)"}
    assert how_likely("how long is a lease", "en", {"passages": [{**links, "kind": "navigation"}]})[1] == 0.0
    assert passages_of({"passages": [links]})


def test_rows_that_a_column_marks_are_listed_and_counted() -> None:
    listed = told("list all holidays in Poland")
    assert listed is not None
    assert "Labour Day" in listed
    assert "King's Day" not in listed
    counted = told("how many holidays are there in Poland?")
    assert counted is not None
    assert counted.startswith("**2**")


@pytest.mark.parametrize(
    ("question", "language", "opening"),
    [
        ("Is King's Day a holiday in Germany?", "en", "No."),
        ("Is Labour Day a holiday in Germany?", "en", "Yes."),
        ("Is Easter Monday off in Poland?", "en", "Yes."),
    ],
)
def test_yes_and_no_are_what_the_mark_says(question: str, language: str, opening: str) -> None:
    said = told(question, language=language)
    assert said is not None
    assert said.startswith(opening)
    assert said.count("\n| 2026") == 1


@pytest.mark.parametrize(
    "question", ["Is Carnival a holiday in Germany?", "when is King's Day?", "who plans holidays?"]
)
def test_a_table_that_does_not_say_it_is_quoted_like_any_other(question: str) -> None:
    assert told(question) is None


@pytest.mark.parametrize(
    ("claim", "stands"),
    [
        (
            f"No.\n\n{HEADER}| 2026-04-27 | King's Day | x |  |  |",
            True,
        ),
        (
            f"No.\n\n{HEADER}| 2026-04-06 | Easter Monday | x | x | x |",
            False,
        ),
        (
            f"**1**\n\n{HEADER}| 2026-04-27 | King's Day | x |  |  |",
            True,
        ),
        (
            f"**3**\n\n{HEADER}| 2026-04-27 | King's Day | x |  |  |",
            False,
        ),
    ],
)
def test_an_opening_stands_only_where_the_rows_below_it_say_so(claim: str, *, stands: bool) -> None:
    assert support(claim, HOLIDAYS).is_enough is stands


def test_yes_before_a_sentence_that_says_no_does_not_stand() -> None:
    text = "Alcohol is not paid."
    assert support("No. Alcohol is not paid.", text).is_enough
    assert not support("Yes. Alcohol is not paid.", text).is_enough
