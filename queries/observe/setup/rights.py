"""What the desk has to be allowed in a cluster, and the least RBAC that allows it, as YAML to apply."""

from collections.abc import Iterable, Iterator

from queries.observe.access.scope import fits
from queries.observe.config import ObserveConfig
from queries.observe.reading import ObjectKind
from queries.observe.sources.kubernetes.paths import GROUPS, OF_THE_CLUSTER

#: Without these there is no diagnosis; the others make it better.
NEEDED = frozenset({ObjectKind.PODS, ObjectKind.EVENTS, ObjectKind.DEPLOYMENTS, ObjectKind.REPLICA_SETS})
#: All namespaces of a cluster.
EVERYWHERE = ""
_ACCOUNT = ("dutydesk", "dutydesk")  # namespace and name of the service account


def namespaces_of(config: ObserveConfig, cluster: str) -> tuple[str, ...]:
    """Return the namespaces of a cluster that anybody may look at; `EVERYWHERE` alone when a pattern has a *."""
    patterns = {each for scope in config.scopes for each in scope.namespaces if fits(cluster, scope.clusters)}
    named = {app.namespace for app in config.apps.values() if app.cluster == cluster}
    if (not patterns and not named) or any("*" in each for each in patterns):
        return (EVERYWHERE,)
    return tuple(sorted(patterns | named))


def least_rbac(namespaces: Iterable[str]) -> str:
    """Return the manifests that let a service account read what is needed, and nothing else."""
    wanted = tuple(namespaces)
    documents = [
        _account(),
        _role("dutydesk-read", (kind for kind in ObjectKind if kind not in OF_THE_CLUSTER), logs=True),
    ]
    documents.append(_role("dutydesk-read-cluster", OF_THE_CLUSTER, logs=False))
    documents.append(_binding("ClusterRoleBinding", "dutydesk-read-cluster", EVERYWHERE))
    for namespace in wanted:
        kind = "RoleBinding" if namespace else "ClusterRoleBinding"
        documents.append(_binding(kind, "dutydesk-read", namespace))
    return "---\n".join(documents)


def _account() -> str:
    namespace, name = _ACCOUNT
    return (
        f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {namespace}}}\n---\n"
        f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
    )


def _role(name: str, kinds: Iterable[ObjectKind], *, logs: bool) -> str:
    resources: dict[str, list[str]] = {}
    for kind in sorted(kinds):
        resources.setdefault(GROUPS.get(kind, "").partition("/")[0], []).append(str(kind))
    rules = "\n".join(_rules(resources, logs=logs))
    return f"apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {{name: {name}}}\nrules:\n{rules}\n"


def _rules(resources: dict[str, list[str]], *, logs: bool) -> Iterator[str]:
    for group, names in sorted(resources.items()):
        yield f'  - {{apiGroups: ["{group}"], resources: [{", ".join(names)}], verbs: [get, list]}}'
    if logs:
        yield '  - {apiGroups: [""], resources: [pods/log], verbs: [get]}'


def _binding(kind: str, role: str, namespace: str) -> str:
    place = f", namespace: {namespace}" if namespace else ""
    account_namespace, account = _ACCOUNT
    return (
        f"apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {role}{place}}}\n"
        f"roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {role}}}\n"
        f"subjects: [{{kind: ServiceAccount, name: {account}, namespace: {account_namespace}}}]\n"
    )
