"""The local Slack as a process of its own, with its door for tests."""

import asyncio
import sys
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack.records import Json
from tests.processes import ROOT


@pytest.fixture
async def door() -> AsyncIterator[aiohttp.ClientSession]:
    """Run the process for a test; requests of the session go to it."""
    arguments = ("-m", "tests.fakes.slack", "--port", "0", "--speed", "60")
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), timeout=30)
        async with aiohttp.ClientSession(line.decode().strip()) as session:
            yield session
    finally:
        process.kill()
        await process.communicate()


async def ask(door: aiohttp.ClientSession, what: str, body: Json | None = None, **query: str) -> Any:
    """Return what the door answers: to a question, or (with a body) to an order."""
    sent = door.get(f"/fake/{what}", params=query) if body is None else door.post(f"/fake/{what}", json=body)
    async with sent as response:
        assert response.status == 200, await response.text()
        return await response.json()


async def test_a_test_fills_watches_and_troubles_it(door: aiohttp.ClientSession) -> None:
    about = await ask(door, "workspace")
    ann = await ask(door, "users", {"name": "ann"})
    channel = await ask(door, "channels", {"name": "help", "members": [ann["id"]]})
    said = await ask(door, "messages", {"user": ann["id"], "channel": channel["id"], "text": "why?"})
    client = AsyncWebClient(about["bot_token"], base_url=about["url"], session=door, retry_handlers=[])
    before = (await ask(door, "changes", since="0", within="0.01"))["count"]
    await client.chat_postMessage(channel=channel["id"], text="because", thread_ts=said["ts"])

    assert (await ask(door, "changes", since=str(before)))["kinds"] == ["message", "call"]
    assert [each["text"] for each in await ask(door, "messages", channel=channel["id"])] == ["why?", "because"]
    assert [each["method"] for each in await ask(door, "calls", method="chat.postMessage")] == ["chat.postMessage"]
    trigger = (await ask(door, "triggers", {"user": ann["id"]}))["trigger_id"]
    title, blocks = {"type": "plain_text", "text": "T"}, [{"type": "divider"}]
    view: Json = {"type": "modal", "title": title, "blocks": blocks}
    await client.views_open(trigger_id=trigger, view=view)
    assert len((await ask(door, "views", user=ann["id"]))["modals"]) == 1
    await ask(door, "faults", {"storm": 6_000})
    with pytest.raises(Exception, match="ratelimited"):
        await client.auth_test()
    await ask(door, "faults", {"calm": True})
    await ask(door, "revoke", {"error": "account_inactive"})
    with pytest.raises(Exception, match="account_inactive"):
        await client.auth_test()
    await ask(door, "restore", {})
    assert await ask(door, "tiers", {"enforced": False}) is False
    assert (await client.auth_test())["ok"]
