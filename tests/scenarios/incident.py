"""A small incident to ask about: a recorded cluster, and what ada, ben and bao may look at of it.

`checkout` in the namespace shop is out of memory; `ledger` in the namespace books is well.
"""

import json
from pathlib import Path
from typing import Any

#: The moment that the recording shows.
NOW = "2026-11-18T10:00:00Z"
CLUSTERS = """\
clusters:
  prod: {recording: incident, title: {en: Production, zh: 生产}}
scopes:
  - {to: ["role:admin", "group:it"], namespaces: ["*"]}
  - {to: ["unit:sales"], namespaces: [shop]}
apps:
  checkout: {cluster: prod, namespace: shop, labels: {app: checkout}, called: {zh: [结账]}, team: Shop}
  ledger: {cluster: prod, namespace: books, labels: {app: ledger}, owner: Ben}
alerts: {secret: "file:%s"}
"""
SECRET = "a long secret of the alert manager"


def write_incident(home: Path) -> None:
    """Put the clusters into a home."""
    folder = home / "incident"
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    (home / "alerts.secret").write_text(SECRET, encoding="utf-8")
    (home / "clusters.yaml").write_text(CLUSTERS % (home / "alerts.secret"), encoding="utf-8")
    (folder / "expected.yaml").write_text(f"now: '{NOW}'\n", encoding="utf-8")
    requests: list[dict[str, Any]] = []
    killed = _pod("checkout-7d9f5b-x2x4z", "shop", "checkout", killed=True)
    well = _pod("ledger-5c8d6f-abcde", "books", "ledger", killed=False)
    for namespace, app, pod in (("shop", "checkout", killed), ("books", "ledger", well)):
        selector = {"labelSelector": f"app={app}"}
        base = f"/api/v1/namespaces/{namespace}"
        apps = f"/apis/apps/v1/namespaces/{namespace}"
        lists = {
            f"{base}/pods": [pod],
            f"{base}/events": [_event(pod)] if app == "checkout" else [],
            f"{apps}/deployments": [_deployment(namespace, app, ready=0 if app == "checkout" else 1)],
            f"{apps}/replicasets": [],
        }
        for number, (path, items) in enumerate(lists.items()):
            name = f"{app}-{number}.json"
            body = {"kind": "List", "apiVersion": "v1", "metadata": {}, "items": items}
            (folder / name).write_text(json.dumps(body), encoding="utf-8")
            requests.append(_request(path, {} if path.endswith("events") else selector, name))
        for previous in (False, True):
            name = f"logs/{app}{'-previous' if previous else ''}.txt"
            (folder / name).write_text("2026-11-18T09:58:00.000000000Z INFO loading the price list\n", encoding="utf-8")
            query = {"container": app, "timestamps": "true", "tailLines": "500"}
            query |= {"previous": "true"} if previous else {}
            requests.append(_request(f"{base}/pods/{pod['metadata']['name']}/log", query, name))
    (folder / "requests.json").write_text(json.dumps(requests), encoding="utf-8")


def alert(status: str, *, fingerprint: str = "f1", starts: str = "2026-11-18T09:50:00Z") -> dict[str, Any]:
    """Return what Alertmanager posts about a crashing checkout."""
    labels = {"alertname": "KubePodCrashLooping", "namespace": "shop", "app": "checkout", "severity": "critical"}
    return {
        "version": "4",
        "groupKey": '{}:{alertname="KubePodCrashLooping"}',
        "truncatedAlerts": 0,
        "status": status,
        "receiver": "dutydesk",
        "groupLabels": {},
        "commonLabels": labels,
        "commonAnnotations": {},
        "externalURL": "http://alertmanager.invalid",
        "alerts": [
            {
                "status": status,
                "labels": labels,
                "annotations": {"summary": "A pod of checkout keeps crashing."},
                "startsAt": starts,
                "endsAt": "0001-01-01T00:00:00Z" if status == "firing" else "2026-11-18T10:05:00Z",
                "generatorURL": "http://prometheus.invalid",
                "fingerprint": fingerprint,
            }
        ],
    }


def _request(path: str, query: dict[str, str], name: str) -> dict[str, Any]:
    kind = "text/plain" if name.endswith(".txt") else "application/json"
    return {"method": "GET", "path": path, "query": query, "status": 200, "content_type": kind, "file": name}


def _pod(name: str, namespace: str, app: str, *, killed: bool) -> dict[str, Any]:
    ended = {
        "reason": "OOMKilled",
        "exitCode": 137,
        "startedAt": "2026-11-18T09:50:00Z",
        "finishedAt": "2026-11-18T09:58:00Z",
    }
    waiting = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container"}}
    status = {
        "name": app,
        "ready": not killed,
        "restartCount": 6 if killed else 0,
        "image": f"registry.invalid/{app}:1",
        "state": waiting if killed else {"running": {"startedAt": "2026-11-17T10:00:00Z"}},
        "lastState": {"terminated": ended} if killed else {},
    }
    now = "True" if not killed else "False"
    return {
        "metadata": {
            "name": name,
            "namespace": namespace,
            "labels": {"app": app},
            "creationTimestamp": "2026-11-17T10:00:00Z",
            "ownerReferences": [{"kind": "ReplicaSet", "name": name.rsplit("-", 1)[0], "controller": True}],
        },
        "spec": {
            "nodeName": "node-1",
            "containers": [
                {"name": app, "image": f"registry.invalid/{app}:1", "resources": {"limits": {"memory": "256Mi"}}}
            ],
        },
        "status": {
            "phase": "Running",
            "conditions": [
                {"type": "Initialized", "status": "True"},
                {"type": "PodScheduled", "status": "True"},
                {"type": "Ready", "status": now, "lastTransitionTime": "2026-11-18T09:58:00Z"},
                {"type": "ContainersReady", "status": now},
            ],
            "containerStatuses": [status],
        },
    }


def _event(pod: dict[str, Any]) -> dict[str, Any]:
    name = pod["metadata"]["name"]
    return {
        "metadata": {"name": f"{name}.1", "namespace": "shop"},
        "involvedObject": {"kind": "Pod", "name": name, "namespace": "shop", "fieldPath": "spec.containers{checkout}"},
        "reason": "BackOff",
        "message": "Back-off restarting failed container",
        "type": "Warning",
        "count": 12,
        "firstTimestamp": "2026-11-18T09:40:00Z",
        "lastTimestamp": "2026-11-18T09:59:00Z",
    }


def _deployment(namespace: str, app: str, *, ready: int) -> dict[str, Any]:
    return {
        "metadata": {"name": app, "namespace": namespace, "labels": {"app": app}, "generation": 1},
        "spec": {"replicas": 1, "selector": {"matchLabels": {"app": app}}},
        "status": {
            "observedGeneration": 1,
            "replicas": 1,
            "updatedReplicas": 1,
            "readyReplicas": ready,
            "availableReplicas": ready,
        },
    }
