"""Slack's rules of delivery: the signature, three seconds, retries for events alone, duplicates and reordering."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from aiohttp import web
from slack_sdk.signature import Clock as SignatureClock
from slack_sdk.signature import SignatureVerifier

from storage.clock import Clock, ScaledClock
from tests.fakes.bolt_app import MANIFEST, serving_handler
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.people import Person
from tests.fakes.slack.request_urls import signature

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Json = dict[str, Any]


@dataclass
class SkippingClock:
    """The machine's clock, but waits of half a minute and more are over at once: three seconds stay three."""

    ahead: timedelta = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead.total_seconds()

    async def sleep(self, seconds: float) -> None:
        skipped = seconds >= 30
        self.ahead += timedelta(seconds=seconds if skipped else 0)
        await asyncio.sleep(0 if skipped else seconds)


class Verifying(SignatureClock):
    """The clock of the workspace for slack_sdk's verifier."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def now(self) -> float:
        return self.clock.now().timestamp()


@asynccontextmanager
async def slack_with(handle: Handler, *, clock: Clock | None = None) -> AsyncIterator[tuple[LocalSlack, Person]]:
    """Run a Slack whose app is one handler of raw requests, with one person in #ops."""
    async with LocalSlack(clock) as slack, serving_handler(handle) as url:
        await slack.install(MANIFEST, request_url=url)
        ada = slack.add_person("ada")
        slack.workspace.add_channel("ops", (ada.user,))
        yield slack, ada


class Recorder:
    """An app that answers as told and keeps what it got, raw."""

    def __init__(self, *statuses: int, no_retry: bool = False) -> None:
        self.statuses = list(statuses)
        self.headers = {"X-Slack-No-Retry": "1"} if no_retry else {}
        self.requests: list[tuple[dict[str, str], bytes]] = []

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.requests.append((dict(request.headers), body))
        status = self.statuses.pop(0) if self.statuses else 200
        return web.Response(status=status, headers=self.headers)

    def retries(self) -> list[tuple[str | None, str | None]]:
        return [(headers.get("X-Slack-Retry-Num"), headers.get("X-Slack-Retry-Reason")) for headers, _ in self.requests]


async def test_every_attempt_is_signed_anew_over_the_raw_body() -> None:
    recorder, clock = Recorder(500), SkippingClock()
    async with slack_with(recorder.handle, clock=clock) as (slack, ada):
        await ada.say("dm", "grüße 你好")
        await slack.deliveries.settled()

    verifier = SignatureVerifier(slack.workspace.signing_secret, Verifying(clock))
    assert len(recorder.requests) == 2
    for headers, body in recorder.requests:
        assert verifier.is_valid_request(body, headers)
        assert not verifier.is_valid_request(body + b" ", headers)
        assert headers["Content-Type"] == "application/json"


async def test_an_event_is_retried_at_once_after_a_minute_and_after_five() -> None:
    recorder, clock = Recorder(500, 404, 503, 500), SkippingClock()
    times: list[float] = []

    async def handle(request: web.Request) -> web.StreamResponse:
        times.append(clock.monotonic())
        return await recorder.handle(request)

    async with slack_with(handle, clock=clock) as (slack, ada):
        await ada.say("dm", "hello")
        await slack.deliveries.settled()

    assert recorder.retries() == [(None, None), ("1", "http_error"), ("2", "http_error"), ("3", "http_error")]
    gaps = [round(later - earlier) for earlier, later in itertools.pairwise(times)]
    assert gaps[0] < 30
    assert 60 <= gaps[1] < 120
    assert 300 <= gaps[2] < 400
    assert [each.status for each in slack.deliveries.records] == [500, 404, 503, 500]


async def test_a_2xx_ends_the_retries() -> None:
    recorder = Recorder(500, 202)
    async with slack_with(recorder.handle, clock=SkippingClock()) as (slack, ada):
        await ada.say("dm", "hello")
        await slack.deliveries.settled()

    assert len(recorder.requests) == 2


async def test_no_retry_is_honoured() -> None:
    recorder = Recorder(500, no_retry=True)
    async with slack_with(recorder.handle, clock=SkippingClock()) as (slack, ada):
        await ada.say("dm", "hello")
        await slack.deliveries.settled()

    assert len(recorder.requests) == 1


async def test_three_seconds_of_silence_count_as_a_failure() -> None:
    clock, slow = ScaledClock(10), [True]

    async def handle(_: web.Request) -> web.StreamResponse:
        if slow.pop() if slow else False:
            await clock.sleep(4)
        return web.Response()

    async with slack_with(handle, clock=clock) as (slack, ada):
        await ada.say("dm", "hello")
        await slack.deliveries.settled()

    first, second = slack.deliveries.records
    assert (first.status, first.reason) == (None, "http_timeout")
    assert first.milliseconds >= 3000
    assert (second.retry_num, second.retry_reason, second.status) == (1, "http_timeout", 200)


async def test_an_app_that_is_down_is_tried_four_times() -> None:
    async with LocalSlack(SkippingClock()) as slack:
        await slack.install(MANIFEST, request_url="http://127.0.0.1:9/slack/events")
        await slack.add_person("ada").say("dm", "hello")
        await slack.deliveries.settled()

    assert [each.reason for each in slack.deliveries.records] == ["connection_failed"] * 4


@pytest.mark.parametrize(("status", "words"), [(500, 'the error "dispatch_failed"'), (0, "the app did not respond")])
async def test_what_people_do_is_never_retried(status: int, words: str) -> None:
    clock = ScaledClock(10)
    recorder = Recorder(*[status] * 9)

    async def handle(request: web.Request) -> web.StreamResponse:
        if not status:
            await clock.sleep(4)
        return await recorder.handle(request)

    async with slack_with(handle, clock=clock) as (slack, ada):
        await ada.command("/desk help")
        said = await ada.say("#ops", "printer on fire")
        await ada.shortcut(said, "ticket")

    people = [each for each in slack.deliveries.records if each.kind != "event"]
    assert [each.kind for each in people] == ["command", "shortcut"]
    assert all(each.shown for each in people)
    assert words in str(people[0].shown)


async def test_duplicates_and_reordering_come_in_the_wanted_share() -> None:
    recorder, clock = Recorder(), ScaledClock(10)
    async with slack_with(recorder.handle, clock=clock) as (slack, ada):
        slack.deliveries.duplicates, slack.deliveries.reordered = 0.2, 0.1
        for number in range(200):
            await ada.say("dm", f"message {number}")
            await asyncio.sleep(0)
        await slack.deliveries.settled()

    records = slack.deliveries.records
    counts = Counter(each.event_id for each in records)
    assert len(counts) == 200
    assert 20 <= sum(each.duplicate for each in records) <= 60
    assert {each.retry_num for each in records if each.duplicate} == {0, 1}
    order = [int(each.body["event"]["text"].split()[1]) for each in records if not each.duplicate]
    assert order != sorted(order)
    assert sorted(order) == list(range(200))


async def test_forged_and_stale_requests_can_be_made() -> None:
    recorder = Recorder()
    async with slack_with(recorder.handle) as (slack, _):
        assert slack.request_urls is not None
        url, body = slack.request_urls.app.events_url, b'{"type":"event_callback"}'
        stale = str(int(time.time()) - 360)
        secret = slack.workspace.signing_secret
        headers = {"X-Slack-Request-Timestamp": stale, "X-Slack-Signature": signature(secret, stale, body)}
        answer = await slack.request_urls.post(url, body, headers)

    verifier = SignatureVerifier(slack.workspace.signing_secret)
    assert answer.status == 200
    assert not verifier.is_valid_request(recorder.requests[0][1], recorder.requests[0][0])
