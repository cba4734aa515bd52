"""The token with which the desk speaks to the Bot Connector: asked for off the event loop, kept until it runs out."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urlsplit

import httpx
import msal  # type: ignore[import-untyped]

from adapters.outbound.errors import NotAllowed
from adapters.outbound.recent import Recent
from adapters.port import ChatClock, Unavailable
from adapters.teams.config import TeamsConfig

SCOPE = "https://api.botframework.com/.default"
#: Seconds before its end from which a token is not used any more.
EARLY_S = 300.0
#: Real seconds that the login server is given, and bytes that it may answer with.
LOGIN_WITHIN_S, LOGIN_BYTES = 10.0, 200_000
#: Seconds until credentials that were refused are tried again, and until a login server that did not answer is.
REFUSED_S, AWAY_S = 60.0, 5.0
#: Codes with which a login server asks to come back; every other one means that something is set up wrongly.
_LATER = frozenset({"server_error", "temporarily_unavailable"})
#: What msal makes of answers that are none of a login server's.
_NO_ANSWERS = (AttributeError, LookupError, RuntimeError, TypeError, ValueError)
#: The one part of the login server's explanation that is the same for everybody.
_REASON = re.compile(r"AADSTS[0-9]+")

Json = Mapping[str, Any]


@dataclass(frozen=True)
class ServiceToken:
    """What is sent along; monotonic seconds."""

    value: str = field(repr=False)
    until: float


class Credentials:
    """One app registration; in test mode there are none, and nothing is sent along."""

    def __init__(self, config: TeamsConfig, clock: ChatClock) -> None:
        self._config = config
        self._clock = clock
        self._tokens: Recent[str, ServiceToken] = Recent(clock, seconds=86_400.0, most=1)

    async def token(self) -> ServiceToken | None:
        """Return a token that lasts a while, None in test mode; raise `NotAllowed` or, to come back, `Unavailable`."""
        if not self._config.signed:
            return None
        known = self._tokens.known("")
        if known is not None and known.until <= self._clock.monotonic():
            self._tokens.forget("")
        return await self._tokens.get("", self._ask)

    def forget(self, token: ServiceToken) -> None:
        """Ask for another one next time: this one was refused."""
        if self._tokens.known("") is token:
            self._tokens.forget("")

    async def _ask(self) -> ServiceToken:
        asked_at = self._clock.monotonic()
        try:
            async with asyncio.timeout(LOGIN_WITHIN_S):
                told = await asyncio.to_thread(_acquire, self._config)
        except (httpx.HTTPError, OSError, TimeoutError, *_NO_ANSWERS) as error:
            if _REASON.search(str(error)):  # what msal makes of a tenant that there is not
                raise _refused(str(error)) from error
            raise Unavailable(f"no token: {type(error).__name__}", retry_after_s=AWAY_S) from error
        if told.get("access_token"):
            lasts_s = float(told.get("expires_in") or 0)
            return ServiceToken(str(told["access_token"]), asked_at + max(lasts_s - EARLY_S, lasts_s / 2))
        if told.get("error") in _LATER:
            raise Unavailable(f"no token: {told['error']}", retry_after_s=AWAY_S)
        raise _refused(f"{told.get('error')} {told.get('error_description')}")


def _refused(explanation: str) -> NotAllowed:
    """Return what to raise; explanations may quote ids, so that of all they say one code is kept."""
    reason = _REASON.search(explanation)
    return NotAllowed(f"no token: {reason[0] if reason else 'refused'}", retry_after_s=REFUSED_S)


def _acquire(config: TeamsConfig) -> Json:
    """Ask for a token, blocking; a new application each time, because msal's caches live by the machine's clock."""
    login = urlsplit(config.login_url)
    with httpx.Client(timeout=LOGIN_WITHIN_S, follow_redirects=False) as client:
        application = msal.ConfidentialClientApplication(
            config.app_id,
            client_credential=config.app_secret,
            authority=f"https://{login.netloc}{login.path.rstrip('/')}/{config.tenant_id}",
            instance_discovery=False,
            http_client=_LoginServer(client, login),
        )
        told: Json = application.acquire_token_for_client(scopes=[SCOPE])
    return told


class _LoginServer:
    """msal's way out: to the one login server of the settings, no other is told the secret.

    msal knows https alone. A test's login server speaks plain http, so it goes by https towards msal.
    """

    def __init__(self, client: httpx.Client, login: SplitResult) -> None:
        self._client = client
        self._login = login

    def get(self, url: str, **given: Any) -> httpx.Response:
        """Ask for a document."""
        return self._send("GET", url, given)

    def post(self, url: str, **given: Any) -> httpx.Response:
        """Send a form."""
        return self._send("POST", url, given)

    def _send(self, method: str, url: str, given: Json) -> httpx.Response:
        if urlsplit(url).netloc != self._login.netloc:
            raise httpx.UnsupportedProtocol("the login server points to another one")
        where = urlsplit(url)._replace(scheme=self._login.scheme).geturl()
        known = {name: given[name] for name in ("params", "data", "headers") if given.get(name)}
        with self._client.stream(method, where, **known) as response:
            content = b""
            for piece in response.iter_bytes():
                content += piece
                if len(content) > LOGIN_BYTES:
                    raise httpx.DecodingError("the login server answers with too much")
        content = content.replace(self._origin(self._login.scheme), self._origin("https"))
        told = httpx.Response(response.status_code, content=content, request=response.request)
        if told.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR or told.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            told.raise_for_status()
        return told

    def _origin(self, scheme: str) -> bytes:
        return f"{scheme}://{self._login.netloc}/".encode()
