"""kill -9 at each step of sending, and writers in each other's way: nothing is lost, what comes twice has one key."""

import asyncio
import logging
import signal
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from storage.clock import SystemClock
from storage.database import Database
from storage.queue import work
from storage.queue.rows import WorkItem
from storage.queue.tables import QueueTable
from storage.queue.worker import Ending, Topic, Worker
from tests.processes import keep_running, lives
from tests.scale import scaled

PROCESS = "tests.storage.queue_process"


@pytest.fixture
def effects(tmp_path: Path) -> Path:
    return tmp_path / "effects.txt"


async def enqueue(database: Database, keys: list[str], *, lines: int) -> None:
    async with database.transaction() as session:
        for number, key in enumerate(keys):
            await work.enqueue(session, topic="note", payload={}, key=key, line=f"line{number % lines}")


def deliveries(effects: Path) -> list[tuple[str, int]]:
    pairs = [line.split() for line in effects.read_text().splitlines()]
    return [(key, int(attempt)) for key, attempt in pairs]


@pytest.mark.parametrize(
    ("point", "expected"),
    [("claimed", [("a", 2)]), ("sent", [("a", 1), ("a", 2)]), ("marked", [("a", 1)])],
)
async def test_a_kill_at_each_point(
    database: Database, database_url: str, effects: Path, point: str, expected: list[tuple[str, int]]
) -> None:
    await enqueue(database, ["a"], lines=1)
    arguments = [database_url, "--effects", str(effects)]
    async with lives(PROCESS) as process:
        assert await process.one(*arguments, "--crash-at", point) == -signal.SIGKILL
        assert await process.one(*arguments) == 0
    assert deliveries(effects) == expected


async def test_kills_anywhere_lose_nothing(database: Database, database_url: str, effects: Path) -> None:
    lines = 5
    keys = [f"k{number}" for number in range(scaled(150, least=20))]
    await enqueue(database, keys, lines=lines)

    async def keep_draining(worker: int) -> int:
        fate = ["--crash-at", "anywhere", "--chance", "0.05", "--seed"]
        return await keep_running(
            PROCESS, lambda kills: [database_url, "--effects", str(effects), *fate, str(100 * worker + kills)]
        )

    kills = await asyncio.gather(*(keep_draining(worker) for worker in range(3)))
    seen = deliveries(effects)
    assert {key for key, _ in seen} == set(keys)
    assert max(Counter(key for key, _ in seen).values()) <= 1 + sum(kills)
    for line in range(lines):
        mine = keys[line::lines]
        firsts = list(dict.fromkeys(key for key, _ in seen if key in mine))
        assert firsts == mine, "a line got out of order"


async def test_ends_of_a_batch_and_the_renewal_of_leases_do_not_lock_each_other_out(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """The later item ends first and its end takes long: the renewal, which locks the earlier one first, has to wait."""
    later_ended = asyncio.Event()

    async def slowly(_session: AsyncSession) -> None:
        await asyncio.sleep(2.5)  # longer than PostgreSQL waits before it looks for a deadlock

    async def at_once(_session: AsyncSession) -> None:
        return

    async def handle(item: WorkItem) -> Ending:
        if item.key == "later":
            later_ended.set()
            return Ending(effects=slowly)
        await later_ended.wait()
        await asyncio.sleep(0)
        return Ending(effects=at_once)

    async with database.transaction() as session:
        for key in ("earlier", "later"):
            await work.enqueue(session, topic="t", payload={}, key=key, line=key)
    worker = Worker(database, SystemClock(), {"t": Topic(handle)}, name="w", lease_s=0.9)
    with caplog.at_level(logging.WARNING):
        assert await worker.drain_once() == 2

    assert [each.getMessage() for each in caplog.records if each.name.startswith("storage.queue")] == []
    async with database.reading() as session:
        assert list((await session.execute(select(QueueTable.state))).scalars()) == ["done", "done"]
