"""The one door to Slack's Web API: paced, and every way to fail turned into `Unavailable` or `Undeliverable`."""

import asyncio
import math
from collections.abc import Mapping
from typing import Any, assert_never

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.health import Health, Trouble
from adapters.pacing import LaneName, Pacing, Priority, Spot
from adapters.port import Clock, Unavailable
from adapters.slack.config import Installation, SlackConfig
from adapters.slack.errors import Ambiguous, Denied, Failing, Meaning, NotAllowed, ScopeMissing, meaning_of
from adapters.slack.rates import SlackRates

#: Seconds of the clock that a call waits for its turn before it says when to come back.
PATIENCE_S = 2.0
#: Real seconds that an answer may take: the caller has about seven in all.
ANSWER_WITHIN_S = 5.0
#: Seconds until credentials or a scope that were refused are tried again.
REFUSED_S = 60.0
#: So many failures in a row mean that Slack is away; then one call in a while finds out whether it is back.
AWAY_AFTER = 3
LONGEST_AWAY_S = 15.0
#: Seconds before a call is repeated that was given up for lack of an answer.
LATE_S = 5.0
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
        self._gates: dict[str, float] = {}  # a method, or "" for all of them: closed until that monotonic second
        self._failures = 0
        self._failing_since = self._failed_at = -math.inf
        self._limited: dict[LaneName, float] = {}  # what Slack answered 429 for, and until when

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
            if self.pacing.narrowest(spot) in self._limited and spot.priority is not Priority.PIECE:
                self.health.begins(Trouble.LIMITED, f"the rate limit of {spot.method} is used up; posts wait")
            raise
        self._check_gates(spot.method)
        for gate in {"", spot.method}.intersection(self._gates):
            self._gates[gate] = self._clock.monotonic() + LIMITED_S  # the others wait for what this one finds out

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
            late = isinstance(error, TimeoutError)  # it may still be on its way: give it time to arrive
            raise self._failed(method, type(error).__name__, at_least_s=LATE_S if late else 1.0) from error
        self._answered(began, well=True)
        told: Json = response.data
        return told

    def _refusal(self, method: str, error: SlackApiError, began: float) -> Exception:
        """Return what to raise for a call that Slack answered with a refusal."""
        status, told = _told(error)
        code = "ratelimited" if status == 429 else str(told.get("error") or "")
        if status >= 500 or not code:
            return self._failed(method, f"HTTP {status}")
        self.health.count(f"refused.{code}")
        meaning = meaning_of(code)
        if meaning is not Meaning.LATER:
            self._answered(began, well=False)
        match meaning:
            case Meaning.LIMITED:
                return _Limited(_seconds(error.response.headers.get("Retry-After")))
            case Meaning.LATER:
                failed = self._failed(method, code)
                return Failing(failed.reason, retry_after_s=failed.retry_after_s)
            case Meaning.CREDENTIALS:
                words = f"the bot token is refused ({code}): install the app again and set its new token; posts wait"
                self._not_allowed(Trouble.CREDENTIALS, words, gate="")
                return NotAllowed(method, code, retry_after_s=REFUSED_S)
            case Meaning.SCOPE:
                needed = str(told.get("needed") or "a scope")
                words = f"{method} needs {needed}: add it to the app and install it again"
                self._not_allowed(Trouble.SCOPE, words, gate=method)
                return ScopeMissing(method, code, retry_after_s=REFUSED_S)
            case Meaning.NEVER:
                return Denied(method, code)
            case _ as never:
                assert_never(never)

    def _not_allowed(self, trouble: Trouble, words: str, *, gate: str) -> None:
        now = self._clock.monotonic()
        self.health.begins(trouble, words)
        self._gates[gate] = now + REFUSED_S
        if not gate:
            self._failed_at = now

    def _failed(self, method: str, reason: str, *, at_least_s: float = 1.0) -> Ambiguous:
        """Count a call without an answer: nobody knows whether it was carried out."""
        self.health.count("failures")
        now = self._failed_at = self._clock.monotonic()
        self._failures += 1
        if self._failures == 1:
            self._failing_since = now
        retry_after_s = min(LONGEST_AWAY_S, at_least_s + now - self._failing_since)
        if self._failures >= AWAY_AFTER:
            self._gates[""] = max(self._gates.get("", now), now + retry_after_s)
            self.health.begins(Trouble.AWAY, f"no answer ({method}: {reason}); posts wait")
        return Ambiguous(f"{method}: {reason}", retry_after_s=retry_after_s)

    def _check_gates(self, method: str) -> None:
        """Raise `Unavailable` while Slack is known to be away or to refuse the desk."""
        now = self._clock.monotonic()
        if (left_s := self._gates.get("", now) - now) > 0:
            raise Unavailable("Slack is away or refuses the desk", retry_after_s=left_s)
        if (left_s := self._gates.get(method, now) - now) > 0:
            raise ScopeMissing(method, "missing_scope", retry_after_s=left_s)

    def _note_limit(self, spot: Spot, retry_after_s: float) -> None:
        self.health.count("limited")
        self.pacing.refused(spot, retry_after_s=retry_after_s)
        self._limited[self.pacing.narrowest(spot)] = self._clock.monotonic() + retry_after_s

    def _answered(self, began: float, *, well: bool) -> None:
        """Slack is there; a late answer to a call from before it went away, or refused the desk, proves nothing."""
        if began < self._failed_at:
            return
        self._failures = 0
        self._gates.pop("", None)
        self.health.ends(Trouble.AWAY)
        if well:
            self.health.ends(Trouble.CREDENTIALS)

    def _note_success(self, spot: Spot) -> None:
        if self._gates.pop(spot.method, None) is not None and not self._gates:
            self.health.ends(Trouble.SCOPE)
        if self._limited:
            now = self._clock.monotonic()
            self._limited.pop(self.pacing.narrowest(spot), None)
            self._limited = {lane: until for lane, until in self._limited.items() if until + REFUSED_S > now}
            if not self._limited:
                self.health.ends(Trouble.LIMITED)


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
