"""All facts of a run, and what of them belongs together."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.facts.cluster import (
    Autoscaler,
    DisruptionBudget,
    Endpoints,
    Node,
    Quota,
    Service,
    VolumeClaim,
)
from queries.observe.facts.events import ClusterEvent
from queries.observe.facts.logs import ContainerLog
from queries.observe.facts.measures import Measure
from queries.observe.facts.pods import Container, ContainerPart, Pod
from queries.observe.facts.policies import NetworkPolicy
from queries.observe.facts.reading import FactOrigin
from queries.observe.facts.workloads import BatchJob, CronJob, Workload
from queries.observe.reading import ObjectKind
from queries.observe.report.report import DiagnosisRequest, Severity

#: What a list of events still tells of: older ones are history.
RECENT = timedelta(minutes=10)
#: Containers that are put beside an app's own, often before it, and never do its work.
_HELPERS = frozenset(
    {
        "istio-proxy", "linkerd-proxy", "envoy", "envoy-sidecar", "consul-dataplane", "daprd", "vault-agent",
        "cloud-sql-proxy", "cloudsql-proxy", "oauth2-proxy", "fluent-bit", "fluentd", "filebeat", "promtail", "vector",
        "otel-collector", "otc-container", "jaeger-agent", "datadog-agent", "config-reloader", "git-sync",
    }
)  # fmt: skip


@dataclass(frozen=True)
class UnreadSource:
    """What could not be read."""

    what: str  # "pods", "log of checkout-1/web", "metric error_ratio"
    source: str  # an `ObjectKind`, "logs", "metrics"
    error: ReadFailed

    @property
    def denied(self) -> bool:
        """Return whether the source said that the desk may not."""
        return self.error.kind in {FailureKind.UNAUTHORIZED, FailureKind.FORBIDDEN}


@dataclass(frozen=True)
class ClusterFacts:
    """What is known of what was asked for."""

    asked: DiagnosisRequest
    pods: tuple[Pod, ...] = ()
    events: tuple[ClusterEvent, ...] = ()
    deployments: tuple[Workload, ...] = ()
    replica_sets: tuple[Workload, ...] = ()
    stateful_sets: tuple[Workload, ...] = ()
    daemon_sets: tuple[Workload, ...] = ()
    jobs: tuple[BatchJob, ...] = ()
    cron_jobs: tuple[CronJob, ...] = ()
    claims: tuple[VolumeClaim, ...] = ()
    nodes: tuple[Node, ...] = ()
    services: tuple[Service, ...] = ()
    endpoints: tuple[Endpoints, ...] = ()
    autoscalers: tuple[Autoscaler, ...] = ()
    quotas: tuple[Quota, ...] = ()
    policies: tuple[NetworkPolicy, ...] = ()
    budgets: tuple[DisruptionBudget, ...] = ()
    logs: tuple[ContainerLog, ...] = ()
    measures: Mapping[str, Measure] = field(default_factory=dict)
    unread: tuple[UnreadSource, ...] = ()
    lists: Mapping[ObjectKind, FactOrigin] = field(default_factory=dict)  # each list that was read

    @property
    def now(self) -> datetime:
        """Return the clock of everything."""
        return self.asked.now

    @cached_property
    def workloads(self) -> tuple[Workload, ...]:
        """Return what keeps pods running: without the replica sets of deployments."""
        return self.deployments + self.stateful_sets + self.daemon_sets

    @cached_property
    def _events_by_object(self) -> dict[tuple[str, str], list[ClusterEvent]]:
        found: dict[tuple[str, str], list[ClusterEvent]] = {}
        for each in self.events:
            found.setdefault((each.kind, each.name), []).append(each)
        return found

    def events_of(self, kind: str, name: str, uid: str = "") -> tuple[ClusterEvent, ...]:
        """Return the events about an object; those of an earlier one of the same name are left out."""
        found = self._events_by_object.get((kind, name), [])
        return tuple(each for each in found if not uid or not each.uid or each.uid == uid)

    def events_of_pod(self, pod: Pod, reason: str = "", says: str = "") -> tuple[ClusterEvent, ...]:
        """Return the events about a pod, oldest first, of a reason and with some words where they are given."""
        return tuple(
            each
            for each in self.events_of("Pod", pod.name, pod.uid)
            if (not reason or each.reason == reason) and (not says or says.lower() in each.message.lower())
        )

    def recent(self, event: ClusterEvent, within: timedelta = RECENT) -> bool:
        """Return whether an event was seen again lately."""
        return event.last is not None and self.now - event.last <= within

    @cached_property
    def _replica_sets_by_name(self) -> dict[str, Workload]:
        return {each.name: each for each in self.replica_sets}

    @cached_property
    def _workloads_by_name(self) -> dict[tuple[str, str], Workload]:
        return {(each.kind, each.name): each for each in self.workloads}

    def workload_of(self, pod: Pod) -> Workload | None:
        """Return what keeps a pod running, or None where nothing does or it was not read."""
        owner = pod.owner
        replica_set = self._replica_sets_by_name.get(owner.name) if owner and owner.kind == "ReplicaSet" else None
        if replica_set is not None and replica_set.owner is not None:
            return self._workloads_by_name.get((replica_set.owner.kind, replica_set.owner.name))
        if owner is None or owner.kind == "ReplicaSet":  # a pod without an owner is taken by whose selector fits it
            for each in self.deployments:
                if each.selector and each.selector.items() <= pod.labels.items():
                    return each
            return replica_set
        return self._workloads_by_name.get((owner.kind, owner.name))

    def revisions(self, deployment: Workload | BatchJob) -> tuple[Workload, ...]:
        """Return the replica sets of a deployment, the newest revision first."""
        own = [
            each
            for each in self.replica_sets
            if each.owner and (each.owner.kind, each.owner.name) == (deployment.kind, deployment.name)
        ]
        return tuple(sorted(own, key=_revision, reverse=True))

    def family(self, pod: Pod) -> tuple[str, str]:
        """Return the kind and name of what pods like this one belong to."""
        workload = self.workload_of(pod)
        if workload is not None:
            return workload.kind, workload.name
        if pod.owner is not None:
            return pod.owner.kind, pod.owner.name
        return "Pod", pod.name

    @cached_property
    def _families(self) -> dict[tuple[str, str], list[Pod]]:
        found: dict[tuple[str, str], list[Pod]] = {}
        for pod in self.pods:
            found.setdefault(self.family(pod), []).append(pod)
        return found

    def siblings(self, pod: Pod) -> tuple[Pod, ...]:
        """Return the pods of the same workload, with this one."""
        return tuple(self._families[self.family(pod)])

    def serving(self, pod: Pod) -> bool:
        """Return whether the workload of a pod has a ready replica."""
        workload = self.workload_of(pod)
        if workload is not None:
            return workload.ready > 0 or workload.wanted == 0
        return any(each.ready for each in self.siblings(pod))

    def severity_of(self, pod: Pod) -> Severity:
        """Return how bad a failure of a pod is: what ends by itself has no replicas to be ready."""
        if pod.owner is not None and pod.owner.kind == "Job":
            return Severity.S2
        return Severity.S2 if self.serving(pod) else Severity.S1

    def log_of(self, pod: Pod, container: Container, *, previous: bool = False) -> ContainerLog | None:
        """Return a log that was read and has lines, or None."""
        for each in self.logs:
            if (each.pod, each.container, each.previous) == (pod.name, container.name, previous) and each.lines:
                return each
        return None

    def main_of(self, pod: Pod) -> Container | None:
        """Return the container that does the app's work: named like it, or marked, or the first."""
        mains = [each for each in pod.containers if each.part is ContainerPart.MAIN]
        names = {pod.default_container, self.asked.app, *_app_names(pod), self.family(pod)[1]} - {""}
        own = [each for each in mains if each.name not in _HELPERS] or mains
        return next((each for each in mains if each.name in names), own[0] if own else None)

    def live_pods(self) -> Iterator[Pod]:
        """Yield the pods that are to run: not those that are over or being deleted."""
        return (pod for pod in self.pods if not pod.over and not pod.deleting)

    def measure(self, name: str) -> Measure | None:
        """Return what a query of an intent gave, or None where it was not asked or failed."""
        return self.measures.get(name)

    def failed(self, source: str) -> tuple[UnreadSource, ...]:
        """Return what could not be read of a source."""
        return tuple(each for each in self.unread if each.source == source)

    def of_app(self, app: str) -> "ClusterFacts":
        """Return these facts as if this app had been asked for: used where a whole namespace was."""
        return replace(self, asked=replace(self.asked, app=app))


def app_of(pod: Pod) -> str:
    """Return the name that a pod's labels give its app, or ""."""
    return next(iter(_app_names(pod)), "")


def _app_names(pod: Pod) -> list[str]:
    keys = ("app", "app.kubernetes.io/name", "k8s-app", "app.kubernetes.io/instance", "application", "run")
    return [pod.labels[key] for key in keys if pod.labels.get(key)]


def _revision(replica_set: Workload) -> tuple[int, str]:
    number = int(replica_set.revision) if replica_set.revision.isdigit() else 0
    return number, str(replica_set.created or "")
