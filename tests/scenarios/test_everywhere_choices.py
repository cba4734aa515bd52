"""A number that may be several is asked back: with what the asker may see, and what they say next goes on with it."""

from pathlib import Path

import pytest

from tests.scenarios.everywhere import on
from tests.scenarios.shop import CATALOG, NORTH, SOUTH, write_shop
from tests.scenarios.stage import Stage
from tests.scenarios.story import CHINESE, ENGLISH, Story

REVENUE = """\
  revenue:
    called: {en: [revenue], zh: [销售额]}
    table: orders
    expression: SUM(crates * 3)
    unit: euros
    time: day
    dimensions: [region]
"""


@pytest.fixture(autouse=True, params=["unit:sales"])
def _shop(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    write_shop(tmp_path)
    (tmp_path / "catalog" / "shop.yaml").write_text(CATALOG.replace("unit:sales", request.param) + REVENUE, "utf-8")


@on("memory", "web", "slack_http", "teams_dialogs")
@pytest.mark.parametrize(
    ("story", "asked", "then", "choice"),
    [
        (ENGLISH, "Which region was the best in January 2026?", "the top two", "revenue"),
        (CHINESE, "2026年1月哪个地区最好？", "前两名呢", "销售额"),
    ],
)
async def test_what_is_said_to_a_choice_goes_on_with_it(
    stage: Stage, story: Story, asked: str, then: str, choice: str
) -> None:
    first = await stage.say("ben", asked)
    again = await stage.say("ben", then)
    seen = await stage.say("ben", choice)
    assert story.says("asked_back.data") in first.text
    assert story.says("asked_back.data") in again.text
    assert {f"{SOUTH * 3}", f"{NORTH * 3}"} <= set(seen.text.split())  # one was the best, two were asked for then


@on("memory")
@pytest.mark.parametrize("_shop", ["unit:board"], indirect=True)
async def test_no_choice_is_offered_that_the_asker_may_not_see(stage: Stage) -> None:
    seen = await stage.say("ada", "Which region was the best in January 2026?")

    assert "revenue" not in seen.text
    assert ENGLISH.says("asked_back.data") not in seen.text
