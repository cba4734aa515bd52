"""Recorded incidents, diagnosed without a model: what is required is found, and nothing else is claimed."""

import json
import re
from operator import attrgetter
from pathlib import Path

import jsonschema_rs
import pytest

from evals.diagnosis.folders import folders, read_folder
from evals.diagnosis.grading import diagnosis_scores, grade
from evals.diagnosis.incidents.book import write_incidents
from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.trial import report_on, run_folders
from queries.observe.report.report import DiagnosisReport
from queries.observe.report.written import report_json, report_of, schema, stored_form
from queries.observe.rules.seen import seen_words
from queries.observe.sources.recorded.prometheus import prometheus_installed
from tests.incidents.book import INCIDENTS
from tests.queries.observe.incidents import NAMES, changed, shared, shuffled, with_strangers, with_unknown_fields
from tests.scale import SCALE

needs_prometheus = pytest.mark.skipif(not prometheus_installed(), reason="prometheus and promtool are not installed")

#: What an operator does not say.
_INTERNAL = re.compile(
    r"\b[a-z]+_[a-z_0-9]+|\b(?:status|spec|metadata)\.|\b[a-z]+Replicas|\b[a-z]+Count|exitCode|lastState"
)


_REPORTS: dict[str, DiagnosisReport] = {}


async def reported(name: str) -> DiagnosisReport:
    """Return the report on a recorded incident; it is made once."""
    if name not in _REPORTS:
        _REPORTS[name] = await report_on(read_folder(shared(name)))
    return _REPORTS[name]


def wrong(name: str, report: DiagnosisReport) -> list[str]:
    folder = read_folder(shared(name))
    return [each.said for each in grade(folder, report, measured=True).checks if not each.passed]


@needs_prometheus
@pytest.mark.parametrize("name", NAMES)
async def test_a_recorded_incident_is_diagnosed_as_expected(name: str) -> None:
    report = await reported(name)

    assert wrong(name, report) == []
    assert [each.role for each in report.issues if each.rule in {"SECRET_IN_LOG", "LOG_INJECTION_SUSPECTED"}] in (
        [],
        ["context", "context"],
    )


@needs_prometheus
async def test_the_recorded_incidents_are_all_there() -> None:
    shared("01-crashloop-missing-config")

    assert len(NAMES) == 16


@needs_prometheus
@pytest.mark.parametrize("name", NAMES[:: 1 if SCALE >= 1 else 4])
async def test_order_strangers_and_unknown_fields_change_nothing(name: str, tmp_path: Path) -> None:
    told = await reported(name)
    again = await report_on(
        read_folder(changed(shared(name), tmp_path, with_strangers, with_unknown_fields, shuffled(11)))
    )

    assert [(each.rule, each.role, each.severity) for each in again.issues] == [
        (each.rule, each.role, each.severity) for each in told.issues
    ]
    assert wrong(name, again) == []


@needs_prometheus
async def test_our_own_incidents_reach_every_threshold(tmp_path: Path) -> None:
    played = INCIDENTS[:: 1 if SCALE >= 1 else 4]
    write_incidents(tmp_path, played)
    grades = await run_folders(list(folders(tmp_path)))
    missed = {each.case_id: [check.said for check in each.checks if not check.passed] for each in grades}

    assert len(INCIDENTS) >= 250
    assert len(grades) == len(played)
    assert {name: said for name, said in missed.items() if said} == {}
    assert all(score.of for score in diagnosis_scores(grades))


@needs_prometheus
@pytest.mark.parametrize("name", NAMES[:: 1 if SCALE >= 1 else 4])
async def test_the_same_input_gives_the_same_report(name: str) -> None:
    first = written_without_times(await reported(name))
    second = written_without_times(await report_on(read_folder(shared(name))))

    assert first == second
    assert first["issues"]


@needs_prometheus
@pytest.mark.parametrize("incident", INCIDENTS[:: 1 if SCALE >= 1 else 12], ids=attrgetter("name"))
async def test_our_own_incidents_give_the_same_report_twice(incident: MadeUpIncident, tmp_path: Path) -> None:
    write_incidents(tmp_path, (incident,))
    (folder,) = folders(tmp_path)
    report = await report_on(folder)

    assert written_without_times(report) == written_without_times(await report_on(folder))
    assert unsaid(report) == []


def unsaid(report: DiagnosisReport) -> list[str]:
    """Return the lines of evidence that show a name of ours or of the API, where nobody is quoted."""
    lines = [
        seen_words(each, told).in_language(language)
        for each in report.evidence
        for told in ("", *(issue.hypothesis.en for issue in report.issues if each.id in issue.evidence))
        for language in ("en", "zh")
    ]
    return [each for each in lines if _INTERNAL.search(re.sub("“[^”]*”", "", each)) or "{" in each.partition("“")[0]]


def written_without_times(report: DiagnosisReport) -> dict[str, object]:
    written: dict[str, object] = dict(report_json(report, "en"))
    written.pop("toolCalls")
    return written


@needs_prometheus
@pytest.mark.parametrize("name", NAMES)
async def test_every_report_keeps_the_schema_and_comes_back_from_its_stored_form(name: str) -> None:
    report = await reported(name)
    stored = json.loads(json.dumps(stored_form(report)))

    assert report_of(stored) == report
    for language in ("en", "zh"):
        jsonschema_rs.validate(dict(schema()), json.loads(json.dumps(report_json(report, language))))
    ids = {each.id for each in report.evidence}
    assert all(set(each.evidence) <= ids and each.evidence for each in report.issues)
    assert unsaid(report) == []
    assert len(report.calls) <= 6
    assert sum(each.requests for each in report.calls) <= 30


@pytest.mark.parametrize("missing", ["events.json", "deployments.json", "replicasets.json", "metrics.om", "logs"])
async def test_a_missing_source_is_told_and_no_cause_is_invented(missing: str, tmp_path: Path) -> None:
    copy = changed(shared("01-crashloop-missing-config"), tmp_path)
    requests = json.loads((copy / "requests.json").read_text(encoding="utf-8"))
    kept = [each for each in requests if not str(each["file"]).startswith(missing)]
    (copy / "requests.json").write_text(json.dumps(kept), encoding="utf-8")
    (copy / "metrics.om").unlink()
    report = await report_on(read_folder(copy))

    assert [each.rule for each in report.issues if each.role == "cause"] == ["CRASH_LOOP"]
    told = " ".join(each.what for each in report.not_checked)
    assert missing == "metrics.om" or missing.partition(".")[0].removesuffix("s") in told
