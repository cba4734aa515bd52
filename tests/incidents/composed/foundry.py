"""Incidents of a foundry's ladles, of shapes that no other has, written before anything ran on them and run once."""

from evals.diagnosis.composed.scene import added, job, replicas, times, unplaced, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

APP = "ladle"
RS = "ReplicaSet"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "one of the ladle pods was thrown out and does not come back",
    "S2",
    finds("UNSCHEDULABLE_RESOURCES", "cause", event("Pod/ladle-1", "FailedScheduling", "Insufficient cpu")),
    never=("EVICTED", "UNSCHEDULABLE_PLACEMENT", "NODE_PRESSURE"),
)
def _preempted_by_something_urgent(world: World) -> None:
    rs = world.deployment(wanted=2, ready=1)
    works(world, *added(world, (RS, rs), [container(APP)]))
    world.event("ladle-old", "Preempted", "Preempted by pod 9f2a on node node-b", first=22, last=22, count=1)
    said = (
        "0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: "
        "2 No preemption victims found for incoming pod."
    )
    unplaced(world, said, owner=(RS, rs), name="ladle-1", requests={"cpu": "3"})


@INCIDENTS.of(
    "why did ladle die?",
    "S1",
    finds("EXIT_137_UNCONFIRMED", ""),
    also=("CRASH_LOOP",),
    never=("OOM_KILLED",),
    accepted=("S1", "S2"),
)
def _node_ran_out_of_memory(world: World) -> None:
    replicas(world, crashing(APP, 137, "Error", limits={"memory": "4Gi"}))
    world.event("node-a", "SystemOOM", "System OOM encountered, victim process: java, pid: 811", kind="Node", count=3)


@INCIDENTS.of(
    "ladle loses requests now and then",
    "S2",
    finds("ERROR_BURST", "cause", logged("ladle-0", APP, "SIGKILL", 14)),
    never=("OOM_KILLED", "CRASH_LOOP", "EXIT_137_UNCONFIRMED"),
    accepted=("S1", "S2", "S3"),
)
def _workers_killed_inside(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    works(world, pod)
    times(
        world,
        pod,
        APP,
        14,
        "[2026-11-20 09:58:01 +0000] [1] [ERROR] Worker (pid:{n}) was sent SIGKILL! Perhaps out of memory?",
    )


@INCIDENTS.of(
    "ladle does not get past its start",
    "S1",
    finds("CONTAINER_NOT_CREATED", ""),
    also=("CRASH_LOOP", "CONTAINER_RESTARTING"),
    never=("LIVENESS_KILLED", "CONFIG_REF_MISSING"),
)
def _hook_after_the_start_fails(world: World) -> None:
    said = "PostStartHook failed: command '/bin/warm' exited with 1: no such cache"
    (pod,) = replicas(world, waiting(APP, "PostStartHookError", said, restarts=6, last=end(143, "Error", 2)))
    world.event(pod, "FailedPostStartHook", said, part=APP, first=25, last=1, count=6)


@INCIDENTS.of(
    "orders are not poured, is ladle broken?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("ladle-0", APP, "rabbit-ladle", 30)),
    never=("DNS_FAILURE", "ERROR_BURST"),
    accepted=("S1", "S2"),
)
def _message_broker_refuses(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    world.usage(pod, APP, throttled=0.0)
    times(
        world, pod, APP, 30,
        "ERROR pika.adapters: Socket failed to connect: AMQPConnectorSocketConnectError: "
        "ConnectionRefusedError(111, 'Connection refused') rabbit-ladle:5672",
    )  # fmt: skip


@INCIDENTS.of(
    "ladle is slow and something in it restarts",
    "S1",
    finds("OOM_KILLED", "cause"),
    finds("CPU_THROTTLED", "", api("Pod/ladle-0", "spec.containers[name=ladle].resources.limits.cpu", "200m")),
    accepted=("S1", "S2"),
    also=("SIDECAR_FAILING", "CRASH_LOOP"),
)
def _throttled_beside_a_worker_without_memory(world: World) -> None:
    (pod,) = replicas(
        world,
        [
            container(APP, limits={"cpu": "200m"}),
            crashing("worker", 137, "OOMKilled", limits={"memory": "128Mi"}),
        ],
    )
    world.usage(pod, APP, throttled=0.7)


@INCIDENTS.of(
    "all ladle pods were restarted at once, what went wrong?",
    "S3",
    WELL,
    never=("CRASH_LOOP", "EVICTED", "LIVENESS_KILLED", "NODE_NOT_READY", "CONTAINER_RESTARTING"),
    accepted=("S0", "S3"),
)
def _node_was_drained(world: World) -> None:
    rs = world.deployment(wanted=3, ready=3)
    works(world, *added(world, (RS, rs), *([container(APP, since=9)] for _ in range(3)), age=9))
    for number in range(3):
        world.event(
            f"ladle-old{number}", "Killing", "Stopping container ladle", normal=True, first=10, last=10, count=1
        )
        world.event(
            f"ladle-old{number}",
            "TaintManagerEviction",
            "Marking for deletion Pod",
            normal=True,
            first=10,
            last=10,
            count=1,
        )


@INCIDENTS.of(
    "is ladle's autoscaler stuck?",
    "S3",
    WELL,
    never=("HPA_AT_LIMIT", "HPA_NOT_SCALING"),
    accepted=("S0", "S3"),
)
def _scaler_came_down_again(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    able = {
        "type": "AbleToScale",
        "status": "True",
        "reason": "ScaleDownStabilized",
        "message": "recent recommendations",
    }
    free = {"type": "ScalingLimited", "status": "False", "reason": "DesiredWithinRange", "message": "within range"}
    world.scaler(able, free, most=6, current=2)
    world.event(
        APP, "SuccessfulRescale", "New size: 6", kind="HorizontalPodAutoscaler", normal=True, first=50, last=50, count=1
    )


@INCIDENTS.of(
    "ladle 为什么老是重启?",
    "S1",
    finds("LIVENESS_KILLED", "cause", event("Pod/ladle-0", "Killing", "failed liveness probe")),
    language="zh",
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED"),
    also=("DEPENDENCY_TIMEOUT",),
    accepted=("S1", "S2"),
)
def _grpc_probe(world: World) -> None:
    (pod,) = replicas(world, container(APP, since=1.1, restarts=7, last=end(137, "Error", 1.2, ran=4)))
    world.event(
        pod,
        "Killing",
        "Container ladle failed liveness probe, will be restarted",
        normal=True,
        part=APP,
        first=34,
        last=1.2,
        count=7,
    )
    said = (
        'Liveness probe failed: timeout: failed to connect service "10.2.3.4:9000" within 1s: context deadline exceeded'
    )
    world.event(pod, "Unhealthy", said, part=APP, first=35, last=0.4, count=22)


@INCIDENTS.of(
    "new ladle pod cannot be started",
    "S1",
    finds("IMAGE_PULL_UNKNOWN", ""),
    finds("NODE_PRESSURE", ""),
    never=("IMAGE_PULL_NOT_FOUND", "IMAGE_PULL_UNAUTHORIZED"),
)
def _no_space_for_the_image(world: World) -> None:
    world.node("node-a", pressure="DiskPressure", minutes=16, message="kubelet has disk pressure")
    (pod,) = replicas(world, waiting(APP, "ImagePullBackOff", 'Back-off pulling image "r.example/app:1.0"'))
    said = (
        'Failed to pull image "r.example/app:1.0": failed to pull and unpack image: failed to '
        "copy: write /var/lib/containerd/ingest/data: no space left on device"
    )
    world.event(pod, "Failed", said, part=APP, first=15, last=2, count=5)


@INCIDENTS.of(
    "ladle on the new machines: image trouble?",
    "S1",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/ladle-0", "Failed", "no match for platform")),
    never=("IMAGE_PULL_UNAUTHORIZED",),
)
def _no_image_for_this_machine(world: World) -> None:
    (pod,) = replicas(world, waiting(APP, "ErrImagePull", "rpc error: code = NotFound"))
    said = (
        'Failed to pull image "r.example/app:1.0": rpc error: code = NotFound desc = failed to '
        'pull and unpack image "r.example/app:1.0": no match for platform in manifest: not found'
    )
    world.event(pod, "Failed", said, part=APP, first=15, last=1, count=6)


@INCIDENTS.of(
    "what keeps ladle from starting?",
    "S1",
    finds(
        "CONTAINER_NOT_CREATED",
        "cause",
        of_status("ladle-0", "ladle", "state.waiting.reason", "CreateContainerConfigError"),
    ),
    never=("CONFIG_REF_MISSING",),
)
def _would_run_as_root(world: World) -> None:
    said = 'container has runAsNonRoot and image will run as root (pod: "ladle-0_shop(77)", container: ladle)'
    (pod,) = replicas(world, waiting(APP, "CreateContainerConfigError", said))
    world.event(pod, "Failed", f"Error: {said}", part=APP, first=20, last=1, count=30)


@INCIDENTS.of(
    "ladle starts nowhere after the config change",
    "S1",
    finds("CONTAINER_NOT_CREATED", "cause"),
    never=("CONFIG_REF_MISSING", "VOLUME_MOUNT_FAILED"),
    also=("VOLUME_MOUNT_FAILED",),
)
def _path_inside_a_volume(world: World) -> None:
    said = 'failed to prepare subPath for volumeMount "settings" of container "ladle"'
    (pod,) = replicas(world, waiting(APP, "CreateContainerConfigError", said))
    world.event(pod, "Failed", f"Error: {said}", part=APP, first=12, last=1, count=20)


@INCIDENTS.of(
    "ladle gets no traffic though its pods run",
    "S1",
    finds("REPLICAS_MISSING", ""),
    never=("READINESS_FAILING", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
    also=("SERVICE_NO_ENDPOINTS",),
    accepted=("S1", "S2"),
)
def _gate_of_the_load_balancer(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    world.lists["deployments"][-1]["status"] |= {"readyReplicas": 0, "availableReplicas": 0, "unavailableReplicas": 2}
    for each in world.lists["pods"]:
        each["spec"]["readinessGates"] = [{"conditionType": "balancer.example/target-health"}]
        each["status"]["conditions"][2] |= {
            "status": "False",
            "reason": "ReadinessGatesNotReady",
            "lastTransitionTime": stamp(30),
        }
        each["status"]["conditions"].append(
            {
                "type": "balancer.example/target-health",
                "status": "False",
                "reason": "Target.Timeout",
                "lastTransitionTime": stamp(30),
            }
        )


@INCIDENTS.of(
    "ladle 起不来,是不是内存不够?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("ladle-0", APP, "OutOfMemoryError", 1)),
    language="zh",
    never=("OOM_KILLED", "MEMORY_NEAR_LIMIT"),
)
def _heap_of_java(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 3, "Error", limits={"memory": "2Gi"}))
    world.log(
        pod, APP,
        (2.2, "INFO loading moulds"),
        (2.05, "Terminating due to java.lang.OutOfMemoryError: Java heap space"),
    )  # fmt: skip


@INCIDENTS.of(
    "did last night's ladle report run?",
    "S2",
    finds(
        "JOB_DEADLINE_EXCEEDED",
        "",
        api("Job/ladle-report", "status.conditions[type=Failed].reason", "DeadlineExceeded"),
    ),
    accepted=("S1", "S2", "S3"),
    also=("UNSCHEDULABLE_RESOURCES", "OLD_WARNINGS", "NO_PODS_FOUND"),
)
def _job_never_got_a_node(world: World) -> None:
    job(world, "ladle-report", reason="DeadlineExceeded", age=55)
    world.event(
        "ladle-report-x",
        "FailedScheduling",
        "0/2 nodes are available: 2 Insufficient memory.",
        first=54,
        last=31,
        count=9,
    )


@INCIDENTS.of(
    "one ladle is missing since the device plug-in was updated",
    "S2",
    finds("REPLICAS_MISSING", ""),
    never=("EVICTED", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
)
def _devices_are_not_well(world: World) -> None:
    rs = world.deployment(wanted=2, ready=1)
    works(world, *added(world, (RS, rs), [container(APP)]))
    said = "Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices"
    for number in range(4):
        name = f"ladle-f{number}"
        world.pod(
            (RS, rs),
            name=name,
            ready=False,
            age=20 - 4 * number,
            phase="Failed",
            reason="UnexpectedAdmissionError",
            message=said,
        )
        world.event(name, "UnexpectedAdmissionError", said, first=20 - 4 * number, last=20 - 4 * number, count=1)


@INCIDENTS.of(
    "there are failed ladle pods, do we have an outage?",
    "S3",
    WELL,
    never=("EVICTED", "CRASH_LOOP", "NODE_NOT_READY", "REPLICAS_MISSING"),
    accepted=("S0", "S3"),
)
def _node_was_shut_down(world: World) -> None:
    rs = world.deployment(wanted=2, ready=2)
    works(world, *added(world, (RS, rs), [container(APP)], [container(APP)]))
    for number in range(2):
        world.pod(
            (RS, rs), name=f"ladle-s{number}", ready=False, age=3_000, phase="Failed", reason="Terminated",
            message="Pod was terminated in response to imminent node shutdown.",
        )  # fmt: skip


@INCIDENTS.of(
    "is something wrong with ladle's disk?",
    "S3",
    WELL,
    never=("PVC_UNBOUND", "VOLUME_MOUNT_FAILED"),
    accepted=("S0", "S3"),
)
def _disk_is_growing(world: World) -> None:
    works(world, *replicas(world, container(APP)))
    world.add(
        "persistentvolumeclaims", "data-ladle",
        spec={"resources": {"requests": {"storage": "40Gi"}}},
        status={"phase": "Bound", "conditions": [{"type": "FileSystemResizePending", "status": "True"}]},
    )  # fmt: skip
    world.event(
        "data-ladle",
        "FileSystemResizeRequired",
        "Require file system resize of volume on node",
        kind="PersistentVolumeClaim",
        normal=True,
    )


@INCIDENTS.of(
    "every call to ladle takes seconds",
    "S2",
    finds(
        "CPU_THROTTLED", "cause", api("Pod/ladle-0", "spec.containers[name=mesh-proxy].resources.limits.cpu", "100m")
    ),
    never=("ERROR_BURST", "NO_PROBLEM_FOUND"),
    accepted=("S1", "S2"),
)
def _the_proxy_is_throttled(world: World) -> None:
    (pod,) = replicas(world, [container(APP), container("mesh-proxy", limits={"cpu": "100m"})])
    works(world, pod)
    world.usage(pod, "mesh-proxy", throttled=0.8)


@INCIDENTS.of(
    "readiness of ladle fails again and again?",
    "S3",
    WELL,
    never=("READINESS_FAILING", "REPLICAS_MISSING"),
    accepted=("S0", "S3"),
)
def _the_one_that_goes(world: World) -> None:
    rs = world.deployment(wanted=1, ready=1)
    works(world, *added(world, (RS, rs), [container(APP)]))
    added(world, (RS, rs), [container(APP) | {"ready": False}], first=1)
    world.lists["pods"][-1]["metadata"] |= {"deletionTimestamp": stamp(-0.3), "deletionGracePeriodSeconds": 60}
    said = 'Readiness probe failed: Get "http://10.1.1.9:80/ready": connection refused'
    world.event("ladle-1", "Unhealthy", said, part=APP, first=0.6, last=0.1, count=4)
    world.event("ladle-1", "Killing", "Stopping container ladle", normal=True, part=APP, first=0.7, last=0.7, count=1)


@INCIDENTS.of(
    "ladle is being created for half an hour now",
    "S1",
    finds("REPLICAS_MISSING", ""),
    never=("IMAGE_PULL_UNKNOWN", "IMAGE_PULL_NOT_FOUND", "VOLUME_MOUNT_FAILED", "NO_PROBLEM_FOUND", "SANDBOX_FAILED"),
)
def _image_is_pulled_for_ever(world: World) -> None:
    (pod,) = replicas(world, waiting(APP, "ContainerCreating"), age=28)
    world.event(pod, "Pulling", 'Pulling image "r.example/app:1.0"', normal=True, part=APP, first=28, last=28, count=1)


@INCIDENTS.of(
    "is anything wrong in shop?",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", "", event("Pod/tongs-0", "FailedScheduling", "free ports")),
    finds(
        "OOM_KILLED",
        "",
        of_status("mould-0", "mould", "lastState.terminated.reason", "OOMKilled"),
    ),
    whole=True,
    also=("CRASH_LOOP", "REPLICAS_MISSING"),
    never=("UNSCHEDULABLE_RESOURCES",),
)
def _two_of_three(world: World) -> None:
    works(world, *replicas(world, container(APP)))
    replicas(world, crashing("mould", 137, "OOMKilled", limits={"memory": "64Mi"}), app="mould")
    rs = world.deployment("tongs", wanted=1, ready=0)
    said = "0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports."
    unplaced(world, said, owner=(RS, rs), name="tongs-0")
