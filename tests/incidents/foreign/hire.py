"""Incidents of a firm that hires bicycles out, written before any was run."""

from evals.diagnosis.composed.scene import added, complains, replicas, rollout, times, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing

APP = "rental"
INCIDENTS = Collection(APP)


@INCIDENTS.of(
    "rental gets slower and slower, memory?",
    "S2",
    finds("MEMORY_NEAR_LIMIT", "cause"),
    accepted=("S3",),
    never=("NO_PROBLEM_FOUND", "OOM_KILLED"),
)
def _only_recording_rules_are_kept(world: World) -> None:
    for pod in replicas(world, container(APP), container(APP)):
        world.every(pod, APP, "INFO hired out bike {n}", since=58)
        own = {"namespace": "shop", "pod": pod, "container": APP}
        world.gauge("node_namespace_pod_container:container_memory_working_set_bytes", own, 0.97 * 2**30)
        world.gauge(
            "cluster:namespace:pod_memory:active:kube_pod_container_resource_limits",
            own | {"resource": "memory"},
            2.0**30,
        )


@INCIDENTS.of(
    "rental 偶尔不响应,过一会儿又好了",
    "S3",
    finds("READINESS_FAILING", "", event("Pod/rental-0", "Unhealthy", "context deadline exceeded")),
    language="zh",
    accepted=("S2",),
    never=("NO_PROBLEM_FOUND", "LIVENESS_KILLED", "CRASH_LOOP"),
)
def _ready_for_days_and_its_probe_fails_now_and_then(world: World) -> None:
    pods = replicas(world, container(APP), container(APP), age=3_000)
    works(world, *pods)
    said = 'Readiness probe failed: Get "http://10.2.0.9:8080/ready": context deadline exceeded (Client.Timeout)'
    world.event(pods[0], "Unhealthy", said, part=APP, first=52, last=3, count=9)


@INCIDENTS.of(
    "is anything wrong in shop? rental and repair both fail",
    "S1",
    finds("CRASH_LOOP", "cause", of_status("bikes-db-0", "bikes-db", "lastState.terminated.exitCode", 1)),
    whole=True,
    accepted=("S2",),
    also=("DEPENDENCY_TIMEOUT", "ERROR_BURST", "SERVICE_NO_ENDPOINTS", "REPLICAS_MISSING"),
    never=("OOM_KILLED", "DNS_FAILURE", "NETWORK_POLICY_BLOCKS", "NO_PROBLEM_FOUND"),
)
def _two_apps_share_a_dead_store(world: World) -> None:
    for app in (APP, "repair"):
        (pod,) = replicas(world, container(app), app=app)
        works(world, pod, name=app)
        said = "ERROR job {n}: dial tcp 10.96.3.4:5432: connect: connection refused (bikes-db:5432)"
        times(world, pod, app, 40, said, each_s=15)
    world.stateful_set("bikes-db", wanted=1, ready=0)
    (pod,) = added(world, ("StatefulSet", "bikes-db"), [crashing("bikes-db", 1, restarts=8)], app="bikes-db")
    said = 'FATAL:  could not open file "pg_wal/0000000100000003": No such file or directory'
    world.log(pod, "bikes-db", (2.2, "LOG:  starting PostgreSQL 16.4"), (2.1, said))
    world.event(pod, "BackOff", "Back-off restarting failed container bikes-db", part="bikes-db", count=40)


@INCIDENTS.of(
    "why does rental not scale up? all are at the counter",
    "S2",
    finds("HPA_NOT_SCALING", "", event("HorizontalPodAutoscaler/rental", "FailedRescale", "scaling is frozen")),
    accepted=("S3",),
    never=("NO_PROBLEM_FOUND", "UNSCHEDULABLE_RESOURCES"),
)
def _webhook_freezes_scaling(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    said = (
        "New size: 6; reason: cpu resource utilization (percentage of request) above target; error: admission webhook "
        '"freeze.hire.example" denied the request: scaling is frozen until Monday'
    )
    able = {"type": "AbleToScale", "status": "False", "reason": "FailedUpdateScale", "message": said}
    world.scaler(able, most=8, current=2)
    world.event(APP, "FailedRescale", said, kind="HorizontalPodAutoscaler", first=25, last=0.5, count=90)


@INCIDENTS.of(
    "one of the rental pods says OutOfcpu",
    "S2",
    finds("UNSCHEDULABLE_RESOURCES", "", event("Pod/rental-1", "OutOfcpu", "enough resource: cpu")),
    also=("REPLICAS_MISSING", "EVICTED"),
    never=("NO_PROBLEM_FOUND", "CRASH_LOOP", "CPU_THROTTLED"),
)
def _kubelet_sends_it_away(world: World) -> None:
    owner = ("ReplicaSet", world.deployment(wanted=2, ready=1))
    works(world, *added(world, owner, [container(APP)]))
    said = "Pod was rejected: Node didn't have enough resource: cpu, requested: 2000, used: 3100, capacity: 3920"
    world.pod(
        owner, container(APP, waiting="-", ready=False), name="rental-1", ready=False, age=14, phase="Failed",
        reason="OutOfcpu", message=said, containerStatuses=[],
    )  # fmt: skip
    world.event("rental-1", "OutOfcpu", said.removeprefix("Pod was rejected: "), first=14, last=14, count=1)


@INCIDENTS.of(
    "nobody outside reaches rental since the new balancer",
    "S2",
    finds("LOAD_BALANCER_FAILED", "", event("Service/rental", "SyncLoadBalancerFailed", "quota of addresses")),
    accepted=("S1",),
    never=("NO_PROBLEM_FOUND", "SERVICE_NO_ENDPOINTS"),
)
def _balancer_gets_no_address(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    world.add(
        "services",
        APP,
        spec={"type": "LoadBalancer", "selector": {"app": APP}, "ports": [{"port": 443, "targetPort": 8443}]},
        status={"loadBalancer": {}},
    )
    said = "Error syncing load balancer: failed to ensure load balancer: quota of addresses in use exceeded (limit 8)"
    world.event(APP, "SyncLoadBalancerFailed", said, kind="Service", first=40, last=2, count=11)


HELD = Collection(APP)


@HELD.of(
    "customers can't find bikes in rental",
    "S2",
    finds("ERROR_BURST", "cause", logged("rental-0", APP, "cluster_block_exception", 45)),
    accepted=("S1",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "NO_PROBLEM_FOUND"),
)
def _search_index_takes_nothing_more(world: World) -> None:
    said = (
        "ERROR index bike {n}: [cluster_block_exception] index [bikes] blocked by: [TOO_MANY_REQUESTS/12/disk usage "
        "exceeded flood-stage watermark, index has read-only-allow-delete block]"
    )
    complains(world, 45, said, each_s=14)


@HELD.of(
    "rental keeps failing to upload photos",
    "S2",
    finds("ERROR_BURST", "cause", logged("rental-0", APP, "ExpiredToken", 38)),
    accepted=("S1",),
    never=("DEPENDENCY_TIMEOUT", "CERTIFICATE_REFUSED", "SECRET_IN_LOG", "NO_PROBLEM_FOUND"),
)
def _token_of_the_store_is_over(world: World) -> None:
    said = (
        "ERROR upload {n}: botocore.exceptions.ClientError: An error occurred (ExpiredToken) when calling the "
        "PutObject operation: The provided token has expired."
    )
    complains(world, 38, said, each_s=17)


@HELD.of(
    "rental 下单要等很久然后失败",
    "S2",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("rental-0", APP, "Client.Timeout exceeded", 42)),
    language="zh",
    accepted=("S1",),
    also=("ERROR_BURST",),
    never=("DNS_FAILURE", "CERTIFICATE_REFUSED", "NO_PROBLEM_FOUND"),
)
def _stock_of_another_namespace_is_slow(world: World) -> None:
    said = (
        'level=error msg="order {n} failed" err="Get \\"http://stock.warehouse.svc.cluster.local/bikes\\": context '
        'deadline exceeded (Client.Timeout exceeded while awaiting headers)"'
    )
    complains(world, 42, said, each_s=15)


@HELD.of(
    "rental is broken since the release of this morning, roll back?",
    "S0",
    WELL,
    also=("OLD_WARNINGS",),
    never=("READINESS_FAILING", "ROLLOUT_STUCK", "ERROR_BURST", "CRASH_LOOP"),
)
def _released_well_and_blamed(world: World) -> None:
    rollout(world, old=0)
    pods = replicas(world, container(APP), container(APP), age=45)
    works(world, *pods)
    said = 'Readiness probe failed: Get "http://10.2.0.9:8080/ready": dial tcp 10.2.0.9:8080: connect: refused'
    for pod in pods:
        world.event(pod, "Unhealthy", said, part=APP, first=45, last=44.5, count=3)
