"""What only Slack has: the menu of a message, suggested prompts, commands amid a channel, modals, live text."""

import pytest

from tests.fakes.slack.controls import controls, words
from tests.fakes.slack.records import Message
from tests.scenarios.driver_slack import SlackDriver
from tests.scenarios.everywhere import on
from tests.scenarios.platforms import MAIN, Place, together
from tests.scenarios.stage import Stage
from tests.scenarios.steps import complete, number_in
from tests.scenarios.story import ENGLISH, Story

pytestmark = on("slack_http", "slack_socket")

SHORTCUT = "Ticket from this message"


def driver(stage: Stage) -> SlackDriver:
    assert isinstance(stage.driver, SlackDriver)
    return stage.driver


def said_by_the_desk(stage: Stage, person: str, place: Place) -> list[Message]:
    """Return the desk's messages that a person sees in a channel."""
    slack = driver(stage)
    bot = slack.slack.workspace.bot.id
    return [each for each in slack.person(person).sees(place.channel or "dm") if each.user == bot]


async def test_a_ticket_is_drafted_from_the_menu_of_somebodys_message(stage: Stage, told: Story) -> None:
    slack = driver(stage)
    place = await stage.channels.channel(told.requester, "ben")
    complaint = await slack.person("ben").say(place.channel, told.report)
    direct = slack.commands(told.requester)
    before = await stage.read(told.requester, direct)
    await slack.person(told.requester).shortcut(complaint, SHORTCUT)
    draft = await stage.news(told.requester, direct, before=before)
    ready = await stage.fill(told.requester, draft, told.says("draft.complete"), complete(told), direct)
    filed = await stage.press(told.requester, ready, told.says("draft.confirm"), direct)

    ticket = await stage.desk.tickets.show(await stage.desk.people.named(told.requester), number_in(filed.text))
    assert ticket.description == told.report
    assert said_by_the_desk(stage, "ben", place) == []


async def test_a_suggested_prompt_is_asked_by_choosing_it(stage: Stage) -> None:
    ada = driver(stage).person("ada")
    thread = await ada.open_messages()
    prompts = await driver(stage).slack.workspace.until(lambda: thread.prompts)
    await ada.take_prompt(prompts[0]["title"])
    await stage.settle()

    assert said_by_the_desk(stage, "ada", MAIN)


async def test_a_command_amid_a_channel_is_answered_to_who_typed_it(stage: Stage, told: Story) -> None:
    slack = driver(stage)
    place = await stage.channels.channel(told.requester, "ben")
    await slack.person(told.requester).command(f"/desk ask {told.question}", place.channel)
    await stage.settle()

    (answer,) = said_by_the_desk(stage, told.requester, place)
    assert answer.ephemeral_to == slack.person(told.requester).user.id
    assert said_by_the_desk(stage, "ben", place) == []


async def test_only_who_asked_rates_an_answer_and_others_are_told_alone(stage: Stage, told: Story) -> None:
    slack = driver(stage)
    place = await stage.channels.channel(told.requester, "ben")
    await slack.person(told.requester).mention(place.channel, told.question)
    await stage.settle()
    (answer,) = said_by_the_desk(stage, "ben", place)
    await slack.person("ben").rate(answer, "positive")
    await stage.settle()

    assert said_by_the_desk(stage, told.requester, place) == [answer]
    (refused,) = (each for each in said_by_the_desk(stage, "ben", place) if each is not answer)
    assert refused.ephemeral_to == slack.person("ben").user.id
    assert ENGLISH.says("feedback.not_yours") in refused.text


async def test_a_pressed_suggestion_is_answered_below_the_question_and_who_asked_it(stage: Stage, told: Story) -> None:
    slack = driver(stage)
    place = await stage.channels.channel(told.requester, "ben")
    await slack.person(told.requester).mention(place.channel, told.question)
    await stage.settle()
    (answer,) = said_by_the_desk(stage, "ben", place)
    suggested = next(each for each in controls(answer.blocks) if each.action_id.startswith("say#"))
    await slack.person("ben").press(suggested.action_id, on=answer)
    await stage.settle()

    (_, below) = said_by_the_desk(stage, told.requester, place)
    assert below.thread_ts == answer.thread_ts
    assert words(below.blocks[0]["elements"][0]).startswith(told.says("answer.asked", name="Ben Brook", question=""))


async def test_a_draft_from_a_command_waits_in_the_direct_messages(stage: Stage, told: Story) -> None:
    slack = driver(stage)
    place = await stage.channels.channel(told.requester, "ben")
    direct = slack.commands(told.requester)
    before = await stage.read(told.requester, direct)
    await slack.person(told.requester).command(f"/desk ticket new {told.report}", place.channel)
    draft = await stage.news(told.requester, direct, before=before)

    assert told.says("draft.complete") in draft.labels
    (pointer,) = said_by_the_desk(stage, told.requester, place)
    assert told.says("slack.see_direct_message") in pointer.text
    assert said_by_the_desk(stage, "ben", place) == []


async def test_a_form_opens_light_and_is_filled_a_moment_later(stage: Stage, told: Story) -> None:
    draft = await stage.say(told.requester, told.report)
    form = await stage.open(told.requester, draft, told.says("draft.complete"))
    (opened,) = [each for each in driver(stage).slack.workspace.calls if each.method == "views.open"]

    assert told.says("slack.loading") in str(opened.arguments)
    assert form.title == told.says("draft.form_title")
    assert form.values[told.field("description")] == told.report


async def test_the_desk_is_named_anywhere_in_a_sentence(stage: Stage) -> None:
    slack = driver(stage)
    place = await stage.channels.channel("ada", "ben")
    bot = slack.slack.workspace.bot.id
    await slack.person("ada").say(place.channel, f"Hey <@{bot}>, when does a VPN session end?")
    await stage.settle()

    (answer,) = said_by_the_desk(stage, "ben", place)
    assert ENGLISH.answer in f"{answer.text} {answer.markdown} {answer.blocks}"  # streamed where it takes a while


async def test_what_is_edited_or_deleted_is_not_asked_again(stage: Stage) -> None:
    slack = driver(stage)
    place = await stage.channels.channel("ada", "ben")
    asked = await slack.person("ada").mention(place.channel, ENGLISH.question)
    await stage.settle()
    await slack.person("ada").edit(asked, f"<@{slack.slack.workspace.bot.id}> {ENGLISH.follow_up}")
    await stage.settle()
    await slack.person("ada").delete(asked)
    await stage.settle()

    assert len(said_by_the_desk(stage, "ada", place)) == 1


async def test_a_reply_that_is_also_sent_to_the_channel_is_answered_once(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    await stage.say("ada", ENGLISH.question, place)
    (answer,) = said_by_the_desk(stage, "ada", place)
    await driver(stage).person("ada").say(place.channel, ENGLISH.follow_up, thread=answer.thread_ts, broadcast=True)
    seen = together((await stage.read("ada", place))[1:])

    assert ENGLISH.follow_up_answer in seen.text
    assert len(said_by_the_desk(stage, "ada", place)) == 2


@pytest.mark.settings(think_s=0.4)
async def test_an_answer_in_a_channel_grows_and_ends_as_one_message(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel(told.requester, "ben")
    await stage.say(told.requester, told.question, place)
    methods = [each.method for each in driver(stage).slack.workspace.calls if each.error is None]

    (answer,) = said_by_the_desk(stage, "ben", place)
    assert methods.count("chat.startStream") == methods.count("chat.stopStream") == 1
    assert "chat.postMessage" not in methods
    assert answer.stream is not None
    assert answer.stream.ending == "stopped"
    assert told.answer in str(answer.blocks) + str(answer.markdown)
