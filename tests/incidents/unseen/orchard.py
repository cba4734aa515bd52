"""Incidents of an orchard's cider press, with red herrings: written before any was run, mended since."""

from evals.diagnosis.composed.scene import added, ended, job, replicas, rollout, times, unplaced, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end

RS = "ReplicaSet"
APP = "press"
INCIDENTS = Collection(APP)


@INCIDENTS.of(
    "press runs, but monitoring says one container of it is down",
    "S1",
    finds(
        "SIDECAR_FAILING",
        "cause",
        of_status("press-0", "cloud-sql-proxy", "state.waiting.reason", "CrashLoopBackOff"),
        of_status("press-0", "cloud-sql-proxy", "lastState.terminated.exitCode", 2),
        of_status("press-0", "cloud-sql-proxy", "restartCount", 23),
        api("Pod/press-0", "status.conditions[type=Ready].status", "False"),
        logged("press-0", "cloud-sql-proxy", "could not find default credentials", 1),
    ),
    also=("DEPENDENCY_TIMEOUT", "ERROR_BURST"),
    never=("CRASH_LOOP", "READINESS_FAILING", "OOM_KILLED", "DNS_FAILURE"),
)
def _proxy_to_its_database_has_no_credentials(world: World) -> None:
    proxy = crashing("cloud-sql-proxy", 2, restarts=23)
    pods = replicas(world, [container(APP), proxy], age=110)
    world.every(pods[0], APP, "INFO db: no connection yet, waiting 5s n={n}", since=29)
    world.log(
        pods[0],
        "cloud-sql-proxy",
        (2.2, "2026/11/20 09:57:47 Authorizing with Application Default Credentials"),
        (2.1, "2026/11/20 09:57:50 error starting proxy: could not find default credentials"),
    )
    world.event(pods[0], "BackOff", "Back-off restarting failed container cloud-sql-proxy", part="cloud-sql-proxy",
                count=300)  # fmt: skip


@INCIDENTS.of(
    "the new press pods cannot pull their image, is the registry down?",
    "S2",
    finds(
        "IMAGE_PULL_NOT_FOUND",
        "cause",
        of_status("press-3", APP, "state.waiting.reason", "ImagePullBackOff"),
        event("Pod/press-3", "Failed", "manifest unknown"),
        api("Pod/press-3", "spec.containers[name=press].image", "reg.orchard.example/press:2.7.0-rc1"),
    ),
    finds("ROLLOUT_STUCK", "", api("Deployment/press", "status.readyReplicas", 3)),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_UNKNOWN", "CRASH_LOOP"),
)
def _tag_was_never_pushed(world: World) -> None:
    image = "reg.orchard.example/press:2.7.0-rc1"
    message = f'Back-off pulling image "{image}"'
    (new,) = rollout(world, waiting(APP, "ImagePullBackOff", message, image=image), old=3, age=16, stuck=True)
    said = (
        f'Failed to pull image "{image}": rpc error: code = Unknown desc = Error response from daemon: manifest for '
        f"{image} not found: manifest unknown: manifest unknown"
    )
    world.event(new, "Failed", said, part=APP, first=16, last=2.3, count=6)
    world.event(new, "Failed", "Error: ImagePullBackOff", part=APP, first=16, last=1, count=60)
    other = 'Failed to pull image "reg.orchard.example/cellar:1": 401 Unauthorized'  # of another app
    world.event("cellar-0", "Failed", other, part="cellar", first=30, last=3, count=6)
    works(world, "press-0", "press-1", "press-2")


@INCIDENTS.of(
    "why was press killed last night?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("OOM_KILLED", "EVICTED", "EXIT_137_UNCONFIRMED", "CRASH_LOOP", "JOB_BACKOFF_LIMIT"),
)
def _killed_last_night_and_well(world: World) -> None:
    last = end(137, "OOMKilled", 640, ran=800)
    pods = replicas(world, container(APP, restarts=1, last=last, since=639), container(APP), age=5_000)
    works(world, *pods)
    world.pod((RS, "press-old"), name="press-evicted", ready=False, age=2_600, phase="Failed", reason="Evicted",
              message="The node was low on resource: memory. ", containerStatuses=[])  # fmt: skip
    job(world, "press-tidy-1", ended(1, finished=700), ended(1, finished=690), owner="press-tidy", age=720)
    job(world, "press-tidy-2", ended(0, "Completed", 30), owner="press-tidy", age=40, done=True)
    world.log(pods[0], APP, (45, "INFO memory watcher: OOM score 120, no OOMKilled events"))


@INCIDENTS.of(
    "press-press-db hangs, storage?",
    "S1",
    finds(
        "PVC_UNBOUND",
        "cause",
        api("Pod/press-db-0", "status.conditions[type=PodScheduled].reason", "Unschedulable"),
        event("PersistentVolumeClaim/data-press-db-0", "ProvisioningFailed", "QuotaExceeded"),
        api("PersistentVolumeClaim/data-press-db-0", "status.phase", "Pending"),
        api("PersistentVolumeClaim/data-press-db-0", "spec.storageClassName", "premium-zrs"),
    ),
    app="press-db",
    never=("UNSCHEDULABLE_RESOURCES", "UNSCHEDULABLE_PLACEMENT", "QUOTA_EXCEEDED"),
)
def _cloud_gives_no_more_disks(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = (
        "0/5 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/5 nodes are "
        "available: 5 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=("StatefulSet", "press-db"), name="press-db-0", claims=("data-press-db-0",))
    world.add("persistentvolumeclaims", "data-press-db-0", spec={"storageClassName": "premium-zrs"},
              status={"phase": "Pending"})  # fmt: skip
    failed = (
        'failed to provision volume with StorageClass "premium-zrs": rpc error: code = ResourceExhausted desc = '
        "QuotaExceeded: disks per subscription"
    )
    world.event("data-press-db-0", "ProvisioningFailed", failed, kind="PersistentVolumeClaim", last=1, count=14)


@INCIDENTS.of(
    "press 的夜间任务为什么失败了?",
    "S2",
    finds(
        "JOB_BACKOFF_LIMIT",
        "cause",
        api("Job/press-count", "status.conditions[type=Failed].reason", "BackoffLimitExceeded"),
        api("Job/press-count", "spec.backoffLimit", 2),
        of_status("press-count-2", "run", "state.terminated.exitCode", 1),
        logged("press-count-2", "run", "column barrels.sugar does not exist", 1),
    ),
    language="zh",
    never=("CRASH_LOOP", "OOM_KILLED", "DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND"),
)
def _column_was_renamed(world: World) -> None:
    for name in job(world, "press-count", *(ended(1, finished=40 - 8 * n) for n in range(3)), age=50):
        world.log(
            name, "run",
            (30, "connecting to db (attempt 1 timed out, retrying)"),
            (29.9, "connected"),
            (25, "psycopg.errors.UndefinedColumn: column barrels.sugar does not exist"),
        )  # fmt: skip
    world.event("press-count", "BackoffLimitExceeded", "Job has reached the specified backoff limit", kind="Job",
                first=23, last=23, count=1)  # fmt: skip


@INCIDENTS.of(
    "is press healthy? I am not sure you can see it",
    "S0",
    finds("ACCESS_DENIED", "conclusion", {"source": "error", "file": "pods.error.json", "code": 403}),
    never=("NO_PROBLEM_FOUND", "NO_PODS_FOUND", "REPLICAS_MISSING"),
    accepted=("S0",),
)
def _pods_are_not_shown_to_us(world: World) -> None:
    world.denied |= {"pods": 403, "events": 403}
    world.deployment(wanted=2, ready=2)


@INCIDENTS.of(
    "press on staging is gone",
    "S1",
    finds("NO_PODS_FOUND", "", api("Deployment/press", "spec.replicas", 3)),
    also=("REPLICAS_MISSING", "QUOTA_EXCEEDED"),
    never=("NO_PROBLEM_FOUND", "ACCESS_DENIED", "CRASH_LOOP"),
    accepted=("S0", "S1"),
)
def _wanted_and_not_there(world: World) -> None:
    world.deployment(wanted=3, ready=0, age=12)
    name = world.lists["replicasets"][-1]["metadata"]["name"]
    said = (
        f'Error creating: pods "{name}-" is forbidden: violates PodSecurity "restricted:latest": '
        'allowPrivilegeEscalation != false (container "press" must set securityContext.allowPrivilegeEscalation=false)'
    )
    world.event(name, "FailedCreate", said, kind=RS, first=12, last=2, count=15)


@INCIDENTS.of(
    "press hangs in ContainerCreating after the node swap",
    "S1",
    finds(
        "VOLUME_MOUNT_FAILED",
        "cause",
        of_status("press-0", APP, "state.waiting.reason", "ContainerCreating"),
        event("Pod/press-0", "FailedMount", "timed out waiting for the condition"),
        event("Pod/press-0", "FailedAttachVolume", "rpc error"),
    ),
    never=("PVC_UNBOUND", "SANDBOX_FAILED", "IMAGE_PULL_UNKNOWN", "UNSCHEDULABLE_RESOURCES"),
)
def _disk_cannot_be_attached(world: World) -> None:
    (pod,) = replicas(world, waiting(APP, "ContainerCreating"), age=24)
    said = (
        'AttachVolume.Attach failed for volume "pvc-55" : rpc error: code = Internal desc = Could not attach volume '
        '"vol-0a1" to node "i-77": attachment limit reached'
    )
    world.event(pod, "FailedAttachVolume", said, first=24, last=1.2, count=18)
    said = (
        "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data kube-api-access-x]: "
        "timed out waiting for the condition"
    )
    world.event(pod, "FailedMount", said, first=22, last=2.5, count=9)
    world.event(
        pod, "Scheduled", "Successfully assigned shop/press-0 to node-a", normal=True, first=24, last=24, count=1
    )


@INCIDENTS.of(
    "press serves errors. memory?",
    "S1",
    finds(
        "DNS_FAILURE",
        "cause",
        logged("press-0", APP, "getaddrinfo ENOTFOUND", 40),
        logged("press-1", APP, "getaddrinfo ENOTFOUND", 40),
    ),
    finds("HTTP_5XX_RATIO", ""),
    also=("ERROR_BURST", "CONFIG_REF_MISSING"),
    never=("DEPENDENCY_TIMEOUT", "MEMORY_NEAR_LIMIT", "OOM_KILLED", "CPU_THROTTLED"),
)
def _name_of_a_service_is_misspelt(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods, bad=3)
    for pod in pods:
        world.log(pod, APP, (35, "ERROR stock request timed out after 2000ms http://stock:8080/q"))
        line = (
            "ERROR order {n} failed FetchError: request to http://sotck:8080/q failed, reason: getaddrinfo ENOTFOUND "
            "sotck"
        )
        times(world, pod, APP, 40, line, each_s=17)


@INCIDENTS.of(
    "press pods were evicted, why?",
    "S2",
    finds(
        "EVICTED",
        "",
        api("Pod/press-e0", "status.reason", "Evicted"),
        api("Pod/press-e0", "status.phase", "Failed"),
        event("Pod/press-e0", "Evicted", "low on resource: memory"),
    ),
    finds("NODE_PRESSURE", ""),
    also=("REPLICAS_MISSING", "UNSCHEDULABLE_RESOURCES", "UNSCHEDULABLE_PLACEMENT"),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
)
def _evicted_with_a_killed_container(world: World) -> None:
    world.node("node-b", pressure="MemoryPressure", minutes=6, message="kubelet has insufficient memory available")
    rs = (RS, world.deployment(wanted=2, ready=1))
    works(world, *added(world, rs, [container(APP)]))
    said = "The node was low on resource: memory. Available: 71Mi. Container press was using 2Gi, request is 512Mi."
    world.pod(rs, container(APP, ended=end(137, "Error", 6, ran=400), ready=False), name="press-e0", node="node-b",
              ready=False, age=410, phase="Failed", reason="Evicted", message=said)  # fmt: skip
    world.event("press-e0", "Evicted", said, first=6, last=6, count=1)
    world.event("press-e0", "Killing", "Stopping container press", normal=True, part=APP, first=6, last=6, count=1)


@INCIDENTS.of(
    "press needs more memory, doesn't it?",
    "S2",
    finds(
        "MEMORY_NEAR_LIMIT", "cause", api("Pod/press-1", "spec.containers[name=press].resources.limits.memory", "1Gi")
    ),
    accepted=("S2", "S3"),
    never=("OOM_KILLED", "CPU_THROTTLED", "CRASH_LOOP", "ERROR_BURST", "NO_PROBLEM_FOUND"),
)
def _one_of_two_is_nearly_full(world: World) -> None:
    pods = replicas(world, *(container(APP, limits={"memory": "1Gi"}) for _ in range(2)))
    works(world, pods[0])
    world.every(pods[1], APP, "INFO pressed {n} OutOfMemoryError count=0", since=50)
    world.usage(pods[1], APP, memory=0.92, cpu=0.1)


@INCIDENTS.of(
    "why did press restart six times this hour?",
    "S2",
    finds(
        "LIVENESS_KILLED",
        "cause",
        event("Pod/press-0", "Killing", "failed liveness probe, will be restarted"),
        event("Pod/press-0", "Unhealthy", "context deadline exceeded"),
        of_status("press-0", APP, "restartCount", 6),
    ),
    finds("CPU_THROTTLED", ""),
    accepted=("S1", "S2"),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "CRASH_LOOP", "DEPENDENCY_TIMEOUT"),
)
def _starved_of_cpu_and_killed_for_it(world: World) -> None:
    body = container(APP, since=3, restarts=6, last=end(137, "Error", 3.1, ran=9), limits={"cpu": "200m"})
    pods = replicas(world, body, container(APP, limits={"cpu": "200m"}))
    for pod in pods:
        world.usage(pod, APP, cpu=0.2, throttled=0.77)
        world.every(pod, APP, "INFO pressed {n}", since=50)
    said = 'Liveness probe failed: Get "http://10.6.0.2:8080/live": context deadline exceeded'
    world.event(pods[0], "Unhealthy", said, part=APP, first=57, last=3.2, count=18)
    world.event(pods[0], "Killing", "Container press failed liveness probe, will be restarted", normal=True, part=APP,
                first=57, last=3.1, count=6)  # fmt: skip


@INCIDENTS.of(
    "does press leak anything in its logs, and why is it broken?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("press-0", APP, "password authentication failed", 1)),
    finds("SECRET_IN_LOG", ""),
    secrets=("Wd4!hollow-Apple", "glpat-x7Qm2RzKvT9bNc4LpW1s"),
    also=("DEPENDENCY_TIMEOUT",),
    never=("DNS_FAILURE", "CONFIG_REF_MISSING", "OOM_KILLED"),
)
def _wrong_password_is_printed(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 1, restarts=9), age=30)
    world.log(
        pod, APP,
        (2.3, "DEBUG dsn=postgres://press:Wd4!hollow-Apple@press-db:5432/press"),
        (2.2, "DEBUG CI_TOKEN=glpat-x7Qm2RzKvT9bNc4LpW1s"),
        (2.1, 'FATAL: password authentication failed for user "press" (SQLSTATE 28P01)'),
    )  # fmt: skip
    world.event(pod, "BackOff", "Back-off restarting failed container press", part=APP, count=44)


@INCIDENTS.of(
    "did yesterday's network trouble hurt press?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=(
        "DEPENDENCY_TIMEOUT",
        "DNS_FAILURE",
        "ERROR_BURST",
        "NODE_NOT_READY",
        "SERVICE_NO_ENDPOINTS",
        "READINESS_FAILING",
    ),
)
def _a_few_resets_are_usual(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods, bad=0.02)
    for pod in pods:
        times(
            world,
            pod,
            APP,
            9,
            "ERROR {n}: read tcp 10.6.0.3:41112->10.96.9.9:8080: connection reset by peer",
            each_s=390,
        )
        world.event(pod, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503", part=APP,
                    first=48, last=47, count=2)  # fmt: skip
    world.event("node-a", "NodeReady", "Node node-a status is now: NodeReady", kind="Node", normal=True, first=52,
                last=52, count=1)  # fmt: skip


@INCIDENTS.of(
    "press slow AND someone deployed. related?",
    "S2",
    finds("CPU_HIGH_NO_LIMIT", ""),
    accepted=("S2", "S3"),
    never=("ROLLOUT_STUCK", "CPU_THROTTLED", "HPA_AT_LIMIT", "NO_PROBLEM_FOUND"),
)
def _new_version_is_hungry(world: World) -> None:
    world.deployment(wanted=1, ready=1, age=9_000, image="r.example/press:1")
    world.lists["replicasets"][-1] |= {"spec": world.lists["replicasets"][-1]["spec"] | {"replicas": 0}, "status": {}}
    new = world.replica_set(APP, wanted=1, ready=1, age=40, revision=2, image="r.example/press:2")
    (pod,) = added(world, (RS, new), [container(APP, since=39, requests={"cpu": "100m"})], age=40)
    world.every(pod, APP, "INFO pressed {n}", since=39)
    world.usage(pod, APP, cpu=0.9)


@INCIDENTS.of(
    "press 是不是挂了?",
    "S1",
    finds(
        "UNSCHEDULABLE_RESOURCES",
        "cause",
        api("Pod/press-0", "spec.containers[name=press].resources.requests.nvidia.com/gpu", "1"),
        event("Pod/press-0", "FailedScheduling", "Insufficient nvidia.com/gpu"),
    ),
    language="zh",
    also=("NODE_NOT_READY", "REPLICAS_MISSING"),
    never=("PVC_UNBOUND", "UNSCHEDULABLE_PLACEMENT", "NO_PODS_FOUND"),
)
def _its_only_gpu_is_taken(world: World) -> None:
    rs = (RS, world.deployment(wanted=1, ready=0))
    said = "0/3 nodes are available: 1 node(s) were not ready, 2 Insufficient nvidia.com/gpu."
    unplaced(world, said, owner=rs, name="press-0", requests={"nvidia.com/gpu": "1", "cpu": "1"})
    world.add("persistentvolumeclaims", "press-cache", spec={"storageClassName": "wffc"}, status={"phase": "Pending"})
    world.event("press-cache", "WaitForFirstConsumer", "waiting for first consumer to be created before binding",
                kind="PersistentVolumeClaim", normal=True, last=0.4)  # fmt: skip
    world.event("press-0", "NotTriggerScaleUp", "pod didn't trigger scale-up: 1 max node group size reached",
                normal=True, first=25, last=1)  # fmt: skip
