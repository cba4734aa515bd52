"""A door reads what is whole, small enough and there in time; the rest gets its status, is counted, goes no further."""

import json
from typing import Any

import pytest

from adapters.inbound.webhook import BODY_MAX, Headers, Refusals, RequestRefused, Response, Webhook
from tests.adapters.asgi_sender import HANGS, Answer, post
from tests.adapters.virtual_clock import VirtualClock


class Echo(Webhook):
    """Gives back what it took, but for what is not its own."""

    def __init__(self, clock: VirtualClock) -> None:
        super().__init__(Refusals(clock, platform="Echo"))
        self.clock = clock
        self.taken: list[bytes] = []

    async def take(self, body: bytes, headers: Headers) -> Response:
        if "x-secret" not in headers:
            raise RequestRefused("no_secret", 401, said="unauthorized")
        self.taken.append(body)
        return Response(202, f"{len(body)} Bytes – da", {"x-many": ["1", "2"], "Content-Length": ["7"]})

    async def send(self, *pieces: bytes, method: str = "POST", **headers: str) -> Answer:
        return await post(self, pieces, {"x-secret": "1"} | headers, method=method)


@pytest.fixture
def door() -> Echo:
    return Echo(VirtualClock())


async def test_a_body_in_pieces_is_put_together(door: Echo) -> None:
    answer = await door.send(b"one ", b"", b"body")

    assert (answer.status, door.taken) == (202, [b"one body"])
    assert answer.body == "8 Bytes – da".encode()
    assert (answer.headers["content-length"], answer.headers["x-many"]) == ("14", "2")
    assert door.refusals.counts == {}


@pytest.mark.parametrize("length", ["5000000", "9" * 5_000])
async def test_five_megabytes_are_refused_unread(door: Echo, length: str) -> None:
    answer = await door.send(b"x" * 5_000_000, **{"content-length": length})

    assert (answer.status, answer.read, door.taken) == (413, 0, [])
    assert door.refusals.counts == {"too_large": 1}


@pytest.mark.parametrize("length", [None, "10", "no number", "-5", "\xb2"])
async def test_five_megabytes_without_an_honest_length_are_not_read_to_the_end(door: Echo, length: str | None) -> None:
    pieces = [b"x" * 64_000] * 80

    answer = await door.send(*pieces, **({} if length is None else {"content-length": length}))

    assert (answer.status, door.taken) == (413, [])
    assert answer.read <= BODY_MAX + 64_000
    assert answer.headers["connection"] == "close"


async def test_the_largest_allowed_body_is_read(door: Echo) -> None:
    assert (await door.send(b"x" * BODY_MAX)).status == 202


async def test_a_sender_who_goes_away_is_left_alone(door: Echo) -> None:
    answer = await door.send()

    assert (answer.status, door.refusals.counts, door.taken) == (0, {"cut_short": 1}, [])


async def test_a_sender_who_never_comes_to_an_end_is_sent_away(door: Echo) -> None:
    answer = await door.clock.run(door.send(b"{", HANGS))

    assert (answer.status, door.refusals.counts, door.taken) == (408, {"too_slow": 1}, [])
    assert 10 <= door.clock.elapsed_s < 11


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD"])
async def test_other_methods_are_refused(door: Echo, method: str) -> None:
    answer = await door.send(b"", method=method)

    assert (answer.status, answer.headers["allow"]) == (405, "POST")
    assert (door.refusals.counts, answer.read, door.taken) == ({"method": 1}, 0, [])


async def test_what_is_counted_need_not_be_what_is_told(door: Echo) -> None:
    answer = await post(door, [b"{}"], {})

    assert (answer.status, json.loads(answer.body)) == (401, {"error": "unauthorized"})
    assert door.refusals.counts == {"no_secret": 1}


async def test_no_other_protocol_comes_in(door: Echo) -> None:
    with pytest.raises(ValueError, match="Echo posts over HTTP, not websocket"):
        await door({"type": "websocket"}, _nothing, _nothing)


async def test_refusals_are_told_once_a_minute_for_each_reason(door: Echo, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(5):
        await post(door, [b"{}"], {})
        await door.send(method="PUT")
    told = [record.getMessage() for record in caplog.records]
    door.clock.elapsed_s += 61
    await post(door, [b"{}"], {})

    assert len(told) == 2
    assert caplog.records[-1].getMessage() == "refused 5 requests that claim to come from Echo: no_secret"
    assert door.refusals.counts == {"no_secret": 6, "method": 5}


async def _nothing(*_: object) -> Any:
    raise AssertionError("nothing is read or sent")
