"""How a channel is set decides when the desk speaks there, of what, and what it does; and who may set it."""

import itertools
from dataclasses import replace

from bot.settings import ChannelOptions
from identity.actor import local_operator
from identity.audit import AuditTrail
from tests.scenarios.everywhere import needs, on_every_platform
from tests.scenarios.platforms import Place
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH, Story

pytestmark = [on_every_platform, needs("channels")]

#: Looks after tickets, so may set every channel.
MANAGER = "ben"
#: What people say to one another, questions too.
TALK = ("Is anybody coming to lunch today?", "中午谁一起去吃饭？", "The build is red again.", "How long is the queue?")
_NAMES = itertools.count(1)


async def test_who_manages_sets_a_channel_and_everybody_sees_how_it_is_set(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    seen = await stage.say(MANAGER, "/desk channel quiet", place)

    assert "only when I am named" in seen.text
    shown = await stage.say(told.requester, "/desk channel", place)
    assert told.says("channel.mode.quiet") in shown.text


async def test_each_change_stands_in_the_audit_with_who_made_it_and_who_was_refused(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    await stage.say(MANAGER, "/desk channel listen", place)
    await stage.say(MANAGER, "/desk channel off", place)
    await stage.say(told.requester, "/desk channel on", place)

    trail = AuditTrail(stage.desk.database, stage.clock)
    found = [each for each in await trail.entries(local_operator(), limit=50) if each.action.startswith("channel.")]
    changes = [each for each in found[::-1] if each.detail and each.outcome == "done"]
    assert [each.actor_name for each in changes] == ["Ben Brook"] * 2
    assert [(each.detail["mode"], each.allowed) for each in changes] == [
        ({"before": "on", "after": "listen"}, True),
        ({"before": "listen", "after": "off"}, True),
    ]
    assert len({each.resource for each in changes}) == 1


async def test_a_channel_that_is_off_is_silent_and_who_asks_is_told_so_alone(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    await stage.say(MANAGER, "/desk channel off", place)
    before = await stage.read("bao" if told.requester == "ada" else "ada", place)
    seen = await stage.say(told.requester, told.question, place)

    assert told.answer not in seen.text
    assert told.says("channel_off")[:12] in seen.text
    assert await stage.read("bao" if told.requester == "ada" else "ada", place) == before
    await stage.say(MANAGER, "/desk channel on", place)
    assert told.answer in (await stage.say(told.requester, told.question, place)).text


async def test_in_a_quiet_channel_a_follow_up_needs_the_desks_name(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao")
    await stage.say(told.requester, told.question, place)
    words = "Be quiet in this channel" if told.requester == "ada" else "在这个频道安静一点"
    hushed = await stage.say(told.requester, words, place)
    assert told.says("channel.mode.quiet") in hushed.text

    assert (await stage.say(told.requester, told.follow_up, place, addressed=False)).text.strip() == ""
    assert told.answer in (await stage.say(told.requester, told.question, place)).text


async def test_the_desk_is_muted_and_speaks_again_by_everyday_words(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    english = told.requester == "ada"
    muted = await stage.say(MANAGER, "Mute the desk here" if english else "在这个频道静音", place)
    assert ENGLISH.says("channel.mode.quiet") in muted.text or CHINESE.says("channel.mode.quiet") in muted.text
    loud = await stage.say(MANAGER, "Unmute the desk here" if english else "在这个频道重新打开", place)
    assert ENGLISH.says("channel.mode.on") in loud.text or CHINESE.says("channel.mode.on") in loud.text


async def test_a_question_to_nobody_is_answered_once_it_is_sure_and_one_press_ends_that(
    stage: Stage, told: Story
) -> None:
    setting = await stage.channels.channel("ada", "bao", MANAGER)
    await stage.say(MANAGER, "/desk channel listen", setting)
    asked = again(setting)
    seen = await stage.say(told.requester, told.question, asked, addressed=False)
    assert told.answer in seen.text
    assert told.says("listening.quiet") in seen.labels

    hushed = await stage.press(told.requester, seen, told.says("listening.quiet"), asked)
    assert told.says("channel.undo") in hushed.labels
    silent = again(setting)
    stage.clock.skip(5)
    assert (await stage.say(told.requester, told.question, silent, addressed=False)).text.strip() == ""
    await stage.press(told.requester, hushed, told.says("channel.undo"), asked)
    stage.clock.skip(5)
    heard = again(setting)
    assert told.answer in (await stage.say(told.requester, told.question, heard, addressed=False)).text


async def test_nobody_is_answered_unasked_more_than_a_few_times_a_day(stage: Stage) -> None:
    setting = await stage.channels.channel("ada", "bao", MANAGER)
    await stage.say(MANAGER, "/desk channel listen", setting)

    async def is_answered() -> bool:
        stage.clock.skip(5)
        return (
            ENGLISH.answer
            in (await stage.say(ENGLISH.requester, ENGLISH.question, again(setting), addressed=False)).text
        )

    most = ChannelOptions().answers_per_day
    assert [await is_answered() for _ in range(most + 1)] == [True] * most + [False]


async def test_what_it_is_not_sure_of_leaves_no_trace(stage: Stage, told: Story) -> None:
    setting = await stage.channels.channel("ada", "bao", MANAGER)
    await stage.say(MANAGER, "/desk channel listen", setting)
    for words in (
        "Is anybody coming to lunch today?",
        "中午谁一起去吃饭？",
        "The build is red again.",
        "see you tomorrow",
    ):
        place = again(setting)
        assert (await stage.say(told.requester, words, place, addressed=False)).text.strip() == "", words


async def test_only_the_chosen_sources_answer_in_a_channel(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    await stage.say(MANAGER, "/desk channel sources company", place)
    assert told.answer in (await stage.say(told.requester, told.question, place)).text
    unknown = await stage.say(MANAGER, "/desk channel sources nothing-like-it", place)
    assert "nothing-like-it" in unknown.text


async def test_what_is_not_offered_in_a_channel_is_refused_there_and_nowhere_else(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    await stage.say(MANAGER, "/desk channel tools knowledge", place)
    refused = await stage.say(told.requester, "/desk ticket list", place)

    assert told.says("refused.not_here") in refused.text
    assert told.says("refused.not_here") not in (await stage.say(told.requester, "/desk ticket list")).text


async def test_who_may_not_set_a_channel_is_told_so(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    refused = await stage.say(told.requester, "/desk channel off", place)

    assert told.says("refused.channel_forbidden") in refused.text
    assert told.answer in (await stage.say(told.requester, told.question, place)).text


async def test_a_channel_speaks_one_language_where_that_is_set(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    await stage.say(MANAGER, "/desk channel language zh", place)
    shown = await stage.say(told.requester, "/desk channel", place)

    assert "什么时候发言" in shown.text


async def test_alone_there_is_no_channel_to_set(stage: Stage, told: Story) -> None:
    assert told.says("refused.no_channel")[:10] in (await stage.say(told.requester, "/desk channel")).text


@needs("forms")
async def test_a_form_sets_a_channel(stage: Stage, told: Story) -> None:
    place = await stage.channels.channel("ada", "bao", MANAGER)
    shown = await stage.say(MANAGER, "/desk channel", place)
    form = await stage.open(MANAGER, shown, "Change", place)
    assert "When I speak" in form.values
    assert not await form.send({"When I speak": "quiet"})
    assert told.says("channel.mode.quiet") in (await stage.say(told.requester, "/desk channel", place)).text
    assert "only when I am named" in (await stage.say(MANAGER, "/desk channel", place)).text


def again(place: Place) -> Place:
    """Return another conversation of the same channel."""
    return replace(place, name=f"{place.name}-{next(_NAMES)}")
