"""One holder at a time, on the database's clock, whoever dies."""

import asyncio

from storage.database import Database
from storage.queue import leases
from storage.queue.leases import Lease


async def acquire(database: Database, owner: str = "a", *, ttl_s: float = 60) -> Lease | None:
    async with database.transaction() as session:
        return await leases.acquire(session, name="work", owner=owner, ttl_s=ttl_s)


async def renew(database: Database, lease: Lease) -> Lease | None:
    async with database.transaction() as session:
        return await leases.renew(session, lease, 60)


async def release(database: Database, lease: Lease) -> None:
    async with database.transaction() as session:
        await leases.release(session, lease)


async def test_a_lease_has_one_holder(database: Database) -> None:
    taken = await asyncio.gather(*(acquire(database, f"owner{number}") for number in range(16)))
    assert len([lease for lease in taken if lease is not None]) == 1
    assert await acquire(database) is None


async def test_a_lease_is_held_until_it_is_released_or_over(database: Database) -> None:
    async def is_held() -> bool:
        async with database.reading() as session:
            return await leases.is_held(session, name="work")

    assert not await is_held()
    lease = await acquire(database)
    assert lease is not None
    assert await is_held()
    await release(database, lease)
    assert not await is_held()
    assert await acquire(database, "b", ttl_s=0) is not None
    assert not await is_held()


async def test_a_released_lease_can_be_taken_with_a_higher_fence(database: Database) -> None:
    first = await acquire(database, "a")
    assert first is not None
    await release(database, first)
    second = await acquire(database, "b")
    assert second is not None
    assert (first.fence, second.fence) == (1, 2)


async def test_the_lease_of_a_dead_owner_ends_by_itself_and_is_lost_to_it(database: Database) -> None:
    dead = await acquire(database, "a", ttl_s=0.2)
    assert dead is not None
    assert await acquire(database, "b") is None
    await asyncio.sleep(0.25)
    heir = await acquire(database, "b")
    assert heir is not None
    assert heir.fence > dead.fence
    assert await renew(database, dead) is None
    await release(database, dead)
    assert await acquire(database, "c") is None, "a dead owner gave away what was not its own"


async def test_a_renewed_lease_lasts_longer(database: Database) -> None:
    lease = await acquire(database, "a", ttl_s=0.2)
    assert lease is not None
    renewed = await renew(database, lease)
    assert renewed is not None
    assert renewed.until > lease.until
    await asyncio.sleep(0.25)
    assert await acquire(database, "b") is None
