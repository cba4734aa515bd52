"""The games studio's incidents of apps that run and serve badly, or well while something else does not."""

from evals.diagnosis.composed.scene import added, replicas, times, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged
from evals.diagnosis.incidents.world import World, container
from evals.diagnosis.railway.site import RS, busy, served

INCIDENTS = Collection("league")
NAME = "app.kubernetes.io/name"


@INCIDENTS.of(
    "party-svc drops out, readiness says 503, what is behind it?",
    "S1",
    finds("READINESS_FAILING", "", event("Pod/party-svc-0", "Unhealthy", "statuscode: 503")),
    finds("DEPENDENCY_TIMEOUT", "cause"),
    also=("ERROR_BURST", "SERVICE_NO_ENDPOINTS", "HTTP_5XX_RATIO"),
    never=("LIVENESS_KILLED", "DNS_FAILURE", "CRASH_LOOP"),
    app="party-svc",
)
@busy
def _not_ready_while_its_store_is_down(world: World) -> None:
    body = container("party-svc", ready=False, **served("/ready"))
    for pod in replicas(world, body, body, age=900, since=19):
        world.every(pod, "party-svc", '{"lvl":"info","msg":"tick","n":{n}}', since=58, until=20)
        times(
            world,
            pod,
            "party-svc",
            110,
            (
                '{"lvl":"error","msg":"readiness: valkey ping failed","err":"dial tcp 10.96.201.9:6379: '
                'connect: connection refused","addr":"valkey-party:6379"}'
            ),
            each_s=10,
        )
        world.event(
            pod,
            "Unhealthy",
            "Readiness probe failed: HTTP probe failed with statuscode: 503",
            part="party-svc",
            first=19,
            last=0.1,
            count=113,
        )


@INCIDENTS.of(
    "friends-api errors: cannot open connections, is the database down?",
    "S1",
    finds("ERROR_BURST", "", logged("friends-api-0", "friends-api", "too many open files", 90)),
    accepted=("S2",),
    also=("HTTP_5XX_RATIO",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "NETWORK_POLICY_BLOCKS"),
    app="friends-api",
)
@busy
def _no_file_handles_left(world: World) -> None:
    (pod,) = replicas(world, container("friends-api", **served()))
    works(world, pod, line='time=09:57 level=INFO msg="friends listed" n={n}', bad=5)
    times(
        world,
        pod,
        "friends-api",
        90,
        (
            'time=2026-11-20T09:57:03.114Z level=ERROR msg="query failed" err="dial tcp 10.96.77.12:5432:'
            ' socket: too many open files" player={n}'
        ),
    )


@INCIDENTS.of(
    "uploads of replays broken since ~09:35",
    "S1",
    finds("ERROR_BURST", "", logged("replay-upload-0", "replay-upload", "no space left on device", 80)),
    accepted=("S2",),
    also=("HTTP_5XX_RATIO", "VOLUME_NEARLY_FULL"),
    never=("NODE_PRESSURE", "EVICTED", "DEPENDENCY_TIMEOUT"),
    app="replay-upload",
)
@busy
def _scratch_disk_is_full(world: World) -> None:
    (pod,) = replicas(world, container("replay-upload", **served()))
    works(world, pod, line="[INFO] stored replay {n}", bad=7)
    times(
        world,
        pod,
        "replay-upload",
        80,
        "[ERROR] OSError: [Errno 28] no space left on device: '/scratch/part-{n}'",
        each_s=16,
    )


@INCIDENTS.of(
    "season-operator: nothing reconciles any more",
    "S2",
    finds("ERROR_BURST", "", logged("season-operator-0", "season-operator", "is forbidden", 60)),
    accepted=("S1", "S3"),
    never=("ACCESS_DENIED", "DEPENDENCY_TIMEOUT", "NO_PROBLEM_FOUND"),
    app="season-operator",
)
@busy
def _app_lacks_a_right(world: World) -> None:
    (pod,) = replicas(world, container("season-operator"))
    world.every(pod, "season-operator", 'I1120 09:2{n} 1 controller.go:114] "synced" season="{n}"', since=58, until=14)
    times(
        world,
        pod,
        "season-operator",
        60,
        (
            'E1120 09:57:01.{n}       1 reflector.go:158] "Unhandled Error" err="failed to '
            'list *v1.Season: seasons.play.kestrel.example is forbidden: User \\"system:serviceaccount:sh'
            'op:season-operator\\" cannot list resource \\"seasons\\" in API group \\"play.kestrel.exampl'
            'e\\" at the cluster scope" logger="UnhandledError"'
        ),
        each_s=12,
    )


@INCIDENTS.of(
    "trade-svc hangs, customers say nothing happens, no errors anywhere",
    "S0",
    WELL,
    accepted=("S1", "S2", "S3"),
    never=("CRASH_LOOP", "DEPENDENCY_TIMEOUT", "ERROR_BURST", "CPU_THROTTLED", "READINESS_FAILING"),
    app="trade-svc",
)
@busy
def _stands_still_without_a_word(world: World) -> None:
    for pod in replicas(world, container("trade-svc", **served()), container("trade-svc", **served()), age=2_000):
        world.every(pod, "trade-svc", "INFO trade {n} booked", since=58, until=17, each_s=4)
        own = {"namespace": "shop", "app": "trade-svc", "pod": pod}
        world.counter("http_requests_total", own | {"code": "200"}, per_s=0, before=18, since=17)
        world.usage(pod, "trade-svc", throttled=0.0, cpu=0.01)


@INCIDENTS.of(
    "store page throws 500 for some players since the last deploy I think",
    "S1",
    finds("HTTP_5XX_RATIO", ""),
    finds("ERROR_BURST", "", logged("store-2", "store", "KeyError: 'price_tier'", 70)),
    never=("ROLLOUT_STUCK", "DEPENDENCY_TIMEOUT", "CRASH_LOOP"),
    app="store",
    label=NAME,
)
@busy
def _new_version_answers_badly(world: World) -> None:
    world.deployment(wanted=2, ready=2, age=9_000)
    world.lists["replicasets"][-1]["spec"]["replicas"] = 0
    world.lists["replicasets"][-1]["status"] = {"replicas": 0}
    new = world.replica_set("store", wanted=2, ready=2, age=16, revision=41, image="r.example/store:41")
    for pod in added(
        world,
        (RS, new),
        [container("store", since=15, image="r.example/store:41", **served())],
        [container("store", since=15, image="r.example/store:41", **served())],
        first=2,
        age=16,
    ):
        world.every(pod, "store", '10.8.1.4 - "GET /store/{n} HTTP/1.1" 200', since=15)
        world.requests(pod, bad=3, good=11, app="store")
        times(
            world,
            pod,
            "store",
            70,
            "Traceback (most recent call last):",
            '  File "/app/store/pricing.py", line 88, in quote',
            "KeyError: 'price_tier'",
            each_s=11,
        )


@INCIDENTS.of(
    "presence flaps, alerts come and go all morning",
    "S2",
    finds("READINESS_FAILING", "", event("Pod/presence-1", "Unhealthy", "context deadline exceeded")),
    accepted=("S1", "S3"),
    also=("REPLICAS_MISSING", "CPU_THROTTLED"),
    never=("LIVENESS_KILLED", "CRASH_LOOP", "ROLLOUT_STUCK"),
    app="presence",
)
@busy
def _one_of_three_flaps(world: World) -> None:
    well, flaps = container("presence", **served()), container("presence", ready=False, **served())
    pods = replicas(world, well, flaps, well, age=1_500, since=0.4)
    works(world, *pods, line="presence heartbeat {n}")
    said = (
        'Readiness probe failed: Get "http://10.8.3.18:8080/healthz": context deadline '
        "exceeded (Client.Timeout exceeded while awaiting headers)"
    )
    world.event(pods[1], "Unhealthy", said, part="presence", first=170, last=0.3, count=64)


@INCIDENTS.of(
    "gateway gives 502 on /clans, clans pods look fine",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", api("Service/clans", "spec.clusterIP", "10.96.31.8")),
    accepted=("S2",),
    also=("SERVICE_PORT_MISMATCH", "HTTP_5XX_RATIO", "ERROR_BURST"),
    never=("NO_PROBLEM_FOUND", "READINESS_FAILING", "DNS_FAILURE"),
    app="gateway",
)
@busy
def _port_behind_the_service_moved(world: World) -> None:
    (pod,) = replicas(world, container("gateway", image="nginx:1.27", **served()))
    works(world, pod, line='10.8.0.9 - - "GET /play HTTP/1.1" 200 {n}', bad=4)
    times(
        world,
        pod,
        "gateway",
        80,
        (
            "2026/11/20 09:58:44 [error] 31#31: *{n} connect() failed (111: Connection refused) "
            "while connecting to upstream, client: 10.8.0.9, server: play.kestrel.example, "
            'request: "GET /clans HTTP/1.1", upstream: "http://10.96.31.8:80/clans", host: '
            '"play.kestrel.example"'
        ),
        each_s=9,
    )
    rs = world.deployment("clans", wanted=1, ready=1)
    works(world, *added(world, (RS, rs), [container("clans", **served(port=9090))], app="clans"), name="clans")
    world.add(
        "services",
        "clans",
        spec={
            "selector": {"app": "clans"},
            "clusterIP": "10.96.31.8",
            "ports": [{"name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP"}],
        },
    )
    world.add(
        "endpoints",
        "clans",
        subsets=[
            {
                "addresses": [{"ip": "10.8.3.30", "targetRef": {"kind": "Pod", "name": "clans-0"}}],
                "ports": [{"name": "http", "port": 8080, "protocol": "TCP"}],
            }
        ],
    )
