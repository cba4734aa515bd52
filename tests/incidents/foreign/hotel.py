"""A hotel chain's incidents, held back: run once, after everything was mended on the others, and found so."""

from evals.diagnosis.composed.scene import added, ended, job, replicas, times, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged
from evals.diagnosis.incidents.world import World, container, crashing, end
from evals.diagnosis.railway.site import RS, busy, ordinal, served

INCIDENTS = Collection("hotel", held_out=True)


@INCIDENTS.of(
    "rooms pods are 1/2 since the mesh upgrade",
    "S1",
    finds("READINESS_FAILING", "", event("Pod/rooms-0", "Unhealthy", "statuscode: 503")),
    also=("SIDECAR_FAILING", "SERVICE_NO_ENDPOINTS"),
    never=("CRASH_LOOP", "LIVENESS_KILLED", "DEPENDENCY_TIMEOUT"),
    app="rooms",
)
@busy
def _mesh_gives_no_configuration(world: World) -> None:
    proxy = container("istio-proxy", ready=False, image="istio/proxyv2:1.23", **served("/healthz/ready", 15021))
    pods = replicas(world, [container("rooms", **served()), proxy], [container("rooms", **served()), proxy], age=28)
    for pod in pods:
        world.every(pod, "rooms", "INFO rooms listed {n}", since=27)
        said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
        world.event(pod, "Unhealthy", said, part="istio-proxy", first=27, last=0.1, count=800)
        times(
            world,
            pod,
            "istio-proxy",
            50,
            "2026-11-20T09:58:01.2Z\tinfo\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod "
            "running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected",
            each_s=30,
        )


@INCIDENTS.of(
    "invoices are not sent, celery?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("invoice-worker-0", "invoice-worker", "Error 111 connecting", 45)),
    also=("ERROR_BURST",),
    accepted=("S1", "S2"),
    never=("DNS_FAILURE", "CRASH_LOOP", "NETWORK_POLICY_BLOCKS"),
    app="invoice-worker",
)
@busy
def _broker_of_celery_refuses(world: World) -> None:
    (pod,) = replicas(world, [container("invoice-worker")])
    world.every(pod, "invoice-worker", "[2026-11-20 09:40:00,001: INFO/MainProcess] Task mail[{n}] succeeded", since=58,
                until=12)  # fmt: skip
    times(
        world,
        pod,
        "invoice-worker",
        45,
        "[2026-11-20 09:58:11,120: ERROR/MainProcess] consumer: Cannot connect to redis://redis-broker:6379/0: "
        "Error 111 connecting to redis-broker:6379. Connection refused..",
        "Trying again in 32.00 seconds... (16/100)",
        each_s=15,
    )


@INCIDENTS.of(
    "the occupancy report of last night is missing",
    "S0",
    finds("CRONJOB_SUSPENDED", ""),
    also=("NO_PODS_FOUND", "NO_PROBLEM_FOUND"),
    accepted=("S0", "S3"),
    never=("JOB_BACKOFF_LIMIT", "QUOTA_EXCEEDED"),
    app="occupancy",
)
@busy
def _somebody_paused_the_schedule(world: World) -> None:
    world.add(
        "cronjobs",
        "occupancy",
        spec={"schedule": "0 3 * * *", "suspend": True, "jobTemplate": {"spec": {}}},
        status={"lastScheduleTime": "2026-11-18T03:00:00Z", "lastSuccessfulTime": "2026-11-18T03:06:00Z"},
    )


@INCIDENTS.of(
    "concierge 起不来",
    "S1",
    finds("CONFIG_REF_MISSING", "cause", event("Pod/concierge-0", "Failed", 'secret "concierge-maps" not found')),
    never=("CRASH_LOOP", "IMAGE_PULL_UNKNOWN"),
    language="zh",
    app="concierge",
    label="app.kubernetes.io/name",
)
@busy
def _secret_is_in_another_namespace(world: World) -> None:
    said = 'secret "concierge-maps" not found'
    (pod,) = replicas(world, [waiting("concierge", "CreateContainerConfigError", said, **served())], age=16)
    world.event(pod, "Failed", f"Error: {said}", part="concierge", first=16, last=0.4, count=70)


@INCIDENTS.of(
    "minibar pods vanish from node-b",
    "S2",
    finds("EVICTED", "", event("Pod/minibar-1", "Evicted", "low on resource: memory")),
    also=("NODE_PRESSURE", "REPLICAS_MISSING"),
    accepted=("S2", "S3"),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED"),
    app="minibar",
)
@busy
def _node_is_short_of_memory(world: World) -> None:
    said = (
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 71Mi. Container minibar was using "
        "1893Mi, request is 512Mi, has larger consumption of memory. "
    )
    world.node("node-b", pressure="MemoryPressure", minutes=6, message="kubelet has insufficient memory available")
    owner = (RS, world.deployment(wanted=2, ready=1))
    works(world, *added(world, owner, [container("minibar", **served())]))
    body = container("minibar", ended=end(137, "Error", 6), ready=False)
    world.pod(owner, body, name="minibar-1", ready=False, node="node-b", phase="Failed", reason="Evicted", message=said)
    world.event("minibar-1", "Evicted", said, first=6, last=6, count=1)


@INCIDENTS.of(
    "spa throws exceptions all over, look at the stack traces",
    "S0",
    WELL,
    never=("ERROR_BURST", "HTTP_5XX_RATIO", "DEPENDENCY_TIMEOUT"),
    app="spa",
)
@busy
def _usual_exceptions_that_are_handled(world: World) -> None:
    (pod,) = replicas(world, [container("spa", **served())])
    works(world, pod, line="INFO slot booked {n}")
    lines = (
        "2026-11-20 09:41:11.010  WARN 1 --- [exec-2] c.h.spa.SlotController : slot taken, asked to choose another",
        "com.hotel.spa.SlotTakenException: slot {n}",
        "\tat com.hotel.spa.Slots.take(Slots.java:40)",
    )
    times(world, pod, "spa", 110, *lines, each_s=30)


@INCIDENTS.of(
    "reviews page answers 500 since this morning's release",
    "S1",
    finds("ERROR_BURST", "", logged("reviews-0", "reviews", "PG::UndefinedColumn", 70)),
    also=("HTTP_5XX_RATIO",),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT", "CRASH_LOOP", "DNS_FAILURE"),
    app="reviews",
)
@busy
def _column_came_later_than_the_code(world: World) -> None:
    (pod,) = replicas(world, [container("reviews", **served(port=3000))])
    works(world, pod, line="I, [2026-11-20T09:40:00 #1]  INFO -- : [{n}] Completed 200 OK in 12ms", bad=6)
    times(
        world,
        pod,
        "reviews",
        70,
        "F, [2026-11-20T09:58:20.100 #1] FATAL -- : [{n}] ActiveRecord::StatementInvalid (PG::UndefinedColumn: ERROR:  "
        "column reviews.stars does not exist",
        "LINE 1: SELECT reviews.stars FROM reviews",
    )


@INCIDENTS.of(
    "backup job failed again",
    "S2",
    finds("JOB_BACKOFF_LIMIT", "", logged("backup-29394-1", "run", "server version mismatch", 1)),
    never=("DEPENDENCY_TIMEOUT", "CRASH_LOOP", "JOB_DEADLINE_EXCEEDED"),
    app="backup",
)
@busy
def _dump_is_older_than_its_server(world: World) -> None:
    pods = job(world, "backup-29394", ended(1, finished=30), ended(1, finished=22))
    for pod, ago in zip(pods, (30.1, 22.1), strict=True):
        world.log(
            pod,
            "run",
            (ago, "pg_dump: error: aborting because of server version mismatch"),
            (ago - 0.001, "pg_dump: detail: server version: 16.2; pg_dump version: 15.6"),
        )
    said = "Job has reached the specified backoff limit"
    world.event("backup-29394", "BackoffLimitExceeded", said, kind="Job", first=15, last=15, count=1)


@INCIDENTS.of(
    "guestbook-0 waits for its volume after the node was replaced",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/guestbook-0", "FailedAttachVolume", "Multi-Attach error")),
    also=("REPLICAS_MISSING",),
    never=("PVC_UNBOUND", "NODE_NOT_READY"),
    app="guestbook",
)
@busy
def _old_node_still_holds_the_disk(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    pod = ordinal(world, 0, waiting("guestbook", "ContainerCreating", **served()), ready=False, age=13, phase="Pending")
    said = (
        'Multi-Attach error for volume "pvc-1f0c" Volume is already exclusively attached to one node and can\'t be '
        "attached to another"
    )
    world.event(pod, "FailedAttachVolume", said, first=13, last=13, count=1)
    said = "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[]: timed out waiting"
    world.event(pod, "FailedMount", said, first=11, last=2, count=5)


@INCIDENTS.of(
    "elastic nodes die at start with 78",
    "S1",
    finds("CRASH_LOOP", "cause", logged("elastic-0", "elastic", "vm.max_map_count [65530] is too low", 1)),
    also=("REPLICAS_MISSING",),
    never=("OOM_KILLED", "MEMORY_NEAR_LIMIT", "EXIT_137_UNCONFIRMED"),
    app="elastic",
)
@busy
def _kernel_setting_is_too_low(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    pod = ordinal(world, 0, crashing("elastic", 78, restarts=6, ready=False), ready=False, age=15)
    world.log(
        pod,
        "elastic",
        (2.3, '{"@timestamp":"2026-11-20T09:57:42Z","log.level":"INFO","message":"starting ..."}'),
        (2.2, "ERROR: [1] bootstrap checks failed. You must address the points described in the following [1] lines"),
        (
            2.19,
            "bootstrap check failure [1] of [1]: vm.max_map_count [65530] is too low, increase to at least [262144]",
        ),
        (2.1, '{"@timestamp":"2026-11-20T09:57:54Z","log.level":"INFO","message":"stopped"}'),
    )


@INCIDENTS.of(
    "keycard is slow and throws errors about names",
    "S1",
    finds("DNS_FAILURE", "cause"),
    finds("CPU_THROTTLED", ""),
    also=("HTTP_5XX_RATIO", "ERROR_BURST"),
    never=("DEPENDENCY_TIMEOUT", "OOM_KILLED"),
    app="keycard",
)
@busy
def _throttled_and_without_names(world: World) -> None:
    (pod,) = replicas(world, [container("keycard", **served())])
    world.every(pod, "keycard", '{"level":"info","msg":"lock opened","id":{n}}', since=58)
    world.usage(pod, "keycard", throttled=0.61, cpu=0.99)
    world.requests(pod, bad=4, good=10)
    times(
        world,
        pod,
        "keycard",
        70,
        '{"level":"error","msg":"lock unreachable","err":"Post \\"http://locks.shop.svc/open\\": dial tcp: lookup '
        'locks.shop.svc on 10.96.0.10:53: read udp 10.8.3.17:{n}->10.96.0.10:53: i/o timeout"}',
    )


@INCIDENTS.of(
    "did laundry crash again this morning?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("CRASH_LOOP", "CONTAINER_RESTARTING", "LIVENESS_KILLED", "EXIT_137_UNCONFIRMED"),
    app="laundry",
)
@busy
def _restarted_in_the_night_and_well(world: World) -> None:
    body = container("laundry", since=420, restarts=5, last=end(1, "Error", 421), **served())
    works(world, *replicas(world, [body], age=9_000))
