"""The local Slack on a loopback port: the Web API, response URLs, and what other doors add."""

from collections.abc import Callable

from aiohttp import web

from storage.clock import Clock
from tests.fakes.loopback import LoopbackServer, cut
from tests.fakes.slack.api import Answer, WebApi
from tests.fakes.slack.errors import Refused
from tests.fakes.slack.records import Json
from tests.fakes.slack.workspace import SlackWorkspace

#: What adds routes before the server listens.
Door = Callable[["SlackServer", web.Application], None]


class SlackServer(LoopbackServer):
    """Serves one workspace on 127.0.0.1 for the time of an `async with`; `url` is the base for slack_sdk."""

    def __init__(
        self, workspace: SlackWorkspace | None = None, *, clock: Clock | None = None, port: int = 0,
        doors: tuple[Door, ...] = (),
    ) -> None:  # fmt: skip
        self.workspace = workspace or SlackWorkspace(clock)
        super().__init__(self.workspace.faults, port=port)
        self.api = WebApi(self.workspace)
        self._doors = doors

    @property
    def url(self) -> str:
        """Return the `base_url` for a client of the Web API."""
        return f"{self.base_url}/api/"

    def add_routes(self, app: web.Application) -> None:
        """Add the methods, the response URLs, and what the doors add."""
        app.router.add_route("*", "/api/{method}", self._call)
        app.router.add_post("/actions/{team}/{lent}", self._respond)
        app.router.add_get("/files-pri/{team}-{file}/download/{name}", self._file)
        app.router.add_get("/sign-in", self._sign_in)
        for door in self._doors:
            door(self, app)

    async def start(self) -> None:
        """Listen; the workspace then hands out addresses here."""
        await super().start()
        self.workspace.base_url = self.base_url

    async def _call(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["method"]
        faults = self.workspace.faults
        match faults.outage():
            case "unavailable":
                return web.json_response({"ok": False, "error": "service_unavailable"}, status=503)
            case "unreachable" | "refused":
                return cut(request)
            case None:
                pass
        try:
            arguments = await _arguments(request)
        except Refused as refused:
            return web.json_response({"ok": False, "error": refused.error})
        token = _token(request, arguments)
        lost = faults.takes_answer(name)
        answer = self.api.answer(name, token, arguments, lost=lost)
        delay = faults.delay(name)
        if delay:
            await self.workspace.clock.sleep(delay)
        return cut(request) if lost else reply(answer)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        """Hand a file out to a token that may read files; everybody else is led to the page to sign in."""
        if self.workspace.faults.outage() is not None:
            return cut(request)
        shared = self.workspace.files.get(request.match_info["file"])
        token = self.workspace.tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
        if token is None or token.refused is not None or "files:read" not in self.workspace.scopes:
            return web.HTTPFound(f"{self.base_url}/sign-in")
        if shared is None:
            return web.Response(status=404)
        return web.Response(body=shared.content, content_type=shared.told["mimetype"])

    async def _sign_in(self, _request: web.Request) -> web.StreamResponse:
        return web.Response(text="<h1>Sign in to Harbour</h1>", content_type="text/html")

    async def _respond(self, request: web.Request) -> web.StreamResponse:
        outage = self.workspace.faults.outage()
        if outage is not None:
            down = web.Response(text="service_unavailable", status=503)
            return down if outage == "unavailable" else cut(request)
        try:
            body = await _json_object(request)
        except Refused:
            return web.Response(text="invalid_payload", status=400)
        lost = self.workspace.faults.takes_answer("response_url")
        answer = self.api.respond(request.match_info["lent"], body, lost=lost)
        return cut(request) if lost else web.Response(text=answer.body.get("error", "ok"), status=answer.status)


def reply(answer: Answer) -> web.Response:
    """Return an answer as HTTP."""
    return web.json_response(answer.body, status=answer.status, headers=answer.headers)


async def _arguments(request: web.Request) -> Json:
    arguments: Json = dict(request.query)
    if request.method != "POST":
        return arguments
    if request.content_type == "application/json":
        return arguments | (await _json_object(request) if request.can_read_body else {})
    return arguments | {key: value for key, value in (await request.post()).items() if isinstance(value, str)}


async def _json_object(request: web.Request) -> Json:
    try:
        body = await request.json()
    except ValueError:
        raise Refused("invalid_json") from None
    if not isinstance(body, dict):
        raise Refused("json_not_object")
    return body


def _token(request: web.Request, arguments: Json) -> str | None:
    header = request.headers.get("Authorization", "")
    argument: str | None = arguments.pop("token", None)
    return header.removeprefix("Bearer ").strip() if header.startswith("Bearer ") else argument
