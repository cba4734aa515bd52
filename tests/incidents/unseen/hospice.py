"""The last incidents of a clinic, held back until the others had been mended, and run once."""

from evals.diagnosis.composed.scene import added, complains, refused, replicas, rollout, times, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end

RS = "ReplicaSet"
APP = "rounds"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "half of what goes to rounds comes back broken",
    "S1",
    finds("HTTP_5XX_RATIO", ""),
    also=("ERROR_BURST",),
    never=("NO_PROBLEM_FOUND", "DEPENDENCY_TIMEOUT"),
)
def _measured_by_the_mesh(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    world.every(pod, APP, "INFO round {n} planned", since=58)
    own = {"namespace": "shop", "pod": pod, "destination_workload": APP, "reporter": "destination"}
    world.counter("istio_requests_total", own | {"response_code": "200"}, per_s=5)
    world.counter("istio_requests_total", own | {"response_code": "503"}, per_s=5, before=0.0)


@INCIDENTS.of(
    "rounds-0 is ContainerCreating for 20 minutes",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "", event("Pod/rounds-0", "FailedMount", "timed out waiting for the condition")),
    never=("DEPENDENCY_TIMEOUT", "PVC_UNBOUND", "SANDBOX_FAILED"),
)
def _volume_never_comes(world: World) -> None:
    (pod,) = replicas(world, waiting(APP, "ContainerCreating"), age=20)
    said = (
        "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data kube-api-access-9x2kd]: "
        "timed out waiting for the condition"
    )
    world.event(pod, "FailedMount", said, first=18, last=1.5, count=8)


@INCIDENTS.of(
    "where is rounds? nothing is created any more",
    "S1",
    finds("NO_PODS_FOUND", "", event("ReplicaSet/rounds-rs", "FailedCreate", "being terminated")),
    also=("REPLICAS_MISSING",),
    never=("QUOTA_EXCEEDED", "TERMINATION_STUCK"),
)
def _namespace_goes_away(world: World) -> None:
    said = (
        'Error creating: pods "{rs}-2kfxq" is forbidden: unable to create new content in namespace shop because it is '
        "being terminated"
    )
    refused(world, said, wanted=2, ready=0)


@INCIDENTS.of(
    "shop 里现在有哪些服务不正常?",
    "S1",
    finds("CONFIG_REF_MISSING", "cause", event("Pod/beds-0", "Failed", "beds-env")),
    finds("LIVENESS_KILLED", "cause", event("Pod/rounds-0", "Killing", "failed liveness probe")),
    language="zh",
    also=("CONTAINER_RESTARTING",),
    never=("OOM_KILLED", "CRASH_LOOP", "EXIT_137_UNCONFIRMED"),
    whole=True,
)
def _two_apps_two_troubles(world: World) -> None:
    probe = {"httpGet": {"path": "/healthz", "port": 8080}, "timeoutSeconds": 1}
    again = container(APP, livenessProbe=probe, restarts=6, last=end(143, "Error", 6, ran=8), since=5.9)
    pods = replicas(world, again, container(APP, livenessProbe=probe))
    works(world, *pods)
    said = "Container rounds failed liveness probe, will be restarted"
    world.event(pods[0], "Killing", said, normal=True, part=APP, first=50, last=6, count=6)
    said = "Liveness probe failed: HTTP probe failed with statuscode: 500"
    world.event(pods[0], "Unhealthy", said, part=APP, first=50, last=6.1, count=18)
    said = 'configmap "beds-env" not found'
    (bed,) = replicas(world, waiting("beds", "CreateContainerConfigError", said), app="beds", age=15)
    world.event(bed, "Failed", f"Error: {said}", part="beds", first=15, last=0.4, count=70)


@INCIDENTS.of(
    "rounds does not run on the arm nodes",
    "S2",
    finds("IMAGE_PULL_UNKNOWN", "", event("Pod/rounds-2", "Failed", "no matching manifest")),
    also=("ROLLOUT_STUCK", "IMAGE_PULL_NOT_FOUND"),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_UNUSABLE"),
)
def _no_image_for_arm(world: World) -> None:
    image = "reg.clinic.example/rounds:7"
    (new,) = rollout(world, waiting(APP, "ImagePullBackOff", image=image), age=16)
    said = (
        f'Failed to pull image "{image}": rpc error: code = Unknown desc = no matching manifest for linux/arm64/v8 in '
        "the manifest list entries"
    )
    world.event(new, "Failed", said, part=APP, first=16, last=2, count=7)


@INCIDENTS.of(
    "rounds 发布之后一直报错,帮忙看下",
    "S2",
    finds("ERROR_BURST", "cause", logged("rounds-0", APP, "index out of range", 60)),
    language="zh",
    accepted=("S1",),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND"),
)
def _recovers_from_panics(world: World) -> None:
    complains(
        world,
        60,
        'level=error msg="http: panic serving" err="runtime error: index out of range [3] with length 3" req={n}',
        line="level=info msg=planned req={n}",
        each_s=11,
    )
    world.replica_set(APP, wanted=0, ready=0, age=9_000, revision=0, image="r.example/app:0.9")


@INCIDENTS.of(
    "the new rounds won't even start",
    "S2",
    finds("CRASH_LOOP", "", of_status("rounds-2", APP, "lastState.terminated.reason", "StartError")),
    also=("ROLLOUT_STUCK",),
    accepted=("S1",),
    never=("OOM_KILLED", "CONFIG_REF_MISSING", "IMAGE_UNUSABLE"),
)
def _script_is_not_executable(world: World) -> None:
    body = crashing(APP, 128, "StartError", restarts=6)
    body["last"]["terminated"]["message"] = (
        'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: '
        'unable to start container process: exec: "/app/run.sh": permission denied: unknown'
    )  # fmt: skip
    (new,) = rollout(world, body, age=11)
    works(world, "rounds-0", "rounds-1")
    said = "Back-off restarting failed container rounds in pod rounds-2"
    world.event(new, "BackOff", said, part=APP, first=10, last=0.3, count=25)


@INCIDENTS.of(
    "why can't nurses see medication in rounds?",
    "S2",
    finds("ERROR_BURST", "cause", logged("rounds-0", APP, "503 Service Unavailable", 55)),
    accepted=("S1",),
    also=("DEPENDENCY_TIMEOUT",),
    never=("DNS_FAILURE", "NETWORK_POLICY_BLOCKS", "NO_PROBLEM_FOUND"),
)
def _pharmacy_answers_503(world: World) -> None:
    complains(
        world,
        55,
        "ERROR medication of {n}: GET http://pharmacy.clinic.svc/v1/list: 503 Service Unavailable",
        each_s=12,
    )


@INCIDENTS.of(
    "the update of rounds-log stopped at its last pod",
    "S2",
    finds("CRASH_LOOP", "cause", logged("rounds-log-2", "rounds-log", "unsupported on-disk format", 1)),
    accepted=("S1",),
    never=("ROLLOUT_STUCK", "OOM_KILLED", "VOLUME_MOUNT_FAILED"),
    app="rounds-log",
)
def _set_stops_at_its_last(world: World) -> None:
    world.stateful_set(wanted=3, ready=2)
    owner = ("StatefulSet", "rounds-log")
    names = added(world, owner, [container("rounds-log")], [container("rounds-log")], [crashing("rounds-log", 1)])
    works(world, *names[:2])
    world.log(names[2], "rounds-log", (2.2, "FATAL unsupported on-disk format version 7, this build reads up to 6"))
    said = "Back-off restarting failed container rounds-log"
    world.event(names[2], "BackOff", said, part="rounds-log", first=40, last=0.4, count=80)


@INCIDENTS.of(
    "rounds 内存是不是快满了?",
    "S0",
    WELL,
    language="zh",
    never=("MEMORY_NEAR_LIMIT", "OOM_KILLED", "CPU_THROTTLED"),
)
def _memory_is_at_its_usual(world: World) -> None:
    for pod in replicas(world, container(APP, limits={"memory": "1Gi"}), container(APP, limits={"memory": "1Gi"})):
        world.every(pod, APP, "INFO round {n} planned", since=58)
        world.requests(pod, bad=0, good=9)
        world.usage(pod, APP, memory=0.86, throttled=0.04)


@INCIDENTS.of(
    "users close the tab a lot, does rounds have a problem?",
    "S0",
    WELL,
    never=("ERROR_BURST", "DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO"),
)
def _callers_go_away(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    for pod in pods:
        times(world, pod, APP, 90, "WARN request {n} aborted: context canceled", each_s=36)
        times(world, pod, APP, 3, "ERROR write tcp 10.2.0.4:8080->10.9.1.2:5513: write: broken pipe {n}", each_s=900)


@INCIDENTS.of(
    "something next to rounds restarts all the time, is that bad?",
    "S2",
    finds("OOM_KILLED", "" ),
    accepted=("S3",),
    also=("SIDECAR_FAILING",),
    never=("CRASH_LOOP", "INIT_CONTAINER_FAILED", "EXIT_137_UNCONFIRMED"),
)  # fmt: skip
def _native_sidecar_is_too_small(world: World) -> None:
    proxy = container(
        "mesh", init=True, always=True, limits={"memory": "48Mi"}, restarts=8,
        last=end(137, "OOMKilled", 4, ran=7), since=3.9,
    )  # fmt: skip
    (pod,) = replicas(world, [proxy, container(APP)])
    works(world, pod)
