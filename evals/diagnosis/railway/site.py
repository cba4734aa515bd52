"""What a recording of a busy namespace has beside the incident: neighbours, usual events, fields nobody asked for."""

from collections.abc import Callable
from typing import Any

from evals.diagnosis.incidents.world import Body, World, container, end, stamp

RS = "ReplicaSet"
_TOLERATIONS = [
    {"key": f"node.kubernetes.io/{each}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for each in ("not-ready", "unreachable")
]


def served(path: str = "/healthz", port: int = 8080) -> Body:
    """Return the ports and probes that most containers have."""
    get = {"path": path, "port": port, "scheme": "HTTP"}
    probe = {"httpGet": get, "timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
    return {
        "ports": [{"name": "http", "containerPort": port, "protocol": "TCP"}],
        "livenessProbe": probe,
        "readinessProbe": probe,
        "env": [{"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}],
        "limits": {"cpu": "1", "memory": "1Gi"},
        "requests": {"cpu": "100m", "memory": "512Mi"},
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "imagePullPolicy": "IfNotPresent",
    }


def busy(build: Callable[[World], None]) -> Callable[[World], None]:
    """Return the builder of an incident with everything around it."""

    def built(world: World) -> None:
        _neighbours(world)
        build(world)
        for pod in world.lists["pods"]:
            _dress_pod(pod)
        for event in world.lists["events"]:
            _dress_event(event)

    built.__name__ = build.__name__
    return built


def _neighbours(world: World) -> None:
    """Add an app that is well, one whose trouble is over, and what controllers say all day."""
    rs = world.deployment("newsletter", wanted=1, ready=1)
    well = world.pod((RS, rs), container("newsletter", **served()), app="newsletter")
    world.event(well, "Pulled", 'Container image "r.example/newsletter:3" already present on machine', normal=True)
    rs = world.deployment("imports", wanted=1, ready=1)
    over = container("imports", since=300, restarts=2, last=end(1, "Error", 301), **served())
    pod = world.pod((RS, rs), over, app="imports")
    world.event(pod, "BackOff", "Back-off restarting failed container imports in pod", last=52, first=58, count=4)
    said = "Readiness probe failed: dial tcp 10.8.2.4:8080: connect: connection refused"
    world.event(pod, "Unhealthy", said, last=51, first=58, count=7)
    said = "Created pod: newsletter-7f9d6c-2xkqp"
    world.event(rs, "SuccessfulCreate", said, kind=RS, normal=True, last=58, first=58, count=1)


def _dress_pod(pod: Body) -> None:
    status, spec = pod["status"], pod["spec"]
    unready = [each["name"] for each in status["containerStatuses"] if not each["ready"]]
    for condition in status["conditions"]:
        if condition["reason"] == "ContainersNotReady" and not condition["message"]:
            condition["message"] = f"containers with unready status: [{' '.join(unready)}]"
        condition["lastProbeTime"] = None
    spec |= {
        "tolerations": _TOLERATIONS,
        "serviceAccountName": "default",
        "schedulerName": "default-scheduler",
        "dnsPolicy": "ClusterFirst",
        "enableServiceLinks": True,
        "terminationGracePeriodSeconds": 30,
        "priority": 0,
    }
    status |= {"qosClass": "Burstable", "startTime": pod["metadata"]["creationTimestamp"]}
    if spec["nodeName"]:
        status |= {"hostIP": "10.40.1.11", "podIP": "10.8.3.17", "podIPs": [{"ip": "10.8.3.17"}]}
    for each in (*status["containerStatuses"], *status["initContainerStatuses"]):
        each |= {
            "imageID": f"{each['image'].split(':')[0]}@sha256:{'4f' * 32}",
            "containerID": f"containerd://{'9c' * 32}",
            "started": "running" in each["state"],
        }


def _dress_event(event: Body) -> None:
    by = {"Pod": "kubelet", RS: "replicaset-controller", "Job": "job-controller"}.get(
        event["involvedObject"]["kind"], "controllermanager"
    )
    event |= {"source": {"component": by}, "reportingComponent": by, "reportingInstance": "node-a"}
    event["metadata"] |= {"namespace": event["involvedObject"]["namespace"], "creationTimestamp": stamp(50)}


def ordinal(world: World, number: int, body: Body, *, ready: bool = True, **more: Any) -> str:
    """Add the pod of a stateful set that has this number; return its name."""
    owner = ("StatefulSet", world.app)
    return world.pod(owner, body, name=f"{world.app}-{number}", ready=ready, **more)
