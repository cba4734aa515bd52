"""The server as a whole: where it listens, that it stops, and the main job through real sockets."""

import asyncio
import socket
from pathlib import Path

import httpx
import pytest

from bot.server import CannotServe, is_loopback, require_safe, serve
from bot.settings import load
from tests.console.site import Site, site


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "desk.example"])
def test_an_address_in_reach_of_others_needs_tls_or_a_word(tmp_path: Path, host: str) -> None:
    with pytest.raises(CannotServe, match=r"web\.tls_certificate"):
        require_safe(load(home=tmp_path), host)

    require_safe(load(home=tmp_path, web={"insecure": True}), host)
    require_safe(load(home=tmp_path, web={"tls_certificate": tmp_path / "c", "tls_key": tmp_path / "k"}), host)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_loopback_needs_nothing(tmp_path: Path, host: str) -> None:
    assert is_loopback(host)
    require_safe(load(home=tmp_path), host)


async def test_a_port_in_use_is_said_with_what_to_do(desk_site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"Port {port} on 127.0.0.1 is in use") as refused:
            await serve(desk_site.desk, "127.0.0.1", port)

    assert f"--port {port + 1}" in str(refused.value)


async def test_an_address_that_is_not_the_machines_is_said(migrated_home: Path) -> None:
    async with site(migrated_home, insecure=True) as made:
        with pytest.raises(CannotServe, match=r"Cannot listen on 203\.0\.113\.7"):
            await serve(made.desk, "203.0.113.7", 0)


async def test_a_question_is_answered_on_an_open_page_and_the_server_stops_under_it(migrated_home: Path) -> None:
    async with site(migrated_home) as made:
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        stop = asyncio.Event()
        serving = asyncio.create_task(serve(made.desk, "127.0.0.1", 0, on_ready=ready.set_result, stop=stop))
        async with asyncio.timeout(60):
            url = await ready
            browser = await made.browser("ada")
            cookies = dict(browser.client.cookies)
            async with httpx.AsyncClient(base_url=url, cookies=cookies, headers={"origin": url}) as client:
                answer = await _ask(client, browser.csrf)
        stop.set()
        async with asyncio.timeout(60):
            await serving

    assert "12 hours" in answer
    assert 'href="/knowledge/page/handbook/vpn.md#session-length"' in answer.replace("\\", "")


async def _ask(client: httpx.AsyncClient, csrf: str) -> str:
    body = {"event_id": "event-0000001", "thread": "thread-0001", "text": "How long does a VPN session last?"}
    sent = await client.post("/chat/messages", json=body, headers={"x-csrf-token": csrf})
    assert sent.status_code == 202
    async with client.stream("GET", "/chat/events?thread=thread-0001", timeout=15) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data:") and '"author": "desk"' in line:
                return line
    raise AssertionError("no answer came")


async def test_a_probe_is_told_whether_the_database_answers(desk_site: Site) -> None:
    answer = await desk_site.anybody().client.get("/health")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
