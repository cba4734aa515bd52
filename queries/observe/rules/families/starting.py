"""Containers that cannot be made: references that lead nowhere, volumes, sandboxes."""

import re
from collections.abc import Iterator
from datetime import timedelta

from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.pods import Container, Pod
from queries.observe.facts.reading import excerpt
from queries.observe.report.report import ReportEvidence
from queries.observe.rules.finding import Excluded, Outcome, RuleFinding, of_container, of_pod, of_workload, span

_MISSING = re.compile(
    r"(?P<kind>secret|configmap) \"(?P<name>[^\"]{1,253})\" not found"
    r"|couldn't find key (?P<key>\S{1,253}) in (?P<kind2>secret|configmap) (?:[^\s/]{1,63}/)?(?P<name2>[^\s\"]{1,253})"
    r"|references non-existent (?P<kind3>secret|config) key: (?P<key3>\S{1,253})",
    re.IGNORECASE,
)
_PLACE = re.compile(r"([A-Za-z]{1,40})(?:\[name=([^\]]{1,253})\])?")
_NOT_MADE = frozenset(
    {
        "CreateContainerConfigError",
        "CreateContainerError",
        "RunContainerError",
        "StartError",
        "PreStartHookError",
        "PostStartHookError",
    }
)
_STUCK = frozenset({"ContainerCreating", "PodInitializing", ""})
_CONTINUES = timedelta(minutes=15)


def config_missing(facts: ClusterFacts) -> Iterator[Outcome]:
    """CONFIG_REF_MISSING: a container refers to a secret or config map, or to a key of it, that is not there."""
    for pod in facts.live_pods():
        for container in pod.containers:
            if container.state.waiting not in _NOT_MADE:
                continue
            events = [each for each in facts.events_of_pod(pod, "Failed") if each.is_of(container.name)]
            found = _MISSING.search(container.state.waiting_message) or next(
                (
                    hit
                    for each in reversed(events)
                    if facts.recent(each, _CONTINUES) and (hit := _MISSING.search(each.message))
                ),
                None,
            )
            if found is not None and container.state.waiting == "CreateContainerConfigError":
                yield _missing(facts, pod, container, found)
            else:
                evidence = [*_waits(pod, container), *(each.cite() for each in events), *of_workload(facts, pod)]
                values = {"reason": container.state.waiting, "message": excerpt(container.state.waiting_message, 300)}
                yield of_container("CONTAINER_NOT_CREATED", facts, pod, container, evidence, values=values)


def _missing(facts: ClusterFacts, pod: Pod, container: Container, found: re.Match[str]) -> RuleFinding:
    kind = (
        (found["kind"] or found["kind2"] or found["kind3"] or "")
        .lower()
        .replace("config", "configmap")
        .replace("configmapmap", "configmap")
    )
    name, key = found["name"] or found["name2"] or "", found["key"] or found["key3"] or ""
    evidence = _waits(pod, container)
    evidence.extend(
        each.cite()
        for each in facts.events_of_pod(pod, "Failed")
        if each.is_of(container.name) and _MISSING.search(each.message)
    )
    refers = [each for each in container.references if each.kind == kind and (each.name == name or not name)]
    evidence.extend(pod.origin.cite(f"{container.spec_path}.{each.field}", each.name) for each in refers)
    values = {"kind": kind, "missing": name, "key": key, "field": _place(refers[0].field) if refers else ""}
    says = ["key" if key else "says"]
    if refers:
        says.append("field")
    return of_container(
        "CONFIG_REF_MISSING",
        facts,
        pod,
        container,
        [*evidence, *of_workload(facts, pod)],
        says=tuple(says),
        values=values,
    )


def _place(field: str) -> str:
    """Return where a container refers to something: "env DB_URL", "envFrom"."""
    found = _PLACE.match(field)
    return " ".join(filter(None, found.groups())) if found else field


def volume_failed(facts: ClusterFacts) -> Iterator[Outcome]:
    """VOLUME_MOUNT_FAILED: the pod waits for its containers, and mounting or attaching a volume goes on failing."""
    for pod in facts.live_pods():
        events = [
            each
            for each in facts.events_of_pod(pod)
            if each.reason in {"FailedMount", "FailedAttachVolume", "FailedMapVolume"}
        ]
        if not events:
            continue
        if not _stuck(pod):
            last = events[-1]
            yield Excluded(
                "VOLUME_MOUNT_FAILED",
                "mounted",
                {"pod": pod.name, "ago": span(facts.now - last.last) if last.last else "?"},
                (last.cite(),),
            )
        elif facts.recent(events[-1], _CONTINUES):
            telling = sorted(events, key=lambda each: ("timed out waiting" in each.message, -(each.count)))
            evidence = [*_stuck_at(pod), *(each.cite() for each in telling[:4]), *of_workload(facts, pod)]
            said = " ".join(each.message for each in events)
            evidence.extend(
                pod.origin.cite(field, refers) for name, field, refers in pod.volumes if name in said or refers in said
            )
            missing = _MISSING.search(said)
            values = {
                "message": excerpt(telling[0].message, 300),
                "kind": missing["kind"] if missing else "",
                "missing": missing["name"] if missing else "",
                "attached": "yes" if "ttach" in telling[0].message else "",
            }
            yield of_pod("VOLUME_MOUNT_FAILED", facts, pod, evidence, values=values, onset=events[0].first)


def sandbox_failed(facts: ClusterFacts) -> Iterator[Outcome]:
    """SANDBOX_FAILED: the node cannot make the pod's sandbox, most often for its network."""
    for pod in facts.live_pods():
        events = facts.events_of_pod(pod, "FailedCreatePodSandBox")
        if events and _stuck(pod) and facts.recent(events[-1], _CONTINUES):
            evidence = [*_stuck_at(pod), *(each.cite() for each in events), *of_workload(facts, pod)]
            values = {"message": excerpt(events[-1].message, 300)}
            yield of_pod("SANDBOX_FAILED", facts, pod, evidence, values=values, onset=events[0].first)


def _stuck(pod: Pod) -> bool:
    """Return whether no container of a pod with a node was made yet."""
    if pod.phase != "Pending" and pod.ready:
        return False
    states = [each.state for each in pod.containers]
    return bool(pod.node) and all(
        each.ended is not None or (not each.running and each.waiting in _STUCK) for each in states
    )


def _stuck_at(pod: Pod) -> list[ReportEvidence]:
    return [
        pod.origin.cite(f"{each.status_path}.state.waiting.reason", each.state.waiting)
        for each in pod.containers
        if each.state.waiting in {"ContainerCreating", "PodInitializing"}
    ]


def _waits(pod: Pod, container: Container) -> list[ReportEvidence]:
    return [
        pod.origin.cite(f"{container.status_path}.state.waiting.reason", container.state.waiting),
        pod.origin.cite(f"{container.status_path}.state.waiting.message", container.state.waiting_message),
    ]
