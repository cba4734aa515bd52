"""What a run reads, step by step: the workload first, then what its state asks for."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from queries.observe.diagnosis.budget import RunBudget, RunReads
from queries.observe.diagnosis.intents import MetricIntent, MetricScope, intents_for
from queries.observe.facts.cluster import (
    read_autoscalers,
    read_budgets,
    read_claims,
    read_endpoints,
    read_nodes,
    read_quotas,
    read_services,
)
from queries.observe.facts.events import read_events
from queries.observe.facts.facts import ClusterFacts
from queries.observe.facts.logs import ContainerLog, read_log
from queries.observe.facts.measures import Measure, read_measure
from queries.observe.facts.pods import Container, ContainerPart, Pod, read_pods
from queries.observe.facts.policies import read_policies
from queries.observe.facts.reading import FactOrigin
from queries.observe.facts.workloads import read_cron_jobs, read_jobs, read_workloads
from queries.observe.reading import ClusterSources, Listed, ObjectKind, ObjectReader
from queries.observe.report.report import DiagnosisRequest
from queries.observe.rules.families.network.policies import wants_policies
from queries.observe.rules.families.nodes import wants_nodes

#: Kinds that carry the labels of their app; others are read for the whole namespace.
_LABELLED = frozenset(
    {
        ObjectKind.PODS,
        ObjectKind.DEPLOYMENTS,
        ObjectKind.REPLICA_SETS,
        ObjectKind.STATEFUL_SETS,
        ObjectKind.DAEMON_SETS,
        ObjectKind.JOBS,
        ObjectKind.CRON_JOBS,
    }
)
_FIRST = (ObjectKind.PODS, ObjectKind.EVENTS, ObjectKind.DEPLOYMENTS, ObjectKind.REPLICA_SETS)
#: Where the objects of a kind stand among the facts, and what reads them.
_PARSED: Mapping[ObjectKind, tuple[str, Callable[[Listed], Any]]] = {
    ObjectKind.PODS: ("pods", read_pods),
    ObjectKind.EVENTS: ("events", read_events),
    ObjectKind.DEPLOYMENTS: ("deployments", partial(read_workloads, ObjectKind.DEPLOYMENTS)),
    ObjectKind.REPLICA_SETS: ("replica_sets", partial(read_workloads, ObjectKind.REPLICA_SETS)),
    ObjectKind.STATEFUL_SETS: ("stateful_sets", partial(read_workloads, ObjectKind.STATEFUL_SETS)),
    ObjectKind.DAEMON_SETS: ("daemon_sets", partial(read_workloads, ObjectKind.DAEMON_SETS)),
    ObjectKind.JOBS: ("jobs", read_jobs),
    ObjectKind.CRON_JOBS: ("cron_jobs", read_cron_jobs),
    ObjectKind.CLAIMS: ("claims", read_claims),
    ObjectKind.NODES: ("nodes", read_nodes),
    ObjectKind.SERVICES: ("services", read_services),
    ObjectKind.ENDPOINTS: ("endpoints", read_endpoints),
    ObjectKind.AUTOSCALERS: ("autoscalers", read_autoscalers),
    ObjectKind.QUOTAS: ("quotas", read_quotas),
    ObjectKind.NETWORK_POLICIES: ("policies", read_policies),
    ObjectKind.BUDGETS: ("budgets", read_budgets),
}
#: Objects of a kind that are read at most; of pods the run's own limit holds.
_EVENTS, _OBJECTS = 5_000, 1_000
_LOGS = 10
#: Requests that are kept for metrics: eleven values, and one chart.
_METRICS = 12
#: Requests that are kept for what logs and metrics ask for.
_LAST = 2


class FactGathering:
    """The reads of one run, and what they gave."""

    def __init__(self, asked: DiagnosisRequest, sources: ClusterSources, budget: RunBudget) -> None:
        self.asked = asked
        self.sources = sources
        self.budget = budget
        self.reads = RunReads(budget)
        self.found: dict[str, Any] = {}  # facts, by the field of `ClusterFacts` in which they stand
        self.origins: dict[ObjectKind, FactOrigin] = {}
        self.logs: list[ContainerLog] = []
        self.measures: dict[str, Measure] = {}
        self.cut = False
        self.partial = False

    async def run(self) -> ClusterFacts:
        """Read in steps and return the facts."""
        objects = self.sources.objects
        if objects is not None:
            await self.reads.step("workload", [self._list(objects, kind) for kind in _FIRST])
        facts = await asyncio.to_thread(self._facts)
        if objects is not None:
            more = _further(facts)
            if more:
                await self.reads.step("surroundings", [self._list(objects, kind) for kind in more])
                facts = await asyncio.to_thread(self._facts)
            wanted = _logs_of(facts)[: max(0, min(_LOGS, self.reads.left - (_METRICS if self.sources.metrics else 0)))]
            if wanted:
                await self.reads.step(
                    "logs", [self._log(objects, pod, container, previous=last) for pod, container, last in wanted]
                )
        elif self.sources.logs is not None:
            await self.reads.step("logs", [self._search()])
        if self.sources.metrics is not None:
            chosen = intents_for(self.asked, scope_of(facts))[: max(0, self.reads.left - 1 - _LAST)]
            await self.reads.step("metrics", [self._measure(intent) for intent in chosen])
        facts = await asyncio.to_thread(self._facts)
        last = await asyncio.to_thread(_at_last, facts) if objects is not None else []
        if objects is not None and last:
            await self.reads.step("network and nodes", [self._list(objects, kind) for kind in last])
            facts = await asyncio.to_thread(self._facts)
        return facts

    def _list(self, objects: ObjectReader, kind: ObjectKind) -> Awaitable[None]:
        async def read() -> None:
            namespace = "" if kind in {ObjectKind.NODES, ObjectKind.NAMESPACES} else self.asked.namespace
            selector = self.asked.selector if kind in _LABELLED else ""
            where = f"GET {kind} of {namespace or 'the cluster'}"
            most = {ObjectKind.PODS: self.budget.objects, ObjectKind.EVENTS: _EVENTS}.get(kind, _OBJECTS)
            found = await self.reads.one(
                kind.value,
                kind.value,
                where,
                lambda: objects.list(kind, namespace=namespace, selector=selector, most=most),
            )
            if found is not None:
                field, parse = _PARSED[kind]
                self.found[field] = await asyncio.to_thread(parse, found)
                self.origins[kind] = FactOrigin(kind.value, found.request, found.sha256)
                self.reads.left -= found.requests - 1  # a further page is a request, too

        return read()

    def _log(self, objects: ObjectReader, pod: Pod, container: Container, *, previous: bool) -> Awaitable[None]:
        async def read() -> None:
            what = f"log of {pod.name}/{container.name}" + (" (previous run)" if previous else "")
            found = await self.reads.one(
                what,
                "logs",
                f"GET log of {pod.namespace}/{pod.name} container {container.name}",
                lambda: objects.log(
                    self.asked.namespace, pod.name, container.name, previous=previous, lines=self.budget.lines_each
                ),
            )
            if found is not None:
                left = self.budget.lines - sum(len(each.lines) for each in self.logs)
                kept = replace(
                    found, lines=found.lines[-max(0, min(left, self.budget.lines_each)) :] if left > 0 else ()
                )
                self.cut = (
                    self.cut
                    or found.cut
                    or len(kept.lines) < len(found.lines)
                    or len(found.lines) >= self.budget.lines_each
                )
                self.logs.append(await asyncio.to_thread(read_log, pod.name, container.name, kept, previous=previous))

        return read()

    def _search(self) -> Awaitable[None]:
        async def read() -> None:
            search = self.sources.logs
            if search is None:
                return
            end, start = self.asked.now, self.asked.now - timedelta(seconds=2 * self.asked.window_s)
            found = await self.reads.one(
                "logs",
                "logs",
                f"search logs of {self.asked.namespace}/{self.asked.app}",
                lambda: search.search(
                    self.asked.namespace, self.asked.app, start=start, end=end, lines=self.budget.lines_each
                ),
            )
            if found is not None:
                self.cut = self.cut or found.cut
                self.logs.append(await asyncio.to_thread(read_log, self.asked.app, "", found))

        return read()

    def _measure(self, intent: MetricIntent) -> Awaitable[None]:
        async def read() -> None:
            metrics = self.sources.metrics
            if metrics is None:
                return
            at = self.asked.now - intent.ago
            found = await self.reads.one(
                f"metric {intent.name}", "metrics", intent.query, lambda: metrics.instant(intent.query, at=at)
            )
            if found is not None:
                self.partial = self.partial or found.partial
                self.measures[intent.name] = read_measure(intent.name, found, at)

        return read()

    def _facts(self) -> ClusterFacts:
        facts = ClusterFacts(
            asked=self.asked,
            logs=tuple(sorted(self.logs, key=lambda each: (each.pod, each.container, each.previous))),
            measures=dict(self.measures),
            unread=tuple(sorted(self.reads.unread, key=lambda each: (each.source, each.what))),
            lists=dict(self.origins),
            **self.found,
        )
        return _only_pod(facts) if self.asked.pod else facts


def _only_pod(facts: ClusterFacts) -> ClusterFacts:
    """Return the facts of one pod; its workload stays, as far as it is its own."""
    pods = tuple(each for each in facts.pods if each.name == facts.asked.pod)
    if not pods:
        return replace(facts, pods=())
    owner = facts.workload_of(pods[0])
    kept = {(owner.kind, owner.name)} if owner else set()
    return replace(
        facts,
        pods=pods,
        deployments=tuple(each for each in facts.deployments if (each.kind, each.name) in kept),
        stateful_sets=tuple(each for each in facts.stateful_sets if (each.kind, each.name) in kept),
        daemon_sets=tuple(each for each in facts.daemon_sets if (each.kind, each.name) in kept),
        jobs=tuple(each for each in facts.jobs if pods[0].owner and each.name == pods[0].owner.name),
    )


def _further(facts: ClusterFacts) -> list[ObjectKind]:
    """Return which other kinds the state asks for, the most telling first."""
    owners = {pod.owner.kind for pod in facts.pods if pod.owner}
    whole = not facts.asked.app and not facts.asked.pod
    bare = not facts.pods or not facts.deployments
    wanted = []
    if ObjectKind.PODS in facts.lists or facts.failed(ObjectKind.PODS.value):
        wanted += [ObjectKind.STATEFUL_SETS] if whole or bare or "StatefulSet" in owners else []
        wanted += [ObjectKind.DAEMON_SETS] if whole or "DaemonSet" in owners else []
        wanted += [ObjectKind.JOBS] if whole or bare or "Job" in owners else []
    if any(pod.claims for pod in facts.pods) or whole:
        wanted.append(ObjectKind.CLAIMS)
    if any(not pod.ready and pod.phase != "Succeeded" for pod in facts.pods) or _node_events(facts):
        wanted.append(ObjectKind.NODES)
    if any(each.reason == "FailedCreate" for each in facts.events):
        wanted.append(ObjectKind.QUOTAS)
    around = [ObjectKind.SERVICES, ObjectKind.ENDPOINTS, ObjectKind.AUTOSCALERS, ObjectKind.CRON_JOBS]
    return [*wanted, *around, ObjectKind.BUDGETS]


def _at_last(facts: ClusterFacts) -> list[ObjectKind]:
    """Return which kinds the logs and the metrics ask for."""
    wanted = [ObjectKind.NETWORK_POLICIES] if wants_policies(facts) else []
    read = ObjectKind.NODES in facts.lists or facts.failed(ObjectKind.NODES.value)
    return wanted + ([ObjectKind.NODES] if not read and wants_nodes(facts) else [])


def _node_events(facts: ClusterFacts) -> bool:
    return any(each.kind == "Node" or each.reason in {"NodeNotReady", "TaintManagerEviction"} for each in facts.events)


def _logs_of(facts: ClusterFacts) -> list[tuple[Pod, Container, bool]]:
    """Return which logs to read, the most suspicious container first: (pod, container, the run before)."""
    found: list[tuple[tuple[object, ...], Pod, Container, bool]] = []
    seen: dict[tuple[object, ...], int] = {}
    for pod in sorted(facts.pods, key=_newest_of_job):
        main = facts.main_of(pod)
        for container in pod.containers:
            state = container.state
            if (
                not pod.node
                or pod.reason == "Evicted"
                or (not state.running and state.ended is None and container.last is None)
            ):
                continue
            bad = _is_bad(container) or _keeps_waiting(pod, container)
            if container.part in {ContainerPart.INIT, ContainerPart.EPHEMERAL} and not bad:
                continue
            key = (facts.family(pod), container.name, bad)
            order = seen[key] = seen.get(key, 0) + 1
            rank = (order > 2, not bad, order, container is not main, container.name, pod.name)
            found.append(((False, *rank), pod, container, False))
            ended = container.last
            if (
                ended is not None
                and state.running
                and container.restarts
                and facts.now - (ended.finished or facts.now) <= timedelta(hours=2)
            ):
                found.append(((order > 1, *rank), pod, container, True))
    found.sort(key=lambda each: each[0])
    return [(pod, container, last) for _, pod, container, last in found]


def _newest_of_job(pod: Pod) -> float:
    """Return what puts the last tries of a job first: those say why it gave up."""
    of_job = pod.owner is not None and pod.owner.kind == "Job"
    return -pod.created.timestamp() if of_job and pod.created else 0.0


def _is_bad(container: Container) -> bool:
    ended = container.state.ended
    return (
        container.state.waiting == "CrashLoopBackOff"
        or (ended is not None and ended.exit_code not in {0, None})
        or (container.state.running and not container.ready and container.part is ContainerPart.MAIN)
        or container.restarts > 0
    )


def _keeps_waiting(pod: Pod, container: Container) -> bool:
    """Return whether the pod waits for an init container that still runs: its log says what that waits for."""
    return container.part is ContainerPart.INIT and container.state.running and not pod.ready


def _has_ended(container: Container) -> bool:
    return container.restarts > 0 or container.state.ended is not None or container.last is not None


def scope_of(facts: ClusterFacts) -> MetricScope:
    """Return what of the facts is measured."""
    return MetricScope(
        pods=[each.name for each in facts.pods],
        workloads=sorted({facts.family(pod)[1] for pod in facts.pods}),
        claims=sorted({name for pod in facts.live_pods() for name in pod.claims}),
        ended=any(_has_ended(each) for pod in facts.pods for each in pod.containers),
    )
