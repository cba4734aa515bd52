"""Incidents of a harbour's cranes, written after the rules were mended for all others and run once."""

from evals.diagnosis.composed.scene import added, ended, job, replicas, rollout, times, unplaced, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

APP = "crane"
RS = "ReplicaSet"
INCIDENTS = Collection(APP, held_out=True)


@INCIDENTS.of(
    "crane's pods are thrown out one by one",
    "S2",
    finds("EVICTED", "", api("Pod/crane-e0", "status.reason", "Evicted")),
    never=("OOM_KILLED", "NODE_PRESSURE"),
)
def _own_disk_limit(world: World) -> None:
    rs = world.deployment(wanted=2, ready=2)
    works(world, *added(world, (RS, rs), [container(APP, since=8)], [container(APP, since=300)]))
    said = "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. "
    name = world.pod((RS, rs), name="crane-e0", ready=False, age=50, phase="Failed", reason="Evicted", message=said)
    world.event(name, "Evicted", said, first=9, last=9, count=1)


@INCIDENTS.of(
    "crane waits and waits",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT", "cause", event("Pod/crane-0", "FailedScheduling", "disk-pressure")),
    also=("NODE_PRESSURE", "REPLICAS_MISSING"),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _nodes_tainted_by_pressure(world: World) -> None:
    world.node("node-a", pressure="DiskPressure", minutes=30, message="kubelet has disk pressure")
    world.node("node-b", pressure="DiskPressure", minutes=28, message="kubelet has disk pressure")
    rs = world.deployment(wanted=1, ready=0)
    said = (
        "0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }. preemption: "
        "0/2 nodes are available: 2 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=(RS, rs), name="crane-0")


@INCIDENTS.of(
    "crane is not ready since the database went away",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("crane-0", APP, "pg-crane", 40)),
    finds("READINESS_FAILING", "", event("Pod/crane-0", "Unhealthy", "statuscode: 503")),
    never=("CRASH_LOOP", "DNS_FAILURE"),
)
def _database_away(world: World) -> None:
    (pod,) = replicas(world, container(APP) | {"ready": False})
    said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
    world.event(pod, "Unhealthy", said, part=APP, first=20, last=0.2, count=110)
    times(
        world, pod, APP, 40, "ERROR [pool-{n}] org.postgresql.util.PSQLException: Connection to pg-crane:5432 refused."
    )


@INCIDENTS.of(
    "did crane recover?",
    "S0",
    WELL,
    never=("CRASH_LOOP", "CONTAINER_RESTARTING", "OOM_KILLED"),
)
def _recovered_this_morning(world: World) -> None:
    body = container(APP, since=190, restarts=6, last=end(1, "Error", 191))
    works(world, *replicas(world, body, container(APP), age=900))


@INCIDENTS.of(
    "one crane of three logs errors",
    "S2",
    finds("ERROR_BURST", "cause", logged("crane-1", APP, "lift plan", 70)),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO"),
)
def _burst_in_one_of_three(world: World) -> None:
    pods = replicas(world, container(APP), container(APP), container(APP))
    works(world, *pods)
    times(world, pods[1], APP, 70, 'time=2026-11-20T09:59:00Z level=ERROR msg="lift plan {n} has no weight"', each_s=8)


@INCIDENTS.of(
    "起重机服务 crane 报域名错误",
    "S1",
    finds("DNS_FAILURE", "cause", logged("crane-0", APP, "Name or service not known", 35)),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT",),
    language="zh",
)
def _name_not_known(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    works(world, pod)
    line = "ERROR:crane.weather:读取风速失败 {n}: [Errno -2] Name or service not known: 'wind.sensors.svc'"
    times(world, pod, APP, 35, line, each_s=12)


@INCIDENTS.of(
    "crane-store is half dead",
    "S2",
    finds("CRASH_LOOP", "cause", logged("crane-0", APP, "corrupt segment", 1)),
    also=("REPLICAS_MISSING",),
    never=("OOM_KILLED",),
)
def _first_of_a_set_crashes(world: World) -> None:
    world.stateful_set(wanted=2, ready=1)
    pods = added(world, ("StatefulSet", APP), [crashing(APP, 1)], [container(APP)])
    world.log(pods[0], APP, (2.1, "fatal: corrupt segment 00000042.wal"))


@INCIDENTS.of(
    "crane restarts, the logs are closed to us",
    "S1",
    finds("OOM_KILLED"),
    also=("CRASH_LOOP", "ACCESS_DENIED"),
    never=("NO_PROBLEM_FOUND",),
)
def _memory_while_events_are_closed(world: World) -> None:
    world.denied["events"] = 403
    replicas(world, crashing(APP, 137, "OOMKilled", limits={"memory": "64Mi"}))


@INCIDENTS.of(
    "is crane leaking something?",
    "S3",
    finds("SECRET_IN_LOG"),
    accepted=("S0", "S3"),
    also=("NO_PROBLEM_FOUND",),
    secrets=("hunter2-very-secret-9",),
    never=("ERROR_BURST",),
)
def _password_in_its_log(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    works(world, pod)
    world.log(pod, APP, (12, "DEBUG connecting with postgres://crane:hunter2-very-secret-9@pg-crane:5432/crane"))


@INCIDENTS.of(
    "crane's agent is missing on one node",
    "S2",
    finds("CRASH_LOOP", "cause", logged("crane-1", APP, "no such device", 1)),
    also=("REPLICAS_MISSING",),
)
def _agent_crashes_on_one_node(world: World) -> None:
    world.stateful_set(wanted=2, ready=1, kind="daemonsets")
    pods = added(world, ("DaemonSet", APP), [container(APP)], [crashing(APP, 2)])
    world.log(pods[1], APP, (2.1, "panic: open /dev/can0: no such device"))


@INCIDENTS.of(
    "the container report was not made",
    "S2",
    finds("JOB_BACKOFF_LIMIT", "", logged("crane-report-1", "run", "division by zero", 1)),
    never=("NO_PODS_FOUND", "CRASH_LOOP"),
)
def _report_divides_by_zero(world: World) -> None:
    pods = job(world, "crane-report", ended(1, finished=25), ended(1, finished=14), owner="crane-nightly")
    world.log(pods[1], "run", (14.1, "ZeroDivisionError: division by zero"))


@INCIDENTS.of(
    "crane feels slow, and it cannot grow",
    "S2",
    finds("CPU_THROTTLED"),
    finds("HPA_AT_LIMIT", ""),
    never=("MEMORY_NEAR_LIMIT", "HPA_NOT_SCALING"),
)
def _throttled_at_its_most(world: World) -> None:
    pods = replicas(world, *(container(APP, limits={"cpu": "500m"}) for _ in range(2)))
    for pod in pods:
        world.usage(pod, APP, throttled=0.64, cpu=0.49)
        world.every(pod, APP, "INFO ok {n}", since=50)
    conditions = [
        {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound"},
        {"type": "ScalingLimited", "status": "True", "reason": "TooManyReplicas"},
    ]
    world.scaler(*conditions, most=2, current=2)


@INCIDENTS.of(
    "nothing comes up after the upgrade of crane",
    "S1",
    finds("INIT_CONTAINER_FAILED", "cause", logged("crane-0", "licence", "expired on 2026-11-19", 1)),
    also=("REPLICAS_MISSING",),
    never=("CRASH_LOOP",),
)
def _licence_of_the_first_step(world: World) -> None:
    first = container("licence", ended=end(4, "Error", 1), restarts=5, init=True, ready=False)
    (pod,) = replicas(world, (first, waiting(APP, "PodInitializing")), age=9)
    world.log(pod, "licence", (1.1, "error: licence expired on 2026-11-19"))


@INCIDENTS.of(
    "is anything wrong in shop?",
    "S2",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/quay-2", "Failed", "not found")),
    also=("ROLLOUT_STUCK",),
    never=("CRASH_LOOP", "NO_PROBLEM_FOUND", "JOB_BACKOFF_LIMIT"),
    whole=True,
)
def _one_app_of_many(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    image = "r.example/quay:3.3"
    (pod,) = rollout(world, waiting("quay", "ImagePullBackOff", image=image), app="quay")
    said = f'Failed to pull image "{image}": rpc error: code = NotFound desc = {image}: not found'
    world.event(pod, "Failed", said, part="quay", first=17, last=2, count=6)
    job(world, "tide-1", ended(0, "Completed", finished=200), age=220, done=True)


@INCIDENTS.of(
    "crane: users see time-outs, is it crane?",
    "S0",
    WELL,
    never=("DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO", "CPU_THROTTLED", "SERVICE_NO_ENDPOINTS"),
)
def _well_and_blamed(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    world.every(
        pods[0], APP, "retrying in 2s: dial tcp 10.2.2.2:443: connect: connection refused", since=40, each_s=120
    )
    world.add("services", APP, spec={"selector": {"app": APP}, "ports": [{"port": 80}]})
    world.add("endpoints", APP, subsets=[{"addresses": [{"ip": "10.1.0.1"}, {"ip": "10.1.0.2"}]}])


@INCIDENTS.of(
    "crane's claim is too big",
    "S1",
    finds("PVC_UNBOUND", "cause", event("PersistentVolumeClaim/hoist-crane-0", "ProvisioningFailed", "exceeds")),
    never=("UNSCHEDULABLE_RESOURCES",),
)
def _volume_quota_of_the_provider(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims."
    unplaced(world, said, owner=("StatefulSet", APP), name="crane-0", claims=("hoist-crane-0",), age=18)
    world.add("persistentvolumeclaims", "hoist-crane-0", spec={"storageClassName": "ssd"}, status={"phase": "Pending"})
    said = 'failed to provision volume with StorageClass "ssd": googleapi: Error 403: Quota SSD_TOTAL_GB exceeds limit'
    world.event("hoist-crane-0", "ProvisioningFailed", said, kind="PersistentVolumeClaim", first=18, last=1, count=14)


@INCIDENTS.of(
    "our rollout of crane stopped at night",
    "S2",
    finds(
        "ROLLOUT_STUCK",
        "",
        api("Deployment/crane", "status.conditions[type=Progressing].reason", "ProgressDeadlineExceeded"),
    ),
    finds("LIVENESS_KILLED", "", event("Pod/crane-2", "Killing", "failed liveness probe")),
    also=("CRASH_LOOP",),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED"),
)
def _new_version_is_killed(world: World) -> None:
    body = container(APP, since=1, restarts=9, last=end(137, "Error", 1.3), image="r.example/crane:9") | {
        "ready": False
    }
    (pod,) = rollout(world, body, stuck=True, age=40)
    world.event(
        pod,
        "Killing",
        "Container crane failed liveness probe, will be restarted",
        normal=True,
        part=APP,
        first=38,
        last=1.3,
        count=9,
    )
    world.event(
        pod,
        "Unhealthy",
        'Liveness probe failed: Get "http://10.1.1.1:80/": EOF',
        part=APP,
        first=38,
        last=0.5,
        count=28,
    )


@INCIDENTS.of(
    "half of crane's requests fail since ten minutes",
    "S1",
    finds("HTTP_5XX_RATIO", "cause"),
    never=("ERROR_BURST", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
)
def _fails_and_says_nothing(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    for pod in pods:
        world.usage(pod, APP, throttled=0.01)
        world.requests(pod, bad=5, good=5, before=0.0)
        world.every(pod, APP, "INFO moved box {n}", since=55)


@INCIDENTS.of(
    "crane has one pod too few and nobody knows why",
    "S2",
    finds("NODE_NOT_READY"),
    also=("REPLICAS_MISSING",),
    never=("READINESS_FAILING", "CRASH_LOOP"),
)
def _node_lost(world: World) -> None:
    world.node("node-b", ready="Unknown", minutes=6, message="Kubelet stopped posting node status.")
    rs = world.deployment(wanted=2, ready=1)
    works(world, *added(world, (RS, rs), [container(APP)]))
    added(world, (RS, rs), [container(APP)], first=1, node="node-b")
    status = world.lists["pods"][-1]["status"]
    status["conditions"][2] |= {"status": "False", "reason": "PodReadyToStart", "lastTransitionTime": stamp(5)}
