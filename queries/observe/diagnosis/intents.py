"""PromQL by intent: fixed templates with quoted values, never words of a person."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from queries.observe.report.report import DiagnosisRequest

#: More pods than this are not named in a query; their namespace is, and the answer is read for those in question.
_NAMED = 100
#: How programs and meshes count the requests that they answer: the counter, its labels for the status, and what keeps
#: out the requests that they make themselves.
_REQUESTS = (
    ("http_requests_total", ("code", "status", "status_code"), ""),
    ("http_server_requests_seconds_count", ("status",), ""),
    ("http_request_duration_seconds_count", ("code", "status", "status_code"), ""),
    ("http_server_request_duration_seconds_count", ("http_response_status_code",), ""),
    ("istio_requests_total", ("response_code",), ',reporter="destination"'),
)


@dataclass(frozen=True)
class MetricIntent:
    """One thing to measure: its name, its query, and how long ago."""

    name: str
    query: str
    ago: timedelta = timedelta()
    unit: str = "ratio"


def quoted(value: str) -> str:
    """Return a string of PromQL; nothing in the value can end it."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def matching(values: Sequence[str]) -> str:
    """Return a string of PromQL with a pattern that is one of these values."""
    return quoted("|".join(re.escape(each).replace("\\-", "-") for each in values))


def intents_for(asked: DiagnosisRequest, pods: Sequence[str]) -> tuple[MetricIntent, ...]:
    """Return what is measured, the most telling first, so that a small budget leaves out the least."""
    of_pods = f"namespace={quoted(asked.namespace)}" + (
        f",pod=~{matching(pods)}" if 0 < len(pods) <= _NAMED else ',pod!=""'
    )
    own = f'{of_pods},container!="",container!="POD"'
    ratio, rate = _requests(asked, of_pods)
    return (
        MetricIntent("error_ratio", ratio),
        MetricIntent("throttle_ratio", _throttled(own)),
        MetricIntent("memory_peak_of_limit_30m", _memory(own, "30m")),
        MetricIntent("error_ratio_1h_ago", ratio, timedelta(hours=1)),
        MetricIntent("cpu_of_limit", _cpu(own, "limits")),
        MetricIntent("requests_per_s", rate, unit="requests/s"),
        MetricIntent("cpu_of_request_10m", f"min_over_time(({_cpu(own, 'requests')})[10m:1m])", unit="times"),
        MetricIntent(
            "cpu_cores", f"sum by (pod, container) (rate(container_cpu_usage_seconds_total{{{own}}}[5m]))", unit="cores"
        ),
        MetricIntent("memory_peak_of_limit_2h", _memory(own, "2h")),
        MetricIntent(
            "restarts", f"max by (pod, container) (kube_pod_container_status_restarts_total{{{own}}})", unit="restarts"
        ),
    )


def chart_for(name: str, asked: DiagnosisRequest, pods: Sequence[str]) -> MetricIntent | None:
    """Return the query of a telling metric over the window."""
    of_pods = f"namespace={quoted(asked.namespace)}" + (
        f",pod=~{matching(pods)}" if 0 < len(pods) <= _NAMED else ',pod!=""'
    )
    own = f'{of_pods},container!="",container!="POD"'
    known = {
        "error_ratio": MetricIntent("error_ratio", _requests(asked, of_pods)[0]),
        "throttle_ratio": MetricIntent("throttle_ratio", _throttled(own)),
        "memory_of_limit": MetricIntent(
            "memory_of_limit",
            f"max by (pod, container) (container_memory_working_set_bytes{{{own}}})"
            f' / max by (pod, container) (kube_pod_container_resource_limits{{{own},resource="memory"}})',
        ),
        "restarts": MetricIntent(
            "restarts", f"max by (pod, container) (kube_pod_container_status_restarts_total{{{own}}})", unit="restarts"
        ),
        "cpu_of_limit": MetricIntent("cpu_of_limit", _cpu(own, "limits")),
    }
    return known.get(name)


def _throttled(own: str) -> str:
    return (
        f"sum by (pod, container) (rate(container_cpu_cfs_throttled_periods_total{{{own}}}[5m]))"
        f" / sum by (pod, container) (rate(container_cpu_cfs_periods_total{{{own}}}[5m]))"
    )


def _cpu(own: str, of: str) -> str:
    return (
        f"sum by (pod, container) (rate(container_cpu_usage_seconds_total{{{own}}}[5m]))"
        f' / sum by (pod, container) (kube_pod_container_resource_{of}{{{own},resource="cpu"}})'
    )


def _memory(own: str, over: str) -> str:
    return (
        f"max by (pod, container) (max_over_time(container_memory_working_set_bytes{{{own}}}[{over}]))"
        f' / max by (pod, container) (kube_pod_container_resource_limits{{{own},resource="memory"}})'
    )


def _requests(asked: DiagnosisRequest, of_pods: str) -> tuple[str, str]:
    """Return the share of failing requests and the rate of all: by the app's label, else by its pods.

    Of the counters that programs have for requests the first that is there. A share of requests of which none fails
    is 0, not "nothing": the `or 0 *` says so.
    """
    one = bool(asked.app) and not asked.pod
    by = "" if one else " by (app)"
    scopes = (f"namespace={quoted(asked.namespace)},app={quoted(asked.app)}", of_pods) if one else (of_pods,)
    ratios, totals = [], []
    for name, labels, served in _REQUESTS:
        for scope in scopes:
            total = f"sum{by} (rate({name}{{{scope}{served}}}[5m]))"
            bad = " or ".join(f'sum{by} (rate({name}{{{scope}{served},{each}=~"5xx|5.."}}[5m]))' for each in labels)
            ratios.append(f"({bad} or 0 * {total}) / {total}")
            totals.append(total)
    return " or ".join(ratios), " or ".join(totals)
