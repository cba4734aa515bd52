"""More incidents of the railway, held back and run once, when the rules had been mended on the others.

Found 14 of 15, and 1 of 16 claims false; mended on afterwards.
"""

from evals.diagnosis.composed.scene import added, complains, replicas, rollout, times, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged
from evals.diagnosis.incidents.world import World, container, crashing
from evals.diagnosis.railway.site import RS, busy, served
from evals.diagnosis.railway.track import budget, cordoned, forbidding, port, service

INCIDENTS = Collection("yard", held_out=True)


@INCIDENTS.of(
    "shunting gets no requests since the chart was cleaned up",
    "S1",
    finds("SERVICE_PORT_MISMATCH", "cause", api("Service/shunting", "spec.ports[name=grpc].targetPort", "9090")),
    accepted=("S2",),
    never=("SERVICE_NO_ENDPOINTS", "NETWORK_POLICY_BLOCKS", "NO_PROBLEM_FOUND", "READINESS_FAILING"),
    app="shunting",
)
@busy
def _nobody_listens_where_the_service_points(world: World) -> None:
    pods = replicas(
        world,
        [container("shunting", since=25, **served(port=50051))],
        [container("shunting", since=25, **served(port=50051))],
    )
    for pod in pods:
        world.every(pod, "shunting", "INFO idle {n}", since=58)
        world.usage(pod, "shunting", throttled=0.0)
        own = {"namespace": "shop", "app": "shunting", "pod": pod, "code": "200"}
        world.counter("http_requests_total", own, per_s=0, before=12, since=25)
    service(world, "shunting", port(50051, 9090, "grpc"), ready=2, of=(9090,))


@INCIDENTS.of(
    "node-a 排空卡住了,说 depot 的 Pod 不能驱逐",
    "S2",
    finds("DRAIN_BLOCKED", "", api("PodDisruptionBudget/depot", "status.disruptionsAllowed", "0")),
    finds("CRASH_LOOP", "cause"),
    language="zh",
    never=("NODE_NOT_READY", "UNSCHEDULABLE_PLACEMENT", "NO_PROBLEM_FOUND"),
    app="depot",
)
@busy
def _one_is_down_so_none_may_go(world: World) -> None:
    pods = replicas(
        world,
        [container("depot", **served())],
        [container("depot", **served())],
        crashing("depot", 2, restarts=30, ready=False, **served()),
    )
    works(world, *pods[:2])
    world.log(pods[2], "depot", (2, "fatal: cannot open /data/index: structure needs cleaning"))
    cordoned(world, "node-a", 48)
    budget(world, healthy=2, desired=2, expected=3, maxUnavailable=1)


@INCIDENTS.of(
    "who deleted two pods of crossing? is it well?",
    "S0",
    WELL,
    never=("DRAIN_BLOCKED", "REPLICAS_MISSING", "NODE_NOT_READY", "EVICTED"),
    app="crossing",
)
@busy
def _autoscaler_took_a_machine_away(world: World) -> None:
    works(
        world,
        *replicas(
            world, [container("crossing", since=8, **served())], [container("crossing", since=8, **served())], age=9
        ),
    )
    budget(world, healthy=2, desired=2, expected=2, minAvailable="100%")
    for name in ("crossing-old1", "crossing-old2"):
        world.event(name, "ScaleDown", "deleting pod for node scale down", first=9, last=9, count=1, normal=True)
        world.event(
            name, "Killing", "Stopping container crossing", part="crossing", first=9, last=9, count=1, normal=True
        )


@INCIDENTS.of(
    "why are there forty Failed pods of switchgear?",
    "S1",
    finds("REPLICAS_MISSING", "", api("Pod/switchgear-5", "status.reason", "SysctlForbidden")),
    accepted=("S2",),
    never=("EVICTED", "EXIT_137_UNCONFIRMED", "CRASH_LOOP", "NO_PROBLEM_FOUND", "NO_PODS_FOUND"),
    app="switchgear",
)
@busy
def _kernel_setting_is_not_allowed(world: World) -> None:
    owner = (RS, world.deployment(wanted=1, ready=0, age=55))
    said = 'Pod was rejected: forbidden sysctl: "net.core.somaxconn" not allowlisted'
    for number in range(6):
        world.pod(
            owner,
            container("switchgear", waiting="-", **served()),
            name=f"switchgear-{number}",
            ready=False,
            age=50 - 8 * number,
            phase="Failed",
            reason="SysctlForbidden",
            message=said,
            containerStatuses=[],
            conditions=[],
        )
        world.event(
            f"switchgear-{number}",
            "SysctlForbidden",
            'forbidden sysctl: "net.core.somaxconn" not allowlisted',
            first=50 - 8 * number,
            last=50 - 8 * number,
            count=1,
        )


@INCIDENTS.of(
    "is anything wrong in shop? carts cannot be saved",
    "S2",
    finds("VOLUME_NEARLY_FULL", "cause"),
    finds("ERROR_BURST", "", logged("carts-0", "carts", "MISCONF", 50)),
    accepted=("S1",),
    never=("MEMORY_NEAR_LIMIT", "DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND"),
    app="carts",
    whole=True,
)
@busy
def _cache_cannot_write_its_disk(world: World) -> None:
    (pod,) = replicas(world, [container("carts", **served())], app="carts")
    works(world, pod, name="carts")
    times(
        world,
        pod,
        "carts",
        50,
        "ERROR cart {n}: ReplyError: MISCONF Redis is configured to save RDB snapshots, but it's "
        "currently unable to persist to disk. Commands that may modify the data set are disabled",
    )
    world.stateful_set("carts-redis", wanted=1, ready=1)
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data-carts-redis-0"}}]
    world.pod(
        ("StatefulSet", "carts-redis"),
        container("redis"),
        app="carts-redis",
        name="carts-redis-0",
        age=90_000,
        volumes=volumes,
    )
    world.every("carts-redis-0", "redis", "1:M 20 Nov 2026 09:58:12.113 # Background saving error", since=40, each_s=6)
    world.add(
        "persistentvolumeclaims", "data-carts-redis-0", spec={"storageClassName": "gp3"}, status={"phase": "Bound"}
    )
    own = {"namespace": "shop", "persistentvolumeclaim": "data-carts-redis-0"}
    world.gauge("kubelet_volume_stats_capacity_bytes", own, 8e9)
    world.gauge("kubelet_volume_stats_used_bytes", own, 7.99e9)
    world.gauge("kubelet_volume_stats_available_bytes", own, 1e7)


@INCIDENTS.of(
    "new pods of waybill sit at 1/2 ImagePullBackOff, our image is fine",
    "S2",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/waybill-2", "Failed", "proxyv2:1.24.9")),
    finds("ROLLOUT_STUCK", ""),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_UNKNOWN", "CRASH_LOOP"),
    app="waybill",
)
@busy
def _injected_image_was_mistyped(world: World) -> None:
    image = "docker.io/istio/proxyv2:1.24.9"
    body = container("waybill", since=20, image="r.example/waybill:6", **served())
    proxy = waiting("istio-proxy", "ImagePullBackOff", f'Back-off pulling image "{image}"', image=image)
    rollout(world, body, age=20, stuck=True)
    del world.lists["pods"][-1]
    rs = world.lists["replicasets"][-1]["metadata"]["name"]
    (pod,) = added(world, (RS, rs), [body, proxy], first=2, age=20, phase="Pending")
    said = (
        f'Failed to pull image "{image}": rpc error: code = NotFound desc = failed to pull and unpack '
        f'image "{image}": failed to resolve reference "{image}": {image}: not found'
    )
    world.event(pod, "Failed", said, part="istio-proxy", first=20, last=2, count=6)
    world.event(
        pod,
        "BackOff",
        f'Back-off pulling image "{image}"',
        part="istio-proxy",
        first=20,
        last=0.3,
        count=80,
        normal=True,
    )
    works(world, "waybill-0", "waybill-1")


@INCIDENTS.of(
    "ballast pods don't get past ContainerCreating on the new pool",
    "S1",
    finds("SANDBOX_FAILED", "cause", event("Pod/ballast-0", "FailedCreatePodSandBox", "no runtime for")),
    never=("VOLUME_MOUNT_FAILED", "CONTAINER_NOT_CREATED", "NO_PROBLEM_FOUND"),
    app="ballast",
)
@busy
def _runtime_is_not_on_the_node(world: World) -> None:
    (pod,) = replicas(world, waiting("ballast", "ContainerCreating", **served()), age=15)
    said = (
        "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: "
        'no runtime for "kata-qemu" is configured'
    )
    world.event(pod, "FailedCreatePodSandBox", said, first=15, last=0.2, count=68)


@INCIDENTS.of(
    "can't pull tariff:12 from artifact registry, does it exist?",
    "S1",
    finds("IMAGE_PULL_UNAUTHORIZED", "cause", event("Pod/tariff-0", "Failed", "downloadArtifacts")),
    never=("IMAGE_PULL_NOT_FOUND", "IMAGE_PULL_UNKNOWN"),
    app="tariff",
)
@busy
def _registry_says_denied_or_absent(world: World) -> None:
    image = "europe-west1-docker.pkg.dev/rail-prod/apps/tariff:12"
    message = f'Back-off pulling image "{image}"'
    (pod,) = replicas(world, waiting("tariff", "ImagePullBackOff", message, image=image, **served()), age=12)
    said = (
        f'Failed to pull image "{image}": rpc error: code = Unknown desc = failed to pull and unpack '
        f'image "{image}": failed to resolve reference '
        f'"{image}": failed to authorize: failed to fetch oauth token: unexpected status from GET request '
        "to https://europe-west1-docker.pkg.dev/v2/token: "
        '403 Forbidden: denied: Permission "artifactregistry.repositories.downloadArtifacts" denied on resource '
        '"projects/rail-prod/locations/europe-west1/repositories/apps" (or it may not exist)'
    )
    world.event(pod, "Failed", said, part="tariff", first=12, last=1, count=6)
    world.event(pod, "BackOff", message, part="tariff", first=12, last=0.3, count=50, normal=True)


@INCIDENTS.of(
    "archive 写入全部失败,Pod 状态却是正常的",
    "S2",
    finds("ERROR_BURST", "cause", logged("archive-0", "archive", "只读文件系统", 64)),
    language="zh",
    accepted=("S1",),
    never=("CONFIG_REF_MISSING", "DEPENDENCY_TIMEOUT", "VOLUME_NEARLY_FULL", "NO_PROBLEM_FOUND"),
    app="archive",
)
@busy
def _file_system_became_read_only(world: World) -> None:
    complains(
        world,
        64,
        "2026-11-20 09:58:01 ERROR 保存文件失败 /data/{n}.bin: 只读文件系统",
        line="2026-11-20 09:58:01 INFO 收到 {n}",
    )


@INCIDENTS.of(
    "余票统计的定时任务从昨天开始就不跑了",
    "S2",
    finds(
        "CRONJOB_NOT_STARTING", "cause", event("CronJob/seat-count", "JobAlreadyActive", "prior execution is running")
    ),
    language="zh",
    also=("IMAGE_PULL_NOT_FOUND",),
    never=("NO_PROBLEM_FOUND", "CRONJOB_SUSPENDED"),
    app="seat-count",
)
@busy
def _run_of_yesterday_has_no_image(world: World) -> None:
    image = "r.example/seat-count:19"
    body = waiting("seat-count", "ImagePullBackOff", f'Back-off pulling image "{image}"', image=image)
    pod = forbidding(world, "seat-count", "*/5 * * * *", since=1_320, body=body)
    world.lists["pods"][-1]["status"]["phase"] = "Pending"
    world.event(
        pod,
        "Failed",
        f'Failed to pull image "{image}": {image}: not found',
        part="seat-count",
        first=58,
        last=3,
        count=11,
    )


@INCIDENTS.of(
    "one pod of viaduct is Failed with 137, was it out of memory?",
    "S0",
    WELL,
    accepted=("S3",),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "REPLICAS_MISSING", "CRASH_LOOP"),
    app="viaduct",
)
@busy
def _left_by_a_machine_that_is_gone(world: World) -> None:
    works(
        world,
        *replicas(world, [container("viaduct", since=300, **served())], [container("viaduct", since=300, **served())]),
    )
    message = "The container could not be located when the pod was terminated"
    gone = container(
        "viaduct",
        ended={
            "exitCode": 137,
            "reason": "ContainerStatusUnknown",
            "message": message,
            "startedAt": None,
            "finishedAt": None,
        },
        ready=False,
    )
    rs = world.lists["pods"][-1]["metadata"]["ownerReferences"][0]["name"]
    world.pod(
        (RS, rs),
        gone,
        name="viaduct-9",
        ready=False,
        age=9_000,
        node="node-gone",
        phase="Failed",
        reason="Terminated",
        message="Pod was terminated in response to imminent node shutdown.",
    )
    world.lists["pods"][-1]["spec"]["nodeName"] = "node-gone"


@INCIDENTS.of(
    "stops can't load the big lines, small ones work",
    "S2",
    finds("ERROR_BURST", "cause", logged("stops-0", "stops", "received message larger than max", 44)),
    accepted=("S1", "S3"),
    never=("DEPENDENCY_TIMEOUT", "MEMORY_NEAR_LIMIT", "OOM_KILLED", "NO_PROBLEM_FOUND"),
    app="stops",
)
@busy
def _answer_is_larger_than_allowed(world: World) -> None:
    complains(
        world,
        44,
        'level=error msg="line {n}" err="rpc error: code = ResourceExhausted desc = grpc: received '
        'message larger than max (5120331 vs. 4194304)"',
        line="level=info msg=line n={n}",
        each_s=15,
    )
