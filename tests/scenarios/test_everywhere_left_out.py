"""Reminders with several times, times that are left out, and deleted ones that are brought back."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from features.anatomy.planned import in_words
from features.reminders.reminder import DELETED
from identity.actor import local_operator
from language.planning.plans import Once, SeveralTimes
from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH, Story
from tests.scenarios.test_everywhere_reminders import BERLIN, SHANGHAI, kept, later, pass_by, words

DAY = 24 * 60


@on_every_platform
async def test_several_times_of_one_wish_are_read_back_and_each_comes(stage: Stage, told: Story) -> None:
    zone = SHANGHAI if told.language == "zh" else BERLIN
    local = stage.clock.now().astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    days = [local.date() + timedelta(days=ahead) for ahead in (1, 2)]
    plan = SeveralTimes(tuple(Once(datetime.combine(day, time(9))) for day in days))
    wish, text = {
        "en": ("Remind me tomorrow and the day after tomorrow at 9:00 to water the plants", "water the plants"),
        "zh": ("明天和后天早上9点提醒我浇花", "浇花"),
    }[told.language]
    set_ = await stage.say(told.requester, wish)
    assert in_words(plan, "zh" if told.language == "zh" else "en", zone) in set_.text
    until = datetime.combine(days[0], time(9, 1)) - local
    came = await later(stage, told.requester, until.total_seconds() / 60)
    assert text in came.text
    assert words(told, "reminder.repeats") in came.text
    done = await stage.press(told.requester, came, told.says("reminder.button.done"))
    assert words(told, "reminder.done") in done.text
    (one,) = await kept(stage)
    assert one.schedule.next_at is not None
    assert one.schedule.next_at.astimezone(ZoneInfo(zone)).date() == days[1]


@on_every_platform
@pytest.mark.settings(web={"session_hours": 72})
async def test_the_next_one_is_left_out_with_a_button_and_the_one_after_comes(stage: Stage) -> None:
    soon = (stage.clock.now() + timedelta(minutes=5)).astimezone(ZoneInfo(BERLIN)).replace(second=0, microsecond=0)
    set_ = await stage.say("ada", f"Remind me every day at {soon:%H:%M} to read the mail")
    skipped = await stage.press("ada", set_, ENGLISH.says("reminder.button.skip"))
    left_out, after = (
        in_words(Once((soon + timedelta(days=ahead)).replace(tzinfo=None)), "en", BERLIN) for ahead in (0, 1)
    )
    assert ENGLISH.says("reminder.left_out", when=left_out, after=after) in skipped.text
    every = f"every day at {soon:%H:%M}"
    assert every in skipped.text
    assert "read the mail" not in (await later(stage, "ada", 6)).text
    came = await later(stage, "ada", DAY)
    assert "read the mail" in came.text
    assert ENGLISH.says("reminder.repeats", when=every) in came.text, "it begins no more from a day that has come"


@on_every_platform
async def test_what_was_deleted_is_brought_back_with_a_button(stage: Stage, told: Story) -> None:
    wish, text = {
        "en": ("Remind me in 10 minutes to renew the certificate", "renew the certificate"),
        "zh": ("10分钟后提醒我续签证书", "续签证书"),
    }[told.language]
    set_ = await stage.say(told.requester, wish)
    undo = told.says("reminder.button.undo")
    gone = await stage.press(told.requester, set_, undo)
    assert told.says("reminder.removed", text=text) in gone.text
    assert await kept(stage) == []
    back = await stage.press(told.requester, gone, undo)
    assert words(told, "reminder.waits.me") in back.text
    assert undo not in back.labels
    gone = await stage.press(told.requester, back, told.says("reminder.button.delete"))
    back = await stage.press(told.requester, gone, undo)
    assert text in (await later(stage, told.requester, 11)).text


@on("memory", "web")
@pytest.mark.parametrize(
    ("person", "wish", "skip", "undo", "every"),
    [
        (
            "ada",
            "Remind me every Monday at 10:00 to post the plan",
            "skip the next one",
            "undo",
            "every Monday at 10:00",
        ),
        ("bao", "每周一上午10点提醒我发计划", "下次跳过", "撤销", "每周一 10:00"),
    ],
)
async def test_the_next_one_is_left_out_in_words_and_that_is_undone(
    stage: Stage, person: str, wish: str, skip: str, undo: str, every: str
) -> None:
    told = CHINESE if person == "bao" else ENGLISH
    assert every in (await stage.say(person, wish)).text
    skipped = await stage.say(person, skip)
    assert told.says("reminder.left_out", when="\0", after="\0").split("\0")[1] in skipped.text
    assert every in (await stage.say(person, undo)).text
    listed = await stage.command(person, "reminders")
    again = await stage.press(person, listed, told.says("reminder.button.skip"), stage.driver.commands(person))
    assert told.says("reminder.left_out", when="\0", after="\0").split("\0")[1] in again.text


@on("memory")
@pytest.mark.parametrize(
    ("person", "wish", "delete", "undo", "cancel", "text"),
    [
        (
            "ada",
            "Remind me tomorrow at 9:00 to water the plants",
            "delete the plants reminder",
            "undo",
            "cancel it",
            "water the plants",
        ),
        ("ada", "Remind me tomorrow at 9:00 to water plants", "undo", "undo", "delete it", "water plants"),
        ("bao", "明天早上9点提醒我浇花", "删除浇花的提醒", "撤销", "取消它", "浇花"),
    ],
)
async def test_what_was_deleted_is_brought_back_in_words(
    stage: Stage, person: str, wish: str, delete: str, undo: str, cancel: str, text: str
) -> None:
    told = CHINESE if person == "bao" else ENGLISH
    await stage.say(person, wish)
    assert told.says("reminder.removed", text=text) in (await stage.say(person, delete)).text
    back = await stage.say(person, undo)
    assert words(told, "reminder.waits.me") in back.text
    assert len(await kept(stage)) == 1
    assert told.says("reminder.removed", text=text) in (await stage.say(person, cancel)).text
    assert await kept(stage) == []


@on("memory")
async def test_a_deleted_one_is_forgotten_after_a_day_and_nobody_elses_is_brought_back(stage: Stage) -> None:
    set_ = await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    gone = await stage.press("ada", set_, ENGLISH.says("reminder.button.undo"))
    await pass_by(stage, DAY + 2)
    await stage.settle()
    found = await stage.desk.job_control.everything(local_operator())
    assert [each for each in found if each.schedule.topic == DELETED] == []
    late = await stage.press("ada", gone, ENGLISH.says("reminder.button.undo"))
    assert ENGLISH.says("reminder.not_yours") in late.text
    assert await kept(stage) == []


@on("memory")
async def test_what_comes_once_has_no_time_after_the_next(stage: Stage) -> None:
    await stage.say("ada", "Remind me tomorrow at 9:00 to water the plants")
    refused = await stage.say("ada", "skip the next one")
    assert ENGLISH.says("refused.reminder_comes_no_more") in refused.text
    assert "09:00" in (await stage.say("ada", "my reminders")).text


@on("memory")
async def test_both_of_two_days_that_were_offered_are_taken(stage: Stage) -> None:
    asked = await stage.say("ada", "Remind me tomorrow at 9:00 and the day after tomorrow to run")
    assert len(asked.labels) > 1
    set_ = await stage.say("ada", "both")
    assert all(each.partition(",")[0] in set_.text for each in asked.labels[:2])
