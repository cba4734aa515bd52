"""The ports to what is observed: objects and logs of a cluster, metrics, and logs that are kept elsewhere.

Each implementation only reads, asks within its time-out, and raises `ReadFailed` and nothing else. Names that come in
are checked by it (DNS-1123), so that no path or label can be widened. Whoever calls has decided the scope already.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from storage.ids import JsonObject


class ObjectKind(StrEnum):
    """The kinds of objects that are read, each by the plural name that its path has."""

    PODS = "pods"
    EVENTS = "events"
    DEPLOYMENTS = "deployments"
    REPLICA_SETS = "replicasets"
    STATEFUL_SETS = "statefulsets"
    DAEMON_SETS = "daemonsets"
    JOBS = "jobs"
    CRON_JOBS = "cronjobs"
    CLAIMS = "persistentvolumeclaims"
    SERVICES = "services"
    ENDPOINTS = "endpoints"
    AUTOSCALERS = "horizontalpodautoscalers"
    QUOTAS = "resourcequotas"
    NETWORK_POLICIES = "networkpolicies"
    BUDGETS = "poddisruptionbudgets"
    NODES = "nodes"  # of the cluster, not of a namespace
    NAMESPACES = "namespaces"  # of the cluster


@dataclass(frozen=True)
class Listed:
    """Objects of one kind, as the server gave them."""

    objects: tuple[JsonObject, ...]
    request: str  # as in `ReadFailed.request`
    sha256: str  # of the bytes that came
    complete: bool = True  # False: there are more, which were not read
    requests: int = 1  # that it took: one a page


@dataclass(frozen=True)
class LogRead:
    """Lines of a log, oldest first, each beginning with its time (RFC 3339) and a space."""

    lines: tuple[str, ...]
    request: str
    sha256: str
    cut: bool = False  # there were more or longer lines


@dataclass(frozen=True)
class MeasuredSeries:
    """One series of values over time, oldest first; an instant query gives one value."""

    labels: Mapping[str, str]
    values: tuple[tuple[datetime, float], ...]


@dataclass(frozen=True)
class MetricRead:
    """What a query gave. No series: nothing was measured, which is not zero."""

    series: tuple[MeasuredSeries, ...]
    request: str  # the PromQL
    sha256: str
    partial: bool = False  # the server said that something is missing


class ObjectReader(Protocol):
    """Objects and logs of one cluster."""

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        """Return the objects of a namespace, or of the cluster, that a label selector fits; at most so many."""
        ...

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        """Return the last lines of a container, or of its run before this one."""
        ...

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        """Return whether the desk itself may do this there, as the cluster's own review says."""
        ...


class MetricReader(Protocol):
    """A server that speaks PromQL."""

    async def instant(self, query: str, *, at: datetime) -> MetricRead:
        """Return each series' value at a moment."""
        ...

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:
        """Return each series' values over a window."""
        ...


class LogSearch(Protocol):
    """Logs that are kept in a search engine; asked by one fixed form of query."""

    async def search(self, namespace: str, app: str, *, start: datetime, end: datetime, lines: int = 500) -> LogRead:
        """Return the newest lines of an app within a window."""
        ...


@dataclass(frozen=True)
class ClusterSources:
    """What can be read of one cluster; None where `clusters.yaml` names none."""

    cluster: str
    objects: ObjectReader | None = None
    metrics: MetricReader | None = None
    logs: LogSearch | None = None
