"""Where several people read along: who is answered, what an answer may be made of, and what only one person sees."""

import pytest

from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.platforms import Place, together
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed, ready_draft
from tests.scenarios.story import ENGLISH, Story

pytestmark = [on_every_platform, needs("channels")]


async def test_who_names_the_desk_is_answered_where_everybody_sees_it(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", "ben")
    await stage.say(told.requester, told.question, place)

    for person in ("ada", "bao", "ben"):
        (answer,) = await stage.read(person, place)
        assert told.answer in answer.text


async def test_talk_that_does_not_name_the_desk_is_nobodys_question(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", private=False)
    await stage.say(told.requester, told.question, place, addressed=False)
    await stage.say(told.requester, told.follow_up, place, addressed=False)

    assert await stage.read(told.requester, place) == []


async def test_a_follow_up_in_a_thread_with_the_desk_needs_no_mention(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao")
    await stage.say(told.requester, told.question, place)
    seen = await stage.say(told.requester, told.follow_up, place, addressed=False)

    assert told.follow_up_answer in seen.text


async def test_what_everybody_in_a_closed_channel_may_read_is_said(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao")
    seen = await stage.say(told.requester, told.closed, place)

    assert told.closed_answer in seen.text
    assert told.says("private.button") not in seen.labels


@pytest.mark.parametrize(("people", "private"), [(("ada", "bao", "ben"), True), (("ada", "bao"), False)])
async def test_what_not_everybody_may_read_is_told_to_the_asker_alone(
    stage: Stage, told: Story, people: tuple[str, ...], private: bool
) -> None:
    place = await stage.channels.channel(*people, private=private)
    offered = await stage.say(told.requester, told.closed, place)
    assert told.closed_answer not in offered.text
    alone = stage.channels.alone(told.requester, place)
    before = await stage.read(told.requester, alone)
    await stage.press(told.requester, offered, told.says("private.button"), place)
    assert told.closed_answer in (await stage.news(told.requester, alone, before=before)).text

    for person in people:
        here = together(await stage.read(person, place))
        aside = together(await stage.read(person, stage.channels.alone(person, place)))
        assert told.closed_answer not in here.text
        assert (told.says("private.button") in (*here.labels, *aside.labels)) == (person == told.requester)


@pytest.mark.parametrize("visitor", ["gus", "eve"])
async def test_a_visitor_narrows_a_channel_to_what_is_public(stage: Stage, told: Story, visitor: str) -> None:
    place = await stage.channels.channel(told.requester, visitor)
    seen = await stage.say(told.requester, told.question, place)
    public = await stage.say(told.requester, "Where do visitors park?", place)

    assert told.answer not in seen.text
    assert "deck 4" in public.text


async def test_ones_tickets_are_for_ones_own_eyes(stage: Stage, told: Story) -> None:
    number = await filed(stage, told)
    place = await stage.channels.channel(told.requester, "ben")
    listed = await stage.say(told.requester, "/desk ticket list", place)
    waiting = await stage.say(told.requester, "/desk status", place)

    assert number in listed.text
    assert number in waiting.text
    assert number not in together(await stage.read("ben", place)).text


async def test_a_draft_of_a_channel_shows_its_end_to_everybody(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel(told.requester, "ben")
    number = await filed(stage, told, place)
    (draft, *_) = [seen for seen in await stage.read("ben", place) if told.says("draft.heading", title="") in seen.text]

    assert told.says("draft.filed", number=number, name=told.name, when="@").split("@")[0] in draft.text
    assert told.says("draft.confirm") not in draft.labels


async def test_two_threads_of_a_channel_are_two_conversations(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    other = Place("other", channel=place.channel)
    await ready_draft(stage, ENGLISH, place)
    seen = await stage.say("ada", ENGLISH.revision, other)

    assert ENGLISH.revised not in "".join(each.text for each in await stage.read("ada", place))
    assert seen.text
