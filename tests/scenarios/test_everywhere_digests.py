"""Digests: read now, previewed, sent by the clock for what everybody who reads may see, kept current, paused, ended."""

import asyncio
from pathlib import Path

import pytest

from features.digests.digest import TOPIC
from identity.actor import local_operator
from tests.scenarios.driver_web import WebDriver
from tests.scenarios.everywhere import needs, on, on_every_platform
from tests.scenarios.platforms import MAIN, Place, Seen
from tests.scenarios.slots import outcome, pass_by, schedules, soon
from tests.scenarios.stage import PATIENCE_S, Stage
from tests.scenarios.steps import filed
from tests.scenarios.story import CHINESE, ENGLISH, Story
from tests.scenarios.world import PEOPLE

#: The heading of new tickets with one of them.
ONE_NEW = ENGLISH.says("section.new_tickets.heading", count=1)


async def kept_current(stage: Stage) -> None:
    """Wait until the look for digests that say something else has been done, and what it led to."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            (newest, *_) = await stage.desk.job_control.history(local_operator(), "digests: keep current")
            if newest.finished_at is not None:
                break
            await asyncio.sleep(0.05)
    await stage.settle()


async def confirmed(stage: Stage, person: str, words: str, place: Place = MAIN, story: Story = ENGLISH) -> Seen:
    asked = await stage.say(person, words, place)
    return await stage.press(person, asked, story.says("approval.confirm"), place)


@on_every_platform
async def test_a_person_reads_their_own_now(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    mine = await stage.command("ada", "digest")
    assert ONE_NEW in mine.text
    assert number in mine.text

    worker = await stage.command("ben", "digest")
    assert number in worker.text
    nothing = await stage.command("bao", "digest")
    assert number not in nothing.text


@on_every_platform
async def test_its_name_alone_shows_what_the_command_shows(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    for person, name in (("ada", "Digest"), ("ada", "my briefing?"), ("bao", "摘要"), ("bao", "简报")):
        shown = await stage.say(person, name)
        by_command = await stage.command(person, "digest")
        assert (number in shown.text) == (number in by_command.text) == (person == "ada"), name
        assert ENGLISH.says("digest.title") in shown.text or CHINESE.says("digest.title") in shown.text, name


@on("memory")
async def test_who_asks_what_something_else_says_is_shown_no_digest(stage: Stage) -> None:
    await filed(stage, ENGLISH)
    for question in ("What does this say?", "what does it say"):
        assert ENGLISH.says("digest.title") not in (await stage.say("ada", question)).text, question


@on("memory", "web")
async def test_later_words_change_the_card_that_waits(stage: Stage) -> None:
    await stage.say("ada", "Send me a digest of tickets every weekday at 9")
    earlier = await stage.say("ada", "make it 8")
    assert "08:00" in earlier.text
    later = await stage.say("ada", "only on mondays")
    assert "08:00" in later.text
    assert "Monday" in later.text


@on_every_platform
async def test_one_is_read_back_confirmed_sent_and_stopped(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    asked = await stage.say("ada", f"Send me a digest of tickets every day at {soon(stage, 'Europe/Berlin')}")
    assert "to you alone" in asked.text
    assert "every day" in asked.text
    made = await stage.press("ada", asked, ENGLISH.says("approval.confirm"))
    assert "is set: tickets · every day" in made.text

    before = await stage.read("ada")
    await pass_by(stage)
    sent = await stage.news("ada", before=before)
    assert number in sent.text
    assert ONE_NEW in sent.text
    await stage.press("ada", sent, ENGLISH.says("digest.stop"))
    assert await schedules(stage, TOPIC) == []


@on("web")
async def test_only_what_is_hard_to_undo_is_confirmed_with_a_red_button(stage: Stage) -> None:
    number = await filed(stage, ENGLISH)
    await stage.say("ada", "Send me a digest of tickets every day at 9")
    await stage.say("ada", f"Cancel {number}")
    assert isinstance(stage.driver, WebDriver)
    shown = (await stage.driver.window("ada", MAIN)).entries.values()
    buttons = [each for entry in shown for each in entry.all("button", data_action="approval.confirm")]

    assert [each.has("class_", "danger") for each in buttons] == [False, True]


@on_every_platform
@needs("channels")
async def test_a_channel_gets_one_post_that_stays_current_for_an_hour(stage: Stage) -> None:
    place = await stage.channels.channel("ben", "cleo")
    number = await filed(stage, ENGLISH)
    asked = await stage.say("ben", f"每天{soon(stage, 'UTC')}在这里发工单日报", place)
    assert CHINESE.says("digest.to_here") in asked.text
    await stage.press("ben", asked, CHINESE.says("approval.confirm"), place)
    await pass_by(stage)
    (posted,) = await stage.channels.begun("cleo", place)
    assert number in posted.text
    assert "posted to" in await outcome(stage, TOPIC)

    await stage.command("ben", f"ticket resolve {number} A new cable")
    await pass_by(stage, 600)
    await kept_current(stage)
    (again,) = await stage.channels.begun("cleo", place)
    assert CHINESE.says("section.resolved_tickets.heading", count=1) in again.text

    await stage.command("ben", f"ticket reopen {number}")
    await pass_by(stage, 3_700)
    await kept_current(stage)
    (kept,) = await stage.channels.begun("cleo", place)
    assert CHINESE.says("section.resolved_tickets.heading", count=1) in kept.text


@on_every_platform
@needs("channels")
async def test_what_not_everybody_may_read_is_left_out_and_said(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    number = await filed(stage, ENGLISH)
    await confirmed(stage, "ben", f"Send a digest here every day at {soon(stage, 'UTC')}", place)
    preview = await stage.say("ben", "/desk digest preview", place)
    await pass_by(stage)

    assert number not in preview.text
    assert "not everybody there may read" in await outcome(stage, TOPIC)
    assert await stage.channels.begun("ada", place) == []


@on("memory", "web")
async def test_it_is_not_sent_once_its_owner_has_left(stage: Stage, tmp_path: Path) -> None:
    await filed(stage, ENGLISH)
    await confirmed(stage, "ada", f"Send me a digest every day at {soon(stage, 'Europe/Berlin')}")
    left = PEOPLE.replace("id: ada,", "id: adele,").replace("ada@", "adele@")
    await asyncio.to_thread((tmp_path / "people.yaml").write_text, left, encoding="utf-8")
    await pass_by(stage)
    assert "not known any more" in await outcome(stage, TOPIC)


@on("memory", "web")
@pytest.mark.parametrize("story", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_words_change_pause_and_stop_what_is_sent(stage: Stage, story: Story) -> None:
    """Another rhythm takes the place of the one before; "it" is the digest that was spoken of."""
    person, wish, rhythm, unsaid, day, orders = (
        ("ada", "Send me a digest of overdue tickets every weekday at 8:30", "weekday", "weekly please", "on Mondays",
         ("pause it", "resume it", "do not send the digest any more"))
        if story is ENGLISH
        else ("bao", "每个工作日早上八点半给我发逾期工单摘要", "工作日", "改成隔周", "改成每周一",
              ("暂停", "恢复", "不要再发摘要了"))
    )  # fmt: skip
    asked = await stage.say(person, wish)
    assert story.says("section.overdue_tickets.called") in asked.text
    await stage.press(person, asked, story.says("approval.confirm"))
    assert story.says("asked_back.digest_when") in (await stage.say(person, unsaid)).text
    changed = await stage.say(person, day)
    assert story.says("digest.instead_of", line="").strip() in changed.text
    assert rhythm in changed.text
    await stage.press(person, changed, story.says("approval.confirm"))
    (only,) = await schedules(stage, TOPIC)
    assert "BYDAY=MO" in repr(only.schedule.trigger)
    assert "BYDAY=MO," not in repr(only.schedule.trigger)
    for words, order in zip(orders, ("pause", "resume", "stop"), strict=True):
        assert story.says(f"digest.done.{order}") in (await stage.say(person, words)).text
    assert await schedules(stage, TOPIC) == []


@on("memory", "web")
async def test_the_button_of_a_wish_that_was_changed_makes_no_second_digest(stage: Stage) -> None:
    first = await stage.say("ada", "Send me a digest of tickets every weekday at 9")
    changed = await stage.say("ada", "only on mondays")
    await stage.press("ada", first, ENGLISH.says("approval.confirm"))
    assert await schedules(stage, TOPIC) == []
    await stage.press("ada", changed, ENGLISH.says("approval.confirm"))
    (only,) = await schedules(stage, TOPIC)
    assert "BYDAY=MO" in repr(only.schedule.trigger)


@on_every_platform
async def test_commands_list_pause_and_resume(stage: Stage) -> None:
    place = stage.driver.commands("ada")
    asked = await stage.command("ada", "digest send tickets every weekday at 9:00")
    await stage.press("ada", asked, ENGLISH.says("approval.confirm"), place)
    listed = await stage.command("ada", "digest list")
    assert "every weekday" in listed.text
    await stage.press("ada", listed, ENGLISH.says("digest.pause"), place)
    (paused,) = await schedules(stage, TOPIC)
    assert paused.schedule.paused
    resumed = await stage.command("ada", "digest resume")
    assert ENGLISH.says("digest.done.resume") in resumed.text
    assert ENGLISH.says("digest.none").split(".")[0] in (await stage.command("ben", "digest list")).text


@on("memory", "web")
@pytest.mark.parametrize("story", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_what_is_missing_is_asked_for(stage: Stage, story: Story) -> None:
    person, words = ("ada", "Send me a digest of tickets every day") if story is ENGLISH else ("bao", "每天给我发日报")
    asked = await stage.say(person, words)
    assert story.says("asked_back.digest_when") in asked.text
