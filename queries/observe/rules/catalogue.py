"""Every rule there is, in the order in which they are asked."""

from collections.abc import Iterable

from queries.observe.facts.facts import ClusterFacts
from queries.observe.rules import conclusions
from queries.observe.rules.families import (
    containers,
    images,
    nodes,
    probes,
    scheduling,
    starting,
    termination,
    usage,
    workloads,
)
from queries.observe.rules.families.logs import contents, lines
from queries.observe.rules.families.network import policies, services
from queries.observe.rules.finding import Check, Excluded, FollowUp, RuleFinding
from queries.observe.rules.relations import related

#: Each check, and the ids of the rules that it can give.
CHECKS: tuple[tuple[Check, tuple[str, ...]], ...] = (
    (containers.oom_killed, ("OOM_KILLED",)),
    (containers.crash_loop, ("CRASH_LOOP",)),
    (containers.restarting, ("CONTAINER_RESTARTING",)),
    (containers.exit_137, ("EXIT_137_UNCONFIRMED",)),
    (containers.init_failed, ("INIT_CONTAINER_FAILED",)),
    (containers.sidecar_failing, ("SIDECAR_FAILING",)),
    (probes.liveness_killed, ("LIVENESS_KILLED",)),
    (probes.startup_killed, ("STARTUP_PROBE_KILLED",)),
    (probes.readiness_failing, ("READINESS_FAILING",)),
    (images.image_pull, ("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND", "IMAGE_PULL_UNKNOWN")),
    (images.image_unusable, ("IMAGE_UNUSABLE",)),
    (starting.config_missing, ("CONFIG_REF_MISSING", "CONTAINER_NOT_CREATED")),
    (starting.volume_failed, ("VOLUME_MOUNT_FAILED",)),
    (starting.sandbox_failed, ("SANDBOX_FAILED",)),
    (termination.termination_stuck, ("TERMINATION_STUCK",)),
    (scheduling.unschedulable, ("UNSCHEDULABLE_RESOURCES", "UNSCHEDULABLE_PLACEMENT", "PVC_UNBOUND")),
    (scheduling.claim_pending, ("PVC_UNBOUND",)),
    (scheduling.rejected, ("UNSCHEDULABLE_RESOURCES",)),
    (scheduling.evicted, ("EVICTED",)),
    (workloads.rollout_stuck, ("ROLLOUT_STUCK",)),
    (workloads.rollout_paused, ("ROLLOUT_PAUSED",)),
    (workloads.schedule_suspended, ("CRONJOB_SUSPENDED",)),
    (workloads.schedule_stands, ("CRONJOB_NOT_STARTING",)),
    (workloads.schedule_held, ("CRONJOB_NOT_STARTING",)),
    (workloads.job_failed, ("JOB_BACKOFF_LIMIT", "JOB_DEADLINE_EXCEEDED")),
    (workloads.quota_exceeded, ("QUOTA_EXCEEDED",)),
    (workloads.replicas_missing, ("REPLICAS_MISSING",)),
    (nodes.node_not_ready, ("NODE_NOT_READY",)),
    (nodes.node_pressure, ("NODE_PRESSURE",)),
    (nodes.drain_blocked, ("DRAIN_BLOCKED",)),
    (usage.cpu_throttled, ("CPU_THROTTLED",)),
    (usage.cpu_high, ("CPU_HIGH_NO_LIMIT",)),
    (usage.memory_near, ("MEMORY_NEAR_LIMIT",)),
    (usage.http_5xx, ("HTTP_5XX_RATIO",)),
    (usage.requests_slow, ("REQUESTS_SLOW",)),
    (usage.volume_nearly_full, ("VOLUME_NEARLY_FULL",)),
    (usage.hpa_not_scaling, ("HPA_NOT_SCALING",)),
    (usage.hpa_at_limit, ("HPA_AT_LIMIT",)),
    (services.service_without_endpoints, ("SERVICE_NO_ENDPOINTS",)),
    (services.balancer_failed, ("LOAD_BALANCER_FAILED",)),
    (lines.error_burst, ("ERROR_BURST",)),
    (lines.dependency_timeout, ("DEPENDENCY_TIMEOUT",)),
    (lines.dns_failure, ("DNS_FAILURE",)),
    (lines.certificate_refused, ("CERTIFICATE_REFUSED",)),
    (contents.secret_in_log, ("SECRET_IN_LOG",)),
    (contents.log_injection, ("LOG_INJECTION_SUSPECTED",)),
)
#: What is asked when these have spoken, with what they found.
FOLLOW_UPS: tuple[tuple[FollowUp, tuple[str, ...]], ...] = (
    (services.called_without_endpoints, ("SERVICE_NO_ENDPOINTS",)),
    (services.port_mismatch, ("SERVICE_PORT_MISMATCH",)),
    (policies.policy_blocks, ("NETWORK_POLICY_BLOCKS",)),
)
#: What is said of the whole, when the others have spoken.
CONCLUSIONS = ("ACCESS_DENIED", "NO_PODS_FOUND", "NO_PROBLEM_FOUND", "NEIGHBOUR_IN_TROUBLE", "NOT_ENOUGH_READ")
RULES: tuple[str, ...] = (
    tuple(dict.fromkeys(rule for _, rules in (*CHECKS, *FOLLOW_UPS) for rule in rules)) + CONCLUSIONS
)


def judged(facts: ClusterFacts) -> tuple[list[RuleFinding], list[Excluded]]:
    """Return what holds, the most important first, and what does not and why."""
    findings: list[RuleFinding] = []
    excluded: list[Excluded] = []
    for check, _ in CHECKS:
        for outcome in check(facts):
            if isinstance(outcome, RuleFinding):
                findings.append(outcome)
            else:
                excluded.append(outcome)
    findings.extend([found for follow_up, _ in FOLLOW_UPS for found in follow_up(facts, findings)])
    findings = [each for each in findings if each.evidence]
    findings.extend(conclusions.no_pods(facts, findings))
    findings.extend(conclusions.access_denied(facts, [each for each in findings if each.role.value != "context"]))
    told = related(findings)
    told.extend(conclusions.no_problem(facts, told))
    excluded.extend(conclusions.old_warnings(facts))
    held = {each.rule for each in told}
    return told, _once(each for each in excluded if each.rule not in held)


def _once(excluded: Iterable[Excluded]) -> list[Excluded]:
    """Return what was ruled out, each rule once for each reason: the first that was found."""
    found: dict[tuple[str, str], Excluded] = {}
    for each in excluded:
        found.setdefault((each.rule, each.why), each)
    return list(found.values())
