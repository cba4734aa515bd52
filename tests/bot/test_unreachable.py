"""Whoever takes the desk away from their chat is written to no more there, and those who run it hear of it once."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.cards import Card
from adapters.events import Account, Address
from adapters.memory import MemoryChat
from adapters.port import ANSWER, Gone, Sending
from bot.delivery import address_store
from storage.database import Database
from tests.bot.channel import Channel
from tests.scenarios.world import ACCOUNTS, World, button, words, world_in

REPORT = "My laptop 77 on floor 3 does not start, my extension is 4411. Please open a ticket."


class Platform(MemoryChat):
    """A recording chat that people can take the desk away from."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, people=[replace(each, platform=name) for each in ACCOUNTS])
        self.left: set[str] = set()
        self.closed = False  # channels are

    async def identify(self, account: Account, address: Address) -> Account:
        del address
        return account

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        if str(address["user"]) in self.left or (self.closed and "members" in address):
            raise Gone("MessageWritesBlocked")
        return await super().send(address, card, key=key, sending=sending)

    def news(self, user: str) -> list[str]:
        """Return what a person was told."""
        return [words(each.card) for each in self.posted() if str(each.address["user"]) == user]


@pytest.fixture
def first() -> Platform:
    return Platform("memory")


@pytest.fixture
def second() -> Platform:
    return Platform("second")


@pytest.fixture
async def world(tmp_path: Path, database: Database, first: Platform, second: Platform) -> AsyncIterator[World]:
    chats = {each.name: each for each in (first, second)}
    async with world_in(tmp_path, database, chat=first, chats=chats) as made:
        second.connect(made.desk.inbox.receive)
        yield made


async def filed(world: World) -> str:
    draft = await world.say("ada", REPORT)
    card = await world.press("ada", button(draft, "draft.confirm"))
    found = re.search(r"TCK-\d{4}-\d{6}", words(card))
    assert found is not None
    return found[0]


async def test_news_go_where_the_person_can_be_reached_still(world: World, first: Platform, second: Platform) -> None:
    number = await filed(world)
    await second.say("ada", "/desk status")
    await world.say("cleo", "/desk status")
    await world.settle("ada")
    first.left.add("ada")
    await world.say("ben", f"/desk ticket comment {number} I am on my way")

    assert any("I am on my way" in each for each in second.news("ada"))
    told = [each for each in first.news("cleo") if "Ada Adler cannot be reached in memory any more" in each]
    assert len(told) == 1


async def test_nobody_is_told_twice_and_nothing_is_tried_again_there(
    world: World, first: Platform, second: Platform
) -> None:
    number = await filed(world)
    await second.say("ada", "/desk status")
    await world.say("cleo", "/desk status")
    await world.settle("ada")
    first.left.add("ada")
    for word in ("first", "second"):
        await world.say("ben", f"/desk ticket comment {number} {word} remark")
        await second.say("ada", "/desk status")  # who writes is in a conversation: the next news go at once

    assert sum("cannot be reached" in each for each in first.news("cleo")) == 1
    assert [sum(f"{word} remark" in each for each in second.news("ada")) for word in ("first", "second")] == [1, 1]


async def test_whoever_writes_again_is_reached_again(world: World, first: Platform) -> None:
    number = await filed(world)
    first.left.add("ada")
    await world.say("ben", f"/desk ticket comment {number} nobody hears this")
    first.left.clear()
    await world.say("ada", "/desk status")
    await world.say("ben", f"/desk ticket comment {number} welcome back")

    assert not any("nobody hears this" in each and "wrote on" in each for each in first.news("ada"))
    assert any("welcome back" in each for each in first.news("ada"))


async def test_a_channel_without_the_desk_makes_nobody_unreachable(world: World, first: Platform) -> None:
    ada = Channel(world, ["ada", "ben"])
    await ada.say("ada", REPORT)
    await ada.press("ada", first.posted()[-1].card, "draft.confirm")
    (ticket,) = await world.desk.tickets.mine(await world.desk.people.named("ada"))
    await world.say("cleo", "/desk status")
    first.closed = True
    await world.say("ben", f"/desk ticket comment {ticket.number} I am on my way")

    told = [each for each in first.posted() if "I am on my way" in words(each.card)]
    assert [each.address for each in told if each.address["user"] == "ada"] == [
        first.privately(ada.event("ada")["address"])
    ]
    assert not any("cannot be reached" in each for each in first.news("cleo"))


async def test_somebody_is_known_by_what_they_press_too(world: World, first: Platform, second: Platform) -> None:
    draft = await world.say("ada", REPORT)
    await second.say("ada", "/desk status")
    await world.settle("ada")
    await world.press("ada", button(draft, "draft.confirm"))

    async with world.desk.database.reading() as session:
        known = await address_store.addresses_of(session, "ada")
    assert [each.platform for each in known] == [first.name, second.name]


async def test_somebody_with_no_other_place_costs_the_others_nothing(world: World, first: Platform) -> None:
    number = await filed(world)
    first.left.add("ada")
    await world.say("ben", f"/desk ticket comment {number} I am on my way")
    card = await world.say("bao", "/desk status")

    assert words(card)
