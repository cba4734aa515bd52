"""Where others read along, they press what is not theirs: they are told why not, alone, and nothing happens."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.cards import Buttons, Card
from storage.database import Database
from tests.bot.channel import Channel
from tests.scenarios.world import World, actions, words, world_in

REPORT = "My laptop 77 on floor 3 does not start, my extension is 4411. Please open a ticket."
UNKNOWN = "Which colour does the moon of Barnard's star have?"


@pytest.fixture
async def world(tmp_path: Path, database: Database) -> AsyncIterator[World]:
    async with world_in(tmp_path, database) as made:
        yield made


@pytest.fixture
def channel(world: World) -> Channel:
    return Channel(world, ["ada", "ben"])


def with_action(channel: Channel, action: str) -> Card:
    return next(card for card in channel.cards() if action in actions(card))


async def test_only_who_asked_rates_an_answer(channel: Channel, caplog: pytest.LogCaptureFixture) -> None:
    await channel.say("ada", "When does a VPN session end?")
    seen = channel.seen()
    with caplog.at_level(logging.ERROR):
        await channel.rate("ben", channel.cards()[0], verdict="down")
        await channel.rate("ben", channel.cards()[0], verdict="down", reason="too long")

    assert channel.seen() == seen
    assert channel.whispered() == ["Only the person who asked can rate this answer."] * 2
    assert not caplog.records


async def test_a_question_of_somebody_else_is_not_made_a_ticket(channel: Channel) -> None:
    await channel.say("ada", UNKNOWN)
    seen = channel.seen()
    await channel.press("ben", with_action(channel, "draft.start"), "draft.start")

    assert channel.seen() == seen
    assert channel.whispered()[-1].startswith("This belongs to somebody else")


@pytest.mark.parametrize("action", ["draft.edit", "draft.discard", "draft.confirm"])
async def test_a_draft_is_its_requesters(channel: Channel, action: str) -> None:
    await channel.say("ada", REPORT)
    await channel.press("ben", with_action(channel, action), action)

    assert channel.whispered() == ["Only Ada Adler can confirm, change or discard this draft."]
    assert channel.world.chat.forms == []


async def test_a_draft_that_is_gone_says_so_instead_of_opening_its_form(channel: Channel) -> None:
    await channel.say("ada", REPORT)
    old = with_action(channel, "draft.edit")
    await channel.press("ada", old, "draft.discard")
    await channel.press("ada", old, "draft.edit")

    assert channel.world.chat.forms == []
    assert channel.whispered()[-1].startswith("This draft was already discarded by Ada Adler")


async def test_what_cannot_be_done_any_more_is_told_in_words(channel: Channel) -> None:
    await channel.say("ada", REPORT)
    await channel.press("ada", with_action(channel, "draft.confirm"), "draft.confirm")
    await channel.press("ada", with_action(channel, "ticket.cancel"), "ticket.cancel")
    asked = with_action(channel, "approval.confirm")
    await channel.say("ben", "/desk ticket assign TCK-2026-000001 Ben")
    await channel.press("ada", asked, "approval.confirm")

    shown = next(words(card) for card in channel.cards() if "Cancel the ticket" in words(card))
    assert "The ticket has changed since" in shown
    assert "done: changed" not in shown


async def test_an_approval_says_whom_it_waits_for(channel: Channel) -> None:
    await channel.say("ada", REPORT)
    await channel.press("ada", with_action(channel, "draft.confirm"), "draft.confirm")
    await channel.press("ada", with_action(channel, "ticket.cancel"), "ticket.cancel")

    assert "Waits for Ada Adler until" in words(with_action(channel, "approval.confirm"))


async def test_a_guest_is_offered_no_ticket(world: World) -> None:
    card = await world.say("gus", UNKNOWN)

    assert "Shall I draft a ticket" not in words(card)
    assert not any(isinstance(block, Buttons) for block in card.blocks)


@pytest.mark.parametrize(
    "said", ["The printer on floor 3 jams", "/desk ticket list", "/desk ticket new The door is stuck"]
)
async def test_a_guest_is_told_what_guests_can_do(world: World, said: str) -> None:
    card = await world.say("gus", said)

    assert words(card) == "As a guest you can ask about public documents. Tickets are for staff."


async def test_a_guest_who_presses_is_told_the_same(world: World) -> None:
    channel = Channel(world, ["ada", "gus"])
    await channel.say("ada", REPORT)
    await channel.press("gus", with_action(channel, "draft.confirm"), "draft.confirm")

    assert channel.whispered() == ["As a guest you can ask about public documents. Tickets are for staff."]


async def test_beside_a_draft_no_private_answer_is_offered(tmp_path: Path, database: Database) -> None:
    page = tmp_path / "pages" / "laptops.md"
    page.parent.mkdir()
    page.write_text(
        "---\naccess:\n  allow: [person:ada]\n---\n\n# Laptop\n\n## Floor 3\n\nA laptop that does not start.\n"
    )
    async with world_in(tmp_path, database) as world:
        channel = Channel(world, ["ada", "ben"])
        await channel.say("ada", REPORT)

        assert "draft.confirm" in actions(channel.cards()[0])
        assert channel.whispered() == []
