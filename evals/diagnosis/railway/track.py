"""What the incidents of the railway share: services with their ports, budgets, schedules, nodes that are emptied."""

from evals.diagnosis.incidents.world import Body, World, stamp


def service(world: World, name: str, *ports: Body, app: str = "", ready: int = 0, of: tuple[int, ...] = ()) -> None:
    """Add a service of an app with its endpoints: `ready` addresses, each with the ports `of`."""
    world.add(
        "services",
        name,
        spec={
            "type": "ClusterIP",
            "clusterIP": "10.96.41.7",
            "clusterIPs": ["10.96.41.7"],
            "ipFamilies": ["IPv4"],
            "ipFamilyPolicy": "SingleStack",
            "internalTrafficPolicy": "Cluster",
            "sessionAffinity": "None",
            "selector": world.labels(app or world.app),
            "ports": list(ports),
        },
        status={"loadBalancer": {}},
    )
    addresses = [
        {
            "ip": f"10.8.3.{17 + number}",
            "nodeName": "node-a",
            "targetRef": {"kind": "Pod", "name": f"{app or world.app}-{number}"},
        }
        for number in range(ready)
    ]
    subsets = [{"addresses": addresses, "ports": [{"port": each, "protocol": "TCP"} for each in of]}] if ready else []
    world.add("endpoints", name, **({"subsets": subsets} if subsets else {}))


def port(own: int, target: int | str, name: str = "http") -> Body:
    """Return a port of a service."""
    return {"name": name, "port": own, "targetPort": target, "protocol": "TCP"}


def budget(world: World, *, healthy: int, desired: int, expected: int, **spec: int | str) -> None:
    """Add the disruption budget of the app, as the disruption controller keeps it."""
    allowed = max(0, healthy - desired)
    found = "SufficientPods" if allowed else "InsufficientPods"
    world.add(
        "poddisruptionbudgets",
        world.app,
        spec={"selector": {"matchLabels": world.labels()}, **spec},
        status={
            "currentHealthy": healthy,
            "desiredHealthy": desired,
            "expectedPods": expected,
            "disruptionsAllowed": allowed,
            "observedGeneration": 1,
            "conditions": [
                {
                    "type": "DisruptionAllowed",
                    "status": "True" if allowed else "False",
                    "reason": found,
                    "message": "",
                    "lastTransitionTime": stamp(4_000),
                    "observedGeneration": 1,
                }
            ],
        },
    )


def cordoned(world: World, name: str, minutes: float = 38) -> None:
    """Close a node for new pods, as `kubectl drain` does first."""
    node = next(each for each in world.lists["nodes"] if each["metadata"]["name"] == name)
    taint = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule", "timeAdded": stamp(minutes)}
    node["spec"] = {"unschedulable": True, "taints": [taint], "podCIDR": "10.8.3.0/24"}
    said = f"Node {name} status is now: NodeNotSchedulable"
    world.event(name, "NodeNotSchedulable", said, kind="Node", first=minutes, last=minutes, count=1, normal=True)


def forbidding(world: World, name: str, schedule: str, *, since: float, body: Body, said: str = "") -> str:
    """Add a schedule that starts nothing while its last job still runs; return the name of that job's pod."""
    job = f"{name}-29390220"
    world.add(
        "cronjobs",
        name,
        spec={
            "schedule": schedule,
            "suspend": False,
            "concurrencyPolicy": "Forbid",
            "failedJobsHistoryLimit": 1,
            "successfulJobsHistoryLimit": 3,
            "jobTemplate": {"spec": {"backoffLimit": 6, "template": {"spec": {"containers": [body["spec"]]}}}},
        },
        status={
            "active": [{"apiVersion": "batch/v1", "kind": "Job", "name": job, "namespace": world.namespace}],
            "lastScheduleTime": stamp(since),
            "lastSuccessfulTime": stamp(since + 60),
        },
    )
    owner = {"apiVersion": "batch/v1", "kind": "CronJob", "name": name, "controller": True}
    meta = {"name": job, "namespace": world.namespace, "labels": world.labels(), "creationTimestamp": stamp(since)}
    world.lists["jobs"].append(
        {
            "metadata": meta | {"ownerReferences": [owner]},
            "spec": {"backoffLimit": 6, "parallelism": 1, "completions": 1, "completionMode": "NonIndexed"},
            "status": {"active": 1, "ready": 1, "startTime": stamp(since), "uncountedTerminatedPods": {}},
        }
    )
    said = said or "Not starting job because prior execution is running and concurrency policy is Forbid"
    world.event(name, "JobAlreadyActive", said, kind="CronJob", first=58, last=4, count=12, normal=True)
    return world.pod(("Job", job), body, name=f"{job}-x7k2p", age=since, ready=body["ready"])
