"""More incidents of an aquarium's tanks, written before any was run."""

from evals.diagnosis.composed.scene import added, ended, job, refused, replicas, unplaced, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, of_status
from evals.diagnosis.incidents.world import World, container, end

RS = "ReplicaSet"
APP = "tank"
INCIDENTS = Collection(APP)


@INCIDENTS.of(
    "tank has one pod in Pending",
    "S2",
    finds("UNSCHEDULABLE_PLACEMENT", "cause", event("Pod/tank-2", "FailedScheduling", "topology spread")),
    also=("REPLICAS_MISSING",),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _spread_over_zones(world: World) -> None:
    rs = (RS, world.deployment(wanted=3, ready=2))
    works(world, *added(world, rs, [container(APP)], [container(APP)]))
    said = (
        "0/4 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unschedulable: }, 3 node(s) "
        "didn't match pod topology spread constraints. preemption: 0/4 nodes are available: 4 Preemption is not "
        "helpful for scheduling."
    )
    unplaced(world, said, owner=rs, name="tank-2", age=70)


@INCIDENTS.of(
    "tank never becomes ready after the upgrade",
    "S1",
    finds("STARTUP_PROBE_KILLED", "cause", event("Pod/tank-0", "Killing", "failed startup probe")),
    also=("CRASH_LOOP", "CONTAINER_RESTARTING"),
    never=("LIVENESS_KILLED", "OOM_KILLED", "EXIT_137_UNCONFIRMED", "READINESS_FAILING"),
)
def _migrates_longer_than_allowed(world: World) -> None:
    slow = container(APP, since=1.2, restarts=6, ready=False, last=end(143, "Error", 1.3, ran=2))
    (pod,) = replicas(world, slow, age=22)
    said = "Startup probe failed: dial tcp 10.4.1.9:8080: connect: connection refused"
    world.event(pod, "Unhealthy", said, part=APP, first=22, last=0.1, count=77)
    world.event(pod, "Killing", "Container tank failed startup probe, will be restarted", normal=True, part=APP,
                first=20, last=1.4, count=6)  # fmt: skip
    for ago in (1.1, 0.8, 0.4):
        world.log(pod, APP, (ago, f"INFO migrating fish table, {round(100 - ago * 60)}% done"))


@INCIDENTS.of(
    "more customers than usual complain about tank",
    "S2",
    finds("HTTP_5XX_RATIO", "cause"),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND"),
)
def _few_requests_fail_but_more_than_before(world: World) -> None:
    pods = replicas(world, container(APP), container(APP))
    for pod in pods:
        world.every(pod, APP, "INFO fed {n}", since=58)
        world.usage(pod, APP, throttled=0.01)
        world.requests(pod, bad=0.6, good=40, before=0.01)


@INCIDENTS.of(
    "the nightly count of tank failed, was it memory?",
    "S2",
    finds("JOB_BACKOFF_LIMIT", ""),
    finds(
        "OOM_KILLED",
        "cause",
        of_status("tank-count-1", "run", "state.terminated.reason", "OOMKilled"),
    ),
    never=("CRASH_LOOP", "EXIT_137_UNCONFIRMED", "EVICTED"),
)
def _job_needs_more_memory(world: World) -> None:
    job(world, "tank-count", *(ended(137, "OOMKilled", finished, limits={"memory": "512Mi"}) for finished in (30, 22)),
        age=50)  # fmt: skip
    world.event("tank-count", "BackoffLimitExceeded", "Job has reached the specified backoff limit", kind="Job",
                first=21, last=21, count=1)  # fmt: skip


@INCIDENTS.of(
    "tank-worker died of memory. is tank itself all right?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=("OOM_KILLED", "CRASH_LOOP", "NODE_PRESSURE", "HPA_AT_LIMIT"),
)
def _neighbour_without_memory(world: World) -> None:
    works(world, *replicas(world, container(APP), container(APP)))
    world.event("tank-worker-0", "OOMKilling", "Memory cgroup out of memory: Killed process 99 (python)", count=4)
    world.event("tank-worker-0", "BackOff", "Back-off restarting failed container worker", count=90)
    limited = {"type": "ScalingLimited", "status": "True", "reason": "TooFewReplicas",
               "message": "the desired replica count is less than the minimum replica count"}  # fmt: skip
    world.scaler(limited, {"type": "AbleToScale", "status": "True", "reason": "Ready"}, most=6, current=2, least=2)


@INCIDENTS.of(
    "somebody drained node-b. did tank survive?",
    "S0",
    WELL,
    accepted=("S0", "S3"),
    never=(
        "NODE_NOT_READY",
        "NODE_PRESSURE",
        "EVICTED",
        "UNSCHEDULABLE_PLACEMENT",
        "REPLICAS_MISSING",
        "TERMINATION_STUCK",
    ),
)
def _moved_by_a_drain(world: World) -> None:
    pods = replicas(world, container(APP, since=12), container(APP, since=400), age=401)
    works(world, *pods)
    world.lists["nodes"][-1]["spec"] = {
        "unschedulable": True, "taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}],
    }  # fmt: skip
    world.event("node-b", "NodeNotSchedulable", "Node node-b status is now: NodeNotSchedulable", kind="Node",
                normal=True, first=13, last=13, count=1)  # fmt: skip
    world.event("tank-old", "Killing", "Stopping container tank", normal=True, part=APP, first=13, last=13, count=1)
    said = "0/2 nodes are available: 1 node(s) were unschedulable, 1 Insufficient cpu."
    world.event(pods[0], "FailedScheduling", said, new=True, first=13, last=12.6, count=2)


@INCIDENTS.of(
    "tank has 2 of 4 pods, what refuses the others?",
    "S2",
    finds("REPLICAS_MISSING", "cause", event("ReplicaSet/tank-rs", "FailedCreate", "context deadline exceeded")),
    also=("ROLLOUT_STUCK", "DEPENDENCY_TIMEOUT"),
    never=("QUOTA_EXCEEDED", "CERTIFICATE_REFUSED", "UNSCHEDULABLE_RESOURCES", "NO_PROBLEM_FOUND"),
)
def _webhook_does_not_answer(world: World) -> None:
    said = (
        'Error creating: Internal error occurred: failed calling webhook "mutate.kyverno.svc-fail": failed to call '
        'webhook: Post "https://kyverno-svc.kyverno.svc:443/mutate/fail?timeout=10s": context deadline exceeded'
    )
    refused(world, said, wanted=4, ready=2)
