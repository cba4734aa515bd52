"""What is seen of an answer while it is made: in its turn, and by nobody for whom it is not meant."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.cards import Card, Note
from adapters.port import Unavailable
from bot.delivery import store
from bot.delivery.posts import Post, enqueue
from bot.rendering.texts.catalogue import say
from storage.clock import ManualClock
from storage.database import Database
from tests.bot.channel import Channel
from tests.scenarios.world import World, words, world_in

QUESTION = "When does a VPN session end?"


@pytest.fixture
async def world(tmp_path: Path, database: Database) -> AsyncIterator[World]:
    async with world_in(tmp_path, database, clock=ManualClock()) as made:
        yield made


async def test_nothing_is_shown_of_an_answer_while_an_earlier_one_waits(world: World) -> None:
    await world.chat.say("ada", QUESTION)
    await world.desk.inbox.drain()
    (first,) = world.chat.unfinished()
    world.chat.refuse = Unavailable("away", retry_after_s=60)
    await world.desk.outbox.drain_once()
    await world.chat.say("ada", QUESTION)
    await world.desk.inbox.drain()
    _, second = world.chat.unfinished()

    assert "12 hours" in "".join(first.pieces)
    assert (second.statuses, second.pieces) == ([], [])


async def test_where_others_read_along_nothing_stays_of_an_answer_for_one_person(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", "Show me my tickets.")

    assert channel.seen() == []
    assert len(channel.whispered()) == 1
    assert world.chat.unfinished() == ()


async def test_what_a_dead_process_left_open_is_ended_where_the_answer_is_for_one_person(world: World) -> None:
    address = dict(Channel(world, ["ada", "ben"]).event("ada")["address"])
    stream = await world.chat.stream(address, key="k1")
    await stream.status("Searching…")
    (left,) = world.chat.unfinished()
    post = Post("memory", address, Card((Note("Your tickets"),), "x"), key="k1", whisper=True, again=True)
    async with world.desk.database.transaction() as session:
        await store.open_stream(session, key="k1", reference=left.reference, now=datetime.now(UTC))
        await enqueue(session, post, line="k1")
    while await world.desk.outbox.drain_once():
        pass

    assert words(left.card) == say("en", "answer.elsewhere")
    assert [words(card) for _, card in world.chat.whispers] == ["Your tickets"]


async def test_alone_it_stays_and_is_ended(world: World) -> None:
    assert words(await world.say("ada", "Show me my tickets."))
    assert world.chat.unfinished() == ()
