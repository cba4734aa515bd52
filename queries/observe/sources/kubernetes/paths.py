"""Paths of the Kubernetes API, from names that are checked: no name or label can lead anywhere else."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from queries.observe.config import DNS_LABEL, LABEL_KEY, LABEL_VALUE
from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ObjectKind

#: API group and version of each kind; what is not named is in the core group.
GROUPS: Mapping[ObjectKind, str] = {
    ObjectKind.DEPLOYMENTS: "apps/v1",
    ObjectKind.REPLICA_SETS: "apps/v1",
    ObjectKind.STATEFUL_SETS: "apps/v1",
    ObjectKind.DAEMON_SETS: "apps/v1",
    ObjectKind.JOBS: "batch/v1",
    ObjectKind.CRON_JOBS: "batch/v1",
    ObjectKind.AUTOSCALERS: "autoscaling/v2",
    ObjectKind.NETWORK_POLICIES: "networking.k8s.io/v1",
    ObjectKind.BUDGETS: "policy/v1",
}
#: What servers before 1.23 have in its place.
OLDER_GROUPS: Mapping[ObjectKind, str] = {ObjectKind.AUTOSCALERS: "autoscaling/v1"}
OF_THE_CLUSTER = frozenset({ObjectKind.NODES, ObjectKind.NAMESPACES})
REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"

_SUBDOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
_CONTAINER = DNS_LABEL
_LONGEST_SELECTOR = 2_000


def list_path(kind: ObjectKind, namespace: str, *, group: str = "") -> str:
    """Return the path of a list; raise `ReadFailed` of BAD_REQUEST for what is no name."""
    group = group or GROUPS.get(kind, "")
    base = f"/apis/{group}" if group else "/api/v1"
    if kind in OF_THE_CLUSTER or not namespace:
        return f"{base}/{kind}"
    return f"{base}/namespaces/{_checked(namespace, DNS_LABEL)}/{kind}"


def log_path(namespace: str, pod: str) -> str:
    """Return the path of a pod's log; raise `ReadFailed` of BAD_REQUEST for what is no name."""
    return f"/api/v1/namespaces/{_checked(namespace, DNS_LABEL)}/pods/{_checked(pod, _SUBDOMAIN)}/log"


def checked_container(name: str) -> str:
    """Return the name of a container; raise `ReadFailed` of BAD_REQUEST for what is none."""
    return _checked(name, _CONTAINER)


def checked_pod(name: str) -> str:
    """Return the name of a pod; raise `ReadFailed` of BAD_REQUEST for what is none."""
    return _checked(name, _SUBDOMAIN)


def checked_namespace(name: str) -> str:
    """Return the name of a namespace; raise `ReadFailed` of BAD_REQUEST for what is none."""
    return _checked(name, DNS_LABEL)


def checked_app(name: str) -> str:
    """Return the name of an app, which is the value of a label; raise `ReadFailed` of BAD_REQUEST for what is none."""
    if not name or not LABEL_VALUE.fullmatch(name):
        raise _no_name(name)
    return name


def checked_selector(selector: str) -> str:
    """Return a selector of the form `key=value,key=value`; raise `ReadFailed` of BAD_REQUEST for any other."""
    parts = selector.split(",") if selector and len(selector) <= _LONGEST_SELECTOR else []
    if selector and not parts:
        raise _no_name(selector)
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or not LABEL_KEY.fullmatch(key) or not LABEL_VALUE.fullmatch(value):
            raise _no_name(part)
    return selector


def _checked(name: str, form: re.Pattern[str]) -> str:
    if len(name) > 253 or not form.fullmatch(name) or ".." in name:
        raise _no_name(name)
    return quote(name, safe="")


def _no_name(name: str) -> ReadFailed:
    shown = "".join(letter if letter.isprintable() else " " for letter in name[:80])
    return ReadFailed(FailureKind.BAD_REQUEST, shown, detail="is no name of Kubernetes")
