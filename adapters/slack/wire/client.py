"""Every call to Slack's Web API: paced, and every way to fail turned into `Unavailable` or `Undeliverable`."""

import asyncio
from collections.abc import Mapping
from typing import Any, assert_never

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.outbound.calling import ANSWER_WITHIN_S, NOW, Caller, Going, NotNow
from adapters.outbound.errors import NotAllowed, PlatformFailed, ScopeMissing
from adapters.outbound.gates import ALL, REFUSED_S
from adapters.outbound.health import Health, Trouble
from adapters.outbound.pacing import Pacing, Spot
from adapters.port import ChatClock, Unavailable
from adapters.slack.config import Installation, SlackConfig
from adapters.slack.wire.errors import SlackMeaning, denied, meaning_of
from adapters.slack.wire.rates import SlackRates

#: When Slack limits a call without saying for how long.
LIMITED_S = 5.0

Json = Mapping[str, Any]


class SlackCalls:
    """Calls methods of the Web API. `installation` is filled by the first `installed`."""

    def __init__(
        self,
        config: SlackConfig,
        clock: ChatClock,
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
        self._caller = Caller(clock, platform="Slack", health=health, pacing=self.pacing)
        self._gates = self._caller.gates  # by method

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

    async def call(self, method: str, arguments: Json | None = None, *, going: Going = NOW, line: str = "") -> Json:
        """Return what Slack answers; calls of one `line` go one after the other.

        Raise `Unavailable` (come back; when it is `OutcomeUnknown`, the call may have been carried out) or
        `CallDenied` (never).
        """
        given = arguments or {}
        spot = Spot(method, str(given.get("channel", "")), going.priority)

        async def attempt(client: AsyncWebClient) -> Json:
            return await self._once(client, method, given)

        return await self._caller.call(spot, attempt, prepare=self._connected, line=line, going=going)

    async def _connected(self) -> AsyncWebClient:
        if self._client.session is None:
            self._client.session = aiohttp.ClientSession()
        return self._client

    async def _once(self, client: AsyncWebClient, method: str, arguments: Json) -> Json:
        self.health.count("calls")
        carry_out = getattr(client, method.replace(".", "_"))
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
        if meaning is not SlackMeaning.LATER:
            self._gates.answered(began, well=False)
        match meaning:
            case SlackMeaning.LIMITED:
                after_s = _seconds(error.response.headers.get("Retry-After"))
                return NotNow(Unavailable(f"{method}: {code}", retry_after_s=after_s), retry_after_s=after_s)
            case SlackMeaning.LATER:
                failed = self._gates.failed(method, code)
                return PlatformFailed(failed.reason, retry_after_s=failed.retry_after_s)
            case SlackMeaning.CREDENTIALS:
                words = f"the bot token is refused ({code}): install the app again and set its new token; posts wait"
                self._gates.refuse(ALL, Trouble.CREDENTIALS, words)
                return NotAllowed(f"{method}: {code}", retry_after_s=REFUSED_S)
            case SlackMeaning.SCOPE:
                needed = str(told.get("needed") or "a scope")
                words = f"{method} needs {needed}: add it to the app and install it again"
                self._gates.refuse(method, Trouble.SCOPE, words)
                return ScopeMissing(f"{method}: {code}", retry_after_s=REFUSED_S)
            case SlackMeaning.NEVER:
                return denied(method, code)
            case _ as never:
                assert_never(never)


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
