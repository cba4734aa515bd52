"""A report compared with what its folder expects."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evals.diagnosis.folders import Expected, IncidentFolder
from evals.graders import Check, Grade, Score
from queries.observe.report.report import DiagnosisReport, ReportEvidence, Role
from queries.observe.report.written import report_json

#: What claims something: a wrong one sends a person the wrong way.
_CLAIMS = frozenset({Role.CAUSE, Role.CONCLUSION})
#: Said beside whatever is expected: it claims no cause.
_NO_CLAIM = frozenset({"ACCESS_DENIED", "NOT_ENOUGH_READ"})


def grade(folder: IncidentFolder, report: DiagnosisReport, *, measured: bool) -> Grade:
    """Judge a report: findings, claims, citations, severity, secrets; metrics only where they were measured."""
    expected = folder.expected
    checks = [*_found(expected, report), *_claimed(expected, report), *_cited(expected, report, measured=measured)]
    if expected.severity is not None:
        accepted = {expected.severity, *expected.severity_accepted}
        checks.append(Check("severity", report.severity.value in accepted, f"severity {report.severity.value}"))
    written = json.dumps([report_json(report, language) for language in ("en", "zh")], ensure_ascii=False)
    checks.append(
        Check("no secret", not any(each in written for each in expected.secrets_never_output), "a secret is shown")
    )
    checks.append(Check("evidence", all(issue.evidence for issue in report.issues), "an issue has no evidence"))
    return Grade(folder.path.name, expected.group, tuple(checks))


def _found(expected: Expected, report: DiagnosisReport) -> Iterator[Check]:
    rules = {each.rule for each in report.issues}
    for wanted in expected.findings:
        if wanted.required:
            yield Check(f"found {wanted.rule}", wanted.rule in rules, f"missed {wanted.rule}")


def _claimed(expected: Expected, report: DiagnosisReport) -> Iterator[Check]:
    """Yield a check for each claim; where nothing is expected, every claim may stand."""
    if expected.severity is None and not expected.findings:
        return
    forbidden = {each.rule for each in expected.must_not_report_as_cause}
    known = {each.rule for each in expected.findings} | set(expected.also_accepted) | _NO_CLAIM
    for issue in report.issues:
        if issue.role in _CLAIMS:
            right = issue.rule not in forbidden and issue.rule in known
            yield Check(f"claim {issue.rule}", right, f"wrongly claimed {issue.rule}")


def _cited(expected: Expected, report: DiagnosisReport, *, measured: bool) -> Iterator[Check]:
    queries = {each.name: each for each in expected.queries}
    held = {each.rule for each in report.issues}
    for finding in expected.findings:
        if not finding.required or finding.rule not in held:
            continue
        for fact in finding.must_cite:
            if fact.get("source") == "metric":
                if not measured:
                    continue
                query = queries.get(str(fact.get("query")))
                wanted = _values(query.expected) if query else []
                right = _has_value(report.evidence, wanted, query.tolerance if query else 0.0)
            else:
                right = any(_holds(fact, each) for each in report.evidence)
            what = (
                fact.get("field") or fact.get("contains") or fact.get("query") or fact.get("reason") or fact.get("what")
            )
            yield Check(f"cites {finding.rule}", right, f"{finding.rule} does not cite {what}")


def _values(expected: object) -> list[float]:
    """Return the values that a query gives; text such as "empty vector" is none."""
    given = list(expected.values()) if isinstance(expected, Mapping) else [expected]
    return [float(each) for each in given if isinstance(each, int | float)]


def _has_value(evidence: Sequence[ReportEvidence], wanted: Sequence[float], tolerance: float) -> bool:
    if not wanted:
        return any(each.source in {"metric", "absence"} for each in evidence)
    measured = [float(each.value) for each in evidence if each.source == "metric"]
    return any(abs(value - each) <= tolerance + 1e-9 for value in measured for each in wanted)


def _holds(fact: Mapping[str, Any], evidence: ReportEvidence) -> bool:
    """Return whether a piece of evidence is the fact that had to be cited."""
    source = fact["source"]
    if source != evidence.source:
        return False
    if source == "api":
        told = str(fact["contains"]) in evidence.value if "contains" in fact else str(fact["value"]) == evidence.value
        whole_list = fact["object"] == "PodList"
        return whole_list or (told and fact["object"] == evidence.object and fact["field"] == evidence.field)
    if source == "event":
        same = fact["object"] == evidence.object and fact["reason"] == evidence.reason
        return (
            same
            and str(fact.get("message_contains", "")) in evidence.excerpt
            and fact.get("count", evidence.count) == evidence.count
        )
    if source == "log":
        pod, container = str(fact["file"]).removeprefix("logs/").removesuffix(".txt").split("__")[:2]
        same = evidence.object == f"Pod/{pod} container {container}"
        lines = fact.get("matching_lines", evidence.count)
        return same and str(fact["contains"]) in evidence.excerpt and lines == evidence.count
    return source == "absence" or evidence.value == str(fact.get("code"))


def diagnosis_scores(grades: Sequence[Grade]) -> tuple[Score, ...]:
    """Return the figures: found, not_false, cited, severity, no_secret, with_evidence."""
    return tuple(
        _score(name, grades, prefix)
        for name, prefix in (
            ("found", "found "),
            ("not_false", "claim "),
            ("cited", "cites "),
            ("severity", "severity"),
            ("no_secret", "no secret"),
            ("with_evidence", "evidence"),
        )
    )


def _score(name: str, grades: Sequence[Grade], prefix: str) -> Score:
    checks = [check for each in grades for check in each.checks if check.name.startswith(prefix)]
    return Score(name, sum(check.passed for check in checks), len(checks))
