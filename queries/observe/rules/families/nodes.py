"""Nodes in trouble, as far as pods of the question run on them."""

import re
from collections.abc import Iterator

from queries.observe.facts.cluster import DisruptionBudget, Node
from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.pods import ObjectCondition, Pod
from queries.observe.facts.policies import selects
from queries.observe.facts.reading import excerpt
from queries.observe.report.instants import instant
from queries.observe.report.report import Severity
from queries.observe.rules.finding import Excluded, Outcome, RuleFinding, of_object

#: What a log says where its machine has no more of something that all its pods share.
_SHORT = re.compile(
    r"resource temporarily unavailable|EAGAIN|cannot allocate memory|ENOMEM|no space left|ENOSPC|too many open files"
    r"|设备上没有空间|资源暂时不可用",
    re.IGNORECASE,
)
_PRESSURES = ("MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable")


def wants_nodes(facts: ClusterFacts) -> bool:
    """Return whether the errors of a log may come from the machine beneath, or a budget keeps pods on theirs."""
    return any(_holds(facts, each) for each in facts.budgets) or any(
        line.bad and _SHORT.search(line.words) for log in facts.logs for line in log.lines
    )


def node_not_ready(facts: ClusterFacts) -> Iterator[Outcome]:
    """NODE_NOT_READY: a node that holds pods of the question is not ready."""
    for node in _concerned(facts):
        ready = node.condition("Ready")
        if ready is not None and ready.status != "True":
            yield _of_node(facts, "NODE_NOT_READY", node, ready)
        elif ready is not None:
            events = [each for each in facts.events_of("Node", node.name) if each.reason == "NodeNotReady"]
            if events:
                yield Excluded(
                    "NODE_NOT_READY",
                    "ready",
                    {"node": node.name, "last": instant(events[-1].last)},
                    (events[-1].cite(),),
                )


def node_pressure(facts: ClusterFacts) -> Iterator[Outcome]:
    """NODE_PRESSURE: a node that holds pods of the question is short of memory, disk, processes or network."""
    for node in _concerned(facts):
        for kind in _PRESSURES:
            condition = node.condition(kind)
            if condition is not None and condition.status == "True":
                yield _of_node(facts, "NODE_PRESSURE", node, condition)


def drain_blocked(facts: ClusterFacts) -> Iterator[Outcome]:
    """DRAIN_BLOCKED: a node is closed for new pods, and a budget lets none of those on it go."""
    for budget in facts.budgets:
        held = _holds(facts, budget)
        for node in facts.nodes:
            pods = [pod for pod in held if pod.node == node.name]
            if not node.unschedulable or not pods:
                continue
            cite = budget.origin.cite
            yield of_object(
                "DRAIN_BLOCKED",
                facts,
                budget.origin.object,
                [
                    cite("status.disruptionsAllowed", budget.allowed),
                    cite("status.currentHealthy", budget.healthy),
                    cite("status.desiredHealthy", budget.desired),
                    node.origin.cite("spec.unschedulable", "True"),
                    *(pod.origin.cite("spec.nodeName", pod.node) for pod in pods[:5]),
                ],
                severity=Severity.S3,
                says=("says", "all" if budget.desired >= budget.expected else "few"),
                values={
                    "node": node.name,
                    "healthy": budget.healthy,
                    "desired": budget.desired,
                    "expected": budget.expected,
                    "pods": len(held),
                    "ready": sum(pod.ready for pod in held),
                },
                family=("Node", node.name),
            )


def _holds(facts: ClusterFacts, budget: DisruptionBudget) -> list[Pod]:
    """Return the pods of a budget that lets none of them go."""
    if budget.allowed or budget.selector is None:
        return []
    return [pod for pod in facts.live_pods() if selects(budget.selector, pod.labels, whole=True)]


def _concerned(facts: ClusterFacts) -> list[Node]:
    used = {pod.node for pod in facts.pods if pod.node and pod.phase != "Succeeded"}
    return [each for each in facts.nodes if each.name in used]


def _of_node(facts: ClusterFacts, rule: str, node: Node, condition: ObjectCondition) -> RuleFinding:
    path = f"status.conditions[type={condition.type}]"
    evidence = [
        node.origin.cite(f"{path}.status", condition.status, at=condition.since),
        node.origin.cite(f"{path}.reason", condition.reason),
        node.origin.cite(f"{path}.message", condition.message),
    ]
    pods = [pod for pod in facts.live_pods() if pod.node == node.name]
    evidence.extend(pod.origin.cite("spec.nodeName", pod.node) for pod in pods[:5])
    evidence.extend(
        pod.origin.cite("status.conditions[type=Ready].status", "False") for pod in pods[:5] if not pod.ready
    )
    down = any(not facts.serving(pod) for pod in pods)
    return of_object(
        rule,
        facts,
        f"Node/{node.name}",
        evidence,
        severity=Severity.S1 if down and rule == "NODE_NOT_READY" else Severity.S2,
        says=("says", "pods") if pods else ("says",),
        values={
            "node": node.name,
            "condition": condition.type,
            "message": excerpt(condition.message, 200),
            "since": instant(condition.since),
            "pods": len(pods),
        },
        family=("Node", node.name),
        onset=condition.since,
    )
