"""Pods that find no node, claims without a volume, pods that were thrown out."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.pods import ContainerPart, Pod
from queries.observe.facts.reading import cores, excerpt
from queries.observe.reading import ObjectKind
from queries.observe.report.report import ReportEvidence, Severity
from queries.observe.rules.finding import Excluded, Outcome, RuleFinding, of_object, of_pod, of_workload, span

_RESOURCE = re.compile(r"Insufficient ([A-Za-z0-9./_-]{1,100})|Too many pods")
_UNBOUND = re.compile(
    r"unbound (?:immediate )?PersistentVolumeClaim|persistentvolumeclaim \"[^\"]{1,253}\" not found",
    re.IGNORECASE,
)
#: How the reason begins for which a kubelet sends a pod away: "OutOfcpu".
_NO_ROOM = "OutOf"
#: Pods that were thrown out longer ago are history when their workload is whole again.
_OVER = timedelta(hours=24)
_CONTINUES = timedelta(minutes=15)


def unschedulable(facts: ClusterFacts) -> Iterator[Outcome]:
    """UNSCHEDULABLE_RESOURCES, UNSCHEDULABLE_PLACEMENT, PVC_UNBOUND: the scheduler says why a pod has no node."""
    for pod in facts.live_pods():
        condition = pod.condition("PodScheduled")
        events = facts.events_of_pod(pod, "FailedScheduling")
        if condition is None or condition.status != "False":
            if events and pod.node:
                last = events[-1]
                ago = span(facts.now - last.last) if last.last else "?"
                yield Excluded("UNSCHEDULABLE_RESOURCES", "scheduled", {"pod": pod.name, "ago": ago}, (last.cite(),))
            continue
        yield from _unplaced(facts, pod, condition.message or (events[-1].message if events else ""), condition.reason)


def _unplaced(facts: ClusterFacts, pod: Pod, message: str, reason: str) -> Iterator[RuleFinding]:
    events = facts.events_of_pod(pod, "FailedScheduling")
    evidence: list[ReportEvidence] = [pod.origin.cite("status.conditions[type=PodScheduled].reason", reason)]
    if message:
        evidence.append(pod.origin.cite("status.conditions[type=PodScheduled].message", message))
    evidence.extend(each.cite() for each in events[-2:])
    resources = sorted({(hit[1] or "pods").rstrip(".") for hit in _RESOURCE.finditer(message)})
    unbound = _UNBOUND.search(message) is not None
    values: dict[str, object] = {"message": excerpt(message, 400), "resources": ", ".join(resources)}
    onset = pod.created
    if unbound:
        told = _told_of_claims(facts, pod)
        yield of_pod(
            "PVC_UNBOUND",
            facts,
            pod,
            [*evidence, *_claims_of(facts, pod)],
            says=("pod", "told") if told else ("pod",),
            values={**values, "told": told, "claim": _unbound_claim(facts, pod)},
            onset=onset,
        )
    if resources:
        asked = _asked(pod, resources)
        yield of_pod(
            "UNSCHEDULABLE_RESOURCES",
            facts,
            pod,
            [*evidence, *_requests(pod, resources), *of_workload(facts, pod)],
            says=("says", *(["requests"] if asked["requests"] else []), "said"),
            values={**values, **asked},
            onset=onset,
        )
    if not unbound and not resources and reason:
        gated = reason == "SchedulingGated" and bool(pod.gates)
        evidence.extend(pod.origin.cite("spec.schedulingGates", ", ".join(pod.gates)) for _ in range(gated))
        values |= {"gates": ", ".join(pod.gates), "gated": pod.name if gated else "", "nodes": "" if gated else "nodes"}
        yield of_pod(
            "UNSCHEDULABLE_PLACEMENT",
            facts,
            pod,
            [*evidence, *_bound_claims_of(facts, pod, message), *of_workload(facts, pod)],
            says=("gated",) if gated else ("says",),
            values=values,
            onset=onset,
        )


def _requests(pod: Pod, resources: list[str]) -> list[ReportEvidence]:
    return [
        pod.origin.cite(f"{each.spec_path}.resources.requests.{resource}", each.requests[resource])
        for each in pod.containers
        if each.part is not ContainerPart.EPHEMERAL
        for resource in resources
        if resource in each.requests
    ]


def _asked(pod: Pod, resources: list[str]) -> dict[str, str]:
    parts = [
        f"{cores(each.requests[resource])} CPU" if resource == "cpu" else f"{each.requests[resource]} {resource}"
        for each in pod.containers
        for resource in resources
        if resource in each.requests
    ]
    return {"requests": ", ".join(parts)}


def _claims_of(facts: ClusterFacts, pod: Pod) -> list[ReportEvidence]:
    pending = [each for each in facts.claims if each.name in pod.claims and each.phase != "Bound"]
    return [
        cited
        for each in pending
        for cited in (
            each.origin.cite("status.phase", each.phase or "?"),
            each.origin.cite("spec.storageClassName", each.storage_class),
        )
    ] + [event.cite() for each in pending for event in facts.events_of("PersistentVolumeClaim", each.name)[-2:]]


def _bound_claims_of(facts: ClusterFacts, pod: Pod, message: str) -> list[ReportEvidence]:
    """Return the claims of a pod whose volumes lie where no node is free for it."""
    if "volume node affinity conflict" not in message:
        return []
    return [each.origin.cite("status.phase", each.phase) for each in facts.claims if each.name in pod.claims]


def _told_of_claims(facts: ClusterFacts, pod: Pod) -> str:
    """Return what was said last of a claim of a pod that has no volume, or ""."""
    said = [
        event.message
        for claim in facts.claims
        if claim.name in pod.claims and claim.phase != "Bound"
        for event in facts.events_of("PersistentVolumeClaim", claim.name)[-1:]
    ]
    return excerpt(said[0], 300) if said else ""


def _unbound_claim(facts: ClusterFacts, pod: Pod) -> str:
    return next((each.name for each in facts.claims if each.name in pod.claims and each.phase != "Bound"), "")


def claim_pending(facts: ClusterFacts) -> Iterator[Outcome]:
    """PVC_UNBOUND: a claim waits, and making its volume failed; one that waits for its first pod is well."""
    used = {name for pod in facts.live_pods() for name in pod.claims}
    by_pods = {
        name
        for pod in facts.live_pods()
        if (found := pod.condition("PodScheduled")) is not None
        and found.status == "False"
        and _UNBOUND.search(found.message)
        for name in pod.claims
    }
    for claim in facts.claims:
        if (
            claim.phase not in {"Pending", "Lost"}
            or claim.name in by_pods
            or (facts.asked.app and claim.name not in used)
        ):
            continue
        events = facts.events_of("PersistentVolumeClaim", claim.name)
        failed = [
            each
            for each in events
            if each.reason in {"ProvisioningFailed", "FailedBinding"} and facts.recent(each, _CONTINUES)
        ]
        if not failed and claim.phase == "Pending":
            if any(each.reason == "WaitForFirstConsumer" for each in events):
                yield Excluded("PVC_UNBOUND", "first_consumer", {"claim": claim.name}, (events[-1].cite(),))
            continue
        evidence = [
            claim.origin.cite("status.phase", claim.phase),
            claim.origin.cite("spec.storageClassName", claim.storage_class),
            *(each.cite() for each in failed),
        ]
        values = {"claim": claim.name, "message": excerpt(failed[-1].message, 300) if failed else claim.phase}
        holders = [pod for pod in facts.live_pods() if claim.name in pod.claims]
        severity = facts.severity_of(holders[0]) if holders else Severity.S2
        yield of_object(
            "PVC_UNBOUND",
            facts,
            f"PersistentVolumeClaim/{claim.name}",
            evidence,
            severity=severity,
            says=("claim",),
            values=values,
        )


def rejected(facts: ClusterFacts) -> Iterator[Outcome]:
    """UNSCHEDULABLE_RESOURCES: the node that was chosen for a pod has no room and sent it away."""
    for pod in facts.pods:
        if pod.phase != "Failed" or not pod.reason.startswith(_NO_ROOM):
            continue
        owner = facts.workload_of(pod)
        events = facts.events_of_pod(pod, pod.reason)
        evidence = [
            pod.origin.cite("status.phase", pod.phase),
            pod.origin.cite("status.reason", pod.reason),
            pod.origin.cite("status.message", pod.message),
            *(each.cite() for each in events),
        ]
        if owner is not None and owner.ready >= owner.wanted:
            ago = span(facts.now - pod.created) if pod.created else "?"
            yield Excluded("UNSCHEDULABLE_RESOURCES", "replaced", {"pod": pod.name, "ago": ago}, tuple(evidence))
            continue
        values = {"resources": pod.reason.removeprefix(_NO_ROOM), "message": excerpt(pod.message, 300)}
        yield of_pod(
            "UNSCHEDULABLE_RESOURCES",
            facts,
            pod,
            [*evidence, *of_workload(facts, pod)],
            says=("refused",),
            values=values,
            onset=pod.created,
        )


def evicted(facts: ClusterFacts) -> Iterator[Outcome]:
    """EVICTED: the kubelet threw a pod out; its message says for what."""
    for pod in facts.pods:
        if pod.phase != "Failed" or pod.reason != "Evicted":
            continue
        evidence = [
            pod.origin.cite("status.phase", pod.phase),
            pod.origin.cite("status.reason", pod.reason),
            pod.origin.cite("status.message", pod.message),
            *(each.cite() for each in facts.events_of_pod(pod, "Evicted")),
        ]
        at = _evicted_at(facts, pod)
        if at is not None and facts.now - at > _OVER and facts.serving(pod):
            values = {"pod": pod.name, "ago": span(facts.now - at)}
            yield Excluded("EVICTED", "over", values, tuple(evidence))
        else:
            owner = facts.workload_of(pod)
            says = ("says", *(("at",) if at else ()), *(("serves",) if owner else ()))
            values = {"message": excerpt(pod.message, 300), "ago": span(facts.now - at) if at else ""}
            if owner is not None:
                values |= {"owner": owner.origin.object, "ready": str(owner.ready), "wanted": str(owner.wanted)}
            yield of_pod(
                "EVICTED", facts, pod, [*evidence, *of_workload(facts, pod)], says=says, values=values, onset=at
            )


def _evicted_at(facts: ClusterFacts, pod: Pod) -> datetime | None:
    events = facts.events_of_pod(pod, "Evicted")
    if events:
        return events[-1].last
    times = [
        each.since for each in pod.conditions if each.since is not None and each.type in {"DisruptionTarget", "Ready"}
    ]
    ended = [each.state.ended.finished for each in pod.containers if each.state.ended and each.state.ended.finished]
    return max([*times, *ended], default=None) or (
        pod.created if facts.lists.get(ObjectKind.PODS) and not pod.conditions else None
    )
