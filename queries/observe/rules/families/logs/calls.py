"""Services of the namespace that an app calls, and that have nobody to answer."""

from collections.abc import Iterator, Sequence

from queries.observe.facts.cluster import Service
from queries.observe.facts.facts import ClusterFacts
from queries.observe.rules.finding import RuleFinding, of_object


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
                    "waiting": endpoints.not_ready,
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
