"""What makes pods and keeps them: deployments, replica sets, stateful and daemon sets, jobs."""

import json
from dataclasses import dataclass, replace
from datetime import datetime

from queries.observe.facts.pods import ObjectCondition, Owner, conditions_of, owner_of
from queries.observe.facts.reading import (
    FactOrigin,
    child,
    moment,
    number,
    number_or_none,
    objects,
    origin_of,
    strings,
    text,
)
from queries.observe.reading import Listed, ObjectKind
from storage.ids import JsonObject

_NAMES = {
    ObjectKind.DEPLOYMENTS: "Deployment",
    ObjectKind.REPLICA_SETS: "ReplicaSet",
    ObjectKind.STATEFUL_SETS: "StatefulSet",
    ObjectKind.DAEMON_SETS: "DaemonSet",
}


@dataclass(frozen=True)
class Workload:
    """Something that keeps a number of pods running."""

    kind: str  # "Deployment"
    name: str
    labels: dict[str, str]
    selector: dict[str, str]
    owner: Owner | None
    created: datetime | None
    wanted: int
    ready: int
    updated: int
    unavailable: int
    paused: bool
    conditions: tuple[ObjectCondition, ...]
    revision: str
    restarted: datetime | None  # when "kubectl rollout restart" was said
    images: tuple[tuple[str, str], ...]  # of its template: container → image
    settings: str  # the rest of its template's containers, to be compared only
    origin: FactOrigin
    wanted_field: str = "spec.replicas"
    ready_field: str = "status.readyReplicas"

    def condition(self, kind: str) -> ObjectCondition | None:
        """Return the condition of a type."""
        return next((each for each in self.conditions if each.type == kind), None)


@dataclass(frozen=True)
class BatchJob:
    """A run of something that ends."""

    name: str
    labels: dict[str, str]
    owner: Owner | None
    created: datetime | None
    failed: int
    succeeded: int
    backoff_limit: int | None
    wanted: int  # pods at a time; none where it is over
    ready: int  # pods that run, or wait to
    conditions: tuple[ObjectCondition, ...]
    origin: FactOrigin
    kind: str = "Job"
    wanted_field: str = "spec.parallelism"
    ready_field: str = "status.active"

    def condition(self, kind: str) -> ObjectCondition | None:
        """Return the condition of a type, where it holds."""
        return next((each for each in self.conditions if each.type == kind and each.status == "True"), None)


@dataclass(frozen=True)
class CronJob:
    """A schedule that makes jobs."""

    name: str
    schedule: str
    suspended: bool
    last: datetime | None
    origin: FactOrigin


def read_cron_jobs(listed: Listed) -> tuple[CronJob, ...]:
    """Return the schedules of a list."""
    return tuple(
        CronJob(
            name=text(each, "metadata", "name"),
            schedule=text(each, "spec", "schedule"),
            suspended=child(each, "spec", "suspend") is True,
            last=moment(each, "status", "lastScheduleTime"),
            origin=origin_of("CronJob", each, listed),
        )
        for each in listed.objects
    )


def read_workloads(kind: ObjectKind, listed: Listed) -> tuple[Workload, ...]:
    """Return deployments, replica sets, stateful or daemon sets."""
    make = _daemon_set if kind is ObjectKind.DAEMON_SETS else _workload
    return tuple(make(_NAMES[kind], each, listed) for each in listed.objects if text(each, "metadata", "name"))


def read_jobs(listed: Listed) -> tuple[BatchJob, ...]:
    """Return the jobs of a list, oldest first."""
    found = [_job(each, listed) for each in listed.objects if text(each, "metadata", "name")]
    return tuple(sorted(found, key=lambda each: (str(each.created or ""), each.name)))


def _workload(kind: str, body: JsonObject, listed: Listed) -> Workload:
    wanted = number_or_none(body, "spec", "replicas")
    template = child(body, "spec", "template")
    images, settings = _template(template)
    return Workload(
        kind=kind,
        name=text(body, "metadata", "name"),
        labels=strings(body, "metadata", "labels"),
        selector=strings(body, "spec", "selector", "matchLabels"),
        owner=owner_of(body),
        created=moment(body, "metadata", "creationTimestamp"),
        wanted=1 if wanted is None else wanted,
        ready=number(body, "status", "readyReplicas"),
        updated=number(body, "status", "updatedReplicas"),
        unavailable=number(body, "status", "unavailableReplicas"),
        paused=child(body, "spec", "paused") is True,
        conditions=conditions_of(body),
        revision=text(body, "metadata", "annotations", "deployment.kubernetes.io/revision"),
        restarted=moment(template, "metadata", "annotations", "kubectl.kubernetes.io/restartedAt"),
        images=images,
        settings=settings,
        origin=origin_of(kind, body, listed),
    )


def _daemon_set(kind: str, body: JsonObject, listed: Listed) -> Workload:
    return replace(
        _workload(kind, body, listed),
        wanted=number(body, "status", "desiredNumberScheduled"),
        ready=number(body, "status", "numberReady"),
        updated=number(body, "status", "updatedNumberScheduled"),
        unavailable=number(body, "status", "numberUnavailable"),
        wanted_field="status.desiredNumberScheduled",
        ready_field="status.numberReady",
    )


def _template(template: object) -> tuple[tuple[tuple[str, str], ...], str]:
    """Return the images of a pod template, and the rest of its containers as one comparable text."""
    images: list[tuple[str, str]] = []
    rest: list[JsonObject] = []
    if isinstance(template, dict):
        for part in ("initContainers", "containers"):
            for each in objects(template, "spec", part):
                images.append((text(each, "name"), text(each, "image")))
                rest.append({key: value for key, value in each.items() if key != "image"})
    return tuple(images), json.dumps(rest, sort_keys=True)


def _job(body: JsonObject, listed: Listed) -> BatchJob:
    name = text(body, "metadata", "name")
    conditions = conditions_of(body)
    over = any(each.status == "True" and each.type in {"Complete", "Failed", "Suspended"} for each in conditions)
    wanted = number_or_none(body, "spec", "parallelism")
    return BatchJob(
        name=name,
        labels=strings(body, "metadata", "labels"),
        owner=owner_of(body),
        created=moment(body, "metadata", "creationTimestamp"),
        failed=number(body, "status", "failed"),
        succeeded=number(body, "status", "succeeded"),
        backoff_limit=number_or_none(body, "spec", "backoffLimit"),
        wanted=0 if over else 1 if wanted is None else wanted,
        ready=number(body, "status", "active"),
        conditions=conditions,
        origin=origin_of("Job", body, listed),
    )
