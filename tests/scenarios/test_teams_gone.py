"""Who blocks the desk in Teams or takes it away is left alone, those who run it hear of it, and there is a way back."""

import pytest

from bot.delivery import address_store
from tests.fakes.teams.records import Barrier
from tests.scenarios.driver_teams import TeamsDriver
from tests.scenarios.everywhere import on
from tests.scenarios.platforms import MAIN, Place
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed
from tests.scenarios.story import ENGLISH

pytestmark = on("teams_dialogs")

BARRIERS: tuple[Barrier, ...] = ("MessageWritesBlocked", "ConversationBlockedByUser", "BotDisabledByAdmin")
UNREACHABLE = ENGLISH.says("notice.unreachable", name="Ada Adler", platform=ENGLISH.says("platform.teams"))


def driver(stage: Stage) -> TeamsDriver:
    assert isinstance(stage.driver, TeamsDriver)
    return stage.driver


async def told_of(stage: Stage) -> int:
    """Return how often the admin was told that Ada cannot be reached."""
    return "\n".join(each.text for each in await stage.read("cleo", MAIN)).count(UNREACHABLE)


async def is_gone(stage: Stage) -> bool:
    """Return whether nothing is sent to Ada any more."""
    async with stage.desk.database.reading() as session:
        return await address_store.is_gone(session, actor_id="ada", platform="teams")


async def worked_on(stage: Stage, number: str) -> None:
    """Let Ben do something to a ticket that its requester has to hear of."""
    await stage.command("ben", f"ticket comment {number} Half way")
    await stage.command("ben", f"ticket resolve {number} Done")


@pytest.mark.parametrize("barrier", BARRIERS)
async def test_who_blocks_the_desk_is_left_alone_and_an_admin_is_told_once(stage: Stage, barrier: Barrier) -> None:
    await stage.command("cleo", "help")  # where an admin is reached is known once they were heard
    number = await filed(stage, ENGLISH)
    await driver(stage).person("ada").block(barrier)
    calls = driver(stage).teams.organisation.calls
    before = len(calls)
    await worked_on(stage, number)
    assert await told_of(stage) == 1
    assert await is_gone(stage)

    chat = driver(stage).person("ada").place("chat").id
    assert len([each for each in calls[before:] if each.conversation == chat]) == 1


async def test_who_is_heard_again_is_written_to_again(stage: Stage) -> None:
    await stage.command("cleo", "help")
    number = await filed(stage, ENGLISH)
    await driver(stage).person("ada").block()
    await worked_on(stage, number)
    await driver(stage).person("ada").unblock()
    assert ENGLISH.answer in (await stage.say("ada", ENGLISH.question)).text
    assert not await is_gone(stage)

    before = await stage.read("ada")
    await stage.command("ben", f"ticket reopen {number} Not done")
    news = await stage.news("ada", before=before)
    assert number in news.text
    assert await told_of(stage) == 1


async def test_who_takes_the_desk_away_is_left_alone_until_it_is_installed_again(stage: Stage) -> None:
    await stage.command("cleo", "help")
    number = await filed(stage, ENGLISH)
    await driver(stage).person("ada").uninstall()
    await stage.settle()
    before = await stage.read("ada")
    await worked_on(stage, number)
    assert await stage.read("ada") == before
    assert await told_of(stage) == 1

    await driver(stage).person("ada").install()
    welcome = await stage.news("ada", before=before)
    assert ENGLISH.says("welcome.text") in welcome.text
    assert not await is_gone(stage)
    before = await stage.read("ada")
    await stage.command("ben", f"ticket reopen {number} Not done")
    assert number in (await stage.news("ada", before=before)).text


async def test_a_team_that_takes_the_desk_away_holds_nobody_else_up(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben", private=False)
    await stage.say("ada", ENGLISH.question, place)
    calls, organisation = driver(stage).teams.organisation.calls, driver(stage).teams.organisation
    where = organisation.conversations[place.channel]
    await stage.driver.say("ada", ENGLISH.follow_up, place)
    where.with_bot = False  # before the answer
    seen = await stage.say("ada", ENGLISH.question, MAIN)
    before = len(calls)
    stage.clock.skip(3_600)
    await stage.settle()

    assert ENGLISH.answer in seen.text
    assert [each for each in calls[before:] if place.channel in each.conversation] == []
    assert not await is_gone(stage)


@pytest.mark.parametrize(("status", "code"), [(404, "ConversationNotFound"), (403, "NotEnoughPermissions"), (400, "")])
async def test_an_answer_that_teams_refuses_for_good_is_not_sent_for_ever(stage: Stage, status: int, code: str) -> None:
    faults, calls = driver(stage).teams.organisation.faults, driver(stage).teams.organisation.calls
    faults.refuse("SendToConversation", status, code, times=3)
    await stage.driver.say("ada", ENGLISH.question, Place("main"))
    await stage.settle()
    faults.calm()
    before = len(calls)
    stage.clock.skip(3_600)
    await stage.settle()
    assert calls[before:] == []

    assert ENGLISH.follow_up_answer in (await stage.say("ada", ENGLISH.follow_up)).text
