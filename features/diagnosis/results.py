"""A report as results: what every platform and every brain shows and cites, with no code of this feature."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain, zip_longest
from typing import Literal

from agent.results import Advice, Bilingual, Finding, Findings, Message, Observation, Point, Series
from features.diagnosis.understanding.changes import asks_what_runs, asks_who
from features.diagnosis.understanding.follow_ups import About
from features.diagnosis.understanding.vocabulary import asks_to_change
from queries.observe.diagnosis.neighbours import NEIGHBOUR
from queries.observe.errors import FailureKind
from queries.observe.report.instants import instant
from queries.observe.report.kept import KeptReport
from queries.observe.report.report import (
    ClusterChange,
    DeployedVersion,
    DiagnosisReport,
    Recommendation,
    ReportEvidence,
    ReportIssue,
    ReportMetric,
    ReportWords,
    Role,
    RuledOut,
    Severity,
)
from queries.observe.rules.families.logs.templates import template_of
from queries.observe.rules.finding import span
from queries.observe.rules.seen import says_much, seen_words
from queries.observe.rules.wording import in_chinese, sentence, source_words

#: Pieces of evidence that a short answer names of one finding, recommendations that it gives, things not read.
_EVIDENCE, _ADVICE, _NAMED = 3, 2, 4
#: Recommendations for whoever asks for them, and evidence.
_STEPS, _PROOF = 8, 6
_HOW_BAD: Mapping[Severity, Literal["info", "warning", "critical"]] = {
    Severity.S1: "critical",
    Severity.S2: "warning",
    Severity.S3: "warning",
    Severity.S0: "info",
}
#: Changes that somebody made; of those of one minute the first tells most.
_CHANGES = {kind: at for at, kind in enumerate(("image", "config", "rollout", "scaling"))}
#: A rollout scales the old version down and the new one up for so long.
_ROLLS = timedelta(minutes=10)
#: So soon after a rollout something is likely to have begun with it, and what goes back to the revision before.
_SOON, _UNDO = timedelta(minutes=15), "kubectl rollout undo "
_AT_ONCE = timedelta(minutes=1)
#: What differs between lines that say the same, beside numbers.
_NAMES = re.compile(r"=[^\s&]{1,100}")
#: What a report that all is well says of what was measured.
_MEASURED = frozenset({"CPU_THROTTLED", "MEMORY_NEAR_LIMIT", "HTTP_5XX_RATIO"})
#: A cluster whose clock is so far away is a recording.
_RECORDED = timedelta(hours=1)
_TYPES: Mapping[str, Literal["log", "metric"]] = {"log": "log", "metric": "metric"}


def notes_of(kept: KeptReport, timezone: str = "UTC") -> Iterator[Message]:
    """Yield what has to be known before a report: that nothing was changed, and that it shows a recording."""
    report = kept.report
    if abs(kept.made_at - report.asked.now) > _RECORDED:
        yield Message(said(sentence("recorded", at=instant(report.asked.now)), timezone, kept.made_at))
    if asks_to_change(report.asked.question):
        yield Message(said(sentence("reads_only")))


def findings_of(report: DiagnosisReport, timezone: str = "UTC") -> Findings:
    """Return the headline, three issues at most with their evidence, and what to do first; times are of a zone."""
    since = report.asked.changes_since
    if since is not None and report.deployed:
        return _deployed(report, since, timezone)
    top = _told(report)
    seen = {each.id: each for each in report.evidence}
    named = {issue: _named(issue, seen) for issue in top}
    cited = {each: issue.hypothesis.en for issue, ids in reversed(named.items()) for each in ids}
    return Findings(
        summary=said(_summary(report)),
        findings=tuple(_finding(issue, named[issue], timezone, report.asked.now) for issue in top),
        observations=tuple(_observation(seen[key], report, told, timezone) for key, told in cited.items()),
        ruled_out=tuple(said(each.why, timezone, report.asked.now) for each in _ruled_out(report)[:3]),
        not_read=tuple(_not_read(report)),
        advice=tuple(_advice(report)),
        changed=()
        if report.severity is Severity.S0
        else tuple(said(each, timezone, report.asked.now) for each in _timeline(report, _made(report))),
    )


def beside_of(report: DiagnosisReport) -> tuple[str, ...]:
    """Return the other apps of the namespace that a report tells of."""
    return tuple(each.object.removeprefix("app/") for each in report.issues if each.rule == NEIGHBOUR)


def _summary(report: DiagnosisReport) -> ReportWords:
    """Return the headline, and which other app of the namespace is not well."""
    apps, own = ", ".join(beside_of(report)), report.headline
    if not apps:
        return own
    return ReportWords(
        sentence("headline_beside", headline=own.en, apps=apps).en,
        sentence("headline_beside", headline=own.zh, apps=apps).zh,
    )


def _deployed(report: DiagnosisReport, since: datetime, timezone: str) -> Findings:
    """Return what whoever asks what changed, or what runs, is told: the last change, the versions, how it is now."""
    seen = {each.id: each for each in report.evidence}
    made = [each for each in _made(report) if each.at >= since]
    told: list[tuple[ReportWords, tuple[str, ...], Literal["info", "warning", "critical"]]] = [
        (each.text, each.evidence[-1:], "info") for each in _of_interest(report, made)
    ]
    issue = next((each for each in _told(report) if each.severity is not Severity.S0), None)
    if issue is not None:
        told.append((issue.hypothesis, _named(issue, seen), _HOW_BAD[issue.severity]))
    cited = {key: words.en for words, ids, _ in reversed(told) for key in ids}
    return Findings(
        summary=said(_last_change(report, made, since), timezone, report.asked.now),
        findings=tuple(Finding(said(words, timezone, report.asked.now), ids, severity=bad) for words, ids, bad in told),
        observations=tuple(_observation(seen[key], report, words, timezone) for key, words in cited.items()),
        not_read=tuple(_not_read(report)),
        changed=tuple(said(each, timezone, report.asked.now) for each in _before_and_after(report, made)),
    )


def _of_interest(report: DiagnosisReport, made: Sequence[ClusterChange]) -> Sequence[DeployedVersion]:
    """Return what runs; of a whole namespace what was changed, where something was."""
    changed = {each.object.partition("/")[2] for each in made}
    own = [
        each
        for each in report.deployed
        if (name := each.object.partition("/")[2]) in changed or any(one.startswith(f"{name}-") for one in changed)
    ]
    return report.deployed if report.asked.app or not own else own


def _before_and_after(report: DiagnosisReport, made: Sequence[ClusterChange]) -> Iterator[ReportWords]:
    """Yield the changes before the last, which the headline tells, and what began after; and who is not known."""
    last = made[-1:]
    yield from (each for each in _timeline(report, made) if last and not each.en.endswith(last[0].text.en))
    if asks_who(report.asked.question):
        yield sentence("changed_by")


def _last_change(report: DiagnosisReport, made: Sequence[ClusterChange], since: datetime) -> ReportWords:
    """Return the answer in a line: what runs, what was changed last, that nothing was, or that it was not told."""
    app = report.asked.app or report.asked.namespace
    seen = {each.id: each for each in report.evidence}
    runs = [seen[key] for key in report.deployed[0].evidence if seen[key].field.endswith(".image")]
    if runs and report.asked.app and asks_what_runs(report.asked.question):
        return sentence("runs_now", app=app, image=", ".join(each.value for each in runs))
    if made:
        what, at = made[-1].text, instant(made[-1].at)
        return ReportWords(
            sentence("changed_last", app=app, at=at, what=what.en).en,
            sentence("changed_last", app=app, at=at, what=what.zh or what.en).zh,
        )
    unread = {each.what for each in report.not_checked}
    return sentence("unchanged_unread" if "replicasets" in unread else "unchanged", app=app, at=instant(since))


def steps_of(report: DiagnosisReport) -> Findings:
    """Return all that is to be done about a report, the first thing first, below what it is about."""
    return Findings(summary=said(report.headline), advice=tuple(_advice(report, most=_STEPS)))


def more_of(report: DiagnosisReport, about: About, timezone: str = "UTC") -> Findings | Message:
    """Return what a report rests on, its log lines, what was measured now and before, or since when it is so."""
    today = report.asked.now
    if about == "compared":
        return _compared(report, timezone)
    if about == "logs":
        return _logs(report, timezone)
    if about == "evidence" or report.severity is Severity.S0:
        return _evidence(report, report.headline, timezone)
    since = sentence("since", at=instant(report.onset)) if report.onset else sentence("no_onset")
    told = _evidence(report, since, timezone)
    return replace(told, changed=tuple(said(each, timezone, today) for each in _timeline(report, _made(report))))


def _evidence(report: DiagnosisReport, summary: ReportWords, timezone: str) -> Findings:
    """Return the issues with more of their evidence, and what was ruled out."""
    seen = {each.id: each for each in report.evidence}
    named = {issue: _named(issue, seen, most=_PROOF) for issue in _told(report)}
    cited = {each: issue.hypothesis.en for issue, ids in reversed(named.items()) for each in ids}
    today = report.asked.now
    return Findings(
        summary=said(summary, timezone, today),
        findings=tuple(_finding(issue, ids, timezone, today) for issue, ids in named.items()),
        observations=tuple(_observation(seen[key], report, told, timezone) for key, told in cited.items()),
        ruled_out=tuple(said(each.why, timezone, today) for each in report.ruled_out[:_PROOF]),
        not_read=tuple(_not_read(report)),
    )


def _logs(report: DiagnosisReport, timezone: str) -> Findings | Message:
    """Return the lines of logs that a report cites, each once, and the commands that show more of them."""
    today = report.asked.now
    lines = list({each.excerpt: each for each in report.evidence if each.source == "log" and each.excerpt}.values())
    if not lines:
        return Message(said(sentence("no_logs")))
    words = {each.id: seen_words(each) for each in lines[:_STEPS]}
    steps = [step for issue in report.issues for step in issue.recommendations]
    advice = {each.command: Advice(said(each.text), each.command) for each in steps if "kubectl logs " in each.command}
    return Findings(
        summary=said(sentence("cited_logs")),
        findings=tuple(Finding(said(told, timezone, today), (key,), severity="info") for key, told in words.items()),
        observations=tuple(_observation(each, report, words[each.id].en, timezone) for each in lines[:_STEPS]),
        not_read=tuple(_not_read(report)),
        advice=tuple(advice.values())[:_ADVICE],
    )


def _compared(report: DiagnosisReport, timezone: str) -> Message:
    """Return what was measured first and last, and how far back that goes."""
    back = min((at for metric in report.metrics for _, values in metric.series for at, _ in values), default=None)
    lines = [sentence("looks_back", at=instant(back)), *_then_and_now(report)] if back else [sentence("not_compared")]
    told = [said(each, timezone, report.asked.now) for each in lines]
    return Message(Bilingual("\n".join(each.en for each in told), "\n".join(each.zh for each in told)))


def _then_and_now(report: DiagnosisReport) -> Iterator[ReportWords]:
    """Yield what each metric was at first and last, of its worst series."""
    for metric in report.metrics:
        drawable = [values for _, values in metric.series if len(values) > 1]
        if drawable:
            unit, points = shown_values(metric.unit, max(drawable, key=lambda each: each[-1][1]))
            (first, was), (last, now) = points[0], points[-1]
            values = {
                "was": f"{was:g} {unit}",
                "now": f"{now:g} {unit}",
                "first": instant(first),
                "last": instant(last),
            }
            words = sentence("then_and_now", metric="{metric}", **values)
            yield ReportWords(
                words.en.replace("{metric}", metric.title.en),
                words.zh.replace("{metric}", metric.title.zh or metric.title.en),
            )


def series_of(report: DiagnosisReport) -> Series | None:
    """Return the worst series of the most telling metric, for a chart; None where nothing was measured over time."""
    for metric in report.metrics:
        drawable = [(name, values) for name, values in metric.series if len(values) > 1]
        if drawable:
            name, values = max(drawable, key=lambda each: (each[1][-1][1], each[0]))
            return _series(metric, name, values, report)
    return None


def said(words: ReportWords, timezone: str = "UTC", today: datetime | None = None) -> Bilingual:
    """Return words of the domain as words of a result, their times in a zone, with dates where not of today."""
    return Bilingual(*(words.in_language(language, timezone, today) for language in ("en", "zh")))


def _series(
    metric: ReportMetric, name: str, values: tuple[tuple[datetime, float], ...], report: DiagnosisReport
) -> Series:
    unit, points = shown_values(metric.unit, values)
    return Series(
        name=name or metric.name,
        points=tuple(Point(at, value) for at, value in points),
        unit=unit,
        datasource=report.asked.cluster,
        title=said(metric.title),
    )


def shown_values(
    unit: str, values: tuple[tuple[datetime, float], ...]
) -> tuple[str, tuple[tuple[datetime, float], ...]]:
    """Return values as people read them: a share in percent, no more than three digits that count."""
    times = 100 if unit == "ratio" else 1
    return ("%" if unit == "ratio" else unit), tuple((at, float(f"{value * times:.3g}")) for at, value in values)


def _told(report: DiagnosisReport) -> tuple[ReportIssue, ...]:
    """Return the issues that a short answer names: what could not be read stands below them anyway."""
    return tuple(each for each in report.top if each.rule != "ACCESS_DENIED") or report.top


def _ruled_out(report: DiagnosisReport) -> tuple[RuledOut, ...]:
    """Return what was ruled out, the telling first; where nothing is wrong, what was measured is said above."""
    measured = [each for each in report.ruled_out if each.rule in _MEASURED]
    others = [each for each in report.ruled_out if each.rule not in _MEASURED]
    return (*others, *(() if report.severity is Severity.S0 else measured))


def _finding(issue: ReportIssue, evidence: tuple[str, ...], timezone: str, today: datetime) -> Finding:
    how_bad = "info" if issue.role is Role.CONTEXT else _HOW_BAD[issue.severity]
    how_bad = "warning" if issue.rule == NEIGHBOUR else how_bad
    return Finding(said(issue.hypothesis, timezone, today), evidence, severity=how_bad)


def _named(issue: ReportIssue, seen: Mapping[str, ReportEvidence], *, most: int = _EVIDENCE) -> tuple[str, ...]:
    """Return the evidence that tells most: what the sentence itself speaks of, then what others wrote or measured."""
    words = issue.hypothesis.en

    def weight(key: str) -> int:
        evidence = seen[key]
        spoken = (evidence.value and evidence.value in words) or (evidence.excerpt and evidence.excerpt[:40] in words)
        return -2 * bool(spoken) - (evidence.source in ("log", "metric", "event"))

    known = [each for each in issue.evidence if each in seen]
    telling = [each for each in known if says_much(seen[each])] or known
    lines: dict[str, str] = {}
    for key in sorted(telling, key=weight):
        # Lines that say the same but for names and numbers are said once.
        quoted = _NAMES.sub("=*", template_of(seen[key].excerpt)) if seen[key].source == "log" else ""
        lines.setdefault(quoted or seen_words(seen[key], words).en, key)
    return tuple(lines.values())[:most]


def _made(report: DiagnosisReport) -> list[ClusterChange]:
    """Return what somebody changed, the earliest first: of one version what tells most, without its own scaling."""
    made: dict[tuple[str, str], ClusterChange] = {}
    for each in sorted((each for each in report.changes if each.kind in _CHANGES), key=lambda one: _CHANGES[one.kind]):
        if each.kind != "scaling" or not any(_scales(each, other) for other in made.values()):
            made.setdefault((instant(each.at), each.object), each)
    return sorted(made.values(), key=lambda each: each.at)


def _scales(scaling: ClusterChange, rollout: ClusterChange) -> bool:
    """Return whether a deployment was scaled for a rollout of its own."""
    own = rollout.object.startswith(f"ReplicaSet/{scaling.object.partition('/')[2]}-")
    return own and abs(scaling.at - rollout.at) <= _ROLLS


def _timeline(report: DiagnosisReport, made: Sequence[ClusterChange]) -> Iterator[ReportWords]:
    """Yield what was changed, a line each, and when what is wrong began after it."""
    for each in made[-_NAMED:]:
        minute = instant(each.at)
        yield ReportWords(f"{minute} {each.text.en}", f"{minute} {each.text.zh or each.text.en}")
    last = max((each.at for each in made), default=None)
    answered = bool(made) and made[-1].object.startswith("HorizontalPodAutoscaler/")  # to what was wrong before
    if last is not None and report.onset is not None and report.onset >= last and not answered:
        gap, at = span(report.onset - last), instant(report.onset)
        if report.onset - last < _AT_ONCE:
            yield sentence("began_with", at=at)
            return
        yield ReportWords(sentence("began", at=at, gap=gap).en, sentence("began", at=at, gap=in_chinese(gap)).zh)


def _not_read(report: DiagnosisReport) -> Iterator[Bilingual]:
    """Yield each reason why something could not be read, with what it is."""
    reasons: dict[ReportWords, list[ReportWords]] = {}
    known = {each.what for each in report.not_checked if each.kind is not FailureKind.RESTING}
    for each in report.not_checked:
        if each.kind is FailureKind.RESTING and each.what in known:
            continue  # it rests for the reason that is told
        reasons.setdefault(each.why, []).append(source_words(each.what))
    for why, what in reasons.items():
        more = " …" if len(what) > _NAMED else ""
        english, chinese = ", ".join(each.en for each in what[:_NAMED]), "、".join(each.zh for each in what[:_NAMED])
        yield Bilingual(f"{english}{more} ({why.en})", f"{chinese}{more}（{why.zh or why.en}）")


def _advice(report: DiagnosisReport, *, most: int = _ADVICE) -> Iterator[Advice]:
    """Yield what to do first: a step of each cause, then their others, until there is enough; a command stands once.

    What began soon after a rollout is looked at once, and then the way back comes.
    """
    told = _told(report)
    causes = [each for each in told if each.role is Role.CAUSE and each.rule != "ROLLOUT_STUCK"]
    in_turn = chain.from_iterable(zip_longest(*(each.recommendations for each in causes)))
    others = [step for each in told if each not in causes for step in each.recommendations]
    steps: dict[str, Recommendation] = {}
    for each in (*(step for step in in_turn if step is not None), *others):
        if not any(({each.text.en, each.command} - {""}) & {one.text.en, one.command} for one in steps.values()):
            steps[each.text.en] = each
    found = list(steps.values())
    back = next((each for each in found if _UNDO in each.command), None)
    if back is not None and _began_with_rollout(report):
        found.remove(back)
        found.insert(1, back)
    yield from (Advice(said(each.text), each.command) for each in found[:most])


def _began_with_rollout(report: DiagnosisReport) -> bool:
    rolled = [each.at for each in report.changes if each.kind in {"rollout", "image", "config"}]
    last = max(rolled, default=None)
    return last is not None and report.onset is not None and timedelta() <= report.onset - last <= _SOON


def _observation(evidence: ReportEvidence, report: DiagnosisReport, told: str, timezone: str) -> Observation:
    return Observation(
        key=evidence.id,
        type=_TYPES.get(evidence.source, "k8s"),
        text=said(seen_words(evidence, told), timezone, report.asked.now),
        system=report.asked.cluster,
        query=evidence.request,
        at=evidence.at or evidence.last,
    )
