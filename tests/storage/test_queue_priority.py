"""Which message goes first, which is given up at once, and that a slow one holds up nothing but its own line."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from storage.clock import ManualClock, SystemClock
from storage.database import Database
from storage.queue import work
from storage.queue.failures import Hopeless
from storage.queue.rows import WorkItem
from storage.queue.worker import Topic, Worker


async def promise(database: Database, key: str, *, line: str = "", priority: int = 0) -> None:
    async with database.transaction() as session:
        await work.enqueue(session, topic="note", payload={}, key=key, line=line, priority=priority)


@asynccontextmanager
async def running(worker: Worker) -> AsyncIterator[None]:
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop))
    yield
    stop.set()
    await task


async def test_what_somebody_waits_for_goes_before_older_news(database: Database, clock: ManualClock) -> None:
    seen: list[str] = []

    async def handle(message: WorkItem) -> None:
        seen.append(message.key)

    for number in range(40):
        await promise(database, f"news{number}", priority=1)
    await promise(database, "answer")
    worker = Worker(database, clock, {"note": Topic(handle)}, name="test")
    await worker.drain_once()

    assert "answer" in seen
    assert seen.index("answer") < 16


async def test_within_a_line_the_order_of_promising_stands(database: Database, clock: ManualClock) -> None:
    seen: list[str] = []

    async def handle(message: WorkItem) -> None:
        seen.append(message.key)

    await promise(database, "news", line="thread", priority=1)
    await promise(database, "answer", line="thread")
    worker = Worker(database, clock, {"note": Topic(handle)}, name="test")
    while await worker.drain_once():
        pass

    assert seen == ["news", "answer"]


async def test_what_will_never_be_taken_is_given_up_at_once_and_logged(
    database: Database, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[str] = []

    async def refuse(message: WorkItem) -> None:
        seen.append(message.key)
        if message.key == "gone":
            raise Hopeless("the channel is gone")

    await promise(database, "gone", line="thread")
    await promise(database, "next", line="thread")
    worker = Worker(database, clock, {"note": Topic(refuse)}, name="test")
    with caplog.at_level(logging.ERROR):
        while await worker.drain_once():
            clock.advance(600)

    assert seen == ["gone", "next"]
    assert [record.message for record in caplog.records] == ["queue: note gone is given up: the channel is gone"]


async def test_a_slow_message_holds_up_only_its_own_line(database: Database) -> None:
    released, others, last = asyncio.Event(), asyncio.Event(), asyncio.Event()
    seen: list[str] = []

    async def handle(message: WorkItem) -> None:
        if message.key == "slow":
            await released.wait()
        seen.append(message.key)
        if {"b", "c"} <= set(seen):
            others.set()
        if message.key == "behind":
            last.set()

    worker = Worker(database, SystemClock(), {"note": Topic(handle)}, name="test")
    await promise(database, "slow", line="a")
    await promise(database, "behind", line="a")
    async with running(worker):
        await asyncio.sleep(0)
        await promise(database, "b", line="b")
        await promise(database, "c")
        async with asyncio.timeout(60):
            await others.wait()
        assert "slow" not in seen
        assert "behind" not in seen
        released.set()
        async with asyncio.timeout(60):
            await last.wait()

    assert seen.index("slow") < seen.index("behind")
