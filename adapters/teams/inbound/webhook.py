"""The ASGI app that Teams posts to: an activity goes to the app, once it is whole, small enough, vouched for and JSON.

POST    messages, presses and forms alike; the app's answer
401     no token of the Bot Framework for this bot and this activity     403  from a tenant that may not write
400     vouched for, yet no JSON object                                  415  vouched for, yet not called JSON
503     the keys to check tokens by cannot be had: nobody can tell
"""

import json
from collections.abc import Mapping
from typing import Any, NoReturn, Protocol

from adapters.inbound.webhook import JSON_TYPE, Headers, Refusals, RequestRefused, Response, Webhook
from adapters.teams.inbound.answers import InvokeAnswer
from adapters.teams.inbound.tokens import Tokens

#: Where Teams reaches the desk: the messaging endpoint of the bot's registration.
PATH = "/api/messages"


class App(Protocol):
    """What understands activities."""

    async def handle(self, activity: Mapping[str, Any]) -> InvokeAnswer:
        """Return the HTTP answer to an activity that is Teams' own."""
        ...


class TeamsWebhook(Webhook):
    """Checks the token of a whole body before anybody looks into it."""

    def __init__(self, app: App, tokens: Tokens, refusals: Refusals) -> None:
        super().__init__(refusals)
        self._app = app
        self._tokens = tokens

    async def take(self, body: bytes, headers: Headers) -> Response:
        """Return the app's answer."""
        voucher = await self._tokens.check(headers.get("authorization", ()))
        activity = _activity(body, headers)
        self._tokens.match(voucher, activity)
        answer = await self._app.handle(activity)
        if answer.body is None:
            return Response(answer.status)
        return Response(answer.status, json.dumps(answer.body), JSON_TYPE)


def _activity(body: bytes, headers: Headers) -> Mapping[str, Any]:
    kinds = {value.partition(";")[0].strip().lower() for value in headers.get("content-type", ())}
    if kinds != {"application/json"}:
        raise RequestRefused("content_type", 415)
    try:
        activity = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise RequestRefused("malformed", 400) from error
    if not isinstance(activity, dict):
        raise RequestRefused("malformed", 400)
    return activity


def _no_number(word: str) -> NoReturn:
    """Refuse NaN and infinities, which Python reads, JSON does not have and databases do not take."""
    raise ValueError(word)
