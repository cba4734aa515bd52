"""Containers that the kubelet asks how they are: killed for their answer, or left without traffic."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from queries.observe.facts.events import ClusterEvent, as_seen
from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.logs import ContainerLog
from queries.observe.facts.pods import Container, ContainerPart, Pod
from queries.observe.facts.reading import excerpt
from queries.observe.report.instants import instant
from queries.observe.report.report import ReportEvidence, Severity
from queries.observe.rules.families.containers import ending
from queries.observe.rules.families.logs.templates import most_common_errors
from queries.observe.rules.finding import (
    Excluded,
    Outcome,
    RuleFinding,
    of_container,
    of_pod,
    of_workload,
    percent,
    span,
)

_NO_PAGE = re.compile(r"statuscode: 404\b")
_KILLED = "failed {} probe, will be restarted"
#: A failure that continues is seen again within this: the kubelet says the same at most every five minutes or so.
_CONTINUES = timedelta(minutes=10)
#: One kill that is longer ago, with the container running since, is history.
_OVER = timedelta(minutes=30)
#: What makes a pod ready.
_SERVING = frozenset({ContainerPart.MAIN, ContainerPart.SIDECAR})
#: A run that was killed so soon was still starting, where nobody listened.
_YOUNG = timedelta(minutes=3)
#: A pod that became ready longer ago has settled.
_SETTLED = timedelta(minutes=5)
#: Failures of a probe that did not make the pod unready, from which on they are told.
_NOW_AND_THEN = 3


def liveness_killed(facts: ClusterFacts) -> Iterator[Outcome]:
    """LIVENESS_KILLED: the kubelet killed a container because its liveness probe failed."""
    yield from _killed(facts, "LIVENESS_KILLED", "liveness")


def startup_killed(facts: ClusterFacts) -> Iterator[Outcome]:
    """STARTUP_PROBE_KILLED: the kubelet killed a container that was not up in the time that its startup probe gives."""
    yield from _killed(facts, "STARTUP_PROBE_KILLED", "startup")


def _killed(facts: ClusterFacts, rule: str, probe: str) -> Iterator[Outcome]:
    for pod in facts.live_pods():
        for container in pod.containers:
            killed = [
                each
                for each in facts.events_of_pod(pod, "Killing", _KILLED.format(probe))
                if _names(each, container, pod)
            ]
            if not killed or not container.restarts:
                continue
            last = killed[-1]
            count = sum(each.count for each in killed)
            if count == 1 and container.ready and not facts.recent(last, _OVER):
                ago = span(facts.now - last.last) if last.last else "?"
                yield Excluded(rule, "over", {"pod": pod.name, "container": container.name, "ago": ago}, (last.cite(),))
            else:
                yield _kill(facts, rule, pod, container, killed)


def _kill(
    facts: ClusterFacts, rule: str, pod: Pod, container: Container, killed: Sequence[ClusterEvent]
) -> RuleFinding:
    probe = "livenessProbe" if rule == "LIVENESS_KILLED" else "startupProbe"
    word = "Liveness" if rule == "LIVENESS_KILLED" else "Startup"
    failed = [each for each in facts.events_of_pod(pod, "Unhealthy", f"{word} probe") if each.is_of(container.name)]
    evidence = [*map(_cited, killed), *map(_cited, failed), *ending(pod, container)]
    wanted = next((each for each in container.probes if each.kind == probe), None)
    says = ["says"]
    values: dict[str, object] = {"count": sum(each.count for each in killed), "timeout": "", "answer": ""}
    if failed:
        says.append("answer")
        values["answer"] = _first_line(failed[-1])
    ran = _ran(container)
    if rule == "LIVENESS_KILLED" and ran is not None and ran <= _YOUNG and _never_up(failed):
        says.append("young")
        values["ran"] = span(ran)
    elif wanted is not None:
        says.append("timeout")
    if wanted is not None:
        evidence.append(pod.origin.cite(f"{container.spec_path}.{probe}.timeoutSeconds", wanted.timeout_s))
        evidence.append(pod.origin.cite(f"{container.spec_path}.{probe}.failureThreshold", wanted.failures))
        values["timeout"] = wanted.timeout_s
    measure = facts.measure("memory_peak_of_limit_30m")
    peak = measure.of(pod.name, container.name) if measure else None
    if measure is not None and peak is not None:
        evidence.append(measure.cite(peak, f"Pod/{pod.name} container {container.name}"))
        values["peak"] = percent(peak)
        says.append("memory")
    log = facts.log_of(pod, container, previous=True)
    if log is not None:
        evidence.append(log.cite(log.lines[-1]))
    return of_container(
        rule,
        facts,
        pod,
        container,
        [*evidence, *of_workload(facts, pod)],
        says=tuple(says),
        values=values,
        onset=killed[0].first,
    )


def _ran(container: Container) -> timedelta | None:
    """Return how long the run that was ended lasted."""
    ended = container.state.ended or container.last
    if ended is None or ended.started is None or ended.finished is None:
        return None
    return ended.finished - ended.started


def _never_up(failed: Sequence[ClusterEvent]) -> bool:
    """Return whether nobody listened whenever the probe asked."""
    return bool(failed) and all("connection refused" in each.message for each in failed)


def readiness_failing(facts: ClusterFacts) -> Iterator[Outcome]:
    """READINESS_FAILING: a pod is not ready although its containers run, and its readiness probe goes on failing."""
    for pod in facts.live_pods():
        failed = facts.events_of_pod(pod, "Unhealthy", "Readiness probe")
        ready = pod.condition("Ready")
        if not failed:
            continue
        if pod.ready and (flapping := _flapping(facts, pod, failed)) is not None:
            yield flapping
            continue
        if pod.ready:
            yield Excluded(
                "READINESS_FAILING",
                "ready",
                {"pod": pod.name, "since": instant(ready.since if ready else None)},
                (pod.origin.cite("status.conditions[type=Ready].status", "True"), failed[-1].cite()),
            )
            continue
        running = [
            each
            for each in pod.containers
            if each.part in _SERVING and each.state.running and not each.ready and _asked(failed, each)
        ]
        if running and facts.recent(failed[-1], _CONTINUES):
            yield _unready(facts, pod, running, failed)


def _flapping(facts: ClusterFacts, pod: Pod, failed: Sequence[ClusterEvent]) -> RuleFinding | None:
    """Return that a pod comes and goes: ready again just now, or ready while its probe fails now and then for long."""
    ready, last, first = pod.condition("Ready"), failed[-1].last, failed[0].first
    if ready is None or ready.since is None or last is None or first is None:
        return None
    asked = [each for each in pod.containers if each.state.running_since and _asked(failed, each)]
    started = max((each.state.running_since for each in asked if each.state.running_since), default=facts.now)
    count = sum(each.count for each in failed)
    lately = first <= ready.since and facts.now - ready.since <= _SETTLED and ready.since - last <= _SETTLED
    comes = lately and last - first >= _CONTINUES and ready.since - started >= _CONTINUES
    stays = last - max(first, ready.since) >= _CONTINUES and facts.recent(failed[-1]) and count >= _NOW_AND_THEN
    if not comes and not stays:
        return None
    values = {
        "answer": _first_line(failed[-1]),
        "count": count,
        "first": instant(first),
        "since": instant(ready.since),
        "ago": span(facts.now - last),
    }
    evidence = [pod.origin.cite("status.conditions[type=Ready].status", "True", at=ready.since), *map(_cited, failed)]
    return of_pod(
        "READINESS_FAILING",
        facts,
        pod,
        [*evidence, *of_workload(facts, pod)],
        says=("stays",) if stays else ("flaps",),
        values=values,
        severity=Severity.S3 if stays else Severity.S2,
        confidence="medium",
        onset=first,
        container=asked[0].name,
    )


def _unready(
    facts: ClusterFacts, pod: Pod, running: Sequence[Container], failed: Sequence[ClusterEvent]
) -> RuleFinding:
    ready, together = pod.condition("Ready"), pod.condition("ContainersReady")
    evidence = [pod.origin.cite("status.conditions[type=Ready].status", "False", at=ready.since if ready else None)]
    if together is not None:
        evidence.append(pod.origin.cite("status.conditions[type=ContainersReady].reason", together.reason))
    evidence.extend(map(_cited, failed))
    evidence.append(pod.origin.cite(f"{running[0].status_path}.restartCount", running[0].restarts))
    says = ["says"]
    values: dict[str, object] = {"answer": _first_line(failed[-1]), "line": ""}
    others = [each for each in pod.containers if each.part in _SERVING and each.name != running[0].name]
    if others and all(each.ready for each in others):
        says.append("part")
        values["container"] = running[0].name
    if ready is not None and ready.since is not None:
        says.append("since")
        values["since"] = instant(ready.since)
    asks = next((each.path for each in running[0].probes if each.kind == "readinessProbe"), "")
    if asks and _NO_PAGE.search(failed[-1].message):
        evidence.append(pod.origin.cite(f"{running[0].spec_path}.readinessProbe.httpGet.path", asks))
        says.append("no_page")
        values["path"] = asks
    line = _why(facts.log_of(pod, running[0]))
    if line is not None:
        evidence.append(line)
        says.append("log")
        values["line"] = line.excerpt
    return of_pod(
        "READINESS_FAILING",
        facts,
        pod,
        [*evidence, *of_workload(facts, pod)],
        says=tuple(says),
        values=values,
        onset=ready.since if ready else None,
        container=running[0].name,
    )


def _why(log: ContainerLog | None) -> ReportEvidence | None:
    """Return the error that a log repeats most."""
    if log is None:
        return None
    common = most_common_errors([log], most=1)
    return common[0] if common else None


def _asked(failed: Sequence[ClusterEvent], container: Container) -> bool:
    return any(each.is_of(container.name) for each in failed)


def _names(event: ClusterEvent, container: Container, pod: Pod) -> bool:
    """Return whether the event is about this container: by its field, or by the name in its words."""
    if event.part:
        return event.is_of(container.name)
    return f"Container {container.name} " in event.message or len(pod.containers) == 1


def _cited(event: ClusterEvent) -> ReportEvidence:
    return as_seen(event, event.count)


def _first_line(event: ClusterEvent) -> str:
    """Return the first line of what an event says, as it may be shown: a probe's answer holds the app's own words."""
    return excerpt(event.message.lstrip().partition("\n")[0], 200)
