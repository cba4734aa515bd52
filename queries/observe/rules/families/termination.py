"""Pods that were deleted and do not go."""

from collections.abc import Iterator
from datetime import timedelta

from queries.observe.facts.facts import ClusterFacts
from queries.observe.report.report import Role, Severity
from queries.observe.rules.finding import Outcome, of_pod, of_workload, span

#: So long after its time of grace a pod is still given to go.
_PATIENCE = timedelta(minutes=10)


def termination_stuck(facts: ClusterFacts) -> Iterator[Outcome]:
    """TERMINATION_STUCK: a pod was to be gone ten minutes ago, and is still there."""
    for pod in facts.pods:
        if pod.deleted is None or facts.now - pod.deleted < _PATIENCE:
            continue
        workload = facts.workload_of(pod)
        missing = workload is not None and workload.wanted > workload.ready
        held = pod.finalizers
        stamp = f"{pod.deleted:%Y-%m-%dT%H:%M:%SZ}"
        yield of_pod(
            "TERMINATION_STUCK",
            facts,
            pod,
            [
                pod.origin.cite("metadata.deletionTimestamp", stamp, at=pod.deleted),
                *(pod.origin.cite("metadata.finalizers", each) for each in held),
                *of_workload(facts, pod),
            ],
            severity=facts.severity_of(pod) if missing else Severity.S3,
            role=Role.CAUSE if missing else Role.CONTEXT,  # where another has taken its place, nothing is wrong
            confidence="high" if held else "medium",
            says=("says", "held" if held else "kubelet", *(["missing"] if missing else [])),
            values={
                "ago": span(facts.now - pod.deleted),
                "finalizers": ", ".join(held),
                "ready": workload.ready if workload else 0,
                "wanted": workload.wanted if workload else 0,
                "owner": f"{workload.kind}/{workload.name}" if workload else "",
            },
            onset=pod.deleted,
        )
