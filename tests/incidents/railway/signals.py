"""A railway's incidents of what runs: ports that do not fit, neighbours, errors with a cause elsewhere, and quiet ones.

Written before any was run: 23 of 27 findings at first sight, 2 of 31 claims false; then mended on.
"""

from evals.diagnosis.composed.scene import complains, replicas, rollout, times, works
from evals.diagnosis.incidents.incident import WELL, Collection, api, event, finds, logged
from evals.diagnosis.incidents.world import World, container, end, stamp
from evals.diagnosis.railway.site import busy, served
from evals.diagnosis.railway.track import port, service

INCIDENTS = Collection("railway")


@INCIDENTS.of(
    "wagons pods are all green but its service has no endpoints",
    "S1",
    finds("SERVICE_PORT_MISMATCH", "cause", api("Service/wagons", "spec.ports[name=http].targetPort", "web")),
    also=("SERVICE_NO_ENDPOINTS",),
    never=("READINESS_FAILING", "REPLICAS_MISSING", "NO_PROBLEM_FOUND"),
    app="wagons",
)
@busy
def _port_was_renamed(world: World) -> None:
    pods = replicas(world, [container("wagons", **served())], [container("wagons", **served())])
    for pod in pods:
        world.every(pod, "wagons", "INFO heartbeat {n}", since=58)
        world.usage(pod, "wagons", throttled=0.01)
    service(world, "wagons", port(80, "web"))


@INCIDENTS.of(
    "is anything wrong in shop? the gate says connection refused",
    "S1",
    finds("SERVICE_PORT_MISMATCH", "cause", api("Service/ticketing", "spec.ports[name=http].targetPort", "8080")),
    finds("DEPENDENCY_TIMEOUT", "", logged("gate-0", "gate", "connection refused", 60)),
    accepted=("S2",),
    also=("ERROR_BURST",),
    never=("SERVICE_NO_ENDPOINTS", "NETWORK_POLICY_BLOCKS", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
    app="gate",
    whole=True,
)
@busy
def _service_still_names_the_old_port(world: World) -> None:
    (gate,) = replicas(world, [container("gate", **served())], app="gate")
    works(world, gate, name="gate")
    said = (
        'level=error msg="ticket {n} not checked" err="Get \\"http://ticketing.shop.svc/t/{n}\\": dial '
        'tcp 10.96.41.7:80: connect: connection refused"'
    )
    times(world, gate, "gate", 60, said)
    body = container("ticketing", since=21, **served(port=3000))
    (pod,) = replicas(world, [body], app="ticketing", age=21)
    world.every(pod, "ticketing", "listening on :3000", since=21, each_s=2_000)
    world.usage(pod, "ticketing", throttled=0.0)
    service(world, "ticketing", port(80, 8080), app="ticketing", ready=1, of=(8080,))


@INCIDENTS.of(
    "is carriage ok? its metrics port is not declared, someone said that breaks things",
    "S0",
    WELL,
    never=("SERVICE_PORT_MISMATCH", "SERVICE_NO_ENDPOINTS"),
    app="carriage",
)
@busy
def _port_is_not_declared_and_works(world: World) -> None:
    pods = replicas(world, [container("carriage", **served())], [container("carriage", **served())])
    works(world, *pods)
    service(world, "carriage", port(80, "http"), port(9113, 9113, "metrics"), ready=2, of=(8080, 9113))


@INCIDENTS.of(
    "journeys 大量报错 cannot assign requested address,是数据库挂了吗?",
    "S2",
    finds("ERROR_BURST", "cause", logged("journeys-0", "journeys", "cannot assign requested address", 70)),
    language="zh",
    accepted=("S1",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "NETWORK_POLICY_BLOCKS", "NO_PROBLEM_FOUND"),
    app="journeys",
)
@busy
def _no_ports_are_left(world: World) -> None:
    complains(
        world,
        70,
        'level=error msg="query {n} failed" err="dial tcp 10.96.8.20:5432: connect: cannot assign requested address"',
        line="level=info msg=done n={n}",
    )


@INCIDENTS.of(
    "is anything wrong in shop? fares got slow at ten to ten, nothing deployed",
    "S2",
    finds("CPU_HIGH_NO_LIMIT", "cause"),
    also=("REQUESTS_SLOW",),
    never=("CPU_THROTTLED", "MEMORY_NEAR_LIMIT", "NO_PROBLEM_FOUND", "CRASH_LOOP"),
    app="fares",
    whole=True,
)
@busy
def _neighbour_takes_the_machine(world: World) -> None:
    works(world, *replicas(world, [container("fares", **served())], app="fares"), name="fares")
    (pod,) = replicas(
        world, [container("forecast", since=14, requests={"cpu": "100m", "memory": "512Mi"})], app="forecast", age=14
    )
    world.every(pod, "forecast", "INFO epoch {n}", since=13)
    world.usage(pod, "forecast", cpu=6.5)


@INCIDENTS.of(
    "seats does not scale, kubectl get hpa shows two of them and <unknown>",
    "S3",
    finds(
        "HPA_NOT_SCALING",
        "cause",
        api("HorizontalPodAutoscaler/seats", "status.conditions[type=ScalingActive].reason", "AmbiguousSelector"),
    ),
    accepted=("S2",),
    never=("HPA_AT_LIMIT", "CPU_THROTTLED", "NO_PROBLEM_FOUND"),
    app="seats",
)
@busy
def _two_scalers_want_it(world: World) -> None:
    works(world, *replicas(world, [container("seats", **served())], [container("seats", **served())]))
    said = "pods by selector app=seats are controlled by multiple HPAs: [shop/seats shop/seats-keda]"
    for _ in range(2):
        world.scaler(
            {
                "type": "AbleToScale",
                "status": "True",
                "reason": "SucceededGetScale",
                "message": "",
                "lastTransitionTime": stamp(500),
            },
            {
                "type": "ScalingActive",
                "status": "False",
                "reason": "AmbiguousSelector",
                "message": said,
                "lastTransitionTime": stamp(180),
            },
            most=8,
            current=2,
        )
    world.lists["horizontalpodautoscalers"][-1]["metadata"]["name"] = "seats-keda"
    for name in ("seats", "seats-keda"):
        world.event(name, "AmbiguousSelector", said, kind="HorizontalPodAutoscaler", first=58, last=0.3, count=230)


@INCIDENTS.of(
    "lockers 2.0 is running but never ready, the old ones still serve. certificate?",
    "S2",
    finds("READINESS_FAILING", "cause", event("Pod/lockers-2", "Unhealthy", "statuscode: 400")),
    finds("ROLLOUT_STUCK", ""),
    never=("CERTIFICATE_REFUSED", "CRASH_LOOP", "ERROR_BURST"),
    app="lockers",
)
@busy
def _probe_speaks_plainly_to_tls(world: World) -> None:
    body = container("lockers", since=23, ready=False, image="r.example/lockers:2.0", **served(port=8443))
    (pod,) = rollout(world, body, age=23, stuck=True)
    world.event(
        pod,
        "Unhealthy",
        "Readiness probe failed: HTTP probe failed with statuscode: 400",
        part="lockers",
        first=22,
        last=0.1,
        count=136,
    )
    world.every(
        pod,
        "lockers",
        "2026/11/20 09:58:01 http: TLS handshake error from 10.8.3.1:{n}: client sent an HTTP request to "
        "an HTTPS server",
        since=22,
        each_s=10,
    )
    works(world, "lockers-0", "lockers-1")


@INCIDENTS.of(
    "luggage had ImagePullBackOff this morning, still?",
    "S0",
    WELL,
    never=("IMAGE_PULL_UNKNOWN", "IMAGE_PULL_UNAUTHORIZED", "IMAGE_PULL_NOT_FOUND", "ROLLOUT_STUCK"),
    app="luggage",
)
@busy
def _registry_came_back(world: World) -> None:
    pods = replicas(
        world, [container("luggage", since=24, **served())], [container("luggage", since=24, **served())], age=52
    )
    works(world, *pods)
    image = "r.example/luggage:7"
    for pod in pods:
        said = (
            f'Failed to pull image "{image}": rpc error: code = Unknown desc = failed to pull and unpack '
            f'image "{image}": unexpected status from HEAD request to '
            "https://r.example/v2/luggage/manifests/7: 503 Service Unavailable"
        )
        world.event(pod, "Failed", said, part="luggage", first=52, last=26, count=5)
        world.event(
            pod,
            "BackOff",
            f'Back-off pulling image "{image}"',
            part="luggage",
            first=51,
            last=25,
            count=100,
            normal=True,
        )
        world.event(
            pod,
            "Pulled",
            f'Successfully pulled image "{image}" in 3.1s (3.1s including waiting)',
            part="luggage",
            first=24,
            last=24,
            count=1,
            normal=True,
        )


@INCIDENTS.of(
    "points operator does nothing since the chart upgrade, it runs though",
    "S2",
    finds("ERROR_BURST", "cause", logged("points-0", "points", "cannot list resource", 50)),
    accepted=("S1", "S3"),
    never=("ACCESS_DENIED", "DEPENDENCY_TIMEOUT", "CRASH_LOOP", "NO_PROBLEM_FOUND"),
    app="points",
)
@busy
def _operator_may_not_list(world: World) -> None:
    complains(
        world,
        50,
        'E1120 09:58:11.204113       1 reflector.go:158] "Unhandled Error" '
        'err="pkg/mod/k8s.io/client-go@v0.31.2/tools/cache/reflector.go:243: Failed to watch '
        "*v1.ConfigMap: failed to list *v1.ConfigMap: configmaps is forbidden: User "
        '\\"system:serviceaccount:shop:points\\" cannot list resource \\"configmaps\\" in API '
        'group \\"\\" at the cluster scope"',
        line="I1120 09:58:11.204113       1 points.go:88] reconciled {n}",
        each_s=14,
    )


@INCIDENTS.of(
    "what is broken in shop? fares cannot read prices: the database system is in recovery mode",
    "S2",
    finds("OOM_KILLED", "cause"),
    accepted=("S1",),
    also=("ERROR_BURST", "HTTP_5XX_RATIO", "DEPENDENCY_TIMEOUT", "CONTAINER_RESTARTING"),
    never=("CRASH_LOOP", "NO_PROBLEM_FOUND", "DNS_FAILURE"),
    app="fares",
    whole=True,
)
@busy
def _its_database_is_killed_now_and_then(world: World) -> None:
    (pod,) = replicas(world, [container("fares", **served())], app="fares")
    works(world, pod, name="fares")
    times(
        world,
        pod,
        "fares",
        45,
        "ERROR prices of {n}: psycopg.OperationalError: connection failed: FATAL:  the database system "
        "is in recovery mode",
    )
    world.stateful_set("fares-db", wanted=1, ready=1)
    body = container(
        "postgres",
        since=5,
        restarts=4,
        last=end(137, "OOMKilled", 5.2, ran=40),
        limits={"memory": "1Gi", "cpu": "1"},
        requests={"memory": "1Gi", "cpu": "500m"},
    )
    world.pod(("StatefulSet", "fares-db"), body, app="fares-db", name="fares-db-0", age=3_000)
    world.usage("fares-db-0", "postgres", memory=0.88)
    world.log(
        "fares-db-0",
        "postgres",
        (4.8, "LOG:  database system was not properly shut down; automatic recovery in progress"),
        (4.2, "LOG:  database system is ready to accept connections"),
    )
