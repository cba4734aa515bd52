"""What stands around the pods: claims, nodes, services with their endpoints, autoscalers, quotas."""

from dataclasses import dataclass
from datetime import datetime

from queries.observe.facts.pods import ObjectCondition, conditions_of
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
from queries.observe.reading import Listed
from storage.ids import JsonObject, JsonValue


@dataclass(frozen=True)
class VolumeClaim:
    """A claim for a volume."""

    name: str
    phase: str
    storage_class: str
    created: datetime | None
    origin: FactOrigin


@dataclass(frozen=True)
class Node:
    """A machine of the cluster."""

    name: str
    unschedulable: bool
    conditions: tuple[ObjectCondition, ...]
    origin: FactOrigin

    def condition(self, kind: str) -> ObjectCondition | None:
        """Return the condition of a type."""
        return next((each for each in self.conditions if each.type == kind), None)


@dataclass(frozen=True)
class ServicePort:
    """A port of a service, and the one of its pods to which it leads."""

    path: str  # where it stands in the service: "spec.ports[name=http]"
    own: int
    target: str  # a number, or the name that a container gives to one
    number: int  # of the target; 0 where that is a name

    @property
    def named(self) -> bool:
        """Return whether the target is a name."""
        return not self.number


@dataclass(frozen=True)
class Service:
    """A name under which pods are reached."""

    name: str
    selector: dict[str, str]
    external: bool
    address: str  # of its own in the cluster; "" or "None" where it has none
    ports: tuple[ServicePort, ...]
    origin: FactOrigin


@dataclass(frozen=True)
class Endpoints:
    """The addresses behind a service."""

    name: str
    ready: int
    not_ready: int
    origin: FactOrigin


@dataclass(frozen=True)
class Autoscaler:
    """What changes the number of replicas."""

    name: str
    target_kind: str
    target: str
    most: int
    current: int
    wanted: int
    conditions: tuple[ObjectCondition, ...]
    origin: FactOrigin

    def condition(self, kind: str) -> ObjectCondition | None:
        """Return the condition of a type."""
        return next((each for each in self.conditions if each.type == kind), None)


@dataclass(frozen=True)
class Quota:
    """How much a namespace may use, and does."""

    name: str
    hard: dict[str, str]
    used: dict[str, str]
    origin: FactOrigin


@dataclass(frozen=True)
class DisruptionBudget:
    """How many pods of an app may be taken away at a time."""

    name: str
    selector: JsonValue  # None: it is about no pod
    healthy: int
    desired: int  # so many have to stay
    expected: int
    allowed: int  # so many may go now
    origin: FactOrigin


def read_claims(listed: Listed) -> tuple[VolumeClaim, ...]:
    """Return the claims of a list."""
    return tuple(
        VolumeClaim(
            name=text(each, "metadata", "name"),
            phase=text(each, "status", "phase"),
            storage_class=text(each, "spec", "storageClassName"),
            created=moment(each, "metadata", "creationTimestamp"),
            origin=origin_of("PersistentVolumeClaim", each, listed),
        )
        for each in listed.objects
    )


def read_nodes(listed: Listed) -> tuple[Node, ...]:
    """Return the nodes of a list."""
    return tuple(
        Node(
            name=text(each, "metadata", "name"),
            unschedulable=child(each, "spec", "unschedulable") is True,
            conditions=conditions_of(each),
            origin=origin_of("Node", each, listed),
        )
        for each in listed.objects
    )


def read_services(listed: Listed) -> tuple[Service, ...]:
    """Return the services of a list."""
    return tuple(
        Service(
            name=text(each, "metadata", "name"),
            selector=strings(each, "spec", "selector"),
            external=text(each, "spec", "type") == "ExternalName",
            address=text(each, "spec", "clusterIP"),
            ports=tuple(map(_port, objects(each, "spec", "ports"))),
            origin=origin_of("Service", each, listed),
        )
        for each in listed.objects
    )


def _port(port: JsonObject) -> ServicePort:
    name, own, target = text(port, "name"), number(port, "port"), child(port, "targetPort")
    led = str(own if target in {None, 0, ""} else target)
    path = f"spec.ports[name={name}]" if name else f"spec.ports[port={own}]"
    return ServicePort(path, own, led, int(led) if led.isdigit() else 0)


def read_endpoints(listed: Listed) -> tuple[Endpoints, ...]:
    """Return the endpoints of a list, each with how many addresses are ready."""
    found = []
    for each in listed.objects:
        subsets = list(objects(each, "subsets"))
        ready = sum(len(list(objects(subset, "addresses"))) for subset in subsets)
        waiting = sum(len(list(objects(subset, "notReadyAddresses"))) for subset in subsets)
        found.append(Endpoints(text(each, "metadata", "name"), ready, waiting, origin_of("Endpoints", each, listed)))
    return tuple(found)


def read_autoscalers(listed: Listed) -> tuple[Autoscaler, ...]:
    """Return the autoscalers of a list."""
    return tuple(
        Autoscaler(
            name=text(each, "metadata", "name"),
            target_kind=text(each, "spec", "scaleTargetRef", "kind"),
            target=text(each, "spec", "scaleTargetRef", "name"),
            most=number_or_none(each, "spec", "maxReplicas") or 0,
            current=number(each, "status", "currentReplicas"),
            wanted=number(each, "status", "desiredReplicas"),
            conditions=conditions_of(each),
            origin=origin_of("HorizontalPodAutoscaler", each, listed),
        )
        for each in listed.objects
    )


def read_quotas(listed: Listed) -> tuple[Quota, ...]:
    """Return the quotas of a list."""
    return tuple(
        Quota(
            name=text(each, "metadata", "name"),
            hard=strings(each, "status", "hard"),
            used=strings(each, "status", "used"),
            origin=origin_of("ResourceQuota", each, listed),
        )
        for each in listed.objects
    )


def read_budgets(listed: Listed) -> tuple[DisruptionBudget, ...]:
    """Return the disruption budgets of a list that their controller has counted."""
    return tuple(
        DisruptionBudget(
            name=text(each, "metadata", "name"),
            selector=child(each, "spec", "selector"),
            healthy=number(each, "status", "currentHealthy"),
            desired=number(each, "status", "desiredHealthy"),
            expected=number(each, "status", "expectedPods"),
            allowed=number(each, "status", "disruptionsAllowed"),
            origin=origin_of("PodDisruptionBudget", each, listed),
        )
        for each in listed.objects
        if number_or_none(each, "status", "expectedPods")
    )
