"""What is done once is done once, whoever tries and however often."""

import asyncio
from datetime import timedelta

from storage import once
from storage.clock import ManualClock
from storage.database import Database
from storage.once import Busy, Fresh, Mismatch, Replay
from tests.scale import scaled

TASKS = 16
CLAIMS = scaled(50, least=8)


async def begin(database: Database, clock: ManualClock, *, fingerprint: str = "f", lease_s: float = 60) -> object:
    async with database.transaction() as session:
        return await once.begin(
            session, scope="s", key="k", fingerprint=fingerprint, now=clock.now(), window_s=600, lease_s=lease_s
        )


async def finish(database: Database, *, fence: int | None = None) -> bool:
    async with database.transaction() as session:
        return await once.finish(session, scope="s", key="k", response={"ticket": "TCK-1"}, fence=fence)


async def test_each_event_has_exactly_one_claimant(database: Database, clock: ManualClock) -> None:
    async def claim_all() -> list[bool]:
        won = []
        for number in range(CLAIMS):
            async with database.transaction() as session:
                won.append(await once.claim(session, source="slack", event_id=f"E{number}", now=clock.now()))
        return won

    rounds = await asyncio.gather(*(claim_all() for _ in range(TASKS)))
    assert [sum(won) for won in zip(*rounds, strict=True)] == [1] * CLAIMS


async def test_an_event_of_another_source_is_another_event(database: Database, clock: ManualClock) -> None:
    async with database.transaction() as session:
        assert await once.claim(session, source="slack", event_id="E1", now=clock.now())
        assert await once.claim(session, source="teams", event_id="E1", now=clock.now())
        assert not await once.claim(session, source="slack", event_id="E1", now=clock.now())


async def test_each_key_has_exactly_one_beginner(database: Database, clock: ManualClock) -> None:
    async def begin_all() -> list[bool]:
        fresh = []
        for number in range(CLAIMS):
            async with database.transaction() as session:
                begun = await once.begin(
                    session, scope="s", key=f"K{number}", fingerprint="f", now=clock.now(), window_s=60
                )
            assert isinstance(begun, Fresh | Busy)
            fresh.append(isinstance(begun, Fresh))
        return fresh

    rounds = await asyncio.gather(*(begin_all() for _ in range(TASKS)))
    assert [sum(fresh) for fresh in zip(*rounds, strict=True)] == [1] * CLAIMS


async def test_the_first_answer_is_replayed(database: Database, clock: ManualClock) -> None:
    assert await begin(database, clock) == Fresh(fence=1)
    assert await finish(database)
    clock.advance(599)
    assert await begin(database, clock) == Replay({"ticket": "TCK-1"})


async def test_the_window_counts_from_the_first_begin(database: Database, clock: ManualClock) -> None:
    await begin(database, clock)
    await finish(database)
    clock.advance(300)
    assert await begin(database, clock) == Replay({"ticket": "TCK-1"})
    clock.advance(300)
    assert await begin(database, clock) == Fresh(fence=2)


async def test_another_request_under_the_same_key_is_refused(database: Database, clock: ManualClock) -> None:
    await begin(database, clock)
    assert await begin(database, clock, fingerprint="other") == Mismatch()
    await finish(database)
    assert await begin(database, clock, fingerprint="other") == Mismatch()


async def test_who_is_at_it_is_left_alone_until_the_lease_is_over(database: Database, clock: ManualClock) -> None:
    await begin(database, clock)
    clock.advance(59)
    assert await begin(database, clock) == Busy(until=clock.now() + timedelta(seconds=1))
    clock.advance(1)
    assert await begin(database, clock) == Fresh(fence=2, retaken=True)


async def test_who_lost_the_work_cannot_finish_it(database: Database, clock: ManualClock) -> None:
    await begin(database, clock, lease_s=1)
    clock.advance(1)
    await begin(database, clock)
    assert not await finish(database, fence=1)
    assert await finish(database, fence=2)


async def test_a_dead_lease_has_one_heir(database: Database, clock: ManualClock) -> None:
    await begin(database, clock, lease_s=1)
    clock.advance(1)
    begun = await asyncio.gather(*(begin(database, clock) for _ in range(TASKS)))
    assert sorted(type(result).__name__ for result in begun) == ["Busy"] * (TASKS - 1) + ["Fresh"]


async def test_a_long_run_outlives_its_window(database: Database, clock: ManualClock) -> None:
    await begin(database, clock, lease_s=6000)
    clock.advance(700)
    assert isinstance(await begin(database, clock), Busy)


async def test_what_was_abandoned_may_be_begun_again(database: Database, clock: ManualClock) -> None:
    await begin(database, clock)
    async with database.transaction() as session:
        assert await once.abandon(session, scope="s", key="k")
    assert await begin(database, clock) == Fresh(fence=1)


async def test_what_is_done_cannot_be_abandoned(database: Database, clock: ManualClock) -> None:
    await begin(database, clock)
    await finish(database)
    async with database.transaction() as session:
        assert not await once.abandon(session, scope="s", key="k")
    assert isinstance(await begin(database, clock), Replay)


async def test_what_is_over_is_pruned(database: Database, clock: ManualClock) -> None:
    await begin(database, clock)
    await finish(database)
    clock.advance(601)
    async with database.transaction() as session:
        await once.claim(session, source="slack", event_id="E1", now=clock.now())
        assert await once.prune(session, now=clock.now(), events_before=clock.now()) == 1
        assert await once.prune(session, now=clock.now(), events_before=clock.now() + timedelta(seconds=1)) == 1
