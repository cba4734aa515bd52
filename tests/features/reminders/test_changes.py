"""What is said of a reminder that was just asked for or set: another time, another rhythm, other words, nothing."""

from pathlib import Path

import pytest

from storage.database import Database
from tests.scenarios.driver_memory import open_memory
from tests.scenarios.platforms import MAIN, Seen
from tests.scenarios.stage import MovableClock, Setting
from tests.scenarios.story import CHINESE, ENGLISH, Story


@pytest.mark.parametrize(
    ("story", "person", "said", "shown"),
    [
        (
            ENGLISH,
            "ada",
            (
                "Remind us here on 14 December at 3pm to demo",
                "make it 4pm",
                "no, the 15th",
                "make it weekly",
                "call it the demo",
            ),
            ("14 Dec", "16:00", "15 Dec", "every ", "“the demo”"),
        ),
        (
            CHINESE,
            "bao",
            ("每周五下午四点提醒大家写周报", "改到五点", "还是周四吧"),
            ("每周五 16:00", "每周五 17:00", "每周四 17:00"),
        ),
    ],
)
async def test_what_waits_for_its_button_is_changed_in_words_and_set_once(
    database: Database, tmp_path: Path, story: Story, person: str, said: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        place = await stage.channels.channel("ada", "bao", "ben")
        first = asked = Seen("", (), ())
        for words, part in zip(said, shown, strict=True):
            asked = await stage.say(person, words, place)
            assert part in asked.text, (words, asked.text)
            assert story.says("approval.confirm") in asked.labels
            first = asked if not first.text else first
        await stage.press(person, asked, story.says("approval.confirm"), place)
        await stage.press(person, first, story.says("approval.confirm"), place)  # it has lapsed
        assert (await stage.command(person, "reminders")).labels.count(story.says("reminder.button.delete")) == 1
        moved = await stage.say(person, "move it to 18:00" if story is ENGLISH else "改到18点", place)
        assert "18:00" in moved.text
        assert story.says("reminder.button.undo") in moved.labels


@pytest.mark.parametrize(
    ("person", "said", "shown"),
    [
        ("ada", "can we do tuesdays instead", "every Tuesday at 09:00"),
        ("ada", "actually make that 9:30", "every Monday at 09:30"),
        ("ada", "push it back half an hour", "every Monday at 09:30"),
        ("ada", "make it every other week", "every 2 weeks on Monday"),
        ("bao", "换成周二吧", "每周二 09:00"),
        ("bao", "时间改成9点半", "每周一 09:30"),
        ("bao", "往后推半小时", "每周一 09:30"),
        ("bao", "改成每两周一次", "每 2 周的周一"),
    ],
)
async def test_one_that_comes_again_is_changed_in_words(
    database: Database, tmp_path: Path, person: str, said: str, shown: str
) -> None:
    wish = "remind me every monday at 9 to post the plan" if person == "ada" else "每周一上午9点提醒我发计划"
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        await stage.say(person, wish)
        assert shown in (await stage.say(person, said, MAIN)).text


async def test_what_waits_is_called_off(database: Database, tmp_path: Path) -> None:
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        place = await stage.channels.channel("ada", "bao")
        await stage.say("bao", "每周五下午四点提醒大家写周报", place)
        assert CHINESE.says("asked_back.not_done") in (await stage.say("bao", "算了不用了", place)).text
