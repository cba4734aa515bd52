"""A platform that cannot be reached costs nobody an answer, and nothing is said twice."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.events import Account, Address, Message
from adapters.memory import MemoryChat
from adapters.port import Members, Unavailable, Undeliverable
from storage.clock import ManualClock
from storage.database import Database
from tests.scenarios.world import ACCOUNTS, World, words, world_in

QUESTION = "When does a VPN session end?"


class Platform(MemoryChat):
    """A recording chat that can be away, and that may not know somebody."""

    def __init__(self) -> None:
        super().__init__(people=ACCOUNTS)
        self.away_for: list[float] = []
        self.knows_nobody = False
        self.counts_nobody = False

    async def members(self, address: Address) -> Members:
        if self.counts_nobody:
            raise Undeliverable("missing_scope")
        return await super().members(address)

    async def identify(self, account: Account, address: Address) -> Account:
        del address
        if self.away_for:
            raise Unavailable("away", retry_after_s=self.away_for.pop(0))
        if self.knows_nobody:
            raise Undeliverable("user_not_found")
        return account


@pytest.fixture
def platform() -> Platform:
    return Platform()


@pytest.fixture
async def world(tmp_path: Path, database: Database, platform: Platform) -> AsyncIterator[World]:
    async with world_in(tmp_path, database, chat=platform, clock=ManualClock()) as made:
        yield made


async def test_an_event_waits_until_its_platform_is_back(world: World, platform: Platform) -> None:
    platform.away_for = [30.0] * 10  # more often than an event is attempted
    card = await world.say("ada", QUESTION)

    assert "12 hours" in words(card)
    assert len(world.all("ada")) == 1


async def test_events_of_one_thread_keep_their_order_meanwhile(world: World, platform: Platform) -> None:
    platform.away_for = [30.0, 5.0]
    await platform.say("ada", QUESTION)
    await platform.say("ada", "/desk help")
    await world.settle("ada")

    assert ["12 hours" in words(each.card) for each in world.all("ada")] == [True, False]


async def test_a_post_waits_too_and_is_no_failure(world: World, platform: Platform) -> None:
    await platform.say("ada", QUESTION)
    await world.desk.inbox.drain()
    platform.refuse = Unavailable("rate limited", retry_after_s=20)
    await world.desk.outbox.drain_once()
    assert world.all("ada") == ()
    await world.desk.outbox.drain_once()
    assert world.all("ada") == ()
    assert isinstance(world.desk.clock, ManualClock)
    world.desk.clock.advance(21)
    await world.desk.outbox.drain_once()

    assert len(world.all("ada")) == 1


async def test_somebody_whom_the_platform_does_not_know_gets_no_more_than_the_public(
    world: World, platform: Platform
) -> None:
    platform.knows_nobody = True
    card = await world.say("ada", QUESTION)

    assert "12 hours" not in words(card)


async def test_where_nobody_can_tell_who_reads_along_only_public_documents_are_used(
    world: World, platform: Platform
) -> None:
    platform.counts_nobody = True
    event = Message(
        event_id="1",
        account=ACCOUNTS[0],
        address=platform.address("ada", members=["ada"]),
        thread="memory:general",
        received_at=datetime.now(UTC),
        text=QUESTION,
        private=False,
    )
    await platform.deliver(event)
    await world.desk.inbox.drain()
    await world.desk.outbox.drain_once()

    assert not any("12 hours" in words(each.card) for each in platform.posted())
    assert len(platform.posted()) == 1
