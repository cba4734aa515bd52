"""Duplicates, retries and haste change nothing: each message is answered once, and in its order."""

import asyncio

from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.platforms import MAIN
from tests.scenarios.stage import Stage
from tests.scenarios.story import ENGLISH, Story

pytestmark = on_every_platform


@needs("redelivery")
async def test_a_message_that_is_delivered_again_gets_one_answer(stage: Stage, told: Story) -> None:
    seen = await stage.say(told.requester, told.question, deliveries=3)

    assert told.answer in seen.text
    assert len(await stage.read(told.requester)) == 1


@needs("redelivery")
async def test_a_report_that_is_delivered_again_is_one_draft(stage: Stage, told: Story) -> None:
    await stage.say(told.requester, told.report, deliveries=3)

    assert len(await stage.desk.tickets.open_drafts(await stage.desk.people.named(told.requester))) == 1
    assert len(await stage.read(told.requester)) == 1


async def test_messages_sent_in_haste_are_answered_in_order(stage: Stage) -> None:
    await stage.read("ada")
    for text in (ENGLISH.question, "/desk help", "/desk ticket list"):
        await stage.driver.say("ada", text, MAIN)
        # People write no faster than a platform delivers; whether the one before is answered yet is left to chance.
        await stage.delivered()
    shown = "\n".join(seen.text for seen in await stage.read("ada"))

    ends = (ENGLISH.answer, "ticket new", ENGLISH.says("ticket.none"))
    assert sorted(ends, key=shown.index) == list(ends)


async def test_two_people_at_once_get_their_own_answers(stage: Stage) -> None:
    ada, bao = await asyncio.gather(stage.say("ada", ENGLISH.question), stage.say("bao", "What about my last ticket?"))

    assert ENGLISH.answer in ada.text
    assert ENGLISH.answer not in bao.text
    assert bao.text
