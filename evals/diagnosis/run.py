"""`dutydesk eval diagnosis`: which folders are run, and under which thresholds."""

import asyncio
import tempfile
from pathlib import Path

from evals.diagnosis.folders import folders
from evals.diagnosis.grading import diagnosis_scores
from evals.diagnosis.incidents.book import INCIDENTS, write_incidents
from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.trial import run_folders
from evals.graders import Grade, Score
from queries.observe.sources.recorded.prometheus import prometheus_installed


def run_diagnosis(root: Path | None, suite: str, out: Path | None) -> tuple[str, tuple[Grade, ...], tuple[Score, ...]]:
    """Return the name of the thresholds, the grades and the scores of a folder of incidents, or of our own."""
    if root is not None:
        grades = asyncio.run(run_folders(list(folders(root)), out))
        return "diagnosis", grades, diagnosis_scores(grades)
    with tempfile.TemporaryDirectory(prefix="dutydesk-incidents-") as made:
        write_incidents(Path(made), _chosen(suite))
        grades = asyncio.run(run_folders(list(folders(Path(made))), out))
    return "held_out_diagnosis" if suite == "held-out" else "diagnosis", grades, diagnosis_scores(grades)


def metrics_are_measured() -> bool:
    """Return whether a real Prometheus is installed here."""
    return prometheus_installed()


def _chosen(suite: str) -> tuple[MadeUpIncident, ...]:
    """Return our own incidents of a suite; the minimal one has each rule once."""
    if suite == "held-out":
        return tuple(each for each in INCIDENTS if each.held_out)
    if suite == "whole":
        return INCIDENTS
    seen: set[str] = set()
    chosen = list[MadeUpIncident]()
    for each in INCIDENTS:
        rules = {finding["rule"] for finding in each.findings}
        if rules - seen:
            seen |= rules
            chosen.append(each)
    return tuple(chosen)
