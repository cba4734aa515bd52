"""A question that stands nowhere to be read is repeated above its answer."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.events import Message
from storage.database import Database
from tests.bot.channel import Channel
from tests.scenarios.world import World, actions, words, world_in

QUESTION = "When does a VPN session end?"


@pytest.fixture
async def world(tmp_path: Path, database: Database) -> AsyncIterator[World]:
    async with world_in(tmp_path, database) as made:
        yield made


async def ask(channel: Channel, text: str, *, private: bool = False) -> None:
    event = channel.event("ada")
    if private:
        event |= {"address": channel.world.chat.address("ada"), "thread": "memory:ada:main"}
    await channel.world.chat.deliver(Message(**event, text=text, private=private, unseen=True))
    await channel.settle()


async def test_others_learn_who_asked_what(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await ask(channel, QUESTION)

    assert channel.seen()[0].startswith(f"Ada Adler asked: {QUESTION}\n")
    assert channel.cards()[0].fallback.startswith("A VPN session ends after 12 hours")


async def test_alone_one_is_told_what_one_asked(world: World) -> None:
    await ask(Channel(world, ["ada"]), f"/desk ask {QUESTION}", private=True)

    assert words(world.newest("ada").card).startswith(f"You asked: {QUESTION}\n")


async def test_a_long_question_is_cut_even_without_spaces(world: World) -> None:
    await ask(Channel(world, ["ada"]), f"{QUESTION} {'好' * 600}", private=True)
    first = words(world.newest("ada").card).splitlines()[0]

    assert first.startswith("您问：When does")
    assert first.endswith("好…")
    assert len(first) < 320


async def test_what_was_written_for_all_to_see_is_not_repeated(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", QUESTION)

    assert "asked:" not in channel.seen()[0]


async def test_a_ticket_draft_shows_what_it_was_made_from_already(world: World) -> None:
    await ask(Channel(world, ["ada"]), "My laptop does not start. Please open a ticket.", private=True)
    card = world.newest("ada").card

    assert actions(card) & {"draft.confirm", "draft.edit"}
    assert "You asked" not in words(card)


async def test_a_private_answer_says_what_it_answers(tmp_path: Path, database: Database) -> None:
    page = tmp_path / "pages" / "targets.md"
    page.parent.mkdir()
    page.write_text(
        "---\naccess:\n  allow: [person:ada]\n---\n\n# Targets\n\n## North\n\nThe northern target is 512 crates.\n"
    )
    async with world_in(tmp_path, database) as world:
        channel = Channel(world, ["ada", "ben"])
        await channel.say("ada", "What is the northern target in crates?")
        _, offer = world.chat.whispers[-1]
        await channel.press("ada", offer, "answer.private")

        assert words(world.newest("ada", "general").card).startswith("You asked: What is the northern target")
