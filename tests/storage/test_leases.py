"""One holder at a time, on the database's clock, whoever dies."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from storage import leases
from storage.database import Database
from storage.leases import Lease, Slot
from tests.processes import keep_running
from tests.scale import scaled
from tests.storage.slot_process import PERIOD_S

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


async def acquire(database: Database, owner: str = "a", *, ttl_s: float = 60) -> Lease | None:
    async with database.transaction() as session:
        return await leases.acquire(session, name="work", owner=owner, ttl_s=ttl_s)


async def renew(database: Database, lease: Lease) -> Lease | None:
    async with database.transaction() as session:
        return await leases.renew(session, lease, 60)


async def release(database: Database, lease: Lease) -> None:
    async with database.transaction() as session:
        await leases.release(session, lease)


async def claim_due(database: Database, owner: str = "a", *, ttl_s: float = 60) -> Slot | None:
    async with database.transaction() as session:
        return await leases.claim_due(session, name="job", owner=owner, ttl_s=ttl_s)


async def complete(database: Database, slot: Slot, next_run: datetime) -> bool:
    async with database.transaction() as session:
        return await leases.complete(session, slot, next_run)


async def ensure_job(database: Database, first_run: datetime = LONG_AGO) -> bool:
    async with database.transaction() as session:
        return await leases.ensure_job(session, name="job", first_run=first_run)


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


async def test_a_job_is_made_known_once(database: Database) -> None:
    assert await ensure_job(database)
    assert not await ensure_job(database, LONG_AGO + timedelta(days=1))
    slot = await claim_due(database)
    assert slot is not None
    assert slot.slot == LONG_AGO


async def test_a_slot_that_is_not_due_is_not_given(database: Database) -> None:
    await ensure_job(database, datetime.now(UTC) + timedelta(hours=1))
    assert await claim_due(database) is None


async def test_a_slot_has_one_holder_and_is_done_once(database: Database) -> None:
    await ensure_job(database)
    claims = await asyncio.gather(*(claim_due(database, f"owner{number}") for number in range(16)))
    (slot,) = [claim for claim in claims if claim is not None]
    assert await complete(database, slot, LONG_AGO + timedelta(hours=1))
    assert not await complete(database, slot, LONG_AGO + timedelta(hours=2))
    following = await claim_due(database)
    assert following is not None
    assert following.slot == LONG_AGO + timedelta(hours=1)
    async with database.reading() as session:
        assert await leases.completed_slots(session, name="job") == (LONG_AGO,)


async def test_whoever_lost_a_slot_cannot_complete_it(database: Database) -> None:
    await ensure_job(database)
    lost = await claim_due(database, "a", ttl_s=0.1)
    await asyncio.sleep(0.15)
    held = await claim_due(database, "b")
    assert lost is not None
    assert held is not None
    async with database.transaction() as session:
        assert not await leases.hold_slot(session, lost, 60)
        assert not await leases.give_back(session, lost)
    assert not await complete(database, lost, LONG_AGO + timedelta(hours=1))
    assert await complete(database, held, LONG_AGO + timedelta(hours=1))


async def test_a_slot_that_is_given_back_is_taken_at_once(database: Database) -> None:
    await ensure_job(database)
    slot = await claim_due(database, "a")
    assert slot is not None
    async with database.transaction() as session:
        assert await leases.give_back(session, slot)
    again = await claim_due(database, "b")
    assert again is not None
    assert again.slot == slot.slot


async def test_a_held_slot_stays_held(database: Database) -> None:
    await ensure_job(database)
    slot = await claim_due(database, "a", ttl_s=0.2)
    assert slot is not None
    async with database.transaction() as session:
        assert await leases.hold_slot(session, slot, 60)
    await asyncio.sleep(0.25)
    assert await claim_due(database, "b") is None


async def test_a_job_cannot_stand_still(database: Database) -> None:
    await ensure_job(database)
    slot = await claim_due(database)
    assert slot is not None
    with pytest.raises(ValueError, match="has to come after"):
        await complete(database, slot, slot.slot)


async def test_replicas_that_are_killed_miss_no_slot_and_double_none(database: Database, database_url: str) -> None:
    slots = scaled(100, least=15)
    async with database.transaction() as session:
        await session.execute(text("CREATE TABLE effects (slot TEXT)"))
        begin = await leases.database_now(session)
    await ensure_job(database, begin)

    async def keep_working(replica: int) -> int:
        def life(kills: int) -> list[str]:
            chances = ["--slots", str(slots), "--chance", "0.12", "--seed", str(1000 * replica + kills)]
            surely = [] if kills else ["--latest", str(1 + replica % 3)]
            return [database_url, *chances, *surely]

        return await keep_running("tests.storage.slot_process", life)

    kills = await asyncio.gather(*(keep_working(replica) for replica in range(4)))
    async with database.reading() as session:
        effects = sorted((await session.execute(text("SELECT slot FROM effects"))).scalars())
    assert effects == [(begin + timedelta(seconds=PERIOD_S) * number).isoformat() for number in range(len(effects))]
    assert len(effects) >= slots
    assert sum(kills) > 0
