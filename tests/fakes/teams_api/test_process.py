"""The local Teams as a process of its own, with its door for tests."""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from tests.fakes.teams.content import CARD
from tests.fakes.teams.logins import SCOPE
from tests.fakes.teams.pressing import MESSAGE
from tests.fakes.teams.records import Json
from tests.processes import ROOT


@pytest.fixture
async def door() -> AsyncIterator[aiohttp.ClientSession]:
    """Run the process for a test; requests of the session go to it."""
    arguments = ("-m", "tests.fakes.teams", "--port", "0", "--speed", "60")
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), timeout=30)
        async with aiohttp.ClientSession(line.decode().strip()) as session:
            yield session
    finally:
        process.kill()
        await process.communicate()


@pytest.fixture
async def endpoint() -> AsyncIterator[str]:
    """Listen as an app does, and say "Taken" to every press."""

    async def handle(request: web.Request) -> web.Response:
        body: Json = await request.json()
        taken = {"statusCode": 200, "type": MESSAGE, "value": "Taken"}
        return web.json_response(taken) if body["type"] == "invoke" else web.Response(status=200)

    app = web.Application()
    app.router.add_post("/api/messages", handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/api/messages"
    await runner.cleanup()


async def ask(door: aiohttp.ClientSession, what: str, body: Json | None = None, **query: str) -> Any:
    """Return what the door answers: to a question, or (with a body) to an order."""
    sent = door.get(f"/fake/{what}", params=query) if body is None else door.post(f"/fake/{what}", json=body)
    async with sent as response:
        assert response.status == 200, await response.text()
        return await response.json()


async def send(door: aiohttp.ClientSession, about: Json, place: str, activity: Json) -> tuple[int, Any]:
    """Log in as the app and send an activity."""
    asked = {
        "grant_type": "client_credentials", "client_id": about["app_id"], "client_secret": about["app_secret"],
        "scope": SCOPE,
    }  # fmt: skip
    async with door.post(f"/{about['tenant']}/oauth2/v2.0/token", data=asked) as response:
        token = (await response.json())["access_token"]
    url, headers = f"/emea/v3/conversations/{place}/activities", {"Authorization": f"Bearer {token}"}
    async with door.post(url, json=activity, headers=headers) as response:
        return response.status, await response.json()


async def test_a_test_fills_watches_and_troubles_it(door: aiohttp.ClientSession, endpoint: str) -> None:
    about = await ask(door, "organisation")
    await ask(door, "install", {"endpoint": endpoint})
    ann = await ask(door, "users", {"name": "Ann"})
    channel = await ask(door, "channels", {"name": "help", "members": [ann["id"]]})
    said = await ask(door, "say", {"user": ann["id"], "where": "#help", "text": "why?", "named": True})
    await asyncio.wait_for(delivered(door), timeout=30)
    before = (await ask(door, "changes", since="0", within="0.01"))["count"]
    card: Json = {"type": "AdaptiveCard", "version": "1.5", "body": [{"type": "TextBlock", "text": "because"}]}
    card["actions"] = [{"type": "Action.Execute", "title": "Good", "data": {"a": 1}}]
    message = {"type": "message", "attachments": [{"contentType": CARD, "content": card}]}
    status, _ = await send(door, about, f"{channel['id']};messageid={said['root']}", message)

    assert status == 201
    assert (await ask(door, "changes", since=str(before)))["kinds"] == ["message", "call"]
    seen = await ask(door, "seen", user=ann["id"], where="#help")
    assert [(each["words"], each["labels"]) for each in seen][1:] == [("because", ["Good"])]
    pressed = await ask(door, "press", {"user": ann["id"], "label": "Good"})
    assert pressed == {"status": 200, "dialog": None, "notices": ["Taken"]}
    assert [each["operation"] for each in await ask(door, "calls")] == ["SendToConversation"]
    assert [each["status"] for each in await ask(door, "logins")] == [200]


async def test_its_switches_can_be_thrown(door: aiohttp.ClientSession) -> None:
    about, ann = await ask(door, "organisation"), await ask(door, "users", {"name": "Ann"})
    channel = (await ask(door, "channels", {"name": "help", "members": [ann["id"]]}))["id"]
    message = {"type": "message", "text": "a"}
    await ask(door, "refuse", {"operation": "SendToConversation", "status": 412})
    assert (await send(door, about, channel, message))[0] == 412
    await ask(door, "faults", {"storm": 6_000})
    assert (await send(door, about, channel, message))[0] == 429
    await ask(door, "faults", {"calm": True})
    assert await ask(door, "rates", {"enforced": False}) is False
    assert [(await send(door, about, channel, message))[0] for _ in range(9)] == [201] * 9
    assert len(await ask(door, "messages", conversation=channel)) == 9


async def delivered(door: aiohttp.ClientSession) -> None:
    """Return once nothing is on its way to the app and something came there."""
    while (told := await ask(door, "deliveries"))["waiting"] or not told["records"]:  # noqa: ASYNC110 - not in here
        await asyncio.sleep(0.01)
