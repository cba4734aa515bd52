"""What a platform says of itself in its limits is what people meet there, and what stands in the difference table."""

import dataclasses
import re

import pytest

from adapters.port import Limits
from tests.architecture.source import ROOT
from tests.scenarios.everywhere import PLATFORMS, needs, on_every_platform
from tests.scenarios.stage import Stage
from tests.scenarios.steps import filed
from tests.scenarios.story import Story

TABLE = (ROOT / "docs" / "reference" / "platforms.md").read_text(encoding="utf-8")
SAID = [each.name for each in dataclasses.fields(Limits) if each.type is bool]
#: What says how something is done, not whether.
MANNERS = ("bare_commands", "judged_by_message")
ABILITIES = [name for name in SAID if name not in MANNERS]


def columns() -> dict[str, list[str]]:
    """Return the cells of the difference table by platform, from top to bottom."""
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in TABLE.splitlines() if line[:1] == "|"]
    head, _rule, *body = rows
    return {name: [row[-len(head) + at] for row in body] for at, name in enumerate(head)}


@pytest.mark.every_combination
@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_platform_of_the_suite_stands_in_the_table(platform: str) -> None:
    said = [getattr(PLATFORMS[platform].limits, name) for name in SAID]

    assert columns()[platform.partition("_")[0]][: len(said)] == ["yes" if each else "no" for each in said]


@pytest.mark.every_combination
@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("ability", ABILITIES)
def test_the_reason_why_something_is_missing_is_told(platform: str, ability: str) -> None:
    why, name = PLATFORMS[platform].missing(ability), platform.partition("_")[0]

    assert why is None or re.search(rf"^- {name}, .+: {re.escape(why)}$", TABLE, re.MULTILINE), why


@on_every_platform
@needs("streams")
@pytest.mark.settings(think_s=0.4)
async def test_an_answer_is_seen_while_it_is_made_and_once_when_it_is_there(stage: Stage, told: Story) -> None:
    seen = await stage.say(told.requester, told.question)
    glimpses = await stage.glimpses(told.requester)

    assert any(told.says("status.thinking") in each for each in glimpses), glimpses
    assert told.answer in seen.text
    assert len(await stage.read(told.requester)) == 1


@on_every_platform
async def test_a_card_changes_where_it_stands_or_is_shown_again(stage: Stage, told: Story) -> None:
    await filed(stage, told)
    drafts = [each for each in await stage.read(told.requester) if told.says("draft.heading", title="") in each.text]
    open_ones = [each for each in drafts if told.says("draft.confirm") in each.labels]

    assert bool(open_ones) is not stage.driver.limits.edits
