"""An airline's incidents of pods that run: probes, memory, logs of many languages, scalers, nodes.

Written before any was run, and found so at first sight; then mended on.
"""

from evals.diagnosis.composed.scene import added, job, replicas, rollout, times, works
from evals.diagnosis.incidents.incident import Collection, event, finds, logged
from evals.diagnosis.incidents.world import Body, World, container, end, stamp
from evals.diagnosis.railway.site import RS, busy, served

INCIDENTS = Collection("airline")
_JAVA = "2026-11-20T09:5{n} INFO 1 --- [nio-8080-exec-3] c.a.b.BookingController : booking read"


def blocked(kind: str, status: str, reason: str, message: str) -> Body:
    """Return a condition of an autoscaler."""
    return {"type": kind, "status": status, "reason": reason, "message": message, "lastTransitionTime": stamp(50)}


@INCIDENTS.of(
    "booking drops out of the service every few minutes, k8s says not ready",
    "S1",
    finds("READINESS_FAILING", "", event("Pod/booking-0", "Unhealthy", "context deadline exceeded")),
    also=("DEPENDENCY_TIMEOUT", "ERROR_BURST", "HTTP_5XX_RATIO", "SERVICE_NO_ENDPOINTS"),
    never=("LIVENESS_KILLED", "CRASH_LOOP"),
    app="booking",
)
@busy
def _ready_when_its_cache_answers(world: World) -> None:
    body = [container("booking", ready=False, **served("/actuator/health/readiness"))]
    pods = replicas(world, body, body, age=4_000)
    said = (
        'Readiness probe failed: Get "http://10.8.3.17:8080/actuator/health/readiness": context deadline exceeded '
        "(Client.Timeout exceeded while awaiting headers)"
    )
    for pod in pods:
        world.every(pod, "booking", _JAVA, since=58, until=16)
        times(
            world,
            pod,
            "booking",
            90,
            "2026-11-20T09:55:{n} ERROR 1 --- [oundedElastic-4] o.s.b.a.d.r.RedisReactiveHealthIndicator : Redis "
            "health check failed",
            "org.springframework.dao.QueryTimeoutException: Redis command timed out",
            "\tat org.springframework.data.redis.connection.lettuce.LettuceExceptionConverter.convert(Unknown Source)",
            "Caused by: io.lettuce.core.RedisCommandTimeoutException: Command timed out after 2 second(s)",
            each_s=10,
        )
        world.event(pod, "Unhealthy", said, part="booking", first=15, last=0.1, count=88)


@INCIDENTS.of(
    "seatmap throws 500s, nothing deployed",
    "S1",
    finds("DNS_FAILURE", "cause"),
    also=("HTTP_5XX_RATIO", "ERROR_BURST"),
    never=("DEPENDENCY_TIMEOUT", "CRASH_LOOP"),
    app="seatmap",
)
@busy
def _node_cannot_resolve(world: World) -> None:
    pods = replicas(world, [container("seatmap", **served(port=3000))], [container("seatmap", **served(port=3000))])
    for pod in pods:
        works(world, pod, line='{"level":30,"time":17951{n},"msg":"request completed","res":{"statusCode":200}}', bad=3)
        times(
            world,
            pod,
            "seatmap",
            70,
            '{"level":50,"time":17951{n},"pid":1,"hostname":"seatmap","err":{"type":"Error","message":"getaddrinfo '
            'EAI_AGAIN seat-db.shop.svc.cluster.local","code":"EAI_AGAIN","errno":-3001,"syscall":"getaddrinfo"},'
            '"msg":"query failed"}',
        )


@INCIDENTS.of(
    "edge returns 502 for /loyalty since midnight",
    "S1",
    finds("CERTIFICATE_REFUSED", "cause", logged("edge-0", "edge", "certificate has expired", 80)),
    also=("HTTP_5XX_RATIO", "ERROR_BURST"),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE"),
    app="edge",
)
@busy
def _upstream_of_nginx_has_an_old_certificate(world: World) -> None:
    (pod,) = replicas(world, [container("edge", image="nginx:1.27", **served())])
    line = '10.8.0.9 - - [20/Nov/2026:09:57:01 +0000] "GET /book HTTP/1.1" 200 {n} "-" "Mozilla/5.0" 0.041'
    works(world, pod, line=line, bad=4)
    times(
        world,
        pod,
        "edge",
        80,
        "2026/11/20 09:58:44 [error] 29#29: *{n} upstream SSL certificate verify error: (10:certificate has expired) "
        'while SSL handshaking to upstream, client: 10.8.0.9, server: a.example, request: "GET /loyalty HTTP/1.1", '
        'upstream: "https://10.96.14.2:8443/loyalty", host: "www.airline.example"',
    )


@INCIDENTS.of(
    "gunicorn workers of fares die all the time",
    "S2",
    finds("MEMORY_NEAR_LIMIT", ""),
    also=("ERROR_BURST",),
    accepted=("S2", "S3"),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "LIVENESS_KILLED", "NO_PROBLEM_FOUND"),
    app="fares",
)
@busy
def _workers_are_killed_inside(world: World) -> None:
    (pod,) = replicas(world, [container("fares", **served(port=8000))])
    world.usage(pod, "fares", memory=0.97)
    world.requests(pod, bad=0.02, good=12, before=0.01)
    world.every(pod, "fares", "[2026-11-20 09:40:02 +0000] [{n}] [INFO] GET /fares 200", since=58)
    times(
        world,
        pod,
        "fares",
        24,
        "[2026-11-20 09:58:20 +0000] [1] [ERROR] Worker (pid:{n}) was sent SIGKILL! Perhaps out of memory?",
        "[2026-11-20 09:58:20 +0000] [{n}] [INFO] Booting worker with pid: {n}",
        each_s=50,
    )


@INCIDENTS.of(
    "checkin pods restart two or three times after every deploy before they stay up",
    "S2",
    finds("LIVENESS_KILLED", "cause", event("Pod/checkin-2", "Killing", "failed liveness probe")),
    also=("CRASH_LOOP", "CONTAINER_RESTARTING", "ROLLOUT_STUCK", "READINESS_FAILING"),
    never=("OOM_KILLED", "EXIT_137_UNCONFIRMED", "STARTUP_PROBE_KILLED"),
    app="checkin",
)
@busy
def _jvm_is_slower_than_its_probe(world: World) -> None:
    body = container("checkin", since=0.8, restarts=3, ready=False, last=end(143, "Error", 0.9, ran=1.2), **served())
    pods = rollout(world, body, age=7)
    for name in ("checkin-0", "checkin-1"):
        works(world, name, line=_JAVA)
    said = (
        'Liveness probe failed: Get "http://10.8.3.17:8080/healthz": dial tcp 10.8.3.17:8080: connect: connection '
        "refused"
    )
    world.event(pods[0], "Unhealthy", said, part="checkin", first=6, last=0.9, count=9)
    said = "Container checkin failed liveness probe, will be restarted"
    world.event(pods[0], "Killing", said, part="checkin", first=5, last=1.4, count=3, normal=True)
    for ago in (0.7, 0.5, 0.2):
        world.log(pods[0], "checkin", (ago, "INFO 1 --- [main] o.s.b.w.embedded.tomcat.TomcatWebServer : initializing"))


@INCIDENTS.of(
    "crew does not scale although everybody complains about load",
    "S2",
    finds("HPA_NOT_SCALING", "cause"),
    also=("CPU_HIGH_NO_LIMIT",),
    accepted=("S2", "S3"),
    never=("HPA_AT_LIMIT",),
    app="crew",
)
@busy
def _proxy_asks_for_no_cpu(world: World) -> None:
    pods = replicas(world, [container("crew", **served()), container("istio-proxy")])
    works(world, *pods)
    said = (
        "the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in "
        f"container istio-proxy of Pod {pods[0]}"
    )
    world.scaler(
        blocked("AbleToScale", "True", "SucceededGetScale", "the HPA controller was able to get the target's scale"),
        blocked("ScalingActive", "False", "FailedGetResourceMetric", said),
        most=10,
        current=1,
    )
    world.event("crew", "FailedGetResourceMetric", said, kind="HorizontalPodAutoscaler", first=58, last=0.3, count=230)


@INCIDENTS.of(
    "search is slow, hpa shows 12/12",
    "S2",
    finds("HPA_AT_LIMIT", ""),
    finds("CPU_THROTTLED", ""),
    never=("HPA_NOT_SCALING", "OOM_KILLED"),
    app="search",
)
@busy
def _as_many_as_it_may_have(world: World) -> None:
    pods = replicas(world, *([container("search", **served())] for _ in range(3)))
    for pod in pods:
        world.every(pod, "search", "INFO search {n} done", since=58)
        world.usage(pod, "search", throttled=0.46, cpu=0.98)
        world.requests(pod, bad=0.0, good=44)
    world.scaler(
        blocked("AbleToScale", "True", "ReadyForNewScale", "recommended size matches current size"),
        blocked("ScalingActive", "True", "ValidMetricFound", "the HPA was able to compute the replica count"),
        blocked(
            "ScalingLimited",
            "True",
            "TooManyReplicas",
            "the desired replica count is more than the maximum replica count",
        ),
        most=3,
        current=3,
    )


@INCIDENTS.of(
    "ingress says 503 Service Temporarily Unavailable for miles but the pods are green",
    "S1",
    finds("SERVICE_NO_ENDPOINTS", "cause"),
    accepted=("S1", "S2"),
    never=("READINESS_FAILING", "NO_PROBLEM_FOUND"),
    app="miles",
)
@busy
def _service_selects_version_two(world: World) -> None:
    pods = replicas(world, [container("miles", **served())], [container("miles", **served())])
    works(world, *pods)
    ports = [{"name": "http", "port": 80, "targetPort": "http"}]
    world.add("services", "miles", spec={"selector": {"app": "miles", "version": "v2"}, "ports": ports})
    world.add("endpoints", "miles", subsets=[])


@INCIDENTS.of(
    "baggage cannot reach risk since the zero trust rollout",
    "S1",
    finds("NETWORK_POLICY_BLOCKS", "cause"),
    also=("DEPENDENCY_TIMEOUT", "ERROR_BURST", "HTTP_5XX_RATIO"),
    never=("DNS_FAILURE", "CRASH_LOOP"),
    app="baggage",
)
@busy
def _only_names_may_leave(world: World) -> None:
    (pod,) = replicas(world, [container("baggage", **served(port=8000))])
    works(world, pod, line='INFO:     10.8.0.9:{n} - "GET /bags HTTP/1.1" 200 OK', bad=6)
    said = (
        "requests.exceptions.ConnectTimeout: HTTPConnectionPool(host='risk.shop.svc.cluster.local', port=8080): Max "
        "retries exceeded with url: /score (Caused by ConnectTimeoutError(<urllib3.connection.HTTPConnection object at "
        "0x7f{n}>, 'Connection to risk.shop.svc.cluster.local timed out. (connect timeout=3)'))"
    )
    lines = (
        "ERROR:    Exception in ASGI application",
        "Traceback (most recent call last):",
        '  File "/app/score.py", line 41, in ask',
        "    answer = session.post(URL, json=body, timeout=(3, 5))",
        said,
    )
    times(world, pod, "baggage", 60, *lines)
    rs = world.deployment("risk", wanted=1, ready=1)
    works(world, *added(world, (RS, rs), [container("risk", **served())], app="risk"), name="risk")
    world.add("services", "risk", spec={"selector": {"app": "risk"}, "ports": [{"port": 8080}]})
    names = {"ports": [{"protocol": "UDP", "port": 53}], "to": [{"namespaceSelector": {}}]}
    world.add(
        "networkpolicies",
        "default-deny-egress",
        spec={"podSelector": {}, "policyTypes": ["Egress"], "egress": [names]},
    )


@INCIDENTS.of(
    "the night closing job was cut off",
    "S2",
    finds("JOB_DEADLINE_EXCEEDED", "cause"),
    never=("JOB_BACKOFF_LIMIT", "EXIT_137_UNCONFIRMED", "NO_PROBLEM_FOUND"),
    app="closing",
)
@busy
def _closing_takes_longer_than_an_hour(world: World) -> None:
    job(world, "closing-29394240", reason="DeadlineExceeded", age=65)
    said = "Job was active longer than specified deadline"
    world.event("closing-29394240", "DeadlineExceeded", said, kind="Job", first=5, last=5, count=1)
    world.event("closing-29394240", "SuccessfulDelete", "Deleted pod: closing-29394240-x2", kind="Job", normal=True)


@INCIDENTS.of(
    "rollout of gate 3.0 does not finish",
    "S2",
    finds("READINESS_FAILING", "", event("Pod/gate-2", "Unhealthy", "statuscode: 404")),
    finds("ROLLOUT_STUCK", ""),
    never=("CRASH_LOOP", "LIVENESS_KILLED", "HTTP_5XX_RATIO"),
    app="gate",
)
@busy
def _path_of_the_probe_has_moved(world: World) -> None:
    body = container("gate", since=16, ready=False, image="r.example/gate:3.0", **served("/health"))
    (pod,) = rollout(world, body, age=17, stuck=True)
    for name in ("gate-0", "gate-1"):
        works(world, name)
    world.every(pod, "gate", '10.40.1.11 - "GET /health HTTP/1.1" 404 19 "kube-probe/1.29"', since=16, each_s=10)
    said = "Readiness probe failed: HTTP probe failed with statuscode: 404"
    world.event(pod, "Unhealthy", said, part="gate", first=16, last=0.1, count=97)


@INCIDENTS.of(
    "telemetry agent is missing on one node, 2 of 3",
    "S2",
    finds("NODE_NOT_READY", "cause"),
    also=("REPLICAS_MISSING",),
    never=("READINESS_FAILING", "CRASH_LOOP"),
    app="telemetry",
)
@busy
def _one_node_stopped_answering(world: World) -> None:
    world.node("node-c", ready="Unknown", minutes=26, message="Kubelet stopped posting node status.")
    world.stateful_set(wanted=3, ready=2, kind="daemonsets")
    for number, node in enumerate(("node-a", "node-b", "node-c")):
        lost = node == "node-c"
        pod = world.pod(
            ("DaemonSet", "telemetry"),
            container("telemetry", ready=not lost, **served()),
            name=f"telemetry-{number}",
            ready=not lost,
            node=node,
            since=25,
        )
        if lost:
            world.event(pod, "NodeNotReady", "Node is not ready", first=25, last=25, count=1)
        else:
            works(world, pod)


@INCIDENTS.of(
    "uploads to s3 fail in manifest, 403",
    "S1",
    finds("ERROR_BURST", "", logged("manifest-0", "manifest", "RequestTimeTooSkewed", 75)),
    also=("HTTP_5XX_RATIO",),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE", "IMAGE_PULL_UNAUTHORIZED"),
    app="manifest",
)
@busy
def _clock_of_the_machine_is_wrong(world: World) -> None:
    (pod,) = replicas(world, [container("manifest", **served())])
    works(world, pod, line='{"level":"info","msg":"stored","key":"m/{n}"}', bad=8)
    times(
        world,
        pod,
        "manifest",
        75,
        '{"level":"error","ts":"2026-11-20T09:57:11Z","caller":"store/s3.go:88","msg":"put failed","error":"operation '
        "error S3: PutObject, https response error StatusCode: 403, RequestID: {n}, api error RequestTimeTooSkewed: "
        'The difference between the request time and the current time is too large."}',
    )


@INCIDENTS.of(
    "rebooking times out for customers",
    "S1",
    finds("ERROR_BURST", "", logged("rebooking-0", "rebooking", "QueuePool limit", 66)),
    also=("HTTP_5XX_RATIO",),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE"),
    app="rebooking",
)
@busy
def _pool_of_connections_is_empty(world: World) -> None:
    (pod,) = replicas(world, [container("rebooking", **served(port=8000))])
    works(world, pod, line='INFO:     10.8.0.9:{n} - "POST /rebook HTTP/1.1" 200 OK', bad=5)
    times(
        world,
        pod,
        "rebooking",
        66,
        "ERROR:    Exception in ASGI application",
        "Traceback (most recent call last):",
        '  File "/usr/local/lib/python3.12/site-packages/sqlalchemy/pool/impl.py", line 168, in _do_get',
        "sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out, timeout "
        "30.00 (Background on this error at: https://sqlalche.me/e/20/3o7r)",
    )


@INCIDENTS.of(
    "gateway 503 UF for quotes",
    "S1",
    finds("HTTP_5XX_RATIO", ""),
    finds("DEPENDENCY_TIMEOUT", ""),
    finds("SERVICE_NO_ENDPOINTS", "cause"),
    also=("ERROR_BURST", "CRASH_LOOP"),
    never=("NETWORK_POLICY_BLOCKS", "DNS_FAILURE", "REQUESTS_SLOW"),
    app="gateway",
)
@busy
def _envoy_finds_nobody_at_quotes(world: World) -> None:
    (pod,) = replicas(world, [container("gateway", image="envoyproxy/envoy:v1.31", **served())])
    line = '[2026-11-20T09:44:01.{n}Z] "GET /v1/flights HTTP/1.1" 200 - via_upstream - "-" 0 {n} 12 11 "-" "app" "r"'
    works(world, pod, line=line, bad=4)
    times(
        world,
        pod,
        "gateway",
        90,
        '[2026-11-20T09:58:01.{n}Z] "GET /v1/quote HTTP/1.1" 503 UF upstream_reset_before_response_started{connection_'
        'failure,delayed_connect_error:_111} - "delayed connect error: 111" 0 159 2 - "-" "okhttp/4.12" "{n}" '
        '"api.airline.example" "10.8.4.20:8080" outbound|8080||quotes.shop.svc.cluster.local - 10.8.1.3:443',
    )
    rs = world.deployment("quotes", wanted=1, ready=0)
    body = container("quotes", waiting="CrashLoopBackOff", last=end(2, "Error", 2), restarts=17, ready=False)
    added(world, (RS, rs), [body], app="quotes")
    world.add("services", "quotes", spec={"selector": {"app": "quotes"}, "ports": [{"port": 8080}]})
    world.add("endpoints", "quotes", subsets=[{"notReadyAddresses": [{"ip": "10.8.4.20"}], "ports": [{"port": 8080}]}])
