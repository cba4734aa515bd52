"""The Bot Framework's key server as an adapter sees it over httpx: its documents, or trouble."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from adapters.outbound.health import Health
from adapters.teams.inbound.keys import Keys
from tests.adapters.virtual_clock import VirtualClock
from tests.fakes.teams.tokens import Signing

METADATA = "https://login.botframework.com/v1/.well-known/openidconfiguration"
JWKS = "https://login.botframework.com/v1/.well-known/keys"


@dataclass(frozen=True)
class Told:
    """An answer of the server."""

    body: str | bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self) -> httpx.Response:
        """Return it in pieces, as over a network."""
        body = self.body.encode() if isinstance(self.body, str) else self.body
        return httpx.Response(self.status, headers=self.headers, stream=_Pieces(body))


class KeyServer(httpx.AsyncBaseTransport):
    """Tells the keys of `signing`. `said` replaces a document by its URL, `error` the whole server."""

    def __init__(self, signing: Signing) -> None:
        self.signing = signing
        self.said: dict[str, Told] = {}
        self.error: httpx.HTTPError | None = None
        self.asked: list[str] = []
        self.open = asyncio.Event()
        self.open.set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        await self.open.wait()
        if self.error is not None:
            raise self.error
        documents = {METADATA: self.signing.metadata(JWKS), JWKS: self.signing.jwks()}
        url = str(request.url)
        return (self.said.get(url) or Told(json.dumps(documents[url]))).response()

    @property
    def rounds(self) -> int:
        """Return how often the keys were asked for."""
        return self.asked.count(METADATA)


class _Pieces(httpx.AsyncByteStream):
    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._body), 1_000):
            yield self._body[start : start + 1_000]


class Ring:
    """Keys before a key server, on a clock that is moved by hand."""

    def __init__(self, *, app_id: str = "app", url: str = METADATA, **given: Any) -> None:
        self.clock = VirtualClock()
        self.signing = Signing(self.clock, app_id=app_id)
        self.server = KeyServer(self.signing)
        self.health = Health(self.clock, platform="Teams")
        self.keys = Keys(url, self.clock, health=self.health, transport=self.server, **given)

    @property
    def kid(self) -> str:
        """Return the id of the key that signs."""
        return self.signing.key.kid

    @property
    def troubles(self) -> list[str]:
        """Return what the desk knows to be wrong."""
        return [episode.trouble.value for episode in self.health.episodes]

    def later(self, seconds: float) -> None:
        """Move the clock."""
        self.clock.elapsed_s += seconds

    @asynccontextmanager
    async def unreachable(self) -> AsyncIterator[None]:
        """Let nobody through to the server for the time of the block."""
        self.server.error = httpx.ConnectError("refused")
        yield
        self.server.error = None
