"""A fault that a page explains: its steps come first, the draft waits below them, on every platform."""

import asyncio

import pytest

from tests.scenarios.everywhere import on, on_every_platform
from tests.scenarios.platforms import Seen
from tests.scenarios.stage import Stage
from tests.scenarios.steps import complete, number_in
from tests.scenarios.story import CHINESE, ENGLISH, Story
from tests.scenarios.world import write_pages

PAGES = {
    ".access.yaml": "allow: [staff]\n",
    "labels.md": (
        "# Label printers\n\n## The label printer jams\n\n1. Open the side door.\n"
        "2. Take the roll out and wind it back.\n\n## Order labels\n\nOrder labels from the stock room.\n"
    ),
    "zh/labels.md": (
        "# 标签打印机\n\n## 标签打印机卡纸\n\n打开侧门，取出纸卷，再装回去。\n\n## 领取标签\n\n到库房领取标签。\n"
    ),
}
#: A fault below the answer to a question, which stays as it was said.
MIXED = {
    "en": "My keyboard is broken, and where do I order labels?",
    "zh": "我的键盘坏了，另外标签到哪里领取？",
}
FAULT = {"en": "The label printer is jammed", "zh": "标签打印机卡纸了"}
STEPS = {"en": "wind it back", "zh": "取出纸卷"}
STOCK = {"en": "from the stock room", "zh": "库房"}
BROKEN = {"en": "still broken", "zh": "还是不行"}
SOLVED = {"en": "that worked, thanks", "zh": "好了，谢谢"}


async def tried(stage: Stage, told: Story) -> Seen:
    """Report a fault that a page explains."""
    folder = stage.desk.settings.home / "labels"
    await asyncio.to_thread(write_pages, folder, PAGES)
    await stage.desk.search.add_folder(await stage.desk.people.named("operator"), folder)
    return await stage.say(told.requester, FAULT[told.language])


async def drafts(stage: Stage, told: Story) -> list[str]:
    """Return the descriptions of the drafts that wait for somebody."""
    found = await stage.desk.tickets.open_drafts(await stage.desk.people.named(told.requester))
    return [draft.description for draft in found]


LEAK = {
    "en": "# Fumigation\n\n## Smell of garlic in a store hall\n\nLeave against the wind, nobody goes in, call 2112.\n",
    "zh": "# 熏蒸\n\n## 仓库里有大蒜异味\n\n立即撤离到上风处, 谁也不要回去, 拨 2112。\n",
}
SMELL = {"en": "the store hall smells of garlic", "zh": "仓库里有大蒜异味"}


@on_every_platform
async def test_what_tells_people_to_get_away_is_nothing_to_try_first(stage: Stage, told: Story) -> None:
    folder = stage.desk.settings.home / "fumigation"
    pages = {".access.yaml": "allow: [staff]\n", f"{told.language}/leaks.md": LEAK[told.language]}
    await asyncio.to_thread(write_pages, folder, pages)
    await stage.desk.search.add_folder(await stage.desk.people.named("operator"), folder)

    seen = await stage.say(told.requester, SMELL[told.language])

    assert seen.text.index(told.says("above.draft.danger")) < seen.text.index("2112")
    assert told.says("ticket.priority.urgent") in seen.text
    assert told.says("draft.tried.enough") not in seen.labels


@on_every_platform
async def test_the_steps_of_the_page_stand_above_the_draft_that_they_may_spare(stage: Stage, told: Story) -> None:
    seen = await tried(stage, told)

    assert STEPS[told.language] in seen.text
    assert seen.text.index(told.says("above.draft.tried")) < seen.text.index(STEPS[told.language])
    assert seen.text.index(STEPS[told.language]) < seen.text.rindex(told.says("draft.tried.below"))
    assert {told.says("draft.tried.enough"), told.says("draft.tried.goes_on")} <= set(seen.labels)
    assert told.says("draft.confirm") not in seen.labels


@on_every_platform
async def test_what_was_tried_stands_in_the_draft_that_goes_on(stage: Stage, told: Story) -> None:
    seen = await tried(stage, told)
    draft = await stage.press(told.requester, seen, told.says("draft.tried.goes_on"))

    steps = told.says("draft.tried_line", steps="@").partition("@")[0]
    assert steps in draft.text
    assert steps in (await drafts(stage, told))[0]


@on_every_platform
async def test_what_is_solved_leaves_no_draft_and_can_be_undone(stage: Stage, told: Story) -> None:
    seen = await tried(stage, told)
    solved = await stage.press(told.requester, seen, told.says("draft.tried.enough"))
    assert told.says("draft.solved") in solved.text
    assert not await drafts(stage, told)

    await stage.press(told.requester, solved, told.says("draft.undo"))
    assert await drafts(stage, told) == [FAULT[told.language]]


@on("memory", "web")
@pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_words_do_what_the_buttons_do(stage: Stage, told: Story) -> None:
    await tried(stage, told)
    draft = await stage.say(told.requester, BROKEN[told.language])
    assert told.says("draft.tried_line", steps="@").partition("@")[0] in draft.text

    gone = await stage.say(told.requester, {"en": "forget it", "zh": "算了"}[told.language])
    assert told.says("draft.thrown_away") in gone.text
    await stage.say(told.requester, FAULT[told.language])
    solved = await stage.say(told.requester, SOLVED[told.language])
    assert told.says("draft.solved") in solved.text
    assert not await drafts(stage, told)


@on("memory", "web")
async def test_what_the_draft_lacks_can_be_said_right_below_the_steps(stage: Stage) -> None:
    await tried(stage, ENGLISH)
    draft = await stage.say("ada", "it is at the Rotterdam depot")

    assert "Rotterdam depot" in draft.text
    assert ENGLISH.says("draft.discard") in draft.labels


@on_every_platform
async def test_a_draft_below_an_answer_can_be_filed_after_its_form(stage: Stage, told: Story) -> None:
    await tried(stage, told)
    seen = await stage.say(told.requester, MIXED[told.language])
    assert STOCK[told.language] in seen.text
    draft = await stage.fill(told.requester, seen, told.says("draft.complete"), complete(told))

    filed = await stage.press(told.requester, draft, told.says("draft.confirm"))
    assert number_in(filed.text)


@on("memory", "web")
async def test_the_same_fault_is_a_new_draft_once_the_first_was_discarded(stage: Stage) -> None:
    seen = await tried(stage, ENGLISH)
    await stage.press("ada", seen, ENGLISH.says("draft.tried.enough"))
    again = await stage.say("ada", FAULT["en"])

    assert ENGLISH.says("draft.tried.enough") in again.labels
    assert len(await drafts(stage, ENGLISH)) == 1


@on("memory", "web")
async def test_a_fault_that_no_page_explains_is_drafted_at_once(stage: Stage) -> None:
    await tried(stage, ENGLISH)
    seen = await stage.say("ada", "The oven in the canteen does not heat")

    assert ENGLISH.says("above.draft.tried") not in seen.text
    assert ENGLISH.says("draft.discard") in seen.labels
