"""What a transaction promised is carried out: in order, again when it failed, and never when it rolled back."""

import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from sqlalchemy import event, select

from storage import outbox
from storage.clock import ManualClock, SystemClock
from storage.database import Database
from storage.outbox import Outbox, OutboxMessage, RetryLater
from storage.tables import OutboxTable
from tests.fixtures.database import PostgresServer
from tests.scale import scaled


@dataclass
class Recorder:
    """A handler that keeps what it saw, and first does what a test wants."""

    seen: list[OutboxMessage] = field(default_factory=list)
    trouble: list[BaseException] = field(default_factory=list)
    called: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, message: OutboxMessage) -> None:
        self.seen.append(message)
        self.called.set()
        if self.trouble:
            raise self.trouble.pop(0)

    @property
    def keys(self) -> list[str]:
        return [message.key for message in self.seen]


@pytest.fixture
def handler() -> Recorder:
    return Recorder()


@pytest.fixture
def worker(database: Database, clock: ManualClock, handler: Recorder) -> Outbox:
    return Outbox(database, clock, handlers={"note": handler}, owner="test", max_attempts=3)


async def enqueue(database: Database, *keys: str, order: str = "", topic: str = "note") -> None:
    async with database.transaction() as session:
        for key in keys:
            await outbox.enqueue(session, topic=topic, payload={"text": key}, key=key, order=order)


async def states(database: Database) -> Counter[str]:
    async with database.reading() as session:
        return Counter((await session.execute(select(OutboxTable.state))).scalars())


@asynccontextmanager
async def running(worker: Outbox) -> AsyncIterator[None]:
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop))
    yield
    stop.set()
    await task


async def test_a_message_is_handled_once(database: Database, worker: Outbox, handler: Recorder) -> None:
    await enqueue(database, "a")
    assert [await worker.drain_once(), await worker.drain_once()] == [1, 0]
    (message,) = handler.seen
    assert (message.key, message.topic, message.attempt, message.payload) == ("a", "note", 1, {"text": "a"})


async def test_a_key_is_promised_once(database: Database, worker: Outbox, handler: Recorder) -> None:
    async with database.transaction() as session:
        assert await outbox.enqueue(session, topic="note", payload={}, key="a")
        assert not await outbox.enqueue(session, topic="note", payload={}, key="a")
    await worker.drain_once()
    async with database.transaction() as session:
        assert not await outbox.enqueue(session, topic="note", payload={}, key="a")
    await worker.drain_once()
    assert handler.keys == ["a"]


async def test_what_rolled_back_was_never_promised(database: Database, worker: Outbox) -> None:
    with pytest.raises(RuntimeError):
        async with database.transaction() as session:
            await outbox.enqueue(session, topic="note", payload={}, key="a")
            raise RuntimeError
    assert await worker.drain_once() == 0


async def test_not_before_means_not_before(database: Database, clock: ManualClock, worker: Outbox) -> None:
    async with database.transaction() as session:
        later = clock.now() + timedelta(hours=1)
        await outbox.enqueue(session, topic="note", payload={}, key="a", not_before=later)
    assert await worker.drain_once() == 0
    clock.advance(3600)
    assert await worker.drain_once() == 1


async def test_a_topic_without_a_handler_waits_for_a_process_that_has_one(database: Database, worker: Outbox) -> None:
    await enqueue(database, "a", topic="other")
    assert await worker.drain_once() == 0
    assert await states(database) == {"pending": 1}


async def test_a_failure_is_tried_again_later_with_the_same_key(
    database: Database, clock: ManualClock, worker: Outbox, handler: Recorder
) -> None:
    handler.trouble = [ConnectionError("password=hunter2")]
    await enqueue(database, "a")
    assert [await worker.drain_once(), await worker.drain_once()] == [1, 0]
    async with database.reading() as session:
        error = (await session.execute(select(OutboxTable.error))).scalar_one()
    assert error == "ConnectionError: password=[redacted]"
    clock.advance(1)
    assert await worker.drain_once() == 1
    assert [(message.key, message.attempt) for message in handler.seen] == [("a", 1), ("a", 2)]
    assert await states(database) == {"sent": 1}


async def test_waits_grow_with_each_failure(database: Database, clock: ManualClock, handler: Recorder) -> None:
    worker = Outbox(database, clock, handlers={"note": handler}, owner="test", max_attempts=20)
    handler.trouble = [ValueError() for _ in range(10)]
    await enqueue(database, "a")
    waits = []
    for _ in range(10):
        await worker.drain_once()
        waits.append(await _seconds_to_wait(database, clock))
        clock.advance(waits[-1])
    assert all(low <= wait <= 2 * low for wait, low in zip(waits[:9], [2**n / 2 for n in range(9)], strict=True))
    assert 150 <= waits[9] <= 300


async def _seconds_to_wait(database: Database, clock: ManualClock) -> float:
    async with database.reading() as session:
        due = (await session.execute(select(OutboxTable.not_before))).scalar_one()
    return (due - clock.now()).total_seconds()


async def test_after_too_many_failures_it_is_dead_and_logged_and_the_next_goes_on(
    database: Database, clock: ManualClock, worker: Outbox, handler: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    handler.trouble = [ValueError("no")] * 3
    await enqueue(database, "a", "b", order="line")
    for _ in range(4):
        await worker.drain_once()
        clock.advance(300)
    assert handler.keys == ["a", "a", "a", "b"]
    assert await states(database) == {"dead": 1, "sent": 1}
    assert "note a is given up after 3 failures" in caplog.text


async def test_retry_later_is_honoured_and_is_no_failure(
    database: Database, clock: ManualClock, worker: Outbox, handler: Recorder
) -> None:
    handler.trouble = [RetryLater(30) for _ in range(5)]
    await enqueue(database, "a")
    for _ in range(5):
        assert await worker.drain_once() == 1
        clock.advance(29)
        assert await worker.drain_once() == 0
        clock.advance(1)
    assert await worker.drain_once() == 1
    assert await states(database) == {"sent": 1}


async def test_a_handler_that_hangs_is_stopped(database: Database, clock: ManualClock) -> None:
    async def hang(_: OutboxMessage) -> None:
        await asyncio.sleep(60)

    worker = Outbox(database, clock, handlers={"note": hang}, owner="test", lease_s=0.1)
    await enqueue(database, "a")
    assert await worker.drain_once() == 1
    assert await states(database) == {"pending": 1}


async def test_a_handler_that_cancels_itself_has_failed(
    database: Database, clock: ManualClock, worker: Outbox, handler: Recorder
) -> None:
    handler.trouble = [asyncio.CancelledError()]
    await enqueue(database, "a")
    assert await worker.drain_once() == 1
    clock.advance(1)
    assert await worker.drain_once() == 1
    assert await states(database) == {"sent": 1}


async def die_while_handling(database: Database, clock: ManualClock) -> None:
    """Claim what is due and vanish before anything comes of it."""
    started = asyncio.Event()

    async def hang(_: OutboxMessage) -> None:
        started.set()
        await asyncio.sleep(60)

    doomed = Outbox(database, clock, handlers={"note": hang}, owner="doomed")
    draining = asyncio.create_task(doomed.drain_once())
    await started.wait()
    draining.cancel()
    await asyncio.gather(draining, return_exceptions=True)


async def test_a_worker_that_died_is_followed_by_another(
    database: Database, clock: ManualClock, worker: Outbox, handler: Recorder
) -> None:
    await enqueue(database, "a")
    await die_while_handling(database, clock)
    assert await worker.drain_once() == 0
    clock.advance(60)
    assert await worker.drain_once() == 1
    assert [message.attempt for message in handler.seen] == [2]


async def test_a_message_that_kills_every_worker_is_given_up(
    database: Database, clock: ManualClock, worker: Outbox, handler: Recorder
) -> None:
    await enqueue(database, "a")
    for _ in range(3):
        await die_while_handling(database, clock)
        clock.advance(60)
    assert await worker.drain_once() == 1
    assert handler.seen == []
    assert await states(database) == {"dead": 1}


async def test_the_only_process_takes_its_leases_back_at_once(
    database: Database, clock: ManualClock, worker: Outbox, handler: Recorder
) -> None:
    await enqueue(database, "a")
    await die_while_handling(database, clock)
    assert await worker.recover() == 1
    assert await worker.drain_once() == 1
    assert handler.keys == ["a"]


async def test_a_database_that_goes_away_and_comes_back_is_drained_again(
    postgresql_server: PostgresServer, postgresql_only: Database, handler: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    name = postgresql_only.url.database
    assert name is not None
    worker = Outbox(postgresql_only, SystemClock(), handlers={"note": handler}, owner="test")
    async with running(worker):
        await asyncio.sleep(0.1)
        with postgresql_server.unreachable(name):
            worker.wake()
            await asyncio.sleep(0.5)
        await enqueue(postgresql_only, "a")
        async with asyncio.timeout(10):
            await handler.called.wait()
    assert "the outbox cannot reach its database" in caplog.text


async def test_a_late_worker_cannot_settle_what_another_has(database: Database, clock: ManualClock) -> None:
    second = Recorder()

    async def overtaken(_: OutboxMessage) -> None:
        clock.advance(61)
        await Outbox(database, clock, handlers={"note": second}, owner="second").drain_once()
        raise ValueError

    await enqueue(database, "a")
    await Outbox(database, clock, handlers={"note": overtaken}, owner="first").drain_once()
    assert second.keys == ["a"]
    assert await states(database) == {"sent": 1}


async def test_each_line_is_in_order_whatever_fails(database: Database) -> None:
    chance, lines, length = random.Random(7), 8, scaled(60, least=8)
    handled: dict[str, list[str]] = defaultdict(list)
    busy: Counter[str] = Counter()
    everything = asyncio.Event()

    async def handle(message: OutboxMessage) -> None:
        assert not busy[message.order], "two of one line at once"
        busy[message.order] += 1
        await asyncio.sleep(chance.random() / 500)
        busy[message.order] -= 1
        if chance.random() < 0.2:
            raise RetryLater(chance.random() / 50)
        handled[message.order].append(message.key)
        if sum(map(len, handled.values())) == lines * length:
            everything.set()

    expected = {f"line{line}": [f"{line}-{number}" for number in range(length)] for line in range(lines)}
    for number in range(length):
        for line in range(lines):
            await enqueue(database, f"{line}-{number}", order=f"line{line}")
    workers = [Outbox(database, SystemClock(), handlers={"note": handle}, owner=f"w{number}") for number in range(3)]
    async with running(workers[0]), running(workers[1]), running(workers[2]):
        async with asyncio.timeout(60):
            await everything.wait()
    assert handled == expected


async def test_many_workers_share_the_work_and_each_message_goes_to_one(database: Database) -> None:
    count, handler = scaled(500, least=60), Recorder()
    await enqueue(database, *(f"k{number}" for number in range(count)))
    workers = [Outbox(database, SystemClock(), handlers={"note": handler}, owner=f"w{n}") for n in range(4)]
    while sum(await asyncio.gather(*(worker.drain_once() for worker in workers))):
        pass
    assert sorted(handler.keys) == sorted(f"k{number}" for number in range(count))


async def test_a_commit_wakes_the_worker(database: Database, handler: Recorder) -> None:
    worker = Outbox(database, SystemClock(), handlers={"note": handler}, owner="test")
    async with running(worker):
        await asyncio.sleep(0.2)  # it found nothing and waits
        await enqueue(database, "a")
        async with asyncio.timeout(0.5):
            await handler.called.wait()


async def test_a_batch_takes_few_statements(database: Database, worker: Outbox) -> None:
    await enqueue(database, *(f"k{number}" for number in range(outbox.BATCH)))
    with counted_statements(database) as statements:
        assert await worker.drain_once() == outbox.BATCH
    assert len([one for one in statements if not one.startswith(("BEGIN", "PRAGMA"))]) <= 4


async def test_sent_messages_are_pruned_and_open_ones_stay(
    database: Database, clock: ManualClock, worker: Outbox
) -> None:
    await enqueue(database, "a")
    await worker.drain_once()
    await enqueue(database, "b")
    clock.advance(1)
    async with database.transaction() as session:
        assert await outbox.prune(session, before=clock.now()) == 1
    assert await states(database) == {"pending": 1}


@contextmanager
def counted_statements(database: Database) -> Iterator[list[str]]:
    statements: list[str] = []

    def note(*arguments: object) -> None:
        statements.append(str(arguments[2]))

    event.listen(database.engine.sync_engine, "before_cursor_execute", note)
    yield statements
    event.remove(database.engine.sync_engine, "before_cursor_execute", note)
