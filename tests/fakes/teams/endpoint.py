"""The messaging endpoint of an app, posted to the way that the Bot Framework posts."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import aiohttp

from storage.clock import Clock
from tests.fakes.patience import within
from tests.fakes.teams.records import Json
from tests.fakes.teams.tokens import Signing

#: Seconds that Teams waits for an answer.
ANSWER_WITHIN_S = 15.0
USER_AGENT = "Microsoft-SkypeBotApi (Microsoft-BotFramework/3.0)"


@dataclass(frozen=True)
class Answer:
    """What the app said; `reason` is None for a 2xx in time, otherwise why it counts as failed."""

    status: int | None = None
    body: Any = None
    reason: str | None = None

    @property
    def is_final(self) -> bool:
        """Whether nobody tries again: it was taken, or refused for what it is."""
        return self.status is not None and self.status < 500


@dataclass
class Endpoint:
    """Where the app listens; without a signing side nothing is signed, as by a test client."""

    url: str
    clock: Clock
    signing: Signing | None
    _session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._session is not None:
            await self._session.close()

    async def carry(self, activity: Json) -> Answer:
        """Post an activity once, signed, and return what came back within fifteen seconds."""
        body = json.dumps(activity, ensure_ascii=False).encode()
        return await self.post(body, self.signed(str(activity.get("serviceUrl"))))

    def signed(self, service_url: str) -> dict[str, str]:
        """Return the headers with which the Bot Framework vouches for an activity of this service URL now."""
        headers = {"Content-Type": "application/json; charset=utf-8", "User-Agent": USER_AGENT}
        return headers if self.signing is None else headers | {"Authorization": self.signing.bearer(service_url)}

    async def post(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Post any bytes under any headers; forged requests are made with this."""
        if self._session is None:
            raise RuntimeError("the way to the app is not open")
        answer = await within(self.clock, ANSWER_WITHIN_S, _posted(self._session, self.url, body, headers))
        return answer or Answer(reason="timeout")


async def _posted(session: aiohttp.ClientSession, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    try:
        async with session.post(url, data=body, headers=headers, allow_redirects=False) as response:
            content = await response.read()
            reason = None if 200 <= response.status < 300 else "status"
            return Answer(response.status, _parsed(content), reason)
    except aiohttp.ClientError:
        return Answer(reason="connection")


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content) if content.strip() else None
    except ValueError:
        return None
