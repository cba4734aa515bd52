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
#: How they measure the time that a request takes: the name, what makes seconds of it, what keeps out other requests.
_TIMES = (
    ("http_request_duration_seconds", "", ""),
    ("http_server_requests_seconds", "", ""),
    ("http_server_request_duration_seconds", "", ""),
    ("grpc_server_handling_seconds", "", ""),
    ("istio_request_duration_milliseconds", " / 1000", ',reporter="destination"'),
)
#: Those that have no buckets where nobody asked for them.
_SUMMED = _TIMES[:2]
#: What the usual recording rules keep of use: some servers hold nothing else.
_RECORDED_CPU = "node_namespace_pod_container:container_cpu_usage_seconds_total:sum_irate"
_RECORDED_MEMORY = "node_namespace_pod_container:container_memory_working_set_bytes"
#: What follows the name of a stateful set, a daemon set or a deployment in the names of its pods.
_OF_WORKLOAD = "-([0-9]+|([a-z0-9]{6,10}-)?[a-z0-9]{5})"


@dataclass(frozen=True)
class MetricScope:
    """What is measured of: names, and whether a container ended or was restarted."""

    pods: Sequence[str] = ()
    workloads: Sequence[str] = ()
    claims: Sequence[str] = ()
    ended: bool = True


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


def intents_for(asked: DiagnosisRequest, scope: MetricScope) -> tuple[MetricIntent, ...]:
    """Return what is measured, the most telling first, so that a small budget leaves out the least."""
    of_pods = _of_pods(asked, scope.pods)
    own = f'{of_pods},container!="",container!="POD"'
    ratio, rate = _requests(asked, of_pods)
    times = (
        MetricIntent("latency", _latency(asked, scope), unit="s"),
        MetricIntent("latency_before", _latency_before(asked, scope), timedelta(hours=1), unit="s"),
    )
    of_ends = (
        MetricIntent("memory_peak_of_limit_2h", _memory(own, "2h")),
        MetricIntent(
            "restarts", f"max by (pod, container) (kube_pod_container_status_restarts_total{{{own}}})", unit="restarts"
        ),
    )
    return (
        MetricIntent("error_ratio", ratio),
        MetricIntent("throttle_ratio", _throttled(own)),
        MetricIntent("memory_peak_of_limit_30m", _memory(own, "30m")),
        MetricIntent("error_ratio_1h_ago", ratio, timedelta(hours=1)),
        *((MetricIntent("volume_used_ratio", _volumes(asked, scope.claims)),) if scope.claims else ()),
        MetricIntent("cpu_of_limit", _cpu(own, "limits")),
        MetricIntent("requests_per_s", rate, unit="requests/s"),
        *(of_ends if scope.ended else times),
        MetricIntent("cpu_of_request_10m", f"min_over_time(({_cpu(own, 'requests')})[10m:1m])", unit="times"),
        MetricIntent(
            "cpu_cores", f"sum by (pod, container) (rate(container_cpu_usage_seconds_total{{{own}}}[5m]))", unit="cores"
        ),
        *(times if scope.ended else ()),
    )


def _of_pods(asked: DiagnosisRequest, pods: Sequence[str]) -> str:
    return f"namespace={quoted(asked.namespace)}" + (
        f",pod=~{matching(pods)}" if 0 < len(pods) <= _NAMED else ',pod!=""'
    )


def chart_for(name: str, asked: DiagnosisRequest, scope: MetricScope) -> MetricIntent | None:
    """Return the query of a telling metric over the window."""
    of_pods = _of_pods(asked, scope.pods)
    own = f'{of_pods},container!="",container!="POD"'
    known = {
        "error_ratio": MetricIntent("error_ratio", _requests(asked, of_pods)[0]),
        "throttle_ratio": MetricIntent("throttle_ratio", _throttled(own)),
        "memory_of_limit": MetricIntent("memory_of_limit", _memory(own)),
        "restarts": MetricIntent(
            "restarts", f"max by (pod, container) (kube_pod_container_status_restarts_total{{{own}}})", unit="restarts"
        ),
        "cpu_of_limit": MetricIntent("cpu_of_limit", _cpu(own, "limits")),
        "latency": MetricIntent("latency", _latency(asked, scope), unit="s"),
        "volume_used_ratio": MetricIntent("volume_used_ratio", _volumes(asked, scope.claims)),
        "requests_per_s": MetricIntent("requests_per_s", _requests(asked, of_pods)[1], unit="requests/s"),
    }
    return known.get(name)


def _throttled(own: str) -> str:
    return (
        f"sum by (pod, container) (rate(container_cpu_cfs_throttled_periods_total{{{own}}}[5m]))"
        f" / sum by (pod, container) (rate(container_cpu_cfs_periods_total{{{own}}}[5m]))"
    )


def _cpu(own: str, of: str) -> str:
    used = (f"rate(container_cpu_usage_seconds_total{{{own}}}[5m])", f"{_RECORDED_CPU}{{{own}}}")
    return _share("sum", used, "cpu", of, own)


def _memory(own: str, over: str = "") -> str:
    names = ("container_memory_working_set_bytes", _RECORDED_MEMORY)
    used = [f"max_over_time({name}{{{own}}}[{over}])" if over else f"{name}{{{own}}}" for name in names]
    return _share("max", used, "memory", "limits", own)


def _share(by: str, used: Sequence[str], resource: str, of: str, own: str) -> str:
    """Return a share of each container, of what is kept: the series themselves, or what was recorded of them."""
    allowed = f'kube_pod_container_resource_{of}{{{own},resource="{resource}"}}'
    known = (allowed, f"cluster:namespace:pod_{resource}:active:{allowed}")
    parts = [" or ".join(f"{by} by (pod, container) ({each})" for each in side) for side in (used, known)]
    return f"({parts[0]}) / ({parts[1]})"


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


def _latency(asked: DiagnosisRequest, scope: MetricScope, offset: str = "") -> str:
    """Return the seconds that the slowest twentieth of the requests takes or more; without buckets, their mean.

    The label `of` says which of both. The pods are all of the same workloads, also those that are gone.
    """
    by, of_le, on = _grouped(asked)
    own = f"namespace={quoted(asked.namespace)},{_of_workloads(asked, scope)}"
    slowest = [
        f"histogram_quantile(0.95, sum by ({of_le}) (rate({name}_bucket{{{own}{served}}}[5m]{offset}))){scale}"
        for name, scale, served in _TIMES
    ]
    means = [
        f"sum{by} (rate({name}_sum{{{own}}}[5m]{offset})) / sum{by} (rate({name}_count{{{own}}}[5m]{offset}))"
        for name, _, _ in _SUMMED
    ]
    return f"{_labelled(slowest, 'of', 'p95')} or {on} {_labelled(means, 'of', 'mean')}"


def _latency_before(asked: DiagnosisRequest, scope: MetricScope) -> str:
    """Return the same for a day ago, else for the hour ago at which it is asked; the label `ago` says which."""
    _, _, on = _grouped(asked)
    day, hour = _latency(asked, scope, " offset 23h"), _latency(asked, scope)
    return f"{_labelled([day], 'ago', '24 h')} or {on} {_labelled([hour], 'ago', '1 h')}"


def _grouped(asked: DiagnosisRequest) -> tuple[str, str, str]:
    """Return how sums are grouped, sums over buckets, and what joins them: by app where no one app is asked for."""
    return ("", "le", "on()") if asked.app and not asked.pod else (" by (app)", "app, le", "on(app)")


def _of_workloads(asked: DiagnosisRequest, scope: MetricScope) -> str:
    if asked.pod:
        return f"pod={quoted(asked.pod)}"
    if asked.app and 0 < len(scope.workloads) <= _NAMED:
        names = "|".join(re.escape(each).replace("\\-", "-") for each in scope.workloads)
        return f"pod=~{quoted(f'({names}){_OF_WORKLOAD}')}"
    return f"app={quoted(asked.app)}" if asked.app else 'pod!=""'


def _labelled(queries: Sequence[str], label: str, value: str) -> str:
    return f'label_replace({" or ".join(queries)}, "{label}", "{value}", "", "")'


def _volumes(asked: DiagnosisRequest, claims: Sequence[str]) -> str:
    """Return which share of a claim's space, and of its inodes, is used; the label `of` says which."""
    own = f"namespace={quoted(asked.namespace)}" + (
        f",persistentvolumeclaim=~{matching(claims)}" if 0 < len(claims) <= _NAMED else ""
    )
    space, inodes = (
        f"1 - max by (persistentvolumeclaim) (kubelet_volume_stats_{free}{{{own}}})"
        f" / max by (persistentvolumeclaim) (kubelet_volume_stats_{whole}{{{own}}})"
        for free, whole in (("available_bytes", "capacity_bytes"), ("inodes_free", "inodes"))
    )
    return f"{_labelled([space], 'of', 'space')} or {_labelled([inodes], 'of', 'inodes')}"
