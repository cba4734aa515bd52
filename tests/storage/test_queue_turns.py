"""One worker at a time works off what nobody waits for, and what somebody waits for does not wait for that."""

import asyncio
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from storage.clock import SystemClock
from storage.database import Database
from storage.queue import work
from storage.queue.rows import WorkItem
from storage.queue.worker import Ending, Topic, Worker

LEASE_S = 1.5
LONG_S = 60.0


class Replica:
    """A worker that notes what it was given, and takes its time over what begins so."""

    def __init__(
        self, database: Database, *, slow: Sequence[str] = (), in_turn: bool = True, lease_s: float = LONG_S
    ) -> None:
        self.seen: list[str] = []
        self._slow = tuple(slow)
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        topic = Topic(self._handle, in_turn=in_turn, overtakes=True)
        self.worker = Worker(database, SystemClock(), {"post": topic}, name="post", parallel=4, lease_s=lease_s)

    async def _handle(self, item: WorkItem) -> None:
        if item.key.startswith(self._slow or "-"):
            self.begun.set()
            await self.go.wait()
        self.seen.append(item.key)


async def promise(database: Database, *keys: str, priority: int, line: str = "") -> None:
    async with database.transaction() as session:
        for key in keys:
            await work.enqueue(session, topic="post", payload={}, key=key, line=line, priority=priority)


async def test_another_worker_takes_only_what_is_waited_for(database: Database) -> None:
    one, other = Replica(database, slow=["news0"]), Replica(database)
    await promise(database, "news0", priority=1)
    async with asyncio.TaskGroup() as group:
        group.create_task(one.worker.drain_once())
        await one.begun.wait()
        await promise(database, "news1", "news2", priority=1)
        await promise(database, "answer", priority=0)
        while await other.worker.drain_once():
            pass
        assert other.seen == ["answer"]
        one.go.set()
    while await other.worker.drain_once():
        pass
    assert one.seen == ["news0"]
    assert other.seen == ["answer", "news1", "news2"]


async def test_the_turn_of_a_worker_that_vanished_ends(database: Database) -> None:
    one, other = (Replica(database, slow=slow, lease_s=LEASE_S) for slow in (["news0"], ()))
    await promise(database, "news0", priority=1)
    vanished = asyncio.create_task(one.worker.drain_once())
    await one.begun.wait()
    vanished.cancel()  # it writes nothing more, as after a `kill -9`
    await asyncio.gather(vanished, return_exceptions=True)
    await promise(database, "news1", priority=1)
    assert await other.worker.drain_once() == 0
    async with asyncio.timeout(30):
        while len(other.seen) < 2:
            await asyncio.sleep(0.1)
            await other.worker.drain_once()
    assert sorted(other.seen) == ["news0", "news1"]


async def test_an_answer_goes_before_the_news_of_its_line(database: Database) -> None:
    replica = Replica(database, in_turn=False)
    await promise(database, "news0", "news1", priority=1, line="thread")
    await promise(database, "answer0", "answer1", priority=0, line="thread")
    while await replica.worker.drain_once():
        pass
    assert replica.seen[0] == "answer0"
    assert replica.seen[-1] == "news1"
    assert sorted(replica.seen) == ["answer0", "answer1", "news0", "news1"]


async def test_another_topic_waits_for_the_news_of_its_line(database: Database) -> None:
    replica, erased = Replica(database), list[str]()

    async def erase(item: WorkItem) -> None:
        erased.append(item.key)
        assert replica.seen == ["news"]

    replica.worker.serve("erase", Topic(erase))
    await promise(database, "news", priority=1, line="thread")
    async with database.transaction() as session:
        await work.enqueue(session, topic="erase", payload={}, key="erase:news", line="thread")
    while await replica.worker.drain_once():
        pass
    assert erased == ["erase:news"]


async def test_what_came_of_items_in_order_is_committed_in_order(database: Database) -> None:
    go, committed = asyncio.Event(), list[str]()

    async def handle(item: WorkItem) -> Ending:
        if item.key == "reminder0":
            await go.wait()
        elif item.key == "reminder3":
            go.set()

        async def effects(_: AsyncSession) -> None:
            committed.append(item.key)

        return Ending("sent", effects=effects)

    worker = Worker(database, SystemClock(), {"post": Topic(handle, in_order=True)}, name="post", parallel=4)
    keys = [f"reminder{number}" for number in range(6)]
    await promise(database, *keys, priority=2)
    while await worker.drain_once():
        pass
    assert committed == keys
