"""Alarms: what to do at once comes before everything else, with the company's page, on every platform."""

import asyncio

import pytest

from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH
from tests.scenarios.world import write_pages

STOLEN = "My laptop was stolen from the train!"
PAGE = "# Devices\n\n## Lost or stolen\n\nCall extension 4357 within the hour.\n\n## New ones\n\nAsk.\n"


async def indexed(stage: Stage) -> None:
    """Put the company's page into the index."""
    folder = stage.desk.settings.home / "emergency"
    await asyncio.to_thread(write_pages, folder, {".access.yaml": "allow: [public]\n", "devices.md": PAGE})
    await stage.desk.search.add_folder(await stage.desk.people.named("operator"), folder)


@on_every_platform
async def test_what_to_do_comes_first_with_the_company_page_and_then_an_urgent_draft(stage: Stage) -> None:
    await indexed(stage)
    seen = await stage.say("ada", STOLEN)

    assert ENGLISH.says("alarm.kind.lost_device") in seen.text
    assert ENGLISH.says("alarm.desk") not in seen.text  # the page names the number
    assert "Call extension 4357 within the hour" in seen.text
    assert "New ones" not in seen.text

    drafted = await stage.press("ada", seen, ENGLISH.says("alarm.ticket"))
    assert "laptop was stolen" in drafted.text
    assert "urgent" in drafted.text.lower()


@on("memory", "web")
async def test_an_alarm_is_answered_where_nothing_was_ever_indexed_about_it(stage: Stage) -> None:
    english = await stage.say("ada", "There is a fire in the north hall")
    chinese = await stage.say("bao", "二楼着火了")

    assert "112" in english.text
    assert "119" in chinese.text
    assert CHINESE.says("alarm.do.fire") in chinese.text


OTHERS = {
    ".access.yaml": "allow: [public]\n",
    "rooms.md": "# 会议室\n\n## 钥匙\n\n钥匙在保安处，请拨打分机 4410。紧急情况下也可以找前台。\n",
    "lab.md": "# Emergency contacts\n\nSecurity: call 4444. Reception: extension 1.\n",
}


@on("memory", "web")
async def test_a_page_about_something_else_never_stands_in_place_of_what_to_do(stage: Stage) -> None:
    folder = stage.desk.settings.home / "others"
    await asyncio.to_thread(write_pages, folder, OTHERS)
    await stage.desk.search.add_folder(await stage.desk.people.named("operator"), folder)

    chinese = await stage.say("bao", "二楼着火了")
    assert CHINESE.says("alarm.do.fire") in chinese.text
    assert "119" in chinese.text
    assert "4410" not in chinese.text
    assert CHINESE.says("alarm.beside") in chinese.text
    assert "4444" in chinese.text


@on("memory", "web")
@pytest.mark.parametrize("waits", ["I need access to the finance share", "My printer jams"])
async def test_an_alarm_is_no_answer_to_what_the_desk_asked_before(stage: Stage, waits: str) -> None:
    await stage.say("ada", waits)
    seen = await stage.say("ada", "someone collapsed in the hall")

    assert ENGLISH.says("alarm.do.injury") in seen.text
