"""`docs/how-to/set-reminders.md` typed into the chat, line by line: what people then see."""

import re
from pathlib import Path

from storage.database import Database
from tests.architecture.source import ROOT
from tests.docs.pages import Page
from tests.scenarios.driver_memory import open_memory
from tests.scenarios.stage import MovableClock, Setting, Stage
from tests.scenarios.story import ENGLISH

SOURCE = ROOT / "docs" / "how-to" / "set-reminders.md"
PAGE = Page(SOURCE, SOURCE.read_text(encoding="utf-8"))
WISHES = PAGE.blocks("text")[0].splitlines()
#: The weekday, the date, the time and the city.
ONCE = re.compile(r"\w{3} \d{1,2} \w{3} \d{4}, \d\d:\d\d, \w+")
IS_SET = re.compile(r"I will remind|会提醒")
AGAIN = re.compile(r"every day at \d\d:\d\d|每周一 09:00（\w+）|every month.{1,60}\d\d:\d\d")


async def filed(stage: Stage) -> str:
    """Return the number of a ticket that was filed."""
    drafted = await stage.say("ada", "Please open a ticket: the printer on floor 3 is broken")
    told = await stage.press("ada", drafted, ENGLISH.says("draft.confirm"))
    (number,) = set(re.findall(r"TCK-\d+-\d+", told.text))
    return str(number)


async def test_each_line_is_read_back_and_comes_at_its_time(database: Database, tmp_path: Path) -> None:
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        number = await filed(stage)
        for line in WISHES:
            stage.clock.skip(5)
            shown = await stage.say("ada", re.sub(r"TCK-\d+-\d+", number, line))
            for answer in ("the first", "9:30"):  # "where two times may be meant, the desk asks, and takes the answer"
                if not IS_SET.search(shown.text):
                    shown = await stage.say("ada", answer)
            assert IS_SET.search(shown.text), (line, shown.text)
            assert ONCE.search(shown.text) or AGAIN.search(shown.text), (line, shown.text)
        listed = (await stage.say("ada", "/desk reminders")).text
        for words in ("renew the certificate", "close the books", "call the supplier", "提交周报"):
            assert words in listed

        stage.clock.skip(5)
        assert "Deleted: " in (await stage.say("ada", "delete the certificate reminder")).text
        assert "renew the certificate" not in (await stage.say("ada", "Cancel all my reminders")).text


async def test_what_is_left_out_and_brought_back(database: Database, tmp_path: Path) -> None:
    assert all(each in PAGE.text for each in ("“Skip the next one”", "下次跳过", "“undo” or 撤销", "*Skip next*", "“both”"))
    (pill,) = [each for each in WISHES if "pill" in each]
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        assert ENGLISH.says("reminder.button.skip") in (await stage.say("ada", pill)).labels
        for words in ("Skip the next one", "下次跳过"):
            assert re.search(r"Left out: .* It comes next: |之后下一次：", (await stage.say("ada", words)).text)
        assert "Deleted: take the pill" in (await stage.say("ada", "delete the pill reminder")).text
        assert "take the pill" in (await stage.say("ada", "undo")).text
        assert "every day at 09:00, from" in (await stage.say("ada", "/desk reminders")).text


async def test_what_is_said_after_one_was_set(database: Database, tmp_path: Path) -> None:
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        await stage.say("ada", WISHES[0])
        for words in re.findall(r"“(Make it 5 pm)”|“(change it to Thursday at 15:00)”|(改成下午五点)", PAGE.text)[:3]:
            said = "".join(words)
            assert re.search(r"17:00|15:00", (await stage.say("ada", said)).text), said
        assert "09:00" not in (await stage.say("ada", "undo")).text  # its own time before the last change comes back


async def test_other_words_and_other_people(database: Database, tmp_path: Path) -> None:
    assert all(each in PAGE.text for each in ("“Call it …”", "“leave it as it is”", "就这样吧", "“called him already”"))
    (another,) = re.findall(r"“(remind Dora [^”]*)”", PAGE.text)
    async with open_memory(Setting(tmp_path, database, MovableClock(), {})) as stage:
        await stage.say("ada", WISHES[0])
        renamed = (await stage.say("ada", "Call it the certificate of the shop")).text
        assert "the certificate of the shop" in renamed
        assert "09:00" in renamed
        for words in ("leave it as it is", "就这样吧"):
            assert "the certificate of the shop" in (await stage.say("ada", words)).text
        assert "renew the certificate" in (await stage.say("ada", "undo")).text

        stage.clock.skip(5)
        assert "I write to nobody else for you" in (await stage.say("ada", another)).text
        told = (await stage.say("ada", "ok, remind me")).text
        assert re.search(r"(?i)remind Dora about the invoice", told)
        assert ONCE.search(told)
