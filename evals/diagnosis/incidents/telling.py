"""Incidents of which the logs tell, in the forms of several languages; written before the rules were looked at."""

from evals.diagnosis.incidents.incident import Collection, finds, logged
from evals.diagnosis.incidents.serving import running
from evals.diagnosis.incidents.world import World, crashing

RS = "ReplicaSet"
SECRETS = (
    "AKIAQ7EXAMPLE7Q7Q7Q7",
    "ghp_Zx81EXAMPLEq0wR7tY2uI9oP4aS6dF3gH5jK",
    "xoxb-210987654321-210987654321-EXAMPLEabcdefEXAMPLE1234",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJsZWRnZXIifQ.c2lnbmF0dXJlLWV4YW1wbGUtMTIz",
    "MIIEowIBAAKCAQEAexampleexampleexampleexample",
    "Hq7-dr4gon-EXAMPLE",
    "Wq9ExamplePass77",
    "AIzaSyExample0123456789abcdefghijklmnop",
    "sk_live_EXAMPLE4eC39HqLyjWDarjtT1",
    "YWRtaW46c3VwZXItZXhhbXBsZS05OQ==",
    "Kx-zh-EXAMPLE-5521",
    "cN-connection-EXAMPLE-31",
)
INCIDENTS = Collection("ledger")


def block(world: World, pod: str, lines: tuple[str, ...], *, since: float, each_s: float = 20) -> int:
    """Add an entry of several lines again and again, as a runtime writes a stack trace; return how many."""
    ago, count = since, 0
    while ago > 0.3:
        world.log(pod, "ledger", *((ago - number * 0.0001, line) for number, line in enumerate(lines)))
        ago, count = ago - each_s / 60, count + 1
    return count


@INCIDENTS.of(
    "Why does ledger crash?",
    "S1",
    finds("CRASH_LOOP", ""),
    finds("DNS_FAILURE", "cause", logged("ledger-1", "ledger", "no such host", 1)),
    never=("DEPENDENCY_TIMEOUT",),
)
def _name_is_unknown(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", 1, ready=False), name="ledger-1", ready=False)
    world.log(
        "ledger-1",
        "ledger",
        (2.2, "2026/11/20 09:57:48 ledger 4.2 starting"),
        (2, "2026/11/20 09:58:00 cannot open store: dial tcp: lookup pg-main.shop on 10.96.0.10:53: no such host"),
    )


@INCIDENTS.of(
    "ledger answers 503, why?",
    "S1",
    finds("HTTP_5XX_RATIO", ""),
    finds("DEPENDENCY_TIMEOUT", "cause", logged("ledger-1", "ledger", "Connect to stock:8080", 42)),
    also=("ERROR_BURST",),
    never=("DNS_FAILURE",),
)
def _java(world: World) -> None:
    lines = (
        "2026-11-20 09:50:01.113 ERROR 1 --- [nio-8080-exec-7] c.e.ledger.StockClient : stock lookup failed",
        "org.springframework.web.client.ResourceAccessException: I/O error on GET: Connect to stock:8080 failed",
        "\tat org.springframework.web.client.RestTemplate.doExecute(RestTemplate.java:785)",
        "\tat com.example.ledger.StockClient.lookup(StockClient.java:41)",
        "Caused by: org.apache.http.conn.HttpHostConnectException: Connect to stock:8080 failed: Connection refused",
        "\t... 41 common frames omitted",
    )
    for pod in running(world, 2):
        world.every(pod, "ledger", "2026-11-20 09:50:01.113  INFO 1 --- c.e.ledger.Api : GET /v1/entries 200", since=50)
        block(world, pod, lines, since=14)
        world.requests(pod, bad=2, good=10)


@INCIDENTS.of(
    "ledger shows no rates",
    "S1",
    finds("DNS_FAILURE", "cause", logged("ledger-1", "ledger", "UnknownHostException", 42)),
    also=("ERROR_BURST",),
    never=("DEPENDENCY_TIMEOUT",),
    accepted=("S1", "S2"),
)
def _java_name(world: World) -> None:
    lines = (
        "2026-11-20 09:50:01.113 ERROR 1 --- [sched-1] c.e.ledger.Rates : refresh failed",
        "java.net.UnknownHostException: rates.fx.svc: Name or service not known",
        "\tat java.base/java.net.Inet6AddressImpl.lookupAllHostAddr(Native Method)",
        "\tat java.base/java.net.InetAddress.getAddressesFromNameService(InetAddress.java:1519)",
    )
    (pod,) = running(world)
    world.every(pod, "ledger", "2026-11-20 09:50:01.113  INFO 1 --- c.e.ledger.Api : GET /v1/entries 200", since=50)
    block(world, pod, lines, since=14)


@INCIDENTS.of(
    "Since the migration entries cannot be saved in ledger",
    "S1",
    finds("ERROR_BURST"),
    never=("DEPENDENCY_TIMEOUT", "DNS_FAILURE"),
    accepted=("S1", "S2"),
)
def _python(world: World) -> None:
    lines = (
        "ERROR:ledger.api:POST /v1/entries failed",
        "Traceback (most recent call last):",
        '  File "/app/ledger/api.py", line 88, in create',
        "    row = store.insert(entry)",
        '  File "/app/ledger/store.py", line 31, in insert',
        "    return self.connection.execute(statement)",
        'sqlalchemy.exc.ProgrammingError: (psycopg2.errors.UndefinedColumn) column "discount" does not exist',
    )
    (pod,) = running(world)
    world.every(pod, "ledger", "INFO:ledger.api:GET /v1/entries 200", since=50)
    block(world, pod, lines, since=12)


@INCIDENTS.of(
    "ledger 起不来",
    "S1",
    finds("CRASH_LOOP", "cause", logged("ledger-1", "ledger", "nil pointer dereference", 1)),
    never=("OOM_KILLED", "ERROR_BURST"),
    language="zh",
)
def _go_panic(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", 2, ready=False), name="ledger-1", ready=False)
    lines = (
        'level=info msg="loading rates"',
        "panic: runtime error: invalid memory address or nil pointer dereference",
        "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x6e1f52]",
        "",
        "goroutine 1 [running]:",
        "main.loadRates(0x0, {0xc0000b2000, 0x4})",
        "\t/src/cmd/ledger/rates.go:57 +0x72",
        "main.main()",
        "\t/src/cmd/ledger/main.go:23 +0x1d8",
        "exit status 2",
    )
    world.log("ledger-1", "ledger", *((2 - number * 0.0001, line) for number, line in enumerate(lines)))


@INCIDENTS.of(
    "ledger crashes since redis moved",
    "S1",
    finds("CRASH_LOOP", ""),
    finds("DEPENDENCY_TIMEOUT"),
    never=("DNS_FAILURE",),
)
def _node_stack(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", 1, ready=False), name="ledger-1", ready=False)
    lines = (
        "node:internal/process/promises:394",
        "Error: connect ECONNREFUSED 10.96.7.1:6379",
        "    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1607:16) {",
        "  errno: -111,",
        "  code: 'ECONNREFUSED',",
        "  address: '10.96.7.1',",
        "  port: 6379",
        "}",
        "Node.js v20.11.1",
    )
    world.log("ledger-1", "ledger", *((2 - number * 0.0001, line) for number, line in enumerate(lines)))


@INCIDENTS.of(
    "ledger 记账很慢,帮忙看看",
    "S1",
    finds("DEPENDENCY_TIMEOUT", "cause", logged("ledger-1", "ledger", "mysql-main:3306", 60)),
    also=("ERROR_BURST",),
    never=("NO_PROBLEM_FOUND",),
    accepted=("S1", "S2"),
    language="zh",
)
def _chinese_timeout(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", "信息 记账完成 单号={n} 耗时 12ms", since=50)
    world.every(
        pod, "ledger", "错误 连接数据库超时:jdbc:mysql://mysql-main:3306/pay,已等待 3000 毫秒", since=15, each_s=15
    )


@INCIDENTS.of(
    "ledger 记账失败",
    "S1",
    finds("ERROR_BURST", "cause", logged("ledger-1", "ledger", "优惠券服务返回空值", 89)),
    never=("NO_PROBLEM_FOUND", "DEPENDENCY_TIMEOUT"),
    accepted=("S1", "S2"),
    language="zh",
)
def _chinese_burst(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", "[信息] 记账完成 单号={n}", since=50)
    world.every(pod, "ledger", "[错误] 记账失败:优惠券服务返回空值 单号={n}", since=15, each_s=10)


@INCIDENTS.of(
    "ledger loses entries",
    "S1",
    finds("ERROR_BURST"),
    never=("DNS_FAILURE", "NO_PROBLEM_FOUND"),
    also=("DEPENDENCY_TIMEOUT",),
    accepted=("S1", "S2"),
)
def _too_many_clients(world: World) -> None:
    for pod in running(world, 2):
        world.every(pod, "ledger", '{"level":"info","msg":"entry stored","id":"{n}"}', since=50)
        world.every(
            pod,
            "ledger",
            '{"level":"error","msg":"insert failed","id":"{n}","err":"FATAL: sorry, too many clients already"}',
            since=11,
            each_s=8,
        )


@INCIDENTS.of(
    "captures fail in ledger",
    "S1",
    finds("ERROR_BURST"),
    also=("CERTIFICATE_REFUSED",),
    never=("DNS_FAILURE", "DEPENDENCY_TIMEOUT"),
    accepted=("S1", "S2"),
)
def _certificate_over(world: World) -> None:
    (pod,) = running(world)
    world.every(pod, "ledger", 'level=info msg="entry stored" id={n}', since=50)
    world.every(
        pod,
        "ledger",
        'level=error msg="capture failed" id={n} err="Post \\"https://bank.example/v1/capture\\": tls: failed to '
        'verify certificate: x509: certificate has expired or is not yet valid: current time is after 20 November"',
        since=15,
        each_s=9,
    )


@INCIDENTS.of(
    "Why does ledger crash?",
    "S1",
    finds("CRASH_LOOP"),
    also=("SECRET_IN_LOG",),
    secrets=SECRETS,
)
def _ten_secrets(world: World) -> None:
    rs = world.deployment(wanted=1, ready=0)
    world.pod((RS, rs), crashing("ledger", 1, ready=False), name="ledger-1", ready=False)
    lines = (
        f"aws_access_key_id={SECRETS[0]}",
        f"cloning with token {SECRETS[1]}",
        f"slack: {SECRETS[2]}",
        f"Authorization: Bearer {SECRETS[3]}",
        "-----BEGIN RSA PRIVATE KEY-----",
        SECRETS[4],
        "-----END RSA PRIVATE KEY-----",
        f"dsn=postgres://ledger:{SECRETS[5]}@pg:5432/ledger",
        f'{{"level":"debug","password":"{SECRETS[6]}"}}',
        f"maps key {SECRETS[7]}",
        f"stripe {SECRETS[8]}",
        f"Authorization: Basic {SECRETS[9]}",
        f"数据库密码:{SECRETS[10]}",
        f"Server=db;User Id=sa;Password={SECRETS[11]};",
        "fatal: giving up",
    )
    world.log("ledger-1", "ledger", *((2 - number * 0.001, line) for number, line in enumerate(lines)))
