"""A report: what is wrong, on which evidence, what was ruled out, and what could not be read. Values only."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from queries.observe.errors import FailureKind
from queries.observe.report.instants import with_times


@dataclass(frozen=True)
class ReportWords:
    """A sentence in both languages; the times in it are instants until it is read."""

    en: str = ""
    zh: str = ""

    def in_language(self, language: str, timezone: str = "UTC", today: datetime | None = None) -> str:
        """Return the sentence in the language "en" or "zh", its times in a zone, with dates where not of today."""
        return with_times((self.zh or self.en) if language == "zh" else (self.en or self.zh), timezone, today)


class Severity(StrEnum):
    """How bad it is: S1 availability, S2 performance or stability, S3 minor, S0 nothing found or nothing known."""

    S0 = "S0"
    S1 = "S1"
    S2 = "S2"
    S3 = "S3"


class Role(StrEnum):
    """What an issue is to the others."""

    CAUSE = "cause"  # what to act on
    SYMPTOM = "symptom"  # follows from a cause of the same report
    CONTEXT = "context"  # has to be said, and is not the problem
    CONCLUSION = "conclusion"  # the answer itself when nothing is wrong, or nothing can be known


@dataclass(frozen=True)
class Neighbour:
    """What else of the namespace may be looked at: an app of the directory, or, with neither, all of it."""

    app: str = ""
    selector: str = ""


@dataclass(frozen=True)
class DiagnosisRequest:
    """What a diagnosis was asked for; the scope is decided already. `now` is the clock of everything in it."""

    run_id: str
    question: str
    language: Literal["en", "zh"]
    cluster: str
    namespace: str
    now: datetime
    app: str = ""  # "" for all that is in the namespace
    selector: str = ""  # labels of the app, "app=checkout"; "" for all that is in the namespace
    pod: str = ""  # only this one
    window_s: int = 1_800
    beside: tuple[Neighbour, ...] = ()
    changes_since: datetime | None = None  # from when on changes are told; None: two hours, or the window


@dataclass(frozen=True)
class ReportEvidence:
    """One thing that was seen (or looked for and not found), and the request that showed it.

    `object` is named as "Pod/NAME", "Pod/NAME container C", "Deployment/NAME", "Event/NAME", "app/APP".
    """

    id: str  # "E1"
    source: Literal["api", "event", "log", "metric", "error", "absence"]
    object: str
    request: str
    field: str = ""  # path in the object: "status.containerStatuses[name=web].state.waiting.reason"
    value: str = ""  # what stands there, or was measured
    excerpt: str = ""  # words of the source: redacted, cut, untrusted
    reason: str = ""  # of an event
    count: int | None = None  # of an event, or of lines that are alike
    at: datetime | None = None
    first: datetime | None = None
    last: datetime | None = None
    scope: str = ""  # of an absence: what was looked through, and since when
    sha256: str = ""  # of the bytes that held it


@dataclass(frozen=True)
class Runbook:
    """A page of the company that says what to do, with its first steps."""

    title: str
    url: str
    steps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Recommendation:
    """What to do; a command is shown, never run."""

    text: ReportWords
    command: str = ""
    runbook: Runbook | None = None


@dataclass(frozen=True)
class ReportIssue:
    """One conclusion of a rule."""

    rule: str  # "OOM_KILLED"
    object: str
    role: Role
    severity: Severity
    hypothesis: ReportWords
    confidence: Literal["high", "medium", "low"]
    evidence: tuple[str, ...]  # ids; never empty
    recommendations: tuple[Recommendation, ...] = ()


@dataclass(frozen=True)
class RuledOut:
    """What was thought of and does not hold, and why."""

    rule: str
    why: ReportWords
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotChecked:
    """What could not be read, and in which way it failed."""

    what: str  # "events", "log of checkout-1/web", "metrics"
    kind: FailureKind
    why: ReportWords


@dataclass(frozen=True)
class ClusterChange:
    """What was changed, and when: put beside the onset."""

    at: datetime
    kind: Literal["rollout", "image", "config", "scaling", "restart", "event"]
    object: str
    text: ReportWords
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class DeployedVersion:
    """What runs, or ran before: a version of a workload, and since when."""

    object: str
    text: ReportWords
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class ReportMetric:
    """A telling metric over the window."""

    name: str
    title: ReportWords
    unit: str
    query: str
    series: tuple[tuple[str, tuple[tuple[datetime, float], ...]], ...]  # name → values
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class SourceCall:
    """One step of reading."""

    name: str
    ok: bool
    requests: int
    latency_ms: int
    error: FailureKind | None = None


@dataclass(frozen=True)
class DiagnosisReport:
    """The whole report. The same input gives the same report, but for the latencies of its calls."""

    asked: DiagnosisRequest
    severity: Severity
    headline: ReportWords
    issues: tuple[ReportIssue, ...]
    evidence: tuple[ReportEvidence, ...]
    ruled_out: tuple[RuledOut, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    changes: tuple[ClusterChange, ...] = ()  # oldest first, with restarts and warnings: the timeline
    deployed: tuple[DeployedVersion, ...] = ()  # what runs, however long ago it was rolled out
    onset: datetime | None = None  # when what the first issue is about began, where that is known
    metrics: tuple[ReportMetric, ...] = ()  # the most telling one first
    calls: tuple[SourceCall, ...] = ()
    log_truncated: bool = False
    metrics_partial: bool = False
    prompt_version: str = ""
    tokens: int = 0
    explained: tuple[str, ...] = field(default=())  # sentences of a model that stood the check, each with its [E1]
    model_failed: bool = False

    @property
    def top(self) -> tuple[ReportIssue, ...]:
        """Return the issues that a short answer names: causes first, three at most."""
        order = {Role.CONCLUSION: 0, Role.CAUSE: 0, Role.SYMPTOM: 1, Role.CONTEXT: 2}
        rank = {Severity.S1: 0, Severity.S2: 1, Severity.S3: 2, Severity.S0: 3}
        return tuple(sorted(self.issues, key=lambda issue: (order[issue.role], rank[issue.severity]))[:3])
