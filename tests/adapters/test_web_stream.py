"""The event stream over a real server and a real socket."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn

from adapters.cards import Form
from adapters.web.transcript import TranscriptPlace
from tests.adapters.web_desk import THREAD, WebDesk, card, place

ADDRESS = {"platform": "web", "user": "ada", "thread": THREAD}


@asynccontextmanager
async def served(desk: WebDesk) -> AsyncIterator[str]:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(desk.app, log_config=None, lifespan="off", timeout_graceful_shutdown=3)
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        desk.chat.hub.close()
        server.should_exit = True
        await task
        listening.close()


@dataclass
class Page:
    """An open page: what its stream brought."""

    lines: AsyncIterator[str]
    events: list[tuple[str, str | None, dict[str, Any]]] = field(default_factory=list)

    async def next(self, name: str = "") -> tuple[str, str | None, dict[str, Any]]:
        """Return the next event (of that name), without the greeting."""
        async with asyncio.timeout(60):
            while True:
                kind, identifier, data = await self._one()
                if kind != "hello" and name in ("", kind):
                    return kind, identifier, data

    async def _one(self) -> tuple[str, str | None, dict[str, Any]]:
        kind, identifier, data = "", None, ""
        async for line in self.lines:
            if line.startswith("event:"):
                kind = line[6:].strip()
            elif line.startswith("id:"):
                identifier = line[3:].strip()
            elif line.startswith("data:"):
                data += line[5:].strip()
            elif not line and kind:
                return kind, identifier, json.loads(data)
        raise ConnectionError("the stream ended")


@asynccontextmanager
async def opened(url: str, *, who: str = "ada", seen: str = "", after: int = 0) -> AsyncIterator[Page]:
    headers = {"who": who} | ({"Last-Event-ID": seen} if seen else {})
    async with (
        httpx.AsyncClient(base_url=url, headers=headers, timeout=10) as client,
        client.stream("GET", f"/events?thread={THREAD}&after={after}") as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield Page(answer.aiter_lines())


async def test_what_is_sent_arrives_at_once_and_an_edit_takes_its_place() -> None:
    desk = WebDesk()
    async with served(desk) as url, opened(url) as page:
        reference = await desk.chat.send(ADDRESS, card("Draft"), key="k1")
        _, first_id, first = await page.next()
        await desk.chat.update(ADDRESS, reference, card("Filed"))
        _, second_id, second = await page.next()

    assert first["reference"] == second["reference"] == reference
    assert "Draft" in first["html"]
    assert "Filed" in second["html"]
    assert first["spoken"] == "Draft"
    assert int(second_id or 0) > int(first_id or 0)


async def test_a_page_that_comes_back_gets_what_it_missed_and_nothing_twice() -> None:
    desk = WebDesk()
    async with served(desk) as url:
        await desk.chat.send(ADDRESS, card("one"), key="1")
        async with opened(url) as page:
            _, seen, _ = await page.next()
        await desk.chat.send(ADDRESS, card("two"), key="2")
        async with opened(url, seen=seen or "") as page:
            _, _, data = await page.next()

    assert data["spoken"] == "two"


async def test_what_another_process_wrote_is_found_by_looking() -> None:
    desk = WebDesk()
    async with served(desk) as url, opened(url) as page:
        await asyncio.sleep(0.05)
        await desk.chat.transcript.add(place(), author="desk", content=card("from elsewhere"), key="k")  # no wake
        _, _, data = await page.next()

    assert data["spoken"] == "from elsewhere"


async def test_a_streamed_message_grows_and_ends_as_the_card_with_its_key() -> None:
    desk = WebDesk()
    async with served(desk) as url, opened(url) as page:
        stream = await desk.chat.stream(ADDRESS, key="k1")
        await stream.status("Searching…")
        _, identifier, searching = await page.next("stream")
        await stream.append("Use **the client")
        await stream.append("** <now>")
        _, _, growing = await page.next("stream")
        if "now" not in growing["html"]:  # the two pieces may come one by one
            _, _, growing = await page.next("stream")
        await desk.chat.send(ADDRESS, card("Use the client [1]"), key="k1")
        _, _, final = await page.next("entry")

    assert identifier is None
    assert "Searching…" in searching["html"]
    assert "<strong>the client</strong> &lt;now&gt;" in growing["html"]
    assert final["key"] == growing["key"] == "k1"
    assert desk.chat.hub.drafts(place()) == ()


async def test_a_form_is_pushed_to_the_open_page() -> None:
    desk = WebDesk()
    async with served(desk) as url, opened(url) as page:
        await asyncio.sleep(0.05)
        await desk.chat.open_form(ADDRESS, Form("f", "1", "n", "About you", "Send", "Close", ()))
        _, _, data = await page.next("form")

    assert "About you" in data["html"]


async def test_nobody_hears_what_is_said_to_another() -> None:
    desk = WebDesk()
    async with served(desk) as url, opened(url, who="ben") as page:
        await asyncio.sleep(0.05)
        await desk.chat.send(ADDRESS, card("for Ada only"), key="1")
        await desk.chat.send(TranscriptPlace("ben", THREAD).address(), card("for Ben"), key="2")
        _, _, data = await page.next()

    assert data["spoken"] == "for Ben"


async def test_a_stream_ends_when_its_reader_is_signed_out() -> None:
    desk = WebDesk()
    async with served(desk) as url, opened(url) as page:
        await asyncio.sleep(0.05)
        del desk.signed_in["ada"]
        desk.clock.advance(31)
        try:
            await page.next()
        except ConnectionError:
            return
    raise AssertionError("the stream went on")


async def test_an_open_page_does_not_keep_the_server_from_stopping() -> None:
    desk = WebDesk()
    async with asyncio.timeout(5):
        async with opened_and_left(desk):
            pass

    assert desk.chat.hub.closing


@asynccontextmanager
async def opened_and_left(desk: WebDesk) -> AsyncIterator[None]:
    async with served(desk) as url, opened(url):
        yield
        desk.chat.hub.close()


async def test_many_pages_at_once_each_get_everything() -> None:
    desk = WebDesk()
    async with served(desk) as url:

        async def read() -> list[str]:
            async with opened(url) as page:
                return [(await page.next("entry"))[2]["spoken"] for _ in range(20)]

        readers = [asyncio.create_task(read()) for _ in range(10)]
        for number in range(20):
            await desk.chat.send(ADDRESS, card(str(number)), key=str(number))
            await asyncio.sleep(0.002)
        results = await asyncio.gather(*readers)

    assert all(result == [str(number) for number in range(20)] for result in results)
