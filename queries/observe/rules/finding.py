"""What a rule gives: a finding with its evidence, or that something does not hold and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from queries.observe.facts.facts import ClusterFacts, UnreadSource
from queries.observe.facts.pods import Container, ContainerPart, Pod
from queries.observe.facts.reading import excerpt
from queries.observe.reading import ObjectKind
from queries.observe.report.report import ReportEvidence, Role, Severity

Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True)
class RuleFinding:
    """One thing that holds. `says` names the sentences of the rule's words, `values` fills their places."""

    rule: str
    object: str
    severity: Severity
    evidence: tuple[ReportEvidence, ...]
    says: tuple[str, ...] = ("says",)
    values: Mapping[str, str] = field(default_factory=dict)
    role: Role = Role.CAUSE
    confidence: Confidence = "high"
    pod: str = ""
    container: str = ""
    family: tuple[str, str] = ("", "")  # what the pod belongs to; pods of one are said together
    size: int = 1  # of the family
    onset: datetime | None = None


@dataclass(frozen=True)
class Excluded:
    """Something that was thought of and does not hold."""

    rule: str
    why: str  # the name of a sentence of the rule's words
    values: Mapping[str, str] = field(default_factory=dict)
    evidence: tuple[ReportEvidence, ...] = ()


Outcome = RuleFinding | Excluded
#: What can be rolled back, and has limits to set.
_ROLLED = frozenset({"Deployment", "StatefulSet", "DaemonSet"})
Check = Callable[[ClusterFacts], Iterable[Outcome]]
#: Looks behind what the checks have found.
FollowUp = Callable[[ClusterFacts, Sequence[RuleFinding]], Iterable[RuleFinding]]


def of_container(
    rule: str, facts: ClusterFacts, pod: Pod, container: Container, evidence: Iterable[ReportEvidence], **more: object
) -> RuleFinding:
    """Return a finding about a container; its severity is what the failure of its pod means."""
    kind = {ContainerPart.INIT: "init container", ContainerPart.EPHEMERAL: "debug container"}.get(
        container.part, "container"
    )
    found = of_pod(rule, facts, pod, evidence)
    values = {
        **found.values,
        "container": container.name,
        "image": container.image,
        "restarts": str(container.restarts),
    }
    values.update(_texts(more.pop("values", {})))
    return _changed(
        found, object=f"Pod/{pod.name} {kind} {container.name}", container=container.name, values=values, **more
    )


def of_pod(rule: str, facts: ClusterFacts, pod: Pod, evidence: Iterable[ReportEvidence], **more: object) -> RuleFinding:
    """Return a finding about a pod; its severity is what the failure of the pod means."""
    kind, name = facts.family(pod)
    values = {
        "pod": pod.name,
        "namespace": pod.namespace or facts.asked.namespace,
        "workload": f"{kind}/{name}" if kind in _ROLLED else "",
        "back": f"{kind}/{name}" if kind in _ROLLED and _has_revisions(facts, pod) else "",
        "node": pod.node,
    }
    values.update(_texts(more.pop("values", {})))
    found = RuleFinding(
        rule=rule,
        object=f"Pod/{pod.name}",
        severity=facts.severity_of(pod),
        evidence=tuple(evidence),
        values=values,
        pod=pod.name,
        family=(kind, name),
        size=len([each for each in facts.siblings(pod) if not each.over and not each.deleting]),
    )
    return _changed(found, **more)


def _has_revisions(facts: ClusterFacts, pod: Pod) -> bool:
    """Return whether there is a revision to go back to, as far as is known."""
    workload = facts.workload_of(pod)
    known = workload is not None and workload.kind == "Deployment" and ObjectKind.REPLICA_SETS in facts.lists
    return not known or workload is None or len(facts.revisions(workload)) > 1


def of_object(
    rule: str, facts: ClusterFacts, name: str, evidence: Iterable[ReportEvidence], **more: object
) -> RuleFinding:
    """Return a finding about something that is no pod."""
    values = {"object": name, "namespace": facts.asked.namespace, "name": name.partition("/")[2]}
    values.update(_texts(more.pop("values", {})))
    severity = more.pop("severity", Severity.S2)
    found = RuleFinding(
        rule=rule, object=name, severity=Severity(str(severity)), evidence=tuple(evidence), values=values
    )
    return _changed(found, **more)


def _changed(found: RuleFinding, **more: object) -> RuleFinding:
    fields = {name: getattr(found, name) for name in RuleFinding.__dataclass_fields__}
    return RuleFinding(**{**fields, **more})


def _texts(values: object) -> dict[str, str]:
    return {str(key): str(value) for key, value in values.items()} if isinstance(values, Mapping) else {}


def of_workload(facts: ClusterFacts, pod: Pod) -> tuple[ReportEvidence, ...]:
    """Return how many replicas the workload of a pod has ready, as evidence."""
    workload = facts.workload_of(pod)
    if workload is None:
        return ()
    cited = [workload.origin.cite(workload.ready_field, workload.ready)]
    if workload.unavailable and workload.kind != "DaemonSet":
        cited.append(workload.origin.cite("status.unavailableReplicas", workload.unavailable))
    return tuple(cited)


def refused(unread: UnreadSource) -> ReportEvidence:
    """Return that a source did not give something, as evidence."""
    return ReportEvidence(
        id="",
        source="error",
        object=unread.error.request,
        request=unread.error.request,
        value=str(unread.error.status or unread.error.kind),
        excerpt=excerpt(unread.error.detail),
    )


def span(length: timedelta) -> str:
    """Return a length of time in few signs: "6 h 12 min"; units are the same in both languages."""
    minutes = max(0, int(length.total_seconds() // 60))
    if minutes < 1:
        return f"{max(0, int(length.total_seconds()))} s"
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{hours // 24} d"


def percent(share: float) -> str:
    """Return a share as a percentage with as many digits as say something."""
    return f"{share * 100:.3g} %" if share < 1 else f"{share * 100:.0f} %"
