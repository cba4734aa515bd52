"""Incidents of an observatory, held back until the rules were mended for others."""

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
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

APP = "comet"
RS = "ReplicaSet"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "comet has two troubles: the new one and the old ones",
    "S2",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/comet-2", "Failed", "manifest unknown")),
    finds("MEMORY_NEAR_LIMIT"),
    also=("ROLLOUT_STUCK",),
    never=("OOM_KILLED", "IMAGE_PULL_UNAUTHORIZED"),
)
def _tag_missing_and_memory_near(world: World) -> None:
    image = "r.example/comet:2026-11-19"
    (pod,) = rollout(world, waiting(APP, "ErrImagePull", "rpc error", image=image))
    said = f'Failed to pull image "{image}": manifest for {image} not found: manifest unknown: manifest unknown'
    world.event(pod, "Failed", said, part=APP, first=17, last=1, count=7)
    for each in world.lists["pods"][:2]:
        each["spec"]["containers"][0]["resources"] = {"limits": {"memory": "1Gi"}, "requests": {}}
    world.usage("comet-0", APP, memory=0.97, cpu=0.05)
    world.usage("comet-1", APP, memory=0.94, cpu=0.05)


@INCIDENTS.of(
    "why does comet not scale with the load?",
    "S2",
    finds("HPA_NOT_SCALING", "cause", event("HorizontalPodAutoscaler/comet", "FailedGetScale", "not found")),
    accepted=("S2", "S3"),
    never=("HPA_AT_LIMIT",),
)
def _scaler_of_nothing(world: World) -> None:
    works(world, *replicas(world, container(APP)))
    said = 'deployments/scale.apps "comet-web" not found'
    conditions = [{"type": "AbleToScale", "status": "False", "reason": "FailedGetScale", "message": said}]
    world.scaler(*conditions, most=5, current=0, target="comet-web")
    world.event(APP, "FailedGetScale", said, kind="HorizontalPodAutoscaler", count=30)


@INCIDENTS.of(
    "does comet's autoscaler work?",
    "S0",
    WELL,
    never=("HPA_NOT_SCALING", "HPA_AT_LIMIT"),
)
def _scaler_at_its_minimum(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    conditions = [
        {"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale"},
        {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound"},
        {"type": "ScalingLimited", "status": "True", "reason": "TooFewReplicas", "message": "below min"},
    ]
    world.scaler(*conditions, most=5, current=2, least=2)
    world.event(
        APP,
        "FailedGetResourceMetric",
        "did not receive metrics for targeted pods (pods might be unready)",
        kind="HorizontalPodAutoscaler",
        first=59,
        last=55,
        count=2,
    )


@INCIDENTS.of(
    "comet-store-1 hangs",
    "S2",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/comet-1", "FailedAttachVolume", "Multi-Attach")),
    also=("REPLICAS_MISSING",),
    never=("PVC_UNBOUND",),
)
def _attached_elsewhere(world: World) -> None:
    world.stateful_set(wanted=2, ready=1)
    added(world, ("StatefulSet", APP), [container(APP)], [waiting(APP, "ContainerCreating")], age=16)
    world.lists["pods"][1]["spec"]["volumes"] = [{"name": "d", "persistentVolumeClaim": {"claimName": "d-comet-1"}}]
    world.add("persistentvolumeclaims", "d-comet-1", spec={"storageClassName": "ssd"}, status={"phase": "Bound"})
    said = (
        'Multi-Attach error for volume "pvc-7f" Volume is already exclusively attached to one node and can\'t be '
        "attached to another"
    )
    world.event("comet-1", "FailedAttachVolume", said, first=16, last=3, count=1)


@INCIDENTS.of(
    "彗星服务的新版本起不来",
    "S2",
    finds("CONFIG_REF_MISSING", "cause", event("Pod/comet-2", "Failed", "comet-keys")),
    also=("ROLLOUT_STUCK",),
    never=("CRASH_LOOP", "VOLUME_MOUNT_FAILED"),
    language="zh",
)
def _secret_of_the_new_version(world: World) -> None:
    said = 'secret "comet-keys" not found'
    ref = [{"secretRef": {"name": "comet-keys"}}]
    (pod,) = rollout(world, waiting(APP, "CreateContainerConfigError", said, envFrom=ref))
    world.event(pod, "Failed", f"Error: {said}", part=APP, first=18, last=0.3, count=80)


@INCIDENTS.of(
    "comet loses its connection again and again",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("comet-0", APP, "broker not available", 30)),
    accepted=("S1", "S2"),
    never=("CRASH_LOOP", "DNS_FAILURE"),
)
def _broker_gone(world: World) -> None:
    complains(
        world,
        30,
        "[{n}] ERROR KafkaConsumer - Connection to node 3 (kafka-3.stream/10.3.3.3:9092) could not be established, "
        "broker not available",
        each_s=12,
    )


@INCIDENTS.of(
    "the nightly reduction failed",
    "S2",
    finds("JOB_BACKOFF_LIMIT", ""),
    finds(
        "OOM_KILLED",
        "",
        of_status("comet-reduce-1", "run", "state.terminated.reason", "OOMKilled"),
    ),
    never=("EXIT_137_UNCONFIRMED",),
)
def _job_out_of_memory(world: World) -> None:
    tries = (
        ended(137, "OOMKilled", finished=30, limits={"memory": "2Gi"}),
        ended(137, "OOMKilled", finished=16, limits={"memory": "2Gi"}),
    )
    job(world, "comet-reduce", *tries, owner="comet-nightly")


@INCIDENTS.of(
    "was comet's nightly run skipped?",
    "S0",
    WELL,
    never=("JOB_BACKOFF_LIMIT", "CRONJOB_SUSPENDED", "NO_PODS_FOUND"),
)
def _schedule_that_runs(world: World) -> None:
    works(world, *replicas(world, container(APP)))
    world.add(
        "cronjobs",
        "comet-nightly",
        spec={"schedule": "0 3 * * *", "suspend": False},
        status={"lastScheduleTime": stamp(420)},
    )
    job(world, "comet-nightly-1", ended(0, "Completed", finished=400), age=420, owner="comet-nightly", done=True)


@INCIDENTS.of(
    "comet is unready now and then",
    "S0",
    WELL,
    accepted=("S0", "S2"),
    also=("OLD_WARNINGS", "READINESS_FAILING"),
    never=("CRASH_LOOP", "LIVENESS_KILLED", "REPLICAS_MISSING"),
)
def _flapped_and_came_back(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    world.lists["pods"][1]["status"]["conditions"][2]["lastTransitionTime"] = stamp(14)
    world.event(
        pods[1], "Unhealthy", "Readiness probe failed: context deadline exceeded", part=APP, first=50, last=15, count=22
    )


@INCIDENTS.of(
    "comet keeps restarting since we changed the probe",
    "S2",
    finds("LIVENESS_KILLED", "cause", event("Pod/comet-0", "Killing", "failed liveness probe")),
    accepted=("S1", "S2"),
    also=("CRASH_LOOP",),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "DEPENDENCY_TIMEOUT"),
)
def _probe_at_a_wrong_port(world: World) -> None:
    body = container(
        APP, since=1, restarts=8, last=end(143, "Error", 1.2, ran=1), livenessProbe={"tcpSocket": {"port": 9090}}
    )
    (pod,) = replicas(world, body, age=40)
    world.event(
        pod,
        "Unhealthy",
        "Liveness probe failed: dial tcp 10.1.4.4:9090: connect: connection refused",
        part=APP,
        first=39,
        last=0.4,
        count=25,
    )
    world.event(
        pod,
        "Killing",
        "Container comet failed liveness probe, will be restarted",
        normal=True,
        part=APP,
        first=38,
        last=1.2,
        count=8,
    )
    world.log(pod, APP, (0.9, "INFO listening on 8080"))


@INCIDENTS.of(
    "half of comet is gone",
    "S2",
    finds("NODE_NOT_READY", "cause", api("Node/node-b", "status.conditions[type=Ready].status", "False")),
    never=("CRASH_LOOP", "READINESS_FAILING"),
    also=("REPLICAS_MISSING",),
)
def _node_runtime_down(world: World) -> None:
    world.node("node-b", ready="False", minutes=20, message="container runtime is down")
    rs = world.deployment(wanted=2, ready=1)
    added(world, (RS, rs), [container(APP)])
    added(world, (RS, rs), [container(APP)], first=1, node="node-b")
    body = world.lists["pods"][-1]
    body["status"]["conditions"][2] |= {"status": "False", "lastTransitionTime": stamp(19)}


@INCIDENTS.of(
    "comet: connection refused from everywhere, but its pods run",
    "S1",
    finds("SERVICE_NO_ENDPOINTS"),
    finds("READINESS_FAILING", "", event("Pod/comet-0", "Unhealthy", "statuscode: 503")),
    never=("CRASH_LOOP",),
)
def _nobody_ready_behind_the_service(world: World) -> None:
    pods = replicas(world, *(container(APP) | {"ready": False} for _ in range(2)))
    for pod in pods:
        world.event(
            pod,
            "Unhealthy",
            "Readiness probe failed: HTTP probe failed with statuscode: 503",
            part=APP,
            first=30,
            last=0.1,
            count=170,
        )
    world.add("services", APP, spec={"selector": {"app": APP}, "ports": [{"port": 80}]})
    world.add(
        "endpoints",
        APP,
        subsets=[{"notReadyAddresses": [{"ip": "10.1.0.1"}, {"ip": "10.1.0.2"}], "ports": [{"port": 8080}]}],
    )


@INCIDENTS.of(
    "nothing can be read of comet",
    "S1",
    finds("CRASH_LOOP"),
    never=("NO_PROBLEM_FOUND",),
)
def _odd_shapes(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 255))
    body = world.lists["pods"][0]
    body["status"]["containerStatuses"][0] |= {"restartCount": None, "lastState": None}
    body["metadata"]["labels"] |= {"team": None}
    body["status"]["initContainerStatuses"] = None
    body["spec"]["volumes"] = None
    world.event(pod, "BackOff", None, part=APP)  # type: ignore[arg-type]
    world.lists["events"][0] |= {"firstTimestamp": "yesterday", "lastTimestamp": "", "count": None}
    world.lists["deployments"][0]["status"]["conditions"] = None
    world.log(pod, APP, (2, "\x1b[31mfatal\x1b[0m: \u202eno space left on device"))


@INCIDENTS.of(
    "a pod of comet waits for hours",
    "S2",
    finds("UNSCHEDULABLE_PLACEMENT", "cause", event("Pod/comet-1", "FailedScheduling", "anti-affinity")),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _kept_apart(world: World) -> None:
    rs = world.deployment(wanted=2, ready=1)
    works(world, *added(world, (RS, rs), [container(APP)]))
    said = "0/2 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 1 node(s) were unschedulable."
    unplaced(world, said, owner=(RS, rs), name="comet-1", age=200)


@INCIDENTS.of(
    "since an hour comet gives errors, was it the rollout?",
    "S1",
    finds("ERROR_BURST", "", logged("comet-0", APP, "KeyError: 'epoch'", 60)),
    finds("HTTP_5XX_RATIO", ""),
    never=("DEPENDENCY_TIMEOUT", "CRASH_LOOP", "ROLLOUT_STUCK"),
)
def _errors_after_a_rollout(world: World) -> None:
    pods = replicas(world, container(APP, since=14), age=15)
    works(world, *pods, bad=4)
    times(world, pods[0], APP, 60, "ERROR GET /orbit/{n}: KeyError: 'epoch'", each_s=10)
