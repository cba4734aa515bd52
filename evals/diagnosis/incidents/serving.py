"""Incidents of workloads that run and serve badly, or well and are blamed; written before the rules were looked at."""

from evals.diagnosis.incidents.incident import WELL, Collection, event, finds
from evals.diagnosis.incidents.world import Body, World, container, end

RS = "ReplicaSet"
INCIDENTS = Collection("ledger")


def running(world: World, wanted: int = 1, **more: object) -> list[str]:
    """Add a deployment whose pods all run and are ready; return their names."""
    rs = world.deployment(wanted=wanted, ready=wanted)
    body: Body = container("ledger", **more)  # type: ignore[arg-type]
    return [world.pod((RS, rs), body, name=f"ledger-{number + 1}") for number in range(wanted)]


@INCIDENTS.of(
    "ledger gets bigger every hour",
    "S2",
    finds("MEMORY_NEAR_LIMIT"),
    never=("OOM_KILLED",),
)
def _leak(world: World) -> None:
    (pod,) = running(world)
    own = {"namespace": "shop", "pod": pod, "container": "ledger"}
    world.course("container_memory_working_set_bytes", own, lambda minute: (0.94 - minute * 0.004) * 2**30)
    world.gauge("kube_pod_container_resource_limits", own | {"resource": "memory"}, 2.0**30)
    world.every(pod, "ledger", "INFO stored {n}", since=50)


@INCIDENTS.of(
    "ledger restarts about every two hours",
    "S2",
    finds("OOM_KILLED"),
    also=("MEMORY_NEAR_LIMIT", "CONTAINER_RESTARTING"),
    never=("CRASH_LOOP", "EXIT_137_UNCONFIRMED", "LIVENESS_KILLED"),
)
def _leak_that_kills(world: World) -> None:
    (pod,) = running(world, since=24, restarts=3, last=end(137, "OOMKilled", 24.2, ran=150))
    own = {"namespace": "shop", "pod": pod, "container": "ledger"}
    world.course(
        "container_memory_working_set_bytes",
        own,
        lambda minute: (0.99 - (minute - 24) * 0.004 if minute >= 24 else 0.5 + (24 - minute) * 0.005) * 2**30,
    )
    world.gauge("kube_pod_container_resource_limits", own | {"resource": "memory"}, 2.0**30)
    world.course("kube_pod_container_status_restarts_total", own, lambda minute: 3 if minute < 24 else 2)
    world.every(pod, "ledger", "INFO stored {n}", since=23)


@INCIDENTS.of(
    "ledger restarts with 137",
    "S2",
    finds("LIVENESS_KILLED", "", event("Pod/ledger-1", "Killing", "failed liveness probe")),
    finds("CPU_THROTTLED", ""),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "CRASH_LOOP"),
    accepted=("S1",),
)
def _throttled_to_death(world: World) -> None:
    probe = {"httpGet": {"path": "/live", "port": 8080}, "timeoutSeconds": 1}
    (pod,) = running(world, since=4, restarts=4, last=end(137, "Error", 4.1, ran=9), livenessProbe=probe)
    world.usage(pod, "ledger", throttled=0.7, cpu=0.5)
    said = 'Liveness probe failed: Get "http://10.1.1.9:8080/live": context deadline exceeded (Client.Timeout exceeded)'
    world.event(pod, "Unhealthy", said, part="ledger", first=40, last=4.2, count=12)
    said = "Container ledger failed liveness probe, will be restarted"
    world.event(pod, "Killing", said, normal=True, part="ledger", first=39, last=4.1, count=4)
    world.every(pod, "ledger", "INFO stored {n}", since=3.8)


@INCIDENTS.of(
    "ledger gets no traffic since the rename",
    "S1",
    finds("SERVICE_NO_ENDPOINTS"),
    never=("NO_PROBLEM_FOUND",),
)
def _wrong_selector(world: World) -> None:
    for pod in running(world, 2):
        world.every(pod, "ledger", "INFO waiting for requests {n}", since=50, each_s=60)
    world.add("services", "ledger", spec={"selector": {"app": "ledger-v1"}, "ports": [{"port": 80}]})
    world.add("endpoints", "ledger", subsets=[])


@INCIDENTS.of(
    "ledger 高峰期很慢",
    "S2",
    finds("HPA_AT_LIMIT", ""),
    finds("CPU_THROTTLED", ""),
    language="zh",
)
def _scaler_and_throttling(world: World) -> None:
    for pod in running(world, 3):
        world.usage(pod, "ledger", throttled=0.55, cpu=0.5)
    limited = {
        "type": "ScalingLimited",
        "status": "True",
        "reason": "TooManyReplicas",
        "message": "the desired replica count is more than the maximum replica count",
    }
    world.scaler(limited, most=3, current=3)


@INCIDENTS.of(
    "Is ledger at its limit?",
    "S0",
    WELL,
    never=("HPA_AT_LIMIT",),
)
def _scaler_that_rests(world: World) -> None:
    running(world, 2)
    calm = {"type": "ScalingLimited", "status": "False", "reason": "DesiredWithinRange", "message": "within range"}
    world.scaler(calm, most=2, current=2, least=2)


@INCIDENTS.of(
    "Lots of 401 in ledger, is it broken?",
    "S0",
    WELL,
    never=("ERROR_BURST", "HTTP_5XX_RATIO", "ACCESS_DENIED"),
)
def _client_errors(world: World) -> None:
    (pod,) = running(world)
    labels = {"namespace": "shop", "app": "ledger", "pod": pod}
    world.counter("http_requests_total", labels | {"code": "200"}, per_s=20)
    world.counter("http_requests_total", labels | {"code": "401"}, per_s=9)
    world.every(pod, "ledger", "WARN login refused: 401 Unauthorized user={n}", since=55, each_s=12)


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S0",
    WELL,
    never=("READINESS_FAILING", "ERROR_BURST", "DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO"),
)
def _over_since_half_an_hour(world: World) -> None:
    (pod,) = running(world, since=2_000)
    world.every(
        pod, "ledger", "ERROR stock call failed: dial tcp 10.96.3.3:8080: connection refused", since=57, until=36
    )
    world.every(pod, "ledger", "INFO stored {n}", since=35)
    said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
    world.event(pod, "Unhealthy", said, part="ledger", first=57, last=36, count=120)
    labels = {"namespace": "shop", "app": "ledger", "pod": pod}
    world.counter("http_requests_total", labels | {"code": "200"}, per_s=20)
    value = [0.0]

    def failing(minute: int) -> float:
        value[0] += 400 if 36 <= minute <= 57 else 0
        return value[0]

    world.course("http_requests_total", labels | {"code": "503"}, failing)


@INCIDENTS.of(
    "ledger is up and down all the time",
    "S1",
    finds("HTTP_5XX_RATIO", ""),
    finds("ERROR_BURST"),
    also=("READINESS_FAILING",),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT"),
)
def _flapping_readiness(world: World) -> None:
    pods = running(world, 2)
    for pod in pods:
        said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
        world.event(pod, "Unhealthy", said, part="ledger", first=50, last=1.2, count=70)
        world.every(pod, "ledger", "INFO stored {n}", since=50)
        world.every(pod, "ledger", "ERROR pool exhausted: 20 of 20 connections in use, request {n}", since=12, each_s=9)
        world.requests(pod, bad=1.2, good=10)


@INCIDENTS.of(
    "ledger 有一个 Pod 没就绪,有问题吗?",
    "S0",
    WELL,
    never=("ROLLOUT_STUCK", "READINESS_FAILING"),
    language="zh",
)
def _rollout_under_way(world: World) -> None:
    old = world.deployment(wanted=3, ready=3)
    for number in range(3):
        world.pod((RS, old), container("ledger"), name=f"ledger-{number + 1}")
    new = world.replica_set("ledger", wanted=1, ready=0, age=0.7, revision=2, image="r.example/app:1.1")
    world.pod(
        (RS, new),
        container("ledger", since=0.6, ready=False, image="r.example/app:1.1"),
        name="ledger-9",
        ready=False,
        age=0.7,
        since=0.7,
    )
    world.log("ledger-9", "ledger", (0.5, "INFO starting"))
    status = world.lists["deployments"][0]["status"]
    status |= {"updatedReplicas": 1, "unavailableReplicas": 1, "replicas": 4}
    status["conditions"][0] |= {"reason": "ReplicaSetUpdated"}


@INCIDENTS.of(
    "A ledger pod was killed, why?",
    "S0",
    WELL,
    never=("READINESS_FAILING", "LIVENESS_KILLED"),
)
def _scaled_down(world: World) -> None:
    running(world, 2)
    world.event("ledger-8", "Killing", "Stopping container ledger", normal=True, first=6, last=6, count=1)
    said = (
        'Readiness probe failed: Get "http://10.1.1.8:8080/ready": dial tcp 10.1.1.8:8080: connect: connection refused'
    )
    world.event("ledger-8", "Unhealthy", said, first=6, last=5.8, count=2)
    world.event("ledger", "ScalingReplicaSet", "Scaled down", kind="Deployment", normal=True, first=6, last=6, count=1)


@INCIDENTS.of(
    "Some requests to ledger fail",
    "S2",
    finds("HTTP_5XX_RATIO"),
    never=("NO_PROBLEM_FOUND",),
    accepted=("S3",),
)
def _few_but_ten_times(world: World) -> None:
    for pod in running(world, 2):
        world.requests(pod, bad=0.25, good=10, before=0.002)
        world.every(pod, "ledger", "INFO stored {n}", since=50)
