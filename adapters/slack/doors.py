"""The ASGI app that Slack posts to: everything goes to bolt, once it is whole, small enough and signed.

POST    events, commands, actions and views alike; 200 once it is stored, 503 when it could not be
401     not signed by Slack, or too long ago     413  larger than Slack ever sends
400     signed, yet nothing that Slack sends     408  slower than Slack ever sends
405     any other method
"""

import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any, Literal

from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from adapters.port import Clock
from adapters.slack.signatures import SIGNATURE, TIMESTAMP, NotSigned, Signatures
from adapters.tasks import within

log = logging.getLogger(__name__)

#: Bytes; Slack's own payloads stay far below.
BODY_MAX = 1_000_000
#: Seconds in which a body has to be there: Slack itself gives the whole request three.
BODY_WITHIN_S = 10.0
#: Seconds between two lines in the log about the same kind of refusal.
SAY_AGAIN_S = 60.0

Reason = NotSigned | Literal["method", "too_large", "too_slow", "cut_short", "malformed"]
#: `cut_short` has no answer: whoever sent it is gone.
STATUS: Mapping[Reason, int] = {
    "unsigned": 401,
    "expired": 401,
    "forged": 401,
    "malformed": 400,
    "method": 405,
    "too_large": 413,
    "too_slow": 408,
}

Scope = MutableMapping[str, Any]
AsgiReceive = Callable[[], Awaitable[MutableMapping[str, Any]]]
AsgiSend = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Refusals:
    """Counts what was refused, by reason, and says so in the log at most once a minute for each."""

    def __init__(self, clock: Clock) -> None:
        self.counts: Counter[Reason] = Counter()
        self.clock = clock
        self._said: dict[Reason, tuple[float, int]] = {}  # when, and at which count

    def add(self, reason: Reason) -> None:
        """Count one."""
        self.counts[reason] += 1
        now, count = self.clock.monotonic(), self.counts[reason]
        said_at, said = self._said.get(reason, (-SAY_AGAIN_S, 0))
        if now - said_at >= SAY_AGAIN_S:
            self._said[reason] = (now, count)
            log.warning("refused %d requests that claim to be Slack's: %s", count - said, reason)


class Refused(Exception):
    """The request ends here."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class SlackDoors:
    """A raw ASGI app, so that no byte more than necessary is read of what is refused."""

    def __init__(self, app: AsyncApp, signatures: Signatures, refusals: Refusals) -> None:
        self._app = app
        self._signatures = signatures
        self.refusals = refusals

    async def __call__(self, scope: Scope, receive: AsgiReceive, send: AsgiSend) -> None:
        """Answer one HTTP request."""
        if scope["type"] != "http":
            raise ValueError(f"Slack posts over HTTP, not {scope['type']}")
        headers = _headers(scope)
        try:
            body = await within(self.refusals.clock, BODY_WITHIN_S, _body(scope, headers, receive))
            request = self._request(body, headers)
        except (Refused, TimeoutError) as error:
            refused = error if isinstance(error, Refused) else Refused("too_slow")
            self.refusals.add(refused.reason)
            if refused.reason == "cut_short":
                return
            await _respond(send, STATUS[refused.reason], json.dumps({"error": refused.reason}), _JSON)
            return
        response = await self._app.async_dispatch(request)
        await _respond(send, response.status, response.body, response.headers)

    def _request(self, body: bytes, headers: Mapping[str, list[str]]) -> AsyncBoltRequest:
        fault = self._signatures.fault(body, headers)
        if fault is not None:
            raise Refused(fault)
        try:
            known: dict[str, str | Sequence[str]] = {name: headers[name] for name in _READ_BY_BOLT if name in headers}
            request = AsyncBoltRequest(body=body.decode(), headers=known)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            # bolt reads the fields of a payload while it builds the request.
            raise Refused("malformed") from error
        known_kind = any(isinstance(request.body.get(name), str) for name in _KINDS)
        if not known_kind or not isinstance(request.body.get("event", {}), dict):
            raise Refused("malformed")
        return request


#: The signature does not cover headers: bolt gets those alone that mean something from outside.
_READ_BY_BOLT = ("content-type", TIMESTAMP, SIGNATURE)
#: Each payload says what it is in one of these.
_KINDS = ("type", "command", "ssl_check")
_JSON = {"content-type": ["application/json;charset=utf-8"]}


def _headers(scope: Scope) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


async def _body(scope: Scope, headers: Mapping[str, list[str]], receive: AsgiReceive) -> bytes:
    """Return the whole body; reading stops at the first byte too many."""
    if scope["method"] != "POST":
        raise Refused("method")
    length = headers.get("content-length", ["0"])[0]
    if length.isdecimal() and int(length) > BODY_MAX:
        raise Refused("too_large")
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused("cut_short")
        body += message.get("body", b"")
        if len(body) > BODY_MAX:
            raise Refused("too_large")
        more = message.get("more_body", False)
    return bytes(body)


async def _respond(send: AsgiSend, status: int, body: str, headers: Mapping[str, Any]) -> None:
    content = body.encode()
    fields = [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, values in headers.items()
        for value in values
        if name.lower() != "content-length"
    ]
    fields.append((b"content-length", str(len(content)).encode()))
    if status == STATUS["method"]:
        fields.append((b"allow", b"POST"))
    elif status in {STATUS["too_large"], STATUS["too_slow"]}:
        fields.append((b"connection", b"close"))  # the rest of the body is not read
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": content})
