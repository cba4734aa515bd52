"""A games studio's incidents of pods that start, restart and are placed.

Written before any was run: with `league` 26 of 28 were found at first sight and nothing claimed wrong; then mended on.
"""

from evals.diagnosis.composed.scene import added, ended, job, refused, replicas, rollout, unplaced, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end
from evals.diagnosis.railway.site import RS, busy, served

INCIDENTS = Collection("arena")
NAME = "app.kubernetes.io/name"


@INCIDENTS.of(
    "new season build of matchmaker never comes up, we did not touch the registry",
    "S2",
    finds("IMAGE_PULL_UNKNOWN", "cause", event("Pod/matchmaker-2", "Failed", "pull rate limit")),
    also=("ROLLOUT_STUCK",),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND"),
    app="matchmaker",
    label=NAME,
)
@busy
def _hub_counts_pulls(world: World) -> None:
    image = "kestrelgames/matchmaker:2026.47.1"
    body = waiting("matchmaker", "ImagePullBackOff", f'Back-off pulling image "{image}"', image=image, **served())
    (pod,) = rollout(world, body, age=12)
    works(world, "matchmaker-0", "matchmaker-1")
    said = (
        f'Failed to pull image "{image}": failed to pull and unpack image "docker.io/{image}": failed to copy: '
        "httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/kestrelgames/matchmaker/"
        "manifests/sha256:5d1e: 429 Too Many Requests - Server message: toomanyrequests: You have reached your "
        "unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit"
    )
    world.event(pod, "Failed", said, part="matchmaker", first=12, last=1.5, count=5)
    world.event(pod, "Failed", "Error: ErrImagePull", part="matchmaker", first=12, last=1.5, count=5)
    world.event(
        pod,
        "BackOff",
        f'Back-off pulling image "{image}"',
        part="matchmaker",
        first=11,
        last=0.3,
        count=39,
        normal=True,
    )


@INCIDENTS.of(
    "replay-store 一直 ContainerCreating,怎么回事",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "", event("Pod/replay-store-0", "FailedMount", 'configmap "replay-nginx" not found')),
    language="zh",
    also=("CONFIG_REF_MISSING",),
    never=("PVC_UNBOUND", "IMAGE_PULL_UNKNOWN", "NO_PROBLEM_FOUND"),
    app="replay-store",
)
@busy
def _mounted_map_is_missing(world: World) -> None:
    volumes = [{"name": "conf", "configMap": {"name": "replay-nginx", "defaultMode": 420}}]
    (pod,) = replicas(world, waiting("replay-store", "ContainerCreating", **served()), age=14, volumes=volumes)
    said = 'MountVolume.SetUp failed for volume "conf" : configmap "replay-nginx" not found'
    world.event(pod, "FailedMount", said, first=14, last=0.9, count=14)


@INCIDENTS.of(
    "lobby-api won't start after the helm upgrade, config map is there, I can see it",
    "S2",
    finds("CONFIG_REF_MISSING", "cause", event("Pod/lobby-api-2", "Failed", "couldn't find key MATCH_TTL")),
    also=("ROLLOUT_STUCK",),
    never=("CRASH_LOOP", "CONTAINER_NOT_CREATED"),
    app="lobby-api",
    label=NAME,
)
@busy
def _key_of_the_map_is_missing(world: World) -> None:
    said = "couldn't find key MATCH_TTL in ConfigMap shop/lobby-env"
    (pod,) = rollout(world, waiting("lobby-api", "CreateContainerConfigError", said, **served()), age=9)
    works(world, "lobby-api-0", "lobby-api-1")
    world.event(pod, "Failed", f"Error: {said}", part="lobby-api", first=9, last=0.2, count=44)


@INCIDENTS.of(
    "inventory pods sit in Init:0/1 since the database move",
    "S1",
    finds("DEPENDENCY_TIMEOUT", ""),
    also=("INIT_CONTAINER_FAILED", "REPLICAS_MISSING", "ROLLOUT_STUCK"),
    never=("CRASH_LOOP", "READINESS_FAILING", "NO_PROBLEM_FOUND", "DNS_FAILURE"),
    app="inventory",
)
@busy
def _waits_for_its_database_for_ever(world: World) -> None:
    wait = container(
        "wait-for-db",
        init=True,
        since=43,
        image="busybox:1.36",
        command=["sh", "-c", "until nc -z pg-items 5432; do sleep 2; done"],
    )
    body = waiting("inventory", "PodInitializing", **served())
    pods = replicas(world, [wait, body], [wait, body], age=44)
    for pod in pods:
        world.every(pod, "wait-for-db", "nc: pg-items (10.96.77.12:5432): Connection refused", since=43, each_s=6)


@INCIDENTS.of(
    "players get kicked from chat-gw, is it the log shipper we added?",
    "S2",
    finds("OOM_KILLED", "cause", of_status("chat-gw-0", "fluent-bit", "lastState.terminated.reason", "OOMKilled")),
    finds("SIDECAR_FAILING", ""),
    accepted=("S1", "S3"),
    also=("READINESS_FAILING",),
    never=("CRASH_LOOP", "EXIT_137_UNCONFIRMED", "LIVENESS_KILLED"),
    app="chat-gw",
)
@busy
def _shipper_beside_it_is_killed(world: World) -> None:
    main = container("chat-gw", **served(port=9000))
    ship = crashing(
        "fluent-bit", 137, "OOMKilled", restarts=12, limits={"memory": "64Mi"}, image="fluent/fluent-bit:3.2"
    )
    (pod,) = replicas(world, [main, ship], age=240)
    world.every(pod, "chat-gw", 'level=info msg="session {n} open"', since=58)
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container fluent-bit in pod {pod}_shop(8c)",
        part="fluent-bit",
        first=58,
        last=0.4,
        count=210,
    )
    world.usage(pod, "chat-gw", throttled=0.02)
    world.log(
        pod,
        "fluent-bit",
        (2.2, "[2026/11/20 09:57:48] [ info] [input:tail:tail.0] inotify_fs_add(): inode=331 watch_fd=1"),
        previous=True,
    )


@INCIDENTS.of(
    "leaderboard restarts about every ten minutes under load, memory is fine",
    "S2",
    finds("LIVENESS_KILLED", "cause", event("Pod/leaderboard-1", "Killing", "failed liveness probe")),
    also=("CPU_THROTTLED", "CONTAINER_RESTARTING", "READINESS_FAILING"),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "MEMORY_NEAR_LIMIT"),
    app="leaderboard",
)
@busy
def _probe_of_one_second_under_load(world: World) -> None:
    well = container("leaderboard", **served())
    hit = container("leaderboard", since=3, restarts=5, last=end(137, "Error", 3.1, ran=9), **served())
    pods = replicas(world, well, hit, well, age=300)
    for pod in pods:
        works(world, pod, line="INFO rank computed for {n}")
    world.usage(pods[1], "leaderboard", throttled=0.62, cpu=0.97)
    said = (
        'Liveness probe failed: Get "http://10.8.3.17:8080/healthz": context deadline exceeded '
        "(Client.Timeout exceeded while awaiting headers)"
    )
    world.event(pods[1], "Unhealthy", said, part="leaderboard", first=58, last=3.6, count=21)
    world.event(
        pods[1],
        "Killing",
        "Container leaderboard failed liveness probe, will be restarted",
        part="leaderboard",
        first=52,
        last=3.6,
        count=5,
        normal=True,
    )


@INCIDENTS.of(
    "tournament-db-0 pending after we moved to the new cluster",
    "S1",
    finds(
        "PVC_UNBOUND",
        "cause",
        event("PersistentVolumeClaim/data-tournament-db-0", "FailedBinding", "no storage class is set"),
    ),
    never=("UNSCHEDULABLE_RESOURCES", "VOLUME_MOUNT_FAILED"),
    app="tournament-db",
)
@busy
def _cluster_has_no_default_class(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = (
        "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: "
        "0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )
    unplaced(
        world, said, owner=("StatefulSet", "tournament-db"), name="tournament-db-0", claims=["data-tournament-db-0"]
    )
    world.add(
        "persistentvolumeclaims",
        "data-tournament-db-0",
        spec={"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "50Gi"}}},
        status={"phase": "Pending"},
    )
    said = "no persistent volumes available for this claim and no storage class is set"
    world.event(
        "data-tournament-db-0",
        "FailedBinding",
        said,
        kind="PersistentVolumeClaim",
        first=25,
        last=0.2,
        count=99,
        normal=True,
    )


@INCIDENTS.of(
    "shard-3 of world-state is Pending though the nodes are half empty",
    "S2",
    finds(
        "UNSCHEDULABLE_PLACEMENT", "", event("Pod/world-state-3", "FailedScheduling", "volume node affinity conflict")
    ),
    accepted=("S1",),
    also=("REPLICAS_MISSING",),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND", "NO_PROBLEM_FOUND"),
    app="world-state",
)
@busy
def _disk_is_in_another_zone(world: World) -> None:
    world.stateful_set(wanted=4, ready=3)
    owner = ("StatefulSet", "world-state")
    works(world, *added(world, owner, *([container("world-state", **served())] for _ in range(3))))
    said = (
        "0/5 nodes are available: 2 node(s) had volume node affinity conflict, 3 node(s) "
        "had untolerated taint {pool: gpu}. preemption: 0/5 nodes are available: 5 Preemption "
        "is not helpful for scheduling."
    )
    unplaced(world, said, owner=owner, name="world-state-3", claims=["data-world-state-3"])
    world.add(
        "persistentvolumeclaims", "data-world-state-3", spec={"storageClassName": "ssd"}, status={"phase": "Bound"}
    )


@INCIDENTS.of(
    "anticheat stuck at 3 of 6 since we raised the replicas for the finals",
    "S2",
    finds("QUOTA_EXCEEDED", "cause", event("ReplicaSet/anticheat-rs", "FailedCreate", "exceeded quota")),
    also=("REPLICAS_MISSING", "ROLLOUT_STUCK"),
    never=("UNSCHEDULABLE_RESOURCES", "HPA_AT_LIMIT"),
    app="anticheat",
)
@busy
def _quota_of_the_team_is_used_up(world: World) -> None:
    said = (
        'Error creating: pods "{rs}-x8k2v" is forbidden: exceeded quota: team-live, requested: '
        "requests.memory=2Gi, used: requests.memory=23Gi, limited: requests.memory=24Gi"
    )
    refused(world, said, wanted=6, ready=3)


@INCIDENTS.of(
    "voice-relay has no pods since the platform team enabled their policies",
    "S1",
    finds("NO_PODS_FOUND", "", event("ReplicaSet/voice-relay-rs", "FailedCreate", "denied the request")),
    also=("REPLICAS_MISSING", "ROLLOUT_STUCK"),
    accepted=("S0", "S2"),
    never=("ACCESS_DENIED", "QUOTA_EXCEEDED", "NO_PROBLEM_FOUND"),
    app="voice-relay",
)
@busy
def _policy_of_the_cluster_refuses(world: World) -> None:
    said = (
        'Error creating: admission webhook "validate.kyverno.svc-fail" denied the request: '
        "resource Pod/shop/{rs}-9qk4d was blocked due to "
        "the following policies require-drop-all: autogen-drop-all: validation failure: "
        "Containers must drop ALL capabilities."
    )
    refused(world, said, wanted=2, ready=0)


@INCIDENTS.of(
    "why is only 1 of 3 telemetry-ingest running? limits were raised to 8 cpu this morning",
    "S2",
    finds(
        "REPLICAS_MISSING",
        "",
        event("ReplicaSet/telemetry-ingest-rs", "FailedCreate", "maximum cpu usage per Container"),
    ),
    also=("ROLLOUT_STUCK",),
    never=("QUOTA_EXCEEDED", "ACCESS_DENIED", "UNSCHEDULABLE_RESOURCES"),
    app="telemetry-ingest",
)
@busy
def _limit_range_says_four(world: World) -> None:
    said = 'Error creating: pods "{rs}-vv27k" is forbidden: maximum cpu usage per Container is 4, but limit is 8'
    refused(world, said, wanted=3, ready=1)


@INCIDENTS.of(
    "economy-svc crashes on boot with an out of memory error, please raise its limit?",
    "S1",
    finds(
        "CRASH_LOOP",
        "cause",
        of_status("economy-svc-0", "economy-svc", "lastState.terminated.exitCode", 3),
        logged("economy-svc-0", "economy-svc", "java.lang.OutOfMemoryError", 1),
    ),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "MEMORY_NEAR_LIMIT"),
    app="economy-svc",
)
@busy
def _heap_is_full_not_the_container(world: World) -> None:
    (pod,) = replicas(world, crashing("economy-svc", 3, restarts=9, ready=False, **served()), age=40)
    world.log(
        pod,
        "economy-svc",
        (
            2.3,
            (
                "2026-11-20T09:57:42.113Z  INFO 1 --- [           main] c.k.economy.Application "
                ": Starting Application using Java 21"
            ),
        ),
        (2.1, "Terminating due to java.lang.OutOfMemoryError: Java heap space"),
    )
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container economy-svc in pod {pod}_shop(19)",
        part="economy-svc",
        first=39,
        last=0.5,
        count=170,
    )


@INCIDENTS.of(
    "patch-cdn: somebody saw 14 restarts, are we in trouble?",
    "S0",
    WELL,
    never=("CRASH_LOOP", "CONTAINER_RESTARTING", "OOM_KILLED", "LIVENESS_KILLED"),
    app="patch-cdn",
)
@busy
def _restarts_are_of_last_night(world: World) -> None:
    body = container("patch-cdn", since=410, restarts=14, last=end(137, "OOMKilled", 411, ran=3), **served())
    pods = replicas(world, body, container("patch-cdn", since=2_000, **served()), age=2_000)
    works(world, *pods, line='10.8.1.{n} "GET /patch/47.bin HTTP/1.1" 206 1048576')
    world.event(
        "newsletter-0",
        "BackOff",
        "Back-off restarting failed container newsletter in pod newsletter-0_shop(3d)",
        first=40,
        last=1,
        count=90,
    )


@INCIDENTS.of(
    "nightly rank-decay did not happen, job shows Failed",
    "S2",
    finds("JOB_BACKOFF_LIMIT", "cause", logged("rank-decay-29394180-1", "run", "deadlock detected", 1)),
    never=("NO_PROBLEM_FOUND", "CRASH_LOOP", "JOB_DEADLINE_EXCEEDED"),
    app="rank-decay",
)
@busy
def _job_gave_up_after_three(world: World) -> None:
    names = job(world, "rank-decay-29394180", ended(1, finished=50), ended(1, finished=45), age=58)
    for name in names:
        world.log(
            name,
            "run",
            (46, "INFO decaying 1240331 ranks"),
            (45.2, "psycopg.errors.DeadlockDetected: deadlock detected"),
            (45.1, "DETAIL:  Process 4411 waits for ShareLock on transaction 88121; blocked by process 4407."),
        )
    world.event(
        "rank-decay-29394180",
        "BackoffLimitExceeded",
        "Job has reached the specified backoff limit",
        kind="Job",
        first=33,
        last=33,
        count=1,
    )


@INCIDENTS.of(
    "bots pods vanish on node-b, is our memory limit wrong?",
    "S2",
    finds("NODE_PRESSURE", ""),
    finds("EVICTED", ""),
    accepted=("S1",),
    never=("OOM_KILLED", "MEMORY_NEAR_LIMIT"),
    app="bots",
)
@busy
def _node_runs_out_of_memory(world: World) -> None:
    world.node("node-b", pressure="MemoryPressure", minutes=22, message="kubelet has insufficient memory available")
    owner = (RS, world.deployment(wanted=3, ready=2))
    works(world, *added(world, owner, [container("bots", **served())], [container("bots", **served())], age=400))
    gone = (
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 71232Ki. "
        "Container bots was using 812Mi, request is 128Mi, has larger consumption of memory. "
    )
    for number in (7, 8):
        world.pod(
            owner,
            ended(137, "ContainerStatusUnknown", 20 - number, name="bots"),
            name=f"bots-{number}",
            ready=False,
            node="node-b",
            phase="Failed",
            reason="Evicted",
            message=gone,
            age=60,
        )
        world.event(f"bots-{number}", "Evicted", gone, first=20 - number, last=20 - number, count=1)
    world.event(
        "node-b", "EvictionThresholdMet", "Attempting to reclaim memory", kind="Node", first=22, last=1, count=12
    )


@INCIDENTS.of(
    "replay-render pod refuses to schedule on the gpu pool",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", "", event("Pod/replay-render-0", "FailedScheduling", "untolerated taint")),
    also=("UNSCHEDULABLE_RESOURCES",),
    never=("PVC_UNBOUND", "NODE_NOT_READY"),
    app="replay-render",
)
@busy
def _pool_is_tainted(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    said = (
        "0/6 nodes are available: 2 node(s) had untolerated taint {nvidia.com/gpu: present}, "
        "4 node(s) didn't match Pod's node affinity/selector. preemption: 0/6 nodes are "
        "available: 6 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=(RS, rs), name="replay-render-0")
