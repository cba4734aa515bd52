"""Services: those that reach nobody, and those that send to a port which nobody has."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from queries.observe.facts.cluster import Service, ServicePort
from queries.observe.facts.facts import ClusterFacts, app_of
from queries.observe.facts.pods import ContainerPart, ContainerPort, Pod
from queries.observe.facts.reading import excerpt
from queries.observe.report.report import ReportEvidence, Role, Severity
from queries.observe.rules.families.network.policies import dried_up
from queries.observe.rules.finding import Outcome, RuleFinding, of_object

#: How a server says that nobody listens at a port; a policy or a lost machine says nothing.
_REFUSED = re.compile(r"refused|ECONNREFUSED|拒绝", re.IGNORECASE)
#: Reasons of events, of several clouds; a failure that continues is tried again within this.
_BALANCER = re.compile(r"LoadBalancer\w{0,20}Failed$|FailedDeployModel|FailedBuildModel")
_CONTINUES = timedelta(minutes=15)
#: Labels that are told of pods which a selector misses.
_NAMED = 3


def service_without_endpoints(facts: ClusterFacts) -> Iterator[Outcome]:
    """SERVICE_NO_ENDPOINTS: a service has no ready address; a selector that fits no pod is its own cause."""
    behind = {each.name: each for each in facts.endpoints}
    for service in facts.services:
        if not service.selector or service.external or service.name not in behind or behind[service.name].ready:
            continue
        fitting = [pod for pod in facts.live_pods() if service.selector.items() <= pod.labels.items()]
        apps = {each.name for each in facts.workloads} | {facts.asked.app}
        if (facts.asked.app or facts.asked.pod) and not fitting and service.name not in apps:
            continue
        if fitting and all(each.named and not _has_port(fitting, each) for each in service.ports):
            continue  # `port_mismatch` tells of it: they may well be ready
        stopped = not fitting and facts.workloads and all(each.wanted == 0 for each in facts.workloads)
        if not fitting and (not facts.pods or stopped):
            continue
        endpoints = behind[service.name]
        selector = ",".join(f"{key}={value}" for key, value in sorted(service.selector.items()))
        lacking, have = _lacking(facts, service) if not fitting else ((), "")
        evidence = [
            service.origin.cite("spec.selector", selector),
            *(service.origin.cite(f"spec.selector.{key}", service.selector[key]) for key in lacking),
            endpoints.origin.lacks("ready address behind the service", f"subsets of {endpoints.origin.object}, now"),
        ]
        evidence.extend(
            pod.origin.cite("status.conditions[type=Ready].status", "True" if pod.ready else "False")
            for pod in fitting[:3]
        )
        yield of_object(
            "SERVICE_NO_ENDPOINTS",
            facts,
            f"Service/{service.name}",
            evidence,
            severity=Severity.S1,
            says=("unready",) if fitting else ("nobody", *(("labels" if have else "missing",) if lacking else ())),
            values={
                "selector": selector,
                "behind": selector if fitting else "",
                "lacking": ",".join(f"{key}={service.selector[key]}" for key in lacking),
                "have": have,
            },
            family=("Service", service.name),
        )


def balancer_failed(facts: ClusterFacts) -> Iterator[Outcome]:
    """LOAD_BALANCER_FAILED: the load balancer of a service could not be made or changed."""
    for service in facts.services:
        own = [each for each in facts.live_pods() if service.selector.items() <= each.labels.items()]
        events = facts.events_of("Service", service.name)
        failed = [each for each in events if _BALANCER.search(each.reason) and facts.recent(each, _CONTINUES)]
        if not failed or not service.selector or not own:
            continue
        yield of_object(
            "LOAD_BALANCER_FAILED",
            facts,
            f"Service/{service.name}",
            [each.cite() for each in failed[-2:]],
            values={"message": excerpt(failed[-1].message, 300)},
            family=("Service", service.name),
            onset=failed[-1].first,
        )


def _lacking(facts: ClusterFacts, service: Service) -> tuple[tuple[str, ...], str]:
    """Return the labels of a selector that no pod near it has, and what those pods have in their place."""

    def shared(labels: Mapping[str, str]) -> int:
        return len(service.selector.items() & labels.items())

    most = max((shared(pod.labels) for pod in facts.live_pods()), default=0)
    near = [pod.labels for pod in facts.live_pods() if most and shared(pod.labels) == most]
    lacking = [key for key, value in sorted(service.selector.items()) if all(each.get(key) != value for each in near)]
    have = sorted({f"{key}={each[key]}" for key in lacking for each in near if key in each})
    return tuple(lacking if near else ()), ", ".join(have[:_NAMED])


def called_without_endpoints(facts: ClusterFacts, findings: Sequence[RuleFinding]) -> Iterator[RuleFinding]:
    """SERVICE_NO_ENDPOINTS, of a service of this namespace that the app calls and gets no answer from."""
    behind = {each.name: each for each in facts.endpoints if not each.ready}
    for found in findings:
        if found.rule != "DEPENDENCY_TIMEOUT":
            continue
        for service in facts.services:
            if service.name not in behind or not _is_called(facts, service, found.values["host"].partition(":")[0]):
                continue
            endpoints = behind[service.name]
            selector = ",".join(f"{key}={value}" for key, value in sorted(service.selector.items()))
            missing = endpoints.origin.lacks("ready address behind the service", f"{endpoints.origin.object}, now")
            yield of_object(
                "SERVICE_NO_ENDPOINTS",
                facts,
                f"Service/{service.name}",
                [service.origin.cite("spec.selector", selector), missing, *found.evidence[:1]],
                severity=found.severity,
                says=("called", "waiting" if endpoints.not_ready else "empty"),
                values={
                    "app": found.values["app"],
                    "host": found.values["host"],
                    "waiting": endpoints.not_ready or "",
                    "behind": selector,
                },
                family=("called", service.name),
            )


def _is_called(facts: ClusterFacts, service: Service, host: str) -> bool:
    """Return whether a host is a service of this namespace that chooses its own pods."""
    if service.external or not service.selector or not host:
        return False
    near = f"{service.name}.{facts.asked.namespace}"
    return host in {service.name, near, service.address} or host.startswith(f"{near}.svc")


@dataclass(frozen=True)
class _LostPort:
    """A port of a service that leads to none which the containers behind it name."""

    service: Service
    port: ServicePort
    pods: Sequence[Pod]
    alone: bool  # no port of the service leads to one, and it has no address


def port_mismatch(facts: ClusterFacts, findings: Sequence[RuleFinding]) -> Iterator[RuleFinding]:
    """SERVICE_PORT_MISMATCH: a service sends to a port that no container behind it names, and nobody gets through.

    Containers may listen on ports that they do not name: a number alone proves nothing.
    """
    for lost in _lost_ports(facts):
        if lost.port.named:
            yield _mismatch(facts, lost, ("named", *(("nobody",) if lost.alone else ())))
        elif lost.service.address != "None" and _declared(lost.pods):
            yield from _unreached(facts, lost, findings)


def _lost_ports(facts: ClusterFacts) -> Iterator[_LostPort]:
    reached = {each.name for each in facts.endpoints if each.ready}
    for service in facts.services:
        if not service.selector or service.external:
            continue
        fitting = [pod for pod in facts.live_pods() if service.selector.items() <= pod.labels.items()]
        lost = [each for each in service.ports if fitting and not _has_port(fitting, each)]
        alone = len(lost) == len(service.ports) and service.name not in reached
        yield from (_LostPort(service, each, fitting, alone) for each in lost)


def _has_port(pods: Sequence[Pod], port: ServicePort) -> bool:
    """Return whether a container of one of the pods names the port to which a service sends."""
    return any(port.target in {each.name, str(each.number)} for pod in pods for each in _ports(pod))


def _ports(pod: Pod) -> Iterator[ContainerPort]:
    for each in pod.containers:
        if each.part in {ContainerPart.MAIN, ContainerPart.SIDECAR}:
            yield from each.ports


def _declared(pods: Sequence[Pod]) -> str:
    """Return the ports that the containers of pods name, as people write them."""
    named = dict.fromkeys(f"{each.number} ({each.name})" if each.name else str(each.number) for each in _ports(pods[0]))
    return ", ".join(named)


def _unreached(facts: ClusterFacts, lost: _LostPort, findings: Sequence[RuleFinding]) -> Iterator[RuleFinding]:
    """Yield that a caller of a lost port is refused; or else that no request arrives any more."""
    for found in findings:
        if found.rule == "DEPENDENCY_TIMEOUT" and _REFUSED.search(found.values["line"]):
            host, _, at = found.values["host"].partition(":")
            if _is_called(facts, lost.service, host) and at in {"", str(lost.port.own)}:
                yield _mismatch(facts, lost, ("number", "refused"), found)
                return
    dry = dried_up(facts)
    if dry is not None and any(pod.ready for pod in lost.pods):
        yield _mismatch(facts, lost, ("number", "dry"), dry)


def _mismatch(
    facts: ClusterFacts, lost: _LostPort, says: tuple[str, ...], shown: RuleFinding | ReportEvidence | None = None
) -> RuleFinding:
    works = says == ("named",)  # its other ports do
    found = shown if isinstance(shown, RuleFinding) else None
    more = shown.evidence[:1] if isinstance(shown, RuleFinding) else [shown] if shown else []
    service, port, pod = lost.service, lost.port, lost.pods[0]
    declared = _declared(lost.pods) or "none"
    evidence = [
        service.origin.cite(f"{port.path}.targetPort", port.target),
        pod.origin.cite("spec.containers[*].ports[*].containerPort", declared),
        pod.origin.cite("status.conditions[type=Ready].status", "True" if pod.ready else "False"),
        *more,
    ]
    return of_object(
        "SERVICE_PORT_MISMATCH",
        facts,
        service.origin.object,
        evidence,
        severity=found.severity if found else Severity.S3 if works else Severity.S1,
        role=Role.CONTEXT if works else Role.CAUSE,
        confidence="medium" if "number" in says else "high",
        says=says,
        values={
            "port": port.own,
            "target": port.target,
            "declared": declared,
            "app": found.values["app"] if found else app_of(pod),
            "host": found.values["host"] if found else "",
        },
        family=("called", service.name) if found else ("Service", service.name),
    )
