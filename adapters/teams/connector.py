"""The one door to the Bot Connector: paced, in order, and every way to fail turned into what the port knows."""

import asyncio
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, assert_never

import httpx

from adapters.outbound.gates import ALL, REFUSED_S, Ambiguous, Gates
from adapters.outbound.health import Health, Trouble
from adapters.outbound.pacing import Pacing, Priority, Spot
from adapters.outbound.recent import Recent
from adapters.port import Clock, Unavailable
from adapters.teams.config import TeamsConfig
from adapters.teams.credentials import Credentials, Token
from adapters.teams.errors import Left, Meaning, NotAllowed, code_of, denied, meaning_of
from adapters.teams.operations import Operation
from adapters.teams.rates import TeamsRates
from adapters.teams.services import Services

#: Seconds of the clock that a call waits for its turn before it says when to come back.
PATIENCE_S = 2.0
#: Real seconds that an answer may take, and a connection.
ANSWER_WITHIN_S = CONNECT_WITHIN_S = 5.0
#: An answer may be this long: a page of a roster is a fifth of it.
MOST_BYTES = 2_000_000
#: Seconds before the first repetition of a call that Teams limits or fails over, and before any.
BACK_OFF_S, LONGEST_BACK_OFF_S = 1.0, 30.0
#: Failures of a gateway, after which Microsoft asks to try again.
_GATEWAY = frozenset({HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT})

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Going:
    """How a call goes: before whom, how long it waits, and whether it is still wanted when its turn comes.

    `answer_within_s` are real seconds; None is as long as for any other call.
    """

    priority: Priority = Priority.ANSWER
    patience_s: float = PATIENCE_S
    answer_within_s: float | None = None
    wanted: Callable[[], bool] | None = None


#: For what somebody waits for.
NOW = Going()


class _NotNow(Exception):
    """Teams asks to come back; `why` is raised when nobody waits that long."""

    def __init__(self, why: Unavailable, *, retry_after_s: float | None) -> None:
        super().__init__(why)
        self.why = why
        self.retry_after_s = retry_after_s


class Connector:
    """Calls the connector of every conversation, wherever it is; `services` says where it may be."""

    def __init__(
        self,
        config: TeamsConfig,
        clock: Clock,
        *,
        health: Health,
        pacing: Pacing | None = None,
        answer_within_s: float = ANSWER_WITHIN_S,
    ) -> None:
        self.health = health
        self.pacing = pacing or Pacing(clock, TeamsRates())
        self.services = Services(config, clock)
        self._credentials = Credentials(config, clock)
        self._clock = clock
        self._client = httpx.AsyncClient(follow_redirects=False, timeout=httpx.Timeout(None, connect=CONNECT_WITHIN_S))
        self._answer_within_s = answer_within_s
        self._gates = Gates(clock, health)
        self._refusals: Recent[str, int] = Recent(clock, seconds=REFUSED_S, most=500)  # in a row, by conversation
        self._random = random.Random()  # noqa: S311 - spreads repetitions, keeps no secret

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def call(self, operation: Operation, going: Going = NOW) -> Json:
        """Return what Teams answers, {} for what is not wanted any more.

        Raise `Unavailable` (come back; when it is `Ambiguous`, the call may have been carried out), `Denied` (never)
        or `Gone` (the desk was blocked or taken away).
        """
        url = self.services.of(operation.counted, operation.place.service_url) + operation.path
        spot = Spot(operation.kind, operation.counted, going.priority)
        deadline = self._clock.monotonic() + going.patience_s
        unsure: Unavailable | None = None
        async with self.pacing.in_order(operation.line):
            if going.wanted is not None and not going.wanted():
                return {}
            while True:
                try:
                    self._check_gate()
                    token = await self._token()
                    await self._turn(spot, deadline)
                except Unavailable as wait:
                    if unsure is not None:
                        raise Ambiguous(unsure.reason, retry_after_s=wait.retry_after_s) from wait
                    raise
                try:
                    answer = await self._once(operation, going, url, token)
                except _NotNow as later:
                    unsure = later.why if isinstance(later.why, Ambiguous) else unsure
                    self._slow_down(spot, later, deadline)
                else:
                    self._refusals.forget(spot.channel)
                    self._gates.passed(self.pacing.narrowest(spot))
                    return answer

    async def _turn(self, spot: Spot, deadline: float) -> None:
        """Wait for a slot, the last thing before a call goes: what takes its time after it would come in a burst."""
        try:
            await self.pacing.take(spot, patience_s=max(0.0, deadline - self._clock.monotonic()))
        except Unavailable:
            self.health.count("paced")
            if spot.priority is not Priority.PIECE:
                self._gates.held_up(self.pacing.narrowest(spot), "the rate limit of a conversation is used up")
            raise
        self._check_gate()
        self._gates.try_again(ALL)

    def _check_gate(self) -> None:
        """Raise `Unavailable` while Teams is known to be away or to refuse the desk."""
        if (left_s := self._gates.shut_s(ALL)) > 0:
            raise Unavailable("Teams is away or refuses the desk", retry_after_s=left_s)

    def _slow_down(self, spot: Spot, later: _NotNow, deadline: float) -> None:
        """Keep the others of this conversation back too; raise when nobody waits that long."""
        before = self._refusals.known(spot.channel) or 0
        self._refusals.keep(spot.channel, before + 1)
        grown_s = min(LONGEST_BACK_OFF_S, BACK_OFF_S * 2.0 ** min(before, 10))
        wait_s = later.retry_after_s or grown_s * self._random.uniform(0.5, 1.0)
        self.pacing.refused(spot, retry_after_s=wait_s)
        if not isinstance(later.why, Ambiguous):
            self._gates.limited(self.pacing.narrowest(spot), retry_after_s=wait_s)
        if self._clock.monotonic() + wait_s > deadline:
            later.why.retry_after_s = max(wait_s, later.why.retry_after_s)
            raise later.why

    async def _once(self, operation: Operation, going: Going, url: str, token: Token | None) -> Json:
        """Call; a token that is refused is asked for anew, once."""
        answer = await self._exchange(operation, going, url, token)
        if token is not None and answer.meaning is Meaning.CREDENTIALS:
            self._credentials.forget(token)
            answer = await self._exchange(operation, going, url, await self._token())
        if answer.meaning is None:
            return answer.told
        raise self._refusal(operation, answer)

    async def _token(self) -> Token | None:
        try:
            return await self._credentials.token()
        except NotAllowed as refused:
            self._refuse(refused.reason)
            raise
        except Unavailable as away:
            raise self._gates.failed("login", away.reason) from away

    async def _exchange(self, operation: Operation, going: Going, url: str, token: Token | None) -> "_Answer":
        """Return what Teams answers to one HTTP request; raise `Ambiguous` when it does not."""
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
        if answer.meaning is not Meaning.FAILING:
            self._gates.answered(began, well=answer.meaning is None)
        return answer

    async def _request(self, operation: Operation, url: str, headers: Json) -> tuple[int, bytes, str]:
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

    def _refusal(self, operation: Operation, answer: "_Answer") -> Exception:
        """Return what to raise for a call that Teams did not carry out."""
        meaning, name, reason = answer.meaning, operation.name, f"{answer.status} {answer.code}".rstrip()
        self.health.count(f"refused.{answer.status}")
        match meaning:
            case Meaning.LIMITED:
                why = Unavailable(f"{name}: {reason}", retry_after_s=answer.retry_after_s or BACK_OFF_S)
                return _NotNow(why, retry_after_s=answer.retry_after_s)
            case Meaning.FAILING:
                failed = self._gates.failed(name, reason)
                return _NotNow(failed, retry_after_s=answer.retry_after_s) if answer.status in _GATEWAY else failed
            case Meaning.CREDENTIALS:
                self._refuse(reason)
                return NotAllowed(f"{name}: {reason}", retry_after_s=REFUSED_S)
            case Meaning.GONE:
                return Left(f"{name}: {reason}")
            case Meaning.NEVER | None:
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
    meaning: Meaning | None
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
