"""More of the newspaper's incidents: containers that end, nodes that are lost, jobs, requests that are slow."""

from evals.diagnosis.composed.scene import added, job, replicas, times, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp
from evals.diagnosis.railway.site import RS, busy, served

INCIDENTS = Collection("printing")
NAME = "app.kubernetes.io/name"


@INCIDENTS.of(
    "crossword: exec format error after we moved to the arm nodes",
    "S1",
    finds("CRASH_LOOP", "cause", logged("crossword-0", "crossword", "exec format error", 1)),
    never=("OOM_KILLED", "CONTAINER_NOT_CREATED", "IMAGE_PULL_UNKNOWN"),
    also=("IMAGE_UNUSABLE",),
    app="crossword",
)
@busy
def _wrong_architecture(world: World) -> None:
    (pod,) = replicas(world, crashing("crossword", 255, restarts=6, ready=False, **served()), age=14)
    world.log(pod, "crossword", (2.1, "exec /usr/local/bin/docker-entrypoint.sh: exec format error"))
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container crossword in pod {pod}_shop(1)",
        part="crossword",
        first=13,
        last=1,
        count=50,
    )


@INCIDENTS.of(
    "archive crash: permission denied on /data after chart upgrade",
    "S1",
    finds("CRASH_LOOP", "cause", logged("archive-0", "archive", "permission denied", 1)),
    never=("ACCESS_DENIED", "VOLUME_MOUNT_FAILED", "IMAGE_PULL_UNAUTHORIZED"),
    app="archive",
)
@busy
def _may_not_write_its_disk(world: World) -> None:
    world.stateful_set(wanted=1, ready=0)
    (pod,) = added(
        world, ("StatefulSet", "archive"), [crashing("archive", 1, restarts=7, ready=False, **served())], age=19
    )
    world.log(
        pod,
        "archive",
        (2.1, "ts=2026-11-20T09:57:50Z caller=main.go:201 level=info msg=starting"),
        (
            2.05,
            (
                'ts=2026-11-20T09:57:51Z caller=main.go:221 level=error msg="Opening storage failed" '
                'err="open /data/lock: permission denied"'
            ),
        ),
    )
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container archive in pod {pod}_shop(1)",
        part="archive",
        first=18,
        last=1,
        count=70,
    )


@INCIDENTS.of(
    "video-api: is it us or the cdn?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause"),
    finds("HTTP_5XX_RATIO", ""),
    also=("ERROR_BURST",),
    never=("DNS_FAILURE", "CERTIFICATE_REFUSED", "CRASH_LOOP"),
    app="video-api",
    label=NAME,
)
@busy
def _cdn_resets(world: World) -> None:
    (pod,) = replicas(world, container("video-api", **served()))
    works(world, pod, line='{"level":"info","time":17951{n},"msg":"manifest"}', bad=6)
    times(
        world,
        pod,
        "video-api",
        60,
        (
            '{"level":"error","time":17951{n},"msg":"origin fetch failed","err":"read ECONNRESET","host":'
            '"edge.cdn.example","code":"ECONNRESET"}'
        ),
    )
    times(
        world,
        pod,
        "video-api",
        60,
        (
            '{"level":"error","time":17951{n},"msg":"origin fetch failed","err":"connect ETIMEDOUT '
            '203.0.113.7:443","host":"edge.cdn.example","code":"ETIMEDOUT"}'
        ),
    )


@INCIDENTS.of(
    "ads slow",
    "S2",
    finds("REQUESTS_SLOW", ""),
    accepted=("S1", "S3"),
    also=("CPU_THROTTLED",),
    never=("NO_PROBLEM_FOUND", "DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO"),
    app="ads",
)
@busy
def _slow_and_nothing_else(world: World) -> None:
    (pod,) = replicas(world, container("ads", **served()))
    works(world, pod)
    own = {"namespace": "shop", "app": "ads", "pod": pod}
    for le, before, now in (
        ("0.1", 9, 1),
        ("0.5", 9.8, 2),
        ("1", 10, 3),
        ("2.5", 10, 5),
        ("5", 10, 10),
        ("+Inf", 10, 10),
    ):
        world.counter("http_request_duration_seconds_bucket", own | {"le": le}, per_s=now, before=before, since=20)


@INCIDENTS.of(
    "push: 3 pods gone, what happened to node-b?",
    "S2",
    finds("NODE_NOT_READY", "cause"),
    accepted=("S1",),
    also=("REPLICAS_MISSING", "TERMINATION_STUCK"),
    never=("CRASH_LOOP", "READINESS_FAILING", "EVICTED", "OOM_KILLED"),
    app="push",
)
@busy
def _node_is_gone(world: World) -> None:
    world.node("node-b", ready="Unknown", minutes=14, message="Kubelet stopped posting node status.")
    owner = (RS, world.deployment(wanted=3, ready=2))
    works(world, *added(world, owner, [container("push", **served())], [container("push", **served())], age=7))
    for number in (5, 6):
        pod = world.pod(
            owner, container("push", **served()), name=f"push-{number}", ready=False, node="node-b", since=14, age=4_000
        )
        world.lists["pods"][-1]["metadata"]["deletionTimestamp"] = stamp(9)
        world.lists["pods"][-1]["metadata"]["deletionGracePeriodSeconds"] = 30
        world.event(pod, "NodeNotReady", "Node is not ready", first=14, last=14, count=1)
        world.event(
            pod, "TaintManagerEviction", f"Marking for deletion Pod shop/{pod}", first=9, last=9, count=1, normal=True
        )


@INCIDENTS.of(
    "live-ticker: we saw WARN lines about retries, harmless?",
    "S0",
    WELL,
    never=("DEPENDENCY_TIMEOUT", "ERROR_BURST", "DNS_FAILURE"),
    app="live-ticker",
)
@busy
def _retries_that_succeed(world: World) -> None:
    (pod,) = replicas(world, container("live-ticker", **served()))
    works(world, pod)
    times(
        world,
        pod,
        "live-ticker",
        30,
        (
            '{"level":"warn","msg":"retrying","attempt":1,"err":"Get \\"http://scores.shop.svc/v1\\": '
            'context deadline exceeded"}'
        ),
        '{"level":"info","msg":"succeeded after retry","errors":1,"n":{n}}',
        each_s=20,
    )


@INCIDENTS.of(
    "why does editor-api answer 503? UF,URX in the access log",
    "S1",
    finds("HTTP_5XX_RATIO", ""),
    accepted=("S1",),
    also=("ERROR_BURST", "DEPENDENCY_TIMEOUT"),
    never=("DNS_FAILURE", "READINESS_FAILING", "NO_PROBLEM_FOUND"),
    app="editor-api",
)
@busy
def _envoy_flags(world: World) -> None:
    (pod,) = replicas(world, [container("editor-api", **served()), container("istio-proxy")])
    works(world, pod, bad=6)
    times(
        world,
        pod,
        "istio-proxy",
        60,
        (
            '[2026-11-20T09:58:0{n}Z] "GET /v1/drafts HTTP/1.1" 503 UF,URX upstream_reset_before_response'
            '_started{connection_failure,delayed_connect_error:_111} - "delayed_connect_error:_111" '
            '0 152 2 - "-" "Go-http-client/2.0" "{n}" "drafts:8080" "10.8.3.99:8080" outbound|8080||draft'
            "s.shop.svc.cluster.local - 10.96.2.2:8080 10.8.3.17:40112 - default"
        ),
    )


@INCIDENTS.of(
    "the migrate job of cms hangs for an hour",
    "S2",
    finds("JOB_DEADLINE_EXCEEDED", ""),
    also=("JOB_BACKOFF_LIMIT",),
    accepted=("S3",),
    never=("NO_PROBLEM_FOUND",),
    app="cms",
)
@busy
def _job_deadline(world: World) -> None:
    job(world, "cms-migrate-12", reason="DeadlineExceeded", age=75)
    world.event(
        "cms-migrate-12",
        "DeadlineExceeded",
        "Job was active longer than specified deadline",
        kind="Job",
        first=15,
        last=15,
        count=1,
    )


@INCIDENTS.of(
    "kubelet says PLEG / FailedCreatePodSandBox for mailer",
    "S1",
    finds("SANDBOX_FAILED", "cause", event("Pod/mailer-0", "FailedCreatePodSandBox", "no IP addresses available")),
    never=("VOLUME_MOUNT_FAILED", "NO_PROBLEM_FOUND"),
    also=("ROLLOUT_STUCK",),
    app="mailer",
)
@busy
def _no_addresses_left(world: World) -> None:
    (pod,) = replicas(world, waiting("mailer", "ContainerCreating", **served()), age=11)
    world.event(
        pod,
        "FailedCreatePodSandBox",
        (
            "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup "
            'network for sandbox "a1": plugin type="calico" failed (add): no IP addresses available '
            "in range set: 10.8.3.1-10.8.3.254"
        ),
        first=11,
        last=0.3,
        count=42,
    )


@INCIDENTS.of(
    "podcast flaps: liveness and memory both red",
    "S2",
    finds("OOM_KILLED", "cause"),
    finds("LIVENESS_KILLED", "cause"),
    accepted=("S1",),
    also=("MEMORY_NEAR_LIMIT", "CONTAINER_RESTARTING", "CRASH_LOOP"),
    never=("EXIT_137_UNCONFIRMED",),
    app="podcast",
)
@busy
def _two_pods_two_reasons(world: World) -> None:
    oom = container("podcast", since=4, restarts=3, last=end(137, "OOMKilled", 4.2, ran=12), **served())
    live = container("podcast", since=6, restarts=4, last=end(137, "Error", 6.2, ran=8), **served())
    pods = replicas(world, oom, live)
    works(world, *pods)
    world.usage(pods[0], "podcast", memory=0.96)
    world.event(
        pods[1],
        "Unhealthy",
        "Liveness probe failed: HTTP probe failed with statuscode: 500",
        part="podcast",
        first=50,
        last=6.5,
        count=12,
    )
    world.event(
        pods[1],
        "Killing",
        "Container podcast failed liveness probe, will be restarted",
        part="podcast",
        first=49,
        last=6.4,
        count=4,
        normal=True,
    )
