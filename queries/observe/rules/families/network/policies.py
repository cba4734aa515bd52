"""Network policies that keep an app from what it needs, or everybody from the app."""

import re
from collections.abc import Iterator, Sequence

from queries.observe.facts.facts import ClusterFacts, app_of
from queries.observe.facts.pods import Pod
from queries.observe.facts.policies import NetworkPolicy, Peer, lets_through, ports_of, selects
from queries.observe.report.report import ReportEvidence, Severity
from queries.observe.rules.families.logs.lines import no_answer_of, no_name_of
from queries.observe.rules.finding import RuleFinding, of_object

_RULE = "NETWORK_POLICY_BLOCKS"
#: Words of an answer: whoever refuses was reached, and a policy drops in silence.
_ANSWERED = re.compile(r"refused|ECONNREFUSED|reset|closed|拒绝|重置|关闭", re.IGNORECASE)
#: Of a name server that says nothing; "no such host" is an answer of one.
_SILENT = re.compile(r"time[d ]{0,2}.?out|EAI_AGAIN|temporary failure|超时", re.IGNORECASE)
_HOST = re.compile(r"(?P<name>[A-Za-z0-9_.-]{1,253}?)(?::(?P<port>\d{1,5}))?")
_NAME_PORT = 53


def wants_policies(facts: ClusterFacts) -> bool:
    """Return whether policies could be the cause of what is seen: no answer comes, or nobody does."""
    return dried_up(facts) is not None or any(
        line.bad and (no_answer_of(line) or no_name_of(line)) for log in facts.logs for line in log.lines
    )


def policy_blocks(facts: ClusterFacts, findings: Sequence[RuleFinding]) -> Iterator[RuleFinding]:
    """NETWORK_POLICY_BLOCKS: no policy that is about these pods lets through what gets no answer."""
    if not facts.policies:
        return
    for found in findings:
        if found.rule in {"DEPENDENCY_TIMEOUT", "DNS_FAILURE"}:
            yield from _towards(facts, found)
    yield from _from_nobody(facts)


def _towards(facts: ClusterFacts, found: RuleFinding) -> Iterator[RuleFinding]:
    """Yield the policy that keeps an app from what one finding of its log is about."""
    line = found.values["line"]
    names = found.rule == "DNS_FAILURE"
    if not (_SILENT.search(line) if names else not _ANSWERED.search(line)):
        return
    pods = [pod for pod in facts.live_pods() if pod.name == found.pod]
    host = _HOST.fullmatch(found.values["host"])
    if not pods or host is None:
        return
    peer = Peer(ports=frozenset({_NAME_PORT})) if names else _peer(facts, host["name"], int(host["port"] or 0))
    said = {"peer": f"{found.values['host']}:{_NAME_PORT}" if names else found.values["host"]}
    out = [each for each in facts.policies if each.egress is not None and _about(each, pods[0])]
    rules = [rule for each in out for rule in each.egress or ()]
    if out and lets_through(rules, peer, own=out[0].namespace) is False:
        said["ports"] = ports_of(rules)
        yield _finding(facts, found, out, ("names" if names else "out", "only" if said["ports"] else "none"), said)
    elif peer.labels is not None and peer.namespace == facts.asked.namespace:
        into = [
            each
            for each in facts.policies
            if each.ingress is not None and selects(each.selector, peer.labels, whole=False) is True
        ]
        own = Peer(peer.namespace, pods[0].labels, whole=True, ports=peer.ports)
        rules = [rule for each in into for rule in each.ingress or ()]
        if into and lets_through(rules, own, own=into[0].namespace) is False:
            yield _finding(facts, found, into, ("into",), said)


def _about(policy: NetworkPolicy, pod: Pod) -> bool:
    return selects(policy.selector, pod.labels, whole=True) is True


def _peer(facts: ClusterFacts, host: str, port: int) -> Peer:
    """Return what is known of a host: of a service of this namespace its labels and the ports of its pods."""
    name, _, rest = host.partition(".")
    near = rest.partition(".")[0] in {"", facts.asked.namespace}
    for each in facts.services:
        if each.selector and (host == each.address or (near and each.name == name)):
            ports = [at.number for at in each.ports if port in {0, at.own}] or [port]
            return Peer(facts.asked.namespace, each.selector, ports=frozenset() if 0 in ports else frozenset(ports))
    return Peer(ports=frozenset({port} if port else ()))


def _finding(
    facts: ClusterFacts,
    found: RuleFinding,
    policies: Sequence[NetworkPolicy],
    says: tuple[str, ...],
    values: dict[str, str],
) -> RuleFinding:
    newest = max(policies, key=lambda each: (str(each.created or ""), each.name))
    return of_object(
        _RULE,
        facts,
        newest.origin.object,
        [*_cited(policies), *found.evidence[:1]],
        severity=found.severity,
        says=says,
        values={**values, "app": found.values["app"], "policy": newest.name, "line": found.values["line"]},
        family=found.family,
        confidence="high" if facts.services else "medium",
        onset=found.onset,
    )


def _cited(policies: Sequence[NetworkPolicy]) -> list[ReportEvidence]:
    cited = []
    for each in policies:
        at = f"{each.created:%Y-%m-%dT%H:%M:%SZ}" if each.created else "?"
        cited.append(each.origin.cite("spec.podSelector", each.chosen))
        cited.append(each.origin.cite("metadata.creationTimestamp", at, at=each.created))
        for way, rules in (("ingress", each.ingress), ("egress", each.egress)):
            if rules is not None:
                cited.append(each.origin.cite(f"spec.{way}[*].ports[*].port", ports_of(rules) or "none"))
    return cited


def dried_up(facts: ClusterFacts) -> ReportEvidence | None:
    """Return the evidence that an app gets no request at all, though it had some an hour ago; None where it does."""
    now, before = facts.measure("requests_per_s"), facts.measure("error_ratio_1h_ago")
    for each in now or ():
        app = each.label("app") or facts.asked.app
        had = any((other.label("app") or app) == app for other in before or ())
        if now is not None and each.value == 0 and had:
            return now.cite(each.value, f"app/{app}")
    return None


def _from_nobody(facts: ClusterFacts) -> Iterator[RuleFinding]:
    """Yield the policies that let nobody in to pods that are ready and get no request any more."""
    dry = dried_up(facts)
    ready = [pod for pod in facts.live_pods() if pod.ready]
    if dry is None or not ready:
        return
    into = [each for each in facts.policies if each.ingress is not None and _about(each, ready[0])]
    if not into or any(each.ingress for each in into):
        return
    newest = max(into, key=lambda each: (str(each.created or ""), each.name))
    app = app_of(ready[0]) or facts.asked.app
    yield of_object(
        _RULE,
        facts,
        newest.origin.object,
        [*_cited(into), dry],
        severity=Severity.S1,
        says=("nobody",),
        values={"app": app, "policy": newest.name},
        family=("app", app),
        onset=newest.created,
    )
