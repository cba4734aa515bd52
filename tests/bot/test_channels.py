"""Where others read along: what an answer is made of, and what only one person sees."""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.cards import Form
from adapters.events import Event, FormSubmit, Press
from storage.database import Database
from tests.bot.channel import Channel
from tests.scenarios.world import ACCOUNTS, World, actions, words, world_in

REPORT = "My laptop does not start since this morning. Please open a ticket."
REPORT_WITH_ALL = "My laptop 77 on floor 3 does not start, my extension is 4411. Please open a ticket."
HR_PAGE = (
    "---\naccess:\n  allow: [person:ada]\n---\n\n# Sales targets\n\n"
    "## Northern region\n\nThe target of the northern region is 512 crates a week.\n"
)
TARGET = "What is the target of the northern region in crates a week?"


@pytest.fixture
async def world(tmp_path: Path, database: Database) -> AsyncIterator[World]:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "targets.md").write_text(HR_PAGE, encoding="utf-8")
    async with world_in(tmp_path, database) as made:
        yield made


def sent_form(form: Form, values: Mapping[str, str]) -> FormSubmit:
    """Return a form sent from a channel, whoever sends it."""
    blank = Event("", ACCOUNTS[0], {}, "", datetime.now(UTC))
    return FormSubmit(**vars(blank), form=form.form, id=form.id, nonce=form.nonce, values=values, private=False)


async def test_an_answer_in_a_channel_uses_what_everybody_there_may_read(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", "When does a VPN session end?")

    assert "12 hours" in channel.seen()[0]


async def test_what_only_the_asker_may_read_is_not_said_in_a_channel(world: World) -> None:
    assert "512" in words(await world.say("ada", TARGET))  # alone she is told
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", TARGET)

    assert len(channel.seen()) == 1
    assert "512" not in channel.seen()[0]
    assert any("I can answer you alone" in each for each in channel.whispered())


async def test_the_rest_is_offered_in_private_and_stays_there(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", TARGET)
    _, offer = world.chat.whispers[-1]
    await channel.press("ada", offer, "answer.private")

    assert "512" in words(world.newest("ada", "general").card)
    assert not any("512" in each for each in channel.seen())
    await channel.say("ada", "and how much is that?")
    assert not any("512" in each for each in channel.seen())


async def test_nobody_takes_up_an_offer_made_to_somebody_else(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", TARGET)
    _, offer = world.chat.whispers[-1]
    await channel.press("ben", offer, "answer.private")

    assert not any("512" in words(each.card) for each in world.chat.posted())
    assert not any("512" in each for each in channel.whispered())


async def test_a_guest_in_the_channel_narrows_it_to_the_public_documents(world: World) -> None:
    channel = Channel(world, ["ada", "gus"])
    await channel.say("ada", "When does a VPN session end?")

    assert "12 hours" not in channel.seen()[0]


async def test_where_anybody_may_join_no_more_than_staff_knowledge_is_used(world: World) -> None:
    channel = Channel(world, ["ada"], anybody=True)
    await channel.say("ada", TARGET)

    assert "512" not in channel.seen()[0]


async def test_alone_in_a_closed_channel_one_is_told_everything(world: World) -> None:
    channel = Channel(world, ["ada"])
    await channel.say("ada", TARGET)

    assert "512" in channel.seen()[0]


async def test_the_wrong_person_is_told_the_reason_alone(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", REPORT_WITH_ALL)
    card = next(card for card in channel.cards() if "draft.confirm" in actions(card))
    before = len(channel.seen())
    await channel.press("ben", card, "draft.confirm")

    assert any("Only Ada Adler" in each for each in channel.whispered())
    assert len(channel.seen()) == before


async def test_my_tickets_are_for_my_eyes(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", "/desk ticket list")
    await channel.say("ada", "/desk status")

    assert channel.seen() == []
    assert len(channel.whispered()) == 2


async def test_a_ticket_that_was_changed_is_shown_to_who_changed_it_alone(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", REPORT_WITH_ALL)
    await channel.press("ada", channel.cards()[0], "draft.confirm")
    ticket = channel.cards()[1]
    await channel.press("ada", ticket, "ticket.comment")
    _, form = world.chat.forms[-1]
    await channel.send_form("ada", sent_form(form, {"text": "Only mornings suit me."}))
    await channel.press("ada", ticket, "ticket.cancel")
    await channel.press("ada", channel.cards()[2], "approval.confirm")

    assert len(channel.seen()) == 3
    assert "Confirmed by Ada Adler" in channel.seen()[2]
    assert ["TCK-2026-000001" in each for each in channel.whispered()] == [True, True]


async def test_talk_in_a_thread_without_the_desk_is_not_answered(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", "When does a VPN session end?", addressed=False)

    assert channel.seen() == []


async def test_a_follow_up_in_a_thread_with_the_desk_needs_no_mention(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", "When does a VPN session end?")
    await channel.say("ada", "How do I install the client?", addressed=False)

    assert "Tidegate" in channel.seen()[1]


async def test_what_was_typed_into_a_form_that_came_to_nothing_is_given_back(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", REPORT_WITH_ALL)
    card = next(card for card in channel.cards() if "draft.edit" in actions(card))
    await channel.press("ada", card, "draft.edit")
    _, form = world.chat.forms[-1]
    await channel.press("ada", card, "draft.discard")
    values = {field.name: field.value for field in form.fields} | {"title": "A long and careful title"}
    await channel.send_form("ada", sent_form(form, values))

    given_back = next(each for each in channel.whispered() if "This is what you typed" in each)
    assert "Title: A long and careful title" in given_back
    assert "Category: Hardware\n" in given_back
    assert "Priority: normal" in given_back


async def test_the_help_shows_the_verbs_that_somebody_may_use(world: World) -> None:
    staff = words(await world.say("ada", "/desk help"))
    guest = words(await world.say("gus", "/desk help"))

    assert "/desk ticket urge TCK-2026-000123" in staff
    assert "/desk ticket" not in guest
    assert "/desk ask" in guest
    assert "sql" not in staff


async def test_a_ticket_is_drafted_from_somebodys_message(world: World) -> None:
    event = Channel(world, ["ada"]).event("ada") | {"address": world.chat.address("ada"), "thread": "memory:ada:main"}
    await world.chat.deliver(Press(**event, action="draft.from_message", id="", nonce="", text=REPORT))
    card = await world.settle("ada")

    assert "laptop does not start" in words(card)
    assert actions(card) & {"draft.confirm", "draft.edit"}


async def test_private_answers_count_like_questions(world: World) -> None:
    channel = Channel(world, ["ada", "ben"])
    await channel.say("ada", TARGET)
    _, offer = world.chat.whispers[-1]
    heard = set[str]()
    for _ in range(3 * world.desk.settings.limits.messages_per_minute):  # two minutes may share the first of them
        await channel.press("ada", offer, "answer.private")
        heard.add(words(world.newest("ada", "general").card))
        if any("That was a lot at once" in card for card in heard):
            return

    raise AssertionError(heard)
