"""The main job through the whole desk: ask, report, complete, confirm, take, resolve, be told."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.port import Invalid
from storage.database import Database
from tests.scenarios.world import World, account, actions, button, words, world_in

REPORT = "My laptop does not start since this morning. Please open a ticket."


@pytest.fixture
async def world(tmp_path: Path, database: Database) -> AsyncIterator[World]:
    async with world_in(tmp_path, database) as made:
        yield made


async def draft(world: World, user: str = "ada", text: str = REPORT) -> None:
    await world.say(user, text)


async def filed(world: World, user: str = "ada") -> str:
    card = await world.say(user, REPORT)
    if "draft.confirm" not in actions(card):
        await world.fill(user, button(card, "draft.edit"), FIELDS)
        card = world.draft_card(user)
    card = await world.press(user, button(card, "draft.confirm"))
    return words(card).split("TCK-")[1][:11]


FIELDS = {"location": "Floor 3", "contact": "ext 4411", "device": "Laptop 77"}


async def test_a_question_is_answered_with_its_source(world: World) -> None:
    card = await world.say("ada", "When does a VPN session end?")

    assert "12 hours" in words(card)
    assert "VPN > Session length" in words(card)


async def test_a_chinese_question_is_answered_in_chinese(world: World) -> None:
    card = await world.say("bao", "VPN 会话多长时间后结束？")

    assert "12 小时后结束" in words(card)
    assert "来源" not in words(card) or card.language == "zh"


async def test_what_one_may_not_see_gets_the_words_of_nothing(world: World) -> None:
    forbidden = await world.say("ada", "What does band seven start at in euros a year?", thread="a")
    nothing = await world.say("ada", "What is the boiling point of tungsten carbide slurry?", thread="b")

    assert words(forbidden) == words(nothing)
    assert "draft.start" in actions(forbidden)


async def test_nothing_found_can_become_a_draft(world: World) -> None:
    card = await world.say("ada", "How do I order a standing desk for the Lisbon office?")
    card = await world.press("ada", button(card, "draft.start"))

    assert "standing desk for the Lisbon office" in words(card)
    assert actions(card) & {"draft.confirm", "draft.edit"}


async def test_a_report_becomes_a_ticket_after_one_button_and_the_requester_is_told(world: World) -> None:
    number = f"TCK-{await filed(world)}"

    assert number in words(await world.say("ada", "What about my last ticket?"))
    taken = await world.say("ben", f"/desk ticket show {number}")
    await world.press("ben", button(taken, "ticket.assign_me"))
    assert f"Ben Brook is working on {number}" in words(world.newest("ada").card)

    await world.fill("ben", button(taken, "ticket.resolve"), {"text": "New power supply"})
    told = words(world.newest("ada").card)
    assert f"Ben Brook resolved {number}: New power supply" in told


async def test_what_is_missing_can_be_said_in_the_thread(world: World) -> None:
    await world.say("ada", "The printer is broken")
    await world.say("ada", "it is next to the coffee corner on floor 3")
    card = world.draft_card("ada")

    assert "coffee corner on floor 3" in words(card) or "floor 3" in words(card)
    assert "draft.confirm" in actions(card)


async def test_a_filed_draft_no_longer_waits_for_an_answer(world: World) -> None:
    number = await filed(world)
    card = await world.say("ada", "Please urge it")

    assert f"TCK-{number} was urged" in words(card)


async def test_who_takes_a_ticket_in_words_is_named_and_not_offered_it_again(world: World) -> None:
    number = f"TCK-{await filed(world)}"
    card = await world.say("ben", f"take {number}")

    assert f"{number} is assigned to Ben Brook." in words(card)
    assert "ticket.assign_me" not in actions(card)


async def test_an_older_card_of_a_draft_stays_short_when_the_draft_is_filed(world: World) -> None:
    await world.say("ada", "The printer is broken")
    await world.say("ada", "it is next to the coffee corner on floor 3")
    await world.press("ada", button(world.draft_card("ada"), "draft.confirm"))
    older, newest = [posted.card for posted in world.all("ada") if "Ticket draft" in words(posted.card)]

    assert "Filed as TCK-" in words(older)
    assert "Priority" in words(newest)
    assert "Priority" not in words(older)


async def test_the_draft_card_shows_its_end_to_everybody_who_sees_it(world: World) -> None:
    number = await filed(world)

    ends = [words(posted.card) for posted in world.all("ada") if "Ticket draft" in words(posted.card)]
    assert ends
    assert all(f"Filed as TCK-{number} by Ada Adler" in end for end in ends)


async def test_a_double_press_makes_one_ticket_and_says_so(world: World) -> None:
    card = await world.say("ada", REPORT)
    if "draft.confirm" not in actions(card):
        await world.fill("ada", button(card, "draft.edit"), FIELDS)
        card = world.draft_card("ada")
    confirm = button(card, "draft.confirm")
    await asyncio.gather(*(world.chat.press("ada", confirm, thread=f"browser-{n}") for n in range(2)))
    await world.settle("ada", "browser-0")

    said = sorted(words(world.newest("ada", f"browser-{n}").card) for n in range(2))
    assert sum("is filed" in each for each in said) == 1
    assert sum("already filed as TCK-" in each for each in said) == 1
    assert len(await world.desk.tickets.mine(await world.desk.people.named("ada"))) == 1


async def test_only_the_requester_can_confirm(world: World) -> None:
    card = await world.say("ada", REPORT)
    if "draft.confirm" not in actions(card):
        await world.fill("ada", button(card, "draft.edit"), FIELDS)
        card = world.draft_card("ada")
    refused = await world.press("ben", button(card, "draft.confirm"))

    assert "Only Ada Adler can confirm" in words(refused)
    assert await world.desk.tickets.mine(await world.desk.people.named("ada")) == ()


async def test_a_form_with_a_missing_value_stays_open_with_the_error(world: World) -> None:
    card = await world.say("ada", REPORT)
    receipt = await world.submit("ada", button(card, "draft.edit"), {"title": "", "description": "x"})

    assert isinstance(receipt, Invalid)
    assert receipt.errors["title"] == "Please fill this in."


async def test_cancelling_waits_for_a_button_and_a_changed_ticket_is_left_alone(world: World) -> None:
    number = f"TCK-{await filed(world)}"
    asked = await world.say("ada", f"Please cancel {number}")
    assert "approval.confirm" in actions(asked)
    assert number in words(asked)
    await world.say("ben", f"/desk ticket comment {number} I am on my way")
    refused = await world.press("ada", button(asked, "approval.confirm"))
    assert "has changed since" in words(refused)

    again = await world.say("ada", f"Please cancel {number}")
    await world.press("ada", button(again, "approval.confirm"))
    assert "cancelled" in words(await world.say("ada", f"/desk ticket show {number}"))


async def test_a_ticket_is_assigned_by_first_name(world: World) -> None:
    number = f"TCK-{await filed(world)}"
    card = await world.say("cleo", f"/desk ticket assign {number} Ben")

    assert "Ben Brook" in words(card)


async def test_somebody_else_cannot_decide(world: World) -> None:
    number = f"TCK-{await filed(world)}"
    asked = await world.say("ada", f"Please cancel {number}")
    refused = await world.press("ben", button(asked, "approval.confirm"))

    assert "Only Ada Adler can decide" in words(refused)


async def test_the_same_sentence_twice_within_a_minute_is_one_draft(world: World) -> None:
    await world.say("ada", REPORT)
    await world.say("ada", REPORT)

    assert len(await world.desk.tickets.open_drafts(await world.desk.people.named("ada"))) == 1


async def test_a_redelivered_message_gets_one_answer(world: World) -> None:
    for _ in range(3):
        await world.say("ada", "When does a VPN session end?", event_id="E1")

    assert len(world.all("ada")) == 1


async def test_two_messages_sent_at_once_are_answered_in_order(world: World) -> None:
    await asyncio.gather(
        world.chat.say("ada", "When does a VPN session end?"),
        world.chat.say("ada", "/desk help"),
    )
    await world.settle("ada")

    first, second = world.all("ada")
    assert "12 hours" in words(first.card)
    assert "/desk ticket new" in words(second.card)


async def test_a_guest_gets_public_knowledge_only_and_no_ticket(world: World) -> None:
    nothing = await world.say("gus", "When does a VPN session end?")
    refused = await world.say("gus", REPORT)

    assert "12 hours" not in words(nothing)
    assert not actions(refused) & {"draft.confirm", "draft.edit"}


async def test_an_unverified_address_is_nobody_in_particular(tmp_path: Path, database: Database) -> None:
    stranger = account("ben", verified=False)
    async with world_in(tmp_path, database, people=[stranger]) as world:
        await world.say("ben", "/desk ticket list")
        actor = await world.desk.people.behind(stranger)

        assert actor.id != "ben"
        assert actor.roles == frozenset()


async def test_out_of_scope_is_refused_with_the_reason(world: World) -> None:
    card = await world.say("ada", "Tell me a joke about penguins")

    assert "I answer from the company's documents" in words(card)


async def test_a_judgement_is_kept_with_the_run(world: World) -> None:
    await world.say("ada", "When does a VPN session end?")
    ada = await world.desk.people.named("ada")
    (run,) = await world.desk.runs.list(ada)
    await world.chat.rate("ada", run.id, verdict="down", reason="It was 10 hours")
    await world.desk.inbox.drain()

    shown = await world.desk.runs.show(ada, run.id)
    assert shown.feedback is not None
    assert (shown.feedback.verdict, shown.feedback.reason) == ("down", "It was 10 hours")


async def test_too_many_messages_get_a_kind_word(world: World) -> None:
    for _ in range(world.desk.settings.limits.messages_per_minute):
        await world.chat.say("ada", "/desk help")
    card = await world.say("ada", "/desk help")

    assert "Please try again in" in words(card)
