"""Pods with their containers: main ones, init containers, native sidecars, and containers for debugging."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from queries.observe.facts.reading import (
    FactOrigin,
    child,
    moment,
    number,
    number_or_none,
    objects,
    origin_of,
    quantity,
    strings,
    text,
)
from queries.observe.reading import Listed
from storage.ids import JsonObject


class ContainerPart(StrEnum):
    """What a container is in its pod."""

    MAIN = "main"
    INIT = "init"
    SIDECAR = "sidecar"  # an init container with restartPolicy Always: it starts first and goes on running
    EPHEMERAL = "ephemeral"


#: The fields of a pod in which each kind stands: of its spec, and of its status.
_FIELDS = {
    ContainerPart.MAIN: ("containers", "containerStatuses"),
    ContainerPart.INIT: ("initContainers", "initContainerStatuses"),
    ContainerPart.SIDECAR: ("initContainers", "initContainerStatuses"),
    ContainerPart.EPHEMERAL: ("ephemeralContainers", "ephemeralContainerStatuses"),
}


@dataclass(frozen=True)
class Ended:
    """How a run of a container ended."""

    reason: str
    exit_code: int | None
    started: datetime | None
    finished: datetime | None
    message: str


@dataclass(frozen=True)
class ContainerState:
    """What a container is doing: exactly one of the three, or none that is known."""

    waiting: str = ""  # the reason; "" when it does not wait
    waiting_message: str = ""
    running_since: datetime | None = None
    running: bool = False
    ended: Ended | None = None


@dataclass(frozen=True)
class Probe:
    """A probe of a container: whether there is one, and how long it waits."""

    kind: str  # "livenessProbe"
    timeout_s: int
    failures: int
    path: str  # that it asks over HTTP; "" for another way


@dataclass(frozen=True)
class ConfigReference:
    """What a container takes from a secret or a config map, and where that stands in the pod."""

    field: str  # "env[name=KEY].valueFrom.secretKeyRef.name"
    kind: str  # "secret", "configmap"
    name: str


@dataclass(frozen=True)
class ContainerPort:
    """A port that a container names; it may listen on others, too."""

    name: str
    number: int


@dataclass(frozen=True)
class Container:
    """A container of a pod: what was wanted, and what it does."""

    name: str
    part: ContainerPart
    image: str
    state: ContainerState
    last: Ended | None
    ready: bool
    restarts: int
    limits: dict[str, str]
    requests: dict[str, str]
    probes: tuple[Probe, ...]
    ports: tuple[ContainerPort, ...]
    references: tuple[ConfigReference, ...]

    @property
    def status_path(self) -> str:
        """Return the path of its status in the pod."""
        return f"status.{_FIELDS[self.part][1]}[name={self.name}]"

    @property
    def spec_path(self) -> str:
        """Return the path of its spec in the pod."""
        return f"spec.{_FIELDS[self.part][0]}[name={self.name}]"

    def limit(self, resource: str) -> float | None:
        """Return a limit in cores or bytes; None where none is set."""
        return quantity(self.limits.get(resource, ""))

    def request(self, resource: str) -> float | None:
        """Return a request in cores or bytes; None where none is set."""
        return quantity(self.requests.get(resource, ""))


@dataclass(frozen=True)
class ObjectCondition:
    """One condition of an object."""

    type: str
    status: str
    reason: str
    message: str
    since: datetime | None


@dataclass(frozen=True)
class Owner:
    """What made an object."""

    kind: str
    name: str


@dataclass(frozen=True)
class Pod:
    """A pod as the cluster sees it."""

    name: str
    namespace: str
    uid: str
    labels: dict[str, str]
    owner: Owner | None
    created: datetime | None
    deleted: datetime | None  # until when it was to be gone, its time of grace included
    finalizers: tuple[str, ...]
    phase: str
    reason: str
    message: str
    node: str
    gates: tuple[str, ...]  # what keeps the scheduler from it, until each is taken away
    restart_policy: str
    containers: tuple[Container, ...]
    conditions: tuple[ObjectCondition, ...]
    claims: tuple[str, ...]
    volumes: tuple[tuple[str, str, str], ...]  # name, field in the pod, what it refers to
    default_container: str
    origin: FactOrigin

    def condition(self, kind: str) -> ObjectCondition | None:
        """Return the condition of a type."""
        return next((each for each in self.conditions if each.type == kind), None)

    @property
    def ready(self) -> bool:
        """Return whether the pod is Ready now."""
        found = self.condition("Ready")
        return found is not None and found.status == "True"

    @property
    def deleting(self) -> bool:
        """Return whether somebody has deleted it."""
        return self.deleted is not None

    @property
    def over(self) -> bool:
        """Return whether nothing of it will run again."""
        return self.phase in {"Succeeded", "Failed"}


def read_pods(listed: Listed) -> tuple[Pod, ...]:
    """Return the pods of a list; what has no name is left out."""
    return tuple(_pod(each, listed) for each in listed.objects if text(each, "metadata", "name"))


def conditions_of(body: JsonObject) -> tuple[ObjectCondition, ...]:
    """Return the conditions of an object's status."""
    return tuple(
        ObjectCondition(
            type=text(each, "type"),
            status=text(each, "status"),
            reason=text(each, "reason"),
            message=text(each, "message"),
            since=moment(each, "lastTransitionTime"),
        )
        for each in objects(body, "status", "conditions")
    )


def owner_of(body: JsonObject) -> Owner | None:
    """Return what made an object: its controller, or else its first owner."""
    owners = list(objects(body, "metadata", "ownerReferences"))
    owners.sort(key=lambda each: child(each, "controller") is not True)
    return Owner(text(owners[0], "kind"), text(owners[0], "name")) if owners else None


def _pod(body: JsonObject, listed: Listed) -> Pod:
    name = text(body, "metadata", "name")
    return Pod(
        name=name,
        namespace=text(body, "metadata", "namespace"),
        uid=text(body, "metadata", "uid"),
        labels=strings(body, "metadata", "labels"),
        owner=owner_of(body),
        created=moment(body, "metadata", "creationTimestamp"),
        deleted=moment(body, "metadata", "deletionTimestamp"),
        finalizers=_finalizers(child(body, "metadata", "finalizers")),
        phase=text(body, "status", "phase"),
        reason=text(body, "status", "reason"),
        message=text(body, "status", "message"),
        node=text(body, "spec", "nodeName"),
        gates=tuple(text(each, "name") for each in objects(body, "spec", "schedulingGates")),
        restart_policy=text(body, "spec", "restartPolicy") or "Always",
        containers=tuple(_containers(body)),
        conditions=conditions_of(body),
        claims=tuple(
            claim
            for each in objects(body, "spec", "volumes")
            if (claim := text(each, "persistentVolumeClaim", "claimName"))
        ),
        volumes=tuple(_volumes(body)),
        default_container=text(body, "metadata", "annotations", "kubectl.kubernetes.io/default-container"),
        origin=origin_of("Pod", body, listed),
    )


def _finalizers(value: object) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _volumes(body: JsonObject) -> Iterator[tuple[str, str, str]]:
    for each in objects(body, "spec", "volumes"):
        name = text(each, "name")
        for path in (("persistentVolumeClaim", "claimName"), ("secret", "secretName"), ("configMap", "name")):
            if refers := text(each, *path):
                yield name, f"spec.volumes[name={name}].{'.'.join(path)}", refers


def _containers(body: JsonObject) -> list[Container]:
    found = []
    for spec_field, part in (
        ("initContainers", ContainerPart.INIT),
        ("containers", ContainerPart.MAIN),
        ("ephemeralContainers", ContainerPart.EPHEMERAL),
    ):
        statuses = {text(each, "name"): each for each in objects(body, "status", _FIELDS[part][1])}
        for spec in objects(body, "spec", spec_field):
            always = part is ContainerPart.INIT and text(spec, "restartPolicy") == "Always"
            status = statuses.get(text(spec, "name"), {})
            found.append(_container(spec, status, part=ContainerPart.SIDECAR if always else part))
    return found


def _container(spec: JsonObject, status: JsonObject, *, part: ContainerPart) -> Container:
    return Container(
        name=text(spec, "name"),
        part=part,
        image=text(spec, "image"),
        state=_state(status),
        last=_ended(child(status, "lastState", "terminated")),
        ready=child(status, "ready") is True,
        restarts=number(status, "restartCount"),
        limits=strings(spec, "resources", "limits"),
        requests=strings(spec, "resources", "requests"),
        probes=tuple(
            Probe(
                kind,
                number(spec, kind, "timeoutSeconds") or 1,
                number(spec, kind, "failureThreshold") or 3,
                text(spec, kind, "httpGet", "path"),
            )
            for kind in ("livenessProbe", "readinessProbe", "startupProbe")
            if isinstance(child(spec, kind), dict)
        ),
        ports=tuple(
            ContainerPort(text(each, "name"), number(each, "containerPort")) for each in objects(spec, "ports")
        ),
        references=tuple(_references(spec)),
    )


def _state(status: JsonObject) -> ContainerState:
    waiting = child(status, "state", "waiting")
    running = child(status, "state", "running")
    return ContainerState(
        waiting=text(waiting, "reason"),
        waiting_message=text(waiting, "message"),
        running=isinstance(running, dict),
        running_since=moment(running, "startedAt"),
        ended=_ended(child(status, "state", "terminated")),
    )


def _ended(body: object) -> Ended | None:
    if not isinstance(body, dict):
        return None
    return Ended(
        reason=text(body, "reason"),
        exit_code=number_or_none(body, "exitCode"),
        started=moment(body, "startedAt"),
        finished=moment(body, "finishedAt"),
        message=text(body, "message"),
    )


def _references(spec: JsonObject) -> list[ConfigReference]:
    found = []
    for variable in objects(spec, "env"):
        for key, kind in (("secretKeyRef", "secret"), ("configMapKeyRef", "configmap")):
            if name := text(variable, "valueFrom", key, "name"):
                found.append(ConfigReference(f"env[name={text(variable, 'name')}].valueFrom.{key}.name", kind, name))
    for source in objects(spec, "envFrom"):
        for key, kind in (("secretRef", "secret"), ("configMapRef", "configmap")):
            if name := text(source, key, "name"):
                found.append(ConfigReference(f"envFrom[{key}.name={name}].{key}.name", kind, name))
    return found
