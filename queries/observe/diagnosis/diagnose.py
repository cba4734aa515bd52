"""A diagnosis from beginning to end: read, judge, verify, report."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

from queries.observe.diagnosis.budget import RunBudget
from queries.observe.diagnosis.changes import changes_in
from queries.observe.diagnosis.charts import chart_of
from queries.observe.diagnosis.deployed import deployed_in, onset_of
from queries.observe.diagnosis.explaining import PROMPT_VERSION, Explainer, ModelWords, digest_of, kept_of
from queries.observe.diagnosis.gathering import FactGathering
from queries.observe.diagnosis.neighbours import NEIGHBOUR, neighbours_in_trouble
from queries.observe.diagnosis.neighbours import SOURCE as NEIGHBOURS
from queries.observe.errors import FailureKind
from queries.observe.facts.facts import ClusterFacts, UnreadSource
from queries.observe.reading import ClusterSources
from queries.observe.report.report import (
    ClusterChange,
    DeployedVersion,
    DiagnosisReport,
    DiagnosisRequest,
    NotChecked,
    ReportEvidence,
    ReportIssue,
    ReportMetric,
    ReportWords,
    Role,
    RuledOut,
    Severity,
)
from queries.observe.rules.catalogue import judged
from queries.observe.rules.finding import Excluded, RuleFinding
from queries.observe.rules.wording import hypothesis_of, reason_of, recommendations_of, sentence, title_of

#: Conclusions that one kind of evidence does not carry alone: they are held at low confidence then.
RISKY = frozenset(
    {
        "EXIT_137_UNCONFIRMED",
        "ERROR_BURST",
        "DEPENDENCY_TIMEOUT",
        "DNS_FAILURE",
        "MEMORY_NEAR_LIMIT",
        "CPU_HIGH_NO_LIMIT",
    }
)
_RANK = {Severity.S1: 0, Severity.S2: 1, Severity.S3: 2, Severity.S0: 3}


async def diagnose(
    asked: DiagnosisRequest,
    sources: ClusterSources,
    *,
    budget: RunBudget | None = None,
    explainer: Explainer | None = None,
) -> DiagnosisReport:
    """Return the report of what was asked: the same answers of the sources give the same report.

    Whoever calls has decided the scope. Nothing that a source does raises: what it does not tell stands under
    `not_checked`. An explainer only adds sentences.
    """
    gathering = FactGathering(asked, sources, budget or RunBudget())
    facts = await gathering.run()
    findings, excluded = await asyncio.to_thread(judged, facts)
    beside, metric = await asyncio.gather(
        neighbours_in_trouble(gathering, facts, findings), chart_of(gathering, facts, findings)
    )
    report = await asyncio.to_thread(_report, facts, findings, excluded, beside, metric)
    report = replace(
        report,
        calls=tuple(gathering.reads.calls),
        log_truncated=gathering.cut,
        metrics_partial=gathering.partial,
        not_checked=_not_checked(gathering.reads.unread, sources),
    )
    return report if explainer is None else await _explained(report, explainer)


class _Numbering:
    """Gives each piece of evidence its id, and the same piece the same one."""

    def __init__(self) -> None:
        self._ids: dict[ReportEvidence, str] = {}

    def ids(self, evidence: Iterable[ReportEvidence]) -> tuple[str, ...]:
        """Return the ids of evidence, each once."""
        return tuple(
            dict.fromkeys(self._ids.setdefault(replace(each, id=""), f"E{len(self._ids) + 1}") for each in evidence)
        )

    @property
    def evidence(self) -> tuple[ReportEvidence, ...]:
        """Return all evidence with its ids."""
        return tuple(replace(each, id=id_) for each, id_ in self._ids.items())


def _report(
    facts: ClusterFacts,
    findings: Sequence[RuleFinding],
    excluded: Sequence[Excluded],
    beside: Sequence[tuple[str, RuleFinding]],
    metric: ReportMetric | None,
) -> DiagnosisReport:
    numbering = _Numbering()
    own = tuple(_issue(each, numbering) for each in findings)
    issues = own + tuple(_of_neighbour(name, _issue(each, numbering)) for name, each in beside)
    ruled_out = tuple(RuledOut(each.rule, reason_of(each), numbering.ids(each.evidence)) for each in excluded)
    changes: tuple[ClusterChange, ...] = tuple(
        replace(change, evidence=numbering.ids(cited)) for change, cited in changes_in(facts)
    )
    deployed = tuple(DeployedVersion(name, words, numbering.ids(cited)) for name, words, cited in deployed_in(facts))
    worst = min(
        (each.severity for each in issues if each.role is not Role.CONTEXT),
        key=lambda each: _RANK[each],
        default=Severity.S0,
    )
    if worst is Severity.S0:
        worst = min((each.severity for each in issues), key=lambda each: _RANK[each], default=Severity.S0)
    return DiagnosisReport(
        asked=facts.asked,
        severity=worst,
        headline=_headline(facts.asked, findings),
        issues=issues,
        evidence=numbering.evidence,
        ruled_out=ruled_out,
        changes=changes,
        deployed=deployed,
        onset=onset_of(facts, findings[0]) if findings and findings[0].role is not Role.CONTEXT else None,
        metrics=(metric,) if metric else (),
        prompt_version=PROMPT_VERSION,
    )


def _issue(found: RuleFinding, numbering: _Numbering) -> ReportIssue:
    """Return a finding as an issue: a risky one that rests on one kind of evidence is held at low confidence."""
    kinds = {each.source for each in found.evidence}
    confidence = "low" if found.rule in RISKY and len(kinds) < 2 else found.confidence
    return ReportIssue(
        rule=found.rule,
        object=found.object,
        role=found.role,
        severity=found.severity,
        hypothesis=hypothesis_of(found),
        confidence=confidence,
        evidence=numbering.ids(found.evidence),
        recommendations=recommendations_of(found),
    )


def _of_neighbour(name: str, issue: ReportIssue) -> ReportIssue:
    """Return what ails another app as something to know about the one that was asked for."""
    told = (sentence("beside", app=name, what=each) for each in (issue.hypothesis.en, issue.hypothesis.zh))
    english, chinese = told
    return replace(
        issue,
        rule=NEIGHBOUR,
        object=f"app/{name}",
        role=Role.CONTEXT,
        severity=Severity.S0,
        hypothesis=ReportWords(english.en, chinese.zh),
    )


def _headline(asked: DiagnosisRequest, findings: Sequence[RuleFinding]) -> ReportWords:
    """Return the answer in a line: what was asked for, the first cause, and what follows from it."""
    name = asked.pod or asked.app or asked.namespace
    if any("dry" in each.says for each in findings):
        return sentence("headline_dry", app=name)
    told = [each for each in findings if each.role is not Role.CONTEXT] or findings
    titles = list(dict.fromkeys(title_of(each) for each in told))[:3]
    if not titles:
        return sentence("headline_healthy", app=name)
    first = ReportWords(_low(titles[0].en), titles[0].zh)
    if len(titles) == 1:
        return ReportWords(
            sentence("headline", app=name, title=first.en).en, sentence("headline", app=name, title=first.zh).zh
        )
    english, chinese = ", ".join(_low(each.en) for each in titles[1:]), "、".join(each.zh for each in titles[1:])
    return ReportWords(
        sentence("headline_more", app=name, title=first.en, more=english).en,
        sentence("headline_more", app=name, title=first.zh, more=chinese).zh,
    )


def _low(title: str) -> str:
    """Return a title within a sentence: "CPU" stays in capitals."""
    first = title.split(" ", 1)[0]
    return title if len(first) > 1 and first.isupper() else title[:1].lower() + title[1:]


def _not_checked(unread: Sequence[UnreadSource], sources: ClusterSources) -> tuple[NotChecked, ...]:
    """Return what could not be read, once each; that there is no run before, or no log yet, is no failure."""
    found: dict[tuple[str, FailureKind], NotChecked] = {}
    for each in sorted(unread, key=lambda each: (each.source, each.what)):
        if each.source == NEIGHBOURS or (each.source == "logs" and each.error.kind is FailureKind.BAD_REQUEST):
            continue
        what = "metrics" if each.source == "metrics" else each.what
        found.setdefault((what, each.error.kind), NotChecked(what, each.error.kind, sentence(f"why_{each.error.kind}")))
    if sources.objects is None:
        found[("objects", FailureKind.NOT_SET_UP)] = NotChecked(
            "objects", FailureKind.NOT_SET_UP, sentence("why_not_set_up")
        )
    if sources.metrics is None:
        found[("metrics", FailureKind.NOT_SET_UP)] = NotChecked(
            "metrics", FailureKind.NOT_SET_UP, sentence("why_not_set_up")
        )
    return tuple(found.values())


async def _explained(report: DiagnosisReport, explainer: Explainer) -> DiagnosisReport:
    """Return the report with a model's sentences that stand; asked twice at most."""
    digest = digest_of(report.asked.question, report.issues, report.evidence, report.not_checked)
    tokens = 0
    for _ in range(2):
        said: ModelWords = await explainer.explain(digest, language=report.asked.language)
        tokens += said.tokens
        kept = kept_of(said.text, report.evidence, report.issues)
        if kept:
            return replace(report, explained=kept, tokens=tokens)
        if not said.text.strip():  # it does not answer: to wait for it again only holds the report up
            break
    return replace(report, tokens=tokens, model_failed=True)
