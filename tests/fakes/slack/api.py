"""The Web API without its transport: who may call what, how often, and with which words it is refused."""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.fakes.slack import (
    methods_agents,
    methods_app,
    methods_conversations,
    methods_files,
    methods_messages,
    methods_streams,
    methods_users,
    methods_views,
)
from tests.fakes.slack.errors import Refused, invalid
from tests.fakes.slack.method import Method, needs
from tests.fakes.slack.records import Call, Json, Token
from tests.fakes.slack.response_urls import answer_response_url
from tests.fakes.slack.tiers import Tiers
from tests.fakes.slack.workspace import SlackWorkspace

MODULES = (
    methods_agents, methods_app, methods_conversations, methods_files, methods_messages, methods_streams, methods_users,
    methods_views,
)  # fmt: skip
METHODS: dict[str, Method] = {method.name: method for module in MODULES for method in module.METHODS}
#: Arguments that are JSON; in a form they come as text, and this is the error for text that is none.
STRUCTURED = {
    "attachments": "invalid_attachments", "blocks": "invalid_blocks_format", "chunks": "invalid_arguments",
    "loading_messages": "invalid_arguments", "metadata": "invalid_metadata_format", "prompts": "invalid_arguments",
    "view": "invalid_arguments",
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """An answer of the Web API, ready to be sent."""

    status: int
    body: Json
    headers: dict[str, str] = field(default_factory=dict)


class WebApi:
    """Every method of the local Slack, on one workspace."""

    def __init__(self, workspace: SlackWorkspace, *, more: Iterable[Method] = ()) -> None:
        self.workspace = workspace
        self.methods = METHODS | {method.name: method for method in more}
        self.tiers = Tiers(workspace.clock)

    def answer(self, name: str, token: str | None, arguments: Json, *, lost: bool = False) -> Answer:
        """Carry out one call and log it; `lost` says that its answer will not arrive."""
        given = dict(arguments)
        return self._logged(name, given, self._answer(name, token, given), lost=lost)

    def respond(self, lent_id: str, body: Json, *, lost: bool = False) -> Answer:
        """Carry out one answer to a response_url and log it as a call of `response_url`."""
        try:
            answer_response_url(self.workspace, lent_id, body)
        except Refused as refused:
            status = 404 if refused.error.endswith("_url") else 400
            answer = Answer(status, {"ok": False, "error": refused.error} | refused.more)
        else:
            answer = Answer(200, {"ok": True})
        return self._logged("response_url", body | {"response_url": lent_id}, answer, lost=lost)

    def _logged(self, name: str, arguments: Json, answer: Answer, *, lost: bool) -> Answer:
        at, error = self.workspace.epoch(), answer.body.get("error")
        call = Call(name, arguments, at=at, status=answer.status, error=error, answer=answer.body, lost=lost)
        self.workspace.calls.append(call)
        self.workspace.changed("call", call)
        return answer

    def _answer(self, name: str, token: str | None, arguments: Json) -> Answer:
        storm = self.workspace.faults.storm_left()
        if storm:
            return _limited(math.ceil(storm), {})
        headers: dict[str, str] = {}
        try:
            method = self._method(name)
            scopes = self._scopes(method, token)
            headers = {"X-OAuth-Scopes": ",".join(sorted(scopes)), "X-Accepted-OAuth-Scopes": ",".join(method.scopes)}
            wait = self.tiers.take(name, method.tier, channel=str(arguments.get("channel", "")))
            if wait is not None:
                return _limited(wait, headers)
            if method.scopes:
                needs(scopes, *method.scopes)
            _decode(arguments)
            method.check_names(arguments)
            return Answer(200, {"ok": True} | method.run(self.workspace, arguments), headers)
        except Refused as refused:
            return Answer(200, {"ok": False, "error": refused.error} | refused.more, headers)

    def _method(self, name: str) -> Method:
        method = self.methods.get(name)
        if method is None:
            raise Refused("unknown_method", req_method=name)
        return method

    def _scopes(self, method: Method, value: str | None) -> set[str]:
        if not value:
            raise Refused("not_authed")
        token: Token | None = self.workspace.tokens.get(value)
        if token is None:
            raise Refused("invalid_auth")
        if token.refused is not None:
            raise Refused(token.refused)
        if token.kind != method.token and method.name != "auth.test":
            raise Refused("not_allowed_token_type")
        return self.workspace.app_scopes if token.kind == "app" else self.workspace.scopes


def _decode(arguments: Json) -> None:
    for name, error in STRUCTURED.items():
        value = arguments.get(name)
        if isinstance(value, str):
            try:
                arguments[name] = json.loads(value)
            except ValueError:
                raise invalid(error, f"{name} is not valid JSON") from None


def _limited(seconds: int, headers: dict[str, str]) -> Answer:
    return Answer(429, {"ok": False, "error": "ratelimited"}, headers | {"Retry-After": str(seconds)})
