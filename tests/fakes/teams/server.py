"""The local Teams on a loopback port: the connector, the login, the keys, and what other doors add."""

from collections.abc import Awaitable, Callable

from aiohttp import web

from tests.fakes.loopback import LoopbackServer, cut
from tests.fakes.teams.connector import Connector, ConnectorAnswer
from tests.fakes.teams.hindrance import outage
from tests.fakes.teams.keys import METADATA_PATH, KeyServer
from tests.fakes.teams.logins import Logins
from tests.fakes.teams.operations import Asked
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.records import Json
from tests.fakes.teams.tokens import Signing

REGION = "emea"
_HERE = "/{region}/v3/conversations"
_ONE = _HERE + "/{conversation}"
#: (method, path) → operation.
ROUTES = {
    ("POST", _HERE): "CreateConversation",
    ("POST", f"{_ONE}/activities"): "SendToConversation",
    ("POST", f"{_ONE}/activities/{{activity}}"): "ReplyToActivity",
    ("PUT", f"{_ONE}/activities/{{activity}}"): "UpdateActivity",
    ("DELETE", f"{_ONE}/activities/{{activity}}"): "DeleteActivity",
    ("GET", f"{_ONE}/members"): "GetConversationMembers",
    ("GET", f"{_ONE}/members/{{member}}"): "GetConversationMember",
    ("GET", f"{_ONE}/pagedmembers"): "GetConversationPagedMembers",
    ("GET", f"{_ONE}/activities/{{activity}}/members"): "GetActivityMembers",
}
#: What adds routes before the server listens.
Door = Callable[[web.Application], None]


class TeamsServer(LoopbackServer):
    """Serves one organisation on 127.0.0.1 for the time of an `async with`."""

    def __init__(self, organisation: Organisation, *, port: int = 0, signed: bool = True) -> None:
        super().__init__(organisation.faults, port=port)
        self.organisation = organisation
        self.signing = Signing(organisation.clock, app_id=organisation.bot.app_id)
        self.logins = Logins(organisation)
        self.keys = KeyServer(organisation, self.signing)
        self.connector = Connector(organisation, self.logins, signed)
        self.doors: list[Door] = []

    @property
    def login_url(self) -> str:
        """Where the bot asks for tokens."""
        return self.base_url

    @property
    def keys_url(self) -> str:
        """Where the keys are announced with which activities are signed."""
        return f"{self.base_url}{METADATA_PATH}"

    def add_routes(self, app: web.Application) -> None:
        """Add the connector, the login, the keys, and what the doors add."""
        for (method, path), operation in ROUTES.items():
            app.router.add_route(method, path, self._handler(operation))
        app.add_routes([*self.logins.routes(), *self.keys.routes(), web.get("/download.aspx", self._download)])
        for door in self.doors:
            door(app)

    async def start(self) -> None:
        """Listen; activities then name the connector here."""
        await super().start()
        self.move(REGION)

    def move(self, region: str) -> None:
        """Serve under another service URL from now on, as Teams does when it moves conversations."""
        self.organisation.service_url = f"{self.base_url}/{region}/"

    async def _download(self, request: web.Request) -> web.StreamResponse:
        """Hand a file out to whoever has its address; a token that is sent along is one too many."""
        if "Authorization" in request.headers:
            return web.Response(status=400, text="a token was sent to where files lie")
        content = self.organisation.files.get(request.query.get("tempauth", ""))
        return web.Response(status=401) if content is None else web.Response(body=content)

    def _handler(self, operation: str) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            return await self._call(operation, request)

        return handle

    async def _call(self, operation: str, request: web.Request) -> web.Response:
        down = outage(self.organisation, request)
        if down is not None:
            return down
        body = await _json(request)
        if body is None:
            return web.json_response({"error": {"code": "BadSyntax", "message": "Invalid JSON"}}, status=400)
        asked = Asked(body, query=dict(request.query), **_places(request))
        lost = self.faults.takes_answer(operation)
        answer = self.connector.answer(operation, asked, _token(request), path=request.path, lost=lost)
        delay = self.faults.delay(operation)
        if delay:
            await self.organisation.clock.sleep(delay)
        self.connector.answered(asked)
        return cut(request) if lost else _reply(answer)


def _reply(answer: ConnectorAnswer) -> web.Response:
    if answer.body is None:
        return web.Response(status=answer.status, headers=answer.headers)
    return web.json_response(answer.body, status=answer.status, headers=answer.headers)


def _places(request: web.Request) -> dict[str, str]:
    names = ("conversation", "activity", "member")
    return {name: request.match_info[name] for name in names if name in request.match_info}


async def _json(request: web.Request) -> Json | None:
    if not request.can_read_body:
        return {}
    try:
        body = await request.json()
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def _token(request: web.Request) -> str:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme == "Bearer" else ""
