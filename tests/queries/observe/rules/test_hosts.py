"""Which host an error line names, and which service of the cluster that can be."""

import pytest

from queries.observe.facts.logs import LogLevel, LogLine
from queries.observe.rules.families.logs.hosts import host_of, service_of
from queries.observe.rules.families.logs.lines import no_name_of


@pytest.mark.parametrize(
    ("words", "host"),
    [
        ("dial tcp 10.2.0.4:5432: connect: connection refused", "10.2.0.4:5432"),
        ("Post https://api.sms.example/v1/send: net/http: TLS handshake timeout", "api.sms.example"),
        ("certificate verify failed: certificate has expired (_ssl.c:1032)", ""),
        ("E1120 09:50:01 proxy.go:2087] dial timed out to redis:6379", "redis:6379"),
        ("connection refused at com.shop.Db.connect(Db.java:88)", ""),
        ("数据库 orders-db:5432 连接超时", "orders-db:5432"),
        ("dial tcp 10.9.7.3:5051: connection refused target=routing.shop.svc:5051", "routing.shop.svc:5051"),
        ("dial tcp 10.9.7.3:5051: connection refused target=10.9.7.4:5051", "10.9.7.3:5051"),
        ("dial tcp 10.9.7.3:5051: connection refused peer=metrics.shop.svc:9090", "10.9.7.3:5051"),
        ("QueuePool limit reached, timed out (Background on this error at: https://sqlalche.me/e/20/3o7r)", ""),
        ("timed out, see https://docs.example/timeouts: ledger-db:5432", "ledger-db:5432"),
        (
            '"GET /q HTTP/1.1" 503 UF connection_failure "api.example" "10.8.4.20:80" outbound|80||quotes.shop.svc - -',
            "quotes.shop.svc:80",
        ),
    ],
)
def test_a_place_in_a_program_is_no_host(words: str, host: str) -> None:
    assert host_of(LogLine(at=None, level=LogLevel.ERROR, levelled=True, words=words, raw=words)) == host


@pytest.mark.parametrize(
    ("words", "resolver"),
    [
        ("getaddrinfo ENOTFOUND rates.shop.svc", True),
        ("Error: queryA ENOTFOUND", True),
        ("ModuleNotFoundError: No module named 'lightgbm_ext'", False),
        ("ResourceNotFoundException: no such table", False),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/etc/app.yaml'", False),
    ],
)
def test_what_is_not_found_is_no_name_unless_a_resolver_says_so(words: str, *, resolver: bool) -> None:
    line = LogLine(at=None, level=LogLevel.ERROR, levelled=True, words=words, raw=words)
    assert no_name_of(line) is resolver


@pytest.mark.parametrize(
    ("host", "service"),
    [
        ("redis:6379", ("redis", "shop")),
        ("lab.clinic.svc:80", ("lab", "clinic")),
        ("lab.clinic.svc.cluster.local", ("lab", "clinic")),
        ("api.sms.example", ("", "shop")),
        ("10.2.0.4:5432", ("", "shop")),
        ("", ("", "shop")),
    ],
)
def test_only_what_can_be_a_service_is_looked_for_in_the_cluster(host: str, service: tuple[str, str]) -> None:
    assert service_of(host, "shop") == service
