"""A desk, or a bare server beside it, under the load of a chat platform: who serves, who sends, what is looked at."""

import asyncio
import statistics
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text

from storage.database import Database
from tests.benchmarks.figures import Acked
from tests.desks.harbour import prepare, settings_of
from tests.desks.process import free_port, served
from tests.desks.served import Order
from tests.processes import ROOT

SECONDS = 30
#: An answer thinks so long, twice: at four a second, twenty are being made at any moment.
THINK_S = 2.5
#: Real seconds until the last answer is there.
PATIENCE_S = 120.0


@dataclass(frozen=True)
class Busy:
    """A desk in a process of its own, its database, and what its processes log."""

    url: str
    database: Database
    log: Path


@asynccontextmanager
async def desk_on(
    platforms: Mapping[str, Mapping[str, Any]], home: Path, *, think_s: float, detects: bool
) -> AsyncIterator[Busy]:
    """Serve a desk that knows what to answer."""
    groups = {name: dict(values) for name, values in platforms.items()}
    order = Order(
        home=home, platforms=groups, port=free_port(), origin=datetime.now(UTC), think_s=think_s, detects=detects
    )
    settings = settings_of(home, groups)
    await prepare(settings)
    database = Database(settings.resolved_database_url)
    try:
        async with served(order) as desk:
            yield Busy(f"http://127.0.0.1:{order.port}", database, desk.log)
    finally:
        await database.close()


@asynccontextmanager
async def bare(module: str, *given: str) -> AsyncIterator[str]:
    """Serve an app that does nothing: a module that is given a port and these words; yield its address."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", module, str(port), *given, cwd=ROOT)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not await _listens(port):  # noqa: ASYNC110 - what is waited for is another process
                await asyncio.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def sent(plan: Path, url: str, *, per_second: int) -> list[Acked]:
    """Have a plan sent by a process of its own, which nothing else keeps busy."""
    given = ("tests.benchmarks.sender", str(plan), url, str(per_second))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *given, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    assert process.returncode == 0
    rows = (line.split("\t") for line in told.decode().splitlines())
    return [Acked(kind, int(status), float(milliseconds)) for kind, status, milliseconds in rows]


async def answers_made(database: Database) -> int:
    """Look once a second while the load lasts; return how many answers were being made, in the middle of the looks."""
    looks = []
    for _ in range(SECONDS):
        await asyncio.sleep(1)
        async with database.reading() as session:
            working = text(
                "SELECT count(*) FROM storage_queue WHERE state = 'open' AND lease_owner IS NOT NULL AND id LIKE 'in_%'"
            )
            looks.append(int(await session.scalar(working) or 0))
    return int(statistics.median(looks))
