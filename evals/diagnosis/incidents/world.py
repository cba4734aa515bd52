"""A made-up namespace: objects, events, logs and metrics as an API server and a Prometheus would give them."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

NOW = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
Body = dict[str, Any]

_PATHS = {
    "pods": "/api/v1/namespaces/{}/pods",
    "events": "/api/v1/namespaces/{}/events",
    "persistentvolumeclaims": "/api/v1/namespaces/{}/persistentvolumeclaims",
    "services": "/api/v1/namespaces/{}/services",
    "endpoints": "/api/v1/namespaces/{}/endpoints",
    "resourcequotas": "/api/v1/namespaces/{}/resourcequotas",
    "deployments": "/apis/apps/v1/namespaces/{}/deployments",
    "replicasets": "/apis/apps/v1/namespaces/{}/replicasets",
    "statefulsets": "/apis/apps/v1/namespaces/{}/statefulsets",
    "daemonsets": "/apis/apps/v1/namespaces/{}/daemonsets",
    "jobs": "/apis/batch/v1/namespaces/{}/jobs",
    "cronjobs": "/apis/batch/v1/namespaces/{}/cronjobs",
    "horizontalpodautoscalers": "/apis/autoscaling/v2/namespaces/{}/horizontalpodautoscalers",
    "poddisruptionbudgets": "/apis/policy/v1/namespaces/{}/poddisruptionbudgets",
    "networkpolicies": "/apis/networking.k8s.io/v1/namespaces/{}/networkpolicies",
    "nodes": "/api/v1/nodes",
}
_LABELLED = frozenset({"pods", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs", "cronjobs"})


def stamp(minutes_ago: float) -> str:
    """Return the time so many minutes before now, as Kubernetes writes it."""
    return f"{NOW - timedelta(minutes=minutes_ago):%Y-%m-%dT%H:%M:%SZ}"


@dataclass
class World:
    """A namespace with one app in question; other things may be in it."""

    namespace: str
    app: str
    label: str = "app"
    seed: int = 7
    lists: dict[str, list[Body]] = field(default_factory=lambda: {kind: [] for kind in _PATHS})
    logs: dict[tuple[str, str, bool], list[str]] = field(default_factory=dict)
    samples: dict[str, list[str]] = field(default_factory=dict)
    denied: dict[str, int] = field(default_factory=dict)  # kind → status

    def __post_init__(self) -> None:
        """Begin with two nodes that are well."""
        self.random = random.Random(self.seed)  # noqa: S311 - a made-up world, the same each time
        for name in ("node-a", "node-b"):
            self.node(name)

    def labels(self, app: str = "") -> dict[str, str]:
        """Return the labels of an app's objects."""
        return {self.label: app or self.app}

    def node(
        self, name: str, *, ready: str = "True", pressure: str = "", minutes: float = 9_000, message: str = ""
    ) -> None:
        """Add a node, or put another in its place."""
        found = [
            _condition("Ready", ready, "KubeletReady" if ready == "True" else "NodeStatusUnknown", minutes, message)
        ]
        if pressure:
            found.append(_condition(pressure, "True", f"KubeletHas{pressure}", minutes, message))
        self.lists["nodes"] = [each for each in self.lists["nodes"] if each["metadata"]["name"] != name]
        self.lists["nodes"].append({"metadata": {"name": name}, "status": {"conditions": found}})

    def deployment(
        self,
        app: str = "",
        *,
        wanted: int = 1,
        ready: int = 1,
        stuck: bool = False,
        age: float = 3_000,
        image: str = "r.example/app:1.0",
    ) -> str:
        """Add a deployment with its replica set; return the name of that."""
        name = app or self.app
        reason = ("False", "ProgressDeadlineExceeded") if stuck else ("True", "NewReplicaSetAvailable")
        status: Body = {"replicas": wanted, "updatedReplicas": wanted}
        if ready:
            status |= {"readyReplicas": ready, "availableReplicas": ready}
        if wanted > ready:
            status["unavailableReplicas"] = wanted - ready
        status["conditions"] = [
            _condition("Progressing", *reason, age - 1),
            _condition(
                "Available",
                "True" if ready else "False",
                "MinimumReplicasAvailable" if ready else "MinimumReplicasUnavailable",
                20,
            ),
        ]
        self.lists["deployments"].append(
            {
                "metadata": self._meta(name, name, age),
                "spec": {"replicas": wanted, "selector": {"matchLabels": self.labels(name)}},
                "status": status,
            }
        )
        return self.replica_set(name, wanted=wanted, ready=ready, age=age, image=image)

    def replica_set(
        self, app: str, *, wanted: int, ready: int, age: float, revision: int = 1, image: str = "r.example/app:1.0"
    ) -> str:
        """Add a replica set of a deployment; return its name."""
        name = f"{app}-{self._suffix(9)}"
        body = {
            "metadata": self._meta(name, app, age)
            | {
                "annotations": {"deployment.kubernetes.io/revision": str(revision)},
                "ownerReferences": [_owner("Deployment", app)],
            },
            "spec": {"replicas": wanted, "template": {"spec": {"containers": [{"name": app, "image": image}]}}},
            "status": {"replicas": wanted} | ({"readyReplicas": ready} if ready else {}),
        }
        self.lists["replicasets"].append(body)
        return name

    def stateful_set(self, app: str = "", *, wanted: int = 1, ready: int = 0, kind: str = "statefulsets") -> None:
        """Add a stateful set, or a daemon set."""
        name = app or self.app
        if kind == "daemonsets":
            status: Body = {"desiredNumberScheduled": wanted, "numberReady": ready, "numberUnavailable": wanted - ready}
        else:
            status = {"replicas": wanted} | ({"readyReplicas": ready} if ready else {})
        self.lists[kind].append(
            {"metadata": self._meta(name, name, 9_000), "spec": {"replicas": wanted}, "status": status}
        )

    def pod(
        self,
        owner: tuple[str, str],
        *containers: Body,
        app: str = "",
        name: str = "",
        ready: bool = True,
        age: float = 600,
        node: str = "node-a",
        **status: Any,
    ) -> str:
        """Add a pod of an owner; return its name."""
        app = app or self.app
        name = name or f"{owner[1]}-{self._suffix(5)}"
        initialised = not any(each["init"] and not _done(each) and not _serves_beside(each) for each in containers)
        conditions = [
            _condition("PodScheduled", "True", "", age),
            _condition(
                "Initialized",
                "True" if initialised else "False",
                "" if initialised else "ContainersNotInitialized",
                age,
            ),
            _condition(
                "Ready",
                "True" if ready else "False",
                "" if ready else "ContainersNotReady",
                status.pop("since", age - 1),
            ),
            _condition("ContainersReady", "True" if ready else "False", "" if ready else "ContainersNotReady", age - 1),
        ]
        body: Body = {
            "metadata": self._meta(name, app, age) | {"ownerReferences": [_owner(*owner)], "uid": f"uid-{name}"},
            "spec": {
                "nodeName": node,
                "containers": [each["spec"] for each in containers if not each["init"]],
                "initContainers": [each["spec"] for each in containers if each["init"]],
                "volumes": status.pop("volumes", []),
                "restartPolicy": "Never" if owner[0] == "Job" else "Always",
            },
            "status": {
                "phase": "Running",
                "conditions": conditions,
                "containerStatuses": [_status(each) for each in containers if not each["init"]],
                "initContainerStatuses": [_status(each) for each in containers if each["init"]],
            },
        }
        body["status"] |= status
        self.lists["pods"].append(body)
        return name

    def event(
        self,
        name: str,
        reason: str,
        message: str,
        *,
        kind: str = "Pod",
        last: float = 2,
        first: float = 50,
        count: int = 5,
        part: str = "",
        new: bool = False,
        normal: bool = False,
    ) -> None:
        """Add an event about an object, of the old form or the new; times are minutes ago."""
        uid = f"uid-{name}" if kind == "Pod" else ""
        about = {
            "kind": kind,
            "name": name,
            "namespace": self.namespace,
            "uid": uid,
            "fieldPath": f"spec.containers{{{part}}}" if part else "",
        }
        body: Body = {
            "metadata": {"name": f"{name}.{self._suffix(8)}"},
            "involvedObject": about,
            "reason": reason,
            "message": message,
            "type": "Normal" if normal else "Warning",
        }
        if new:
            body |= {
                "eventTime": stamp(first),
                "series": {"count": count, "lastObservedTime": stamp(last)},
                "firstTimestamp": None,
                "lastTimestamp": None,
            }
        else:
            body |= {"firstTimestamp": stamp(first), "lastTimestamp": stamp(last), "count": count}
        self.lists["events"].append(body)

    def add(self, kind: str, name: str, **body: Any) -> None:
        """Add any other object."""
        self.lists[kind].append({"metadata": self._meta(name, self.app, 9_000), **body})

    def scaler(self, *conditions: Body, most: int, current: int, least: int = 1, target: str = "") -> None:
        """Add an autoscaler of the app, or one of that name for another deployment."""
        scaled = {"kind": "Deployment", "name": target or self.app}
        self.add(
            "horizontalpodautoscalers",
            self.app,
            spec={"minReplicas": least, "maxReplicas": most, "scaleTargetRef": scaled},
            status={"currentReplicas": current, "desiredReplicas": current, "conditions": list(conditions)},
        )

    def log(self, pod: str, container: str, *lines: tuple[float, str], previous: bool = False) -> None:
        """Add lines to a log, each with the minutes ago at which it was written."""
        own = self.logs.setdefault((pod, container, previous), [])
        own.extend(
            f"{(NOW - timedelta(minutes=ago)).isoformat(timespec='microseconds').replace('+00:00', 'Z')} {line}"
            for ago, line in lines
        )
        own.sort()

    def every(
        self, pod: str, container: str, line: str, *, since: float, until: float = 0.2, each_s: float = 20
    ) -> None:
        """Add a line again and again; `{n}` in it is another number each time."""
        ago = since
        while ago > until:
            self.log(pod, container, (ago, line.replace("{n}", str(self.random.randrange(10**6)))))
            ago -= each_s / 60

    def counter(
        self, name: str, labels: Mapping[str, str], *, per_s: float, before: float | None = None, since: float = 20
    ) -> None:
        """Add a counter of two hours: its rate, and what it was before `since` minutes ago."""
        value = 1_000.0
        for minute in range(120, -1, -1):
            self._sample(name, labels, value, minute)
            value += 60 * (per_s if minute <= since or before is None else before)

    def gauge(self, name: str, labels: Mapping[str, str], value: float) -> None:
        """Add a value that stays."""
        for minute in range(120, -1, -1):
            self._sample(name, labels, value, minute)

    def course(self, name: str, labels: Mapping[str, str], value_at: Callable[[int], float]) -> None:
        """Add a value that changes: `value_at` gives it for the minutes before now."""
        for minute in range(120, -1, -1):
            self._sample(name, labels, value_at(minute), minute)

    def requests(
        self, pod: str, *, bad: float, good: float, before: float = 0.0, app: str = "", code: str = "code"
    ) -> None:
        """Add requests a second of a pod: failing ones now and before, and good ones."""
        labels = {"namespace": self.namespace, "app": app or self.app, "pod": pod}
        self.counter("http_requests_total", labels | {code: "200"}, per_s=good)
        self.counter("http_requests_total", labels | {code: "503"}, per_s=bad, before=before)

    def usage(
        self, pod: str, container: str, *, memory: float = 0.4, throttled: float | None = None, cpu: float = 0.2
    ) -> None:
        """Add use of memory (a share of 1 GiB), CPU (cores; request 0.1) and, with a limit, throttled periods."""
        own = {"namespace": self.namespace, "pod": pod, "container": container}
        self.gauge("container_memory_working_set_bytes", own, memory * 2**30)
        self.gauge("kube_pod_container_resource_limits", own | {"resource": "memory"}, 2.0**30)
        self.counter("container_cpu_usage_seconds_total", own, per_s=cpu)
        self.gauge("kube_pod_container_resource_requests", own | {"resource": "cpu"}, 0.1)
        if throttled is not None:
            self.gauge("kube_pod_container_resource_limits", own | {"resource": "cpu"}, cpu)
            self.counter("container_cpu_cfs_periods_total", own, per_s=10)
            self.counter("container_cpu_cfs_throttled_periods_total", own, per_s=10 * throttled)

    def write(self, folder: Path, *, whole: bool = False) -> None:
        """Write the folder: bodies, logs, metrics, and the requests that give them."""
        (folder / "logs").mkdir(parents=True)
        requests: list[Body] = []
        for kind, path in _PATHS.items():
            self._write_list(folder, kind, path.format(self.namespace), requests, whole=whole)
        for (pod, container, previous), lines in self.logs.items():
            name = f"logs/{pod}__{container}{'__previous' if previous else ''}.txt"
            (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            query = {"container": container, "timestamps": "true", "tailLines": "500"} | (
                {"previous": "true"} if previous else {}
            )
            path = f"/api/v1/namespaces/{self.namespace}/pods/{pod}/log"
            requests.append(_request(path, query, 200, name, "text/plain"))
        (folder / "requests.json").write_text(json.dumps(requests), encoding="utf-8")
        if self.samples:
            text = "\n".join(line for _, lines in sorted(self.samples.items()) for line in lines)
            (folder / "metrics.om").write_text(text + "\n# EOF\n", encoding="utf-8")

    def _write_list(self, folder: Path, kind: str, path: str, requests: list[Body], *, whole: bool) -> None:
        query = {"labelSelector": f"{self.label}={self.app}"} if kind in _LABELLED and not whole else {}
        if kind in self.denied:
            body: Body = {
                "kind": "Status",
                "status": "Failure",
                "code": self.denied[kind],
                "message": f"{kind} is forbidden",
                "reason": "Forbidden",
            }
            name, status = f"{kind}.error.json", self.denied[kind]
        else:
            own = [
                each
                for each in self.lists[kind]
                if not query or self.labels().items() <= each["metadata"].get("labels", {}).items()
            ]
            self.random.shuffle(own)
            body, name, status = (
                {"kind": "List", "metadata": {"resourceVersion": "1"}, "items": own},
                f"{kind}.json",
                200,
            )
        (folder / name).write_text(json.dumps(body), encoding="utf-8")
        requests.append(_request(path, query, status, name, "application/json"))

    def _sample(self, name: str, labels: Mapping[str, str], value: float, minutes_ago: int) -> None:
        written = ",".join(f'{key}="{each}"' for key, each in labels.items())
        at = int((NOW - timedelta(minutes=minutes_ago)).timestamp())
        self.samples.setdefault(name, []).append(
            f"{name}{{{written}}} {value:.6g} {at}" if value < 1e6 else f"{name}{{{written}}} {value:.0f} {at}"
        )

    def _meta(self, name: str, app: str, age: float) -> Body:
        return {"name": name, "namespace": self.namespace, "labels": self.labels(app), "creationTimestamp": stamp(age)}

    def _suffix(self, length: int) -> str:
        return "".join(self.random.choices("bcdfghjklmnpqrstvwxz2456789", k=length))


def container(
    name: str,
    *,
    waiting: str = "",
    message: str = "",
    ended: Body | None = None,
    last: Body | None = None,
    since: float = 500,
    restarts: int = 0,
    ready: bool = True,
    init: bool = False,
    done: bool = False,
    image: str = "r.example/app:1.0",
    always: bool = False,
    **spec: Any,
) -> Body:
    """Return a container with its state: it waits, or has ended, or runs."""
    state: Body = {"running": {"startedAt": stamp(since)}}
    if waiting:
        state = {"waiting": {"reason": waiting} | ({"message": message} if message else {})}
    elif ended is not None:
        state = {"terminated": ended}
    elif done:
        state = {"terminated": end(0, "Completed", since)}
    resources = {"limits": spec.pop("limits", {}), "requests": spec.pop("requests", {})}
    own: Body = {"name": name, "image": image, "resources": resources, **spec}
    if always:
        own["restartPolicy"] = "Always"
    return {
        "init": init,
        "spec": own,
        "name": name,
        "state": state,
        "last": {"terminated": last} if last else {},
        "restarts": restarts,
        "ready": ready and "running" in state,
    }


def end(code: int, reason: str, finished: float, ran: float = 1) -> Body:
    """Return how a run ended, so many minutes ago."""
    return {"exitCode": code, "reason": reason, "startedAt": stamp(finished + ran), "finishedAt": stamp(finished)}


def crashing(name: str, code: int = 1, reason: str = "Error", **more: Any) -> Body:
    """Return a container in CrashLoopBackOff."""
    return container(
        name,
        waiting="CrashLoopBackOff",
        message="back-off 5m0s restarting failed container",
        last=end(code, reason, 2),
        restarts=more.pop("restarts", 8),
        **more,
    )


def _done(body: Body) -> bool:
    return bool(body["state"].get("terminated", {}).get("exitCode") == 0)


def _serves_beside(body: Body) -> bool:
    """Return whether an init container is one that runs on beside the main ones."""
    return body["spec"].get("restartPolicy") == "Always" and "running" in body["state"]


def _status(body: Body) -> Body:
    return {
        "name": body["name"],
        "state": body["state"],
        "lastState": body["last"],
        "restartCount": body["restarts"],
        "ready": body["ready"],
        "image": body["spec"]["image"],
    }


def _condition(kind: str, status: str, reason: str, minutes: float, message: str = "") -> Body:
    return {"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": stamp(minutes)}


def _owner(kind: str, name: str) -> Body:
    return {"kind": kind, "name": name, "controller": True}


def _request(path: str, query: Body, status: int, name: str, content: str) -> Body:
    return {"method": "GET", "path": path, "query": query, "status": status, "content_type": content, "file": name}
