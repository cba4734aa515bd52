"""Incidents of a parcel depot: what does not start, what only looks ill, and odd data. Written before any was run."""

from evals.diagnosis.composed.scene import (
    added,
    complains,
    ended,
    job,
    refused,
    replicas,
    rollout,
    times,
    unplaced,
    waiting,
    works,
)
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

APP = "parcel"
RS = "ReplicaSet"
INCIDENTS = Collection(APP)


@INCIDENTS.of(
    "parcel is slow and one of its pods keeps dying",
    "S2",
    finds("OOM_KILLED", "cause", api("Pod/parcel-2", "spec.containers[name=parcel].resources.limits.memory", "256Mi")),
    finds("HPA_AT_LIMIT"),
    also=("CRASH_LOOP", "REPLICAS_MISSING"),
    never=("EXIT_137_UNCONFIRMED",),
)
def _memory_and_scaler_at_limit(world: World) -> None:
    dying = crashing(APP, 137, "OOMKilled", limits={"memory": "256Mi"})
    pods = replicas(world, container(APP), container(APP), dying)
    works(world, *pods[:2])
    world.scaler(
        {"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound"},
        {"type": "ScalingLimited", "status": "True", "reason": "TooManyReplicas", "message": "more than max"},
        most=3,
        current=3,
    )


@INCIDENTS.of(
    "parcel 不会自动扩容,为什么?",
    "S2",
    finds(
        "HPA_NOT_SCALING",
        "cause",
        api(
            "HorizontalPodAutoscaler/parcel", "status.conditions[type=ScalingActive].reason", "FailedGetResourceMetric"
        ),
    ),
    accepted=("S2", "S3"),
    never=("NO_PROBLEM_FOUND", "HPA_AT_LIMIT"),
    language="zh",
)
def _scaler_without_metrics(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    said = (
        "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for "
        "resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested "
        "resource (get pods.metrics.k8s.io)"
    )
    conditions = [
        {"type": "AbleToScale", "status": "True", "reason": "SucceededGetScale"},
        {"type": "ScalingActive", "status": "False", "reason": "FailedGetResourceMetric", "message": said},
    ]
    world.scaler(*conditions, most=8, current=2, least=2)


@INCIDENTS.of(
    "parcel-db does not come up",
    "S1",
    finds("PVC_UNBOUND", "cause", event("PersistentVolumeClaim/data-parcel-0", "ProvisioningFailed", "not found")),
    never=("UNSCHEDULABLE_RESOURCES",),
)
def _storage_class_missing(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    said = (
        "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/3 nodes are "
        "available: 3 Preemption is not helpful for scheduling."
    )
    unplaced(world, said, owner=("StatefulSet", APP), name="parcel-0", claims=("data-parcel-0",))
    world.add("persistentvolumeclaims", "data-parcel-0", spec={"storageClassName": "fast"}, status={"phase": "Pending"})
    world.event(
        "data-parcel-0",
        "ProvisioningFailed",
        'storageclass.storage.k8s.io "fast" not found',
        kind="PersistentVolumeClaim",
        count=90,
    )


@INCIDENTS.of(
    "scaling parcel to 4 did nothing",
    "S2",
    finds("QUOTA_EXCEEDED", "cause", event("ReplicaSet/parcel-rs", "FailedCreate", "exceeded quota: warehouse")),
    also=("REPLICAS_MISSING",),
    never=("ROLLOUT_STUCK",),
)
def _quota_of_pods(world: World) -> None:
    hard = {"pods": "2"}
    world.add("resourcequotas", "warehouse", spec={"hard": hard}, status={"hard": hard, "used": hard})
    said = (
        'Error creating: pods "parcel-rs-x2" is forbidden: exceeded quota: warehouse, requested: pods=1, '
        "used: pods=2, limited: pods=2"
    )
    refused(world, said, wanted=4, ready=2, last=0.5, first=12)


@INCIDENTS.of(
    "why does the new parcel not start?",
    "S2",
    finds("IMAGE_PULL_UNAUTHORIZED", "cause", event("Pod/parcel-2", "Failed", "403 Forbidden")),
    also=("ROLLOUT_STUCK",),
    never=("IMAGE_PULL_NOT_FOUND", "IMAGE_PULL_UNKNOWN"),
)
def _pull_secret_missing(world: World) -> None:
    image = "ghcr.io/parcel-co/parcel:7.1"
    (pod,) = rollout(world, waiting(APP, "ImagePullBackOff", f'Back-off pulling image "{image}"', image=image))
    said = (
        f'Failed to pull image "{image}": failed to pull and unpack image "{image}": failed to resolve reference '
        f'"{image}": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to '
        "https://ghcr.io/token?scope=repository%3Aparcel-co%2Fparcel%3Apull&service=ghcr.io: 403 Forbidden"
    )
    world.event(pod, "Failed", said, part=APP, first=17, last=2, count=6)
    said = "Unable to retrieve some image pull secrets (ghcr); attempting to pull the image may not succeed."
    world.event(pod, "FailedToRetrieveImagePullSecret", said, first=18, last=0.4, count=80)


@INCIDENTS.of(
    "parcels cannot be tracked",
    "S1",
    finds("DNS_FAILURE", "cause", logged("parcel-0", APP, "server misbehaving", 40)),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT",),
)
def _resolver_misbehaves(world: World) -> None:
    line = (
        '{"level":"error","msg":"track {n}","error":"dial tcp: lookup carrier-api.partners on 10.96.0.10:53: server '
        'misbehaving"}'
    )
    complains(world, 40, line, each_s=9)


@INCIDENTS.of(
    "parcel is up but not ready",
    "S1",
    finds("READINESS_FAILING", "cause", event("Pod/parcel-0", "Unhealthy", "statuscode: 404")),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT"),
)
def _probe_of_a_wrong_path(world: World) -> None:
    probe = {"httpGet": {"path": "/healthz", "port": 8080}}
    pods = replicas(world, *(container(APP, readinessProbe=probe) | {"ready": False} for _ in range(2)), age=22)
    for pod in pods:
        world.event(
            pod,
            "Unhealthy",
            "Readiness probe failed: HTTP probe failed with statuscode: 404",
            part=APP,
            first=21,
            last=0.2,
            count=120,
        )
        world.log(pod, APP, (21.5, "INFO started, listening on 8080, health at /health"))
        world.every(pod, APP, '10.0.0.1 "GET /healthz HTTP/1.1" 404 {n}', since=21, each_s=30)


@INCIDENTS.of(
    "parcel pods vanish",
    "S2",
    finds("EVICTED", ""),
    finds("NODE_PRESSURE"),
    never=("OOM_KILLED", "CRASH_LOOP"),
)
def _node_short_of_memory(world: World) -> None:
    world.node("node-a", pressure="MemoryPressure", minutes=14, message="kubelet has insufficient memory available")
    rs = world.deployment(wanted=2, ready=2)
    names = added(world, (RS, rs), [container(APP, since=12)], [container(APP, since=13)], age=14)
    works(world, *names)
    said = (
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 52Mi. Container parcel was using "
        "1200Mi, request is 0, has larger consumption of memory. "
    )
    for number in range(2):
        name = world.pod(
            (RS, rs), name=f"parcel-x{number}", ready=False, age=400, phase="Failed", reason="Evicted", message=said
        )
        world.event(name, "Evicted", said, first=14, last=14, count=1)


@INCIDENTS.of(
    "the label print job failed last night",
    "S2",
    finds(
        "JOB_DEADLINE_EXCEEDED",
        "",
        api("Job/parcel-labels", "status.conditions[type=Failed].reason", "DeadlineExceeded"),
    ),
    also=("DEPENDENCY_TIMEOUT",),
    never=("JOB_BACKOFF_LIMIT",),
)
def _job_took_too_long(world: World) -> None:
    pods = job(world, "parcel-labels", ended(143, "Error", finished=15), reason="DeadlineExceeded")
    world.every(pods[0], "run", "INFO rendered page {n} of 900000", since=39, until=16)


@INCIDENTS.of(
    "why are yesterday's statistics missing?",
    "S2",
    finds("CRONJOB_SUSPENDED", "", api("CronJob/parcel-stats", "spec.suspend", True)),
    accepted=("S0", "S2", "S3"),
    also=("NO_PROBLEM_FOUND",),
)
def _schedule_suspended(world: World) -> None:
    works(world, *replicas(world, container(APP)))
    world.add(
        "cronjobs",
        "parcel-stats",
        spec={"schedule": "0 3 * * *", "suspend": True, "jobTemplate": {}},
        status={"lastScheduleTime": stamp(60 * 55)},
    )


@INCIDENTS.of(
    "parcel's address gives 503, its pods are green",
    "S1",
    finds("SERVICE_NO_ENDPOINTS"),
    accepted=("S1", "S2"),
    never=("NO_PROBLEM_FOUND",),
)
def _selector_of_no_pod(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    world.add("services", APP, spec={"selector": {"app": APP, "tier": "web"}, "ports": [{"port": 80}]})
    world.add("endpoints", APP)


@INCIDENTS.of(
    "parcel cannot reach the warehouse since the new policy",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("parcel-0", APP, "i/o timeout", 33)),
    accepted=("S1", "S2"),
    never=("DNS_FAILURE",),
)
def _policy_that_nobody_may_read(world: World) -> None:
    world.denied["services"] = 403
    world.denied["endpoints"] = 403
    complains(
        world,
        33,
        "E1120 stock {n}: dial tcp 10.97.4.1:7070: i/o timeout (warehouse.stock.svc:7070)",
        each_s=11,
    )


@INCIDENTS.of(
    "our fix of parcel is merged but not live",
    "S2",
    finds("ROLLOUT_PAUSED", "", api("Deployment/parcel", "spec.paused", True)),
    accepted=("S0", "S2", "S3"),
    never=("ROLLOUT_STUCK", "CRASH_LOOP"),
)
def _rollout_paused(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    body = world.lists["deployments"][0]
    body["spec"]["paused"] = True
    body["metadata"]["generation"] = 9
    body["status"] |= {"observedGeneration": 9, "updatedReplicas": 0}
    body["status"]["conditions"][0] |= {
        "status": "Unknown",
        "reason": "DeploymentPaused",
        "lastTransitionTime": stamp(50),
    }


@INCIDENTS.of(
    "parcel was killed with 137, out of memory?",
    "S2",
    finds(
        "EXIT_137_UNCONFIRMED",
        "",
        of_status("parcel-1", "parcel", "lastState.terminated.exitCode", 137),
    ),
    never=("OOM_KILLED",),
)
def _killed_but_not_for_memory(world: World) -> None:
    body = container(APP, since=6, restarts=1, last=end(137, "Error", 6.2, ran=300), limits={"memory": "1Gi"})
    pods = replicas(world, container(APP), body)
    works(world, *pods)
    world.log(pods[1], APP, (6.3, "java.lang.OutOfMemoryError: Java heap space"), previous=True)


@INCIDENTS.of(
    "parcel's page shows errors from time to time",
    "S0",
    WELL,
    also=("OLD_WARNINGS",),
    never=("HTTP_5XX_RATIO", "ERROR_BURST", "READINESS_FAILING"),
)
def _always_a_few_errors(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods, bad=0.02)
    for pod in pods:
        world.every(pod, APP, "ERROR label {n} has no post code", since=59, each_s=45)


@INCIDENTS.of(
    "is parcel flapping?",
    "S2",
    finds("CONTAINER_RESTARTING", "cause", logged("parcel-0", APP, "lost the lease", 1)),
    also=("CRASH_LOOP",),
    never=("NO_PROBLEM_FOUND", "OOM_KILLED"),
    accepted=("S1", "S2"),
)
def _up_and_down(world: World) -> None:
    body = container(APP, since=1.5, restarts=9, last=end(2, "Error", 1.7, ran=6))
    (pod,) = replicas(world, body, age=90)
    world.log(pod, APP, (1.8, "FATAL lost the lease parcel-leader, giving up"), previous=True)
    world.log(pod, APP, (1.4, "INFO became leader"))
    world.event(pod, "BackOff", "Back-off restarting failed container", part=APP, first=55, last=2, count=14)


@INCIDENTS.of(
    "parcel is down, all of it",
    "S1",
    finds(
        "OOM_KILLED",
        "cause",
        of_status("ledger-0", "ledger", "lastState.terminated.reason", "OOMKilled"),
    ),
    also=("CRASH_LOOP", "DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO", "ERROR_BURST", "SERVICE_NO_ENDPOINTS"),
    never=("DNS_FAILURE",),
    whole=True,
)
def _the_neighbour_is_the_cause(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    works(world, *pods)
    for pod in pods:
        times(
            world,
            pod,
            APP,
            40,
            'ERROR book {n}: Post "http://ledger:8080/book": dial tcp 10.96.4.4:8080: connect: connection refused',
        )
    replicas(world, crashing("ledger", 137, "OOMKilled", limits={"memory": "128Mi"}), app="ledger")


@INCIDENTS.of(
    "the whole of shop, please",
    "S0",
    WELL,
    never=("CRASH_LOOP", "JOB_BACKOFF_LIMIT", "NO_PODS_FOUND", "REPLICAS_MISSING"),
    whole=True,
)
def _only_finished_things(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    replicas(world, container("ledger"), app="ledger")
    job(world, "parcel-once", ended(0, "Completed", finished=30), done=True)
    world.deployment("canary", wanted=0, ready=0)


@INCIDENTS.of(
    "parcel?",
    "S1",
    finds(
        "CRASH_LOOP",
        "cause",
        of_status("parcel-0", "parcel", "state.waiting.reason", "CrashLoopBackOff"),
    ),
)
def _fields_left_out(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 1))
    body = world.lists["pods"][0]
    status = body["status"]
    for key in ("conditions", "initContainerStatuses", "phase"):
        status.pop(key)
    status["containerStatuses"][0]["lastState"] = {"terminated": {"exitCode": 1}}
    status["containerStatuses"][0].pop("image")
    body["spec"].pop("initContainers")
    body["spec"]["containers"][0].pop("resources")
    body["metadata"].pop("ownerReferences")
    world.lists["deployments"][0]["status"] = {}
    world.lists["replicasets"].clear()
    world.event(pod, "BackOff", "Back-off restarting failed container", count=3)
    world.lists["events"][0].pop("count")
    world.lists["events"][0].pop("firstTimestamp")


@INCIDENTS.of(
    "parcel 怎么了?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("parcel-0", APP, "bad licence", 1)),
    also=("SECRET_IN_LOG",),
    language="zh",
)
def _clock_of_the_cluster_ahead(world: World) -> None:
    body = crashing(APP, 4)
    body["last"]["terminated"] |= {"startedAt": stamp(-3.5), "finishedAt": stamp(-4)}
    (pod,) = replicas(world, body)
    world.log(pod, APP, (-4, "FATAL bad licence: expired"))
    world.event(pod, "BackOff", "Back-off restarting failed container", part=APP, first=30, last=-4, count=60)


@INCIDENTS.of(
    "what does parcel say?",
    "S1",
    finds("CRASH_LOOP"),
    also=("LOG_INJECTION_SUSPECTED",),
    never=("NO_PROBLEM_FOUND",),
)
def _one_line_of_a_megabyte(world: World) -> None:
    (pod,) = replicas(world, crashing(APP, 1))
    world.log(pod, APP, (2.2, "{" + '"a":"' + "x" * 1_000_000 + '"}'), (2.1, "panic: assignment to entry in nil map"))
    said = "Back-off restarting failed container " + "very long " * 20_000
    world.event(pod, "BackOff", said, part=APP, count=60)


@INCIDENTS.of(
    "parcel has no answer since the deployment at noon",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/parcel-0", "FailedMount", 'secret "parcel-tls" not found')),
    also=("REPLICAS_MISSING", "ROLLOUT_STUCK"),
    never=("PVC_UNBOUND", "CONFIG_REF_MISSING"),
)
def _certificate_not_there(world: World) -> None:
    (pod,) = replicas(world, waiting(APP, "ContainerCreating"), age=19)
    said = 'MountVolume.SetUp failed for volume "tls" : secret "parcel-tls" not found'
    world.event(pod, "FailedMount", said, first=19, last=0.9, count=17)


@INCIDENTS.of(
    "parcel answers slowly",
    "S2",
    finds("CPU_THROTTLED"),
    never=("MEMORY_NEAR_LIMIT", "HTTP_5XX_RATIO"),
)
def _throttled_one_of_three(world: World) -> None:
    pods = replicas(world, *(container(APP, limits={"cpu": "300m"}) for _ in range(3)))
    for pod, share in zip(pods, (0.6, 0.02, 0.03), strict=True):
        world.usage(pod, APP, throttled=share, cpu=0.28)
        world.requests(pod, bad=0.0, good=20)
        world.every(pod, APP, "INFO ok {n}", since=50)


@INCIDENTS.of(
    "a daemon of parcel is missing on a node",
    "S2",
    finds("UNSCHEDULABLE_RESOURCES", "cause", event("Pod/parcel-agent-2", "FailedScheduling", "Insufficient memory")),
    never=("UNSCHEDULABLE_PLACEMENT",),
)
def _agent_without_room(world: World) -> None:
    world.stateful_set(wanted=3, ready=2, kind="daemonsets")
    added(world, ("DaemonSet", APP), [container(APP)], [container(APP)])
    said = "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector."
    unplaced(world, said, owner=("DaemonSet", APP), name="parcel-agent-2", requests={"memory": "2Gi"})


@INCIDENTS.of(
    "parcel deploy hangs at 1 of 2",
    "S2",
    finds("INIT_CONTAINER_FAILED", "cause", logged("parcel-2", "schema", 'relation "parcels" already exists', 1)),
    also=("ROLLOUT_STUCK",),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT"),
)
def _migration_fails(world: World) -> None:
    failing = container(
        "schema", waiting="CrashLoopBackOff", last=end(1, "Error", 2), restarts=6, init=True, ready=False
    )
    before = world.deployment(wanted=2, ready=2)
    works(world, *added(world, (RS, before), [container(APP)], [container(APP)]))
    world.lists["deployments"][-1]["status"] |= {"replicas": 3, "updatedReplicas": 1, "unavailableReplicas": 1}
    new = world.replica_set(APP, wanted=1, ready=0, age=14, revision=2, image="r.example/parcel:8")
    (pod,) = added(world, (RS, new), [failing, waiting(APP, "PodInitializing")], first=2, age=14)
    world.log(pod, "schema", (2.05, 'ERROR: relation "parcels" already exists'))
