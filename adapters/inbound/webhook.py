"""How a platform posts to the desk: a raw ASGI app, so that no byte more than necessary is read of what is refused.

405     any other method than POST     413  larger than the platform ever sends
408     slower than the platform ever sends
The rest is the platform's: what is not its own, and what it makes of a whole body.
"""

import json
import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from adapters.inbound.tasks import within
from adapters.port import ChatClock

log = logging.getLogger(__name__)

#: Bytes; the platforms' own payloads stay far below.
BODY_MAX = 1_000_000
#: Seconds in which a body has to be there: the platforms themselves give the whole request three to fifteen.
BODY_WITHIN_S = 10.0
#: Seconds between two lines in the log about the same kind of refusal.
SAY_AGAIN_S = 60.0

#: By name in lower case; a header can come more than once.
Headers = Mapping[str, Sequence[str]]
Scope = MutableMapping[str, Any]
AsgiReceive = Callable[[], Awaitable[MutableMapping[str, Any]]]
AsgiSend = Callable[[MutableMapping[str, Any]], Awaitable[None]]

JSON_TYPE: Headers = {"content-type": ["application/json;charset=utf-8"]}


class Refusals:
    """Counts what was refused, by reason, and says so in the log at most once a minute for each."""

    def __init__(self, clock: ChatClock, *, platform: str) -> None:
        self.counts: Counter[str] = Counter()
        self.clock = clock
        self.platform = platform
        self._said: dict[str, tuple[float, int]] = {}  # when, and at which count

    def add(self, reason: str) -> None:
        """Count one."""
        self.counts[reason] += 1
        now, count = self.clock.monotonic(), self.counts[reason]
        said_at, said = self._said.get(reason, (-SAY_AGAIN_S, 0))
        if now - said_at >= SAY_AGAIN_S:
            self._said[reason] = (now, count)
            log.warning("refused %d requests that claim to come from %s: %s", count - said, self.platform, reason)


class RequestRefused(Exception):
    """The request ends here. `reason` is counted; the sender is told `said`."""

    def __init__(self, reason: str, status: int, *, said: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.said = said or reason


class _Gone(RequestRefused):
    """Nobody is there to be answered."""

    def __init__(self) -> None:
        super().__init__("cut_short", 0)


@dataclass(frozen=True)
class Response:
    """What goes back over HTTP."""

    status: int
    body: str = ""
    headers: Headers = field(default_factory=dict)


class Webhook(ABC):
    """The app of one platform's path: `take` gets bodies that are whole, small enough and there in time."""

    def __init__(self, refusals: Refusals) -> None:
        self.refusals = refusals

    @abstractmethod
    async def take(self, body: bytes, headers: Headers) -> Response:
        """Return the answer to a request; raise `RequestRefused` for one that is not the platform's."""

    async def __call__(self, scope: Scope, receive: AsgiReceive, send: AsgiSend) -> None:
        """Answer one HTTP request."""
        if scope["type"] != "http":
            raise ValueError(f"{self.refusals.platform} posts over HTTP, not {scope['type']}")
        headers = _headers(scope)
        try:
            response = await self.take(await self._body(scope, headers, receive), headers)
        except RequestRefused as refused:
            self.refusals.add(refused.reason)
            if isinstance(refused, _Gone):
                return
            response = Response(refused.status, json.dumps({"error": refused.said}), JSON_TYPE)
        await _respond(send, response)

    async def _body(self, scope: Scope, headers: Headers, receive: AsgiReceive) -> bytes:
        try:
            return await within(self.refusals.clock, BODY_WITHIN_S, _whole(scope, headers, receive))
        except TimeoutError as error:
            raise RequestRefused("too_slow", 408) from error


def _headers(scope: Scope) -> Headers:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


async def _whole(scope: Scope, headers: Headers, receive: AsgiReceive) -> bytes:
    """Return the whole body; reading stops at the first byte too many."""
    if scope["method"] != "POST":
        raise RequestRefused("method", 405)
    length = headers.get("content-length", ["0"])[0]
    if length.isdecimal() and int(length[:20]) > BODY_MAX:
        raise RequestRefused("too_large", 413)
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        body += message.get("body", b"")
        if len(body) > BODY_MAX:
            raise RequestRefused("too_large", 413)
        more = message.get("more_body", False)
    return bytes(body)


async def _respond(send: AsgiSend, response: Response) -> None:
    content = response.body.encode()
    fields = [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, values in response.headers.items()
        for value in values
        if name.lower() != "content-length"
    ]
    fields.append((b"content-length", str(len(content)).encode()))
    if response.status == 405:
        fields.append((b"allow", b"POST"))
    elif response.status in {408, 413}:
        fields.append((b"connection", b"close"))  # the rest of the body is not read
    await send({"type": "http.response.start", "status": response.status, "headers": fields})
    await send({"type": "http.response.body", "body": content})
