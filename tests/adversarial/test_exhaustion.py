"""A served desk, attacked over loopback by one person or by nobody known: others are answered meanwhile."""

import asyncio
import gc
import logging
import os
import resource
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from bot.console.access.connections import WAITING_PER_ADDRESS, descriptors_missing
from storage.clock import SystemClock
from tests.adversarial.share import Share
from tests.console.site import Browser, Site, site
from tests.desks.house import serving
from tests.scale import scaled

#: Seconds in which another person is answered, and /health, without those that other programs of the machine took.
ANSWERED_S, HEALTHY_S = 2.0, 0.5

pytestmark = pytest.mark.timeout(180)


class StoppableClock(SystemClock):
    """The machine's time, which stands still where a test counts what is done within a minute."""

    stopped: tuple[datetime, float] | None = None

    def stop(self) -> None:
        """Let it stand still from now on."""
        self.stopped = super().now(), super().monotonic()

    def now(self) -> datetime:
        """Return the current instant, or the one at which it stopped."""
        return self.stopped[0] if self.stopped else super().now()

    def monotonic(self) -> float:
        """Return the machine's seconds, or those at which it stopped."""
        return self.stopped[1] if self.stopped else super().monotonic()


@dataclass
class Attacked:
    """A served desk, and somebody who wants nothing but an answer."""

    made: Site
    url: str
    other: Browser
    clock: "StoppableClock"

    @property
    def place(self) -> tuple[str, int]:
        parts = urlsplit(self.url)
        return str(parts.hostname), int(parts.port or 0)

    async def request(self, head: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection and send the beginning of a request."""
        reader, writer = await asyncio.open_connection(*self.place)
        writer.write(head.encode())
        await writer.drain()
        return reader, writer

    async def others_are_served(self, number: int) -> None:
        """Ask /health, and as the other person a question on a conversation of its own."""
        async with self.client(self.other) as client:
            began = Share.now(os.getpid())
            assert (await client.get("/health")).status_code == 200
            healthy = Share.now(os.getpid())
            assert healthy.taken_since(began) < HEALTHY_S
            body = {
                "event_id": f"event-{number:08}",
                "thread": f"thread-{number:04}",
                "text": "How long does a VPN session last?",
            }
            sent = await client.post("/chat/messages", json=body, headers={"x-csrf-token": self.other.csrf})
            assert sent.status_code == 202
            async with client.stream("GET", f"/chat/events?thread={body['thread']}", timeout=20) as stream:
                async for line in stream.aiter_lines():
                    if line.startswith("data:") and '"author": "desk"' in line:
                        break
            assert Share.now(os.getpid()).taken_since(healthy) < ANSWERED_S

    def client(self, browser: Browser) -> httpx.AsyncClient:
        cookies = dict(browser.client.cookies)
        return httpx.AsyncClient(base_url=self.url, cookies=cookies, headers={"origin": self.url}, trust_env=False)


@pytest.fixture
async def attacked(tmp_path: Path) -> AsyncIterator[Attacked]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8_192)), hard))
    clock = StoppableClock()
    async with site(tmp_path / "home", clock=clock) as made, serving(made.desk) as url:
        yield Attacked(made, url, await made.browser("ada"), clock)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@asynccontextmanager
async def _opened(attacked: Attacked, heads: list[str]) -> AsyncIterator[list[asyncio.StreamReader]]:
    """Hold connections open that have each sent so much; those that were closed at once are among them."""
    async with AsyncExitStack() as held:
        readers = []
        for head in heads:
            reader, writer = await attacked.request(head)
            held.enter_context(closing(writer))
            readers.append(reader)
        yield readers


async def _answers(readers: list[asyncio.StreamReader], within_s: float) -> list[bytes]:
    """Return the first line that each is told; b"" for those that were closed without a word."""

    async def first(reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.readline()
        except ConnectionError:
            return b""

    async with asyncio.timeout(within_s):
        return await asyncio.gather(*map(first, readers))


async def test_the_oldest_of_many_event_streams_gives_way(attacked: Attacked) -> None:
    flooder = await attacked.made.browser("ben")
    cookie = flooder.client.cookies["dutydesk_session"]
    heads = [
        f"GET /chat/events?thread=flooding-{number:04} HTTP/1.1\r\nhost: {'{}:{}'.format(*attacked.place)}\r\n"
        f"cookie: dutydesk_session={cookie}\r\n\r\n"
        for number in range(scaled(1_000))
    ]
    limits = attacked.made.desk.settings.limits
    async with _opened(attacked, heads) as readers:
        await attacked.others_are_served(1)
        told = Counter(await _answers(readers[-limits.streams_per_person :], 60))
        assert set(told) == {b"HTTP/1.1 200 OK\r\n"}
        first = await asyncio.wait_for(readers[0].read(), 60)
        assert b"event: full" in first
        assert attacked.made.desk.hub.streams("ben") <= limits.streams_per_person


async def test_hundreds_of_pages_that_vanish_at_once_are_no_trouble(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pages = scaled(400, least=150)
    limits = {"streams_per_person": pages, "streams": pages}
    async with site(tmp_path / "home", limits=limits) as made, serving(made.desk) as url:
        attacked = Attacked(made, url, await made.browser("ada"), StoppableClock())
        cookie = (await made.browser("ben")).client.cookies["dutydesk_session"]
        heads = [
            f"GET /chat/events?thread=vanishing-{number:04} HTTP/1.1\r\nhost: {'{}:{}'.format(*attacked.place)}\r\n"
            f"cookie: dutydesk_session={cookie}\r\n\r\n"
            for number in range(pages)
        ]
        for _ in range(2):  # while each reads what was said
            async with _opened(attacked, heads) as readers:
                assert set(await _answers(readers, 60)) == {b"HTTP/1.1 200 OK\r\n"}
        for _ in range(600):
            if not made.desk.hub.streams("ben"):
                break
            await asyncio.sleep(0.05)
        assert not made.desk.hub.streams("ben")
        await attacked.others_are_served(1)
    gc.collect()  # tells of tasks that nobody waits for
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_half_sent_requests_are_closed(attacked: Attacked) -> None:
    half = [
        "GET /health HTTP/1.1\r\nhost: x\r\nx-",
        "POST /sign-in HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost\r\ncontent-length: 900\r\n\r\ntoken=",
        "",
    ]
    heads = [half[number % len(half)] for number in range(scaled(1_200, least=WAITING_PER_ADDRESS + 60))]
    async with _opened(attacked, heads) as readers:
        await attacked.others_are_served(1)
        began = time.monotonic()
        told = Counter(await _answers(readers, 30))
        assert time.monotonic() - began < 20
        assert not any(line.startswith(b"HTTP/1.1 2") for line in told)
        await attacked.others_are_served(2)


async def test_a_body_that_comes_slowly_is_taken(attacked: Attacked) -> None:
    host = f"{attacked.place[0]}:{attacked.place[1]}"
    head = f"POST /sign-in HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-length: 7\r\n\r\n"
    reader, writer = await attacked.request(head)
    with closing(writer):
        for piece in b"token=a":
            await asyncio.sleep(0.05)
            writer.write(bytes([piece]))
        assert await reader.readline() == b"HTTP/1.1 401 Unauthorized\r\n"


@pytest.mark.timeout(1_800)
async def test_wrong_sign_ins_are_told_to_wait(attacked: Attacked) -> None:
    """They all come within one minute of the desk's clock, however slow the machine is."""
    tries = scaled(10_000, least=200)
    statuses: Counter[int] = Counter()
    attacked.clock.stop()
    async with attacked.client(attacked.made.anybody()) as client:
        for number in range(tries):
            answer = await client.post("/sign-in", data={"token": f"wrong-{number}"})
            statuses[answer.status_code] += 1
            if answer.status_code == 429:
                assert 1 <= int(answer.headers["retry-after"]) <= 60
            if number == tries // 2:
                await attacked.others_are_served(1)
    own = 1  # Ada's, from the same address
    assert statuses[401] == attacked.made.desk.settings.limits.sign_ins_per_minute - own
    assert statuses[429] == tries - statuses[401]


def test_too_few_descriptors_are_said() -> None:
    may, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(may, 1_024), hard))
    try:
        assert "ulimit -n 2256" in descriptors_missing(2_000)
        assert descriptors_missing(100) == ""
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (may, hard))


async def test_sign_ins_in_all_have_a_limit_and_a_trusted_proxy_tells_who_asks(tmp_path: Path) -> None:
    limits = {"sign_ins_per_minute": 2, "sign_ins_in_all_per_minute": 5}

    async def statuses(home: Path, *trusted: str) -> list[int]:
        async with site(home, limits=limits, trusted_proxies=trusted) as made, serving(made.desk) as url:
            client = httpx.AsyncClient(base_url=url, headers={"origin": url}, trust_env=False)
            async with client:
                asked = [f"203.0.113.{number}" for number in range(8)]
                answers = [
                    await client.post("/sign-in", data={"token": "wrong"}, headers={"x-forwarded-for": address})
                    for address in asked
                ]
        return [each.status_code for each in answers]

    assert await statuses(tmp_path / "alone") == [401] * 2 + [429] * 6
    assert await statuses(tmp_path / "proxied", "127.0.0.1") == [401] * 5 + [429] * 3


async def test_hundreds_of_tries_at_once_do_not_stand_before_what_others_write(attacked: Attacked) -> None:
    host = "{}:{}".format(*attacked.place)
    head = f"POST /sign-in HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-length: 7\r\n\r\ntoken=a"
    async with _opened(attacked, [head] * scaled(400, least=200)) as readers:
        await attacked.others_are_served(1)
        told = Counter(await _answers(readers, 60))
    assert set(told) <= {b"HTTP/1.1 401 Unauthorized\r\n", b"HTTP/1.1 429 Too Many Requests\r\n", b""}
    assert told[b"HTTP/1.1 401 Unauthorized\r\n"] <= attacked.made.desk.settings.limits.sign_ins_per_minute + 5
