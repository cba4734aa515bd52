"""Incidents written after the rules had been mended once, and run once before they were mended again."""

from evals.diagnosis.incidents.incident import WELL, Collection, finds, logged
from evals.diagnosis.incidents.serving import running
from evals.diagnosis.incidents.telling import block
from evals.diagnosis.incidents.world import World, container, crashing, end, stamp

RS = "ReplicaSet"
_TOLD = ("S1", "S2")
INCIDENTS = Collection("ledger")


@INCIDENTS.of(
    "ledger loses entries",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("ledger-1", "ledger", "ETIMEDOUT 10.2.3.4:5432", 71)),
    also=("ERROR_BURST",),
    accepted=_TOLD,
)
def _pino(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", '{"level":30,"msg":"entry stored","id":"{n}"}', since=50)
    line = (
        '{"level":50,"msg":"query failed","req":"{n}","err":{"message":"connect ETIMEDOUT 10.2.3.4:5432",'
        '"stack":"Error: connect ETIMEDOUT 10.2.3.4:5432\\n    at TCPConnectWrap.afterConnect"}}'
    )
    world.every(pod, "ledger", line, since=12, each_s=10)


@INCIDENTS.of(
    "ledger 启动失败",
    "S1",
    finds("CRASH_LOOP", "cause", logged("ledger-1", "ledger", "KeyError: 'LEDGER_DSN'", 1)),
    language="zh",
)
def _python_crash(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", 1, ready=False), name="ledger-1", ready=False)
    lines = (
        "Traceback (most recent call last):",
        '  File "/app/main.py", line 9, in <module>',
        '    url = os.environ["LEDGER_DSN"]',
        '  File "/usr/lib/python3.11/os.py", line 679, in __getitem__',
        "    raise KeyError(key) from None",
        "KeyError: 'LEDGER_DSN'",
    )
    world.log("ledger-1", "ledger", *((2 - number * 0.0001, line) for number, line in enumerate(lines)))


@INCIDENTS.of(
    "ledger does not start",
    "S1",
    finds("CRASH_LOOP", ""),
    finds("DEPENDENCY_TIMEOUT"),
    never=("DNS_FAILURE",),
)
def _python_refused(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", 1, ready=False), name="ledger-1", ready=False)
    said = (
        "requests.exceptions.ConnectionError: HTTPConnectionPool(host='vault', port=8200): Max retries exceeded: "
        "/v1/kv (Caused by NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused'))"
    )
    world.log("ledger-1", "ledger", (2.001, "Traceback (most recent call last):"), (2, said))


@INCIDENTS.of(
    "ledger is slow",
    "S1",
    finds("DEPENDENCY_TIMEOUT"),
    also=("ERROR_BURST",),
    accepted=_TOLD,
)
def _host_above_cause(world: World) -> None:
    lines = (
        "2026-11-20 09:50:01.113 ERROR 1 --- [exec-7] c.e.ledger.Prices : GET http://pricing.shop.svc:8080/v1/p failed",
        "feign.RetryableException: Read timed out executing GET",
        "\tat feign.FeignException.errorExecuting(FeignException.java:268)",
        "Caused by: java.net.SocketTimeoutException: Read timed out",
        "\t... 21 more",
    )
    (pod,) = running(world)
    world.every(pod, "ledger", "2026-11-20 09:50:01.113  INFO 1 --- c.e.ledger.Api : GET /v1/entries 200", since=50)
    block(world, pod, lines, since=14)


@INCIDENTS.of(
    "Is ledger out of memory?",
    "S1",
    finds("ERROR_BURST"),
    never=("OOM_KILLED", "MEMORY_NEAR_LIMIT"),
    accepted=_TOLD,
)
def _redis_full(world: World) -> None:
    (pod,) = running(world)
    world.usage(pod, "ledger", cpu=0.02)
    world.every(pod, "ledger", "INFO stored {n}", since=50)
    said = "ERROR cache write {n}: OOM command not allowed when used memory > 'maxmemory'"
    world.every(pod, "ledger", said, since=15, each_s=9)


@INCIDENTS.of(
    "ledger does not start",
    "S1",
    finds("CRASH_LOOP", ""),
    finds("DNS_FAILURE"),
    never=("DEPENDENCY_TIMEOUT",),
)
def _postgres_name(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", 2, ready=False), name="ledger-1", ready=False)
    said = 'could not translate host name "pg-main" to address: Temporary failure in name resolution'
    world.log("ledger-1", "ledger", (2.01, "starting"), (2, f"psycopg2.OperationalError: {said}"))


@INCIDENTS.of(
    "Is ledger well?",
    "S0",
    WELL,
    never=("DEPENDENCY_TIMEOUT", "ERROR_BURST"),
)
def _retries_only(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", "INFO stored {n}", since=55, each_s=10)
    world.every(pod, "ledger", "WARN retrying http://stock:8080/v1 after timeout, attempt 1", since=55, each_s=40)


@INCIDENTS.of(
    "ledger gives 502",
    "S1",
    finds("DEPENDENCY_TIMEOUT"),
    finds("HTTP_5XX_RATIO", ""),
    also=("ERROR_BURST",),
    never=("CRASH_LOOP",),
)
def _behind_a_proxy(world: World) -> None:
    (pod,) = running(world)
    world.requests(pod, bad=4, good=8)
    world.every(pod, "ledger", 'info: "GET /v1/entries" 200', since=50)
    said = (
        "2026/11/20 09:55:00 [error] 2#2: *{n} connect() failed (111: Connection refused) while connecting to upstream "
        'client: 10.1.0.7, request: "GET /v1/entries HTTP/1.1", upstream: "http://10.96.8.8:8080/v1/entries"'
    )
    world.every(pod, "ledger", said, since=13, each_s=7)
    world.event("entries-5d-x1", "BackOff", "Back-off restarting failed container", part="entries", count=40)


@INCIDENTS.of(
    "is anything wrong in shop?",
    "S1",
    finds("CRASH_LOOP", "cause", logged("mailer-1", "mailer", "template folder", 1)),
    finds("IMAGE_PULL_NOT_FOUND"),
    whole=True,
)
def _namespace(world: World) -> None:
    running(world)
    rs = world.deployment("mailer", wanted=1, ready=0)
    world.pod((RS, rs), crashing("mailer", 1, ready=False), app="mailer", name="mailer-1", ready=False)
    world.log("mailer-1", "mailer", (2, "FATAL template folder is empty"))
    rs = world.deployment("report", wanted=1, ready=0)
    body = container("report", waiting="ImagePullBackOff", image="r.example/report:9", ready=False)
    world.pod((RS, rs), body, app="report", name="report-1", ready=False, age=30)
    said = 'Failed to pull image "r.example/report:9": rpc error: code = NotFound desc = r.example/report:9: not found'
    world.event("report-1", "Failed", said, part="report", first=30, last=2)


@INCIDENTS.of(
    "ledger hangs in Init",
    "S1",
    finds("INIT_CONTAINER_FAILED", ""),
    finds("OOM_KILLED"),
    never=("CRASH_LOOP",),
)
def _init_out_of_memory(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    init = container(
        "load", init=True, waiting="CrashLoopBackOff", last=end(137, "OOMKilled", 2), restarts=5, ready=False
    )
    world.pod(
        (RS, rs),
        init,
        container("ledger", waiting="PodInitializing", ready=False),
        name="ledger-1",
        ready=False,
        phase="Pending",
    )


@INCIDENTS.of(
    "ledger 不可用",
    "S1",
    finds("CONFIG_REF_MISSING"),
    never=("SIDECAR_FAILING", "CRASH_LOOP"),
    language="zh",
)
def _secret_of_one(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod(
        (RS, rs),
        container("ledger", waiting="CreateContainerConfigError", message='secret "ledger-db" not found', ready=False),
        container("proxy"),
        name="ledger-1",
        ready=False,
        age=25,
    )
    world.event(
        "ledger-1", "Failed", 'Error: secret "ledger-db" not found', part="ledger", first=25, last=0.5, count=90
    )


@INCIDENTS.of(
    "one ledger pod waits",
    "S2",
    finds("UNSCHEDULABLE_RESOURCES"),
    never=("PVC_UNBOUND",),
    also=("UNSCHEDULABLE_PLACEMENT",),
)
def _no_memory_left(world: World) -> None:
    rs = world.deployment(wanted=2, ready=1)
    world.pod((RS, rs), container("ledger"), name="ledger-1")
    said = (
        "0/6 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, "
        "2 node(s) didn't match Pod's node affinity/selector, 3 Insufficient memory. preemption: not helpful."
    )
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": said,
        "lastTransitionTime": stamp(30),
    }
    world.pod(
        (RS, rs),
        container("ledger", waiting="", ready=False, requests={"memory": "24Gi"}),
        name="ledger-2",
        node="",
        ready=False,
        age=30,
        phase="Pending",
        containerStatuses=[],
        conditions=[condition],
    )
    world.event("ledger-2", "FailedScheduling", said, new=True, first=30, last=1, count=8)


@INCIDENTS.of(
    "ledger was restarted, is it well?",
    "S0",
    WELL,
    never=("LIVENESS_KILLED", "EXIT_137_UNCONFIRMED"),
)
def _killed_once(world: World) -> None:
    (pod,) = running(world, since=52, restarts=1, last=end(137, "Error", 52.1, ran=900))
    said = "Container ledger failed liveness probe, will be restarted"
    world.event(pod, "Killing", said, normal=True, part="ledger", first=52.2, last=52.2, count=1)
    world.every(pod, "ledger", "INFO stored {n}", since=50)


@INCIDENTS.of(
    "Does ledger fail more than usual?",
    "S0",
    WELL,
    never=("HTTP_5XX_RATIO",),
)
def _steady_share(world: World) -> None:
    (pod,) = running(world)
    world.requests(pod, bad=0.4, good=10, before=0.4)
    world.every(pod, "ledger", "INFO stored {n}", since=50)


@INCIDENTS.of(
    "ledger 缓存连不上吗?",
    "S1",
    finds("DEPENDENCY_TIMEOUT"),
    also=("ERROR_BURST",),
    accepted=_TOLD,
    language="zh",
)
def _chinese_without_level(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", "2026-11-20 17:50:01 记账完成,流水号{n}", since=50)
    world.every(pod, "ledger", "2026-11-20 17:50:01 连接redis-main:6379失败:连接被拒绝,流水号{n}", since=12, each_s=9)


@INCIDENTS.of(
    "ledger-2 is red",
    "S2",
    finds("CRASH_LOOP", "cause", logged("ledger-2", "ledger", "wrong ownership", 1)),
)
def _last_ordinal(world: World) -> None:
    world.stateful_set("ledger", wanted=3, ready=2)
    for number in range(2):
        world.pod(("StatefulSet", "ledger"), container("ledger"), name=f"ledger-{number}")
    world.pod(("StatefulSet", "ledger"), crashing("ledger", 1, ready=False), name="ledger-2", ready=False)
    world.log("ledger-2", "ledger", (2, 'FATAL:  data directory "/var/lib/data" has wrong ownership'))


@INCIDENTS.of(
    "Errors in ledger?",
    "S0",
    WELL,
    never=("ERROR_BURST",),
)
def _clients_leave(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", "level=info msg=stored id={n}", since=58, each_s=10)
    world.every(pod, "ledger", 'level=error msg="write response" err="context canceled" id={n}', since=58, each_s=30)


@INCIDENTS.of(
    "ledger fails for CHF",
    "S1",
    finds("ERROR_BURST", "cause", logged("ledger-1", "ledger", "no rate for CHF", 79)),
    accepted=_TOLD,
)
def _stack_in_json(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", '{"severity":"INFO","message":"stored {n}"}', since=50)
    line = (
        '{"severity":"ERROR","message":"java.lang.IllegalStateException: no rate for CHF\\n\\tat com.example.Rates.of'
        '(Rates.java:12)\\n\\tat com.example.Api.post(Api.java:80)","trace":"{n}"}'
    )
    world.every(pod, "ledger", line, since=12, each_s=9)


@INCIDENTS.of(
    "items have no price in ledger",
    "S1",
    finds("ERROR_BURST", "cause", logged("ledger-1", "ledger", "its currency is empty", 75)),
    accepted=_TOLD,
)
def _words_that_vary(world: World) -> None:
    (pod,) = running(world)
    names = [first + second for first in ("red", "blue", "grey", "old", "new") for second in ("-lamp", "-sofa", "-rug")]
    world.every(pod, "ledger", "INFO stored {n}", since=50)
    for number, name in enumerate(names * 5):
        world.log(pod, "ledger", (12 - number * 0.15, f"ERROR cannot price item {name} because its currency is empty"))


@INCIDENTS.of(
    "Is ledger well?",
    "S0",
    WELL,
    never=("ERROR_BURST",),
)
def _many_small_errors(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", "INFO stored {n}", since=55, each_s=15)
    names = [first + second for first in ("ann", "bob", "cat", "dan") for second in ("-a", "-b", "-c", "-d", "-e")]
    for number, name in enumerate(names * 3):
        world.log(pod, "ledger", (56 - number * 0.93, f"ERROR user {name} typed a wrong date in the form"))
