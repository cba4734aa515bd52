"""Writes a first app directory from what runs in a cluster, for somebody to complete."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from queries.observe.config import DNS_LABEL
from queries.observe.reading import ObjectKind, ObjectReader
from storage.ids import JsonObject, JsonValue

_HEAD = """\
# A first app directory, drafted from the cluster. Complete it and put it into clusters.yaml:
#
# - title: what people call the app, in English and Chinese; called: other words for it.
# - owner, team, channel: who answers for it, and where a diagnosis of its alerts is posted.
# - Remove what nobody asks about.
"""
_KINDS = (ObjectKind.DEPLOYMENTS, ObjectKind.STATEFUL_SETS, ObjectKind.DAEMON_SETS)
_MOST = 2_000
#: Namespaces of Kubernetes itself.
_SYSTEM = "kube-"
_TEAMS = ("team", "app.kubernetes.io/part-of", "owner")


@dataclass(frozen=True)
class _App:
    name: str
    namespace: str
    labels: dict[str, str]
    team: str


async def draft_apps(reader: ObjectReader, cluster: str, namespaces: Iterable[str]) -> str:
    """Return the text of `apps:` for what runs in these namespaces ("" for all); raise `ReadFailed`."""
    apps: list[_App] = []
    incomplete = False
    for namespace in namespaces:
        for kind in _KINDS:
            listed = await reader.list(kind, namespace=namespace, most=_MOST)
            incomplete = incomplete or not listed.complete
            apps += (app for each in listed.objects if (app := _app(each)))
    lines = [_HEAD, "apps:" if apps else "apps: {}  # nothing runs there"]
    if incomplete:
        lines.append("  # There is more than was read: name fewer namespaces.")
    taken: set[str] = set()
    for app in sorted(apps, key=lambda each: (each.name, each.namespace)):
        name = next(each for each in _names(app) if each not in taken)
        taken.add(name)
        lines += _written(name, app, cluster)
    return "\n".join(lines) + "\n"


def _app(workload: JsonObject) -> _App | None:
    metadata = _values(workload.get("metadata"))
    selector = _values(_values(workload.get("spec")).get("selector")).get("matchLabels")
    labels = {key: str(value) for key, value in _values(selector).items()}
    name, namespace = str(metadata.get("name", "")), str(metadata.get("namespace", ""))
    if not labels or not DNS_LABEL.fullmatch(name) or namespace.startswith(_SYSTEM):
        return None
    said = {**_values(metadata.get("labels")), **_values(metadata.get("annotations"))}
    team = next((str(said[key]) for key in _TEAMS if said.get(key)), "")
    return _App(name, namespace, labels, team)


def _written(name: str, app: _App, cluster: str) -> Iterator[str]:
    labels = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(app.labels.items()))
    words = app.name.replace("-", " ")
    yield f"  {json.dumps(name)}:"
    yield f"    cluster: {json.dumps(cluster)}"
    yield f"    namespace: {json.dumps(app.namespace)}"
    yield f"    labels: {{{labels}}}"
    yield f'    title: {{en: {json.dumps(words)}, zh: ""}}'
    if app.team:
        yield f"    team: {json.dumps(app.team, ensure_ascii=False)}"


def _names(app: _App) -> Iterator[str]:
    yield app.name
    yield f"{app.namespace}-{app.name}"[:63].rstrip("-")
    for number in range(2, 10_000):
        yield f"{app.name[:50].rstrip('-')}-{number}"


def _values(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
