"""Incidents of a lighthouse's beacon, written after the others had been mended and run once."""

from evals.diagnosis.composed.scene import (
    added,
    complains,
    ended,
    job,
    replicas,
    rollout,
    times,
    unplaced,
    waiting,
    works,
)
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

RS = "ReplicaSet"
APP = "beacon"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "beacon does not come up",
    "S1",
    finds("CRASH_LOOP", "cause", logged("beacon-0", APP, "bind: address already in use", 1)),
    never=("DEPENDENCY_TIMEOUT", "OOM_KILLED"),
)
def _port_is_taken(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 1, restarts=5))
    world.log(pod, APP, (2.2, "listening on :8080"), (2.1, "listen tcp :8080: bind: address already in use"))
    world.event(pod, "BackOff", "Back-off restarting failed container", part=APP, count=30)


@INCIDENTS.of(
    "beacon 数据库连不上?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("beacon-0", APP, "Connection refused", 40)),
    language="zh",
    accepted=("S2",),
    also=("ERROR_BURST",),
    never=("DNS_FAILURE",),
)
def _database_refuses(world: World) -> None:
    complains(
        world,
        40,
        "ERROR o.b.Repo : PSQLException: Connection to beacon-db:5432 refused. n={n}: Connection refused",
        each_s=18,
    )


@INCIDENTS.of(
    "is beacon fine after the certificates were renewed?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("CERTIFICATE_REFUSED", "ERROR_BURST"),
)
def _certificate_was_renewed(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    for pod in pods:
        times(
            world,
            pod,
            APP,
            30,
            "ERROR get https://chart.example: x509: certificate has expired or is not yet valid n={n}",
            last=22,
            each_s=20,
        )


@INCIDENTS.of(
    "beacon's pods are killed by somebody",
    "S2",
    finds("OOM_KILLED", "cause"),
    finds("IMAGE_PULL_UNAUTHORIZED", "cause"),
    also=("ROLLOUT_STUCK", "CONTAINER_RESTARTING"),
    accepted=("S1",),
    never=("IMAGE_PULL_NOT_FOUND", "CRASH_LOOP"),
)
def _killed_and_not_allowed_its_image(world: World) -> None:
    image = "r.example/beacon:3"
    (new,) = rollout(world, waiting(APP, "ErrImagePull", image=image), age=12)
    world.lists["pods"][0]["status"]["containerStatuses"][0] |= {
        "restartCount": 4,
        "lastState": {"terminated": end(137, "OOMKilled", 8, ran=20)},
        "state": {"running": {"startedAt": stamp(7.8)}},
    }
    works(world, "beacon-0", "beacon-1")
    world.event(
        new,
        "Failed",
        f'Failed to pull image "{image}": authorization failed: no basic auth credentials',
        part=APP,
        first=12,
        last=1,
        count=6,
    )


@INCIDENTS.of(
    "beacon is slow", "S2", finds("CPU_THROTTLED", ""), never=("MEMORY_NEAR_LIMIT", "HPA_AT_LIMIT", "NO_PROBLEM_FOUND")
)
def _throttled_a_third(world: World) -> None:
    pods = replicas(world, container(APP, limits={"cpu": "1"}), container(APP, limits={"cpu": "1"}))
    for pod in pods:
        world.every(pod, APP, "INFO lit {n}", since=50)
        world.usage(pod, APP, cpu=1, throttled=0.33)


@INCIDENTS.of(
    "does beacon throttle?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("CPU_THROTTLED", "CPU_HIGH_NO_LIMIT", "MEMORY_NEAR_LIMIT"),
)
def _used_well_below_its_limits(world: World) -> None:
    pods = replicas(world, container(APP, limits={"cpu": "1", "memory": "1Gi"}))
    world.every(pods[0], APP, "INFO lit {n}", since=50)
    world.usage(pods[0], APP, cpu=0.15, throttled=0.2, memory=0.85)
    world.requests(pods[0], bad=0.04, good=10, before=0.04)


@INCIDENTS.of(
    "why was beacon-sync not run?",
    "S2",
    finds("JOB_BACKOFF_LIMIT", ""),
    finds("DNS_FAILURE", "cause", logged("beacon-sync-1", "run", "no such host", 1)),
    also=("ERROR_BURST",),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT"),
)
def _job_finds_no_name(world: World) -> None:
    for new in job(world, "beacon-sync", ended(1, finished=20), ended(1, finished=12), age=30):
        world.log(
            new,
            "run",
            (13, "sync: start"),
            (
                12.1,
                'sync: fatal: Get "https://tides.example/v1": lookup tides.example on 10.96.0.10:53: no such host',
            ),
        )


@INCIDENTS.of(
    "beacon pending",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", "", event("Pod/beacon-0", "FailedScheduling", "node selector")),
    also=("REPLICAS_MISSING",),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _no_node_has_such_a_disk(world: World) -> None:
    rs = (RS, world.deployment(wanted=1, ready=0))
    unplaced(
        world,
        "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector (node selector disk=nvme).",
        owner=rs,
        name="beacon-0",
    )


@INCIDENTS.of(
    "beacon cannot write",
    "S2",
    finds("ERROR_BURST", "cause", logged("beacon-0", APP, "No space left on device", 50)),
    accepted=("S1",),
    never=("EVICTED", "NODE_PRESSURE", "DEPENDENCY_TIMEOUT", "VOLUME_MOUNT_FAILED"),
)
def _volume_is_full(world: World) -> None:
    complains(world, 50, "ERROR store {n}: OSError: [Errno 28] No space left on device: '/data/log.bin'", each_s=14)


@INCIDENTS.of(
    "who restarted beacon? it looks new",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("CRASH_LOOP", "CONTAINER_RESTARTING", "OOM_KILLED", "ROLLOUT_STUCK", "EXIT_137_UNCONFIRMED"),
)
def _restarted_by_hand(world: World) -> None:
    world.deployment(wanted=2, ready=2, age=9000)
    world.lists["replicasets"][-1] |= {"spec": world.lists["replicasets"][-1]["spec"] | {"replicas": 0}, "status": {}}
    new = world.replica_set(APP, wanted=2, ready=2, age=15, revision=2)
    world.lists["replicasets"][-1]["spec"]["template"]["metadata"] = {
        "annotations": {"kubectl.kubernetes.io/restartedAt": stamp(15)}
    }
    works(world, *added(world, (RS, new), [container(APP, since=14)], [container(APP, since=14)], age=15))


@INCIDENTS.of(
    "beacon 有一半请求失败",
    "S1",
    finds("HTTP_5XX_RATIO", ""),
    finds("READINESS_FAILING", "", event("Pod/beacon-1", "Unhealthy", "connection refused")),
    language="zh",
    accepted=("S1", "S2"),
    also=("ERROR_BURST",),
    never=("CRASH_LOOP", "OOM_KILLED", "LIVENESS_KILLED", "NO_PROBLEM_FOUND"),
)
def _one_of_two_is_unready(world: World) -> None:
    pods = replicas(world, container(APP), container(APP, ready=False))
    works(world, pods[0], bad=8)
    world.event(
        pods[1],
        "Unhealthy",
        "Readiness probe failed: dial tcp 10.1.0.4:9000: connect: connection refused",
        part=APP,
        first=33,
        last=0.2,
        count=190,
    )
    world.every(pods[1], APP, "INFO waiting for lamp {n}", since=30)


@INCIDENTS.of(
    "the new beacon is stuck in CreateContainerConfigError",
    "S2",
    finds("CONFIG_REF_MISSING", "cause", event("Pod/beacon-2", "Failed", "beacon-flags")),
    also=("ROLLOUT_STUCK",),
    never=("CRASH_LOOP", "IMAGE_PULL_UNKNOWN"),
)
def _config_map_is_missing(world: World) -> None:
    said = 'configmap "beacon-flags" not found'
    (new,) = rollout(
        world,
        waiting(APP, "CreateContainerConfigError", said, envFrom=[{"configMapRef": {"name": "beacon-flags"}}]),
        age=11,
    )
    world.event(new, "Failed", f"Error: {said}", part=APP, first=11, last=0.2, count=50)
