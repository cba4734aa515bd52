"""Approvals: what changes for good waits for a button, which only one person may press, once, and not too late."""

from agent.config import AgentConfig
from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.platforms import MAIN, together
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed, ready_draft
from tests.scenarios.story import ENGLISH, Story
from tickets.ticket import Status

pytestmark = on_every_platform


async def status(stage: Stage, told: Story, number: str) -> Status:
    return (await stage.desk.tickets.show(await stage.desk.people.named(told.requester), number)).status


async def test_cancelling_waits_for_a_button(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    asked = await stage.say(told.requester, told.cancel.format(number=number))
    assert number in asked.text
    assert await status(stage, told, number) is Status.OPEN
    confirmed = await stage.press(told.requester, asked, told.says("approval.confirm"))

    assert await status(stage, told, number) is Status.CANCELLED
    assert told.says("ticket.cancelled", number=number) in confirmed.text


@needs("edits")
async def test_an_approval_shows_who_decided_where_it_stands(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    asked = await stage.say(told.requester, told.cancel.format(number=number))
    before = len(await stage.read(told.requester))
    await stage.press(told.requester, asked, told.says("approval.confirm"))
    (approval,) = [
        seen
        for seen in (await stage.read(told.requester))[:before]
        if told.says("approval.heading_decided") in seen.text
    ]

    assert told.says("approval.succeeded", name=told.name, when="@").split("@")[0] in approval.text
    assert approval.labels == ()


async def test_what_is_declined_changes_nothing(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    asked = await stage.say(told.requester, told.cancel.format(number=number))
    declined = await stage.press(told.requester, asked, told.says("approval.decline"))
    late = await stage.press(told.requester, asked, told.says("approval.confirm"))

    assert told.says("approval.declined", name=told.name, when="@").split("@")[0] in declined.text
    assert told.says("approval.already", name=told.name, when="@").split("@")[0] in late.text
    assert await status(stage, told, number) is Status.OPEN


async def test_two_presses_at_once_cancel_once_and_say_so(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    asked = await stage.say(told.requester, told.cancel.format(number=number))
    seen = await stage.press(told.requester, asked, told.says("approval.confirm"), times=2)

    assert seen.text.count(told.says("ticket.cancelled", number=number)) == 1
    assert told.says("approval.already", name=told.name, when="@").split("@")[0] in seen.text


async def test_a_ticket_that_changed_since_is_left_alone(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    asked = await stage.say(told.requester, told.cancel.format(number=number))
    await stage.command("ben", f"ticket comment {number} I am on my way")
    refused = await stage.press(told.requester, asked, told.says("approval.confirm"))

    assert told.says("approval.changed") in refused.text
    assert await status(stage, told, number) is Status.OPEN


async def test_an_approval_that_waited_too_long_changes_nothing(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    asked = await stage.say(told.requester, told.cancel.format(number=number))
    stage.clock.skip(AgentConfig().approval_minutes * 60)
    refused = await stage.press(told.requester, asked, told.says("approval.confirm"))

    assert told.says("approval.expired") in refused.text
    assert await status(stage, told, number) is Status.OPEN


@needs("sharing")
async def test_only_the_requester_can_decide(stage: Stage) -> None:
    place = await stage.driver.shared("ada", "ben")
    number = await filed(stage, ENGLISH, place)
    asked = await stage.say("ada", ENGLISH.cancel.format(number=number), place)
    refused = await stage.press("ben", asked, ENGLISH.says("approval.confirm"), place)

    assert ENGLISH.says("approval.wrong_person", name="Ada Adler") in refused.text
    assert await status(stage, ENGLISH, number) is Status.OPEN


@needs("sharing")
async def test_only_the_requester_can_confirm_a_draft(stage: Stage) -> None:
    place = await stage.driver.shared("ada", "ben")
    draft = await ready_draft(stage, ENGLISH, place)
    refused = await stage.press("ben", draft, ENGLISH.says("draft.confirm"), place)

    assert ENGLISH.says("draft.not_yours", name="Ada Adler") in refused.text
    assert await stage.desk.tickets.mine(await stage.desk.people.named("ada")) == ()


@needs("channels")
async def test_the_wrong_person_is_told_alone(stage: Stage) -> None:
    place = await stage.driver.shared("ada", "ben")
    number = await filed(stage, ENGLISH, place)
    asked = await stage.say("ada", ENGLISH.cancel.format(number=number), place)
    before = await stage.read("ada", place)
    refused = await stage.press("ben", asked, ENGLISH.says("approval.confirm"), place)
    seen_by_ada = await stage.news("ada", place, before=before)

    assert ENGLISH.says("approval.wrong_person", name="Ada Adler") in refused.text
    assert ENGLISH.says("approval.wrong_person", name="Ada Adler") not in seen_by_ada.text


async def test_somebody_elses_number_is_no_way_to_cancel(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    seen = await stage.command("bao", f"ticket cancel {number}")

    assert ENGLISH.says("approval.confirm") not in seen.labels
    assert ENGLISH.says("approval.heading") not in seen.text
    assert await status(stage, ENGLISH, number) is Status.OPEN
    assert ENGLISH.says("approval.heading") not in together(await stage.read("bao", MAIN)).text
