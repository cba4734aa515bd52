"""Incidents of further states of pods, nodes and claims; run once before anything was mended for them."""

from functools import partial

from evals.diagnosis.incidents.incident import Collection, event, finds, logged
from evals.diagnosis.incidents.serving import running
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

RS = "ReplicaSet"
INCIDENTS = Collection("ledger")


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S2",
    finds("JOB_BACKOFF_LIMIT", ""),
    finds("OOM_KILLED", ""),
    never=("EXIT_137_UNCONFIRMED", "NO_PROBLEM_FOUND"),
)
def _job_memory(world: World) -> None:
    failed = {
        "type": "Failed",
        "status": "True",
        "reason": "BackoffLimitExceeded",
        "message": "x",
        "lastTransitionTime": stamp(9),
    }
    world.lists["jobs"].append(
        {
            "metadata": {
                "name": "ledger-sum-1",
                "namespace": "shop",
                "labels": world.labels(),
                "creationTimestamp": stamp(30),
            },
            "spec": {"backoffLimit": 1},
            "status": {"failed": 2, "conditions": [failed]},
        }
    )
    world.pod(
        ("Job", "ledger-sum-1"),
        container("sum", ended=end(137, "OOMKilled", 10), ready=False),
        name="ledger-sum-1-a",
        ready=False,
        phase="Failed",
    )


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S1",
    finds("SANDBOX_FAILED", "cause", event("Pod/ledger-1", "FailedCreatePodSandBox", "no IP addresses")),
    never=("VOLUME_MOUNT_FAILED",),
)
def _sandbox(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod(
        (RS, rs),
        container("ledger", waiting="ContainerCreating", ready=False),
        name="ledger-1",
        ready=False,
        age=12,
        phase="Pending",
    )
    world.event(
        "ledger-1",
        "FailedCreatePodSandBox",
        "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network "
        'for sandbox: plugin type="calico" failed (add): no IP addresses available',
        first=12,
        last=0.5,
        count=30,
    )


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S2",
    finds("NODE_NOT_READY"),
    never=("READINESS_FAILING",),
)
def _node_gone(world: World) -> None:
    world.node("node-b", ready="Unknown", minutes=11, message="Kubelet stopped posting node status.")
    rs = world.deployment(wanted=3, ready=1)
    world.pod((RS, rs), container("ledger"), name="ledger-1")
    for n in (2, 3):
        world.pod((RS, rs), container("ledger"), name=f"ledger-{n}", node="node-b", ready=False, since=10)


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S1",
    finds("LIVENESS_KILLED"),
    finds("CRASH_LOOP", ""),
    never=("EXIT_137_UNCONFIRMED", "OOM_KILLED"),
)
def _live_loop(world: World, code: int = 137) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", code, ready=False), name="ledger-1", ready=False)
    world.event(
        "ledger-1",
        "Killing",
        "Container ledger failed liveness probe, will be restarted",
        normal=True,
        part="ledger",
        first=40,
        last=3,
        count=8,
    )
    world.event(
        "ledger-1",
        "Unhealthy",
        "Liveness probe failed: HTTP probe failed with statuscode: 500",
        part="ledger",
        first=40,
        last=3,
        count=24,
    )
    world.event(
        "ledger-1",
        "BackOff",
        "Back-off restarting failed container ledger in pod",
        part="ledger",
        first=30,
        last=1,
        count=20,
    )


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S2",
    finds("READINESS_FAILING"),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT"),
    also=("ROLLOUT_STUCK",),
)
def _port(world: World) -> None:
    rs = world.deployment(wanted=3, ready=2)
    for n in (1, 2):
        world.pod((RS, rs), container("ledger"), name=f"ledger-{n}")
    world.pod((RS, rs), container("ledger", ready=False, since=30), name="ledger-3", ready=False, age=30)
    world.event(
        "ledger-3",
        "Unhealthy",
        "Readiness probe failed: dial tcp 10.1.1.3:8080: connect: connection refused",
        part="ledger",
        first=29,
        last=0.2,
        count=180,
    )
    world.log("ledger-3", "ledger", (29, "INFO listening on :8081"))


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S2",
    finds("MEMORY_NEAR_LIMIT"),
    never=("OOM_KILLED",),
)
def _one_near(world: World) -> None:
    rs = world.deployment(wanted=3, ready=3)
    for n in (1, 2, 3):
        last = end(137, "OOMKilled", 4400) if n == 2 else None
        world.pod(
            (RS, rs),
            container("ledger", since=4300, restarts=1 if n == 2 else 0, last=last, limits={"memory": "1Gi"}),
            name=f"ledger-{n}",
            age=9000,
        )
        world.usage(f"ledger-{n}", "ledger", memory=0.93 if n == 1 else 0.4, cpu=0.02)


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S1",
    finds("UNSCHEDULABLE_RESOURCES"),
    never=("PVC_UNBOUND",),
)
def _consumer(world: World) -> None:
    world.stateful_set("ledger", wanted=1, ready=0)
    said = (
        "0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 No "
        "preemption victims found for incoming pod."
    )
    cond = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": said,
        "lastTransitionTime": stamp(20),
    }
    world.pod(
        ("StatefulSet", "ledger"),
        name="ledger-0",
        node="",
        ready=False,
        age=20,
        phase="Pending",
        containerStatuses=[],
        conditions=[cond],
        volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": "d-ledger-0"}}],
    )
    world.add("persistentvolumeclaims", "d-ledger-0", spec={"storageClassName": "ssd"}, status={"phase": "Pending"})
    world.event(
        "d-ledger-0",
        "WaitForFirstConsumer",
        "waiting for first consumer to be created before binding",
        kind="PersistentVolumeClaim",
        normal=True,
        first=20,
        last=1,
        count=40,
    )


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("ledger-1", "server", "no licence", 1)),
    never=("SIDECAR_FAILING",),
)
def _mesh_first(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), container("istio-proxy"), crashing("server", 1, ready=False), name="ledger-1", ready=False)
    world.log("ledger-1", "server", (2, "FATAL no licence for shard 7"))


@INCIDENTS.of(
    "What is wrong with ledger?",
    "S1",
    finds("CONFIG_REF_MISSING"),
    whole=True,
)
def _backend_of_namespace(world: World) -> None:
    running(world)
    rs = world.deployment("quotes", wanted=2, ready=0)
    for n in (1, 2):
        world.pod(
            (RS, rs),
            container(
                "quotes", waiting="CreateContainerConfigError", message='configmap "quotes-conf" not found', ready=False
            ),
            app="quotes",
            name=f"quotes-{n}",
            ready=False,
            age=30,
        )


INCIDENTS.of(
    "What is wrong with ledger?",
    "S1",
    finds("LIVENESS_KILLED"),
    also=("CRASH_LOOP",),
    never=("EXIT_137_UNCONFIRMED",),
    name="ledger-ended-by-sigterm",
)(partial(_live_loop, code=143))
