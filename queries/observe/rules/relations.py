"""What findings are to one another: which follow from which, and which say the same of several pods."""

import re
from collections.abc import Sequence
from dataclasses import replace

from queries.observe.report.report import Role, Severity
from queries.observe.rules.finding import RuleFinding

#: A symptom, and the causes of the same container from which it follows.
_FOLLOWS_IN_CONTAINER = {
    "CRASH_LOOP": ("OOM_KILLED", "LIVENESS_KILLED", "STARTUP_PROBE_KILLED", "EXIT_137_UNCONFIRMED"),
    "CONTAINER_RESTARTING": ("OOM_KILLED", "LIVENESS_KILLED", "STARTUP_PROBE_KILLED"),
    "SIDECAR_FAILING": ("OOM_KILLED", "LIVENESS_KILLED", "STARTUP_PROBE_KILLED"),
    "INIT_CONTAINER_FAILED": ("OOM_KILLED",),
    "LIVENESS_KILLED": ("CPU_THROTTLED",),
    "READINESS_FAILING": ("CPU_THROTTLED", "LIVENESS_KILLED", "STARTUP_PROBE_KILLED"),
}
#: What keeps the pods of an app from serving.
KEEPS_FROM_SERVING = frozenset(
    {
        "CRASH_LOOP", "OOM_KILLED", "READINESS_FAILING", "IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND",
        "IMAGE_PULL_UNKNOWN", "CONFIG_REF_MISSING", "INIT_CONTAINER_FAILED", "VOLUME_MOUNT_FAILED",
        "UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND", "UNSCHEDULABLE_PLACEMENT", "CONTAINER_NOT_CREATED",
        "SIDECAR_FAILING", "CONTAINER_RESTARTING", "SANDBOX_FAILED", "IMAGE_UNUSABLE",
    }
)  # fmt: skip
#: A symptom, and the causes of the same app or workload from which it follows.
_FOLLOWS_IN_APP = {
    "HTTP_5XX_RATIO": (
        "ERROR_BURST", "DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CERTIFICATE_REFUSED", "CRASH_LOOP", "OOM_KILLED",
        "LIVENESS_KILLED", "READINESS_FAILING", "CPU_THROTTLED", "NODE_NOT_READY", "CONTAINER_RESTARTING",
    ),
    "REQUESTS_SLOW": (
        "CPU_THROTTLED", "CPU_HIGH_NO_LIMIT", "MEMORY_NEAR_LIMIT", "HPA_AT_LIMIT", "DEPENDENCY_TIMEOUT", "DNS_FAILURE",
        "CRASH_LOOP", "OOM_KILLED", "LIVENESS_KILLED", "READINESS_FAILING", "CONTAINER_RESTARTING", "NODE_NOT_READY",
        "NODE_PRESSURE", "UNSCHEDULABLE_RESOURCES", "UNSCHEDULABLE_PLACEMENT", "QUOTA_EXCEEDED",
    ),
    "READINESS_FAILING": ("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CERTIFICATE_REFUSED"),
    "CRASH_LOOP": ("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CERTIFICATE_REFUSED"),
    "CONTAINER_RESTARTING": ("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CERTIFICATE_REFUSED"),
    "INIT_CONTAINER_FAILED": ("STARTUP_PROBE_KILLED", "DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CERTIFICATE_REFUSED"),
    "ERROR_BURST": (
        "READINESS_FAILING", "DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CERTIFICATE_REFUSED", "VOLUME_NEARLY_FULL",
        "MEMORY_NEAR_LIMIT",
    ),
    "IMAGE_PULL_UNKNOWN": ("CERTIFICATE_REFUSED",),
    "VOLUME_MOUNT_FAILED": ("CERTIFICATE_REFUSED",),
    "SANDBOX_FAILED": ("CERTIFICATE_REFUSED",),
    "ROLLOUT_STUCK": ("CERTIFICATE_REFUSED",),
    "DEPENDENCY_TIMEOUT": ("NETWORK_POLICY_BLOCKS", "SERVICE_NO_ENDPOINTS", "SERVICE_PORT_MISMATCH"),
    "DNS_FAILURE": ("NETWORK_POLICY_BLOCKS",),
    "JOB_BACKOFF_LIMIT": ("OOM_KILLED", "DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CERTIFICATE_REFUSED"),
    "TERMINATION_STUCK": ("NODE_NOT_READY",),
    "EVICTED": ("NODE_PRESSURE",),
    "HPA_AT_LIMIT": ("CPU_THROTTLED",),
    "SERVICE_NO_ENDPOINTS": (*KEEPS_FROM_SERVING, "NODE_NOT_READY", "QUOTA_EXCEEDED", "EVICTED"),
}  # fmt: skip
#: What error lines say of something that is short.
_ERRORS_OF = {
    "VOLUME_NEARLY_FULL": re.compile(
        r"no space left on device|\bENOSPC\b|disk (?:is )?full|磁盘(?:空间)?(?:已满|不足)", re.IGNORECASE
    ),
    "MEMORY_NEAR_LIMIT": re.compile(
        r"out of memory|cannot allocate memory|\bENOMEM\b|内存(?:不足|耗尽)", re.IGNORECASE
    ),
}
#: One rule of the same container that says it better than another.
_SAID_BETTER = {
    "EXIT_137_UNCONFIRMED": ("OOM_KILLED", "LIVENESS_KILLED", "STARTUP_PROBE_KILLED", "EVICTED"),
    "CONTAINER_RESTARTING": ("EXIT_137_UNCONFIRMED",),
    "MEMORY_NEAR_LIMIT": ("OOM_KILLED",),
}
#: So many pods of a family are cited one by one.
_CITED = 5
_RANK = {Severity.S1: 0, Severity.S2: 1, Severity.S3: 2, Severity.S0: 3}
_ORDER = {Role.CAUSE: 0, Role.CONCLUSION: 1, Role.SYMPTOM: 2, Role.CONTEXT: 3}


def related(findings: Sequence[RuleFinding]) -> list[RuleFinding]:
    """Return the findings with their roles, those of like pods together, the most important first."""
    kept = [each for each in findings if not _better(each, findings)]
    kept = [each for each in kept if not (each.rule == "REPLICAS_MISSING" and _explained(each, kept))]
    kept = [replace(each, role=Role.SYMPTOM) if _follows(each, kept) else each for each in kept]
    joined = [_alone(each, kept) for each in _together(kept)]
    return sorted(joined, key=_importance)


def _importance(found: RuleFinding) -> tuple[int, int, bool, str, str]:
    """Return what findings are sorted by: a rollout that stands stands for a reason, which is told before it."""
    return _ORDER[found.role], _RANK[found.severity], found.rule == "ROLLOUT_STUCK", found.rule, found.object


def _alone(found: RuleFinding, findings: Sequence[RuleFinding]) -> RuleFinding:
    """Return printed credentials as what to act on where nothing else is wrong."""
    others = any(each.role is not Role.CONTEXT for each in findings)
    return found if others or found.rule != "SECRET_IN_LOG" else replace(found, role=Role.CAUSE)


def _better(found: RuleFinding, findings: Sequence[RuleFinding]) -> bool:
    rules = _SAID_BETTER.get(found.rule, ())
    return any(
        each.rule in rules and each.pod == found.pod and each.container in {found.container, ""} for each in findings
    )


def _explained(found: RuleFinding, findings: Sequence[RuleFinding]) -> bool:
    """Return whether another finding tells why replicas of a workload are missing."""
    return any(
        each.rule != "REPLICAS_MISSING"
        and (each.role in {Role.CAUSE, Role.SYMPTOM} or each.rule == "NO_PODS_FOUND")
        and (
            each.family == found.family
            or each.rule == "NO_PODS_FOUND"
            or each.rule in {"NODE_NOT_READY", "QUOTA_EXCEEDED", "PVC_UNBOUND"}
        )
        for each in findings
    )


def _follows(found: RuleFinding, findings: Sequence[RuleFinding]) -> bool:
    if found.role is not Role.CAUSE:
        return False
    near, far = _FOLLOWS_IN_CONTAINER.get(found.rule, ()), _FOLLOWS_IN_APP.get(found.rule, ())
    for each in findings:
        if each.rule in near and (each.pod, each.container) == (found.pod, found.container):
            return True
        if each.rule in far and each.role is not Role.CONTEXT and _same_app(found, each):
            return True
    return False


def _same_app(found: RuleFinding, other: RuleFinding) -> bool:
    """Return whether two findings are about the same app: an app has the name of its workload, or holds the pod."""
    if found.rule == "ERROR_BURST" and other.rule == "READINESS_FAILING":
        return True
    if found.rule == "ERROR_BURST" and other.rule in _ERRORS_OF:  # only what says so itself
        said = f"{found.values['line']} {found.values['also']}"
        return found.pod == other.pod and _ERRORS_OF[other.rule].search(said) is not None
    if found.rule == "DEPENDENCY_TIMEOUT" and other.rule.startswith("SERVICE_"):  # the service that it calls
        return other.family[0] == "called" and found.values["host"] == other.values["host"]
    names = {found.family[1], found.object.partition("/")[2]} - {""}
    return (
        bool(names & {other.family[1], other.object.partition("/")[2]})
        or (bool(found.pod) and found.pod == other.pod)
        or found.family[0] in {"Service", "app"}
        or other.family[0] in {"app", "Node"}
    )


def _together(findings: Sequence[RuleFinding]) -> list[RuleFinding]:
    """Return findings of the same rule about like containers as one, which cites a few of them."""
    groups: dict[tuple[object, ...], list[RuleFinding]] = {}
    for each in findings:
        key: tuple[object, ...] = (each.rule, each.object)
        if each.pod and each.object.startswith("Pod/") and each.family[0] not in {"Pod", "log", "app"}:
            key = (each.rule, each.family, each.container, each.role)
        groups.setdefault(key, []).append(each)
    return [_joined(group) for group in groups.values()]


def _joined(group: Sequence[RuleFinding]) -> RuleFinding:
    first = group[0]
    if len(group) == 1:
        return first
    _, _, rest = first.object.partition(" ")
    name = f"Pod/{first.family[1]}-* ({len(group)} of {max(first.size, len(group))})" + (f" {rest}" if rest else "")
    evidence = tuple(dict.fromkeys(cited for each in group[:_CITED] for cited in each.evidence))
    worst = min(group, key=lambda each: _RANK[each.severity]).severity
    onset = min((each.onset for each in group if each.onset is not None), default=None)
    return replace(first, object=name, evidence=evidence, severity=worst, onset=onset)
