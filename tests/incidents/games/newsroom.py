"""A newspaper's incidents: logs of many languages, errors that always were there, and trouble elsewhere.

Written before any was run: with `printing` 22 of 23 found at first sight, nothing claimed wrong; then mended on.
"""

from evals.diagnosis.composed.scene import replicas, times, works
from evals.diagnosis.incidents.incident import WELL, Collection, finds, logged, of_status
from evals.diagnosis.incidents.world import World, container, crashing
from evals.diagnosis.railway.site import busy, served

INCIDENTS = Collection("newsroom")
NAME = "app.kubernetes.io/name"


@INCIDENTS.of(
    "paywall 500s",
    "S1",
    finds("DEPENDENCY_TIMEOUT", ""),
    also=("ERROR_BURST", "HTTP_5XX_RATIO"),
    never=("DNS_FAILURE",),
    app="paywall",
)
@busy
def _php_fpm_upstream(world: World) -> None:
    (pod,) = replicas(world, container("paywall", **served()))
    works(world, pod, line='127.0.0.1 -  {n} "GET /index.php" 200', bad=5)
    times(
        world,
        pod,
        "paywall",
        60,
        (
            "[20-Nov-2026 09:57:{n}] production.ERROR: SQLSTATE[HY000] [2002] Connection timed "
            "out (Connection: mysql, Host: subs-db.shop.svc, SQL: select * from `plans` where "
            '`id` = {n}) {"exception":"[object] (Illuminate\\\\Database\\\\QueryException(code: '
            '2002))"}'
        ),
    )


@INCIDENTS.of(
    "comments api failing for everyone",
    "S1",
    finds("ERROR_BURST", "", logged("comments-0", "comments", "remaining connection slots", 70)),
    also=("HTTP_5XX_RATIO", "DEPENDENCY_TIMEOUT"),
    never=("DNS_FAILURE", "NETWORK_POLICY_BLOCKS"),
    app="comments",
)
@busy
def _no_slots_in_the_database(world: World) -> None:
    (pod,) = replicas(world, container("comments", **served()))
    works(world, pod, line='{"severity":"INFO","message":"comment {n} listed"}', bad=6)
    times(
        world,
        pod,
        "comments",
        70,
        (
            '{"severity":"ERROR","message":"ActiveRecord::ConnectionNotEstablished: connection '
            'to server at \\"10.96.7.7\\", port 5432 failed: FATAL:  remaining connection slots '
            'are reserved for roles with the SUPERUSER attribute","request_id":"{n}"}'
        ),
    )


@INCIDENTS.of(
    "推荐服务 recs 一直报错,是不是特征服务的问题?",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause"),
    language="zh",
    also=("ERROR_BURST", "HTTP_5XX_RATIO"),
    never=("DNS_FAILURE", "CPU_THROTTLED"),
    app="recs",
)
@busy
def _grpc_deadline(world: World) -> None:
    (pod,) = replicas(world, container("recs", **served()))
    works(world, pod, line="2026-11-20 17:57:01 [INFO] 推荐完成 user={n}", bad=4)
    times(
        world,
        pod,
        "recs",
        65,
        (
            "2026-11-20 17:57:09 [ERROR] 获取特征失败: rpc error: code = DeadlineExceeded desc = "
            "context deadline exceeded, target=feature-store.ml.svc.cluster.local:9000 user={n}"
        ),
    )


@INCIDENTS.of(
    "print-export: error rate alert, is that new?",
    "S0",
    WELL,
    accepted=("S3",),
    never=("ERROR_BURST", "DEPENDENCY_TIMEOUT"),
    app="print-export",
)
@busy
def _errors_it_always_has(world: World) -> None:
    (pod,) = replicas(world, container("print-export", **served()), age=9_000)
    works(world, pod, line="INFO page {n} exported", bad=0.0)
    world.every(pod, "print-export", "ERROR font Georgia-{n} not embedded, falling back", since=59, each_s=40)


@INCIDENTS.of(
    "newsletter-send had timeouts 25 minutes ago, still a problem?",
    "S0",
    WELL,
    never=("DEPENDENCY_TIMEOUT", "ERROR_BURST", "HTTP_5XX_RATIO"),
    app="newsletter-send",
)
@busy
def _timeouts_are_over(world: World) -> None:
    (pod,) = replicas(world, container("newsletter-send", **served()), age=9_000)
    works(world, pod)
    times(
        world,
        pod,
        "newsletter-send",
        40,
        "ERROR dial tcp 10.96.8.8:25: i/o timeout host=smtp.news.example:25 mail={n}",
        last=22,
        each_s=6,
    )


@INCIDENTS.of(
    "search gives 404 all over since 09:30, bad deploy?",
    "S0",
    WELL,
    accepted=("S3", "S2"),
    also=("ERROR_BURST",),
    never=("HTTP_5XX_RATIO", "DEPENDENCY_TIMEOUT", "ROLLOUT_STUCK"),
    app="search",
)
@busy
def _only_not_found(world: World) -> None:
    (pod,) = replicas(world, container("search", **served()))
    world.usage(pod, "search", throttled=0.01)
    own = {"namespace": "shop", "app": "search", "pod": pod}
    world.counter("http_requests_total", own | {"code": "200"}, per_s=6, before=12, since=30)
    world.counter("http_requests_total", own | {"code": "404"}, per_s=6, before=0.1, since=30)
    world.every(pod, "search", '10.8.0.9 "GET /s?q={n} HTTP/1.1" 404 21', since=30, each_s=5)


@INCIDENTS.of(
    "images: one in three images broken",
    "S1",
    finds("ERROR_BURST", "", logged("images-2", "images", "VipsJpeg", 75)),
    accepted=("S2",),
    also=("HTTP_5XX_RATIO", "CONTAINER_RESTARTING"),
    never=("OOM_KILLED", "LIVENESS_KILLED"),
    app="images",
    name="newsroom-one-of-three",
)
@busy
def _one_of_three_pods_errs(world: World) -> None:
    pods = replicas(world, *(container("images", **served()) for _ in range(3)))
    for pod in pods:
        world.every(pod, "images", "\x1b[32m INFO\x1b[0m images::resize: done id={n}", since=58)
        world.usage(pod, "images", throttled=0.02)
        world.requests(pod, bad=8 if pod == pods[2] else 0, good=2 if pod == pods[2] else 10)
    times(
        world,
        pods[2],
        "images",
        75,
        (
            "\x1b[2m2026-11-20T09:57:11.120Z\x1b[0m \x1b[31mERROR\x1b[0m images::resize: vips: "
            "VipsJpeg: Invalid SOS parameters for sequential JPEG id={n}"
        ),
    )


@INCIDENTS.of(
    "auth-web login broken, 'invalid_client' since the secret was rotated",
    "S1",
    finds("ERROR_BURST", "", logged("auth-web-0", "auth-web", "invalid_client", 64)),
    also=("HTTP_5XX_RATIO",),
    accepted=("S2",),
    never=("ACCESS_DENIED", "DEPENDENCY_TIMEOUT", "CONFIG_REF_MISSING", "SECRET_IN_LOG"),
    app="auth-web",
)
@busy
def _rotated_secret(world: World) -> None:
    (pod,) = replicas(world, container("auth-web", **served()))
    works(world, pod, line="info: AuthWeb.Login[0] signed in {n}", bad=4)
    times(
        world,
        pod,
        "auth-web",
        64,
        "fail: Microsoft.AspNetCore.Diagnostics.ExceptionHandlerMiddleware[1]",
        "      An unhandled exception has occurred while executing the request.",
        (
            "      Microsoft.IdentityModel.Protocols.OpenIdConnect.OpenIdConnectProtocolException: "
            "Message contains error: 'invalid_client', error_description: 'AADSTS7000222: The "
            "provided client secret keys are expired.'"
        ),
    )


@INCIDENTS.of(
    "feed-writer lag grows, consumers look idle",
    "S1",
    finds("ERROR_BURST", "", logged("feed-writer-0", "feed-writer", "NOT_COORDINATOR", 55)),
    accepted=("S2",),
    also=("DEPENDENCY_TIMEOUT",),
    never=("DNS_FAILURE", "NO_PROBLEM_FOUND", "CRASH_LOOP"),
    app="feed-writer",
)
@busy
def _kafka_coordinator(world: World) -> None:
    (pod,) = replicas(world, container("feed-writer"))
    world.every(pod, "feed-writer", "[2026-11-20 09:31:07,{n}] INFO written batch (feed.Writer)", since=58, until=13)
    times(
        world,
        pod,
        "feed-writer",
        55,
        (
            "[2026-11-20 09:58:07,{n}] ERROR [Consumer clientId=feed-1, groupId=feed] Offset "
            "commit failed on partition articles-3 at offset {n}: NOT_COORDINATOR: This is "
            "not the correct coordinator. (org.apache.kafka.clients.consumer.internals.ConsumerCoordinato"
            "r)"
        ),
        each_s=13,
    )


@INCIDENTS.of(
    "layout-svc keeps dying, panic in the log",
    "S1",
    finds("CRASH_LOOP", "cause", logged("layout-svc-0", "layout-svc", "nil pointer dereference", 1)),
    never=("OOM_KILLED", "DEPENDENCY_TIMEOUT"),
    also=("ROLLOUT_STUCK",),
    app="layout-svc",
)
@busy
def _go_panics(world: World) -> None:
    (pod,) = replicas(world, crashing("layout-svc", 2, restarts=5, ready=False, **served()), age=12)
    world.log(
        pod,
        "layout-svc",
        (2.2, '{"level":"info","msg":"listening on :8080"}'),
        (2.1, "panic: runtime error: invalid memory address or nil pointer dereference"),
        (2.09, "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x7d1c2a]"),
        (2.08, "goroutine 1 [running]:"),
        (2.07, "main.(*Layout).Load(0x0, {0x8b3a10, 0xc0000140a0})"),
        (2.06, "\t/src/layout/load.go:41 +0x2a"),
    )
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container layout-svc in pod {pod}_shop(1)",
        part="layout-svc",
        first=11,
        last=1,
        count=44,
    )


@INCIDENTS.of(
    "weather-box exits at once with code 0 and is restarted",
    "S1",
    finds("CRASH_LOOP", "cause", of_status("weather-box-0", "weather-box", "lastState.terminated.exitCode", 0)),
    never=("OOM_KILLED", "CONFIG_REF_MISSING"),
    app="weather-box",
)
@busy
def _ends_well_but_ends(world: World) -> None:
    (pod,) = replicas(world, crashing("weather-box", 0, "Completed", restarts=9, ready=False, **served()), age=30)
    world.log(pod, "weather-box", (2.1, "usage: weather-box [-h] serve"), (2.05, "nothing to do"))
    world.event(
        pod,
        "BackOff",
        f"Back-off restarting failed container weather-box in pod {pod}_shop(1)",
        part="weather-box",
        first=29,
        last=1,
        count=99,
    )
