"""A desk in this process, behind its real server and a real port; and whether it has anything left to do."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import text

from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.compose.parts import LEASE_S
from bot.server import serve
from search.embedding.memory import HashEmbedder
from storage.clock import Clock
from storage.database import Database
from tests.desks.harbour import prepare, settings_of
from tests.scenarios.slow_brain import slow_brain

#: Real seconds between two looks at a database.
LOOK_S = 0.01


async def nothing_to_do(database: Database) -> bool:
    """Return whether every event is worked off and every post is out."""
    async with database.reading() as session:
        return not await session.scalar(text("SELECT count(*) FROM storage_queue WHERE state = 'open'"))


async def all_done(database: Database, *, within_s: float) -> None:
    """Return when there is nothing to do any more; TimeoutError after real seconds."""
    async with asyncio.timeout(within_s):
        while not await nothing_to_do(database):  # noqa: ASYNC110 - what is looked at is a database
            await asyncio.sleep(LOOK_S)


async def stored(database: Database) -> int:
    """Return how many events the inbox holds."""
    async with database.reading() as session:
        return int(await session.scalar(text("SELECT count(*) FROM storage_queue WHERE id LIKE 'in_%'")) or 0)


@asynccontextmanager
async def open_desk(
    home: Path,
    platforms: Mapping[str, Mapping[str, Any]],
    clock: Clock,
    *,
    port: int,
    lease_s: float = LEASE_S,
    think_s: float = 0.0,
) -> AsyncIterator[Desk]:
    """Serve a desk of the harbour on a loopback port for the time of the block; its brain takes so long for a step."""
    settings = await asyncio.to_thread(settings_of, home, platforms)
    await prepare(settings)
    brain = slow_brain(clock, think_s) if think_s else None
    desk = await compose(settings, clock=clock, embedder=HashEmbedder(), lease_s=lease_s, brain=brain)
    async with desk, serving(desk, port):
        yield desk


@asynccontextmanager
async def serving(desk: Desk, port: int = 0) -> AsyncIterator[str]:
    """Serve an open desk on a loopback port, by default any; yield its address."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    server = asyncio.create_task(serve(desk, "127.0.0.1", port, on_ready=ready.set_result, stop=stop))
    started: tuple[asyncio.Future[Any], ...] = (server, ready)
    await asyncio.wait(started, return_when=asyncio.FIRST_COMPLETED)
    if server.done():
        await server
    try:
        yield ready.result()
    finally:
        stop.set()
        await server
