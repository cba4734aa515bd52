"""The questions of the evaluation, asked of a whole desk with the rules brain: the score is printed and checked."""

import asyncio

import pytest

from evals.cases import SHIPPED, load_questions
from evals.command import run_questions
from evals.report import HEADINGS, Report, rows, summary

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)


def _told(report: Report) -> str:
    wrong = [" | ".join(row) for row in rows(report, every=False)]
    return "\n".join([" | ".join(HEADINGS), *wrong, *summary(report)])


@pytest.fixture(scope="module", params=["rules", "held_out"])
def report(request: pytest.FixtureRequest) -> Report:
    return asyncio.run(run_questions(load_questions(SHIPPED / f"{request.param}.yaml")))


def test_the_score_reaches_every_threshold(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print(f"\n{_told(report)}")  # noqa: T201 - the score belongs into the log of every build

    assert report.thresholds
    assert report.passed, _told(report)
