"""A desk on Slack in this process, behind its real server and a real port, or on a real websocket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import text

from bot.compose import compose
from bot.desk import Desk
from bot.parts import LEASE_S
from bot.server import serve
from search.embedding.memory import HashEmbedder
from storage.clock import Clock
from storage.database import Database
from tests.fakes.slack.local_slack import LocalSlack
from tests.slack_desk.harbour import install, prepare, settings_of, slack_settings
from tests.slack_desk.process import free_port

Mode = Literal["http", "socket"]


@dataclass(frozen=True)
class House:
    """Slack and the desk in it; `url` is where the desk listens."""

    slack: LocalSlack
    desk: Desk
    url: str

    async def settle(self, *, within_s: float = 20.0) -> None:
        """Wait, in real seconds, until nothing is on its way in, in work or on its way out."""
        await self.slack.deliveries.settled(within_s=within_s)
        async with asyncio.timeout(within_s):
            while not await nothing_to_do(self.desk.database):  # noqa: ASYNC110 - what is looked at is a database
                await asyncio.sleep(0.01)


async def nothing_to_do(database: Database) -> bool:
    """Return whether every event is worked off and every post is out."""
    async with database.reading() as session:
        unfinished = await session.scalar(text("SELECT count(*) FROM bot_inbox WHERE state <> 'done'"))
        pending = await session.scalar(text("SELECT count(*) FROM storage_outbox WHERE state = 'pending'"))
        return not unfinished and not pending


async def stored(database: Database) -> int:
    """Return how many events the inbox holds."""
    async with database.reading() as session:
        return int(await session.scalar(text("SELECT count(*) FROM bot_inbox")) or 0)


@asynccontextmanager
async def open_house(
    home: Path, clock: Clock, *, mode: Mode = "http", lease_s: float = LEASE_S, **slack_given: Any
) -> AsyncIterator[House]:
    """Serve a desk with a local Slack before it for the time of the block."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with LocalSlack(clock) as slack:
        await install(slack, url if mode == "http" else "")
        settings = await asyncio.to_thread(settings_of, home, slack_settings(slack, mode=mode, **slack_given))
        await prepare(settings)
        desk = await compose(settings, clock=clock, embedder=HashEmbedder(), lease_s=lease_s)
        async with desk, _serving(desk, port):
            yield House(slack, desk, url)


@asynccontextmanager
async def _serving(desk: Desk, port: int) -> AsyncIterator[None]:
    ready, stop = asyncio.Event(), asyncio.Event()
    server = asyncio.create_task(serve(desk, "127.0.0.1", port, on_ready=lambda _: ready.set(), stop=stop))
    waiting = asyncio.create_task(ready.wait())
    try:
        await asyncio.wait({server, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if server.done():
            await server
        yield
    finally:
        waiting.cancel()
        stop.set()
        await server
