"""What the rules brain reads out of utterances: the score is printed and checked."""

import pytest

from evals.cases import SHIPPED, load_routing
from evals.command import run_routing
from evals.report import rows, summary


@pytest.mark.parametrize("name", ["routing", "held_out_routing"])
def test_the_score_reaches_every_threshold(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = run_routing(load_routing(SHIPPED / f"{name}.yaml"))
    told = "\n".join([*(" | ".join(row) for row in rows(report, every=False)), *summary(report)])

    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build

    assert report.thresholds
    assert report.passed, told
