"""People first: what nobody waits for gives way in the queue, before transactions, and in the line of writers."""

import asyncio

from storage.clock import SystemClock
from storage.database import UNHURRIED, Database
from storage.queue import work
from storage.queue.precedence import Precedence
from storage.queue.rows import WorkItem
from storage.queue.worker import Topic, Worker

#: Seconds after which a test has hung.
PATIENCE_S = 20.0


async def test_what_nobody_waits_for_leaves_room_for_what_somebody_waits_for(database: Database) -> None:
    begun: list[str] = []
    go_on, stop = asyncio.Event(), asyncio.Event()

    async def handle(item: WorkItem) -> None:
        begun.append(item.key)
        if item.key != "answer":
            await go_on.wait()

    worker = Worker(database, SystemClock(), {"post": Topic(handle)}, name="out", parallel=4, unhurried=2)
    running = asyncio.create_task(worker.run(stop))
    async with asyncio.timeout(PATIENCE_S):
        for number in range(5):
            async with database.transaction() as session:
                await work.enqueue(session, topic="post", payload={}, key=f"news {number}", priority=1)
        async with database.transaction() as session:
            await work.enqueue(session, topic="post", payload={}, key="answer")
        while "answer" not in begun:  # noqa: ASYNC110 - the handler tells nobody
            await asyncio.sleep(0.01)
        assert len(begun) < 5  # one more than there is room for may have begun while others were looked for
        go_on.set()
        while len(begun) < 6:  # noqa: ASYNC110 - the handler tells nobody
            await asyncio.sleep(0.01)
        stop.set()
        await running


async def test_writers_that_somebody_waits_for_come_before_the_others(database: Database) -> None:
    if database.dialect != "sqlite":
        return  # a server has many writers at a time
    wrote: list[str] = []

    async def write(name: str, *, unhurried: bool) -> None:
        UNHURRIED.set(unhurried)
        async with database.transaction():
            wrote.append(name)

    async with asyncio.timeout(PATIENCE_S):
        async with database.transaction():
            waiting = [asyncio.create_task(write(f"news {number}", unhurried=True)) for number in range(2)]
            waiting += [asyncio.create_task(write(f"answer {number}", unhurried=False)) for number in range(2)]
            await asyncio.sleep(0)
            given_up = asyncio.create_task(write("given up", unhurried=False))
            await asyncio.sleep(0)
            given_up.cancel()
        await asyncio.gather(*waiting)
    assert wrote == ["answer 0", "answer 1", "news 0", "news 1"]


async def test_what_nobody_waits_for_gives_way_before_a_transaction_but_not_inside_one(database: Database) -> None:
    looks: list[bool] = []

    def is_asked() -> bool:
        looks.append(True)
        return len(looks) < 3

    precedence = Precedence(is_asked)
    database.courtesies.append(precedence.step)
    async with asyncio.timeout(PATIENCE_S):
        async with database.reading():
            assert not looks
        with precedence.unhurried():
            async with database.transaction():
                assert len(looks) == 3
                async with database.reading():
                    assert len(looks) == 3
    database.courtesies.remove(precedence.step)
