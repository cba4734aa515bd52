"""Decides what may be looked at, before any request leaves. Nothing granted is nothing seen.

What does not exist and what is not this person's give the same `OutOfScope`, word for word.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType

from identity.actor import Actor, ActorKind
from identity.readership import Alone, Readership, Shared, ThreadOnly
from queries.observe.config import DNS_LABEL, AppConfig, ObserveConfig, ScopeConfig
from queries.observe.errors import OutOfScope

#: No restriction by labels.
_ANY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Granted:
    """A namespace that may be looked at; with `labels`, only the objects that have all of them."""

    cluster: str
    namespace: str
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def selector(self) -> str:
        """Return the labels as a selector of Kubernetes: "app=checkout,tier=web"."""
        return selector(self.labels)


@dataclass(frozen=True)
class Reach:
    """What somebody may look at in one place: the scopes that are theirs there."""

    config: ObserveConfig
    scopes: tuple[ScopeConfig, ...]
    everything: bool = False

    @property
    def clusters(self) -> tuple[str, ...]:
        """Return the names of the clusters of which they may see something."""
        return tuple(name for name in self.config.clusters if self.everything or any(self._grants(name)))

    @property
    def apps(self) -> Mapping[str, AppConfig]:
        """Return the apps of the directory that they may look at, by name."""
        return {
            name: app
            for name, app in self.config.apps.items()
            if self._granted(app.cluster, app.namespace, app.labels) is not None
        }

    def namespaces(self, cluster: str, existing: Iterable[str]) -> tuple[str, ...]:
        """Return those of a cluster's namespaces that they may look at."""
        return tuple(each for each in existing if self._granted(cluster, each) is not None)

    def grant(self, cluster: str, namespace: str, *, labels: Mapping[str, str] = _ANY) -> Granted:
        """Return what is granted of a namespace, narrowed to objects with these labels; raise `OutOfScope`."""
        found = self._granted(cluster, namespace, labels)
        if found is None:
            raise OutOfScope(namespace)
        return found

    def app(self, name: str) -> tuple[AppConfig, Granted]:
        """Return an app of the directory and what is granted of it; raise `OutOfScope`."""
        app = self.config.apps.get(name)
        found = self._granted(app.cluster, app.namespace, app.labels) if app else None
        if app is None or found is None:
            raise OutOfScope(name)
        return app, found

    def _granted(self, cluster: str, namespace: str, labels: Mapping[str, str] = _ANY) -> Granted | None:
        if cluster not in self.config.clusters or not DNS_LABEL.fullmatch(namespace):
            return None
        if self.everything:
            return Granted(cluster, namespace, labels)
        fitting = [each for each in self._grants(cluster) if fits(namespace, each.namespaces)]
        # The widest first: a person with the whole namespace is not held to the labels of a narrower scope.
        for each in sorted(fitting, key=lambda scope: len(scope.labels)):
            if all(labels.get(key, value) == value for key, value in each.labels.items()):
                return Granted(cluster, namespace, {**each.labels, **labels})
        return None

    def _grants(self, cluster: str) -> tuple[ScopeConfig, ...]:
        return tuple(scope for scope in self.scopes if fits(cluster, scope.clusters))


def reach_of(config: ObserveConfig, actor: Actor, *, readership: Readership, channel: str = "") -> Reach:
    """Return what the actor may look at, asked in a channel ("" for none).

    Where others read along, only what all of them may look at. The local operator, who holds the machine and its
    secrets, and jobs that the operator has set up see everything where nobody reads along.
    """
    present = [] if actor.kind in {ActorKind.OPERATOR, ActorKind.SYSTEM} else [actor.principals]
    match readership:
        case Shared(principals=principals) | ThreadOnly(otherwise=Shared(principals=principals)):
            present.append(principals)
        case Alone() | ThreadOnly():
            pass
    if not present:
        return Reach(config, (), everything=True)
    theirs = tuple(
        scope
        for scope in config.scopes
        if (not scope.channels or channel in scope.channels) and all({*scope.to} & each for each in present)
    )
    return Reach(config, theirs)


def selector(labels: Mapping[str, str]) -> str:
    """Return labels as a selector of Kubernetes, in a stable order."""
    return ",".join(f"{key}={value}" for key, value in sorted(labels.items()))


def fits(name: str, globs: Iterable[str]) -> bool:
    """Return whether a name fits one of several patterns, in which * stands for any letters."""
    return any(fnmatchcase(name, each) for each in globs)
