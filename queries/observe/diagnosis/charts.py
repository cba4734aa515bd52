"""The chart of a report: of what was asked about, or else of what tells most of what was found."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from queries.observe.diagnosis.gathering import FactGathering, scope_of
from queries.observe.diagnosis.intents import chart_for
from queries.observe.facts.facts import ClusterFacts
from queries.observe.report.report import ReportMetric
from queries.observe.rules.finding import RuleFinding
from queries.observe.rules.wording import sentence

#: What a question asks about by its own name, and the metric of that.
_ASKED = (
    (re.compile(r"\b(?:memory|ram|heap|oom\w{0,9}|leak\w{0,4})\b|内存|泄漏", re.IGNORECASE), "memory_of_limit"),
    (re.compile(r"\bthrottl\w{1,4}\b|限流", re.IGNORECASE), "throttle_ratio"),
    (re.compile(r"\b(?:cpu|processor|cores)\b|处理器", re.IGNORECASE), "cpu_of_limit"),
    (re.compile(r"\b(?:disk|storage|volume)\b|磁盘|存储|硬盘", re.IGNORECASE), "volume_used_ratio"),
    (re.compile(r"\b(?:slow\w{0,4}|latency|sluggish|laggy)\b|慢|卡|延迟", re.IGNORECASE), "latency"),
    (re.compile(r"\brestart\w{0,4}\b|重启", re.IGNORECASE), "restarts"),
    (re.compile(r"\b(?:5xx|50\ds?|error rate|failing requests)\b|错误率", re.IGNORECASE), "error_ratio"),
)
#: Which metric tells most of a rule.
_TELLING = {
    "HTTP_5XX_RATIO": "error_ratio",
    "ERROR_BURST": "error_ratio",
    "DEPENDENCY_TIMEOUT": "error_ratio",
    "DNS_FAILURE": "error_ratio",
    "CERTIFICATE_REFUSED": "error_ratio",
    "READINESS_FAILING": "error_ratio",
    "SERVICE_NO_ENDPOINTS": "requests_per_s",
    "SERVICE_PORT_MISMATCH": "requests_per_s",
    "NETWORK_POLICY_BLOCKS": "requests_per_s",
    "CPU_THROTTLED": "throttle_ratio",
    "OOM_KILLED": "memory_of_limit",
    "MEMORY_NEAR_LIMIT": "memory_of_limit",
    "EXIT_137_UNCONFIRMED": "memory_of_limit",
    "CRASH_LOOP": "restarts",
    "LIVENESS_KILLED": "restarts",
    "CONTAINER_RESTARTING": "restarts",
    "HPA_AT_LIMIT": "cpu_of_limit",
    "REQUESTS_SLOW": "latency",
    "VOLUME_NEARLY_FULL": "volume_used_ratio",
    "NO_PROBLEM_FOUND": "error_ratio",
}
_STEP_S = 30.0
_SERIES = 10


async def chart_of(
    gathering: FactGathering, facts: ClusterFacts, findings: Sequence[RuleFinding]
) -> ReportMetric | None:
    """Return the metric over the window that tells most, the first that was measured; None where none was."""
    flat = None
    for name in _names(facts.asked.question, findings):
        if (metric := await _measured(gathering, facts, name)) is not None:
            if any(value for _, values in metric.series for _, value in values):
                return metric
            flat = flat or metric  # shows nothing: something else may
    return flat


def _names(question: str, findings: Sequence[RuleFinding]) -> Iterator[str]:
    """Yield what was asked about, then what tells most of what was found: two reads at most."""
    asked = next((name for pattern, name in _ASKED if pattern.search(question)), "")
    found = next((_TELLING[each.rule] for each in findings if each.rule in _TELLING), "")
    yield from dict.fromkeys(each for each in (asked, found) if each)


async def _measured(gathering: FactGathering, facts: ClusterFacts, name: str) -> ReportMetric | None:
    metrics = gathering.sources.metrics
    intent = chart_for(name, facts.asked, scope_of(facts))
    if metrics is None or intent is None or gathering.reads.left <= 0:
        return None
    window = timedelta(seconds=max(facts.asked.window_s, 3_600))
    found = await gathering.reads.one(
        f"metric {intent.name}",
        "metrics",
        intent.query,
        lambda: metrics.range(
            intent.query,
            start=facts.now - window,
            end=facts.now,
            step_s=_STEP_S * 2 if window > timedelta(hours=1) else _STEP_S,
        ),
    )
    if found is None or not found.series:
        return None
    gathering.partial = gathering.partial or found.partial
    series = sorted((_name_of(dict(each.labels), facts), each.values) for each in found.series)
    return ReportMetric(
        intent.name, sentence(f"metric_{intent.name}"), intent.unit, intent.query, tuple(series[:_SERIES])
    )


def _name_of(labels: dict[str, str], facts: ClusterFacts) -> str:
    own = labels.get("persistentvolumeclaim") or labels.get("pod") or labels.get("app")
    return own or facts.asked.app or facts.asked.namespace
