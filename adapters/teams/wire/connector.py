"""Every call to the Bot Connector: paced, in order, and every way to fail turned into what the port knows."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, assert_never

import httpx

from adapters.outbound.calling import ANSWER_WITHIN_S, BACK_OFF_S, NOW, Caller, Going, NotNow
from adapters.outbound.errors import NotAllowed
from adapters.outbound.gates import ALL, REFUSED_S
from adapters.outbound.health import Health, Trouble
from adapters.outbound.pacing import Pacing, Spot
from adapters.outbound.tls import certificates
from adapters.port import ChatClock, Gone, Unavailable
from adapters.teams.config import TeamsConfig
from adapters.teams.wire.credentials import Credentials, ServiceToken
from adapters.teams.wire.errors import TeamsMeaning, code_of, denied, meaning_of
from adapters.teams.wire.operations import TeamsOperation
from adapters.teams.wire.rates import TeamsRates
from adapters.teams.wire.services import ServiceUrls

#: Real seconds that a connection may take.
CONNECT_WITHIN_S = 5.0
#: An answer may be this long: a page of a roster is a fifth of it.
MOST_BYTES = 2_000_000
#: Failures of a gateway, after which Microsoft asks to try again.
_GATEWAY = frozenset({HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT})

Json = Mapping[str, Any]


class Connector:
    """Calls the connector of every conversation, wherever it is; `services` says where it may be."""

    def __init__(
        self,
        config: TeamsConfig,
        clock: ChatClock,
        *,
        health: Health,
        pacing: Pacing | None = None,
        answer_within_s: float = ANSWER_WITHIN_S,
    ) -> None:
        self.health = health
        self.pacing = pacing or Pacing(clock, TeamsRates())
        self.services = ServiceUrls(config, clock)
        self._credentials = Credentials(config, clock)
        self._clock = clock
        self._client = httpx.AsyncClient(
            verify=certificates(), follow_redirects=False, timeout=httpx.Timeout(None, connect=CONNECT_WITHIN_S)
        )
        self._answer_within_s = answer_within_s
        self._caller = Caller(
            clock, platform="Teams", health=health, pacing=self.pacing, limit="the rate limit of a conversation"
        )
        self._gates = self._caller.gates

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def call(self, operation: TeamsOperation, going: Going = NOW) -> Json:
        """Return what Teams answers, {} for what is not wanted any more.

        Raise `Unavailable` (come back; when it is `OutcomeUnknown`, the call may have been carried out),
        `CallDenied` (never) or `Gone` (the desk was blocked or taken away).
        """
        url = self.services.of(operation.counted, operation.place.service_url) + operation.path
        spot = Spot(operation.kind, operation.counted, going.priority)

        async def attempt(token: ServiceToken | None) -> Json:
            return await self._once(operation, going, url, token)

        return await self._caller.call(spot, attempt, prepare=self._token, line=operation.line, going=going)

    async def _once(self, operation: TeamsOperation, going: Going, url: str, token: ServiceToken | None) -> Json:
        """Call; a token that is refused is asked for anew, once."""
        answer = await self._exchange(operation, going, url, token)
        if token is not None and answer.meaning is TeamsMeaning.CREDENTIALS:
            self._credentials.forget(token)
            answer = await self._exchange(operation, going, url, await self._token())
        if answer.meaning is None:
            return answer.told
        raise self._refusal(operation, answer)

    async def _token(self) -> ServiceToken | None:
        try:
            return await self._credentials.token()
        except NotAllowed as refused:
            self._refuse(refused.reason)
            raise
        except Unavailable as away:
            raise self._gates.failed("login", away.reason) from away

    async def _exchange(
        self, operation: TeamsOperation, going: Going, url: str, token: ServiceToken | None
    ) -> "_Answer":
        """Return what Teams answers to one HTTP request; raise `OutcomeUnknown` when it does not."""
        self.health.count("calls")
        began = self._clock.monotonic()
        headers = {} if token is None else {"Authorization": f"Bearer {token.value}"}
        try:
            async with asyncio.timeout(going.answer_within_s or self._answer_within_s):
                status, text, retry_after = await self._request(operation, url, headers)
        except (httpx.HTTPError, OSError, TimeoutError, ValueError) as error:
            late = isinstance(error, TimeoutError)
            raise self._gates.failed(operation.name, type(error).__name__, late=late) from error
        answer = _Answer.of(status, text, retry_after)
        if answer.meaning is not TeamsMeaning.FAILING:
            self._gates.answered(began, well=answer.meaning is None)
        return answer

    async def _request(self, operation: TeamsOperation, url: str, headers: Json) -> tuple[int, bytes, str]:
        request = self._client.build_request(
            operation.verb, url, params=dict(operation.query) or None, json=operation.body, headers=dict(headers)
        )
        response = await self._client.send(request, stream=True)
        try:
            content = b""
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > MOST_BYTES:
                    raise ValueError("Teams answers with too much")
        finally:
            await response.aclose()
        return response.status_code, content, response.headers.get("Retry-After", "")

    def _refusal(self, operation: TeamsOperation, answer: "_Answer") -> Exception:
        """Return what to raise for a call that Teams did not carry out."""
        meaning, name, reason = answer.meaning, operation.name, f"{answer.status} {answer.code}".rstrip()
        self.health.count(f"refused.{answer.status}")
        match meaning:
            case TeamsMeaning.LIMITED:
                why = Unavailable(f"{name}: {reason}", retry_after_s=answer.retry_after_s or BACK_OFF_S)
                return NotNow(why, retry_after_s=answer.retry_after_s)
            case TeamsMeaning.FAILING:
                failed = self._gates.failed(name, reason)
                return NotNow(failed, retry_after_s=answer.retry_after_s) if answer.status in _GATEWAY else failed
            case TeamsMeaning.CREDENTIALS:
                self._refuse(reason)
                return NotAllowed(f"{name}: {reason}", retry_after_s=REFUSED_S)
            case TeamsMeaning.GONE:
                return Gone(f"{name}: {reason}")
            case TeamsMeaning.NEVER | None:
                return denied(name, answer.status, answer.code)
            case _ as never:
                assert_never(never)

    def _refuse(self, reason: str) -> None:
        words = f"the credentials are refused ({reason}): look after the app's id, secret and tenant; posts wait"
        self._gates.refuse(ALL, Trouble.CREDENTIALS, words)


@dataclass(frozen=True)
class _Answer:
    """What Teams said; `meaning` is None when it carried the call out."""

    status: int
    told: Json
    meaning: TeamsMeaning | None
    code: str = ""
    retry_after_s: float | None = None

    @classmethod
    def of(cls, status: int, content: bytes, retry_after: str) -> "_Answer":
        """Read an answer. What is well and no JSON, or a redirection, is not Teams': something stands in between."""
        told = _json(content)
        if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES and told is not None:
            return cls(status, told, None)
        code = code_of(told or {})
        return cls(status, told or {}, meaning_of(status, code), code, _seconds(retry_after))


def _json(content: bytes) -> Json | None:
    try:
        told = json.loads(content or b"{}")
    except ValueError:
        return None
    return told if isinstance(told, Mapping) else None


def _seconds(header: str) -> float | None:
    """Return what `Retry-After` says; None when it is no number of seconds."""
    try:
        return max(0.0, float(header))
    except ValueError:
        return None
