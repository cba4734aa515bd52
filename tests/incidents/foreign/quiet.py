"""A retailer's incidents: apps that are well and blamed, trouble that is over, operators, two causes.

Written before any was run, and found so at first sight; then mended on.
"""

from evals.diagnosis.composed.scene import added, replicas, times, waiting, works
from evals.diagnosis.incidents.incident import WELL, Collection, event, finds, logged
from evals.diagnosis.incidents.world import World, container, crashing, end
from evals.diagnosis.railway.site import RS, busy, served

INCIDENTS = Collection("retailer")


@INCIDENTS.of(
    "we cannot drain node-b because of tills, is tills broken?",
    "S0",
    WELL,
    never=("NODE_NOT_READY", "READINESS_FAILING", "REPLICAS_MISSING", "UNSCHEDULABLE_PLACEMENT"),
    app="tills",
)
@busy
def _budget_holds_the_node(world: World) -> None:
    works(world, *replicas(world, [container("tills", **served())], [container("tills", **served())]))
    said = 'Cannot disrupt Node: pdb "shop/tills" prevents pod evictions'
    world.event("tills-0", "DisruptionBlocked", said, first=55, last=1, count=27, normal=True)
    world.event("node-b", "NodeNotSchedulable", "Node node-b status is now: NodeNotSchedulable", kind="Node",
                normal=True)  # fmt: skip


@INCIDENTS.of(
    "basket log is full of error, please check",
    "S0",
    WELL,
    never=("ERROR_BURST", "DEPENDENCY_TIMEOUT", "HTTP_5XX_RATIO", "CERTIFICATE_REFUSED"),
    app="basket",
)
@busy
def _talks_a_lot_of_errors_it_has_not(world: World) -> None:
    pods = replicas(world, [container("basket", **served(port=3000))], [container("basket", **served(port=3000))])
    works(world, *pods, line='{"level":"info","msg":"cart saved","errors":0,"error":null,"id":{n}}')
    for pod in pods:
        world.every(pod, "basket", '{"level":"debug","msg":"retry budget ok","timeout_ms":3000,"failed":0}', since=58,
                    each_s=6)  # fmt: skip
        world.every(pod, "basket", '10.8.0.9 "GET /assets/error-page.css HTTP/1.1" 200 {n}', since=58, each_s=9)
        world.every(pod, "basket", "(node:1) [DEP0040] DeprecationWarning: punycode is deprecated", since=58,
                    each_s=120)  # fmt: skip
        world.every(
            pod, "basket", '{"level":"warn","msg":"certificate of idp expires in 29 days"}', since=58, each_s=300
        )


@INCIDENTS.of(
    "stock has 14 restarts!! is it dying?",
    "S0",
    WELL,
    never=("OOM_KILLED", "CRASH_LOOP", "CONTAINER_RESTARTING", "EXIT_137_UNCONFIRMED", "MEMORY_NEAR_LIMIT"),
    app="stock",
)
@busy
def _died_nine_days_ago(world: World) -> None:
    body = container("stock", since=13_000, restarts=14, last=end(137, "OOMKilled", 13_001), **served())
    works(world, *replicas(world, [body], [container("stock", **served())], age=40_000))


@INCIDENTS.of(
    "谁把支付搞挂了?",
    "S0",
    WELL,
    never=("HTTP_5XX_RATIO", "CRASH_LOOP", "ERROR_BURST", "DEPENDENCY_TIMEOUT", "IMAGE_PULL_NOT_FOUND"),
    language="zh",
    app="payment",
)
@busy
def _payment_is_well_and_blamed(world: World) -> None:
    pods = replicas(world, [container("payment", **served())], [container("payment", **served())])
    works(world, *pods, line="2026-11-20 09:51:00.001 INFO 支付成功 订单={n} 耗时=31ms")
    for pod in pods:
        times(world, pod, "payment", 3, "2026-11-20 09:31:00.001 ERROR 银行卡余额不足 订单={n}", last=20, each_s=400)
    rs = world.deployment("coupon", wanted=1, ready=0)
    image = "r.example/coupon:99"
    said = f'Failed to pull image "{image}": rpc error: code = NotFound desc = failed to pull and unpack: not found'
    (pod,) = added(world, (RS, rs), [waiting("coupon", "ImagePullBackOff", image=image)], app="coupon", age=20)
    world.event(pod, "Failed", said, part="coupon", first=20, last=2)


@INCIDENTS.of(
    "login is slow since the deploy",
    "S0",
    WELL,
    never=("READINESS_FAILING", "ROLLOUT_STUCK", "REQUESTS_SLOW", "CPU_THROTTLED"),
    app="login",
)
@busy
def _release_went_well(world: World) -> None:
    pods = replicas(
        world, [container("login", since=11, **served())], [container("login", since=10, **served())], age=12
    )
    works(world, *pods)
    said = "Readiness probe failed: dial tcp 10.8.3.17:8080: connect: connection refused"
    for pod in pods:
        world.event(pod, "Unhealthy", said, part="login", first=11, last=10.5, count=3)
    rs = world.lists["replicasets"][-1]["metadata"]["name"]
    world.event("login", "ScalingReplicaSet", f"Scaled up replica set {rs} to 2", kind="Deployment", first=12, last=12,
                normal=True)  # fmt: skip


@INCIDENTS.of(
    "promo has no pods, is that intended",
    "S0",
    finds("NO_PODS_FOUND", "conclusion"),
    never=("REPLICAS_MISSING", "HPA_NOT_SCALING", "SERVICE_NO_ENDPOINTS"),
    app="promo",
)
@busy
def _scaled_to_zero_by_its_queue(world: World) -> None:
    world.deployment(wanted=0, ready=0)
    said = "Deactivated apps/v1.Deployment shop/promo from 1 to 0"
    world.event(
        "promo", "KEDAScaleTargetDeactivated", said, kind="ScaledObject", first=40, last=40, count=1, normal=True
    )


@INCIDENTS.of(
    "the price operator keeps restarting",
    "S2",
    finds("CONTAINER_RESTARTING", "", logged("price-operator-0", "manager", "leader election lost", 1)),
    also=("DEPENDENCY_TIMEOUT",),
    never=("OOM_KILLED", "LIVENESS_KILLED", "DNS_FAILURE", "CRASH_LOOP"),
    app="price-operator",
)
@busy
def _operator_loses_its_lease(world: World) -> None:
    body = container("manager", since=6, restarts=7, last=end(1, "Error", 6.1, ran=9), **served("/readyz", 8081))
    (pod,) = replicas(world, [body], age=2_000)
    world.every(pod, "manager", 'I1120 09:58:{n} 1 controller.go:220] "Reconciled" controller="price"', since=5)
    world.log(
        pod,
        "manager",
        (20, 'I1120 09:40:00.1 1 controller.go:220] "Reconciled" controller="price"'),
        (
            6.3,
            'E1120 09:53:42.310 1 leaderelection.go:429] Failed to update: Put "https://10.96.0.1": deadline exceeded',
        ),
        (6.2, 'I1120 09:53:45.001 1 leaderelection.go:297] "Failed to renew lease" lease="shop/price" err="timed out"'),
        (6.11, 'E1120 09:53:45.002 1 main.go:101] "problem running manager" err="leader election lost"'),
        previous=True,
    )


@INCIDENTS.of(
    "what is broken in shop right now?",
    "S1",
    finds("OOM_KILLED", "cause"),
    finds("CONFIG_REF_MISSING", "cause"),
    also=("CRASH_LOOP",),
    never=("EXIT_137_UNCONFIRMED", "CONTAINER_RESTARTING", "READINESS_FAILING"),
    app="returns",
    whole=True,
)
@busy
def _one_without_memory_one_without_key(world: World) -> None:
    replicas(world, [crashing("returns", 137, "OOMKilled", ready=False, **served())], age=50)
    said = 'secret "labels-carrier" not found'
    rs = world.deployment("labels", wanted=2, ready=0)
    body = [waiting("labels", "CreateContainerConfigError", said, **served())]
    added(world, (RS, rs), body, body, app="labels", age=14)


@INCIDENTS.of(
    "delivery cannot talk to routing",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("delivery-0", "delivery", "connect: connection refused", 90)),
    also=("HTTP_5XX_RATIO", "ERROR_BURST"),
    never=("DNS_FAILURE", "NETWORK_POLICY_BLOCKS", "CRASH_LOOP"),
    app="delivery",
)
@busy
def _grpc_is_refused(world: World) -> None:
    (pod,) = replicas(world, [container("delivery", **served())])
    works(world, pod, line='{"severity":"INFO","message":"route planned","parcel":{n}}', bad=9)
    times(
        world,
        pod,
        "delivery",
        90,
        '{"severity":"ERROR","timestamp":"2026-11-20T09:58:31Z","message":"plan failed","error":"rpc error: code = '
        'Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial tcp 10.96.77.3:50051: '
        'connect: connection refused\\"","target":"routing.shop.svc:50051","trace":"{n}"}',
    )


@INCIDENTS.of(
    "receipts fails to write files",
    "S1",
    finds("VOLUME_NEARLY_FULL", "cause"),
    also=("ERROR_BURST", "HTTP_5XX_RATIO"),
    accepted=("S1", "S2"),
    never=("NODE_PRESSURE", "EVICTED", "VOLUME_MOUNT_FAILED"),
    app="receipts",
)
@busy
def _volume_has_no_space(world: World) -> None:
    (pod,) = replicas(world, [container("receipts", **served(port=8000))])
    works(world, pod, line="INFO receipt {n} written", bad=7)
    world.lists["pods"][-1]["spec"]["volumes"] = [{"name": "d", "persistentVolumeClaim": {"claimName": "receipts"}}]
    world.add("persistentvolumeclaims", "receipts", spec={"storageClassName": "gp3"}, status={"phase": "Bound"})
    own = {"namespace": "shop", "persistentvolumeclaim": "receipts"}
    world.gauge("kubelet_volume_stats_capacity_bytes", own, 5e9)
    world.gauge("kubelet_volume_stats_used_bytes", own, 4.999e9)
    world.gauge("kubelet_volume_stats_available_bytes", own, 1e6)
    times(
        world,
        pod,
        "receipts",
        50,
        "ERROR in app: Exception on /receipts [POST]",
        "Traceback (most recent call last):",
        '  File "/app/store.py", line 20, in save',
        "OSError: [Errno 28] No space left on device: '/data/r-{n}.pdf'",
    )


@INCIDENTS.of(
    "till-sync 报 too many open files",
    "S2",
    finds("ERROR_BURST", "", logged("till-sync-0", "till-sync", "too many open files", 60)),
    also=("HTTP_5XX_RATIO",),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT", "VOLUME_NEARLY_FULL", "NODE_PRESSURE"),
    language="zh",
    app="till-sync",
)
@busy
def _no_more_files_may_be_open(world: World) -> None:
    (pod,) = replicas(world, [container("till-sync", **served())])
    works(world, pod, line="2026/11/20 09:40:01 synced till {n}")
    times(
        world,
        pod,
        "till-sync",
        60,
        "2026/11/20 09:58:40 http: Accept error: accept tcp [::]:8080: accept4: too many open files; retrying in 1s",
    )


@INCIDENTS.of(
    "writes to the session store fail in webshop",
    "S1",
    finds("ERROR_BURST", "", logged("webshop-0", "webshop", "read only replica", 80)),
    also=("HTTP_5XX_RATIO",),
    accepted=("S1", "S2"),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE"),
    app="webshop",
)
@busy
def _redis_failed_over(world: World) -> None:
    (pod,) = replicas(world, [container("webshop", **served())])
    works(world, pod, line="[info] session {n} read", bad=3)
    times(
        world,
        pod,
        "webshop",
        80,
        "[error] redis.exceptions.ReadOnlyError: You can't write against a read only replica.",
    )


@INCIDENTS.of(
    "report-sender died and I may not see its events",
    "S1",
    finds("CRASH_LOOP", "", logged("report-sender-0", "report-sender", "KeyError", 1)),
    also=("ACCESS_DENIED",),
    never=("NO_PROBLEM_FOUND", "OOM_KILLED"),
    app="report-sender",
)
@busy
def _events_are_closed(world: World) -> None:
    world.denied["events"] = 403
    (pod,) = replicas(world, [crashing("report-sender", 1, ready=False)], age=40)
    lines = (
        "Traceback (most recent call last):",
        '  File "/app/main.py", line 9, in <module>',
        "    SMTP = os.environ['SMTP_HOST']",
        '  File "<frozen os>", line 685, in __getitem__',
        "KeyError: 'SMTP_HOST'",
    )
    world.log(pod, "report-sender", *((2 - at * 0.0001, line) for at, line in enumerate(lines)))


@INCIDENTS.of(
    "nightly-prices did not run for a day, no jobs at all",
    "S2",
    finds("CRONJOB_NOT_STARTING", "cause", event("CronJob/nightly-prices", "TooManyMissedTimes", "too many missed")),
    also=("NO_PODS_FOUND",),
    never=("NO_PROBLEM_FOUND", "CRONJOB_SUSPENDED", "QUOTA_EXCEEDED", "REPLICAS_MISSING"),
    app="nightly-prices",
)
@busy
def _too_many_missed_starts(world: World) -> None:
    world.add(
        "cronjobs",
        "nightly-prices",
        spec={"schedule": "*/1 * * * *", "suspend": False, "concurrencyPolicy": "Forbid", "jobTemplate": {"spec": {}}},
        status={"lastScheduleTime": "2026-11-19T06:10:00Z"},
    )
    said = "too many missed start times: 1670. Set or decrease .spec.startingDeadlineSeconds or check clock skew"
    world.event("nightly-prices", "TooManyMissedTimes", said, kind="CronJob", first=58, last=0.4, count=340)
