"""The door lets in what Teams vouches for; the rest gets its status, is counted, and goes no further."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from adapters.inbound.webhook import Refusals
from adapters.teams.config import TeamsConfig
from adapters.teams.inbound.answers import InvokeAnswer
from adapters.teams.inbound.tokens import Tokens
from adapters.teams.inbound.webhook import TeamsWebhook
from tests.adapters import asgi_sender
from tests.adapters.teams.key_server import Ring
from tests.fakes.teams.forgeries import FORGED, HEADERS

SERVICE = "https://smba.trafficmanager.net/emea/"
JSON_TYPE = "application/json; charset=utf-8"
ACTIVITY: Mapping[str, Any] = {
    "type": "message",
    "id": "1",
    "channelId": "msteams",
    "serviceUrl": SERVICE,
    "channelData": {"tenant": {"id": "harbour"}},
    "text": "Wie viel hebt der Kran? 起重机",
}


class Listener:
    """Stands for the app: remembers what it was told, answers what it is told to."""

    def __init__(self) -> None:
        self.heard: list[Mapping[str, Any]] = []
        self.answer = InvokeAnswer(200)

    async def handle(self, activity: Mapping[str, Any]) -> InvokeAnswer:
        self.heard.append(activity)
        return self.answer


class Door:
    """Posts to the ASGI app, by default as Teams does."""

    def __init__(self, *, signed: bool = True) -> None:
        self.ring = Ring(app_id="app")
        self.app = Listener()
        self.refusals = Refusals(self.ring.clock, platform="Teams")
        config = TeamsConfig(app_id="app", tenant_id="harbour", signed=signed)
        tokens = Tokens(config, self.ring.clock, keys=self.ring.keys)
        self.doors = TeamsWebhook(self.app, tokens, self.refusals)

    async def send(self, body: Any = ACTIVITY, **headers: str | tuple[str, ...]) -> asgi_sender.Answer:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        genuine = {"authorization": self.ring.signing.bearer(SERVICE), "content-type": JSON_TYPE}
        return await asgi_sender.post(self.doors, [raw], genuine | headers)


@pytest.fixture
def door() -> Door:
    return Door()


async def test_what_teams_vouches_for_comes_in(door: Door) -> None:
    answer = await door.send()

    assert (answer.status, answer.body, door.refusals.counts) == (200, b"", {})
    assert "content-type" not in answer.headers
    assert door.app.heard == [ACTIVITY]


@pytest.mark.parametrize(
    "answer",
    [InvokeAnswer(200, {"task": {"value": "草稿"}}), InvokeAnswer(200, {}), InvokeAnswer(503), InvokeAnswer(501)],
)
async def test_the_apps_answer_goes_back(door: Door, answer: InvokeAnswer) -> None:
    door.app.answer = answer

    got = await door.send()

    assert got.status == answer.status
    assert (json.loads(got.body) if got.body else None) == answer.body
    assert ("content-type" in got.headers) is (answer.body is not None)


@pytest.mark.parametrize("how", HEADERS)
async def test_a_header_that_is_not_teams_is_refused(door: Door, how: str) -> None:
    reason, forge = HEADERS[how]

    answer = await door.send(authorization=tuple(forge(door.ring.signing.token(SERVICE))))

    assert (answer.status, json.loads(answer.body)) == (401, {"error": "unauthorized"})
    assert (door.refusals.counts, door.app.heard) == ({reason: 1}, [])


@pytest.mark.parametrize("how", FORGED)
async def test_a_forged_token_is_refused(door: Door, how: str) -> None:
    reason, forge = FORGED[how]

    answer = await door.send(authorization=f"Bearer {forge(door.ring.signing, SERVICE)}")

    assert (answer.status, json.loads(answer.body)) == (401, {"error": "unauthorized"})
    assert (door.refusals.counts, door.app.heard) == ({reason: 1}, [])


@pytest.mark.parametrize(
    ("changed", "reason", "status", "said"),
    [
        ({"serviceUrl": "https://evil.example/"}, "service_url", 401, "unauthorized"),
        ({"channelId": "emulator"}, "unendorsed", 401, "unauthorized"),
        ({"channelId": "webchat"}, "channel", 401, "unauthorized"),
        ({"channelData": {"tenant": {"id": "strangers"}}}, "tenant", 403, "forbidden"),
    ],
)
async def test_a_token_for_something_else_is_refused(
    door: Door, changed: Mapping[str, Any], reason: str, status: int, said: str
) -> None:
    answer = await door.send({**ACTIVITY, **changed})

    assert (answer.status, json.loads(answer.body)) == (status, {"error": said})
    assert (door.refusals.counts, door.app.heard) == ({reason: 1}, [])


async def test_while_no_key_can_be_had_teams_may_come_again(door: Door) -> None:
    async with door.ring.unreachable():
        answer = await door.send()

    assert (answer.status, json.loads(answer.body)) == (503, {"error": "unavailable"})
    assert (door.refusals.counts, door.app.heard) == ({"keys_away": 1}, [])


# Bodies

MALFORMED: dict[str, bytes] = {
    "empty": b"",
    "cut short": b'{"type": "message", "te',
    "a list": b"[1, 2]",
    "a number": b"7",
    "null": b"null",
    "a word": b'"message"',
    "deep": b'{"a":' + b"[" * 100_000,
    "no text": b'{"type": "\xff\xfe"}',
    "no number": b'{"type": "message", "value": NaN}',
    "no end": b'{"type": "message", "value": -Infinity}',
    "a number without end": b'{"value": ' + b"9" * 5_000 + b"}",
}


@pytest.mark.parametrize("what", MALFORMED)
async def test_what_teams_never_sends_is_refused(door: Door, what: str) -> None:
    trusted = await door.send(MALFORMED[what])
    stranger = await door.send(MALFORMED[what], authorization=())

    assert (trusted.status, stranger.status) == (400, 401)
    assert json.loads(trusted.body) == {"error": "malformed"}
    assert (door.refusals.counts, door.app.heard) == ({"malformed": 1, "no_token": 1}, [])


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "", ("application/json", "text/x")]
)
async def test_what_is_not_called_json_is_not_read_as_json(door: Door, kind: str | tuple[str, ...]) -> None:
    answer = await door.send(**{"content-type": kind})

    assert (answer.status, door.refusals.counts, door.app.heard) == (415, {"content_type": 1}, [])


# Test clients, counting


async def test_a_test_client_needs_no_token() -> None:
    door = Door(signed=False)
    stranger = {**ACTIVITY, "channelData": {"tenant": {"id": "its own"}}, "serviceUrl": "http://localhost:56150/"}

    assert (await door.send(stranger, authorization=())).status == 200
    assert (await door.send(b"[]", authorization=())).status == 400
    assert door.app.heard == [stranger]
    assert door.ring.server.asked == []


async def test_a_flood_of_forgeries_is_a_line_in_the_log_and_no_token_is_in_it(
    door: Door, caplog: pytest.LogCaptureFixture
) -> None:
    forged = door.ring.signing.token(SERVICE, aud="another")
    for _ in range(50):
        await door.send(authorization=f"Bearer {forged}")

    lines = [record.getMessage() for record in caplog.records]
    assert lines == ["refused 1 requests that claim to come from Teams: audience"]
    assert door.refusals.counts == {"audience": 50}
    assert not any(part in caplog.text for part in forged.split("."))
