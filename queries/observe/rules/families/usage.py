"""What was measured: CPU, memory, volumes, failing and slow requests; and who ran into a limit of its own."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from queries.observe.facts.cluster import Autoscaler
from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.measures import Measure, Value
from queries.observe.facts.pods import Container, ContainerPart, Pod
from queries.observe.facts.reading import cores, excerpt
from queries.observe.report.report import ReportEvidence, Severity
from queries.observe.rules.finding import Excluded, Outcome, RuleFinding, of_container, of_object, percent

THROTTLED, NEAR, BAD, BAD_IF_RISEN, RISEN, FAR_ABOVE = 0.25, 0.9, 0.05, 0.01, 10.0, 2.0
#: Seconds, and how often as many as before, from which requests are slow.
_SLOW_S, _SLOWER = 0.5, 3.0
#: Shares of a volume that are told, and of one that is all but full.
_FILLED, _FULL = 0.9, 0.97
#: Reasons for which an autoscaler does not scale, and is not to: its target was scaled to zero by hand.
_MEANT = frozenset({"ScalingDisabled"})
#: A share of fewer requests than this says nothing: five in five minutes.
_LEAST_PER_S = 5 / 300


def _running(facts: ClusterFacts) -> Iterator[tuple[Pod, Container]]:
    for pod in facts.live_pods():
        for container in pod.containers:
            if container.part in {ContainerPart.MAIN, ContainerPart.SIDECAR}:
                yield pod, container


def cpu_throttled(facts: ClusterFacts) -> Iterator[Outcome]:
    """CPU_THROTTLED: more than a quarter of the periods is throttled, and a limit is set."""
    ratio = facts.measure("throttle_ratio")
    highest: list[float] = []
    for pod, container in _running(facts):
        value = ratio.of(pod.name, container.name) if ratio else None
        if ratio is None or value is None:
            continue
        if value > THROTTLED and _is_limited(facts, pod, container):
            yield _throttled(facts, pod, container, ratio, value)
        else:
            highest.append(value)
    if ratio is not None and highest:
        yield Excluded(
            "CPU_THROTTLED", "low", {"ratio": percent(max(highest))}, (ratio.cite(max(highest), _scope(facts)),)
        )


def _throttled(facts: ClusterFacts, pod: Pod, container: Container, ratio: Measure, value: float) -> RuleFinding:
    name = f"Pod/{pod.name} container {container.name}"
    limit = container.limits.get("cpu", "")
    evidence = [ratio.cite(value, name)]
    if limit:
        evidence.append(pod.origin.cite(f"{container.spec_path}.resources.limits.cpu", limit))
    says = ["says", *(["limit"] if limit else [])]
    values = {"ratio": percent(value), "limit": cores(limit), "use": ""}
    use = facts.measure("cpu_of_limit")
    used = use.of(pod.name, container.name) if use else None
    if use is not None and used is not None:
        evidence.append(use.cite(used, name))
        values["use"] = percent(used)
        says.append("use")
    return of_container(
        "CPU_THROTTLED", facts, pod, container, evidence, says=tuple(says), values=values, severity=Severity.S2
    )


def _is_limited(facts: ClusterFacts, pod: Pod, container: Container) -> bool:
    """Return whether a CPU limit is set: in the pod's spec, or so that Prometheus measures against it."""
    share = facts.measure("cpu_of_limit")
    return bool(container.limits.get("cpu")) or (share is not None and share.of(pod.name, container.name) is not None)


def cpu_high(facts: ClusterFacts) -> Iterator[Outcome]:
    """CPU_HIGH_NO_LIMIT: no limit, no throttling, and twice the request or more for ten minutes."""
    use, throttled = facts.measure("cpu_of_request_10m"), facts.measure("throttle_ratio")
    for pod, container in _running(facts):
        value = use.of(pod.name, container.name) if use else None
        if use is None or value is None or value < FAR_ABOVE or container.limits.get("cpu"):
            continue
        if throttled is not None and throttled.of(pod.name, container.name) is not None:
            continue
        asked = container.requests.get("cpu", "")
        evidence = [use.cite(value, f"Pod/{pod.name} container {container.name}")]
        if asked:
            evidence.append(pod.origin.cite(f"{container.spec_path}.resources.requests.cpu", asked))
        in_cores = facts.measure("cpu_cores")
        used = in_cores.of(pod.name, container.name) if in_cores else None
        if in_cores is not None and used is not None:
            evidence.append(in_cores.cite(used, f"Pod/{pod.name} container {container.name}"))
        values = {"times": f"{value:.3g}", "request": cores(asked)}
        yield of_container("CPU_HIGH_NO_LIMIT", facts, pod, container, evidence, values=values, severity=Severity.S2)


def memory_near(facts: ClusterFacts) -> Iterator[Outcome]:
    """MEMORY_NEAR_LIMIT: nine tenths of the limit within the window, and not killed for it."""
    peak = facts.measure("memory_peak_of_limit_30m")
    highest: list[float] = []
    reached = False
    for pod, container in _running(facts):
        value = peak.of(pod.name, container.name) if peak else None
        if peak is None or value is None:
            continue
        reached = reached or value >= NEAR
        killed = any(
            each is not None and each.reason == "OOMKilled" for each in (container.last, container.state.ended)
        )
        if value >= NEAR and not killed:
            limit = container.limits.get("memory", "")  # the share itself shows that there is one
            evidence = [
                peak.cite(value, f"Pod/{pod.name} container {container.name}"),
                pod.origin.cite(f"{container.status_path}.restartCount", container.restarts),
            ]
            if limit:
                evidence.append(pod.origin.cite(f"{container.spec_path}.resources.limits.memory", limit))
            says = ("says", "limit") if limit else ("says",)
            values = {"peak": percent(value), "limit": limit}
            yield of_container(
                "MEMORY_NEAR_LIMIT", facts, pod, container, evidence, says=says, values=values, severity=Severity.S2
            )
        elif value < NEAR:
            highest.append(value)
    if peak is not None and highest and not reached:
        yield Excluded(
            "MEMORY_NEAR_LIMIT", "low", {"peak": percent(max(highest))}, (peak.cite(max(highest), _scope(facts)),)
        )


def http_5xx(facts: ClusterFacts) -> Iterator[Outcome]:
    """HTTP_5XX_RATIO: 5 % of the requests fail, or ten times what failed an hour earlier and 1 %."""
    now, before, rate = (facts.measure(name) for name in ("error_ratio", "error_ratio_1h_ago", "requests_per_s"))
    for each in now or ():
        app = each.label("app") or facts.asked.app
        earlier = _of_app(before, app)
        per_s = _of_app(rate, app)
        risen = each.value >= BAD_IF_RISEN and earlier is not None and each.value >= RISEN * earlier
        if now is None or (per_s is not None and per_s < _LEAST_PER_S):
            continue
        evidence = [now.cite(each.value, f"app/{app}")]
        if before is not None and earlier is not None:
            evidence.append(before.cite(earlier, f"app/{app}"))
        if each.value < BAD and not risen:
            yield Excluded("HTTP_5XX_RATIO", "low", {"ratio": percent(each.value), "app": app}, tuple(evidence))
            continue
        values = {
            "app": app,
            "selector": facts.asked.selector or f"app={app}",
            "ratio": percent(each.value),
            "earlier": percent(earlier) if earlier is not None else "",
            "rate": "",
        }
        if rate is not None and per_s is not None:
            evidence.append(rate.cite(per_s, f"app/{app}"))
            values["rate"] = f"{per_s:.3g}"
        yield of_object(
            "HTTP_5XX_RATIO",
            facts,
            f"app/{app}",
            evidence,
            severity=Severity.S1 if each.value >= BAD else Severity.S2,
            says=("says", "earlier") if earlier is not None else ("says",),
            values=values,
            family=("app", app),
        )


def requests_slow(facts: ClusterFacts) -> Iterator[Outcome]:
    """REQUESTS_SLOW: half a second and more, and three times what it was at this time a day ago, else an hour ago."""
    now, before, rate = (facts.measure(name) for name in ("latency", "latency_before", "requests_per_s"))
    earlier_of = {(each.label("app"), each.label("of")): each for each in before or ()}
    for each in now or ():
        app, of = each.label("app") or facts.asked.app or facts.asked.namespace, each.label("of")
        earlier, per_s = earlier_of.get((each.label("app"), of)), _of_app(rate, app)
        if now is None or before is None or earlier is None or (per_s is not None and per_s < _LEAST_PER_S):
            continue
        evidence = (_timed(now, each, f"app/{app}"), _timed(before, earlier, f"app/{app}"))
        values = {
            "app": app,
            "selector": facts.asked.selector or f"app={app}",
            "now": f"{each.value:.3g} s",
            "before": f"{earlier.value:.3g} s",
            "ago": earlier.label("ago"),
        }
        if each.value < _SLOW_S or each.value < _SLOWER * earlier.value:
            yield Excluded("REQUESTS_SLOW", f"low_{of}", values, evidence)
            continue
        yield of_object(
            "REQUESTS_SLOW", facts, f"app/{app}", evidence, says=(of, "before"), values=values, family=("app", app)
        )


def _timed(measure: Measure, value: Value, object_: str) -> ReportEvidence:
    """Return how long requests took as evidence, with the moment at which they did."""
    cited = measure.cite(value.value, object_)
    day = timedelta(hours=23) if value.label("ago") == "24 h" else timedelta()
    return replace(cited, field=f"{measure.name}.{value.label('of')}", at=measure.at - day)


def volume_nearly_full(facts: ClusterFacts) -> Iterator[Outcome]:
    """VOLUME_NEARLY_FULL: nine tenths of the space or the inodes of a claim that a pod in question uses."""
    used = facts.measure("volume_used_ratio")
    mounted = {claim: pod for pod in facts.live_pods() for claim in pod.claims}
    highest: list[tuple[float, ReportEvidence]] = []
    for each in used or ():
        claim, of = each.label("persistentvolumeclaim"), each.label("of")
        pod = mounted.get(claim)
        if used is None or pod is None:
            continue
        name = f"PersistentVolumeClaim/{claim}"
        cited = replace(used.cite(each.value, name), field=f"{used.name}.{of}")
        if each.value < _FILLED:
            highest.append((each.value, cited))
            continue
        yield of_object(
            "VOLUME_NEARLY_FULL",
            facts,
            name,
            (cited, pod.origin.cite("spec.volumes.persistentVolumeClaim.claimName", claim)),
            severity=Severity.S2 if each.value >= _FULL else Severity.S3,
            says=(of,),
            values={"used": percent(each.value), "claim": claim, "pod": pod.name},
            pod=pod.name,
            family=facts.family(pod),
        )
    if highest:
        most, evidence = max(highest, key=lambda each: each[0])
        yield Excluded("VOLUME_NEARLY_FULL", "low", {"used": percent(most)}, (evidence,))


def too_few_requests(facts: ClusterFacts) -> bool:
    """Return whether so few requests come in that a share of failing ones says nothing."""
    rate = facts.measure("requests_per_s")
    return rate is not None and 0 < max((each.value for each in rate), default=0) < _LEAST_PER_S


def _of_app(measure: Measure | None, app: str) -> float | None:
    found = [each.value for each in measure or () if (each.label("app") or app) == app]
    return found[0] if found else None


def _scalers(facts: ClusterFacts) -> Iterator[Autoscaler]:
    """Yield the autoscalers of what was asked for: by what they scale, or named like it where they scale nothing."""
    names = {(each.kind, each.name) for each in facts.workloads}
    called = {facts.asked.app, *(each.name for each in facts.workloads)}
    for each in facts.autoscalers:
        whole = not facts.asked.app and not facts.asked.pod
        if whole or (each.target_kind, each.target) in names or each.name in called:
            yield each


def hpa_not_scaling(facts: ClusterFacts) -> Iterator[Outcome]:
    """HPA_NOT_SCALING: an autoscaler cannot read its metric, or cannot change what it is to scale."""
    for scaler in _scalers(facts):
        for kind in ("AbleToScale", "ScalingActive"):
            condition = scaler.condition(kind)
            if condition is None or condition.status != "False" or condition.reason in _MEANT:
                continue
            cite = scaler.origin.cite
            field = f"status.conditions[type={kind}]"
            evidence = [
                cite(f"{field}.status", condition.status, at=condition.since),
                cite(f"{field}.reason", condition.reason, at=condition.since),
                cite("status.currentReplicas", scaler.current),
                *(
                    each.cite()
                    for each in facts.events_of("HorizontalPodAutoscaler", scaler.name)
                    if each.reason == condition.reason
                ),
            ]
            yield of_object(
                "HPA_NOT_SCALING",
                facts,
                scaler.origin.object,
                evidence,
                severity=Severity.S3,
                values={
                    "message": excerpt(condition.message, 300) or condition.reason,
                    "target": f"{scaler.target_kind}/{scaler.target}",
                    "current": scaler.current,
                },
                onset=condition.since,
            )
            break


def hpa_at_limit(facts: ClusterFacts) -> Iterator[Outcome]:
    """HPA_AT_LIMIT: an autoscaler wants more replicas than it may have."""
    for scaler in _scalers(facts):
        limited = scaler.condition("ScalingLimited")
        at_limit = (
            limited is not None
            and limited.status == "True"
            and limited.reason == "TooManyReplicas"
            and scaler.current >= scaler.most
        )
        if not at_limit or limited is None:
            continue
        cite = scaler.origin.cite
        evidence = [
            cite("status.conditions[type=ScalingLimited].reason", limited.reason, at=limited.since),
            cite("spec.maxReplicas", scaler.most),
            cite("status.currentReplicas", scaler.current),
        ]
        yield of_object(
            "HPA_AT_LIMIT",
            facts,
            f"HorizontalPodAutoscaler/{scaler.name}",
            evidence,
            values={"most": scaler.most, "target": f"{scaler.target_kind}/{scaler.target}"},
            onset=limited.since,
        )


def _scope(facts: ClusterFacts) -> str:
    return f"app/{facts.asked.app}" if facts.asked.app else f"Namespace/{facts.asked.namespace}"
