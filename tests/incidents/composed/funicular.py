"""Incidents of a funicular's gondolas, two of them blamed and well, all but one written before anything ran on them."""

from evals.diagnosis.composed.scene import added, replicas, rollout, times, unplaced, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged
from evals.diagnosis.incidents.world import World, container, end, stamp
from tests.incidents.composed.quarry import policy

APP = "gondola"
RS = "ReplicaSet"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "缆车服务 gondola 刚发布完就一堆告警,是不是发布搞坏了?",
    "S2",
    finds("OOM_KILLED", "cause"),  # written as well, at first; one kill within the window is told, and rightly
    language="zh",
    accepted=("S2", "S3"),
    never=("READINESS_FAILING", "ROLLOUT_STUCK", "ERROR_BURST", "DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO"),
)
def _blamed_after_a_rollout(world: World) -> None:
    before = world.deployment(wanted=3, ready=3, age=40_000, image="r.example/gondola:7.1.0")
    world.lists["replicasets"][-1] |= {"spec": world.lists["replicasets"][-1]["spec"] | {"replicas": 0}, "status": {}}
    new = world.replica_set(APP, wanted=3, ready=3, age=26, revision=2, image="r.example/gondola:7.2.0")
    oomed = container(APP, since=24, restarts=1, last=end(137, "OOMKilled", 25, ran=0.4), limits={"memory": "1Gi"})
    other = container(APP, since=25, limits={"memory": "1Gi"})
    pods = added(world, (RS, new), [oomed], [other], [other], age=26)
    for number, pod in enumerate(pods):
        works(world, pod, bad=0.01, line="INFO trip={n} errors=0 failed=false timeout=30s retries=0")
        said = 'Readiness probe failed: Get "http://10.4.0.1:8080/ready": connection refused'
        world.event(pod, "Unhealthy", said, part=APP, first=25.5, last=24.2 + number / 10, count=3)
        times(world, pod, APP, 3, "WARN cable: read timed out, attempt 1 of 3, trying again ({n})", last=9, each_s=70)
    world.event(APP, "ScalingReplicaSet", f"Scaled down replica set {before} to 0 from 1", kind="Deployment",
                normal=True, first=24, last=24, count=1)  # fmt: skip


@INCIDENTS.of(
    "The pager says gondola is on a bad node. Is gondola all right?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("NODE_PRESSURE", "NODE_NOT_READY", "EVICTED", "JOB_BACKOFF_LIMIT", "CPU_THROTTLED", "ERROR_BURST"),
)
def _blamed_for_an_old_node(world: World) -> None:
    world.node("node-a", minutes=95)
    for each in world.lists["nodes"]:
        over = {"type": "DiskPressure", "status": "False", "reason": "KubeletHasNoDiskPressure",
                "message": "kubelet has no disk pressure", "lastTransitionTime": stamp(95)}  # fmt: skip
        each["status"]["conditions"].append(over)
    rs = world.deployment(wanted=2, ready=2)
    works(world, *added(world, (RS, rs), [container(APP)], [container(APP)]))
    world.pod(
        (RS, rs), name="gondola-gone", ready=False, age=1_900, phase="Failed", reason="Evicted",
        message="The node was low on resource: ephemeral-storage. Threshold quantity: 10Gi, available: 9Gi.",
    )  # fmt: skip
    world.event("node-a", "NodeHasNoDiskPressure", "Node node-a status is now: NodeHasNoDiskPressure", kind="Node",
                normal=True, first=55, last=55, count=1)  # fmt: skip
    world.event("node-a", "FreeDiskSpaceFailed", "Failed to garbage collect required amount of images", kind="Node",
                first=58, last=56, count=2)  # fmt: skip
    times(world, "gondola-0", APP, 3, "ERROR http: client disconnected before it was answered id={n}", each_s=500)


@INCIDENTS.of(
    "Tickets cannot be sold at the valley station, gondola answers with 502",
    "S1",
    finds("DNS_FAILURE", "cause", logged("gondola-0", APP, "EAI_AGAIN tariffs.internal.example", 48)),
    finds("HTTP_5XX_RATIO", ""),
    never=("NETWORK_POLICY_BLOCKS", "DEPENDENCY_TIMEOUT"),
)
def _names_come_and_go(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    line = '{"level":30,"time":1795168000000,"msg":"sold","trip":{n}}'
    works(world, *pods, line=line, bad=6)
    failed = (
        '{"level":50,"time":1795168000000,"err":{"type":"Error","message":"getaddrinfo EAI_AGAIN '
        'tariffs.internal.example","code":"EAI_AGAIN","syscall":"getaddrinfo"},"msg":"tariff of trip {n} not known"}'
    )
    for pod in pods:
        times(world, pod, APP, 48, failed, each_s=15)
    names = {
        "to": [{"namespaceSelector": {}, "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}}}],
        "ports": [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}],
    }
    policy(world, "gondola-egress", names, {"to": [{"ipBlock": {"cidr": "0.0.0.0/0"}}], "ports": [{"port": 443}]})


@INCIDENTS.of(
    "we lost two gondola pods within minutes",
    "S2",
    finds("NODE_PRESSURE", "cause", api("Node/node-b", "status.conditions[type=MemoryPressure].status", "True")),
    finds("EVICTED", "", api("Pod/gondola-e0", "status.reason", "Evicted")),
    also=("UNSCHEDULABLE_PLACEMENT", "UNSCHEDULABLE_RESOURCES", "REPLICAS_MISSING"),
    never=("OOM_KILLED", "MEMORY_NEAR_LIMIT", "EXIT_137_UNCONFIRMED", "CRASH_LOOP"),
)
def _node_short_of_memory(world: World) -> None:
    world.node("node-b", pressure="MemoryPressure", minutes=12, message="kubelet has insufficient memory available")
    rs = world.deployment(wanted=3, ready=1)
    works(world, *added(world, (RS, rs), [container(APP)], node="node-b"))
    said = (
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 52Mi. "
        "Container gondola was using 1210Mi, request is 256Mi, has larger consumption of memory. "
    )
    for number in range(2):
        name = f"gondola-e{number}"
        world.pod((RS, rs), name=name, node="node-b", ready=False, age=700, phase="Failed", reason="Evicted",
                  message=said, containerStatuses=[])  # fmt: skip
        world.event(name, "Evicted", said, first=11 - number, last=11 - number, count=1)
    unplaced(
        world,
        "0/2 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint "
        "{node.kubernetes.io/memory-pressure: }. preemption: 0/2 nodes are available: 2 Preemption is not helpful.",
        owner=(RS, rs), name="gondola-1", age=10, requests={"memory": "256Mi"},
    )  # fmt: skip
    world.event("node-b", "EvictionThresholdMet", "Attempting to reclaim", kind="Node", first=12, last=1, count=9)


@INCIDENTS.of(
    "seat bookings fail since this morning, what happened to gondola?",
    "S1",
    finds("ERROR_BURST", "cause", logged("gondola-0", APP, "KeyError: 'fare_zone'", 80)),
    finds("HTTP_5XX_RATIO", ""),
    never=("ROLLOUT_STUCK", "DEPENDENCY_TIMEOUT", "CRASH_LOOP"),
)
def _new_image_brought_errors(world: World, failed_before: float = 0.0) -> None:
    old = world.deployment(wanted=2, ready=2, age=30_000, image="r.example/gondola:4.8.1")
    world.lists["replicasets"][-1] |= {"spec": world.lists["replicasets"][-1]["spec"] | {"replicas": 0}, "status": {}}
    new = world.replica_set(APP, wanted=2, ready=2, age=19, revision=2, image="r.example/gondola:4.9.0")
    pods = added(world, (RS, new), [container(APP, since=18)], [container(APP, since=18)], age=19)
    for pod in pods:
        world.every(pod, APP, "2026-11-20 09:50:00,1 INFO seats: GET /seats/{n} 200", since=18)
        world.requests(pod, bad=2, good=12, before=failed_before)
        world.usage(pod, APP, throttled=0.01)
        times(
            world, pod, APP, 80,
            "2026-11-20 09:50:00,1 ERROR seats: POST /seats/{n} failed",
            "Traceback (most recent call last):",
            '  File "/app/seats/book.py", line 88, in book',
            "    zone = fares[request['fare_zone']]",
            "KeyError: 'fare_zone'", each_s=12,
        )  # fmt: skip
    for name, said in ((new, "up replica set {} to 2"), (old, "down replica set {} to 0")):
        world.event(APP, "ScalingReplicaSet", "Scaled " + said.format(name), kind="Deployment", normal=True,
                    first=19, last=18, count=1)  # fmt: skip


@INCIDENTS.of(
    "did the new image of gondola bring these errors?",
    "S1",
    finds("HTTP_5XX_RATIO", "cause"),
    never=("ERROR_BURST", "ROLLOUT_STUCK"),  # written with what tells the two apart, after the others had run
)
def _failed_before_the_new_image(world: World) -> None:
    _new_image_brought_errors(world, failed_before=2.0)


@INCIDENTS.of(
    "整个 shop 命名空间有什么问题吗?",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/ledger-0", "FailedMount", "ledger-tls")),
    finds("ROLLOUT_STUCK", ""),
    finds("STARTUP_PROBE_KILLED", "", event("Pod/gondola-2", "Killing", "failed startup probe")),
    language="zh",
    whole=True,
    also=("REPLICAS_MISSING", "LIVENESS_KILLED", "CONTAINER_RESTARTING", "CRASH_LOOP"),
    never=("CONFIG_REF_MISSING", "OOM_KILLED", "EXIT_137_UNCONFIRMED", "NO_PROBLEM_FOUND"),
)
def _two_apps_of_three(world: World) -> None:
    works(world, *replicas(world, container("kiosk"), app="kiosk"), name="kiosk")
    slow = container(APP, since=1.5, restarts=5, ready=False, last=end(137, "Error", 1.6, ran=2))
    (new,) = rollout(world, slow, stuck=True, age=21)
    said = 'Startup probe failed: Get "http://10.4.0.9:8080/started": context deadline exceeded'
    world.event(new, "Unhealthy", said, part=APP, first=20, last=0.3, count=60)
    world.event(new, "Killing", "Container gondola failed startup probe, will be restarted", normal=True, part=APP,
                first=18, last=1.7, count=5)  # fmt: skip
    world.stateful_set("ledger", wanted=1, ready=0)
    (held,) = added(world, ("StatefulSet", "ledger"), [waiting("ledger", "ContainerCreating")], app="ledger", age=33)
    missing = 'MountVolume.SetUp failed for volume "tls" : secret "ledger-tls" not found'
    world.event(held, "FailedMount", missing, first=33, last=1, count=23)
