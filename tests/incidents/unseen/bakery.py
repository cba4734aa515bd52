"""Incidents of a bakery's ovens, held back until others had been mended, and run once."""

from evals.diagnosis.composed.scene import added, complains, refused, replicas, times, unplaced, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end

RS = "ReplicaSet"
APP = "oven"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "oven 的日志没有进到 ELK,怎么回事?",
    "S2",
    finds("SIDECAR_FAILING", "cause", logged("oven-0", "fluent-bit", "could not open", 1)),
    language="zh",
    accepted=("S1", "S2", "S3"),
    never=("CRASH_LOOP", "READINESS_FAILING", "OOM_KILLED"),
)
def _shipper_beside_it_crashes(world: World) -> None:
    (pod,) = replicas(world, [container(APP), crashing("fluent-bit", 1, restarts=40)], age=300)
    world.every(pod, APP, "INFO baked {n}", since=50)
    world.log(
        pod,
        "fluent-bit",
        (2.2, "[2026/11/20 09:57:48] [ info] [fluent bit] version=3.1.9"),
        (2.1, "[2026/11/20 09:57:54] [error] [config] could not open /fluent-bit/etc/parsers.cnf"),
    )
    world.event(pod, "BackOff", "Back-off restarting failed container fluent-bit", part="fluent-bit", count=210)


@INCIDENTS.of(
    "oven's deployment is one pod short since the image policy came",
    "S2",
    finds("REPLICAS_MISSING", "cause", event("ReplicaSet/oven-rs", "FailedCreate", "no matching signatures")),
    also=("ROLLOUT_STUCK",),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND", "QUOTA_EXCEEDED", "CERTIFICATE_REFUSED"),
)
def _image_is_not_signed(world: World) -> None:
    said = (
        'Error creating: admission webhook "policy.sigstore.dev" denied the request: validation failed: failed policy: '
        "signed-by-ci: spec.template.spec.containers[0].image r.example/oven@sha256:77: no matching signatures"
    )
    refused(world, said, wanted=3, ready=2)


@INCIDENTS.of(
    "oven scales up and down all day, is it sick?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("HPA_AT_LIMIT", "HPA_NOT_SCALING", "REPLICAS_MISSING", "CPU_THROTTLED", "ROLLOUT_STUCK"),
)
def _scaler_goes_up_and_down(world: World) -> None:
    works(world, *replicas(world, *(container(APP, since=5 + 9 * number) for number in range(3))))
    world.scaler(
        {"type": "AbleToScale", "status": "True", "reason": "ScaleDownStabilized"},
        {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound"},
        {"type": "ScalingLimited", "status": "False", "reason": "DesiredWithinRange"},
        most=10, current=3, least=2,
    )  # fmt: skip
    for number, size in enumerate((4, 2, 5, 3)):
        ago = 55 - number * 15
        world.event(APP, "SuccessfulRescale", f"New size: {size}; reason: cpu resource utilization above target",
                    kind="HorizontalPodAutoscaler", normal=True, first=ago, last=ago, count=1)  # fmt: skip


@INCIDENTS.of(
    "oven-db waits for its disk",
    "S1",
    finds("PVC_UNBOUND", "cause", event("PersistentVolumeClaim/data-oven-db-0", "ProvisioningFailed", "not found")),
    app="oven-db",
    never=("UNSCHEDULABLE_RESOURCES", "UNSCHEDULABLE_PLACEMENT", "VOLUME_MOUNT_FAILED"),
)
def _class_of_the_disk_is_misspelt(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = (
        "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are "
        "available: 3 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=("StatefulSet", "oven-db"), name="oven-db-0", claims=("data-oven-db-0",))
    world.add(
        "persistentvolumeclaims", "data-oven-db-0", spec={"storageClassName": "fsat"}, status={"phase": "Pending"}
    )
    world.event("data-oven-db-0", "ProvisioningFailed", 'storageclass.storage.k8s.io "fsat" not found',
                kind="PersistentVolumeClaim", first=24, last=0.4, count=98)  # fmt: skip


@INCIDENTS.of(
    "why do orders for oven end in 502?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("oven-0", APP, "connection refused", 50)),
    finds("HTTP_5XX_RATIO", ""),
    also=("ERROR_BURST",),
    never=("DNS_FAILURE", "NETWORK_POLICY_BLOCKS", "CRASH_LOOP"),
)
def _flour_lives_elsewhere(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods, bad=4)
    for pod in pods:
        times(
            world, pod, APP, 50,
            "2026-11-20 09:58:11.200 ERROR 1 --- [nio-8080-exec-{n}] o.e.oven.Flour : order failed",
            "org.springframework.web.client.ResourceAccessException: I/O error on POST request for "
            '"http://flour.mill.svc.cluster.local:8080/take": connection refused',
            "\tat org.springframework.web.client.RestTemplate.doExecute(RestTemplate.java:905)", each_s=14,
        )  # fmt: skip


@INCIDENTS.of(
    "oven had trouble at half past nine. is it over?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("DEPENDENCY_TIMEOUT", "ERROR_BURST", "HTTP_5XX_RATIO", "READINESS_FAILING"),
)
def _trouble_is_over(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    for pod in pods:
        times(
            world,
            pod,
            APP,
            40,
            "ERROR flour {n}: Post http://flour:8080/take: context deadline exceeded",
            last=19,
            each_s=15,
        )
        said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
        world.event(pod, "Unhealthy", said, part=APP, first=30, last=18.5, count=60)


@INCIDENTS.of(
    "half the calls of oven fail with a strange lookup error",
    "S1",
    finds("DNS_FAILURE", "cause", logged("oven-0", APP, "server misbehaving", 48)),
    finds("HTTP_5XX_RATIO", ""),
    also=("ERROR_BURST",),
    never=("DEPENDENCY_TIMEOUT", "CERTIFICATE_REFUSED"),
)
def _resolver_misbehaves(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods, bad=9)
    for pod in pods:
        line = 'level=error n={n} err="dial tcp: lookup flour.mill on 10.96.0.10:53: server misbehaving"'
        times(world, pod, APP, 48, line, each_s=15)


@INCIDENTS.of(
    "where did oven go?",
    "S0",
    finds("NO_PODS_FOUND", "conclusion", api("Deployment/oven", "spec.replicas", 0)),
    never=("NO_PROBLEM_FOUND", "REPLICAS_MISSING", "HPA_NOT_SCALING"),
)
def _scaled_to_nothing_by_its_scaler(world: World) -> None:
    world.deployment(wanted=0, ready=0)
    said = "Scaled down replica set oven-5f to 0 from 2"
    world.event(APP, "ScalingReplicaSet", said, kind="Deployment", normal=True, first=28, last=28, count=1)
    world.event(APP, "KEDAScaleTargetDeactivated", "Deactivated apps/v1.Deployment shop/oven from 2 to 0",
                kind="ScaledObject", normal=True, first=28, last=28, count=1)  # fmt: skip


@INCIDENTS.of(
    "oven-db-0 moved to another node and does not start there",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "", event("Pod/oven-db-0", "FailedAttachVolume", "Multi-Attach error")),
    app="oven-db",
    also=("NODE_NOT_READY", "TERMINATION_STUCK"),
    never=("PVC_UNBOUND", "SANDBOX_FAILED", "UNSCHEDULABLE_PLACEMENT"),
)
def _disk_is_still_on_the_dead_node(world: World) -> None:
    world.node("node-b", ready="Unknown", minutes=16, message="Kubelet stopped posting node status.")
    world.stateful_set(wanted=1, ready=0)
    added(world, ("StatefulSet", "oven-db"), [waiting("oven-db", "ContainerCreating")], age=9)
    said = 'Multi-Attach error for volume "pvc-9" Volume is already exclusively attached to one node'
    world.event("oven-db-0", "FailedAttachVolume", said, first=9, last=8.9, count=1)
    said = "Unable to attach or mount volumes: unmounted volumes=[data]: timed out waiting for the condition"
    world.event("oven-db-0", "FailedMount", said, first=7, last=0.5, count=3)


@INCIDENTS.of(
    "is anything wrong in shop?",
    "S1",
    finds("IMAGE_PULL_UNAUTHORIZED", "cause", event("Pod/till-0", "Failed", "401 Unauthorized")),
    whole=True,
    also=("ROLLOUT_STUCK", "REPLICAS_MISSING"),
    never=("OOM_KILLED", "NO_PROBLEM_FOUND", "IMAGE_PULL_NOT_FOUND", "JOB_BACKOFF_LIMIT"),
)
def _one_of_three_lacks_its_image(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    image = "r.example/till:4"
    (till,) = replicas(world, waiting("till", "ErrImagePull", image=image), app="till", age=12)
    said = f'Failed to pull image "{image}": failed to authorize: GET https://r.example/token: 401 Unauthorized'
    world.event(till, "Failed", said, part="till", first=12, last=1, count=6)
    old = container("shelf", restarts=1, last=end(137, "OOMKilled", 3_000), since=2_999)
    works(world, *replicas(world, old, app="shelf"), name="shelf")


@INCIDENTS.of(
    "oven 报错很多,从什么时候开始的?",
    "S2",
    finds("ERROR_BURST", "cause", logged("oven-0", APP, "库存不足", 90)),
    language="zh",
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CRASH_LOOP"),
)
def _stock_is_never_enough(world: World) -> None:
    complains(
        world, 90, '{"time":"2026-11-20 17:58:00","level":"ERROR","msg":"下单失败: 库存不足, 批次={n}"}',
        line='{"time":"2026-11-20 17:58:00","level":"INFO","msg":"下单成功 {n}"}', each_s=8,
    )  # fmt: skip


@INCIDENTS.of(
    "oven loses a pod now and then and 5% of its answers are late",
    "S2",
    finds("CPU_THROTTLED", "", api("Pod/oven-1", "spec.containers[name=oven].resources.limits.cpu", "300m")),
    finds(
        "OOM_KILLED",
        "cause",
        of_status("oven-0", "oven", "lastState.terminated.reason", "OOMKilled"),
    ),
    accepted=("S1", "S2"),
    also=("MEMORY_NEAR_LIMIT",),
    never=("CRASH_LOOP", "EXIT_137_UNCONFIRMED", "LIVENESS_KILLED"),
)
def _too_little_of_both(world: World) -> None:
    limits = {"cpu": "300m", "memory": "1Gi"}
    oomed = container(APP, since=9, restarts=4, last=end(137, "OOMKilled", 9.1, ran=50), limits=dict(limits))
    for pod in replicas(world, oomed, container(APP, limits=dict(limits))):
        world.every(pod, APP, "INFO baked {n}", since=50)
        world.usage(pod, APP, cpu=0.3, throttled=0.58, memory=0.7)
        world.requests(pod, bad=0, good=20)
