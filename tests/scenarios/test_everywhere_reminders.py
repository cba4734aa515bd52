"""Reminders: said in words, read back, undone, changed, delivered at their time, put off and done."""

import asyncio
import re
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.schedules.control import JobStatus
from features.anatomy.planned import in_words
from features.reminders.reminder import TOPIC, Reminder
from identity.actor import local_operator
from language.planning.plans import Once
from tests.scenarios.driver_memory import MemoryDriver
from tests.scenarios.everywhere import needs, on, on_every_platform
from tests.scenarios.platforms import MAIN, Place, Seen
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH, Story
from tests.scenarios.world import PEOPLE

BERLIN, SHANGHAI = "Europe/Berlin", "Asia/Shanghai"


def at(stage: Stage, zone: str, *, minutes: int) -> str:
    """Return how a time that comes in so many minutes is read back, in English or, for Shanghai, in Chinese."""
    wall = (stage.clock.now() + timedelta(minutes=minutes)).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return in_words(Once(wall), "zh" if zone == SHANGHAI else "en", zone)


def comes(stage: Stage, seen: Seen, zone: str, *, minutes: int) -> bool:
    """Return whether a time that is so many minutes ahead is read back; a minute may have begun since it was set."""
    return any(at(stage, zone, minutes=minutes - passed) in seen.text for passed in (0, 1))


async def pass_by(stage: Stage, minutes: float) -> None:
    """Let time pass; the clock's own tick, a second after, may not have seen the new schedule yet."""
    await stage.settle()
    await stage.desk.jobs.tick()
    stage.clock.skip(minutes * 60)
    await stage.desk.jobs.tick()


async def later(stage: Stage, person: str, minutes: float, place: Place = MAIN) -> Seen:
    """Let time pass, and return what a person is newly shown."""
    before = await stage.read(person, place)
    await pass_by(stage, minutes)
    return await stage.news(person, place, before=before)


async def kept(stage: Stage) -> list[JobStatus]:
    """Return the schedules of reminders, as who runs the desk sees them."""
    found = await stage.desk.job_control.everything(local_operator())
    return [each for each in found if each.schedule.topic == TOPIC]


@on_every_platform
async def test_it_is_read_back_and_comes_at_its_time(stage: Stage) -> None:
    set_ = await stage.say("ada", "Remind me in 90 minutes to renew the certificate")
    assert "renew the certificate" in set_.text
    assert comes(stage, set_, BERLIN, minutes=90)

    told = await later(stage, "ada", 91)
    assert "renew the certificate" in told.text
    assert ENGLISH.says("reminder.late", when="").split(":")[0] not in told.text
    assert ENGLISH.says("reminder.button.hour") in told.labels


def words(story: Story, key: str, **values: str) -> str:
    """Return what the desk says up to where it names a time."""
    return story.says(key, when="\0", **values).split("\0")[0]


@on_every_platform
async def test_it_is_put_off_and_done_by_buttons_on_its_card(stage: Stage) -> None:
    await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    told = await later(stage, "ada", 11)
    off = await stage.press("ada", told, ENGLISH.says("reminder.button.hour"))
    assert words(ENGLISH, "reminder.put_off.me") in off.text

    again = await later(stage, "ada", 61)
    assert "renew the certificate" in again.text
    done = await stage.press("ada", again, ENGLISH.says("reminder.button.done"))
    assert words(ENGLISH, "reminder.done") in done.text
    assert ENGLISH.says("reminder.button.done") not in done.labels
    listed = await stage.command("ada", "reminders")
    assert ENGLISH.says("reminder.none") in listed.text


@on_every_platform
async def test_it_is_put_off_in_words_right_after_it_was_set_and_that_is_undone(stage: Stage) -> None:
    await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    off = await stage.say("ada", "put it off by an hour")
    assert words(ENGLISH, "reminder.put_off.me") in off.text
    assert comes(stage, off, BERLIN, minutes=70)
    back = await stage.press("ada", off, ENGLISH.says("reminder.button.undo"))
    assert comes(stage, back, BERLIN, minutes=10)

    off = await stage.say("ada", "put it off until tomorrow")
    assert words(ENGLISH, "reminder.put_off.me") in off.text, "before the time that it had goes by"
    assert (await later(stage, "ada", 11)).text == ""
    (schedule,) = [each.schedule for each in await kept(stage)]
    assert schedule.next_at is not None
    tomorrow = stage.clock.now().astimezone(ZoneInfo(BERLIN)) + timedelta(days=1)
    assert schedule.next_at.astimezone(ZoneInfo(BERLIN)).date() <= tomorrow.date()


@on_every_platform
async def test_chinese_words_put_it_off(stage: Stage) -> None:
    await stage.say("bao", "10分钟后提醒我续签证书")
    off = await stage.say("bao", "推迟到明天")
    assert words(CHINESE, "reminder.put_off.me") in off.text
    later_ = await stage.say("bao", "晚一小时再提醒")
    assert words(CHINESE, "reminder.put_off.me") in later_.text


@on_every_platform
async def test_undo_takes_it_back(stage: Stage) -> None:
    set_ = await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    undone = await stage.press("ada", set_, ENGLISH.says("reminder.button.undo"))
    assert ENGLISH.says("reminder.removed", text="renew the certificate") in undone.text
    assert (await later(stage, "ada", 11)).text == ""
    assert await kept(stage) == []

    once_more = await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    assert words(ENGLISH, "reminder.waits.me") in once_more.text
    stands = await stage.say("ada", "yes")
    assert ENGLISH.says("reminder.stays") in stands.text
    assert ENGLISH.says("reminder.button.change") in stands.labels


@on_every_platform
async def test_its_words_and_its_time_can_be_changed(stage: Stage) -> None:
    set_ = await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    label, when_ = ENGLISH.says("reminder.form.text"), ENGLISH.says("reminder.form.when")
    before = await stage.read("ada")
    form = await stage.open("ada", set_, ENGLISH.says("reminder.button.change"))
    optional = next(each for each in form.values if each.startswith(when_))
    assert not await form.send({label: "renew the badge", optional: "in 30 minutes"})
    changed = await stage.news("ada", before=before)
    assert comes(stage, changed, BERLIN, minutes=30)
    assert "renew" not in (await later(stage, "ada", 11)).text
    assert "renew the badge" in (await later(stage, "ada", 20)).text


@on("memory", "web", "slack_http", "teams_dialogs")
async def test_a_time_that_cannot_be_read_stays_in_the_form(stage: Stage) -> None:
    set_ = await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    form = await stage.open("ada", set_, ENGLISH.says("reminder.button.change"))
    optional = next(each for each in form.values if each.startswith(ENGLISH.says("reminder.form.when")))
    wrong = await form.send({optional: "whenever"})
    assert ENGLISH.says("asked_back.reminder_nothing") in wrong[optional]


@on_every_platform
async def test_chinese(stage: Stage) -> None:
    set_ = await stage.say("bao", "30分钟后提醒我续签证书")
    assert "续签证书" in set_.text
    assert comes(stage, set_, SHANGHAI, minutes=30)
    told = await later(stage, "bao", 31)
    assert "续签证书" in told.text
    off = await stage.say("bao", "推迟一小时")
    assert words(CHINESE, "reminder.put_off.me") in off.text
    assert "续签证书" in (await later(stage, "bao", 61)).text
    assert words(CHINESE, "reminder.done") in (await stage.say("bao", "完成了")).text
    assert CHINESE.says("reminder.none") in (await stage.say("bao", "我的提醒")).text


@on_every_platform
async def test_what_is_missing_is_asked_for(stage: Stage) -> None:
    asked = await stage.say("ada", "Remind me to renew the certificate")
    assert ENGLISH.says("asked_back.reminder_nothing") in asked.text
    asked = await stage.say("ada", "tomorrow")
    assert ENGLISH.says("asked_back.reminder_no_time") in asked.text
    set_ = await stage.say("ada", "9:30")
    tomorrow = (stage.clock.now().astimezone(ZoneInfo(BERLIN)) + timedelta(days=1)).replace(
        hour=9, minute=30, second=0, microsecond=0, tzinfo=None
    )
    assert in_words(Once(tomorrow), "en", BERLIN) in set_.text
    assert "renew the certificate" in set_.text


@on_every_platform
async def test_a_time_that_is_over_is_asked_about(stage: Stage) -> None:
    asked = await stage.say("ada", "Remind me on 3 January 2020 at 9:00 to renew the certificate")
    assert ENGLISH.says("asked_back.reminder_past") in asked.text
    assert await kept(stage) == []
    set_ = await stage.say("ada", "in 2 hours")
    assert comes(stage, set_, BERLIN, minutes=120)


@on_every_platform
async def test_a_choice_is_pressed_or_said(stage: Stage) -> None:
    asked = await stage.say("ada", "Remind me tomorrow to renew the certificate")
    assert ENGLISH.says("asked_back.reminder_no_time") in asked.text
    assert words(ENGLISH, "reminder.waits.me") in (await stage.press("ada", asked, asked.labels[0])).text
    asked = await stage.say("ada", "Remind me tomorrow to water the plants")
    set_ = await stage.say("ada", "the first")
    assert words(ENGLISH, "reminder.waits.me") in set_.text
    assert "water the plants" in set_.text


@on("memory", "web")
@pytest.mark.parametrize(("said", "at"), [("the later one of course", "16:00"), ("make it 3 pm", "15:00")])
async def test_a_choice_is_told_in_a_sentence(stage: Stage, said: str, at: str) -> None:
    await stage.say("ada", "remind me tomorrow at 4 to call Bob")
    assert at in (await stage.say("ada", said)).text


@on("memory", "web")
async def test_another_time_than_the_choices_offers_its_own_two(stage: Stage) -> None:
    await stage.say("ada", "remind me tomorrow at 4 to call Bob")
    asked = await stage.say("ada", "make it 3")
    assert any("03:00" in label for label in asked.labels)
    assert any("15:00" in label for label in asked.labels)


@on("memory", "web")
@pytest.mark.parametrize(
    "matter", ["my screen flickers", "my docking station is broken", "how many days of leave do I get"]
)
async def test_a_new_matter_is_no_answer_to_which_time(stage: Stage, matter: str) -> None:
    asked = await stage.say("ada", "remind me tomorrow at 4 to call Bob")
    other = await stage.say("ada", matter)
    assert not {label for label in other.labels if "16:00" in label}, asked.labels


@on("memory", "web")
async def test_one_of_a_list_is_deleted_by_its_number_and_named(stage: Stage) -> None:
    for what in ("water the plants", "call the dentist"):
        await stage.say("ada", f"Remind me tomorrow at 9:00 to {what}")
    await stage.say("ada", "my reminders")
    gone = await stage.say("ada", "cancel number 2")
    assert ENGLISH.says("reminder.removed", text="call the dentist") in gone.text
    listed = await stage.say("ada", "my reminders")
    assert "water the plants" in listed.text
    assert "call the dentist" not in listed.text


@on_every_platform
async def test_commands_set_list_and_delete(stage: Stage) -> None:
    place = stage.driver.commands("ada")
    set_ = await stage.command("ada", "remind in 20 minutes to renew the certificate")
    assert comes(stage, set_, BERLIN, minutes=20)
    listed = await stage.command("ada", "reminders")
    assert "renew the certificate" in listed.text
    assert ENGLISH.says("reminder.none") in (await stage.command("ben", "reminders")).text
    gone = await stage.press("ada", listed, ENGLISH.says("reminder.button.delete"), place)
    assert ENGLISH.says("reminder.removed", text="renew the certificate") in gone.text
    assert await kept(stage) == []


@on_every_platform
@pytest.mark.settings(web={"session_hours": 48})  # she is signed in the day after
async def test_one_that_comes_again_is_done_for_this_time_and_stopped_by_words(stage: Stage) -> None:
    soon = (stage.clock.now() + timedelta(minutes=5)).astimezone(ZoneInfo(BERLIN))
    set_ = await stage.say("ada", f"Remind me every day at {soon:%H:%M} to read the mail")
    assert f"every day at {soon:%H:%M}" in set_.text
    told = await later(stage, "ada", 6)
    done = await stage.press("ada", told, ENGLISH.says("reminder.button.done"))
    assert words(ENGLISH, "reminder.repeats") in done.text
    assert "read the mail" in (await later(stage, "ada", 24 * 60)).text
    stopped = await stage.say("ada", "Stop reminding me to read the mail")
    assert ENGLISH.says("reminder.removed", text="read the mail") in stopped.text
    assert await kept(stage) == []


@on_every_platform
async def test_one_that_comes_late_says_so(stage: Stage) -> None:
    await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    told = await later(stage, "ada", 30)
    assert words(ENGLISH, "reminder.late") in told.text


@on_every_platform
async def test_a_ticket_is_shown_with_the_rights_of_the_moment(stage: Stage) -> None:
    number = await filed(stage, "ada")
    set_ = await stage.say("ada", f"Remind me about {number} in 10 minutes")
    assert number in set_.text
    told = await later(stage, "ada", 11)
    assert ENGLISH.says("reminder.button.ticket") in told.labels
    shown = await stage.press("ada", told, ENGLISH.says("reminder.button.ticket"))
    assert number in shown.text
    refused = await stage.say("bao", f"10分钟后提醒我处理 {number}")
    assert "续签" not in refused.text
    assert len(await kept(stage)) == 1


async def filed(stage: Stage, person: str) -> str:
    """File a ticket and return its number."""
    drafted = await stage.command(person, "ticket new The printer on floor 3 is broken. Location: floor 3")
    pressed = await stage.press(person, drafted, ENGLISH.says("draft.confirm"), stage.driver.commands(person))
    found = re.search(r"TCK-\d{4}-\d{6}", pressed.text)
    assert found is not None
    return found.group()


@on_every_platform
@needs("channels")
async def test_a_channel_is_reminded_once_the_button_was_pressed(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    asked = await stage.say("ada", "Remind us here in 10 minutes to post the plan", place)
    assert "post the plan" in asked.text
    assert comes(stage, asked, BERLIN, minutes=10)
    assert await kept(stage) == []
    set_ = await stage.press("ada", asked, ENGLISH.says("approval.confirm"), place)
    assert words(ENGLISH, "reminder.waits.channel") in set_.text

    await pass_by(stage, 11)
    await stage.settle()
    (told,) = await stage.channels.begun("ben", place)
    assert "post the plan" in told.text
    assert ENGLISH.says("reminder.by", name="Ada Adler") in told.text


@on_every_platform
@needs("channels")
async def test_a_thread_is_reminded_and_only_who_set_it_puts_it_off(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    asked = await stage.say("ada", "Remind me in 10 minutes about this thread", place)
    await stage.press("ada", asked, ENGLISH.says("approval.confirm"), place)
    told = await later(stage, "ben", 11, place)
    assert ENGLISH.says("reminder.this_thread") in told.text
    refused = await stage.press("ben", told, ENGLISH.says("reminder.button.done"), place)
    assert ENGLISH.says("reminder.not_yours") in refused.text


@on("memory")
@pytest.mark.parametrize("wish", ["Remind me in 10 minutes about this", "10分钟后提醒我这件事"])
async def test_this_is_what_was_spoken_of(stage: Stage, wish: str) -> None:
    await stage.say("ada", "When does a VPN session end?")
    await stage.say("ada", "ok thanks!")
    await stage.say("ada", wish)
    assert "When does a VPN session end?" in (await later(stage, "ada", 11)).text


@on("memory")
@pytest.mark.parametrize("about", ["make it 5 pm", "undo that", "my reminders"])
async def test_what_is_said_to_a_reminder_is_not_what_was_spoken_of(stage: Stage, about: str) -> None:
    await stage.say("ada", "Remind me tomorrow at 9 to renew the certificate")
    await stage.say("ada", about)
    seen = await stage.say("ada", "Remind me in 2 hours about this thread")

    assert about not in seen.text
    assert ENGLISH.says("reminder.this_thread") in seen.text


@on("memory")
@pytest.mark.parametrize(
    ("wish", "listing", "deleting"),
    [
        ("Remind me tomorrow at 8 to water the plants", "what are my reminders?", "delete it"),
        ("Remind me tomorrow at 8 to water the plants", "my reminders", "cancel that please"),
        ("Remind me tomorrow at 8 to water the plants", "", "remove it"),
        ("明天早上8点提醒我浇花", "我的提醒", "删掉吧"),
        ("明天早上8点提醒我浇花", "我的提醒", "把它取消"),
    ],
)
async def test_it_is_the_one_that_was_listed(stage: Stage, wish: str, listing: str, deleting: str) -> None:
    await stage.say("ada", wish)
    if listing:
        await stage.say("ada", "When does a VPN session end?")
        await stage.say("ada", listing)
    await stage.say("ada", deleting)
    assert await kept(stage) == []


@on("memory")
async def test_which_of_several_that_were_listed_is_asked(stage: Stage) -> None:
    for what in ("water the plants", "feed the fish"):
        await stage.say("ada", f"Remind me tomorrow at 8 to {what}")
    await stage.say("ada", "my reminders")
    asked = await stage.say("ada", "delete it")
    assert "water the plants" in asked.text
    assert "feed the fish" in asked.text
    assert len(await kept(stage)) == 2


@on("memory")
async def test_a_whole_wish_is_no_answer_to_what_was_asked_of_another(stage: Stage) -> None:
    asked = await stage.say("ada", "Remind me on the last working day of the month to close the books")
    assert ENGLISH.says("asked_back.reminder_no_time") in asked.text
    seen = await stage.say("ada", "每周一上午9点提醒我提交周报")

    assert "提交周报" in seen.text
    assert "每周一" in seen.text


@on_every_platform
@needs("channels")
async def test_ones_own_is_for_nobody_elses_eyes(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    await stage.say("ada", "Remind me in 10 minutes to ask for a raise", place)
    await pass_by(stage, 11)
    assert "raise" not in " ".join(each.text for each in (await stage.read("ben", place))[1:])
    assert await stage.channels.begun("ben", place) == []


@on("memory")
async def test_who_left_the_channel_posts_there_no_more(stage: Stage) -> None:
    place = await stage.channels.channel("ada", "ben")
    asked = await stage.say("ada", "Remind us here in 10 minutes to post the plan", place)
    await stage.press("ada", asked, ENGLISH.says("approval.confirm"), place)
    assert isinstance(stage.driver, MemoryDriver)
    stage.driver.chat.left.add("ada")
    told = await later(stage, "ada", 11, stage.channels.alone("ada", place))
    assert ENGLISH.says("reminder.lost.member", text="post the plan") in told.text
    assert await stage.channels.begun("ben", place) == []
    assert await kept(stage) == []


@on("memory", "web")
async def test_who_left_is_not_reminded(stage: Stage, tmp_path: Path) -> None:
    await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    people = PEOPLE.replace("id: ada,", "id: adele,").replace("ada@", "adele@")
    await asyncio.to_thread((tmp_path / "people.yaml").write_text, people, encoding="utf-8")
    await pass_by(stage, 11)
    await stage.settle()
    (found,) = await kept(stage)
    assert found.latest is not None
    assert "not known any more" in (found.latest.outcome or "")


@on("memory")
async def test_a_ticket_that_may_not_be_read_any_more_is_not_shown(stage: Stage, tmp_path: Path) -> None:
    number = await filed(stage, "ada")
    await stage.say("ben", f"Remind me about {number} in 10 minutes")
    without = PEOPLE.replace("groups: [it], roles: [agent]", "groups: [it]")
    await asyncio.to_thread((tmp_path / "people.yaml").write_text, without, encoding="utf-8")
    told = await later(stage, "ben", 11)
    assert ENGLISH.says("reminder.lost.about", text=number) in told.text
    assert "printer" not in told.text
    assert await kept(stage) == []


@on_every_platform
async def test_secrets_are_taken_out(stage: Stage) -> None:
    set_ = await stage.say("ada", "Remind me in 10 minutes to rotate the key password=hunter2secret9")
    assert "hunter2secret9" not in set_.text
    assert "hunter2secret9" not in (await later(stage, "ada", 11)).text


@on_every_platform
@needs("home")
async def test_a_home_shows_what_comes(stage: Stage) -> None:
    await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
    assert "renew the certificate" in (await stage.home("ada")).text


@on("memory")
async def test_what_is_still_to_come_is_given_another_time_in_words_and_its_own_back(stage: Stage) -> None:
    weekly = await stage.say("ada", "Remind me every Wednesday at 16:00 to water the plants")
    assert "every Wednesday at 16:00" in weekly.text
    assert "every Thursday at 15:00" in (await stage.say("ada", "Change it to Thursday at 15:00")).text
    assert "every Thursday at 10:30" in (await stage.say("ada", "No, make it 10:30")).text
    assert "every Thursday at 15:00" in (await stage.say("ada", "undo")).text

    day = stage.clock.now().astimezone(ZoneInfo(SHANGHAI)).date() + timedelta(days=2)
    said = [
        in_words(Once(datetime.combine(day, time(hour, minute))), "zh", SHANGHAI)
        for hour, minute in ((16, 30), (17, 0), (1, 30), (13, 30), (17, 30))
    ]
    assert said[0] in (await stage.say("bao", "后天下午四点半提醒我给锁匠打电话")).text
    assert said[1] in (await stage.say("bao", "改成下午五点")).text
    which = await stage.say("bao", "改到一点半")
    assert CHINESE.says("asked_back.snooze_which") in which.text
    assert {said[2], said[3]} <= {*which.labels}
    assert said[3] in (await stage.press("bao", which, said[3])).text
    assert said[1] in (await stage.say("bao", "撤销")).text
    assert said[4] in (await stage.say("bao", "改到五点半")).text  # half an hour later, not twelve hours before


@on("memory")
async def test_one_is_named_by_its_words_and_a_new_wish_answers_no_question(stage: Stage) -> None:
    await stage.say("ada", "Remind me a week from tomorrow at 10:00 to renew the parking permit")
    assert "11:00" in (await stage.say("ada", "Actually make that 11")).text
    await stage.say("ada", "Put it off")
    other = await stage.say("ada", "Remind me every weekday except Wednesday at 9:10 to post the duty roster")
    assert "post the duty roster" in other.text
    assert len(await kept(stage)) == 2

    assert "10:30" in (await stage.say("ada", "Move the parking permit reminder to 10:30")).text
    off = await stage.say("ada", "Put off the duty roster reminder until the day after tomorrow at 9")
    assert words(ENGLISH, "reminder.put_off.me") in off.text
    listed = (await stage.say("ada", "My reminders")).text
    assert "every Monday, Tuesday, Thursday and Friday at 09:10" in listed  # this time is put off, not all of them
    assert "11:45" in (await stage.say("ada", "The one about the parking permit, make it 11:45")).text
    assert "nothing is changed" in (await stage.say("ada", "Move the walrus reminder to 10:30")).text
    assert len([each for each in await kept(stage) if not each.schedule.name.endswith(":again")]) == 2


@on("memory")
async def test_what_is_in_no_language_is_answered_in_that_of_before(stage: Stage) -> None:
    await stage.say("ada", "明天下午三点提醒我续停车证")
    assert "续停车证" in (await stage.say("ada", "停车证的提醒改到四点")).text
    seen = await stage.say("ada", "/desk status")
    assert "提醒" in seen.text


@on_every_platform
async def test_what_is_not_wholly_read_is_offered_and_yes_takes_it(stage: Stage, told: Story) -> None:
    wish, yes, text = {
        "en": ("Remind me on thrusday at 10am to call the landlord", "yes", "call the landlord"),
        "zh": ("明天下午三四点提醒我交材料", "好的", "交材料"),
    }[told.language]
    asked = await stage.say(told.requester, wish)
    assert told.says("asked_back.reminder_unread") in asked.text
    assert await kept(stage) == []
    assert text in (await stage.say(told.requester, yes)).text
    (one,) = await kept(stage)
    assert Reminder.of(one.schedule).text == text
