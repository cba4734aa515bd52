"""Reads pods, logs and metrics through a kubemin server, for one tenant and one app at a time.

    GET /api/v1/observability/pods?namespace=&appId=                       -> pods
    GET /api/v1/observability/pods/{pod}/logs?container=&tailLines=&...    -> text, a line each
    GET /api/v1/observability/prom/query?expr=&time=                       -> as Prometheus answers

Each request carries the tenant (`X-Tenant-Id`), and `namespace` and `appId` where they are known. Pods come as a list,
or under `items`, `pods` or `data`; each is a pod of Kubernetes, or a simple one: `name`, `namespace`, `status`, `node`,
`createdAt`, `containers` with `name`, `image`, `ready`, `restartCount`, `reason` (why it waits), `lastReason` and
`lastExitCode` (how its last run ended). It knows no other kinds of objects, and no log of a run before the last.
"""

import hashlib
import re
from datetime import datetime
from functools import partial

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import Listed, LogRead, MetricRead, ObjectKind
from queries.observe.sources.asking import HttpAsker, Outgoing
from queries.observe.sources.kubernetes import paths
from queries.observe.sources.log_lines import last_lines
from queries.observe.sources.prometheus import metrics_in
from storage.ids import JsonObject, JsonValue

_BASE = "/api/v1/observability"
#: How far back logs are asked for.
_SINCE_S = 21_600
#: Pods whose app is remembered; their logs are asked for with it.
_MOST_PODS = 5_000
_SCOPES = (("namespace", re.compile(r'\bnamespace="([^"\\]{1,63})"')), ("appId", re.compile(r'\bapp="([^"\\]{1,63})"')))


class KubeminReader:
    """One tenant's view of a kubemin server."""

    def __init__(self, asker: HttpAsker) -> None:
        self._asker = asker
        self._apps: dict[tuple[str, str], str] = {}

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        """Return pods of one app, which the label `app` of the selector names; raise `ReadFailed` for other kinds."""
        if kind is not ObjectKind.PODS:
            raise ReadFailed(FailureKind.NOT_SET_UP, str(kind), detail="kubemin tells of pods only")
        labels = dict(part.partition("=")[::2] for part in paths.checked_selector(selector).split(",") if part)
        app = labels.get("app") or labels.get("app.kubernetes.io/name") or ""
        query = (("namespace", paths.checked_namespace(namespace)), ("appId", paths.checked_app(app)))
        asked = Outgoing(f"{_BASE}/pods", query)
        answer, body = await self._asker.json_value(asked)
        pods = [_pod(each, namespace) for each in _listed(answer, asked.told) if isinstance(each, dict)]
        for pod in pods[:most]:
            self._remember(namespace, pod, app)
        complete = len(pods) <= most
        return Listed(tuple(pods[:most]), asked.told, hashlib.sha256(body).hexdigest(), complete=complete)

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        """Return the last lines; only of pods that a list of their app has named before."""
        app = self._apps.get((namespace, pod))
        path = f"{_BASE}/pods/{paths.checked_pod(pod)}/logs"
        query = (
            ("container", paths.checked_container(container)),
            ("tailLines", str(lines)),
            ("sinceSeconds", str(_SINCE_S)),
            ("timestamps", "true"),
            ("namespace", paths.checked_namespace(namespace)),
            ("appId", app or ""),
        )
        asked = Outgoing(path, query)
        if app is None:
            raise ReadFailed(FailureKind.NOT_FOUND, asked.told, detail="no app has a pod of that name")
        if previous:
            raise ReadFailed(FailureKind.NOT_SET_UP, asked.told, detail="kubemin has no log of the run before")
        read = await self._asker.ask(asked, partial(last_lines, lines=lines))
        return LogRead(read.lines, asked.told, read.sha256, cut=read.cut or len(read.lines) >= lines)

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        """Return whether kubemin has this at all; it tells nothing of rights, so that pods are asked for once."""
        if kind is not ObjectKind.PODS:
            raise ReadFailed(FailureKind.NOT_SET_UP, str(kind), detail="kubemin tells of pods only")
        if (verb, subresource) == ("list", ""):
            try:
                await self.list(kind, namespace=namespace or "default", selector="app=dutydesk-check", most=1)
            except ReadFailed as error:
                if error.kind not in {FailureKind.NOT_FOUND, FailureKind.FORBIDDEN}:  # there need be no such app
                    raise
        return (verb, subresource) in {("list", ""), ("get", ""), ("get", "log")}

    def _remember(self, namespace: str, pod: JsonObject, app: str) -> None:
        metadata = pod.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        if isinstance(name, str):
            if len(self._apps) >= _MOST_PODS:
                self._apps.pop(next(iter(self._apps)))
            self._apps[namespace, name] = app


class KubeminMetrics:
    """The metrics behind a kubemin server: values at a moment only."""

    def __init__(self, asker: HttpAsker) -> None:
        self._asker = asker

    async def instant(self, query: str, *, at: datetime) -> MetricRead:
        """Return each series' value, within the namespace and app that the query names."""
        scope = tuple((name, found[1]) for name, form in _SCOPES if (found := form.search(query)))
        asked = Outgoing(
            f"{_BASE}/prom/query", (("expr", query), ("time", f"{at.timestamp():.3f}"), *scope), words=query
        )
        answer, body = await self._asker.json(asked)
        inner = answer.get("data")
        whole = inner if isinstance(inner, dict) and "status" in inner else answer
        return metrics_in(whole, query, sha256=hashlib.sha256(body).hexdigest())

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:
        """Raise `ReadFailed` of NOT_SET_UP: kubemin answers for a moment only."""
        del start, end, step_s
        raise ReadFailed(FailureKind.NOT_SET_UP, query, detail="kubemin gives values at a moment only")


def _listed(answer: JsonValue, told: str) -> list[JsonValue]:
    found = answer
    for _ in range(2):  # {"data": {"items": [...]}}
        if isinstance(found, dict):
            found = next((found[key] for key in ("items", "pods", "data") if key in found), None)
    if not isinstance(found, list):
        raise ReadFailed(FailureKind.UNREADABLE, told, detail="the answer is no list of pods")
    return found


def _pod(given: JsonObject, namespace: str) -> JsonObject:
    """Return a pod in Kubernetes' form."""
    if isinstance(given.get("metadata"), dict):
        return given
    listed = given.get("containers")
    containers = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    phase = given.get("phase") or given.get("status") or "Unknown"
    metadata: JsonObject = {
        "name": given.get("name"),
        "namespace": given.get("namespace") or namespace,
        **({"creationTimestamp": given["createdAt"]} if given.get("createdAt") else {}),
    }
    return {
        "metadata": metadata,
        "spec": {
            "nodeName": given.get("node") or "",
            "containers": [{"name": each.get("name"), "image": each.get("image")} for each in containers],
        },
        "status": {"phase": phase, "containerStatuses": [_container(each) for each in containers]},
    }


def _container(given: JsonObject) -> JsonObject:
    reason, last = given.get("reason"), given.get("lastReason")
    state: JsonObject = {"waiting": {"reason": reason}} if reason else {"running": {}}
    ended: JsonObject = {"terminated": {"reason": last, "exitCode": given.get("lastExitCode", 0)}} if last else {}
    return {
        "name": given.get("name"),
        "image": given.get("image"),
        "ready": given.get("ready") is True,
        "restartCount": given.get("restartCount") or 0,
        "state": state,
        "lastState": ended,
    }
