"""The login for bots: OAuth 2 client credentials as Entra ID gives them, and what msal asks of an authority before."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes.teams.errors import Json
from tests.fakes.teams.hindrance import hindered
from tests.fakes.teams.organisation import Organisation

SCOPE = "https://api.botframework.com/.default"
LIFETIME_S = 86399


@dataclass(frozen=True)
class TokenRequest:
    """One request for a token: `at` in epoch seconds; the secret is not kept."""

    tenant: str
    client_id: str
    scope: str
    at: float
    status: int


class LoginRefused(Exception):
    """No token; the words are Entra's error code and error."""

    def __init__(self, status: int, error: str, description: str) -> None:
        super().__init__(description)
        self.status, self.error, self.description = status, error, description


@dataclass
class Logins:
    """Gives out tokens for the connector and knows which are good."""

    organisation: Organisation
    requests: list[TokenRequest] = field(default_factory=list)
    #: Token → until when it is good, in monotonic seconds.
    _tokens: dict[str, float] = field(default_factory=dict)

    def new_token(self, tenant: str, asked: Mapping[str, Any]) -> Json:
        """Return the answer with a fresh token; raise LoginRefused for wrong credentials."""
        organisation, (client_id, scope) = self.organisation, (str(asked.get(name)) for name in ("client_id", "scope"))
        if tenant != organisation.tenant.id:
            raise LoginRefused(400, "invalid_request", f"AADSTS90002: Tenant '{tenant}' not found.")
        if asked.get("grant_type") != "client_credentials":
            raise LoginRefused(400, "unsupported_grant_type", "AADSTS70003: The grant type is not supported.")
        if client_id != organisation.bot.app_id:
            raise LoginRefused(400, "unauthorized_client", f"AADSTS700016: Application '{client_id}' was not found.")
        if asked.get("client_secret") != organisation.app_secret:
            raise LoginRefused(401, "invalid_client", "AADSTS7000215: Invalid client secret provided.")
        if scope != SCOPE:
            raise LoginRefused(
                400, "invalid_scope", f"AADSTS1002012: The provided value for scope {scope} is not valid."
            )
        token = secrets.token_urlsafe(48)
        self._tokens[token] = organisation.clock.monotonic() + LIFETIME_S
        return {"token_type": "Bearer", "expires_in": LIFETIME_S, "ext_expires_in": LIFETIME_S, "access_token": token}

    def is_good(self, token: str) -> bool:
        """Return whether the connector takes a token."""
        return self._tokens.get(token, 0.0) > self.organisation.clock.monotonic()

    def revoke(self) -> None:
        """Let every token given out so far be good no more."""
        self._tokens.clear()

    # Over HTTP

    def routes(self) -> list[web.RouteDef]:
        """Return what the server has to serve."""
        return [
            web.post("/{tenant}/oauth2/v2.0/token", self._token),
            web.get("/{tenant}/v2.0/.well-known/openid-configuration", self._configuration),
            web.get("/common/discovery/instance", self._discovery),
        ]

    async def _token(self, request: web.Request) -> web.Response:
        hindrance, tenant = await hindered(self.organisation, "Token", request), request.match_info["tenant"]
        if hindrance is not None:
            return hindrance
        asked = dict(await request.post())
        try:
            answer, status = self.new_token(tenant, asked), 200
        except LoginRefused as refused:
            answer, status = {"error": refused.error, "error_description": refused.description}, refused.status
        client_id, scope = (str(asked.get(name, "")) for name in ("client_id", "scope"))
        self.requests.append(TokenRequest(tenant, client_id, scope, self.organisation.epoch(), status))
        return web.json_response(answer, status=status)

    async def _configuration(self, request: web.Request) -> web.Response:
        base = f"{request.url.origin()}/{request.match_info['tenant']}"
        return web.json_response(
            {
                "issuer": f"{base}/v2.0",
                "authorization_endpoint": f"{base}/oauth2/v2.0/authorize",
                "token_endpoint": f"{base}/oauth2/v2.0/token",
                "device_authorization_endpoint": f"{base}/oauth2/v2.0/devicecode",
                "jwks_uri": f"{base}/discovery/v2.0/keys",
            }
        )

    async def _discovery(self, request: web.Request) -> web.Response:
        origin, tenant = request.url.origin(), self.organisation.tenant.id
        endpoint = f"{origin}/{tenant}/v2.0/.well-known/openid-configuration"
        return web.json_response({"tenant_discovery_endpoint": endpoint, "api-version": "1.1", "metadata": []})
