"""An evaluation put into words: rows for a table, JSON for programs, Markdown for a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.graders import Grade, Score, Shortfall

HEADINGS = ("case", "counts for", "", "what was seen")


@dataclass(frozen=True)
class Report:
    """The result of one case file."""

    name: str
    grades: tuple[Grade, ...]
    scores: tuple[Score, ...]
    thresholds: Mapping[str, float]
    shortfalls: tuple[Shortfall, ...]
    seconds: float

    @property
    def passed(self) -> bool:
        """Return whether every threshold is reached."""
        return not self.shortfalls


def rows(report: Report, *, every: bool) -> list[tuple[str, str, str, str]]:
    """Return a row per case under `HEADINGS`: those with something wrong, or `every` case."""
    wrong = [grade for grade in report.grades if every or not all(check.passed for check in grade.checks)]
    return [(grade.case_id, grade.group, "ok" if grade.passed else "wrong", _said(grade)) for grade in wrong]


def summary(report: Report) -> list[str]:
    """Return a line per score with its threshold, then the verdict."""
    lines = [f"{score.name}: {_figure(score)}{_threshold(report, score)}" for score in report.scores]
    verdict = "every threshold is reached" if report.passed else "below threshold: " + _below(report.shortfalls)
    if not report.thresholds:
        verdict = f"no thresholds are set for {report.name!r}"
    return [*lines, f"{report.name}: {len(report.grades)} cases in {report.seconds:.1f} s, {verdict}"]


def as_json(report: Report) -> dict[str, object]:
    """Return the report as a JSON object with stable keys."""
    return {
        "name": report.name,
        "passed": report.passed,
        "seconds": round(report.seconds, 2),
        "scores": {
            score.name: {"right": score.right, "of": score.of, "value": round(score.value, 4)}
            for score in report.scores
        },
        "thresholds": dict(report.thresholds),
        "cases": [
            {
                "id": grade.case_id,
                "group": grade.group,
                "passed": grade.passed,
                "wrong": {check.name: check.said for check in grade.checks if not check.passed},
            }
            for grade in report.grades
        ],
    }


def as_markdown(report: Report) -> str:
    """Return the report as a Markdown page: scores, then what went wrong."""
    lines = [f"# Evaluation: {report.name}", "", "| score | reached | threshold |", "| --- | --- | --- |"]
    lines += [f"| {score.name} | {_figure(score)} | {_least(report, score)} |" for score in report.scores]
    wrong = rows(report, every=False)
    if wrong:
        lines += ["", "## What went wrong", "", f"| {HEADINGS[0]} | {HEADINGS[1]} | {HEADINGS[3]} |"]
        lines += ["| --- | --- | --- |"]
        lines += [f"| {case} | {group} | {_cell(said)} |" for case, group, _, said in wrong]
    return "\n".join([*lines, ""])


def _said(grade: Grade) -> str:
    return "; ".join(f"{check.name}: {check.said}" for check in grade.checks if not check.passed)


def _figure(score: Score) -> str:
    return f"{score.right} of {score.of} ({score.value:.3f})"


def _threshold(report: Report, score: Score) -> str:
    least = report.thresholds.get(score.name)
    return "" if least is None else f", at least {least:g}"


def _least(report: Report, score: Score) -> str:
    least = report.thresholds.get(score.name)
    return "" if least is None else f"{least:g}"


def _below(missed: Sequence[Shortfall]) -> str:
    return ", ".join(f"{each.name} {each.value:.3f} < {each.least:g}" for each in missed)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
