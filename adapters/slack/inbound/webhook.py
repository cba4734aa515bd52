"""The ASGI app that Slack posts to: everything goes to bolt, once it is whole, small enough and signed.

POST    events, commands, actions and views alike; 200 once it is stored, 503 when it could not be
401     not signed by Slack, or too long ago
400     signed, yet nothing that Slack sends
"""

from collections.abc import Sequence

from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest

from adapters.inbound.webhook import Headers, Refusals, RequestRefused, Response, Webhook
from adapters.slack.inbound.signatures import SIGNATURE, TIMESTAMP, Signatures

#: The signature does not cover headers: bolt gets those alone that mean something from outside.
_READ_BY_BOLT = ("content-type", TIMESTAMP, SIGNATURE)
#: Each payload says what it is in one of these.
_KINDS = ("type", "command", "ssl_check")


class SlackWebhook(Webhook):
    """Checks the signature of a whole body before anybody looks into it."""

    def __init__(self, app: AsyncApp, signatures: Signatures, refusals: Refusals) -> None:
        super().__init__(refusals)
        self._app = app
        self._signatures = signatures

    async def take(self, body: bytes, headers: Headers) -> Response:
        """Return bolt's answer."""
        fault = self._signatures.fault(body, headers)
        if fault is not None:
            raise RequestRefused(fault, 401)
        response = await self._app.async_dispatch(_request(body, headers))
        return Response(response.status, response.body, response.headers)


def _request(body: bytes, headers: Headers) -> AsyncBoltRequest:
    try:
        known: dict[str, str | Sequence[str]] = {name: headers[name] for name in _READ_BY_BOLT if name in headers}
        request = AsyncBoltRequest(body=body.decode(), headers=known)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        # bolt reads the fields of a payload while it builds the request.
        raise RequestRefused("malformed", 400) from error
    known_kind = any(isinstance(request.body.get(name), str) for name in _KINDS)
    if not known_kind or not isinstance(request.body.get("event", {}), dict):
        raise RequestRefused("malformed", 400)
    return request
