"""Containers that run, fall over or end, and apps that are only blamed. Written before any was run."""

from evals.diagnosis.composed.scene import ended, job, replicas, rollout, times, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

RS = "ReplicaSet"
APP = "basket"
PROBE = {"httpGet": {"path": "/ready", "port": 8080}, "timeoutSeconds": 1, "failureThreshold": 3}
INCIDENTS = Collection("basket")


@INCIDENTS.of(
    "basket comes and goes",
    "S2",
    finds("READINESS_FAILING", "cause", event("Pod/basket-2", "Unhealthy", "context deadline exceeded")),
    never=("CRASH_LOOP", "LIVENESS_KILLED"),
)
def _flaps_now_down(world: World) -> None:
    down = container(APP, readinessProbe=PROBE) | {"ready": False}
    pods = replicas(world, container(APP, readinessProbe=PROBE), container(APP, readinessProbe=PROBE), down)
    world.lists["pods"][-1]["status"]["conditions"][2]["lastTransitionTime"] = stamp(0.6)
    said = 'Readiness probe failed: Get "http://10.1.2.9:8080/ready": context deadline exceeded'
    world.event(pods[2], "Unhealthy", said, part=APP, first=56, last=0.4, count=37)


@INCIDENTS.of(
    "was there something with basket?",
    "S0",
    WELL,
    never=("OOM_KILLED", "EVICTED", "JOB_BACKOFF_LIMIT", "READINESS_FAILING", "UNSCHEDULABLE_RESOURCES"),
)
def _history_only(world: World) -> None:
    body = container(APP, since=300, restarts=3, last=end(137, "OOMKilled", 301), limits={"memory": "1Gi"})
    pods = replicas(world, body, container(APP), age=4_000)
    works(world, *pods)
    world.event(pods[1], "Unhealthy", "Readiness probe failed: statuscode: 503", part=APP, first=55, last=48, count=4)
    world.event(pods[1], "FailedScheduling", "0/2 nodes are available: 2 Insufficient cpu.", first=59, last=57, count=2)
    world.pod(
        (RS, "basket-old"),
        name="basket-ev",
        ready=False,
        age=3_000,
        phase="Failed",
        reason="Evicted",
        message="The node was low on resource: memory.",
        conditions=[{"type": "DisruptionTarget", "status": "True", "lastTransitionTime": stamp(2_000)}],
    )
    job(world, "basket-nightly-1", ended(1, finished=900), age=960, owner="basket-nightly")
    job(world, "basket-nightly-2", ended(0, "Completed", finished=100), age=120, owner="basket-nightly", done=True)


@INCIDENTS.of(
    "basket is broken, is it not?",
    "S0",
    WELL,
    never=("DEPENDENCY_TIMEOUT", "CRASH_LOOP", "IMAGE_PULL_UNAUTHORIZED"),
)
def _blamed(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    works(world, pod, line="level=info msg=served id={n}")
    world.every(
        pod, APP, 'level=warn msg="retry 1 of 3: inventory:8080 connection refused" id={n}', since=50, each_s=90
    )
    for name in ("inventory-7c-1", "inventory-7c-2"):
        world.event(name, "BackOff", "Back-off restarting failed container", part="inventory", count=120)
        world.event(name, "Failed", 'Failed to pull image "r.example/inv:2": 401 Unauthorized', count=12)


@INCIDENTS.of(
    "why is basket unhealthy?",
    "S1",
    finds("SIDECAR_FAILING", "cause", logged("basket-0", "token-agent", "permission denied", 1)),
    accepted=("S1", "S2"),
    never=("INIT_CONTAINER_FAILED", "CRASH_LOOP"),
)
def _native_sidecar(world: World) -> None:
    beside = crashing("token-agent", 2, init=True, always=True, ready=False)
    pods = replicas(world, (beside, container(APP)))
    world.lists["pods"][-1]["status"]["conditions"][1]["status"] = "True"
    world.log(pods[0], "token-agent", (2, "FATAL token service: permission denied for role basket"))
    works(world, pods[0])


@INCIDENTS.of(
    "basket gets no traffic",
    "S1",
    finds("READINESS_FAILING", "cause", event("Pod/basket-0", "Unhealthy", "statuscode: 503")),
)
def _proxy_unready(world: World) -> None:
    proxy = container("istio-proxy", readinessProbe=PROBE) | {"ready": False}
    (pod,) = replicas(world, (container(APP), proxy))
    said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
    world.event(pod, "Unhealthy", said, part="istio-proxy", first=30, last=0.2, count=160)


@INCIDENTS.of(
    "basket is not ready",
    "S1",
    finds("SIDECAR_FAILING", "cause", logged("basket-0", "log-shipper", "opensarch", 1)),
    never=("CRASH_LOOP",),
)
def _shipper_crashes(world: World) -> None:
    pods = replicas(world, (container(APP), crashing("log-shipper", 1, ready=False)))
    world.log(pods[0], "log-shipper", (2, "Error: unknown output plugin 'opensarch'"))
    world.every(pods[0], APP, "INFO ok {n}", since=50)


@INCIDENTS.of(
    "the export of baskets failed",
    "S2",
    finds("JOB_BACKOFF_LIMIT", ""),
    finds("DNS_FAILURE"),
    never=("DEPENDENCY_TIMEOUT", "NO_PODS_FOUND"),
)
def _job_name_gone(world: World) -> None:
    pods = job(world, "basket-export", *(ended(1, finished=35 - 8 * each, name="export") for each in range(3)))
    for number, pod in enumerate(pods):
        world.log(
            pod,
            "export",
            (36 - 8 * number, "starting export"),
            (35 - 8 * number, "curl: (6) Could not resolve host: sftp.partner.example"),
        )


@INCIDENTS.of(
    "rates are old",
    "S2",
    finds(
        "JOB_BACKOFF_LIMIT",
        "cause",
        api("Job/basket-rates-101", "status.failed", 3),
        logged("basket-rates-101-2", "run", "0 rows", 1),
    ),
)
def _cron_fails_now(world: World) -> None:
    job(world, "basket-rates-100", ended(0, "Completed", 1_400), age=1_440, owner="basket-rates", done=True)
    pods = job(world, "basket-rates-101", ended(3), ended(3), ended(3), owner="basket-rates")
    world.log(pods[-1], "run", (10, "ERROR rates file has 0 rows, refusing to go on"))


@INCIDENTS.of(
    "basket restarts all the time",
    "S2",
    finds("CPU_THROTTLED"),
    finds("LIVENESS_KILLED", "", event("Pod/basket-0", "Killing", "liveness probe")),
    accepted=("S1", "S2"),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED"),
)
def _probe_starved(world: World) -> None:
    probe = {"exec": {"command": ["/bin/live"]}, "timeoutSeconds": 1, "failureThreshold": 3}
    body = container(
        APP, since=4, restarts=6, last=end(137, "Error", 4.2, ran=8), limits={"cpu": "100m"}, livenessProbe=probe
    )
    (pod,) = replicas(world, body, age=70)
    world.usage(pod, APP, throttled=0.92, cpu=0.1)
    said = 'Liveness probe failed: command "/bin/live" timed out'
    world.event(pod, "Unhealthy", said, part=APP, first=58, last=4.3, count=18)
    said = "Container basket failed liveness probe, will be restarted"
    world.event(pod, "Killing", said, normal=True, part=APP, first=58, last=4.2, count=6)


@INCIDENTS.of(
    "will basket run out of memory?",
    "S2",
    finds(
        "MEMORY_NEAR_LIMIT",
        "cause",
        api("Pod/basket-0", "spec.containers[name=basket].resources.limits.memory", "1Gi"),
    ),
    never=("OOM_KILLED",),
)
def _near_memory(world: World) -> None:
    pods = replicas(world, container(APP, limits={"memory": "1Gi"}), container(APP, limits={"memory": "1Gi"}))
    for pod, share in zip(pods, (0.96, 0.5), strict=True):
        world.usage(pod, APP, memory=share, throttled=0.01)
        world.every(pod, APP, "INFO ok {n}", since=50)


@INCIDENTS.of(
    "basket slows its neighbours",
    "S2",
    finds("CPU_HIGH_NO_LIMIT"),
    never=("CPU_THROTTLED",),
)
def _hungry(world: World) -> None:
    (pod,) = replicas(world, container(APP, requests={"cpu": "100m"}))
    world.usage(pod, APP, cpu=0.9)


@INCIDENTS.of(
    "basket never comes up",
    "S1",
    finds("STARTUP_PROBE_KILLED"),
    also=("CRASH_LOOP",),
    never=("OOM_KILLED", "LIVENESS_KILLED", "EXIT_137_UNCONFIRMED"),
)
def _slow_start(world: World) -> None:
    body = crashing(APP, 137, restarts=5, startupProbe={"httpGet": {"path": "/up", "port": 80}, "failureThreshold": 6})
    (pod,) = replicas(world, body, age=30)
    said = 'Startup probe failed: Get "http://10.1.0.9:80/up": dial tcp 10.1.0.9:80: connect: connection refused'
    world.event(pod, "Unhealthy", said, part=APP, first=29, last=1, count=30)
    said = "Container basket failed startup probe, will be restarted"
    world.event(pod, "Killing", said, normal=True, part=APP, first=27, last=2, count=5)


@INCIDENTS.of(
    "basket's rollout hangs",
    "S2",
    finds(
        "ROLLOUT_STUCK",
        "",
        api("Deployment/basket", "status.conditions[type=Progressing].reason", "ProgressDeadlineExceeded"),
    ),
    finds("READINESS_FAILING", "", logged("basket-2", APP, "schema version 41", 30)),
    never=("CRASH_LOOP",),
    also=("ERROR_BURST",),
)
def _unready_rollout(world: World) -> None:
    body = container(APP, image="r.example/basket:9", since=15, readinessProbe=PROBE) | {"ready": False}
    (pod,) = rollout(world, body, stuck=True, age=19)
    said = "Readiness probe failed: HTTP probe failed with statuscode: 500"
    world.event(pod, "Unhealthy", said, part=APP, first=18, last=0.1, count=90)
    times(world, pod, APP, 30, "ERROR schema version 41 expected, found 40", each_s=20)


@INCIDENTS.of(
    "basket restarts",
    "S1",
    finds(
        "CRASH_LOOP",
        "cause",
        of_status("basket-0", "basket", "lastState.terminated.exitCode", 0),
    ),
)
def _ends_well_each_time(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 0, "Completed", restarts=22))
    world.log(pod, APP, (2.2, "nothing to do"), (2.1, "bye"))
    world.event(pod, "BackOff", "Back-off restarting failed container", part=APP, count=220)
