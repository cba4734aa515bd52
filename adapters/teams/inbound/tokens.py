"""Whether a request is Teams' own: the Bot Framework's token in it, checked by the desk's own clock."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jwt import InvalidSignatureError, InvalidTokenError, PyJWS
from pydantic import BaseModel, ConfigDict, ValidationError

from adapters.inbound.webhook import RequestRefused
from adapters.port import ChatClock
from adapters.teams.config import TeamsConfig
from adapters.teams.inbound.keys import Key, Keys, KeysAway

ISSUER = "https://api.botframework.com"
CHANNEL = "msteams"
ALGORITHM = "RS256"
SCHEME = "Bearer "
#: Characters; a genuine token has about a thousand.
TOKEN_MAX = 8_000
#: Seconds that the Bot Framework's clock may be off.
LEEWAY_S = 300

#: Why a request is not Teams' own, in the order in which it is looked at.
Reason = Literal[
    "no_token", "garbage", "algorithm", "keys_away", "unknown_key", "forged", "claims", "issuer", "audience",
    "too_early", "expired", "unendorsed", "channel", "service_url", "tenant",
]  # fmt: skip
#: Any other reason is 401.
_STATUS: Mapping[Reason, int] = {"tenant": 403, "keys_away": 503}
#: All that the sender is told: why a forgery failed is nobody's business.
_SAID = {401: "unauthorized", 403: "forbidden", 503: "unavailable"}


class NotTrusted(RequestRefused):
    """The request is not Teams' own, or not from a tenant that may write: 401, 403; 503 when nobody can tell now."""

    def __init__(self, reason: Reason) -> None:
        status = _STATUS.get(reason, 401)
        super().__init__(reason, status, said=_SAID[status])


@dataclass(frozen=True)
class Voucher:
    """What a token that is good in itself vouches for."""

    service_url: str
    channels: frozenset[str]


class _Claims(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False, frozen=True)

    iss: str
    aud: str
    serviceurl: str
    exp: int | float
    nbf: int | float = 0
    iat: int | float = 0


class Tokens:
    """Checks requests for one bot; nothing is asked of those of an unsigned test client."""

    def __init__(self, config: TeamsConfig, clock: ChatClock, *, keys: Keys) -> None:
        if config.signed and not (config.app_id and config.tenant_id):
            raise ValueError(
                "without an app id and a tenant id every token of the Bot Framework would be as good as ours"
            )
        self._signed = config.signed
        self._app_id = config.app_id.lower()
        self._tenants = frozenset(tenant.lower() for tenant in (config.tenant_id, *config.allowed_tenants) if tenant)
        self._clock = clock
        self._keys = keys

    async def check(self, authorization: Sequence[str]) -> Voucher | None:
        """Return what the one value of the Authorization header vouches for; raise `NotTrusted`."""
        if not self._signed:
            return None
        token = _token(authorization)
        key, payload = await self._verified(token)
        claims = _claims(payload)
        self._judge(claims)
        return Voucher(claims.serviceurl, key.endorsements)

    def match(self, voucher: Voucher | None, activity: Mapping[str, Any]) -> None:
        """Raise `NotTrusted` unless the voucher is for this activity."""
        if not self._signed:
            return
        channel = activity.get("channelId")
        if voucher is None or not isinstance(channel, str) or channel not in voucher.channels:
            raise NotTrusted("unendorsed")
        if channel != CHANNEL:  # on others, people can say themselves who they are
            raise NotTrusted("channel")
        if not _same(voucher.service_url, activity.get("serviceUrl")):
            raise NotTrusted("service_url")
        if _tenant(activity).lower() not in self._tenants:
            raise NotTrusted("tenant")

    async def _verified(self, token: str) -> tuple[Key, bytes]:
        try:
            header = PyJWS().get_unverified_header(token)
        except InvalidTokenError as error:
            raise NotTrusted("garbage") from error
        if header.get("alg") != ALGORITHM:
            raise NotTrusted("algorithm")
        try:
            key = await self._keys.find(str(header.get("kid", "")))
        except KeysAway as error:
            raise NotTrusted("keys_away") from error
        if key is None:
            raise NotTrusted("unknown_key")
        return key, _payload(token, key)

    def _judge(self, claims: _Claims) -> None:
        now = self._clock.now().timestamp()
        if claims.iss != ISSUER:
            raise NotTrusted("issuer")
        if claims.aud.lower() != self._app_id:
            raise NotTrusted("audience")
        if max(claims.nbf, claims.iat) > now + LEEWAY_S:
            raise NotTrusted("too_early")
        if claims.exp <= now - LEEWAY_S:
            raise NotTrusted("expired")


def _token(authorization: Sequence[str]) -> str:
    """Return the token as Teams sends it: one header, one word, one space."""
    if not any(value.strip() for value in authorization):
        raise NotTrusted("no_token")
    value = authorization[0]
    if len(authorization) > 1 or len(value) > TOKEN_MAX or not value.startswith(SCHEME):
        raise NotTrusted("garbage")
    return value.removeprefix(SCHEME)


def _payload(token: str, key: Key) -> bytes:
    try:
        payload = PyJWS().decode(token, key.public, algorithms=[ALGORITHM])
    except InvalidSignatureError as error:
        raise NotTrusted("forged") from error
    except InvalidTokenError as error:
        raise NotTrusted("garbage") from error
    return bytes(payload)


def _claims(payload: bytes) -> _Claims:
    try:
        return _Claims.model_validate_json(payload)
    except ValidationError as error:
        raise NotTrusted("claims") from error


def _same(one: str, other: object) -> bool:
    """Return whether two service URLs are the same; Teams is not consistent about case and the last slash."""
    return bool(one) and isinstance(other, str) and one.removesuffix("/").lower() == other.removesuffix("/").lower()


def _tenant(activity: Mapping[str, Any]) -> str:
    """Return the tenant that an activity comes from; "" when it does not say."""
    for path in (("channelData", "tenant", "id"), ("conversation", "tenantId")):
        found: object = activity
        for name in path:
            found = found.get(name) if isinstance(found, Mapping) else None
        if isinstance(found, str) and found:
            return found
    return ""
