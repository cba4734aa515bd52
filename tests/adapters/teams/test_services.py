"""Where a token may be sent: to Microsoft's hosts for Teams, whatever an address says."""

import pytest

from adapters.port import Undeliverable
from adapters.teams.config import TeamsConfig
from adapters.teams.wire.services import ServiceUrls
from storage.clock import ManualClock

MICROSOFTS = [
    "https://smba.trafficmanager.net/emea/",
    "https://smba.trafficmanager.net/amer/8b6f1f6e-0000-4000-8000-aabbccddeeff/",
    "https://smba.trafficmanager.net",
    "https://SMBA.TrafficManager.net/teams/",
    "HTTPS://smba.trafficmanager.net:443/de/",
    "https://smba.infra.gcc.teams.microsoft.com/teams",
    "https://directline.botframework.com/",
]
HOSTILE = [
    "http://smba.trafficmanager.net/emea/",
    "ftp://smba.trafficmanager.net/emea/",
    "//smba.trafficmanager.net/emea/",
    "smba.trafficmanager.net/emea/",
    "https://smba.trafficmanager.net.evil.example/",
    "https://evil.example/smba.trafficmanager.net/",
    "https://evil.example#smba.trafficmanager.net",
    "https://evil.example?smba.trafficmanager.net",
    "https://evil.example\\@smba.trafficmanager.net/",
    "https://evil.example\\.smba.trafficmanager.net/",
    "https://smba.trafficmanager.net@evil.example/",
    "https://smba.trafficmanager.net:443@evil.example/",
    "https://user:word@smba.trafficmanager.net/",
    "https://@smba.trafficmanager.net/",
    "https://smba.trafficmanager.net./emea/",
    "https://.smba.trafficmanager.net/",
    "https://smba..trafficmanager.net/",
    "https://xsmba.trafficmanager.net/",
    "https://evil.trafficmanager.net/",
    "https://smba-trafficmanager.net/",
    "https://evilbotframework.com/",
    "https://botframework.com.evil.example/",
    "https://smba.trafficmanager.net:8443/",
    "https://smba.trafficmanager.net:0443/",
    "https://smba.trafficmanager.net:/",
    "https://smba.trafficmanager.net:443:443/",
    "https://smba.traffiсmanager.net/",  # a Cyrillic letter
    "https://smba.trafficmanager。net/",
    "https://smba.xn--traffimanager-7jl.net/",
    "https://smba.trafficmanager.net/../../evil",
    "https://smba.trafficmanager.net/a/../b",
    "https://smba.trafficmanager.net//evil.example/",
    "https://smba.trafficmanager.net/%2e%2e/evil",
    "https://smba.trafficmanager.net/emea/?to=evil",
    "https://smba.trafficmanager.net/emea/#evil",
    "https://smba.trafficmanager.net/em ea/",
    "https://smba.trafficmanager.net/emea/\r\nX-Evil: 1",
    "https://smba.trafficmanager.net\n/emea/",
    " https://smba.trafficmanager.net/emea/",
    "https://smba.trafficmanager.net/\x00",
    "https://[::1]/",
    "https://127.0.0.1/",
    "http://localhost:3978/",
    "https://169.254.169.254/metadata/",
    "javascript:alert(1)",
    "",
    "https://",
    f"https://smba.trafficmanager.net/{'a' * 3_000}",
]


def services(*further: str) -> ServiceUrls:
    return ServiceUrls(TeamsConfig(service_hosts=frozenset(further)), ManualClock())


@pytest.mark.parametrize("url", MICROSOFTS)
def test_microsofts_hosts_may_be_answered(url: str) -> None:
    assert services().checked(url).lower() == url.lower().removesuffix("/")


@pytest.mark.parametrize("url", HOSTILE)
def test_nothing_else_is_sent_a_token(url: str) -> None:
    with pytest.raises(Undeliverable, match="no token is sent"):
        services().checked(url)


def test_a_further_host_that_is_this_machine_needs_no_tls() -> None:
    local = services("127.0.0.1", "localhost:56150")

    assert local.checked("http://127.0.0.1:9000/emea/") == "http://127.0.0.1:9000/emea"
    assert local.checked("http://localhost:56150/_connector") == "http://localhost:56150/_connector"
    for url in ("http://localhost:56151/", "http://127.0.0.1.evil.example/", "http://127.0.0.1@evil.example/"):
        with pytest.raises(Undeliverable):
            local.checked(url)


def test_a_further_host_elsewhere_needs_tls() -> None:
    gateway = services("teams-gateway.harbour.example")

    assert gateway.checked("https://teams-gateway.harbour.example/v1/") == "https://teams-gateway.harbour.example/v1"
    for url in ("http://teams-gateway.harbour.example/", "https://other.harbour.example/"):
        with pytest.raises(Undeliverable):
            gateway.checked(url)


def test_a_conversation_is_answered_where_it_was_heard_from_last() -> None:
    known = services()
    stated = "https://smba.trafficmanager.net/emea/"

    assert known.of("a:1", stated) == "https://smba.trafficmanager.net/emea"
    known.saw("a:1", "https://smba.trafficmanager.net/amer/")
    assert known.of("a:1", stated) == "https://smba.trafficmanager.net/amer"
    assert known.of("a:2", stated) == "https://smba.trafficmanager.net/emea"


def test_what_was_heard_is_checked_like_what_is_stated() -> None:
    known = services()
    known.saw("a:1", "https://evil.example/")

    with pytest.raises(Undeliverable):
        known.of("a:1", "https://smba.trafficmanager.net/emea/")
