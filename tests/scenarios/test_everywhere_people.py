"""Who somebody is decides what they may see and do; how much they may ask for is limited for everybody."""

import re

import pytest

from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.platforms import MAIN
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed
from tests.scenarios.story import ENGLISH, Story

pytestmark = on_every_platform

VISITORS = ("gus", "eve")
PUBLIC_QUESTION, PUBLIC_ANSWER = "Where do visitors park?", "deck 4"


@needs("guests")
@pytest.mark.parametrize("visitor", VISITORS)
async def test_guests_and_people_of_other_companies_read_public_pages_only(stage: Stage, visitor: str) -> None:
    public = await stage.say(visitor, PUBLIC_QUESTION)
    internal = await stage.say(visitor, ENGLISH.question)

    assert PUBLIC_ANSWER in public.text
    assert ENGLISH.answer not in internal.text
    assert ENGLISH.says("no_evidence.text_guest") in internal.text
    assert ENGLISH.says("no_evidence.draft") not in internal.labels


@needs("guests")
@pytest.mark.parametrize("visitor", VISITORS)
async def test_guests_and_people_of_other_companies_change_nothing(stage: Stage, visitor: str) -> None:
    refused = await stage.say(visitor, ENGLISH.report)
    listed = await stage.say(visitor, ENGLISH.mine)

    for seen in (refused, listed):
        assert not {ENGLISH.says("draft.confirm"), ENGLISH.says("draft.complete")} & set(seen.labels), seen.text
    cleo = await stage.desk.people.named("cleo")
    assert await stage.desk.tickets.queue(cleo) == ()


@needs("guests")
async def test_an_address_that_nobody_has_confirmed_gives_nobodys_rights(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    ben = await stage.command("ben", f"ticket show {number}")
    uma = await stage.command("uma", f"ticket show {number}")  # she says that her address is Ben's

    assert ENGLISH.says("ticket.button.assign_me") in ben.labels
    assert uma.labels == ()
    assert ENGLISH.device not in uma.text


async def test_everybody_else_reads_what_staff_may_read(stage: Stage) -> None:
    assert PUBLIC_ANSWER in (await stage.say("ada", PUBLIC_QUESTION)).text
    assert ENGLISH.answer in (await stage.say("ada", ENGLISH.question)).text


@pytest.mark.settings(limits={"messages_per_minute": 3})
async def test_too_many_messages_get_a_kind_word_and_later_ones_an_answer(stage: Stage, told: Story) -> None:
    for _ in range(3):
        await stage.driver.say(told.requester, told.question, MAIN)
    refused = await stage.say(told.requester, told.question)
    kind = re.escape(told.says("refused.rate", detail="@")).replace("@", r"\d+")
    assert re.search(kind, refused.text)
    stage.clock.skip(61)

    assert told.answer in (await stage.say(told.requester, told.question)).text


async def test_what_is_outside_of_the_desk_is_refused_with_the_reason(stage: Stage) -> None:
    seen = await stage.say("ada", "Tell me a joke about penguins")

    assert ENGLISH.says("refused.out_of_scope") in seen.text


@pytest.mark.parametrize(
    ("text", "lead"),
    [("is the VPN down?", "live"), ("can you restart the laptop replacement for me?", "not_offered")],
)
async def test_what_the_desk_cannot_do_is_said_before_what_the_documents_say(
    stage: Stage, text: str, lead: str
) -> None:
    seen = await stage.say("ada", text)

    beyond = ENGLISH.says(f"answer.lead.{lead}"), ENGLISH.says(f"refused.{lead}", detail="").partition("\n")[0]
    assert any(words in seen.text for words in beyond)
