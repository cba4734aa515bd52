"""What only Teams has: installs, one chat a person, bare commands, dialogs that wait, growing answers, old clients."""

import asyncio

import pytest

from tests.fakes.teams import activities
from tests.fakes.teams.people import Person
from tests.fakes.teams.records import Conversation, Message
from tests.scenarios.driver_teams import Pressable, TeamsDriver
from tests.scenarios.everywhere import on
from tests.scenarios.platforms import MAIN, Choice, Place, together
from tests.scenarios.stage import Stage
from tests.scenarios.steps import complete, filed, ready_draft
from tests.scenarios.story import ENGLISH, Story

pytestmark = on("teams_dialogs")


def driver(stage: Stage) -> TeamsDriver:
    assert isinstance(stage.driver, TeamsDriver)
    return stage.driver


def person(stage: Stage, name: str) -> Person:
    return driver(stage).person(name)


def conversation(stage: Stage, place: Place) -> Conversation:
    return driver(stage).teams.organisation.conversations[place.channel]


def said_by_the_desk(stage: Stage, name: str, where: Conversation | str = "chat") -> list[Message]:
    """Return the desk's messages that a person sees in a conversation, their chat with it by default."""
    bot = driver(stage).teams.organisation.bot.id
    return [each for each in person(stage, name).sees(where) if each.sender == bot]


async def test_who_installs_the_desk_is_welcomed_once(stage: Stage, told: Story) -> None:
    await person(stage, told.requester).install()
    (welcome,) = await stage.read(told.requester)

    assert told.says("welcome.text") in welcome.text
    assert told.says("welcome.examples.ask") in welcome.labels


async def test_who_joins_a_channel_of_the_desk_is_welcomed_there(stage: Stage) -> None:
    place = await stage.channels.channel("ada")
    driver(stage).teams.feed.joined(conversation(stage, place), person(stage, "ben").user)
    await stage.settle()

    (welcome,) = said_by_the_desk(stage, "ada", conversation(stage, place))
    assert ENGLISH.says("welcome.text") in person(stage, "ada").shown(welcome).words


async def test_the_home_stands_in_the_chat_and_is_edited_while_nothing_stands_below_it(stage: Stage) -> None:
    await stage.home("ada")
    before = len(said_by_the_desk(stage, "ada"))
    await ready_draft(stage, ENGLISH)
    home = await stage.home("ada")

    assert before == 1
    assert ENGLISH.says("draft.confirm") in home.labels


@pytest.mark.parametrize("words", ["help", "Help", "帮助", "/desk help"])
async def test_commands_need_no_prefix(stage: Stage, words: str) -> None:
    seen = await stage.say("ada", words)

    assert "ticket new" in seen.text


@pytest.mark.parametrize("words", ["help me with the VPN session", "ask", "ticket prices"])
async def test_what_only_begins_like_a_command_is_none(stage: Stage, words: str) -> None:
    assert "ticket new" not in (await stage.say("ada", words)).text


async def test_the_desk_is_named_anywhere_in_a_sentence(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    named = activities.mention(driver(stage).teams.organisation.bot.id, driver(stage).teams.organisation.bot.name)
    ada, where, organisation = person(stage, "ada"), conversation(stage, place), driver(stage).teams.organisation
    words = f"Hey {named['text']}, when does a VPN session end?"
    driver(stage).teams.feed.posted(
        ada.user, organisation.say(ada.user.id, where, text=words, entities=[named], text_format="plain")
    )
    await stage.settle()

    assert any(ENGLISH.answer in each.text for each in said_by_the_desk(stage, "ben", where))


async def test_what_is_for_one_person_alone_stands_in_their_chat_and_a_line_says_so(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    place = await stage.channels.channel(told.requester, "ben")
    await stage.say(told.requester, "ticket list", place)

    (pointer,) = await stage.read("ben", place)
    assert told.says("teams.see_chat") in pointer.text
    assert number in (await stage.read(told.requester, MAIN))[-1].text


async def test_what_is_edited_deleted_or_liked_is_not_asked_again(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    ada, where = person(stage, "ada"), conversation(stage, place)
    asked = await ada.mention(where, ENGLISH.question)
    await stage.settle()
    before = len(said_by_the_desk(stage, "ada", where))
    await ada.edit(asked, ENGLISH.follow_up)
    await stage.settle()
    await ada.react(said_by_the_desk(stage, "ada", where)[0], "like")
    await ada.delete(asked)
    await stage.settle()

    assert len(said_by_the_desk(stage, "ada", where)) == before


async def test_who_presses_is_told_at_once_that_it_was_taken(stage: Stage, told: Story) -> None:
    draft = await ready_draft(stage, told)
    await stage.press(told.requester, draft, told.says("draft.discard"))

    assert told.says("teams.taken") in person(stage, told.requester).notices


async def test_an_old_client_presses_by_a_message(stage: Stage, told: Story) -> None:
    draft = await ready_draft(stage, told)
    shown = draft.choice(told.says("draft.confirm")).handle
    assert isinstance(shown, Pressable)
    assert shown.control is not None
    old = shown.control.action["fallback"]
    teams, who = driver(stage).teams, person(stage, told.requester).user
    teams.deliveries.send(activities.value_message(teams.organisation, who, shown.on, value=old["data"]))
    await stage.settle()

    (ticket,) = await stage.desk.tickets.mine(await stage.desk.people.named(told.requester))
    assert ticket.description == told.report


async def test_a_form_that_cannot_be_stored_stays_open_with_all_that_was_typed(stage: Stage, told: Story) -> None:
    draft = await stage.say(told.requester, told.report)
    form = await stage.open(told.requester, draft, told.says("draft.complete"))
    given = complete(told)
    async with stage.desk.database.transaction():  # whoever else writes waits, for too long
        sending = asyncio.create_task(form.send(given))
        await asyncio.sleep(0.1)
        stage.clock.skip(6)
        assert await sending
    assert {label: form.values[label] for label in given} == given

    assert not await form.send({})
    await stage.settle()
    assert told.given in (await stage.read(told.requester))[0].text


async def test_a_press_that_cannot_be_stored_says_so_and_can_be_repeated(stage: Stage, told: Story) -> None:
    draft = await ready_draft(stage, told)
    confirm = draft.choice(told.says("draft.confirm"))
    async with stage.desk.database.transaction():
        pressing = asyncio.create_task(stage.driver.press(told.requester, confirm, MAIN))
        await asyncio.sleep(0.1)
        stage.clock.skip(6)
        await pressing
    assert person(stage, told.requester).notices[-1] == told.says("teams.not_saved")
    await stage.press(told.requester, draft, confirm.label)

    assert len(await stage.desk.tickets.mine(await stage.desk.people.named(told.requester))) == 1


@pytest.mark.settings(think_s=0.8)
async def test_an_answer_in_a_chat_grows_and_ends_with_its_sources(stage: Stage, told: Story) -> None:
    await stage.say(told.requester, told.question)
    text, card = said_by_the_desk(stage, told.requester)
    shown = person(stage, told.requester).shown(text)

    assert text.stream is not None
    assert text.stream.ending == "final"
    assert told.answer in shown.text
    assert shown.ai_generated
    assert told.cited in "".join(each.name for each in shown.citations)
    assert person(stage, told.requester).shown(card).rated


@pytest.mark.settings(think_s=0.8)
async def test_an_answer_in_a_channel_grows_in_one_message(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel(told.requester, "ben")
    await stage.say(told.requester, told.question, place)
    text, _card = said_by_the_desk(stage, "ben", conversation(stage, place))

    assert told.answer in text.text
    assert any(told.says("status.thinking") in str(each["text"]) for each in text.earlier)


async def test_only_who_asked_rates_an_answer_and_others_are_told_alone(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel(told.requester, "ben")
    seen = await stage.say(told.requester, told.question, place)
    (up,) = (each for each in seen.choices if isinstance(each.handle, Pressable) and each.handle.thumb == "like")
    await stage.driver.rate("ben", Choice(up.label, up.handle), place)
    await stage.settle()

    assert ENGLISH.says("feedback.not_yours") in together(await stage.read("ben", MAIN)).text
    assert ENGLISH.says("feedback.not_yours") not in together(await stage.read(told.requester, MAIN)).text


async def test_a_pressed_suggestion_is_answered_below_the_question_and_who_asked_it(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel(told.requester, "ben")
    seen = await stage.say(told.requester, told.question, place)
    suggested = next(each for each in seen.labels if each.endswith(("?", "？")))
    below = await stage.press("ben", seen, suggested, place)

    assert told.says("answer.asked", name="Ben Brook", question="") in below.text
    assert {each.root for each in said_by_the_desk(stage, "ben", conversation(stage, place))} == {
        driver(stage).thread(place).partition(";messageid=")[2]
    }


async def test_news_come_to_somebody_who_only_ever_wrote_in_a_channel(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    number = await filed(stage, ENGLISH, place)
    before = await stage.read("ada", MAIN)
    await stage.command("ben", f"ticket resolve {number} {ENGLISH.resolution}")

    seen = (await stage.news("ada", MAIN, before=before)).text + together(await stage.read("ada", place)).text
    assert ENGLISH.says("notice.resolve", actor="Ben Brook", number=number, detail=ENGLISH.resolution) in seen
