"""The door lets in what is whole, small and signed; the rest gets its status, is counted, and goes no further."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest

from adapters.inbound.webhook import Refusals
from adapters.slack.inbound.signatures import Signatures
from adapters.slack.inbound.webhook import SlackWebhook
from tests.adapters.asgi_sender import Answer, post
from tests.adapters.slack.hearing import Hearing, encoded
from tests.adapters.virtual_clock import VirtualClock
from tests.fakes.slack import event_payloads as events
from tests.fakes.slack.records import Json

FORM_TYPE, JSON_TYPE = "application/x-www-form-urlencoded", "application/json"


class Door:
    """Posts to the ASGI app piece by piece."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.hearing = Hearing(clock=self.clock)
        signatures = Signatures(self.hearing.config.signing_secret, self.clock)
        self.refusals = Refusals(self.clock, platform="Slack")
        self.app = SlackWebhook(self.hearing.app, signatures, self.refusals)

    def event(self) -> bytes:
        return encoded(self.hearing.told(self.hearing.said("hello", channel=self.hearing.dm)))[0]

    async def send(self, raw: bytes, *, content_type: str = JSON_TYPE, **signing: Any) -> Answer:
        headers = self.hearing.signed(raw, **signing) | {"content-type": content_type}
        return await self.post([raw], headers)

    async def post(self, pieces: Iterable[bytes], headers: dict[str, str]) -> Answer:
        return await post(self.app, pieces, headers)

    def untouched(self) -> bool:
        return self.hearing.inbox.events == []


@pytest.fixture
def door() -> Door:
    return Door()


async def test_a_signed_event_comes_in(door: Door) -> None:
    answer = await door.send(door.event())

    assert (answer.status, answer.body) == (200, b"")
    assert len(door.hearing.inbox.events) == 1
    assert door.refusals.counts == {}


async def test_a_command_comes_in_as_a_form(door: Door) -> None:
    body: Json = {"command": "/desk", "text": "help & more", "user_id": "U1", "team_id": "T0HARBOUR", "trigger_id": "1"}

    answer = await door.send(encoded(body)[0], content_type=FORM_TYPE)

    assert answer.status == 200
    assert getattr(door.hearing.inbox.only, "text", "") == "/desk help & more"


async def test_what_is_not_stored_is_answered_with_503(door: Door) -> None:
    door.hearing.inbox.error = OSError("disk full")

    assert (await door.send(door.event())).status == 503


@pytest.mark.parametrize(
    ("late_s", "status", "counted"),
    [(240, 200, {}), (-240, 200, {}), (360, 401, {"expired": 1}), (-360, 401, {"expired": 1})],
)
async def test_the_window_is_five_minutes_of_the_desks_clock(
    door: Door, late_s: float, status: int, counted: dict[str, int]
) -> None:
    assert (await door.send(door.event(), late_s=late_s)).status == status
    assert door.refusals.counts == counted


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"x-slack-signature": ""}, "unsigned"),
        ({"x-slack-request-timestamp": ""}, "unsigned"),
        ({"x-slack-signature": "v0=" + "0" * 64}, "forged"),
        ({"x-slack-signature": "v0=\xe9"}, "forged"),
        ({"x-slack-request-timestamp": "soon"}, "forged"),
        ({"x-slack-request-timestamp": "\xb2"}, "forged"),
        ({"x-slack-request-timestamp": "9" * 5000}, "forged"),
        ({"x-slack-request-timestamp": "-1"}, "forged"),
    ],
)
async def test_forged_headers_are_refused(door: Door, changed: dict[str, str], reason: str) -> None:
    raw = door.event()

    answer = await door.post([raw], door.hearing.signed(raw) | {"content-type": JSON_TYPE} | changed)

    assert (answer.status, door.refusals.counts) == (401, {reason: 1})
    assert door.untouched()


async def test_another_secret_or_another_body_is_refused(door: Door) -> None:
    raw = door.event()

    assert (await door.send(raw, secret="somebody else's")).status == 401
    assert (await door.post([raw + b" "], door.hearing.signed(raw))).status == 401
    assert door.untouched()


async def test_without_a_signing_secret_nothing_is_signed() -> None:
    hearing = Hearing(signing_secret="")
    raw = encoded(hearing.told(hearing.said("hello", channel=hearing.dm)))[0]

    assert Signatures("", hearing.clock).fault(raw, {k: [v] for k, v in hearing.signed(raw).items()}) == "forged"


@pytest.mark.parametrize(
    "body",
    [events.url_verification("secret word"), {"ssl_check": "1", "token": "x"}],
    ids=["url_verification", "ssl_check"],
)
async def test_slacks_questions_have_to_be_signed_too(door: Door, body: Json) -> None:
    raw, content_type = encoded(body)

    assert (await door.send(raw, content_type=content_type)).status == 200
    unsigned = await door.post([raw], {"content-type": content_type})

    assert unsigned.status == 401
    assert b"secret word" not in unsigned.body


async def test_the_app_itself_refuses_what_is_not_signed(door: Door) -> None:
    raw = door.event()

    response = await door.hearing.app.async_dispatch(AsyncBoltRequest(body=raw.decode(), headers={}))

    assert response.status == 401
    assert door.untouched()


# Bodies

MALFORMED: dict[str, tuple[bytes, str]] = {
    "empty": (b"", JSON_TYPE),
    "cut short": (b'{"type": "event_callback", "event": {"ty', JSON_TYPE),
    "a list": (b"[1, 2]", JSON_TYPE),
    "a number": (b"7", JSON_TYPE),
    "null": (b"null", JSON_TYPE),
    "deep": (b'{"type": "x", "a":' + b"[" * 100_000, JSON_TYPE),
    "of no kind": (b'{"event": {"type": "message"}}', JSON_TYPE),
    "of a strange kind": (b'{"type": {"a": 1}}', JSON_TYPE),
    "strange inside": (b'{"type": "event_callback", "user": 7}', JSON_TYPE),
    "a form of nothing": (b"hello=world", FORM_TYPE),
    "a form with a broken payload": (b"payload=%7B%22type", FORM_TYPE),
    "a form with an empty payload": (b"payload=", FORM_TYPE),
}


@pytest.mark.parametrize(("raw", "content_type"), MALFORMED.values(), ids=MALFORMED)
async def test_what_slack_never_sends_is_refused(door: Door, raw: bytes, content_type: str) -> None:
    signed = await door.send(raw, content_type=content_type)
    unsigned = await door.post([raw], {"content-type": content_type})

    assert (signed.status, unsigned.status) == (400, 401)
    assert door.refusals.counts == {"malformed": 1, "unsigned": 1}
    assert json.loads(signed.body) == {"error": "malformed"}
    assert door.untouched()


async def test_bytes_that_are_no_text_cannot_be_signed(door: Door) -> None:
    assert (await door.send(b'{"type": "\xff\xfe"}')).status == 401


async def test_no_secret_gets_into_the_log(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        await door.post([b"{}"], {})
        await door.send(b"")

    assert [record.getMessage() for record in caplog.records] == [
        "refused 1 requests that claim to come from Slack: unsigned",
        "refused 1 requests that claim to come from Slack: malformed",
    ]
    assert door.hearing.config.signing_secret not in caplog.text


async def test_headers_that_only_bolt_knows_are_not_taken_from_outside(door: Door) -> None:
    raw = door.event()
    outside = {"x-slack-bolt-lazy-only": "1", "x-slack-bolt-lazy-function-name": "x"}

    answer = await door.post([raw], door.hearing.signed(raw) | {"content-type": JSON_TYPE} | outside)

    assert (answer.status, len(door.hearing.inbox.events)) == (200, 1)
