"""What the cluster refuses, cannot place or may not be asked. Written before any was run."""

from evals.diagnosis.composed.scene import (
    added,
    refused,
    replicas,
    rollout,
    unplaced,
    waiting,
    works,
)
from evals.diagnosis.incidents.incident import Collection, api, event, finds, logged
from evals.diagnosis.incidents.world import World, container, crashing, stamp

RS = "ReplicaSet"
APP = "basket"
INCIDENTS = Collection("basket")


@INCIDENTS.of(
    "the new basket does not come up and the old one is slow",
    "S2",
    finds(
        "CONFIG_REF_MISSING",
        "cause",
        api(
            "Pod/basket-2",
            "status.containerStatuses[name=basket].state.waiting.reason",
            "CreateContainerConfigError",
        ),
        event("Pod/basket-2", "Failed", "PRICE_MODE"),
    ),
    finds("CPU_THROTTLED", "cause", api("Pod/basket-0", "spec.containers[name=basket].resources.limits.cpu", "250m")),
    also=("ROLLOUT_STUCK",),
    never=("CRASH_LOOP",),
)
def _key_missing_and_throttled(world: World) -> None:
    said = "couldn't find key PRICE_MODE in ConfigMap shop/basket-settings"
    (pod,) = rollout(world, waiting(APP, "CreateContainerConfigError", said))
    world.event(pod, "Failed", f"Error: {said}", part=APP, count=80, last=0.5)
    world.lists["pods"][0]["spec"]["containers"][0]["resources"] = {"limits": {"cpu": "250m"}, "requests": {}}
    world.usage("basket-0", APP, throttled=0.71, cpu=0.25)
    works(world, "basket-1")


@INCIDENTS.of(
    "basket has no pods",
    "S1",
    finds("NO_PODS_FOUND", "", api("Deployment/basket", "spec.replicas", 2)),
    also=("REPLICAS_MISSING", "ROLLOUT_STUCK", "CERTIFICATE_REFUSED"),
)
def _webhook_without_certificate(world: World) -> None:
    said = (
        'Error creating: Internal error occurred: failed calling webhook "namespace.sidecar-injector.istio.io": '
        'failed to call webhook: Post "https://istiod.istio-system.svc:443/inject?timeout=10s": tls: failed to '
        "verify certificate: x509: certificate has expired or is not yet valid"
    )
    refused(world, said, wanted=2, ready=0, last=3)


@INCIDENTS.of(
    "basket's rollout hangs",
    "S2",
    finds("ROLLOUT_STUCK", "cause", api("Deployment/basket", "status.readyReplicas", 2)),
    also=("REPLICAS_MISSING",),
)
def _policy_refuses(world: World) -> None:
    rollout(world, age=25)
    rs = world.lists["replicasets"][-1]["metadata"]["name"]
    said = (
        'Error creating: admission webhook "validation.gatekeeper.sh" denied the request: [block-latest] container '
        "<basket> uses a disallowed tag <basket:latest>"
    )
    world.event(rs, "FailedCreate", said, kind=RS, last=4, first=25, count=17)


@INCIDENTS.of(
    "basket's cache does not start",
    "S1",
    finds("IMAGE_PULL_UNKNOWN", "cause", event("Pod/basket-0", "Failed", "429 Too Many Requests")),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND"),
)
def _pull_rate(world: World) -> None:
    image = "docker.io/library/redis:7"
    (pod,) = replicas(world, waiting(APP, "ImagePullBackOff", image=image), age=15)
    said = (
        f'Failed to pull image "{image}": rpc error: code = Unknown desc = failed to pull and unpack image "{image}": '
        "failed to copy: httpReadSeeker: failed open: unexpected status code "
        "https://registry-1.docker.io/v2/library/redis/manifests/sha256:1f2: 429 Too Many Requests - Server message: "
        "toomanyrequests: You have reached your unauthenticated pull rate limit. "
        "https://www.docker.com/increase-rate-limit"
    )
    world.event(pod, "Failed", said, part=APP, first=15, last=2, count=7)
    world.event(pod, "BackOff", f'Back-off pulling image "{image}"', part=APP, first=14, last=0.5, count=50)


@INCIDENTS.of(
    "basket-0 hangs in Pending",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", "cause", event("Pod/basket-0", "FailedScheduling", "volume node affinity")),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _volume_in_other_zone(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = (
        "0/6 nodes are available: 2 node(s) were unschedulable, 4 node(s) had volume node affinity conflict. "
        "preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=("StatefulSet", APP), name="basket-0", claims=("data-basket-0",))
    world.add("persistentvolumeclaims", "data-basket-0", spec={"storageClassName": "ebs"}, status={"phase": "Bound"})


@INCIDENTS.of(
    "one basket pod is pending",
    "S2",
    finds("UNSCHEDULABLE_PLACEMENT"),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _tainted(world: World) -> None:
    rs = world.deployment(wanted=2, ready=1)
    added(world, (RS, rs), [container(APP)])
    said = (
        "0/3 nodes are available: 3 node(s) had untolerated taint {dedicated: gpu}. preemption: 0/3 nodes are "
        "available: 3 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=(RS, rs), name="basket-1")


@INCIDENTS.of(
    "basket is pending",
    "S1",
    finds(
        "UNSCHEDULABLE_RESOURCES",
        "cause",
        api("Pod/basket-0", "spec.containers[name=basket].resources.requests.memory", "96Gi"),
    ),
    never=("PVC_UNBOUND", "UNSCHEDULABLE_PLACEMENT"),
)
def _taint_and_memory(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    said = (
        "0/5 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 4 "
        "Insufficient memory. preemption: 0/5 nodes are available: 1 Preemption is not helpful for scheduling, 4 No "
        "preemption victims found for incoming pod."
    )
    unplaced(world, said, owner=(RS, rs), name="basket-0", requests={"memory": "96Gi", "cpu": "1"})


@INCIDENTS.of(
    "basket is pending",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT"),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _no_node_fits(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    said = "0/6 nodes are available: 6 node(s) didn't match Pod's node affinity/selector."
    unplaced(world, said, owner=(RS, rs), name="basket-0")


@INCIDENTS.of(
    "does basket scale?",
    "S3",
    finds("HPA_NOT_SCALING"),
    never=("HPA_AT_LIMIT", "NO_PROBLEM_FOUND"),
)
def _scaler_blind(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    said = "the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu"
    world.scaler(
        {"type": "AbleToScale", "status": "True", "reason": "SucceededGetScale"},
        {"type": "ScalingActive", "status": "False", "reason": "FailedGetResourceMetric", "message": said},
        most=6,
        current=2,
        least=2,
    )
    world.event(APP, "FailedGetResourceMetric", said, kind="HorizontalPodAutoscaler", count=200)


@INCIDENTS.of(
    "basket 为什么一直重启?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("basket-0", APP, "Read-only file system", 1)),
    language="zh",
)
def _read_only(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 1, restarts=12))
    world.log(
        pod,
        APP,
        (2.2, "INFO warming the cache"),
        (2.1, "Traceback (most recent call last):"),
        (2.09, '  File "/srv/basket/cache.py", line 12, in <module>'),
        (2.08, "OSError: [Errno 30] Read-only file system: '/var/cache/basket'"),
    )
    world.event(pod, "BackOff", "Back-off restarting failed container", part=APP, count=90)


@INCIDENTS.of(
    "pods of basket were thrown out",
    "S2",
    finds("EVICTED", "", api("Pod/basket-e0", "status.reason", "Evicted")),
    finds("NODE_PRESSURE"),
)
def _disk_full_node(world: World) -> None:
    world.node("node-b", pressure="DiskPressure", minutes=35, message="kubelet has disk pressure")
    rs = world.deployment(wanted=2, ready=2)
    added(world, (RS, rs), [container(APP)], [container(APP, since=30)])
    said = "The node was low on resource: ephemeral-storage. Threshold quantity: 5Gi, available: 3120Mi. "
    for number in range(3):
        name = world.pod(
            (RS, rs),
            name=f"basket-e{number}",
            ready=False,
            age=80,
            node="node-b",
            phase="Failed",
            reason="Evicted",
            message=said,
        )
        world.event(name, "Evicted", said, first=33, last=33, count=1)


@INCIDENTS.of(
    "basket does not start",
    "S1",
    finds(
        "CONFIG_REF_MISSING",
        "cause",
        api(
            "Pod/basket-0",
            "status.initContainerStatuses[name=migrate].state.waiting.message",
            'secret "basket-migrate" not found',
        ),
        api(
            "Pod/basket-0",
            "spec.initContainers[name=migrate].env[name=DSN].valueFrom.secretKeyRef.name",
            "basket-migrate",
        ),
    ),
    never=("CRASH_LOOP",),
    also=("INIT_CONTAINER_FAILED",),
)
def _init_without_secret(world: World) -> None:
    said = 'secret "basket-migrate" not found'
    ref = [{"name": "DSN", "valueFrom": {"secretKeyRef": {"name": "basket-migrate", "key": "dsn"}}}]
    init = waiting("migrate", "CreateContainerConfigError", said, init=True, env=ref)
    (pod,) = replicas(world, (init, waiting(APP, "PodInitializing")), age=22)
    world.event(pod, "Failed", f"Error: {said}", part="migrate", first=22, last=0.3, count=100)


@INCIDENTS.of(
    "basket does not start",
    "S1",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/basket-0", "Failed", "not found")),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_UNKNOWN"),
    also=("INIT_CONTAINER_FAILED",),
)
def _init_image_missing(world: World) -> None:
    image = "r.example/tools/migrate:9"
    init = waiting("migrate", "ImagePullBackOff", f'Back-off pulling image "{image}"', init=True, image=image)
    (pod,) = replicas(world, (init, waiting(APP, "PodInitializing")), age=20)
    said = f'Failed to pull image "{image}": rpc error: code = NotFound desc = failed to resolve: {image}: not found'
    world.event(pod, "Failed", said, first=20, last=3, count=5)


@INCIDENTS.of(
    "where are basket's pods?",
    "S0",
    finds("NO_PODS_FOUND", "conclusion", api("Deployment/basket", "spec.replicas", 0)),
)
def _stopped(world: World) -> None:
    world.deployment(wanted=0, ready=0)


@INCIDENTS.of(
    "is basket up?",
    "S0",
    finds("NO_PODS_FOUND", "conclusion"),
    never=("NO_PROBLEM_FOUND",),
)
def _nothing_there(world: World) -> None:
    replicas(world, container("payments"), app="payments")


@INCIDENTS.of(
    "is basket up?",
    "S0",
    finds("ACCESS_DENIED", "conclusion"),
    never=("NO_PODS_FOUND", "NO_PROBLEM_FOUND"),
)
def _pods_denied(world: World) -> None:
    world.denied |= dict.fromkeys(("pods", "events", "deployments", "replicasets"), 403)


@INCIDENTS.of(
    "basket is down",
    "S1",
    finds("CRASH_LOOP", "cause", logged("basket-0", APP, "unknown field", 1)),
    finds("ACCESS_DENIED", "context"),
    never=("NO_PROBLEM_FOUND",),
)
def _events_denied(world: World) -> None:
    world.denied["events"] = 403
    (pod,) = replicas(world, crashing(APP, 78))
    world.log(pod, APP, (2, "fatal: config: unknown field 'retires'"))


@INCIDENTS.of(
    "the new basket crashes",
    "S2",
    finds("CRASH_LOOP", "cause", logged("basket-2", APP, "exec format error", 1)),
    also=("ROLLOUT_STUCK",),
)
def _wrong_machine(world: World) -> None:
    (pod,) = rollout(world, crashing(APP, 1, image="r.example/basket:arm"))
    world.log(pod, APP, (2, "exec /app/basket: exec format error"))
    world.event(pod, "BackOff", "Back-off restarting failed container", part=APP, count=30)


@INCIDENTS.of(
    "half of basket is gone",
    "S2",
    finds("NODE_NOT_READY"),
    never=("CRASH_LOOP", "READINESS_FAILING"),
)
def _agent_lost(world: World) -> None:
    world.node("node-b", ready="Unknown", minutes=9, message="Kubelet stopped posting node status.")
    rs = world.deployment(wanted=2, ready=1)
    added(world, (RS, rs), [container(APP)], [container(APP)])
    body = world.lists["pods"][-1]
    body["spec"]["nodeName"] = "node-b"
    body["status"]["conditions"][2] |= {"status": "False", "lastTransitionTime": stamp(8)}
    body["status"]["reason"] = "NodeLost"
    world.event(
        "node-b", "NodeNotReady", "Node node-b status is now: NodeNotReady", kind="Node", first=9, last=9, count=1
    )
