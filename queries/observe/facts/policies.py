"""Network policies: which pods they are about, and what they let through, as far as that can be decided."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from queries.observe.facts.reading import FactOrigin, child, moment, objects, origin_of, strings, text
from queries.observe.reading import Listed
from storage.ids import JsonObject, JsonValue

#: The label that every namespace has, and that holds its name.
_NAMESPACE_NAME = "kubernetes.io/metadata.name"
#: Addresses without an exception among them: everybody.
_ANYWHERE = frozenset({"0.0.0.0/0", "::/0"})


@dataclass(frozen=True)
class Peer:
    """The other side of a connection. Labels are all that it has, or only those that are known."""

    namespace: str = ""  # "": not in the cluster, or not known
    labels: Mapping[str, str] | None = None
    whole: bool = False  # no other label stands on it
    ports: frozenset[int] = frozenset()  # on any of which it may be reached; none: not known


@dataclass(frozen=True)
class PolicyRule:
    """What one rule lets through."""

    peers: tuple[JsonObject, ...] | None  # None: everybody
    ports: tuple[JsonObject, ...] | None  # None: every port


@dataclass(frozen=True)
class NetworkPolicy:
    """A policy. `egress` and `ingress` are None where it says nothing of that way."""

    name: str
    namespace: str
    selector: JsonValue
    ingress: tuple[PolicyRule, ...] | None
    egress: tuple[PolicyRule, ...] | None
    created: datetime | None
    origin: FactOrigin

    @property
    def chosen(self) -> str:
        """Return the labels of the pods that it is about, as people write them."""
        said = [f"{key}={value}" for key, value in sorted(strings(self.selector, "matchLabels").items())]
        said += [text(each, "key") for each in objects(self.selector, "matchExpressions")]
        return ",".join(said) or "all pods"


def read_policies(listed: Listed) -> tuple[NetworkPolicy, ...]:
    """Return the network policies of a list."""
    return tuple(_policy(each, listed) for each in listed.objects)


def _policy(body: JsonObject, listed: Listed) -> NetworkPolicy:
    written = child(body, "spec", "policyTypes")
    ways = set(map(str, written)) if isinstance(written, list) else {"Ingress"}
    if not isinstance(written, list) and child(body, "spec", "egress"):
        ways.add("Egress")
    return NetworkPolicy(
        name=text(body, "metadata", "name"),
        namespace=text(body, "metadata", "namespace"),
        selector=child(body, "spec", "podSelector") or {},
        ingress=tuple(_rules(body, "ingress", "from")) if "Ingress" in ways else None,
        egress=tuple(_rules(body, "egress", "to")) if "Egress" in ways else None,
        created=moment(body, "metadata", "creationTimestamp"),
        origin=origin_of("NetworkPolicy", body, listed),
    )


def _rules(body: JsonObject, way: str, side: str) -> Iterator[PolicyRule]:
    for each in objects(body, "spec", way):
        peers, ports = tuple(objects(each, side)), tuple(objects(each, "ports"))
        yield PolicyRule(peers or None, ports or None)


def selects(selector: JsonValue, labels: Mapping[str, str], *, whole: bool) -> bool | None:
    """Return whether a selector fits labels; None where a label decides that is not known (they are not `whole`)."""
    answers: list[bool | None] = []
    for key, value in strings(selector, "matchLabels").items():
        answers.append(labels[key] == value if key in labels else (False if whole else None))
    answers.extend(_expressed(each, labels, whole=whole) for each in objects(selector, "matchExpressions"))
    return _all(answers)


def _expressed(wanted: JsonObject, labels: Mapping[str, str], *, whole: bool) -> bool | None:
    key, values = text(wanted, "key"), child(wanted, "values")
    among = labels.get(key) in values if isinstance(values, list) else False
    if key not in labels and not whole:
        return None
    match text(wanted, "operator"):
        case "In":
            return among
        case "NotIn":
            return not among
        case "Exists":
            return key in labels
        case "DoesNotExist":
            return key not in labels
    return None


def lets_through(rules: Iterable[PolicyRule], peer: Peer, *, own: str) -> bool | None:
    """Return whether one of the rules of a policy in the namespace `own` lets a peer through; None: not decided."""
    return _any(_all([_is_peer(each, peer, own), _is_port(each, peer)]) for each in rules)


def ports_of(rules: Iterable[PolicyRule]) -> str:
    """Return the ports that rules let through, as people write them."""
    named: dict[str, None] = {}
    for each in rules:
        if each.ports is None:
            return "*"
        named.update(dict.fromkeys(str(child(port, "port") or "*") for port in each.ports))
    return ", ".join(named)


def _is_peer(rule: PolicyRule, peer: Peer, own: str) -> bool | None:
    return True if rule.peers is None else _any(_fits(each, peer, own) for each in rule.peers)


def _fits(wanted: JsonObject, peer: Peer, own: str) -> bool | None:
    if "ipBlock" in wanted:
        open_to_all = text(wanted, "ipBlock", "cidr") in _ANYWHERE and not child(wanted, "ipBlock", "except")
        return True if open_to_all else None
    if not peer.namespace:
        return None
    spaces = wanted.get("namespaceSelector")
    name = {_NAMESPACE_NAME: peer.namespace}
    near = selects(spaces, name, whole=False) if spaces is not None else peer.namespace == own
    pods = wanted.get("podSelector")
    return _all([near, True if pods is None else selects(pods, peer.labels or {}, whole=peer.whole)])


def _is_port(rule: PolicyRule, peer: Peer) -> bool | None:
    return True if rule.ports is None else _any(_is_one(each, peer.ports) for each in rule.ports)


def _is_one(wanted: JsonObject, ports: frozenset[int]) -> bool | None:
    first, last = child(wanted, "port"), child(wanted, "endPort")
    if first is None:
        return True
    if not isinstance(first, int) or not ports:
        return None  # a name of a port, or nothing to compare with
    return any(first <= each <= (last if isinstance(last, int) else first) for each in ports)


def _all(answers: Iterable[bool | None]) -> bool | None:
    found = list(answers)
    return False if False in found else None if None in found else True


def _any(answers: Iterable[bool | None]) -> bool | None:
    found = list(answers)
    return True if True in found else None if None in found else False
