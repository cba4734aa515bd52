"""The one door to Slack's Web API: paced, and every way to fail turned into `Unavailable` or `Undeliverable`."""

import asyncio
from collections.abc import Mapping
from typing import Any, assert_never

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.outbound.gates import ALL, REFUSED_S, Gates
from adapters.outbound.health import Health, Trouble
from adapters.outbound.pacing import Pacing, Priority, Spot
from adapters.port import Clock, Unavailable
from adapters.slack.config import Installation, SlackConfig
from adapters.slack.errors import Denied, Failing, Meaning, NotAllowed, ScopeMissing, meaning_of
from adapters.slack.rates import SlackRates

#: Seconds of the clock that a call waits for its turn before it says when to come back.
PATIENCE_S = 2.0
#: Real seconds that an answer may take: the caller has about seven in all.
ANSWER_WITHIN_S = 5.0
#: When Slack limits a call without saying for how long.
LIMITED_S = 5.0

Json = Mapping[str, Any]


class _Limited(Exception):
    """Slack answered 429: the call was not carried out."""

    def __init__(self, retry_after_s: float) -> None:
        super().__init__(retry_after_s)
        self.retry_after_s = retry_after_s


class Calls:
    """Calls methods of the Web API. `installation` is filled by the first `installed`."""

    def __init__(
        self,
        config: SlackConfig,
        clock: Clock,
        *,
        health: Health,
        pacing: Pacing | None = None,
        installation: Installation | None = None,
        answer_within_s: float = ANSWER_WITHIN_S,
    ) -> None:
        self.health = health
        self.pacing = pacing or Pacing(clock, SlackRates())
        self.installation = installation or Installation()
        self._clock = clock
        self._client = AsyncWebClient(token=config.bot_token, base_url=config.api_url, retry_handlers=[])
        self._answer_within_s = answer_within_s
        self._asking, self._asked = asyncio.Lock(), False
        self._gates = Gates(clock, health)  # by method

    async def close(self) -> None:
        """Close the connections."""
        if self._client.session is not None:
            await self._client.session.close()

    async def installed(self) -> Installation:
        """Return where the desk is installed, asked once."""
        async with self._asking:
            if not self._asked:
                told = await self.call("auth.test")
                self.installation.learn(
                    team=told["team_id"],
                    enterprise=told.get("enterprise_id") or "",
                    bot_user=told["user_id"],
                    bot_id=told.get("bot_id") or "",
                )
                self._asked = True
        return self.installation

    async def call(
        self,
        method: str,
        arguments: Json | None = None,
        *,
        priority: Priority = Priority.ANSWER,
        thread: str = "",
        patience_s: float = PATIENCE_S,
    ) -> Json:
        """Return what Slack answers; calls of one `thread` go one after the other.

        Raise `Unavailable` (come back; when it is `Ambiguous`, the call may have been carried out) or `Denied` (never).
        """
        given = arguments or {}
        spot = Spot(method, str(given.get("channel", "")), priority)
        deadline = self._clock.monotonic() + patience_s
        async with self.pacing.in_order(thread):
            while True:
                await self._turn(spot, patience_s=deadline - self._clock.monotonic())
                try:
                    answer = await self._once(method, given)
                except _Limited as limited:
                    self._note_limit(spot, limited.retry_after_s)
                else:
                    self._note_success(spot)
                    return answer

    async def _turn(self, spot: Spot, *, patience_s: float) -> None:
        self._check_gates(spot.method)
        try:
            await self.pacing.take(spot, patience_s=max(0.0, patience_s))
        except Unavailable:
            self.health.count("paced")
            if spot.priority is not Priority.PIECE:
                words = f"the rate limit of {spot.method} is used up; posts wait"
                self._gates.held_up(self.pacing.narrowest(spot), words)
            raise
        self._check_gates(spot.method)
        self._gates.try_again(ALL, spot.method)

    async def _once(self, method: str, arguments: Json) -> Json:
        self.health.count("calls")
        if self._client.session is None:
            self._client.session = aiohttp.ClientSession()
        carry_out = getattr(self._client, method.replace(".", "_"))
        began = self._clock.monotonic()
        try:
            async with asyncio.timeout(self._answer_within_s):
                response = await carry_out(**arguments)
        except SlackApiError as error:
            raise self._refusal(method, error, began) from error
        # AttributeError: slack_sdk takes every answer for JSON, also the page of a proxy.
        except (aiohttp.ClientError, OSError, TimeoutError, AttributeError) as error:
            late = isinstance(error, TimeoutError)
            raise self._gates.failed(method, type(error).__name__, late=late) from error
        self._gates.answered(began, well=True)
        told: Json = response.data
        return told

    def _refusal(self, method: str, error: SlackApiError, began: float) -> Exception:
        """Return what to raise for a call that Slack answered with a refusal."""
        status, told = _told(error)
        code = "ratelimited" if status == 429 else str(told.get("error") or "")
        if status >= 500 or not code:
            return self._gates.failed(method, f"HTTP {status}")
        self.health.count(f"refused.{code}")
        meaning = meaning_of(code)
        if meaning is not Meaning.LATER:
            self._gates.answered(began, well=False)
        match meaning:
            case Meaning.LIMITED:
                return _Limited(_seconds(error.response.headers.get("Retry-After")))
            case Meaning.LATER:
                failed = self._gates.failed(method, code)
                return Failing(failed.reason, retry_after_s=failed.retry_after_s)
            case Meaning.CREDENTIALS:
                words = f"the bot token is refused ({code}): install the app again and set its new token; posts wait"
                self._gates.refuse(ALL, Trouble.CREDENTIALS, words)
                return NotAllowed(method, code, retry_after_s=REFUSED_S)
            case Meaning.SCOPE:
                needed = str(told.get("needed") or "a scope")
                words = f"{method} needs {needed}: add it to the app and install it again"
                self._gates.refuse(method, Trouble.SCOPE, words)
                return ScopeMissing(method, code, retry_after_s=REFUSED_S)
            case Meaning.NEVER:
                return Denied(method, code)
            case _ as never:
                assert_never(never)

    def _check_gates(self, method: str) -> None:
        """Raise `Unavailable` while Slack is known to be away or to refuse the desk."""
        if (left_s := self._gates.shut_s(ALL)) > 0:
            raise Unavailable("Slack is away or refuses the desk", retry_after_s=left_s)
        if (left_s := self._gates.shut_s(method)) > 0:
            raise ScopeMissing(method, "missing_scope", retry_after_s=left_s)

    def _note_limit(self, spot: Spot, retry_after_s: float) -> None:
        self.pacing.refused(spot, retry_after_s=retry_after_s)
        self._gates.limited(self.pacing.narrowest(spot), retry_after_s=retry_after_s)

    def _note_success(self, spot: Spot) -> None:
        self._gates.reopen(spot.method, Trouble.SCOPE)
        self._gates.passed(self.pacing.narrowest(spot))


def _told(error: SlackApiError) -> tuple[int, Json]:
    """Return the HTTP status and the JSON of a refusal; an answer that is no JSON says nothing."""
    status = getattr(error.response, "status_code", None) or getattr(error.response, "status", None)
    data = getattr(error.response, "data", None)
    return int(status or 0), data if isinstance(data, Mapping) else {}


def _seconds(header: str | None) -> float:
    """Return what `Retry-After` says, or a guess when it is no number."""
    try:
        return max(0.0, float(header or LIMITED_S))
    except ValueError:
        return LIMITED_S
