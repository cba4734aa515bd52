"""A report as JSON: as it is stored, with both languages, and as it is given out, in one of them (schema v1)."""

import json
from datetime import datetime
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from queries.observe.report.report import (
    ClusterChange,
    DiagnosisReport,
    NotChecked,
    Recommendation,
    ReportEvidence,
    ReportIssue,
    ReportMetric,
    ReportWords,
)
from storage.ids import JsonObject, JsonValue

SCHEMA_VERSION = "1"


def stored_form(report: DiagnosisReport) -> JsonObject:
    """Return the report with all it holds, to be kept; `report_of` reads it back."""
    return dict(_adapter().dump_python(report, mode="json"))


def report_of(stored: JsonObject) -> DiagnosisReport:
    """Return a report that was stored; `ValueError` where it is none."""
    return _adapter().validate_python(stored)


@cache
def _adapter() -> TypeAdapter[DiagnosisReport]:
    return TypeAdapter(DiagnosisReport)


def schema() -> JsonObject:
    """Return the JSON Schema that each report given out keeps; reads a file of the package."""
    written = files("queries.observe.report").joinpath("report.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(written))


def report_json(report: DiagnosisReport, language: str) -> JsonObject:
    """Return the report in schema v1, its sentences in one language ("en" or "zh")."""
    asked = report.asked

    def said(words: ReportWords) -> str:
        return words.in_language(language, today=asked.now)

    return {
        "schemaVersion": SCHEMA_VERSION,
        "runId": asked.run_id,
        "input": {
            "question": asked.question,
            "language": asked.language,
            "cluster": asked.cluster,
            "namespace": asked.namespace,
            "app": asked.app,
            "selector": asked.selector,
            "pod": asked.pod,
            "windowSeconds": asked.window_s,
            "now": asked.now.isoformat().replace("+00:00", "Z"),
        },
        "summary": {
            "severity": report.severity.value,
            "headline": report.headline.in_language(language),
            "onset": _time(report.onset),
            "topFindings": [
                {"rule": each.rule, "object": each.object, "hypothesis": said(each.hypothesis)} for each in report.top
            ],
        },
        "issues": [_issue(each, language, said(each.hypothesis)) for each in report.issues],
        "evidence": [_evidence(each) for each in report.evidence],
        "metrics": [_metric(each, language) for each in report.metrics],
        "ruledOut": [
            {"rule": each.rule, "why": said(each.why), "evidence": list(each.evidence)} for each in report.ruled_out
        ],
        "notChecked": [_not_checked(each, language) for each in report.not_checked],
        "changes": [_change(each, language) for each in report.changes],
        "deployed": [
            {"object": each.object, "text": said(each.text), "evidence": list(each.evidence)}
            for each in report.deployed
        ],
        "explained": list(report.explained),
        "toolCalls": [
            {
                "name": each.name,
                "ok": each.ok,
                "latencyMs": each.latency_ms,
                "requests": each.requests,
                "errorType": each.error.value if each.error else None,
            }
            for each in report.calls
        ],
        "limits": {"logTruncated": report.log_truncated, "promPartial": report.metrics_partial},
        "meta": {"promptVersion": report.prompt_version, "tokenUsage": report.tokens, "llmFailed": report.model_failed},
    }


def _issue(issue: ReportIssue, language: str, hypothesis: str) -> JsonObject:
    return {
        "rule": issue.rule,
        "object": issue.object,
        "role": issue.role.value,
        "severity": issue.severity.value,
        "hypothesis": hypothesis,
        "confidence": issue.confidence,
        "evidence": list(issue.evidence),
        "recommendations": [_recommendation(each, language) for each in issue.recommendations],
    }


def _recommendation(recommendation: Recommendation, language: str) -> JsonObject:
    made: dict[str, JsonValue] = {"text": recommendation.text.in_language(language)}
    if recommendation.command:
        made["command"] = recommendation.command
    if recommendation.runbook is not None:
        runbook = recommendation.runbook
        made["runbook"] = {"title": runbook.title, "url": runbook.url, "steps": list(runbook.steps)}
    return made


def _evidence(evidence: ReportEvidence) -> JsonObject:
    """Return evidence under the names by which it is looked for: what does not apply is left out."""
    made: dict[str, JsonValue] = {
        "id": evidence.id,
        "source": evidence.source,
        "object": evidence.object,
        "query" if evidence.source == "metric" else "request": evidence.request,
    }
    named: dict[str, JsonValue] = {
        "name" if evidence.source == "metric" else "field": evidence.field,
        "value": _value(evidence),
        "excerpt": evidence.excerpt,
        "reason": evidence.reason,
        "scope": evidence.scope,
        "sha256": evidence.sha256,
        "at": _time(evidence.at),
        "first": _time(evidence.first),
        "last": _time(evidence.last),
    }
    made.update({key: value for key, value in named.items() if value not in {"", None}})
    if evidence.count is not None:
        made["count"] = evidence.count
    if evidence.source == "error" and evidence.value.isdigit():
        made["code"] = int(evidence.value)
    return made


def _value(evidence: ReportEvidence) -> JsonValue:
    """Return a value as a number where it was counted or measured."""
    if evidence.source == "metric":
        return float(evidence.value)
    counted = evidence.source == "api" and evidence.value.isdigit() and evidence.field.rpartition(".")[2] in _COUNTS
    return int(evidence.value) if counted else evidence.value


_COUNTS = frozenset(
    {
        "restartCount", "exitCode", "replicas", "readyReplicas", "unavailableReplicas", "updatedReplicas",
        "numberReady", "desiredNumberScheduled", "timeoutSeconds", "failureThreshold", "failed", "backoffLimit",
        "maxReplicas", "currentReplicas",
    }
)  # fmt: skip


def _metric(metric: ReportMetric, language: str) -> JsonObject:
    return {
        "name": metric.name,
        "title": metric.title.in_language(language),
        "unit": metric.unit,
        "query": metric.query,
        "series": [
            {"name": name, "values": [[_time(at), value] for at, value in values]} for name, values in metric.series
        ],
    }


def _not_checked(missing: NotChecked, language: str) -> JsonObject:
    return {"what": missing.what, "errorType": missing.kind.value, "why": missing.why.in_language(language)}


def _change(change: ClusterChange, language: str) -> JsonObject:
    return {
        "at": _time(change.at),
        "kind": change.kind,
        "object": change.object,
        "text": change.text.in_language(language),
        "evidence": list(change.evidence),
    }


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
