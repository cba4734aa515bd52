"""Incidents of a vineyard's apps of many kinds, written before any was run: found at first sight, then mended on."""

from evals.diagnosis.composed.scene import (
    added,
    complains,
    filled,
    replicas,
    rollout,
    takes,
    times,
    unplaced,
    waiting,
    works,
)
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing

APP = "press"
INCIDENTS = Collection(APP)


@INCIDENTS.of(
    "the vision model of press doesn't come up after the driver update",
    "S1",
    finds("CRASH_LOOP", "", of_status("press-0", APP, "lastState.terminated.exitCode", "1")),
    never=("OOM_KILLED", "MEMORY_NEAR_LIMIT", "EXIT_137_UNCONFIRMED"),
)
def _accelerator_has_no_memory_left(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 1), age=35)
    said = (
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.40 GiB (GPU 0; 15.78 GiB total capacity)"
    )
    world.log(
        pod, APP, (2.3, "loading weights of grapes-v3"), (2.1, "Traceback (most recent call last):"), (2.09, said)
    )
    world.log(pod, APP, (2.3, "loading weights of grapes-v3"), (2.09, said), previous=True)
    world.event(pod, "BackOff", "Back-off restarting failed container press", part=APP, first=34, last=0.5, count=60)


@INCIDENTS.of(
    "press says Completed and then starts over, again and again. Why?",
    "S1",
    finds("CRASH_LOOP", "", of_status("press-0", APP, "lastState.terminated.reason", "Completed")),
    never=("OOM_KILLED", "JOB_BACKOFF_LIMIT", "LIVENESS_KILLED"),
)
def _ends_well_and_should_not_end(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 0, "Completed"), age=50)
    world.log(pod, APP, (2.1, "nothing to do, bye"))
    world.log(pod, APP, (2.1, "nothing to do, bye"), previous=True)
    world.event(pod, "BackOff", "Back-off restarting failed container press", part=APP, first=48, last=0.5, count=99)


@INCIDENTS.of(
    "orders pile up in the topic, press does not seem to eat them",
    "S2",
    finds("ERROR_BURST", "cause", logged("press-0", APP, "CommitFailedException", 44)),
    accepted=("S1",),
    never=("DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND", "DNS_FAILURE"),
)
def _consumer_is_thrown_out_of_its_group(world: World) -> None:
    complains(
        world,
        44,
        "ERROR [Consumer clientId=press-1, groupId=press] org.apache.kafka.clients.consumer.CommitFailedException: "
        "Offset commit cannot be completed since the consumer is not part of an active group, generation {n}",
        line="INFO polled batch {n}",
        each_s=16,
    )


@INCIDENTS.of(
    "press 从刚才开始特别慢,页面要转好几秒",
    "S2",
    finds("REQUESTS_SLOW", "cause"),
    language="zh",
    never=("NO_PROBLEM_FOUND", "HTTP_5XX_RATIO", "CPU_THROTTLED"),
)
def _answers_late_and_well(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    for pod in pods:
        takes(world, pod, 2.2, before=0.08)


@INCIDENTS.of(
    "does press-db still have room?",
    "S2",
    finds("VOLUME_NEARLY_FULL", "cause"),
    accepted=("S3",),
    never=("NO_PROBLEM_FOUND", "MEMORY_NEAR_LIMIT", "NODE_PRESSURE"),
    app="press-db",
)
def _disk_of_the_database_fills(world: World) -> None:
    world.stateful_set(wanted=1, ready=1)
    (pod,) = added(world, ("StatefulSet", "press-db"), [container("press-db")])
    works(world, pod, line="LOG checkpoint complete: wrote {n} buffers")
    filled(world, "data-press-db-0", lambda minute: 0.97 - minute * 0.0004)


@INCIDENTS.of(
    "the gate in front of press answers 502",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("gate-0", "gate", "Connection refused", 50)),
    accepted=("S2",),
    also=("SERVICE_NO_ENDPOINTS", "HTTP_5XX_RATIO", "ERROR_BURST"),
    never=("DNS_FAILURE", "NO_PROBLEM_FOUND", "NETWORK_POLICY_BLOCKS"),
    app="gate",
)
def _gate_before_an_app_that_is_gone(world: World) -> None:
    (pod,) = replicas(world, container("gate"))
    works(world, pod, line='10.9.0.4 - - "GET /wines/{n} HTTP/1.1" 200 512')
    times(
        world,
        pod,
        "gate",
        50,
        "2026/11/20 09:59:01 [error] 31#31: *{n} connect() failed (111: Connection refused) while connecting to "
        'upstream, client: 10.9.0.4, server: _, request: "GET /press HTTP/1.1", upstream: "http://press:8080/press"',
        each_s=14,
    )
    world.requests(pod, bad=4, good=1, app="gate")


@INCIDENTS.of(
    "press 查不到库存了,怎么回事",
    "S2",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("press-0", APP, "cellar-db", 48)),
    accepted=("S1",),
    language="zh",
    also=("ERROR_BURST",),
    never=("DNS_FAILURE", "NO_PROBLEM_FOUND", "CRASH_LOOP"),
)
def _its_log_is_in_chinese(world: World) -> None:
    complains(
        world,
        48,
        "错误 查询库存失败(单号 {n}): 连接 cellar-db.shop:5432 超时",
        line="信息 已处理订单 {n}",
        each_s=15,
    )


@INCIDENTS.of(
    "press has 1/2 ready since the mesh was upgraded",
    "S1",
    finds("READINESS_FAILING", "", event("Pod/press-0", "Unhealthy", "15021/healthz/ready")),
    accepted=("S2",),
    also=("SIDECAR_FAILING", "SERVICE_NO_ENDPOINTS"),
    never=("LIVENESS_KILLED", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
)
def _proxy_beside_it_is_not_ready(world: World) -> None:
    probe = {"httpGet": {"path": "/healthz/ready", "port": 15021}}
    (pod,) = replicas(world, [container(APP), container("istio-proxy", ready=False, readinessProbe=probe)], age=22)
    world.every(pod, APP, "INFO pressed {n}", since=20)
    said = (
        'Readiness probe failed: Get "http://10.2.0.7:15021/healthz/ready": dial tcp 10.2.0.7:15021: connect: refused'
    )
    world.event(pod, "Unhealthy", said, part="istio-proxy", first=21, last=0.4, count=250)


@INCIDENTS.of(
    "half of press was thrown away while payroll ran",
    "S2",
    finds("UNSCHEDULABLE_RESOURCES", "", event("Pod/press-1", "FailedScheduling", "Insufficient cpu")),
    also=("REPLICAS_MISSING", "EVICTED"),
    never=("NODE_NOT_READY", "OOM_KILLED", "CRASH_LOOP", "EXIT_137_UNCONFIRMED"),
)
def _made_room_for_something_more_important(world: World) -> None:
    owner = ("ReplicaSet", world.deployment(wanted=2, ready=1))
    works(world, *added(world, owner, [container(APP)]))
    said = "0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: No victims found."
    unplaced(world, said, owner=owner, name="press-1", age=12, requests={"cpu": "2"})
    gone = "Preempted by pod 8d1e0f4a-2f6e-4a3c-9c55-5f3b1f1f0c9a on node node-b"
    world.event("press-9", "Preempted", gone, first=12, last=12, count=1)


@INCIDENTS.of(
    "press 今天一单都没有,是不是挂了?",
    "S0",
    WELL,
    language="zh",
    never=("HTTP_5XX_RATIO", "READINESS_FAILING", "REPLICAS_MISSING", "NO_PODS_FOUND"),
)
def _nobody_orders_and_it_is_well(world: World) -> None:
    for pod in replicas(world, container(APP), container(APP)):
        world.every(pod, APP, "INFO health check answered {n}", since=58, each_s=30)
        world.usage(pod, APP, throttled=0.0, cpu=0.01)
        world.requests(pod, bad=0, good=0.02)
        takes(world, pod, 0.08, before=0.08)


@INCIDENTS.of(
    "why is press so bad today, and where is the release?",
    "S2",
    finds("IMAGE_PULL_UNAUTHORIZED", "", event("Pod/press-2", "Failed", "401 Unauthorized")),
    finds("ERROR_BURST", "", logged("press-0", APP, "HikariPool-1", 60)),
    accepted=("S1",),
    also=("ROLLOUT_STUCK", "DEPENDENCY_TIMEOUT"),
    never=("IMAGE_PULL_NOT_FOUND", "IMAGE_PULL_UNKNOWN", "NO_PROBLEM_FOUND"),
)
def _no_connections_left_and_no_new_image(world: World) -> None:
    image = "registry.vineyard.example/press:41"
    (new,) = rollout(world, waiting(APP, "ImagePullBackOff", image=image), age=25)
    works(world, "press-0", "press-1")
    said = "ERROR order {n}: HikariPool-1 - Connection is not available, request timed out after 30000ms (idle=0)"
    times(world, "press-0", APP, 60, said, each_s=12)
    pull = (
        f'Failed to pull image "{image}": failed to authorize: failed to fetch anonymous token: unexpected status from '
        "GET request to https://registry.vineyard.example/token: 401 Unauthorized"
    )
    world.event(new, "Failed", pull, part=APP, first=25, last=2, count=6)


@INCIDENTS.of(
    "机房有台机器好像断电了,press 受影响吗?",
    "S2",
    finds("NODE_NOT_READY", "cause"),
    accepted=("S1",),
    language="zh",
    also=("REPLICAS_MISSING", "TERMINATION_STUCK"),
    never=("CRASH_LOOP", "READINESS_FAILING", "NO_PROBLEM_FOUND"),
)
def _machine_lost_its_power(world: World) -> None:
    world.node("node-b", ready="Unknown", minutes=6, message="Kubelet stopped posting node status.")
    owner = ("ReplicaSet", world.deployment(wanted=2, ready=1))
    works(world, *added(world, owner, [container(APP)]))
    world.pod(owner, container(APP, ready=False), name="press-1", node="node-b", ready=False, since=5.4)
    world.event("press-1", "NodeNotReady", "Node is not ready", first=5.4, last=5.4, count=1)
