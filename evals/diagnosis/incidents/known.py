"""Incidents that the rules may be tuned on."""

from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end

RS = "ReplicaSet"
INCIDENTS = Collection("orders")


@INCIDENTS.of(
    "Why is orders down?",
    "S1",
    finds(
        "OOM_KILLED",
        "cause",
        api("Pod/orders-1", "spec.containers[name=orders].resources.limits.memory", "256Mi"),
    ),
    finds("CRASH_LOOP", "symptom"),
    finds("CONFIG_REF_MISSING"),
)
def _two_causes(world: World) -> None:
    rs = world.deployment(wanted=2, ready=0)
    world.pod((RS, rs), crashing("orders", 137, "OOMKilled", limits={"memory": "256Mi"}), name="orders-1", ready=False)
    world.pod(
        (RS, rs),
        container("orders", waiting="CreateContainerConfigError", message='configmap "orders-config" not found'),
        name="orders-2",
        ready=False,
    )


@INCIDENTS.of(
    "orders fails since ten minutes, what is it?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("orders-1", "orders", "connection refused", 36)),
    finds("HTTP_5XX_RATIO", "symptom"),
)
def _cause_elsewhere(world: World) -> None:
    rs = world.deployment(wanted=2, ready=2)
    for name in ("orders-1", "orders-2"):
        world.pod((RS, rs), container("orders"), name=name)
        world.every(name, "orders", '{"level":"info","msg":"request","status":200,"ms":{n}}', since=55, each_s=15)
        world.every(
            name,
            "orders",
            '{"level":"error","msg":"call failed","err":"dial tcp stock.shop.svc:8080: connect: connection refused"}',
            since=12,
        )
        world.requests(name, bad=2.0, good=8.0, before=0.0)


@INCIDENTS.of(
    "Everybody says orders is broken, is it?",
    "S0",
    WELL,
    never=("READINESS_FAILING", "CRASH_LOOP"),
)
def _blamed(world: World) -> None:
    rs = world.deployment(wanted=2, ready=2)
    for name in ("orders-1", "orders-2"):
        world.pod((RS, rs), container("orders", restarts=1, last=end(1, "Error", 4_000)), name=name)
        world.every(name, "orders", "INFO checked out, errors=0 failed=0 id={n}", since=50)
        world.requests(name, bad=0.01, good=20.0, before=0.01)
        world.usage(name, "orders", throttled=0.02, cpu=0.05)
    world.event(
        "orders-1", "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503", last=40, first=45
    )


@INCIDENTS.of(
    "orders keeps restarting",
    "S1",
    finds(
        "CONTAINER_RESTARTING",
        "cause",
        of_status("orders-1", "orders", "restartCount", 14),
    ),
)
def _flapping(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    body = container("orders", since=0.3, restarts=14, last=end(1, "Error", 0.5), ready=False)
    world.pod((RS, rs), body, name="orders-1", ready=False, age=120)
    world.event("orders-1", "BackOff", "Back-off restarting failed container", last=1, count=60)
    world.log(
        "orders-1",
        "orders",
        (0.55, "INFO starting"),
        (0.5, "FATAL cannot open /data/index: permission denied"),
        previous=True,
    )
    world.log("orders-1", "orders", (0.2, "INFO starting"))


@INCIDENTS.of(
    "orders 为什么起不来?",
    "S1",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/orders-1", "Failed", "not found")),
    language="zh",
)
def _image_missing(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    image = "r.example/app:9.9"
    world.pod(
        (RS, rs),
        container("orders", waiting="ImagePullBackOff", image=image, message=f'Back-off pulling image "{image}"'),
        name="orders-1",
        ready=False,
        age=20,
    )
    world.event(
        "orders-1",
        "Failed",
        f'Failed to pull image "{image}": rpc error: code = NotFound desc = failed to pull and unpack '
        f'image "{image}": failed to resolve reference "{image}": {image}: not found',
        part="orders",
    )


@INCIDENTS.of(
    "orders-0 hangs in ContainerCreating",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/orders-0", "FailedMount", "timed out")),
    never=("PVC_UNBOUND",),
)
def _volume(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    name = world.pod(
        ("StatefulSet", "orders"),
        container("orders", waiting="ContainerCreating"),
        name="orders-0",
        ready=False,
        age=25,
        phase="Pending",
        volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data-orders-0"}}],
    )
    world.add("persistentvolumeclaims", "data-orders-0", status={"phase": "Bound"})
    world.event(
        name,
        "FailedAttachVolume",
        'Multi-Attach error for volume "pvc-7" Volume is already exclusively attached to one node and '
        "can't be attached to another",
        count=1,
        last=24,
        first=24,
    )
    world.event(
        name,
        "FailedMount",
        "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data]: timed "
        "out waiting for the condition",
        last=2,
        first=22,
    )


@INCIDENTS.of(
    "Why is orders not ready?",
    "S1",
    finds("SIDECAR_FAILING"),
    never=("CRASH_LOOP", "READINESS_FAILING"),
)
def _sidecar(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), container("orders"), crashing("log-shipper", 2), name="orders-1", ready=False)
    world.log("orders-1", "log-shipper", (2, "ERROR config: unknown output 'kafka9'"))
    world.every("orders-1", "orders", "INFO took order {n}", since=50)


@INCIDENTS.of(
    "orders-0 is pending",
    "S1",
    finds("PVC_UNBOUND"),
    never=("UNSCHEDULABLE_RESOURCES",),
)
def _claim(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    name = world.pod(
        ("StatefulSet", "orders"),
        container("orders"),
        name="orders-0",
        ready=False,
        age=30,
        node="",
        phase="Pending",
        volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "d-orders-0"}}],
    )
    message = (
        "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/2 "
        "nodes are available: 2 Preemption is not helpful for scheduling."
    )
    _unscheduled(world, name, message)
    world.add("persistentvolumeclaims", "d-orders-0", status={"phase": "Pending"}, spec={"storageClassName": "fast"})
    world.event(
        "d-orders-0", "ProvisioningFailed", 'storageclass.storage.k8s.io "fast" not found', kind="PersistentVolumeClaim"
    )


def _unscheduled(world: World, name: str, message: str) -> None:
    pod = next(each for each in world.lists["pods"] if each["metadata"]["name"] == name)
    pod["status"]["conditions"] = [
        {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}
    ]
    pod["status"]["containerStatuses"] = []
    world.event(name, "FailedScheduling", message, new=True)


@INCIDENTS.of(
    "What happened to orders-2?",
    "S2",
    finds("EVICTED", "cause", api("Pod/orders-2", "status.reason", "Evicted")),
    never=("EXIT_137_UNCONFIRMED", "OOM_KILLED"),
)
def _evicted(world: World) -> None:
    rs = world.deployment(wanted=2, ready=1)
    world.pod((RS, rs), container("orders"), name="orders-1")
    name = world.pod(
        (RS, rs),
        container("orders", ended=end(137, "Error", 15)),
        name="orders-2",
        ready=False,
        phase="Failed",
        reason="Evicted",
        message=(
            "The node was low on resource: ephemeral-storage. Container orders was using 9Gi, which exceeds "
            "its request of 0."
        ),
    )
    world.event(name, "Evicted", "The node was low on resource: ephemeral-storage.", last=15, first=15, count=1)


@INCIDENTS.of(
    "Did the nightly export of orders run?",
    "S2",
    finds("JOB_BACKOFF_LIMIT", "cause", logged("orders-nightly-1-x", "export", "disk quota exceeded", 1)),
    never=("CRASH_LOOP",),
)
def _job(world: World) -> None:
    done = {
        "conditions": [
            {
                "type": "Failed",
                "status": "True",
                "reason": "BackoffLimitExceeded",
                "message": "Job has reached the specified backoff limit",
                "lastTransitionTime": "2026-11-20T09:40:00Z",
            }
        ],
        "failed": 4,
    }
    world.add("jobs", "orders-nightly-1", spec={"backoffLimit": 3}, status=done)
    world.pod(
        ("Job", "orders-nightly-1"),
        container("export", ended=end(3, "Error", 21)),
        name="orders-nightly-1-x",
        ready=False,
        phase="Failed",
        age=25,
    )
    world.log("orders-nightly-1-x", "export", (22, "INFO exporting"), (21, "ERROR disk quota exceeded on /exports"))


@INCIDENTS.of(
    "Is orders well?",
    "S0",
    WELL,
    never=("JOB_BACKOFF_LIMIT",),
)
def _job_later(world: World) -> None:
    rs = world.deployment()
    world.pod((RS, rs), container("orders"), name="orders-1")
    owner = {"ownerReferences": [{"kind": "CronJob", "name": "nightly"}], "labels": world.labels()}
    failed = {"conditions": [{"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded"}], "failed": 2}
    good = {"conditions": [{"type": "Complete", "status": "True"}], "succeeded": 1}
    world.lists["jobs"] = [
        {
            "metadata": owner | {"name": "nightly-1", "creationTimestamp": "2026-11-18T02:00:00Z"},
            "spec": {},
            "status": failed,
        },
        {
            "metadata": owner | {"name": "nightly-2", "creationTimestamp": "2026-11-19T02:00:00Z"},
            "spec": {},
            "status": good,
        },
    ]


@INCIDENTS.of(
    "orders 占用 CPU 很高吗?",
    "S2",
    finds("CPU_HIGH_NO_LIMIT"),
    never=("CPU_THROTTLED",),
    language="zh",
)
def _greedy(world: World) -> None:
    rs = world.deployment()
    world.pod((RS, rs), container("orders", requests={"cpu": "100m"}), name="orders-1")
    world.usage("orders-1", "orders", cpu=0.9)


@INCIDENTS.of(
    "Is orders about to run out of memory?",
    "S2",
    finds("MEMORY_NEAR_LIMIT"),
    never=("OOM_KILLED",),
)
def _memory(world: World) -> None:
    rs = world.deployment()
    world.pod((RS, rs), container("orders", limits={"memory": "1Gi"}), name="orders-1")
    world.usage("orders-1", "orders", memory=0.95, cpu=0.05)


@INCIDENTS.of(
    "orders shows no prices",
    "S2",
    finds("DNS_FAILURE", "cause", logged("orders-1", "orders", "EAI_AGAIN prices.shop", 27)),
    accepted=("S1",),
)
def _resolver(world: World) -> None:
    rs = world.deployment()
    world.pod((RS, rs), container("orders"), name="orders-1")
    world.every("orders-1", "orders", "INFO polled n={n}", since=50, each_s=30)
    world.every("orders-1", "orders", "ERROR Error: getaddrinfo EAI_AGAIN prices.shop.svc.cluster.local", since=9)


@INCIDENTS.of(
    "Is orders well?",
    "S0",
    finds("ACCESS_DENIED", "conclusion"),
    never=("NO_PROBLEM_FOUND",),
)
def _events_denied(world: World) -> None:
    rs = world.deployment()
    world.pod((RS, rs), container("orders"), name="orders-1")
    world.denied["events"] = 403


@INCIDENTS.of(
    "Is orders well?",
    "S0",
    finds("ACCESS_DENIED", "conclusion"),
    never=("NO_PROBLEM_FOUND", "NO_PODS_FOUND"),
)
def _pods_denied(world: World) -> None:
    world.deployment()
    world.denied["pods"] = 403


@INCIDENTS.of(
    "Where are the pods of orders?",
    "S0",
    finds("NO_PODS_FOUND", "conclusion"),
    never=("NO_PROBLEM_FOUND",),
)
def _stopped(world: World) -> None:
    world.deployment(wanted=0, ready=0)


@INCIDENTS.of(
    "orders only has one of three replicas",
    "S2",
    finds("QUOTA_EXCEEDED"),
)
def _quota(world: World) -> None:
    rs = world.deployment(wanted=3, ready=1)
    world.pod((RS, rs), container("orders"), name="orders-1")
    world.event(
        rs,
        "FailedCreate",
        f'Error creating: pods "{rs}-abcde" is forbidden: exceeded quota: team, requested: '
        "requests.cpu=1, used: requests.cpu=8, limited: requests.cpu=8",
        kind="ReplicaSet",
    )
    world.add("resourcequotas", "team", status={"hard": {"requests.cpu": "8"}, "used": {"requests.cpu": "8"}})


@INCIDENTS.of(
    "orders is slow under load",
    "S2",
    finds("HPA_AT_LIMIT"),
)
def _scaler(world: World) -> None:
    rs = world.deployment(wanted=3, ready=3)
    for number in range(3):
        world.pod((RS, rs), container("orders"), name=f"orders-{number}")
    world.scaler({"type": "ScalingLimited", "status": "True", "reason": "TooManyReplicas"}, most=3, current=3)


@INCIDENTS.of(
    "orders 的服务访问不到",
    "S1",
    finds("SERVICE_NO_ENDPOINTS"),
    language="zh",
)
def _service(world: World) -> None:
    rs = world.deployment()
    world.pod((RS, rs), container("orders"), name="orders-1")
    world.add("services", "orders", spec={"selector": {"app": "order"}})
    world.add("endpoints", "orders", subsets=[])


@INCIDENTS.of(
    "One orders pod hangs",
    "S2",
    finds("NODE_NOT_READY"),
    never=("READINESS_FAILING",),
)
def _node(world: World) -> None:
    rs = world.deployment(wanted=2, ready=1)
    world.node("node-b", ready="Unknown", minutes=12, message="Kubelet stopped posting node status.")
    world.pod((RS, rs), container("orders"), name="orders-1")
    world.pod((RS, rs), container("orders", ready=False), name="orders-2", ready=False, node="node-b")


@INCIDENTS.of(
    "Why was orders-2 evicted?",
    "S2",
    finds("NODE_PRESSURE"),
    finds("EVICTED", "symptom"),
)
def _pressure(world: World) -> None:
    world.node("node-b", pressure="DiskPressure", minutes=30, message="kubelet has disk pressure")
    _evicted(world)
    for each in world.lists["pods"]:
        each["spec"]["nodeName"] = "node-b"


@INCIDENTS.of(
    "Is anything wrong in shop?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("mailer-1", "mailer", "smtp relay", 1)),
    whole=True,
)
def _namespace(world: World) -> None:
    rs = world.deployment("orders")
    world.pod((RS, rs), container("orders"), name="orders-1")
    other = world.deployment("mailer", wanted=1, ready=0)
    world.pod((RS, other), crashing("mailer", 1), app="mailer", name="mailer-1", ready=False)
    world.log("mailer-1", "mailer", (2, "FATAL smtp relay rejected login"))
