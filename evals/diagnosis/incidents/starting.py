"""Incidents of workloads that do not start, written before the rules were looked at; functions of 5 to 25 lines."""

from evals.diagnosis.incidents.incident import Collection, api, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

RS = "ReplicaSet"
IMAGE = "harbor.example/pay/ledger:4.2.1"
INCIDENTS = Collection("ledger")


@INCIDENTS.of(
    "No ledger pod is up, why?",
    "S1",
    finds("OOM_KILLED"),
    finds("CRASH_LOOP", ""),
    finds("IMAGE_PULL_UNAUTHORIZED", "cause", event("Pod/ledger-2", "Failed", "401 Unauthorized")),
    never=("IMAGE_PULL_NOT_FOUND", "EXIT_137_UNCONFIRMED"),
)
def _two_replicas_two_reasons(world: World) -> None:
    rs = world.deployment(wanted=2, ready=0, image=IMAGE)
    killed = container(
        "ledger", waiting="CrashLoopBackOff", last=end(137, "OOMKilled", 3), restarts=6, image=IMAGE, ready=False
    )
    world.pod((RS, rs), killed, name="ledger-1", ready=False)
    world.event("ledger-1", "BackOff", "Back-off restarting failed container", part="ledger", count=40)
    world.pod(
        (RS, rs),
        container("ledger", waiting="ImagePullBackOff", image=IMAGE, ready=False),
        name="ledger-2",
        ready=False,
        age=14,
        node="node-b",
    )
    said = (
        f'Failed to pull image "{IMAGE}": rpc error: code = Unknown desc = failed to pull and unpack image "{IMAGE}": '
        "failed to resolve reference: pulling from host harbor.example failed with status code [manifests 4.2.1]: "
        "401 Unauthorized"
    )
    world.event("ledger-2", "Failed", said, part="ledger", first=14, last=1, count=7)


@INCIDENTS.of(
    "ledger does not come up since the node was drained",
    "S1",
    finds("IMAGE_PULL_UNKNOWN", "cause", event("Pod/ledger-1", "Failed", "i/o timeout")),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND", "DEPENDENCY_TIMEOUT"),
)
def _registry_away(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0, image=IMAGE)
    world.pod(
        (RS, rs),
        container("ledger", waiting="ImagePullBackOff", image=IMAGE, ready=False),
        name="ledger-1",
        ready=False,
        age=12,
    )
    said = (
        f'Failed to pull image "{IMAGE}": rpc error: code = Unknown desc = failed to do request: '
        'Head "https://harbor.example/v2/pay/ledger/manifests/4.2.1": dial tcp 10.9.0.4:443: i/o timeout'
    )
    world.event("ledger-1", "Failed", said, part="ledger", first=12, last=1, count=6)


@INCIDENTS.of(
    "Why can ledger not pull nginx?",
    "S1",
    finds("IMAGE_PULL_UNKNOWN", "cause", event("Pod/ledger-1", "Failed", "toomanyrequests")),
    never=("IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND"),
)
def _registry_limits(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0, image="nginx:1.27")
    world.pod(
        (RS, rs),
        container("ledger", waiting="ErrImagePull", image="nginx:1.27", ready=False),
        name="ledger-1",
        ready=False,
        age=12,
    )
    said = (
        'Failed to pull image "nginx:1.27": toomanyrequests: You have reached your pull rate limit. You may increase '
        "the limit by authenticating and upgrading: https://www.docker.com/increase-rate-limit"
    )
    world.event("ledger-1", "Failed", said, part="ledger", first=12, last=1, count=6)


@INCIDENTS.of(
    "ledger 发布卡住了,是镜像的问题吗?",
    "S2",
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/ledger-3", "Failed", "not found")),
    also=("ROLLOUT_STUCK",),
    never=("IMAGE_PULL_UNAUTHORIZED",),
    language="zh",
)
def _tag_typed_wrong(world: World) -> None:
    old = world.deployment(wanted=2, ready=2, image=IMAGE)
    for name in ("ledger-1", "ledger-2"):
        world.pod((RS, old), container("ledger", image=IMAGE), name=name)
    wrong = "harbor.example/pay/ledger:4.2.2-rc"
    new = world.replica_set("ledger", wanted=1, ready=0, age=18, revision=2, image=wrong)
    world.pod(
        (RS, new),
        container("ledger", waiting="ImagePullBackOff", image=wrong, ready=False),
        name="ledger-3",
        ready=False,
        age=18,
    )
    said = (
        f'Failed to pull image "{wrong}": rpc error: code = NotFound desc = failed to pull and unpack image "{wrong}": '
        f'failed to resolve reference "{wrong}": {wrong}: not found'
    )
    world.event("ledger-3", "Failed", said, part="ledger", first=18, last=3, count=8)
    world.lists["deployments"][0]["status"] |= {"updatedReplicas": 1, "unavailableReplicas": 1, "replicas": 3}


@INCIDENTS.of(
    "ledger is in ImagePullBackOff",
    "S1",
    finds("IMAGE_PULL_UNAUTHORIZED", "cause", event("Pod/ledger-1", "Failed", "403 Forbidden")),
    never=("IMAGE_PULL_NOT_FOUND", "ACCESS_DENIED"),
)
def _token_refused(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0, image=IMAGE)
    world.pod(
        (RS, rs),
        container("ledger", waiting="ImagePullBackOff", image=IMAGE, ready=False),
        name="ledger-1",
        ready=False,
        age=20,
    )
    said = (
        f'Failed to pull image "{IMAGE}": failed to authorize: failed to fetch anonymous token: unexpected status from '
        "GET request to https://harbor.example/service/token?scope=repository%3Apay%2Fledger%3Apull: 403 Forbidden"
    )
    world.event("ledger-1", "Failed", said, part="ledger", new=True, first=20, last=2, count=8)


@INCIDENTS.of(
    "ledger-2 never appears",
    "S2",
    finds("PVC_UNBOUND", "cause", event("PersistentVolumeClaim/data-ledger-1", "ProvisioningFailed", "fast-ssd")),
    never=("UNSCHEDULABLE_RESOURCES",),
)
def _ordinal_without_volume(world: World) -> None:
    world.stateful_set("ledger", wanted=3, ready=1)
    claim = [{"name": "data", "persistentVolumeClaim": {"claimName": "data-ledger-0"}}]
    world.pod(("StatefulSet", "ledger"), container("ledger"), name="ledger-0", volumes=claim)
    world.pod(
        ("StatefulSet", "ledger"),
        name="ledger-1",
        ready=False,
        age=25,
        node="",
        phase="Pending",
        containerStatuses=[],
        volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data-ledger-1"}}],
        conditions=[
            {
                "type": "PodScheduled",
                "status": "False",
                "reason": "Unschedulable",
                "message": "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: "
                "0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
                "lastTransitionTime": stamp(25),
            }
        ],
    )
    world.add("persistentvolumeclaims", "data-ledger-0", spec={"storageClassName": "ssd"}, status={"phase": "Bound"})
    world.add(
        "persistentvolumeclaims", "data-ledger-1", spec={"storageClassName": "fast-ssd"}, status={"phase": "Pending"}
    )
    said = 'storageclass.storage.k8s.io "fast-ssd" not found'
    world.event("data-ledger-1", "ProvisioningFailed", said, kind="PersistentVolumeClaim", first=25, count=100)


@INCIDENTS.of(
    "ledger hangs in ContainerCreating",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/ledger-1", "FailedMount", "ledger-tls")),
    also=("CONFIG_REF_MISSING",),
)
def _secret_of_a_volume(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod(
        (RS, rs),
        container("ledger", waiting="ContainerCreating", ready=False),
        name="ledger-1",
        ready=False,
        age=16,
        phase="Pending",
    )
    said = 'MountVolume.SetUp failed for volume "tls" : secret "ledger-tls" not found'
    world.event("ledger-1", "FailedMount", said, first=16, last=1, count=15)


@INCIDENTS.of(
    "ledger-0 卡在 ContainerCreating",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/ledger-0", "FailedAttachVolume", "Multi-Attach")),
    never=("PVC_UNBOUND",),
    language="zh",
)
def _volume_elsewhere(world: World) -> None:
    world.stateful_set("ledger", wanted=1, ready=0)
    world.pod(
        ("StatefulSet", "ledger"),
        container("ledger", waiting="ContainerCreating", ready=False),
        name="ledger-0",
        ready=False,
        age=9,
        phase="Pending",
    )
    said = (
        'Multi-Attach error for volume "pvc-7d1c" Volume is already exclusively attached to one node and can\'t be '
        "attached to another"
    )
    world.event("ledger-0", "FailedAttachVolume", said, first=9, last=3, count=1)


@INCIDENTS.of(
    "Did the close of ledger run last night?",
    "S2",
    finds("JOB_BACKOFF_LIMIT"),
    never=("NO_PROBLEM_FOUND", "NO_PODS_FOUND"),
)
def _job_without_pods(world: World) -> None:
    failed = {
        "type": "Failed",
        "status": "True",
        "reason": "BackoffLimitExceeded",
        "message": "Job has reached the specified backoff limit",
        "lastTransitionTime": stamp(18),
    }
    world.lists["jobs"].append(
        {
            "metadata": {
                "name": "ledger-close-29384",
                "namespace": "shop",
                "labels": world.labels(),
                "creationTimestamp": stamp(40),
                "ownerReferences": [{"kind": "CronJob", "name": "ledger-close", "controller": True}],
            },
            "spec": {"backoffLimit": 3, "completions": 1},
            "status": {"failed": 4, "startTime": stamp(40), "conditions": [failed]},
        }
    )
    said = "Job has reached the specified backoff limit"
    world.event("ledger-close-29384", "BackoffLimitExceeded", said, kind="Job", first=18, last=18, count=1)


@INCIDENTS.of(
    "the ledger agent is missing on a node",
    "S2",
    finds("NODE_PRESSURE", ""),
    finds("EVICTED", "", api("Pod/ledger-b", "status.reason", "Evicted")),
    never=("EXIT_137_UNCONFIRMED", "OOM_KILLED"),
)
def _agent_on_full_node(world: World) -> None:
    world.node(
        "node-b",
        pressure="DiskPressure",
        minutes=22,
        message="kubelet has disk pressure",
    )
    world.stateful_set("ledger", wanted=2, ready=1, kind="daemonsets")
    world.pod(("DaemonSet", "ledger"), container("ledger"), name="ledger-a")
    world.pod(
        ("DaemonSet", "ledger"),
        container("ledger", ended=end(137, "Error", 20), ready=False),
        name="ledger-b",
        node="node-b",
        ready=False,
        phase="Failed",
        reason="Evicted",
        message="The node was low on resource: ephemeral-storage. Threshold quantity: 2Gi, available: 811Mi.",
    )
    said = "The node was low on resource: ephemeral-storage. Threshold quantity: 2Gi, available: 811Mi. "
    world.event("ledger-b", "Evicted", said, first=20, last=20, count=1)


@INCIDENTS.of(
    "the ledger rollout does not move",
    "S2",
    finds("QUOTA_EXCEEDED"),
    finds("ROLLOUT_STUCK", ""),
    never=("UNSCHEDULABLE_RESOURCES",),
)
def _quota_in_rollout(world: World) -> None:
    old = world.deployment(wanted=2, ready=2, stuck=True)
    for name in ("ledger-1", "ledger-2"):
        world.pod((RS, old), container("ledger"), name=name)
    new = world.replica_set("ledger", wanted=1, ready=0, age=25, revision=2)
    world.lists["replicasets"][-1]["status"] = {"replicas": 0}
    said = (
        f'Error creating: pods "{new}-x7k2p" is forbidden: exceeded quota: compute, requested: requests.memory=4Gi, '
        "used: requests.memory=30Gi, limited: requests.memory=32Gi"
    )
    world.event(new, "FailedCreate", said, kind="ReplicaSet", first=25, last=4, count=16)
    world.add(
        "resourcequotas",
        "compute",
        status={"hard": {"requests.memory": "32Gi"}, "used": {"requests.memory": "30Gi"}},
    )
    world.lists["deployments"][0]["status"] |= {"updatedReplicas": 0, "unavailableReplicas": 1}


@INCIDENTS.of(
    "the ledger rollout does not move",
    "S2",
    finds("ROLLOUT_STUCK"),
    also=("REPLICAS_MISSING",),
    never=("QUOTA_EXCEEDED", "ACCESS_DENIED"),
)
def _admission_refuses(world: World) -> None:
    old = world.deployment(wanted=2, ready=2, stuck=True)
    for name in ("ledger-1", "ledger-2"):
        world.pod((RS, old), container("ledger"), name=name)
    new = world.replica_set("ledger", wanted=1, ready=0, age=25, revision=2)
    world.lists["replicasets"][-1]["status"] = {"replicas": 0}
    said = (
        'Error creating: admission webhook "validate.policy.svc" denied the request: containers must not run as root: '
        "ledger"
    )
    world.event(new, "FailedCreate", said, kind="ReplicaSet", first=25, last=4, count=16)
    world.lists["deployments"][0]["status"] |= {"updatedReplicas": 0, "unavailableReplicas": 1}


@INCIDENTS.of(
    "ledger keeps restarting but there is no error",
    "S1",
    finds(
        "CRASH_LOOP",
        "cause",
        of_status("ledger-1", "ledger", "lastState.terminated.exitCode", 0),
        logged("ledger-1", "ledger", "LEDGER_MODE is not set", 1),
    ),
)
def _ends_well_again_and_again(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", 0, "Completed", ready=False), name="ledger-1", ready=False)
    world.log("ledger-1", "ledger", (2.1, "nothing to do: LEDGER_MODE is not set, leaving"))
    world.event("ledger-1", "BackOff", "Back-off restarting failed container ledger in pod", part="ledger", count=60)


@INCIDENTS.of(
    "ledger is up but gets no traffic",
    "S1",
    finds("SIDECAR_FAILING", "cause", logged("ledger-1", "proxy", "boot.json", 1)),
    never=("CRASH_LOOP",),
)
def _mesh_away(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod(
        (RS, rs),
        container("ledger"),
        crashing("proxy", 1, ready=False, image="mesh/proxy:1.2"),
        name="ledger-1",
        ready=False,
        since=30,
    )
    world.log("ledger-1", "proxy", (2, "error: cannot load bootstrap: file /etc/mesh/boot.json: permission denied"))
    world.every("ledger-1", "ledger", "INFO handled {n}", since=50)


@INCIDENTS.of(
    "ledger has one replica only",
    "S2",
    finds("CRASH_LOOP", "cause", logged("ledger-2", "ledger", "wrong checksum", 1)),
    finds("ACCESS_DENIED", ""),
)
def _blind_crash(world: World) -> None:
    rs = world.deployment(wanted=2, ready=1)
    world.pod((RS, rs), container("ledger"), name="ledger-1")
    world.pod((RS, rs), crashing("ledger", 3, ready=False), name="ledger-2", ready=False)
    world.log("ledger-2", "ledger", (2, "fatal: license file /etc/ledger/license has wrong checksum"))
    world.denied["events"] = 403


@INCIDENTS.of(
    "ledger is pending",
    "S1",
    finds("UNSCHEDULABLE_PLACEMENT"),
    never=("UNSCHEDULABLE_RESOURCES", "PVC_UNBOUND"),
)
def _no_room_on_tainted(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    said = (
        "0/2 nodes are available: 2 node(s) had untolerated taint {dedicated: batch}. preemption: 0/2 nodes are "
        "available: 2 Preemption is not helpful for scheduling."
    )
    world.pod(
        (RS, rs),
        name="ledger-1",
        node="",
        ready=False,
        age=20,
        phase="Pending",
        containerStatuses=[],
        conditions=[
            {
                "type": "PodScheduled",
                "status": "False",
                "reason": "Unschedulable",
                "message": said,
                "lastTransitionTime": stamp(20),
            }
        ],
    )
    world.event("ledger-1", "FailedScheduling", said, new=True, first=20, last=1, count=6)


@INCIDENTS.of(
    "ledger 为什么一直重启?",
    "S1",
    finds("STARTUP_PROBE_KILLED", "cause", event("Pod/ledger-1", "Killing", "failed startup probe")),
    never=("EXIT_137_UNCONFIRMED", "LIVENESS_KILLED", "READINESS_FAILING", "DEPENDENCY_TIMEOUT"),
    language="zh",
)
def _startup_too_slow(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    probe = {"httpGet": {"path": "/up", "port": 8080}, "failureThreshold": 6, "periodSeconds": 5}
    world.pod(
        (RS, rs),
        container("ledger", since=0.4, restarts=5, last=end(137, "Error", 0.5, ran=1), ready=False, startupProbe=probe),
        name="ledger-1",
        ready=False,
        age=14,
    )
    world.event(
        "ledger-1",
        "Killing",
        "Container ledger failed startup probe, will be restarted",
        normal=True,
        part="ledger",
        first=13,
        last=0.6,
        count=5,
    )
    world.event(
        "ledger-1",
        "Unhealthy",
        'Startup probe failed: Get "http://10.1.1.9:8080/up": dial tcp 10.1.1.9:8080: connect: connection refused',
        part="ledger",
        first=13.5,
        last=0.2,
        count=31,
    )
    world.log("ledger-1", "ledger", (0.3, "INFO warming cache, 2 of 90 partitions"))
