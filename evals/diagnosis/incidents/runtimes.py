"""Incidents of which the logs of further runtimes tell; run once before anything was mended for them."""

from collections.abc import Callable
from typing import Any

from evals.diagnosis.incidents.incident import MadeUpIncident, finds, logged
from evals.diagnosis.incidents.serving import running
from evals.diagnosis.incidents.telling import block
from evals.diagnosis.incidents.world import Body, World


def _lines(*said: str, ok: str = "INFO stored {n}") -> Callable[[World], None]:
    """Return what builds a pod that works, and writes an entry of these lines again and again for twelve minutes."""

    def build(world: World) -> None:
        (pod,) = running(world)
        world.every(pod, "ledger", ok, since=50)
        block(world, pod, said, since=12, each_s=9)

    return build


def _incident(name: str, build: Callable[[World], None], *found: Body, **more: Any) -> MadeUpIncident:
    return MadeUpIncident(
        name, "What is wrong with ledger?", build, "S1", found, app="ledger", accepted=("S1", "S2"), **more
    )


_BURST = ("ERROR_BURST",)
INCIDENTS: tuple[MadeUpIncident, ...] = (
    _incident(
        "dns-timeout",
        _lines(
            'level=error msg="refresh failed" err="dial tcp: lookup rates.fx on 10.96.0.10:53: read '
            'udp 10.1.2.3:4444->10.96.0.10:53: i/o timeout"'
        ),
        finds("DNS_FAILURE"),
        also=_BURST,
        never=("DEPENDENCY_TIMEOUT",),
    ),
    _incident(
        "mysql-link",
        _lines(
            "2026-11-20 09:50:01.113 ERROR 1 --- [exec-7] o.h.engine.jdbc.spi.SqlExceptionHelper : "
            "Communications link failure",
            "com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure",
            "\tat com.mysql.cj.jdbc.exceptions.SQLError.create(SQLError.java:174)",
            "Caused by: java.net.ConnectException: Connection refused",
        ),
        finds("ERROR_BURST", ""),
        also=("DEPENDENCY_TIMEOUT",),
    ),
    _incident(
        "grpc-unavailable",
        _lines(
            '{"level":"error","msg":"reserve failed","error":"rpc error: code = Unavailable desc = '
            'connection error: desc = \\"transport: Error while dialing: dial tcp 10.96.4.4:9090: '
            'connect: connection refused\\""}',
            ok='{"level":"info","msg":"stored"}',
        ),
        finds("DEPENDENCY_TIMEOUT", "cause", logged("ledger-1", "ledger", "connection refused", 78)),
        also=_BURST,
    ),
    _incident(
        "grpc-deadline",
        _lines(
            'level=error msg="call failed" target=pricing:9090 err="rpc error: code = DeadlineExceeded '
            'desc = context deadline exceeded"'
        ),
        finds("DEPENDENCY_TIMEOUT"),
        also=_BURST,
    ),
    _incident(
        "dotnet",
        _lines(
            "fail: Ledger.Store[0]",
            "      insert failed for entry",
            "      Npgsql.NpgsqlException (0x80004005): Failed to connect to 10.1.1.1:5432",
            "       ---> System.Net.Sockets.SocketException (111): Connection refused",
            "         at System.Net.Sockets.Socket.Connect(EndPoint ep)",
            ok="info: Ledger.Api[0]",
        ),
        finds("DEPENDENCY_TIMEOUT"),
        also=_BURST,
    ),
    _incident(
        "dotnet-burst",
        _lines(
            "fail: Ledger.Store[0]",
            "      System.InvalidOperationException: no rate for CHF",
            "         at Ledger.Rates.Of(String c)",
            ok="info: Ledger.Api[0]",
        ),
        finds("ERROR_BURST", "cause", logged("ledger-1", "ledger", "no rate for CHF", 78)),
    ),
    _incident(
        "rust-pool",
        _lines(
            "[2026-11-20T09:50:00Z ERROR ledger::db] pool timed out while waiting for an open connection",
            ok="[2026-11-20T09:50:00Z INFO  ledger::api] stored",
        ),
        finds("ERROR_BURST"),
        also=("DEPENDENCY_TIMEOUT",),
    ),
    _incident(
        "ruby",
        _lines(
            "E, [2026-11-20T09:50:00.123456 #7] ERROR -- : PG::ConnectionBad: could not connect to "
            'server: Connection refused Is the server running on host "pg-main" (10.1.1.1) and '
            "accepting connections on port 5432?",
            ok="I, [2026-11-20T09:50:00.123456 #7]  INFO -- : stored",
        ),
        finds("DEPENDENCY_TIMEOUT"),
        also=_BURST,
    ),
    _incident(
        "php",
        _lines(
            "PHP Fatal error:  Uncaught PDOException: SQLSTATE[HY000] [2002] php_network_getaddresses: "
            "getaddrinfo failed: Name or service not known in /app/db.php:12",
            "Stack trace:",
            "#0 /app/db.php(12): PDO->__construct()",
            "#1 {main}",
            ok='10.1.1.1 - - "GET /index.php" 200',
        ),
        finds("DNS_FAILURE"),
        also=_BURST,
        never=("DEPENDENCY_TIMEOUT",),
    ),
    _incident(
        "nginx-timeout",
        _lines(
            "2026/11/20 09:55:00 [error] 2#2: *71 upstream timed out (110: Connection timed out) while "
            'reading response header from upstream, request: "GET /v1 HTTP/1.1", upstream: '
            '"http://10.96.8.8:8080/v1", host: "shop.example"',
            ok='10.1.1.1 - "GET /v1" 200',
        ),
        finds("DEPENDENCY_TIMEOUT"),
        also=_BURST,
    ),
)
