"""Phrases that say when, of the eval: the score is printed and checked."""

import pytest

from evals.cases import SHIPPED
from evals.command import run_times
from evals.report import rows, summary


@pytest.mark.parametrize("name", ["times", "held_out_times"])
def test_the_score_reaches_every_threshold(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = run_times(SHIPPED / f"{name}.yaml")
    told = "\n".join([*(" | ".join(row) for row in rows(report, every=False)), *summary(report)])

    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build

    assert report.thresholds
    assert report.passed, told
