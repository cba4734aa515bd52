"""Saved questions are sent by the clock: as it was confirmed, with the rights of that moment, and ended by a button."""

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from queries.sql.saved.scheduling import TOPIC
from tests.scenarios.everywhere import needs, on, on_every_platform
from tests.scenarios.platforms import MAIN, Place, Seen
from tests.scenarios.shop import NORTH, SOUTH, write_shop
from tests.scenarios.slots import outcome, pass_by, schedules, soon
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH
from tests.scenarios.world import PEOPLE

#: What a person asks, saves and has sent; it rests on rows that are not everybody's.
QUESTION, NAME = "Crates sold in January 2026?", "Crates"


@pytest.fixture(autouse=True)
def _shop(tmp_path: Path) -> None:
    write_shop(tmp_path)


async def saved(stage: Stage, person: str, question: str = QUESTION, name: str = NAME) -> None:
    seen = await stage.say(person, question)
    story = CHINESE if person == "bao" else ENGLISH
    await stage.fill(person, seen, story.says("data.save"), {story.says("data.saved.name"): name})


async def later(stage: Stage, person: str, place: Place = MAIN) -> Seen:
    """Let the time come, and return what a person is newly shown."""
    before = await stage.read(person, place)
    await pass_by(stage)
    return await stage.news(person, place, before=before)


async def confirmed(stage: Stage, person: str, words: str) -> Seen:
    asked = await stage.say(person, words)
    story = CHINESE if person == "bao" else ENGLISH
    return await stage.press(person, asked, story.says("approval.confirm"))


@on_every_platform
async def test_a_question_is_read_back_confirmed_sent_and_stopped(stage: Stage) -> None:
    await saved(stage, "ada")
    at = soon(stage, "Europe/Berlin")
    asked = await stage.say("ada", f"Send me '{NAME}' every day at {at}")
    assert f"every day at {at}, Berlin time" in asked.text
    assert "to you alone" in asked.text

    made = await stage.press("ada", asked, ENGLISH.says("approval.confirm"))
    assert "is sent to you alone" in made.text
    sent = await later(stage, "ada")
    assert f"{NORTH} crates{ENGLISH.says('data.yours')}" in sent.text

    stopped = await stage.press("ada", sent, ENGLISH.says("data.sent.stop"))
    assert ENGLISH.says("data.sent.stopped", name=NAME) in stopped.text
    assert await schedules(stage, TOPIC) == []


@on_every_platform
async def test_it_is_said_in_chinese(stage: Stage) -> None:
    await saved(stage, "bao", "各地区的售出箱数是多少？", "箱数")
    at = soon(stage, "Asia/Shanghai")
    asked = await stage.say("bao", f"每天{at}把“箱数”发给我")
    assert f"每天 {at}（上海时间）" in asked.text

    made = await stage.press("bao", asked, CHINESE.says("approval.confirm"))
    assert "只发给您" in made.text
    sent = await later(stage, "bao")
    assert "北区" in sent.text
    assert "南区" not in sent.text


@on("memory", "slack_http", "teams_dialogs", "web")
async def test_a_weekday_and_what_is_missing_are_asked_for(stage: Stage) -> None:
    await saved(stage, "ada")
    asked = await stage.say("ada", f"Send me '{NAME}' every Monday")
    assert ENGLISH.says("asked_back.data_when") in asked.text
    again = await stage.say("ada", "at 9")
    assert "every Monday at 09:00, Berlin time" in again.text

    typed = await stage.command("ada", f"sql schedule {NAME} every 31st at 9:00")
    assert ENGLISH.says("refused.data_when", detail="") in typed.text
    unknown = await stage.command("ada", "sql schedule Nothing every Monday at 9")
    assert "No question is saved under “Nothing”" in unknown.text


@on_every_platform
async def test_a_command_makes_lists_and_ends_them(stage: Stage) -> None:
    place = stage.driver.commands("ada")
    await saved(stage, "ada")
    asked = await stage.command("ada", f"sql schedule {NAME} every weekday at 8:30")
    assert "every weekday, Monday to Friday, at 08:30, Berlin time" in asked.text
    await stage.press("ada", asked, ENGLISH.says("approval.confirm"), place)

    listed = await stage.command("ada", "sql schedules")
    assert NAME in listed.text
    assert NAME not in (await stage.command("ben", "sql schedules")).text
    await stage.press("ada", listed, ENGLISH.says("data.sent.stop_one", name=NAME), place)
    assert ENGLISH.says("data.sent.none").split(".")[0] in (await stage.command("ada", "sql schedules")).text


@on("memory", "web")
@pytest.mark.parametrize(
    ("people", "why"),
    [
        (PEOPLE.replace("id: ada,", "id: adele,").replace("ada@", "adele@"), "not known any more"),
        (PEOPLE.replace("units: [sales]}", "units: [kitchen]}"), "StatementRefused"),
    ],
    ids=["left", "other-rights"],
)
async def test_it_is_not_sent_once_the_right_is_gone(stage: Stage, tmp_path: Path, people: str, why: str) -> None:
    await saved(stage, "ada")
    await confirmed(stage, "ada", f"Send me '{NAME}' every day at {soon(stage, 'Europe/Berlin')}")
    await asyncio.to_thread((tmp_path / "people.yaml").write_text, people, encoding="utf-8")
    await pass_by(stage)

    assert why in await outcome(stage, TOPIC)
    told = await stage.driver.read("ada", MAIN)
    assert len([each for each in told if f"{NORTH} crates" in each.text]) == 1  # the answer that was saved
    reason = ENGLISH.says("data.sent.failed", name=NAME, why="").rstrip()
    assert any(reason in each.text for each in told) == (why == "StatementRefused")


@on("memory", "web")
async def test_a_question_that_is_forgotten_ends_its_schedule_and_says_so(stage: Stage) -> None:
    await saved(stage, "ada")
    await confirmed(stage, "ada", f"Send me '{NAME}' every day at {soon(stage, 'Europe/Berlin')}")
    await stage.command("ada", f"sql forget {NAME}")
    seen = await later(stage, "ada", stage.driver.commands("ada"))

    assert ENGLISH.says("data.sent.gone", name=NAME) in seen.text
    assert await schedules(stage, TOPIC) == []


@on_every_platform
@needs("channels")
async def test_a_channel_gets_what_everybody_there_may_read_and_nothing_else(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    await saved(stage, "ben")
    await saved(stage, "ben", "How many huts are there?", "Huts")

    refused = await stage.say("ben", f"Post '{NAME}' here every day at 9:00", place)
    assert ENGLISH.says("refused.data_sent_readers") in refused.text
    asked = await stage.say("ben", f"Post 'Huts' here every day at {soon(stage, 'UTC')}", place)
    assert "to this channel" in asked.text
    await stage.press("ben", asked, ENGLISH.says("approval.confirm"), place)
    await pass_by(stage)

    (posted,) = await stage.channels.begun("ada", place)
    assert "Huts" in posted.text
    assert "3" in posted.text
    assert "posted to" in await outcome(stage, TOPIC)


@on("memory")
async def test_a_channel_whose_readers_lost_the_right_gets_nothing(stage: Stage, tmp_path: Path) -> None:
    place = await stage.channels.channel("ben", "cleo")
    people = PEOPLE.replace("roles: [admin]", "groups: [it], roles: [admin]")
    await asyncio.to_thread((tmp_path / "people.yaml").write_text, people, encoding="utf-8")
    await saved(stage, "ben")
    asked = await stage.say("ben", f"Post '{NAME}' here every day at {soon(stage, 'UTC')}", place)
    await stage.press("ben", asked, ENGLISH.says("approval.confirm"), place)
    without = PEOPLE.replace("roles: [admin]", "roles: [agent]")
    await asyncio.to_thread((tmp_path / "people.yaml").write_text, without, encoding="utf-8")
    told = await later(stage, "ben", stage.channels.alone("ben", place))

    assert await stage.channels.begun("cleo", place) == []
    assert ENGLISH.says("data.sent.readers", name=NAME) in told.text
    assert "not everybody in the channel" in await outcome(stage, TOPIC)


@on_every_platform
async def test_a_digest_holds_ones_own_saved_questions(stage: Stage) -> None:
    await saved(stage, "ada")
    mine = await stage.command("ada", "digest")
    assert NAME in mine.text
    assert f"{NORTH} crates" in mine.text
    assert str(NORTH + SOUTH) not in mine.text

    others = await stage.command("ben", "digest")
    assert f"{NORTH} crates" not in others.text


@on("memory")
async def test_what_a_conversation_had_led_to_keeps_its_days(stage: Stage) -> None:
    await stage.say("ada", "Crates sold last month?")
    await saved(stage, "ada", "and by region?", "Regions")
    before = f"{stage.clock.now().replace(day=1) - timedelta(days=1):%B %Y}"
    stage.clock.skip(timedelta(days=31).total_seconds())

    assert before in (await stage.command("ada", "sql saved Regions")).text


@on("memory")
async def test_the_months_of_a_saved_question_move_on(stage: Stage) -> None:
    await saved(stage, "ada", "Crates sold last month?", "Last month")
    now: datetime = stage.clock.now()
    first = await stage.command("ada", "sql saved Last month")
    stage.clock.skip(timedelta(days=31).total_seconds())
    later_on = await stage.command("ada", "sql saved Last month")
    before = f"{now.replace(day=1) - timedelta(days=1):%B %Y}"

    assert before in first.text
    assert before not in later_on.text
