"""A limit is a limit, on both databases, with Redis, without it and while it goes away."""

import asyncio
import random
import time
from collections.abc import Callable

import pytest

from storage.clock import ManualClock
from storage.connect import RedisGateway
from storage.database import Database
from storage.throttle import Admission, Throttle
from tests.fixtures.redis import RedisServer
from tests.scale import scaled

Trouble = Callable[[RedisServer], None]
TROUBLES: dict[str, Trouble] = {
    "none": lambda _: None,
    "stalled": RedisServer.stall,
    "killed": RedisServer.kill,
    "flushed": RedisServer.flush,
}


class Reference:
    """GCRA as it is written down, for one key."""

    def __init__(self, *, limit: int, per_s: float) -> None:
        self.step, self.per_s, self.idle_at = per_s / limit, per_s, 0.0

    def admits(self, now: float) -> bool:
        idle_at = max(self.idle_at, now)
        if idle_at + self.step - self.per_s > now + 1e-9:
            return False
        self.idle_at = idle_at + self.step
        return True


async def test_a_burst_gets_the_limit_and_then_one_at_a_time(database: Database, clock: ManualClock) -> None:
    throttle = Throttle(database, clock)
    admitted = [(await throttle.admit("ada", limit=4, per_s=60)).allowed for _ in range(6)]
    assert admitted == [True] * 4 + [False] * 2
    assert await throttle.admit("ada", limit=4, per_s=60) == Admission(allowed=False, retry_after_s=15)
    clock.advance(15)
    assert (await throttle.admit("ada", limit=4, per_s=60)).allowed
    assert not (await throttle.admit("ada", limit=4, per_s=60)).allowed
    assert (await throttle.admit("ben", limit=4, per_s=60)).allowed


async def test_what_costs_more_waits_longer_and_more_than_the_limit_is_never_admitted(
    database: Database, clock: ManualClock
) -> None:
    throttle = Throttle(database, clock)
    admitted = [(await throttle.admit("ada", limit=10, per_s=100, cost=cost)).allowed for cost in (6, 5, 4, 1)]
    assert admitted == [True, False, True, False]
    assert await throttle.admit("ada", limit=10, per_s=100, cost=2) == Admission(allowed=False, retry_after_s=20)
    assert await throttle.admit("ben", limit=10, per_s=100, cost=11) == Admission(allowed=False, retry_after_s=100)
    assert (await throttle.admit("ben", limit=10, per_s=100, cost=10)).allowed
    clock.advance(20)
    assert (await throttle.admit("ada", limit=10, per_s=100, cost=2)).allowed


async def test_many_at_once_get_the_limit_exactly(database: Database, clock: ManualClock) -> None:
    throttle, tries = Throttle(database, clock), scaled(50, least=5)

    async def knock() -> int:
        return sum([(await throttle.admit("ada", limit=20, per_s=60)).allowed for _ in range(tries)])

    assert sum(await asyncio.gather(*(knock() for _ in range(16)))) == 20


async def test_idle_keys_are_pruned_and_nobody_notices(database: Database, clock: ManualClock) -> None:
    throttle = Throttle(database, clock)
    await throttle.admit("ada", limit=1, per_s=60)
    assert await throttle.prune() == 0
    clock.advance(60)
    assert await throttle.prune() == 1
    assert (await throttle.admit("ada", limit=1, per_s=60)).allowed


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_redis_changes_no_outcome(
    database: Database, clock: ManualClock, redis_server: RedisServer, redis: RedisGateway, trouble: str
) -> None:
    throttle, reference = Throttle(database, clock, redis), Reference(limit=5, per_s=10)
    chance, count = random.Random(trouble), scaled(300, least=60)
    for number in range(count):
        if number == count // 2:
            TROUBLES[trouble](redis_server)
        clock.advance(chance.choice([0, 0, 0, 0.5, 1, 3]))
        began = time.monotonic()
        admission = await throttle.admit("ada", limit=5, per_s=10)
        assert time.monotonic() - began < 1
        assert admission.allowed == reference.admits(clock.monotonic())


async def test_redis_that_stalls_costs_less_than_a_second_in_all(
    database: Database, clock: ManualClock, redis_server: RedisServer, redis: RedisGateway
) -> None:
    throttle = Throttle(database, clock, redis)
    redis_server.stall()
    began = time.monotonic()
    for _ in range(5):
        await throttle.admit("ada", limit=1, per_s=60)
    assert time.monotonic() - began < 1
    assert redis.degraded


async def test_redis_that_comes_back_is_used_again(redis_server: RedisServer, redis: RedisGateway) -> None:
    assert await redis.put("a", "b", ttl_s=60)
    redis_server.stall()
    assert [await redis.get("a"), await redis.get("a")] == [None, None]
    assert redis.degraded
    redis_server.resume()
    await asyncio.sleep(0.35)
    assert await redis.get("a") == "b"
    assert not redis.degraded


async def test_redis_that_never_was_there_is_no_error(clock: ManualClock) -> None:
    gateway = RedisGateway("redis://127.0.0.1:1/0", clock)
    assert not await gateway.ping()
    assert await gateway.get("a") is None
    assert not await gateway.put("a", "b", ttl_s=1)
    assert gateway.degraded
    await gateway.close()


async def test_what_was_counted_while_the_clock_was_ahead_holds_nobody_up(database: Database) -> None:
    ahead, right = ManualClock(), ManualClock()
    ahead.advance(2 * 86_400)
    for _ in range(5):
        await Throttle(database, ahead).admit("ada", limit=4, per_s=60)

    admitted = [(await Throttle(database, right).admit("ada", limit=4, per_s=60)).allowed for _ in range(6)]
    assert admitted == [True] * 4 + [False] * 2


async def test_of_several_costs_none_is_counted_when_one_is_refused(database: Database) -> None:
    throttle = Throttle(database, ManualClock())
    limits = {"files:ada": 3, "megabytes:ada": 10}

    async def send(megabytes: int) -> Admission:
        return await throttle.admit_together(limits, per_s=86_400, costs={"megabytes:ada": megabytes})

    assert (await send(8)).allowed
    refused = [await send(5) for _ in range(5)]
    assert not any(each.allowed for each in refused)
    assert all(0 < each.retry_after_s <= 86_400 for each in refused)
    assert (await send(1)).allowed
    assert (await send(1)).allowed
    assert not (await send(0)).allowed
    assert (await send(11)).retry_after_s == 86_400
