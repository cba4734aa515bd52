"""Which service URLs may be answered: whoever is sent a token could speak as the desk."""

import re

from adapters.outbound.recent import Recent
from adapters.port import ChatClock, Undeliverable
from adapters.teams.config import TeamsConfig

#: Where Microsoft's public cloud and its GCC answer bots; other clouds have tokens of their own.
MICROSOFT = frozenset(
    {"smba.trafficmanager.net", "smba.onyx.prod.teams.trafficmanager.net", "smba.infra.gcc.teams.microsoft.com"}
)
BOT_FRAMEWORK = ".botframework.com"
#: Further hosts that are this machine itself may do without TLS.
LOOPBACK = frozenset({"127.0.0.1", "localhost"})
#: Seconds for which the newest service URL of a conversation is remembered.
SEEN_S = 86_400.0

_URL = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:(?P<port>[1-9][0-9]{0,4}))?"
    r"(?P<path>(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)/?",
    re.ASCII,
)
_SCHEME_AND_HOST = re.compile(r"(?<![A-Za-z])[A-Za-z]++://[^/]*", re.ASCII)
_LONGEST = 2_000


class NotMicrosofts(Undeliverable):
    """Nothing is sent to this service URL."""


class ServiceUrls:
    """Checks service URLs, and knows the newest one of each conversation."""

    def __init__(self, config: TeamsConfig, clock: ChatClock) -> None:
        self._further = frozenset(host.lower() for host in config.service_hosts)
        self._newest: Recent[str, str] = Recent(clock, seconds=SEEN_S)

    def checked(self, url: str) -> str:
        """Return the URL without a slash at its end; raise `NotMicrosofts` unless it may be answered."""
        lowered = _SCHEME_AND_HOST.sub(lambda match: match[0].lower(), url, count=1)
        match = _URL.fullmatch(lowered) if len(url) <= _LONGEST else None
        if match is None or not self._is_allowed(match["scheme"], match["host"], match["port"] or ""):
            raise NotMicrosofts(f"no token is sent to {url[:100]!r}: it is none of Microsoft's hosts for Teams")
        return lowered.removesuffix("/")

    def saw(self, conversation: str, url: str) -> None:
        """Remember where a conversation was just heard from."""
        self._newest.keep(conversation, url)

    def of(self, conversation: str, stated: str) -> str:
        """Return the URL under which a conversation is reached now, `stated` when nothing was heard since."""
        return self.checked(self._newest.known(conversation) or stated)

    def _is_allowed(self, scheme: str, host: str, port: str) -> bool:
        if host in self._further or f"{host}:{port}" in self._further:
            return scheme == "https" or host in LOOPBACK
        return scheme == "https" and port in {"", "443"} and (host in MICROSOFT or host.endswith(BOT_FRAMEWORK))
