"""The games studio's incidents that were held back: 10 of 11 found, 1 claim of 11 wrong when they were looked at.

The wrong one, what was said as a run ended an hour ago, was mended on then.
"""

from evals.diagnosis.composed.scene import refused, replicas, rollout, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp
from evals.diagnosis.railway.site import busy, served
from tests.incidents.foreign.airline import blocked

INCIDENTS = Collection("finals", held_out=True)


@INCIDENTS.of(
    "no new pod of highlights since the namespace was hardened",
    "S2",
    finds("REPLICAS_MISSING", "", event("ReplicaSet/highlights-rs", "FailedCreate", "violates PodSecurity")),
    also=("ROLLOUT_STUCK",),
    never=("ACCESS_DENIED", "QUOTA_EXCEEDED", "NO_PROBLEM_FOUND"),
    app="highlights",
)
@busy
def _pod_security_refuses(world: World) -> None:
    said = (
        'Error creating: pods "{rs}-t7xkq" is forbidden: violates PodSecurity "restricted:latest": '
        'allowPrivilegeEscalation != false (container "highlights" must '
        "set securityContext.allowPrivilegeEscalation=false), runAsNonRoot != true (pod "
        'or container "highlights" must set securityContext.runAsNonRoot=true)'
    )
    refused(world, said, wanted=3, ready=2)


@INCIDENTS.of(
    "ticket-sale down: is it us or the database?",
    "S1",
    finds("CRASH_LOOP", "", of_status("ticket-sale-0", "ticket-sale", "lastState.terminated.exitCode", 1)),
    finds("DNS_FAILURE", "cause", logged("ticket-sale-0", "ticket-sale", "no such host", 1)),
    never=("DEPENDENCY_TIMEOUT", "OOM_KILLED", "CONFIG_REF_MISSING"),
    app="ticket-sale",
)
@busy
def _name_of_the_database_is_gone(world: World) -> None:
    body = crashing("ticket-sale", 1, restarts=6, ready=False, **served())
    for pod in replicas(world, body, body, age=17):
        world.log(
            pod,
            "ticket-sale",
            (2.02, '{"level":"info","msg":"ticket-sale 9.1 starting"}'),
            (
                2.01,
                (
                    '{"level":"fatal","msg":"open database","error":"dial tcp: lookup pg-tickets.data.svc.cluster'
                    '.local on 10.96.0.10:53: no such host"}'
                ),
            ),
        )
        world.event(
            pod,
            "BackOff",
            f"Back-off restarting failed container ticket-sale in pod {pod}_shop(66)",
            part="ticket-sale",
            first=16,
            last=0.7,
            count=61,
        )


@INCIDENTS.of(
    "bracket is broken in two ways they say: old pods get killed and the fix does not deploy",
    "S2",
    finds("OOM_KILLED", "cause", of_status("bracket-0", "bracket", "lastState.terminated.reason", "OOMKilled")),
    finds("IMAGE_PULL_NOT_FOUND", "cause", event("Pod/bracket-2", "Failed", "not found")),
    accepted=("S1",),
    also=("ROLLOUT_STUCK", "MEMORY_NEAR_LIMIT", "CONTAINER_RESTARTING"),
    never=("IMAGE_PULL_UNAUTHORIZED", "LIVENESS_KILLED"),
    app="bracket",
)
@busy
def _two_troubles_at_once(world: World) -> None:
    image = "ghcr.io/kestrel/bracket:3.3.1-fix"
    (pod,) = rollout(world, waiting("bracket", "ErrImagePull", image=image, **served()), age=6)
    said = (
        f'Failed to pull image "{image}": rpc error: code = NotFound desc = failed to pull '
        f'and unpack image "{image}": failed to resolve reference "{image}": {image}: not '
        f"found"
    )
    world.event(pod, "Failed", said, part="bracket", first=6, last=0.6, count=4)
    for number in (0, 1):
        status = world.lists["pods"][-3 + number]["status"]["containerStatuses"][0]
        status |= {
            "restartCount": 4,
            "lastState": {"terminated": end(137, "OOMKilled", 4 + number, ran=12)},
            "state": {"running": {"startedAt": stamp(3 + number)}},
        }
        works(world, f"bracket-{number}")


@INCIDENTS.of(
    "is prize-payout ok? the alert said crash loop",
    "S0",
    WELL,
    never=("CRASH_LOOP", "CONTAINER_RESTARTING", "DEPENDENCY_TIMEOUT", "ROLLOUT_STUCK"),
    app="prize-payout",
)
@busy
def _trouble_of_an_hour_ago_is_over(world: World) -> None:
    body = container("prize-payout", since=49, restarts=6, last=end(1, "Error", 50), **served())
    (pod,) = replicas(world, body, age=70)
    works(world, pod)
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container prize-payout in pod {pod}_shop(90)",
        part="prize-payout",
        first=59,
        last=50,
        count=40,
    )
    world.log(
        pod, "prize-payout", (50.2, "ERROR dial tcp 10.96.77.12:5432: connect: connection refused"), previous=True
    )


@INCIDENTS.of(
    "sponsor-feed dead since midnight",
    "S1",
    finds("CRASH_LOOP", "", of_status("sponsor-feed-0", "sponsor-feed", "state.waiting.reason", "CrashLoopBackOff")),
    finds("CERTIFICATE_REFUSED", "cause"),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "CONFIG_REF_MISSING"),
    app="sponsor-feed",
)
@busy
def _certificate_ended_at_midnight(world: World) -> None:
    (pod,) = replicas(world, crashing("sponsor-feed", 1, restarts=60, ready=False, **served()), age=900)
    world.log(
        pod,
        "sponsor-feed",
        (2.1, "node:internal/process/promises:394"),
        (2.09, "Error: certificate has expired"),
        (2.08, "    at TLSSocket.onConnectSecure (node:_tls_wrap:1679:34)"),
        (2.07, "    at TLSSocket.emit (node:events:518:28) {"),
        (2.06, "  code: 'CERT_HAS_EXPIRED'"),
        (2.05, "}"),
    )
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container sponsor-feed in pod {pod}_shop(b0)",
        part="sponsor-feed",
        first=58,
        last=0.7,
        count=240,
    )


@INCIDENTS.of(
    "overlay does not get more replicas in the finals",
    "S2",
    finds(
        "HPA_NOT_SCALING",
        "cause",
        event("HorizontalPodAutoscaler/overlay", "FailedGetResourceMetric", "unable to fetch metrics"),
    ),
    accepted=("S3",),
    also=("CPU_HIGH_NO_LIMIT",),
    never=("HPA_AT_LIMIT", "QUOTA_EXCEEDED"),
    app="overlay",
)
@busy
def _no_metrics_to_scale_on(world: World) -> None:
    works(world, *replicas(world, container("overlay", **served()), container("overlay", **served())))
    said = (
        "failed to get cpu utilization: unable to get metrics for resource cpu: unable "
        "to fetch metrics from resource metrics API: the server is currently unable to "
        "handle the request (get pods.metrics.k8s.io)"
    )
    world.scaler(
        blocked(
            "AbleToScale", "True", "SucceededGetScale", "the HPA controller was able to get the target's current scale"
        ),
        blocked(
            "ScalingActive",
            "False",
            "FailedGetResourceMetric",
            f"the HPA was unable to compute the replica count: {said}",
        ),
        most=12,
        current=2,
    )
    world.event(
        "overlay", "FailedGetResourceMetric", said, kind="HorizontalPodAutoscaler", first=58, last=0.2, count=231
    )


@INCIDENTS.of(
    "caster-notes update stuck: new pod ContainerCreating on another node",
    "S1",
    finds("VOLUME_MOUNT_FAILED", "cause", event("Pod/caster-notes-2", "FailedAttachVolume", "Multi-Attach")),
    accepted=("S2",),
    also=("ROLLOUT_STUCK",),
    never=("PVC_UNBOUND", "TERMINATION_STUCK", "CRASH_LOOP"),
    app="caster-notes",
)
@busy
def _one_disk_for_two_nodes(world: World) -> None:
    (pod,) = rollout(world, waiting("caster-notes", "ContainerCreating", **served()), age=13)
    works(world, "caster-notes-0", "caster-notes-1")
    world.event(
        pod,
        "FailedAttachVolume",
        'Multi-Attach error for volume "pvc-40e1" Volume is already used by pod(s) caster-notes-0',
        first=13,
        last=13,
        count=1,
    )
    world.event(
        pod,
        "FailedMount",
        (
            "Unable to attach or mount volumes: unmounted volumes=[notes], unattached volumes=[], "
            "failed to process volumes=[]: timed out waiting for the condition"
        ),
        first=11,
        last=0.5,
        count=5,
    )


@INCIDENTS.of(
    "vod-index is slow and I blame the network",
    "S2",
    finds("CPU_THROTTLED", "cause"),
    also=("REQUESTS_SLOW",),
    never=("DEPENDENCY_TIMEOUT", "NETWORK_POLICY_BLOCKS", "DNS_FAILURE", "ERROR_BURST"),
    app="vod-index",
)
@busy
def _throttled_and_blamed_on_the_network(world: World) -> None:
    pods = replicas(world, container("vod-index", **served()), container("vod-index", **served()))
    for pod in pods:
        world.every(pod, "vod-index", "WARN slow segment {n} 1804ms", since=58, each_s=9)
        world.usage(pod, "vod-index", throttled=0.71, cpu=0.99)
        world.requests(pod, bad=0.0, good=20)
    world.log(pods[0], "vod-index", (44, "WARN retry after i/o timeout to s3.example:443, attempt 1 succeeded"))
