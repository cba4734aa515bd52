"""Incidents of a clinic's triage and wards, written before any was run: half in Chinese, a third of them healthy."""

from evals.diagnosis.composed.scene import added, complains, replicas, times, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

RS = "ReplicaSet"
APP = "triage"
INCIDENTS = Collection(APP, label="app.kubernetes.io/name")


@INCIDENTS.of(
    "visits don't arrive downstream, is triage ok?",
    "S2",
    finds("ERROR_BURST", "cause", logged("triage-0", APP, "not present in metadata", 40)),
    accepted=("S1",),
    also=("DEPENDENCY_TIMEOUT",),
    never=("DNS_FAILURE", "NO_PROBLEM_FOUND"),
)
def _broker_is_away(world: World) -> None:
    complains(
        world,
        40,
        "ERROR c.t.VisitPublisher : send {n} failed: org.apache.kafka.common.errors.TimeoutException: Topic visits not "
        "present in metadata after 60000 ms.",
        each_s=15,
    )
    said = (
        "WARN o.a.k.c.NetworkClient : [Producer clientId=triage-1] Connection to node 2 "
        "(kafka-2.kafka.svc/10.96.3.3:9092) could not be established. Node may not be available."
    )
    times(world, "triage-0", APP, 30, said, each_s=20)


@INCIDENTS.of(
    "triage-db won't stay up",
    "S1",
    finds("CRASH_LOOP", "cause", logged("triage-db-0", "triage-db", "No space left on device", 1)),
    finds("OOM_KILLED", "", of_status("triage-db-0", "exporter", "lastState.terminated.reason", "OOMKilled")),
    also=("SIDECAR_FAILING",),
    never=("PVC_UNBOUND", "EXIT_137_UNCONFIRMED"),
    app="triage-db",
)
def _claim_is_full_and_exporter_too_small(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    owner = ("StatefulSet", "triage-db")
    exporter = container(
        "exporter", limits={"memory": "20Mi"}, restarts=6, last=end(137, "OOMKilled", 5, ran=9), since=4.8
    )
    world.pod(owner, crashing("triage-db", 1, restarts=11), exporter, name="triage-db-0", ready=False, age=400)
    world.log(
        "triage-db-0",
        "triage-db",
        (2.3, "LOG:  database system was interrupted; last known up at 2026-11-20 09:40:11 UTC"),
        (2.2, 'FATAL:  could not write to file "pg_wal/xlogtemp.29": No space left on device'),
    )
    said = "Back-off restarting failed container triage-db in pod triage-db-0"
    world.event("triage-db-0", "BackOff", said, part="triage-db", count=60)


@INCIDENTS.of("does triage scale at all? pager went off", "S0", WELL, never=("HPA_NOT_SCALING", "HPA_AT_LIMIT"))
def _metrics_came_back(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    world.scaler(
        {"type": "AbleToScale", "status": "True", "reason": "ReadyForNewScale"},
        {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound"},
        {"type": "ScalingLimited", "status": "False", "reason": "DesiredWithinRange"},
        most=6,
        current=2,
    )
    said = "invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value"
    world.event(APP, "FailedComputeMetricsReplicas", said, kind="HorizontalPodAutoscaler", first=41, last=38, count=12)


@INCIDENTS.of(
    "triage goes in and out of the load balancer",
    "S2",
    finds("READINESS_FAILING", "cause", event("Pod/triage-1", "Unhealthy", "statuscode: 503")),
    never=("LIVENESS_KILLED", "CRASH_LOOP", "NO_PROBLEM_FOUND", "SERVICE_NO_ENDPOINTS"),
)
def _ready_just_now(world: World) -> None:
    pods = replicas(world, container(APP), container(APP), since=400)
    works(world, *pods)
    for each in world.lists["pods"][1]["status"]["conditions"]:
        if each["type"] in {"Ready", "ContainersReady"}:
            each["lastTransitionTime"] = stamp(0.7)
    said = "Readiness probe failed: HTTP probe failed with statuscode: 503"
    world.event(pods[1], "Unhealthy", said, part=APP, first=57, last=1.2, count=83)


@INCIDENTS.of(
    "we rolled triage back ten minutes ago, is it good again?",
    "S0",
    WELL,
    never=("CRASH_LOOP", "ROLLOUT_STUCK", "ERROR_BURST", "HTTP_5XX_RATIO", "IMAGE_PULL_UNKNOWN"),
)
def _was_rolled_back(world: World) -> None:
    old = world.deployment(wanted=2, ready=2, age=5_000, image="r.example/triage:2.3")
    world.lists["replicasets"][-1]["metadata"]["annotations"]["deployment.kubernetes.io/revision"] = "9"
    world.replica_set(APP, wanted=0, ready=0, age=35, revision=8, image="r.example/triage:2.4")
    pods = added(world, (RS, old), [container(APP, image="r.example/triage:2.3")], [container(APP)], age=10)
    works(world, *pods)
    said = "Back-off restarting failed container triage in pod triage-7f9c-zzqk2"
    world.event("triage-7f9c-zzqk2", "BackOff", said, part=APP, first=33, last=11, count=50)
    said = f"Scaled up replica set {old} from 0 to 2"
    world.event(APP, "ScalingReplicaSet", said, kind="Deployment", normal=True, first=10, last=10, count=1)


@INCIDENTS.of(
    "triage 凌晨崩过几次,现在好了吗?",
    "S0",
    WELL,
    language="zh",
    never=("OOM_KILLED", "CRASH_LOOP", "CONTAINER_RESTARTING", "EXIT_137_UNCONFIRMED"),
)
def _died_at_night(world: World) -> None:
    last = end(137, "OOMKilled", 330, ran=20)
    pods = replicas(world, *(container(APP, restarts=4, last=last, since=329) for _ in range(2)), age=2_900)
    works(world, *pods)


@INCIDENTS.of(
    "triage logs hundreds of errors per hour, are we down?",
    "S0",
    WELL,
    never=("ERROR_BURST", "HTTP_5XX_RATIO", "DEPENDENCY_TIMEOUT"),
)
def _writes_checks_as_errors(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    for pod in pods:
        world.every(pod, APP, "ERROR feature flag dark_mode not defined for tenant {n}, using default", since=58)


@INCIDENTS.of(
    "why does triage take no traffic?",
    "S1",
    finds("ACCESS_DENIED", ""),
    finds("REPLICAS_MISSING", ""),
    also=("READINESS_FAILING", "SERVICE_NO_ENDPOINTS"),
    never=("NO_PROBLEM_FOUND", "CRASH_LOOP", "LIVENESS_KILLED"),
)
def _events_are_not_for_us(world: World) -> None:
    (pod,) = replicas(world, container(APP, ready=False))
    world.every(pod, APP, "INFO waiting for licence", since=50)
    world.denied["events"] = 403


@INCIDENTS.of(
    "patients get an error page from triage",
    "S1",
    finds("HTTP_5XX_RATIO", ""),
    also=("ERROR_BURST",),
    never=("NO_PROBLEM_FOUND", "CPU_THROTTLED"),
)
def _measured_by_spring(world: World) -> None:
    (pod,) = replicas(world, container(APP))
    world.every(pod, APP, "INFO visit {n} taken", since=58)
    own = {"namespace": "shop", "pod": pod, "application": APP, "uri": "/visits", "method": "POST"}
    name = "http_server_requests_seconds_count"
    world.counter(name, own | {"status": "200", "outcome": "SUCCESS"}, per_s=8)
    world.counter(name, own | {"status": "500", "outcome": "SERVER_ERROR"}, per_s=3, before=0.0)


@INCIDENTS.of(
    "triage 卡在 Init 了",
    "S1",
    finds("INIT_CONTAINER_FAILED", "cause", logged("triage-0", "istio-init", "you must be root", 1)),
    language="zh",
    never=("CRASH_LOOP", "SIDECAR_FAILING", "CONFIG_REF_MISSING"),
)
def _mesh_may_not_write_rules(world: World) -> None:
    first = crashing("istio-init", 1, init=True, ready=False, restarts=6)
    (pod,) = replicas(world, [first, waiting("istio-proxy", "PodInitializing"), waiting(APP, "PodInitializing")], age=9)
    said = "Could not fetch rule set generation id: Permission denied (you must be root)"
    world.log(
        pod,
        "istio-init",
        (2.3, "Running iptables-restore with the following input:"),
        (2.2, f"iptables-restore v1.8.9 (nf_tables): {said}"),
    )
    world.event(pod, "BackOff", "Back-off restarting failed container istio-init", part="istio-init", count=30)


@INCIDENTS.of(
    "the discharge letters job hangs",
    "S2",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/letters-x", "Failed", "manifest unknown")),
    accepted=("S1",),
    never=("JOB_BACKOFF_LIMIT", "IMAGE_PULL_UNAUTHORIZED", "NO_PROBLEM_FOUND"),
    app="letters",
)
def _job_without_its_image(world: World) -> None:
    image = "reg.clinic.example/letters:2026.11"
    meta = {"name": "letters", "namespace": "shop", "labels": world.labels(), "creationTimestamp": stamp(30)}
    world.lists["jobs"].append({"metadata": meta, "spec": {"backoffLimit": 4}, "status": {"active": 1}})
    body = waiting("run", "ImagePullBackOff", f'Back-off pulling image "{image}"', image=image)
    world.pod(("Job", "letters"), body, name="letters-x", ready=False, phase="Pending", age=30)
    said = (
        f'Failed to pull image "{image}": rpc error: code = Unknown desc = Error response from daemon: manifest for '
        f"{image} not found: manifest unknown: manifest unknown"
    )
    world.event("letters-x", "Failed", said, part="run", first=30, last=2, count=8)


@INCIDENTS.of(
    "昨晚的对账任务为什么没跑完?",
    "S2",
    finds(
        "JOB_BACKOFF_LIMIT", "cause", api("Job/settle-1", "status.conditions[type=Failed].reason", "PodFailurePolicy")
    ),
    language="zh",
    also=("ERROR_BURST",),
    never=("OOM_KILLED", "JOB_DEADLINE_EXCEEDED", "NO_PODS_FOUND"),
    app="settle",
)
def _policy_ends_the_job(world: World) -> None:
    condition = {"type": "Failed", "status": "True", "reason": "PodFailurePolicy", "lastTransitionTime": stamp(420)}
    condition["message"] = "Container run for pod shop/settle-1-0 failed with exit code 42 matching FailJob rule"
    meta = {"name": "settle-1", "namespace": "shop", "labels": world.labels(), "creationTimestamp": stamp(430)}
    status = {"conditions": [condition], "failed": 1}
    world.lists["jobs"].append({"metadata": meta, "spec": {"backoffLimit": 6}, "status": status})
    body = container("run", ended=end(42, "Error", 421), ready=False)
    world.pod(("Job", "settle-1"), body, name="settle-1-0", ready=False, phase="Failed", age=430)
    world.log("settle-1-0", "run", (421.1, "账目不平:借方 10231.20 贷方 10231.02,终止"))


@INCIDENTS.of(
    "triage has the same two pods although the queue is full",
    "S3",
    finds("HPA_NOT_SCALING", "", event("HorizontalPodAutoscaler/triage", "FailedGetExternalMetric", "queue_length")),
    accepted=("S2",),
    never=("HPA_AT_LIMIT", "NO_PROBLEM_FOUND"),
)
def _queue_is_not_measured(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    said = (
        "the HPA was unable to compute the replica count: unable to get external metric shop/queue_length/nil: no "
        "metrics returned from external metrics API"
    )
    off = {"type": "ScalingActive", "status": "False", "reason": "FailedGetExternalMetric", "message": said}
    world.scaler({"type": "AbleToScale", "status": "True", "reason": "SucceededGetScale"}, off, most=9, current=2)
    said = "unable to get external metric shop/queue_length/nil: no metrics returned from external metrics API"
    world.event(APP, "FailedGetExternalMetric", said, kind="HorizontalPodAutoscaler", first=58, last=0.4, count=220)
