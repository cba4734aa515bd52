"""Requests that are not Slack's, or no longer, or not whole: the real server refuses each, counts it, does nothing."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import aiohttp
import pytest

from adapters.slack.inbound.webhook import SlackWebhook
from adapters.slack.setup.manifest import PATH
from bot.settings import LimitSettings
from tests.desks.house import stored
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack.request_urls import signature
from tests.scenarios.stage import MovableClock
from tests.slack_desk.house import House, open_house

pytestmark = pytest.mark.usefixtures("no_blocking")

Headers = dict[str, str]
JSON_TYPE, FORM_TYPE = "application/json", "application/x-www-form-urlencoded"
TIMESTAMP, SIGNATURE = "X-Slack-Request-Timestamp", "X-Slack-Signature"
FIVE_MEGABYTES = 5 * 1024 * 1024


@dataclass(frozen=True)
class Attack:
    """Somebody at the door, who may know the secret or not."""

    house: House
    clock: MovableClock
    http: aiohttp.ClientSession

    @property
    def refused(self) -> Mapping[str, int]:
        """Return what the door counted, by reason."""
        door = self.house.desk.webhooks[PATH]
        assert isinstance(door, SlackWebhook)
        return {str(reason): count for reason, count in door.refusals.counts.items()}

    def mention(self, text: str = "How many tons does the crane of berth Vega lift?") -> bytes:
        """Return the raw body of a genuine event that Slack itself has not sent yet."""
        workspace = self.house.slack.workspace
        ada = workspace.add_user("ada")
        channel = workspace.add_channel("quay", (ada,), with_bot=False)
        said = workspace.say(ada, channel, f"<@{workspace.bot.id}> {text}")
        channel.members.append(workspace.bot.id)
        return json.dumps(events.envelope(workspace, events.app_mention(workspace, said), channel=channel)).encode()

    def signed(self, body: bytes, *, ago: float = 0.0, secret: str = "", content_type: str = JSON_TYPE) -> Headers:
        """Return headers that vouch for a body, by default as Slack does."""
        timestamp = str(int(self.clock.now().timestamp() - ago))
        known = secret or self.house.slack.workspace.signing_secret
        return {
            TIMESTAMP: timestamp,
            SIGNATURE: signature(known, timestamp, body),
            "Content-Type": content_type,
        }

    async def post(self, body: Any, headers: Headers, *, method: str = "POST") -> int:
        """Return the status that comes back; a body that is an async iterator goes without a length."""
        async with self.http.request(method, self.house.url + PATH, data=body, headers=headers) as response:
            await response.read()
            return response.status


@pytest.fixture
async def attack(migrated_home: Path) -> AsyncIterator[Attack]:
    clock = MovableClock()
    async with open_house(migrated_home, clock) as house, aiohttp.ClientSession() as http:
        yield Attack(house, clock, http)
        await house.settle()


async def nothing_happened(attack: Attack, reason: str, *, times: int = 1) -> None:
    """Hold that nothing was stored, and that the refusal was counted under its reason alone."""
    assert await stored(attack.house.desk.database) == 0
    assert attack.refused == {reason: times}


def without(headers: Headers, name: str) -> Headers:
    """Return headers with one left out."""
    return {each: value for each, value in headers.items() if each != name}


FORGED: dict[str, tuple[str, Callable[[Headers], Headers]]] = {
    "no signature": ("unsigned", lambda good: without(good, SIGNATURE)),
    "no timestamp": ("unsigned", lambda good: without(good, TIMESTAMP)),
    "an empty signature": ("unsigned", lambda good: good | {SIGNATURE: ""}),
    "another version": ("forged", lambda good: good | {SIGNATURE: "v1" + good[SIGNATURE][2:]}),
    "no version": ("forged", lambda good: good | {SIGNATURE: good[SIGNATURE][3:]}),
    "half a signature": ("forged", lambda good: good | {SIGNATURE: good[SIGNATURE][:40]}),
    "letters of no alphabet": ("forged", lambda good: good | {SIGNATURE: "v0=\u00e9\u00e9"}),
    "the time moved": ("forged", lambda good: good | {TIMESTAMP: str(int(good[TIMESTAMP]) + 1)}),
    "the time in words": ("forged", lambda good: good | {TIMESTAMP: "noon"}),
    "the time with a sign": ("forged", lambda good: good | {TIMESTAMP: "+" + good[TIMESTAMP]}),
    "the time in other digits": ("forged", lambda good: good | {TIMESTAMP: "\u0661\u0662"}),
    "a time without end": ("forged", lambda good: good | {TIMESTAMP: "9" * 4_000}),
    "no time at all": ("expired", lambda good: good | {TIMESTAMP: "0"}),
}


@pytest.mark.parametrize("how", FORGED)
async def test_a_signature_that_is_not_slacks(attack: Attack, how: str) -> None:
    reason, forge = FORGED[how]
    body = attack.mention()
    status = await attack.post(body, forge(attack.signed(body)))

    assert status == 401
    await nothing_happened(attack, reason)


async def test_a_signature_by_another_secret(attack: Attack) -> None:
    body = attack.mention()

    assert await attack.post(body, attack.signed(body, secret="0" * 32)) == 401
    await nothing_happened(attack, "forged")


@pytest.mark.parametrize("cut", [slice(None, -1), slice(None, 10), slice(0, 0)])
async def test_a_signature_for_more_than_came(attack: Attack, cut: slice) -> None:
    body = attack.mention()

    assert await attack.post(body[cut], attack.signed(body)) == 401
    await nothing_happened(attack, "forged")


async def test_a_body_that_was_changed_on_the_way(attack: Attack) -> None:
    body = attack.mention()

    assert await attack.post(body.replace(b"Vega", b"Izar"), attack.signed(body)) == 401
    await nothing_happened(attack, "forged")


@pytest.mark.parametrize("ago", [360, -360])
async def test_a_request_of_another_time(attack: Attack, ago: float) -> None:
    body = attack.mention()

    assert await attack.post(body, attack.signed(body, ago=ago)) == 401
    await nothing_happened(attack, "expired")


@pytest.mark.parametrize("ago", [240, -240])
async def test_a_clock_that_is_a_little_off_is_no_attack(attack: Attack, ago: float) -> None:
    body = attack.mention()

    assert await attack.post(body, attack.signed(body, ago=ago)) == 200
    assert await stored(attack.house.desk.database) == 1


async def test_a_replay_does_nothing_a_second_time(attack: Attack) -> None:
    body = attack.mention()
    headers = attack.signed(body)
    assert await attack.post(body, headers) == 200
    await attack.house.settle()
    channel = next(iter(attack.house.slack.workspace.channels))
    shown = len(attack.house.slack.workspace.messages[channel])

    # In its time it is a redelivery, under whatever headers; after that it is expired.
    assert await attack.post(body, headers) == 200
    assert await attack.post(body, {**headers, "X-Slack-Retry-Num": "1"}) == 200
    await attack.house.settle()
    attack.clock.skip(301)
    assert await attack.post(body, headers) == 401

    assert await stored(attack.house.desk.database) == 1
    assert len(attack.house.slack.workspace.messages[channel]) == shown
    assert attack.refused == {"expired": 1}


@pytest.mark.parametrize("vouched", [True, False])
async def test_five_megabytes_with_their_length(attack: Attack, *, vouched: bool) -> None:
    body = b"x" * FIVE_MEGABYTES

    assert await attack.post(BytesIO(body), attack.signed(body) if vouched else {}) == 413
    await nothing_happened(attack, "too_large")


async def test_five_megabytes_without_their_length(attack: Attack) -> None:
    assert await attack.post(pieces(65_536), {}) == 413
    await nothing_happened(attack, "too_large")


async def test_a_length_that_is_a_lie(attack: Attack) -> None:
    body = attack.mention()
    headers = attack.signed(body) | {"Content-Length": "-1"}

    assert await status_of(attack, headers, body) == 400  # the server's own answer
    assert await stored(attack.house.desk.database) == 0


async def test_five_megabytes_in_a_trickle_hold_nobody_up(attack: Attack) -> None:
    trickle = asyncio.create_task(attack.post(pieces(1_024, pause_s=0.0005), {}))
    body = attack.mention()
    started = time.perf_counter()
    assert await attack.post(body, attack.signed(body)) == 200
    served_s = time.perf_counter() - started

    assert not trickle.done()
    assert served_s < 1.0
    assert await trickle == 413
    assert attack.refused == {"too_large": 1}


@pytest.mark.parametrize("sent", [b"", b'{"type": '])
async def test_a_body_that_does_not_come_to_its_end(attack: Attack, sent: bytes) -> None:
    waiting = asyncio.create_task(status_of(attack, {"Content-Length": "100"}, sent))
    async with asyncio.timeout(60):
        while not waiting.done():
            await asyncio.sleep(0.01)
            attack.clock.skip(1)

    assert await waiting == 408
    await nothing_happened(attack, "too_slow")


async def test_a_sender_that_goes_away_in_the_middle(attack: Attack) -> None:
    body = attack.mention()
    headers = attack.signed(body) | {"Content-Length": str(len(body))}
    _, writer = await connected(attack, headers)
    writer.write(body[:50])
    await writer.drain()
    writer.transport.abort()
    async with asyncio.timeout(60):
        while not attack.refused:  # noqa: ASYNC110 - the other end of a connection that is gone
            await asyncio.sleep(0.01)

    await nothing_happened(attack, "cut_short")


NO_PAYLOADS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", JSON_TYPE),
    "no JSON": (b"hello", JSON_TYPE),
    "half of some JSON": (b'{"type": "event_callback", "event": {', JSON_TYPE),
    "a list": (b"[]", JSON_TYPE),
    "a number": (b"7", JSON_TYPE),
    "null": (b"null", JSON_TYPE),
    "a deep hole": (b"[" * 200_000, JSON_TYPE),
    "an object of nothing": (b"{}", JSON_TYPE),
    "a kind that is no word": (b'{"type": {"a": 1}}', JSON_TYPE),
    "an empty form": (b"", FORM_TYPE),
    "a form without a payload": (b"a=b", FORM_TYPE),
    "a form with half a payload": (urlencode({"payload": '{"type": '}).encode(), FORM_TYPE),
    "a form with a list": (urlencode({"payload": "[1]"}).encode(), FORM_TYPE),
}


@pytest.mark.parametrize("what", NO_PAYLOADS)
async def test_what_slack_never_sends(attack: Attack, what: str) -> None:
    body, content_type = NO_PAYLOADS[what]

    assert await attack.post(body, attack.signed(body, content_type=content_type)) == 400
    await nothing_happened(attack, "malformed")


@pytest.mark.parametrize("body", [b'{"type": "\xff\xfe"}', b"\x89PNG\r\n"])
async def test_what_is_no_text_cannot_be_vouched_for(attack: Attack, body: bytes) -> None:
    assert await attack.post(body, attack.signed(body)) == 401
    await nothing_happened(attack, "forged")


ODD: dict[str, object] = {
    "an event without a body": {"type": "event_callback"},
    "an event that is a list": {"type": "event_callback", "event": []},
    "a message of nobody": {"type": "event_callback", "event": {"type": "message", "text": "hi"}},
    "a message of numbers": {"type": "event_callback", "event": {"type": "app_mention", "user": 1, "ts": 2, "text": 3}},
    "a kind that nobody knows": {"type": "surprise"},
    "a press of nothing": {"type": "block_actions", "actions": []},
    "a press without a person": {"type": "block_actions", "actions": [{"type": "button"}], "user": None},
    "a form of nothing": {"type": "view_submission", "view": {"callback_id": "form:draft", "private_metadata": "{"}},
    "authorizations of nobody": {"type": "event_callback", "event": {"type": "message"}, "authorizations": [None]},
}


@pytest.mark.parametrize("what", ODD)
async def test_a_payload_without_sense_does_nothing(attack: Attack, what: str) -> None:
    body = json.dumps(ODD[what]).encode()

    # Whatever it is, the desk has understood that it can do nothing with it: it never asks for it again.
    assert await attack.post(body, attack.signed(body)) in {200, 400}
    assert await stored(attack.house.desk.database) == 0


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS"])
async def test_other_methods(attack: Attack, method: str) -> None:
    body = attack.mention()

    assert await attack.post(body, attack.signed(body), method=method) == 405
    await nothing_happened(attack, "method")


async def test_the_question_for_the_address_is_signed_too(attack: Attack) -> None:
    body = json.dumps(events.url_verification("a-challenge")).encode()

    assert await attack.post(body, {"Content-Type": JSON_TYPE}) == 401
    async with attack.http.post(attack.house.url + PATH, data=body, headers=attack.signed(body)) as response:
        assert response.status == 200
        assert "a-challenge" in await response.text()


async def test_a_flood_of_forgeries_is_a_line_in_the_log_not_a_flood(
    attack: Attack, caplog: pytest.LogCaptureFixture
) -> None:
    body = attack.mention()
    headers = attack.signed(body, secret="0" * 32)
    statuses = [await attack.post(body, headers) for _ in range(50)]

    assert statuses == [401] * 50
    assert attack.refused == {"forged": 50}
    lines = [record.getMessage() for record in caplog.records if "claim to come from Slack" in record.getMessage()]
    assert len(lines) == 1
    assert headers[SIGNATURE] not in caplog.text


async def connected(attack: Attack, headers: Headers) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect and send the head of a request."""
    address = urlsplit(attack.house.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    lines = [f"POST {PATH} HTTP/1.1", "Host: desk", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    writer.write("\r\n".join(lines).encode())
    return reader, writer


async def pieces(size: int, *, pause_s: float = 0.0) -> AsyncIterator[bytes]:
    """Yield five megabytes in pieces."""
    for _ in range(FIVE_MEGABYTES // size):
        yield b"x" * size
        await asyncio.sleep(pause_s)


async def status_of(attack: Attack, headers: Headers, sent: bytes) -> int:
    """Send a head and so much of a body; return the status that comes, however long it takes."""
    reader, writer = await connected(attack, headers)
    try:
        writer.write(sent)
        return int((await reader.readline()).split()[1])
    finally:
        writer.transport.abort()


async def test_a_full_queue_refuses_and_takes_what_slack_sends_again(attack: Attack) -> None:
    body, room = attack.mention(), attack.house.desk.room
    usual, room._limits = room._limits, LimitSettings.model_construct(waiting=0, waiting_per_person=0)
    assert await attack.post(body, attack.signed(body)) == 503
    assert await attack.post(body, attack.signed(body)) == 503
    assert await stored(attack.house.desk.database) == 0

    room._limits = usual
    assert await attack.post(body, attack.signed(body)) == 200
    assert await attack.post(body, attack.signed(body)) == 200
    await attack.house.settle()
    assert await stored(attack.house.desk.database) == 1
