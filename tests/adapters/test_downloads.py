"""Files over HTTP: only from known hosts, also after being led on, and within limits of size and time."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import pytest

from adapters.inbound.downloads import Downloads, is_address
from adapters.port import TooLarge, Unavailable, Undeliverable

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\nwords"
ENDLESS = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000


def led_on(to: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


@asynccontextmanager
async def serving(answers: Mapping[str, bytes], heads: list[bytes] | None = None) -> AsyncIterator[str]:
    """Serve canned answers by path; the base address is given. `heads` fills with what was asked."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if heads is not None:
            heads.append(head)
        writer.write(answers.get(head.split()[1].decode(), b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@asynccontextmanager
async def downloads(allowed: Callable[[str], bool], *, within_s: float = 5.0) -> AsyncIterator[Downloads]:
    made = Downloads(allowed=allowed, within_s=within_s)
    try:
        yield made
    finally:
        await made.close()


async def test_a_file_comes_with_what_it_is_said_to_be() -> None:
    async with serving({"/a": OK, "/b": led_on("/a")}) as base, downloads(lambda url: url.startswith(base)) as some:
        for path in ("/a", "/b"):
            got = await some.get(base + path, at_most=5)
            assert (got.content, got.media_type) == (b"words", "text/plain")


async def test_a_cookie_of_one_file_is_not_sent_for_another() -> None:
    heads: list[bytes] = []
    with_cookie = OK.replace(b"\r\n", b"\r\nSet-Cookie: who=ada; Path=/\r\n", 1)
    async with serving({"/a": with_cookie}, heads) as base, downloads(lambda _: True) as some:
        for _ in range(2):
            await some.get(f"{base}/a", at_most=5)

    assert len(heads) == 2
    assert not any(b"cookie" in head.lower() for head in heads)


async def test_who_leads_elsewhere_is_not_followed() -> None:
    asked: list[str] = []
    async with serving({"/a": led_on("http://127.0.0.1:9/secret")}) as base:

        def allowed(url: str) -> bool:
            asked.append(url)
            return url.startswith(base)

        async with downloads(allowed) as some:
            with pytest.raises(Undeliverable, match="no file is fetched"):
                await some.get(f"{base}/a", at_most=5)

    assert asked == [f"{base}/a", "http://127.0.0.1:9/secret"]


async def test_who_leads_in_circles_is_left() -> None:
    async with serving({"/a": led_on("/a")}) as base, downloads(lambda _: True) as some:
        with pytest.raises(Undeliverable, match="on and on"):
            await some.get(f"{base}/a", at_most=5)


@pytest.mark.parametrize(("answer", "at_most"), [(OK, 4), (ENDLESS, 99_999)])
async def test_more_than_was_asked_for_is_never_held(answer: bytes, at_most: int) -> None:
    async with serving({"/a": answer}) as base, downloads(lambda _: True) as some:
        with pytest.raises(TooLarge):
            await some.get(f"{base}/a", at_most=at_most)


@pytest.mark.parametrize(
    ("status", "error"),
    [("404 Not Found", Undeliverable), ("401 No", Undeliverable), ("503 Away", Unavailable), ("429 Slow", Unavailable)],
)
async def test_what_a_refusal_means(status: str, error: type[Exception]) -> None:
    refusal = f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()
    async with serving({"/a": refusal}) as base, downloads(lambda _: True) as some:
        with pytest.raises(error):
            await some.get(f"{base}/a", at_most=5)


async def test_who_does_not_answer_is_asked_again_later() -> None:
    slow = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwo"  # and the connection ends
    async with serving({"/a": slow}) as base, downloads(lambda _: True) as some:
        with pytest.raises(Unavailable):
            await some.get(f"{base}/a", at_most=5)
    async with downloads(lambda _: True) as some:
        with pytest.raises(Unavailable):
            await some.get("http://127.0.0.1:9/", at_most=5)


@pytest.mark.parametrize(
    ("url", "is_one"),
    [
        ("https://a.good.example/x?tempauth=y", True),
        ("https://A.GOOD.example:443/x", True),
        ("http://a.good.example/x", False),
        ("https://a.good.example:444/x", False),
        ("https://good.example.evil/x", False),
        ("https://evil.example/.good.example", False),
        ("https://a.good.example@evil.example/x", False),
        ("https://me:secret@a.good.example/x", False),
        ("https://a.good.example:port/x", False),
        ("http://127.0.0.1:80/x", True),
        ("http://127.0.0.1:81/x", False),
        ("http://here.example:80/x", False),
        ("https://here.example:80/x", True),
        ("ftp://127.0.0.1:80/x", False),
        ("", False),
    ],
)
def test_an_address_is_one_of_these_hosts(url: str, is_one: bool) -> None:
    further = frozenset({"127.0.0.1:80", "here.example:80"})

    assert is_address(url, host=lambda name: name.endswith(".good.example"), further=further) is is_one
