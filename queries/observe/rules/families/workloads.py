"""Workloads that are not what was wanted: rollouts that stand still, jobs that gave up, replicas that are missing."""

import re
from collections.abc import Iterator
from datetime import timedelta

from queries.observe.facts.events import KEPT, ClusterEvent
from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.pods import Pod
from queries.observe.facts.reading import excerpt
from queries.observe.facts.workloads import BatchJob, Workload
from queries.observe.report.instants import instant
from queries.observe.report.report import ReportEvidence, Role, Severity
from queries.observe.rules.families.containers import log_of_end
from queries.observe.rules.finding import Excluded, Outcome, RuleFinding, of_object, span

#: A rollout may take so long before it is called stuck, where its own deadline has not said so.
_PATIENCE = timedelta(minutes=5)
#: A controller that may not make pods tries again ever more seldom: every 17 minutes at last.
_REFUSED = timedelta(minutes=20)
#: How the controller of schedules says that it makes no job.
_NO_JOBS = frozenset(
    {"FailedCreate", "TooManyMissedTimes", "FailedNeedsStart", "UnparseableSchedule", "InvalidSchedule"}
)
#: A run that holds the next ones back may wait for something that does not come once it takes three times as long as
#: any that is known to have ended well, and ten minutes. Where none is known, an hour: few schedules have longer runs,
#: and those that do are seldom started more often.
_TIMES_AS_LONG, _LEAST_RUN, _LONG_RUN = 3, timedelta(minutes=10), timedelta(hours=1)
#: The service that answers for a webhook which was asked, and gave no answer.
_WEBHOOK = re.compile(
    r'failed calling webhook .{1,300}?"https?://(?P<service>[a-z0-9-]{1,63})\.(?P<namespace>[a-z0-9-]{1,63})\.svc'
)


def rollout_stuck(facts: ClusterFacts) -> Iterator[Outcome]:
    """ROLLOUT_STUCK: past its deadline, or a new replica set does not become ready while the old one serves."""
    for deployment in facts.deployments:
        if deployment.paused:  # `rollout_paused` tells of it: nothing is tried
            continue
        progressing = deployment.condition("Progressing")
        own = facts.revisions(deployment)
        newest, older = own[0] if own else None, own[1:]
        expired = (
            progressing is not None
            and progressing.status == "False"
            and progressing.reason == "ProgressDeadlineExceeded"
        )
        whole = (
            deployment.wanted <= deployment.ready
            and deployment.updated >= deployment.wanted
            and not deployment.unavailable
        )
        if expired and not (whole and deployment.wanted):
            yield _stuck(facts, deployment, newest, older, "deadline")
        elif newest is not None and _stands(facts, newest, older):
            yield _stuck(facts, deployment, newest, older, "not_ready")
        elif whole and progressing is not None and progressing.reason == "NewReplicaSetAvailable":
            yield Excluded(
                "ROLLOUT_STUCK",
                "complete",
                {"name": deployment.name},
                (
                    deployment.origin.cite(
                        "status.conditions[type=Progressing].reason", progressing.reason, at=progressing.since
                    ),
                ),
            )


def rollout_paused(facts: ClusterFacts) -> Iterator[Outcome]:
    """ROLLOUT_PAUSED: somebody has paused a deployment: what is changed in it since is not rolled out."""
    for deployment in facts.deployments:
        progressing = deployment.condition("Progressing")
        if not deployment.paused or not deployment.wanted:
            continue
        since = progressing.since if progressing and progressing.reason == "DeploymentPaused" else None
        evidence = [
            deployment.origin.cite("spec.paused", "True", at=since),
            deployment.origin.cite("status.updatedReplicas", deployment.updated),
            deployment.origin.cite("status.readyReplicas", deployment.ready),
        ]
        yield of_object(
            "ROLLOUT_PAUSED",
            facts,
            deployment.origin.object,
            evidence,
            severity=Severity.S3,
            says=("says", "since") if since else ("says",),
            values={"updated": deployment.updated, "wanted": deployment.wanted, "since": instant(since)},
            family=("Deployment", deployment.name),
            onset=since,
        )


def schedule_suspended(facts: ClusterFacts) -> Iterator[Outcome]:
    """CRONJOB_SUSPENDED: a schedule makes no jobs, because it was suspended: somebody meant it once."""
    for each in facts.cron_jobs:
        if not each.suspended:
            continue
        evidence = [each.origin.cite("spec.suspend", "True"), each.origin.cite("spec.schedule", each.schedule)]
        if each.last is not None:
            evidence.append(each.origin.cite("status.lastScheduleTime", each.last.isoformat(), at=each.last))
        yield of_object(
            "CRONJOB_SUSPENDED",
            facts,
            each.origin.object,
            evidence,
            severity=Severity.S3,
            role=Role.CONTEXT,
            says=("says", "last") if each.last else ("says",),
            values={"schedule": each.schedule, "ago": span(facts.now - each.last) if each.last else "?"},
        )


def schedule_stands(facts: ClusterFacts) -> Iterator[Outcome]:
    """CRONJOB_NOT_STARTING: the controller goes on saying that it cannot make the jobs of a schedule."""
    for each in facts.cron_jobs:
        said = [event for event in facts.events_of("CronJob", each.name) if event.reason in _NO_JOBS]
        if each.suspended or not said or not facts.recent(said[-1], _REFUSED) or "exceeded quota" in said[-1].message:
            continue
        evidence = [said[-1].cite(), each.origin.cite("spec.schedule", each.schedule)]
        if each.last is not None:
            evidence.append(each.origin.cite("status.lastScheduleTime", each.last.isoformat(), at=each.last))
        yield of_object(
            "CRONJOB_NOT_STARTING",
            facts,
            each.origin.object,
            evidence,
            says=("says", "last") if each.last else ("says",),
            values={
                "schedule": each.schedule,
                "ago": span(facts.now - each.last) if each.last else "?",
                "message": excerpt(said[-1].message, 300),
            },
            family=("CronJob", each.name),
            onset=said[0].first,
        )


def schedule_held(facts: ClusterFacts) -> Iterator[Outcome]:
    """CRONJOB_NOT_STARTING: a run that goes on far longer than those before keeps the next ones from starting."""
    for each in facts.cron_jobs:
        said = [event for event in facts.events_of("CronJob", each.name) if event.reason == "JobAlreadyActive"]
        if each.suspended or not said or not facts.recent(said[-1], KEPT):
            continue
        own = [job for job in facts.jobs if job.owner and (job.owner.kind, job.owner.name) == ("CronJob", each.name)]
        running = next((job for job in own if job.ready and not job.conditions), None)
        since = running.created if running else each.last
        took = max((length for job in own if (length := _took(job))), default=None)
        if since is None or facts.now - since < (max(_TIMES_AS_LONG * took, _LEAST_RUN) if took else _LONG_RUN):
            continue
        evidence = [said[-1].cite(), each.origin.cite("spec.schedule", each.schedule)]
        if running is not None:
            evidence.append(running.origin.cite("status.active", running.ready))
            evidence.append(running.origin.cite("metadata.creationTimestamp", f"{since:%Y-%m-%dT%H:%M:%SZ}", at=since))
        yield of_object(
            "CRONJOB_NOT_STARTING",
            facts,
            each.origin.object,
            evidence,
            says=("held", "usual") if took else ("held",),
            values={
                "schedule": each.schedule,
                "took": span(took) if took else "",
                "ago": span(facts.now - since),
                "job": running.name if running else "?",
            },
            family=("CronJob", each.name),
            onset=since,
        )


def _took(job: BatchJob) -> timedelta | None:
    """Return how long a run took that ended well."""
    done = job.condition("Complete")
    return done.since - job.created if done and done.since and job.created else None


def _stands(facts: ClusterFacts, newest: Workload, older: tuple[Workload, ...]) -> bool:
    """Return whether the new pods are long not ready, and old ones serve."""
    serving = any(each.ready for each in older)
    pods = [pod for pod in facts.live_pods() if pod.owner and pod.owner.name == newest.name]
    waiting = [pod for pod in pods if not pod.ready and pod.created and facts.now - pod.created > _PATIENCE]
    refused = newest.created is not None and facts.now - newest.created > _PATIENCE and refused_pods(facts, newest)
    return serving and newest.wanted > newest.ready and bool(waiting or refused)


def _stuck(
    facts: ClusterFacts, deployment: Workload, newest: Workload | None, older: tuple[Workload, ...], says: str
) -> RuleFinding:
    cite = deployment.origin.cite
    evidence: list[ReportEvidence] = []
    for kind in ("Progressing", "Available"):
        condition = deployment.condition(kind)
        if condition is not None:
            if kind == "Progressing":
                evidence.append(
                    cite("status.conditions[type=Progressing].status", condition.status, at=condition.since)
                )
                evidence.append(
                    cite("status.conditions[type=Progressing].reason", condition.reason, at=condition.since)
                )
            else:
                evidence.append(cite("status.conditions[type=Available].status", condition.status, at=condition.since))
    evidence.append(cite("status.readyReplicas", deployment.ready))
    evidence.append(cite("spec.replicas", deployment.wanted))
    if deployment.unavailable:
        evidence.append(cite("status.unavailableReplicas", deployment.unavailable))
    refused = refused_pods(facts, newest) if newest is not None else ()
    if newest is not None:
        evidence.append(newest.origin.cite("status.readyReplicas", newest.ready))
        evidence.extend(each.cite() for each in refused)
    measure = facts.measure("error_ratio")
    for each in measure or ():
        if measure is not None:
            evidence.append(measure.cite(each.value, f"app/{each.label('app') or facts.asked.app}"))
            break
    serves = deployment.ready > 0
    image = ", ".join(image for _, image in newest.images) if newest else ""
    return of_object(
        "ROLLOUT_STUCK",
        facts,
        f"Deployment/{deployment.name}",
        evidence,
        severity=Severity.S2 if serves else Severity.S1,
        role=Role.CAUSE if serves else Role.SYMPTOM,
        says=(says, "serves" if serves else "down", *("refused" for _ in refused)),
        values={
            "message": excerpt(refused[0].message, 300) if refused else "",
            "ready": deployment.ready,
            "wanted": deployment.wanted,
            "image": image,
            "back": f"deployment/{deployment.name}" if older or newest is None else "",
        },
        family=("Deployment", deployment.name),
        onset=newest.created if newest else None,
    )


def job_failed(facts: ClusterFacts) -> Iterator[Outcome]:
    """JOB_BACKOFF_LIMIT, JOB_DEADLINE_EXCEEDED: a job gave up, and no later run of the same went well."""
    for job in facts.jobs:
        condition = job.condition("Failed")
        if condition is None:
            continue
        rule = "JOB_DEADLINE_EXCEEDED" if condition.reason == "DeadlineExceeded" else "JOB_BACKOFF_LIMIT"
        later = [each for each in facts.jobs if _later_run(each, job) and each.condition("Complete")]
        if later:
            yield Excluded(
                rule,
                "later",
                {"name": job.name, "later": later[-1].name},
                (later[-1].origin.cite("status.conditions[type=Complete].status", "True"),),
            )
        else:
            yield _job(facts, rule, job)


def _later_run(other: BatchJob, job: BatchJob) -> bool:
    same = other.owner is not None and job.owner is not None and other.owner == job.owner
    return same and other.created is not None and job.created is not None and other.created > job.created


def _job(facts: ClusterFacts, rule: str, job: BatchJob) -> RuleFinding:
    condition = job.condition("Failed")
    assert condition is not None  # noqa: S101 - whoever calls has looked
    evidence = [
        job.origin.cite("status.conditions[type=Failed].status", condition.status, at=condition.since),
        job.origin.cite("status.conditions[type=Failed].reason", condition.reason, at=condition.since),
        job.origin.cite("status.failed", job.failed),
    ]
    if job.backoff_limit is not None:
        evidence.append(job.origin.cite("spec.backoffLimit", job.backoff_limit))
    evidence.extend(each.cite() for each in facts.events_of("Job", job.name) if each.reason == condition.reason)
    says, values = (
        ["says"],
        {"failed": str(job.failed), "at": instant(condition.since), "line": "", "reason": condition.reason or "?"},
    )
    for pod in reversed(_pods_of(facts, job)):
        for container in pod.containers:
            ended = container.state.ended or container.last
            if ended is None or ended.exit_code in {0, None}:
                continue
            evidence.append(
                pod.origin.cite(
                    f"{container.status_path}.state.terminated.exitCode", ended.exit_code, at=ended.finished
                )
            )
            evidence.append(
                pod.origin.cite(f"{container.status_path}.state.terminated.reason", ended.reason, at=ended.finished)
            )
            log = log_of_end(facts, pod, container) if len(says) == 1 else None
            if log is not None:
                evidence.append(log[0])
                says.append("log" if log[1] else "last")
                values["line"] = log[0].excerpt
    return of_object(
        rule,
        facts,
        f"Job/{job.name}",
        evidence,
        says=tuple(says),
        values=values,
        family=("Job", job.name),
        onset=condition.since,
    )


def _pods_of(facts: ClusterFacts, job: BatchJob) -> list[Pod]:
    own = [pod for pod in facts.pods if pod.owner and (pod.owner.kind, pod.owner.name) == ("Job", job.name)]
    return sorted(own, key=lambda each: str(each.created or ""))[-2:]


def quota_exceeded(facts: ClusterFacts) -> Iterator[Outcome]:
    """QUOTA_EXCEEDED: a quota keeps pods from being made."""
    for event in facts.events:
        if event.reason != "FailedCreate" or "exceeded quota" not in event.message:
            continue
        owner = _known(facts, event.kind, event.name)
        schedule = event.kind == "CronJob" and any(each.name == event.name for each in facts.cron_jobs)
        if owner is None and not schedule and (facts.asked.app or facts.asked.pod):
            continue
        if owner is not None and owner.ready >= owner.wanted:
            ago = span(facts.now - event.last) if event.last else "?"
            yield Excluded(
                "QUOTA_EXCEEDED", "over", {"object": f"{event.kind}/{event.name}", "ago": ago}, (event.cite(),)
            )
            continue
        evidence = [event.cite()]
        for quota in facts.quotas:
            if f"quota: {quota.name}" in event.message:
                named = [key for key in sorted(quota.hard) if f"{key}=" in event.message]
                evidence.extend(
                    quota.origin.cite(f"status.used.{key}", f"{quota.used.get(key, '0')} of {quota.hard[key]}")
                    for key in named or sorted(quota.hard)
                )
        if owner is not None:
            evidence.append(owner.origin.cite(owner.ready_field, owner.ready))
            evidence.append(owner.origin.cite(owner.wanted_field, owner.wanted))
        yield of_object(
            "QUOTA_EXCEEDED",
            facts,
            f"{event.kind}/{event.name}",
            evidence,
            severity=Severity.S1 if owner and owner.kind != "Job" and not _serves(facts, owner) else Severity.S2,
            says=("jobs",) if schedule else ("says",),
            values={"message": excerpt(event.message, 300)},
            family=(event.kind, event.name),
            onset=event.first,
        )


def _serves(facts: ClusterFacts, owner: Workload | BatchJob) -> bool:
    """Return whether a workload has a ready replica; of a replica set its deployment says it, with the older ones."""
    whole = _known(facts, owner.owner.kind, owner.owner.name) if owner.owner else None
    return (whole or owner).ready > 0


def refused_pods(facts: ClusterFacts, *workloads: Workload | BatchJob) -> tuple[ClusterEvent, ...]:
    """Return the last event in which a controller says why it cannot make pods, where it still does."""
    names = {(each.kind, each.name) for each in workloads}
    found = [
        each
        for each in facts.events
        if each.reason == "FailedCreate" and (each.kind, each.name) in names and facts.recent(each, _REFUSED)
    ]
    return tuple(found[-1:])


def _known(facts: ClusterFacts, kind: str, name: str) -> Workload | BatchJob | None:
    makers: tuple[Workload | BatchJob, ...] = (*facts.replica_sets, *facts.workloads, *facts.jobs)
    return next((each for each in makers if (each.kind, each.name) == (kind, name)), None)


def replicas_missing(facts: ClusterFacts) -> Iterator[Outcome]:
    """REPLICAS_MISSING: fewer replicas are ready than wanted; told only where nothing else says why."""
    makers: tuple[Workload | BatchJob, ...] = (*facts.workloads, *facts.jobs)
    for workload in makers:
        if workload.wanted <= workload.ready or (workload.kind == "Job" and not refused_pods(facts, workload)):
            continue
        young = workload.created is not None and facts.now - workload.created < timedelta(minutes=2)
        if young:
            continue
        evidence = [
            workload.origin.cite(workload.wanted_field, workload.wanted),
            workload.origin.cite(workload.ready_field, workload.ready),
        ]
        evidence.extend(
            pod.origin.cite("status.phase", pod.phase)
            for pod in facts.live_pods()
            if facts.workload_of(pod) is workload and not pod.ready
        )
        refused = refused_pods(facts, workload, *facts.revisions(workload))
        turned_away = [] if refused else _turned_away(facts, workload)
        evidence = [
            *(
                each.origin.cite(f"status.{key}", said)
                for each in turned_away[:1]
                for key, said in (("reason", each.reason), ("message", each.message))
            ),
            *evidence,
        ]
        hook = _WEBHOOK.search(refused[0].message) if refused else None
        yield of_object(
            "REPLICAS_MISSING",
            facts,
            f"{workload.kind}/{workload.name}",
            [*(each.cite() for each in refused), *evidence[:8]],
            severity=Severity.S2 if workload.ready else Severity.S1,
            role=Role.CONCLUSION,
            confidence="high" if refused or turned_away else "medium",
            says=("refused",) if refused else ("rejected",) if turned_away else ("says",),
            values={
                "ready": workload.ready,
                "wanted": workload.wanted,
                "message": excerpt((refused or turned_away)[0].message, 300) if refused or turned_away else "",
                "pods": len(turned_away),
                "hook": hook["service"] if hook else "",
                "hook_namespace": hook["namespace"] if hook else "",
            },
            family=(workload.kind, workload.name),
        )


def _turned_away(facts: ClusterFacts, workload: Workload | BatchJob) -> list[Pod]:
    """Return the pods of a workload that a kubelet did not take, the last first: nothing of them ever ran."""
    found = [
        pod
        for pod in facts.pods
        if pod.phase == "Failed"
        and pod.reason
        and pod.message
        and facts.workload_of(pod) is workload
        and not any(each.state.ended or each.last for each in pod.containers)
        and pod.created
        and facts.now - pod.created <= KEPT
        and pod.reason != "Evicted"
    ]
    return sorted(found, key=lambda each: str(each.created), reverse=True)
