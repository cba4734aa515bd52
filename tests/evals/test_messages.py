"""Messages of staff: what the desk takes them for and what a ticket holds of them; the score is printed and checked."""

import asyncio

import pytest

from evals.cases import SHIPPED
from evals.command import run_messages
from evals.messages import MessageCase, TakenFor, grade_messages, load_messages, macro_f1, messages_scores
from evals.report import rows, summary

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)


@pytest.mark.parametrize("name", ["messages", "held_out_messages"])
def test_the_score_reaches_every_threshold(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = load_messages(SHIPPED / f"{name}.yaml")
    report = asyncio.run(run_messages(file))
    told = "\n".join([*(" | ".join(row) for row in rows(report, every=False)), *summary(report)])

    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build

    assert report.thresholds
    assert report.passed, told


def test_the_mean_counts_every_intent_alike() -> None:
    assert macro_f1([("a", "a")] * 98 + [("b", "a"), ("b", "b")]) == pytest.approx((196 / 197 + 2 / 3) / 2)


def test_a_part_of_a_value_is_inexact_and_a_value_of_nothing_made_up() -> None:
    case = MessageCase(say="the lamp in room 4", intent="report", fields={"location": "room 4", "device": "lamp"})
    seen = (TakenFor("report", {"location": "4", "device": "the lamp", "system": "in"}),)

    grades = grade_messages((case,), seen)

    scores = {score.name: (score.right, score.of) for score in messages_scores((case,), grades, seen)}
    assert scores["fields_exact"] == (1, 2)
    assert scores["not_made_up"] == (2, 3)
