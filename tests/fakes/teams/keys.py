"""The key server: the Bot Framework's OpenID metadata and the public keys, over HTTP."""

from dataclasses import dataclass

from aiohttp import web

from tests.fakes.teams.hindrance import hindered
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.tokens import Signing

METADATA_PATH = "/v1/.well-known/openidconfiguration"
KEYS_PATH = "/v1/.well-known/keys"


@dataclass
class KeyServer:
    """Announces the keys with which activities are signed; `asked` counts how often it was asked for them."""

    organisation: Organisation
    signing: Signing
    asked: int = 0

    def routes(self) -> list[web.RouteDef]:
        """Return what the server has to serve."""
        return [web.get(METADATA_PATH, self._metadata), web.get(KEYS_PATH, self._keys)]

    async def _metadata(self, request: web.Request) -> web.Response:
        return await self._told(request, self.signing.metadata(f"{request.url.origin()}{KEYS_PATH}"))

    async def _keys(self, request: web.Request) -> web.Response:
        self.asked += 1
        return await self._told(request, self.signing.jwks())

    async def _told(self, request: web.Request, document: object) -> web.Response:
        hindrance = await hindered(self.organisation, "Keys", request)
        return web.json_response(document) if hindrance is None else hindrance
