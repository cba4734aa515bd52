"""Pages of diagnoses: the newest ones, and one with its timeline, its charts and the evidence of each statement."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from adapters.cards import Block, Chart, ChartSeries
from features.anatomy.pages import Download, Drawn, NoSuchPage, View, Visit
from features.anatomy.reader import Reader, moments, when
from features.diagnosis.results import shown_values
from features.diagnosis.runbooks import Runbooks
from identity.policy import decide
from identity.readership import Alone
from queries.observe.access.permissions import DIAGNOSE, MANAGE_SOURCES
from queries.observe.errors import NoSuchReport
from queries.observe.report.kept import KeptReport
from queries.observe.report.report import (
    DiagnosisReport,
    Recommendation,
    ReportEvidence,
    ReportIssue,
    ReportMetric,
    Runbook,
    Severity,
)
from queries.observe.report.written import report_json
from queries.observe.rules.seen import seen_words
from queries.observe.service import ObserveService

#: How bad each severity looks.
TONES: Mapping[Severity, str] = {Severity.S1: "bad", Severity.S2: "warn", Severity.S3: "warn", Severity.S0: "good"}
#: Series of one chart, and points of each.
_SERIES, _POINTS = 5, 120


@dataclass(frozen=True)
class ShownEvidence:
    """A piece of evidence as people read it."""

    id: str
    words: str
    request: str
    at: str


@dataclass(frozen=True)
class ShownIssue:
    """An issue with its words and its evidence."""

    issue: ReportIssue
    words: str
    tone: str
    evidence: tuple[ShownEvidence, ...]
    advice: tuple[tuple[str, Recommendation], ...]
    runbook: Runbook | None


class DiagnosisPages:
    """Views over the service, which asks for the rights."""

    def __init__(self, observe: ObserveService, runbooks: Runbooks) -> None:
        self._observe = observe
        self._runbooks = runbooks

    def views(self) -> tuple[View, ...]:
        """Return every page."""
        return (
            View("/diagnosis", self.reports, menu="diagnosis", menu_for=DIAGNOSE),
            View("/diagnosis/{report}", self.report),
            View("/diagnosis/{report}/report.json", self.file),
        )

    async def reports(self, visit: Visit) -> Drawn:
        """Show the newest reports that the visitor may see; to who looks after the sources, how they stand, too."""
        lines = await self._observe.reports(visit.actor)
        values: dict[str, object] = {"lines": lines, "tones": TONES, "apps": self._observe.apps(visit.actor)}
        values["firing"] = [each for each in await self._observe.incidents(visit.actor) if each.firing]
        values["states"] = self._observe.states(visit.actor) if decide(visit.actor, MANAGE_SOURCES).allowed else {}
        return Drawn("reports.html", values, here="diagnosis")

    async def report(self, visit: Visit) -> Drawn:
        """Show a report whole."""
        kept = await self._kept(visit)
        report, language = await self._runbooks.cited(visit.actor, kept.report, Alone()), visit.language
        values: dict[str, object] = {
            "kept": kept,
            "report": report,
            "tone": TONES[report.severity],
            "zone": visit.reader.timezone,
            "headline": report.headline.in_language(language),
            "issues": [_issue(each, report, visit.reader) for each in report.issues],
            "others": _others(report, visit.reader),
        }
        return Drawn("report.html", values, here="diagnosis", blocks={"charts": tuple(_charts(report, visit.reader))})

    async def file(self, visit: Visit) -> Download:
        """Return the report for programs."""
        kept = await self._kept(visit)
        report = await self._runbooks.cited(visit.actor, kept.report, Alone())
        written = json.dumps(report_json(report, visit.language), ensure_ascii=False, indent=1)
        return Download(f"{kept.id}.json", "application/json", written.encode())

    async def _kept(self, visit: Visit) -> KeptReport:
        try:
            return await self._observe.report(visit.actor, visit.parts["report"])
        except NoSuchReport as error:
            raise NoSuchPage from error


def _issue(issue: ReportIssue, report: DiagnosisReport, reader: Reader) -> ShownIssue:
    seen = {each.id: each for each in report.evidence}
    return ShownIssue(
        issue=issue,
        words=issue.hypothesis.in_language(reader.language, reader.timezone, report.asked.now),
        tone=TONES[issue.severity],
        evidence=tuple(_evidence(seen[each], reader) for each in issue.evidence if each in seen),
        advice=tuple((each.text.in_language(reader.language), each) for each in issue.recommendations),
        runbook=next((each.runbook for each in issue.recommendations if each.runbook), None),
    )


def _others(report: DiagnosisReport, reader: Reader) -> Sequence[ShownEvidence]:
    """Return the evidence that no issue names."""
    cited = {each for issue in report.issues for each in issue.evidence}
    return [_evidence(each, reader) for each in report.evidence if each.id not in cited]


def _evidence(evidence: ReportEvidence, reader: Reader) -> ShownEvidence:
    at = evidence.last or evidence.at
    words = seen_words(evidence).in_language(reader.language, reader.timezone)
    return ShownEvidence(evidence.id, words, evidence.request, when(at, reader) if at else "")


def _charts(report: DiagnosisReport, reader: Reader) -> Iterator[Block]:
    for metric in report.metrics:
        drawn = _chart(metric, reader)
        if drawn is not None:
            yield drawn


def _chart(metric: ReportMetric, reader: Reader) -> Chart | None:
    series = [(name, *shown_values(metric.unit, values)) for name, values in metric.series if len(values) > 1]
    series = series[:_SERIES]
    if not series:
        return None
    times = sorted({at for _, _, values in series for at, _ in values})[-_POINTS:]
    title, unit = metric.title.in_language(reader.language) or metric.name, series[0][1]
    lasts = ", ".join(f"{name or title}: {values[-1][1]:g} {unit}" for name, _, values in series)
    return Chart(
        shape="line",
        title=title,
        categories=moments(times, reader),
        series=tuple(
            ChartSeries(name or title, tuple(dict(values).get(at) for at in times)) for name, _, values in series
        ),
        alternative=lasts,
        unit=unit,
    )
