"""A diagnosis in Microsoft's client: the report with its chart, and its buttons, in both languages."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.house import sample_desk
from tests.browser.pictures import picture
from tests.browser.teams.house import TEAMS, TeamsHouse, move_in
from tests.browser.teams.playground import missing
from tests.browser.test_diagnosis import write_cluster

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture(loop_scope="session")
async def on_call(sample_home: Path, browser: Browser) -> AsyncIterator[TeamsHouse]:
    """Return the sample company in Teams, with its cluster."""
    if reason := missing():
        pytest.skip(reason)
    await asyncio.to_thread(write_cluster, sample_home)
    async with (
        sample_desk(sample_home, teams=dict(TEAMS)) as (desk, url),
        move_in(desk, url, browser, sample_home.parent) as opened,
    ):
        yield opened


@pytest.mark.parametrize(
    ("question", "action", "language"),
    [("Why is checkout down?", "Run again", "en"), ("结账服务为什么挂了?", "再查一次", "zh")],
    ids=["en", "zh"],
)
async def test_it_is_asked_in_teams(on_call: TeamsHouse, question: str, action: str, language: str) -> None:
    seat = await on_call.seat("ben")
    await seat.say(question)
    card = seat.card("OOMKilled")
    await expect(card).to_contain_text("checkout:4.12.0")
    await expect(card.locator("svg").first).to_be_visible()
    await expect(card.get_by_role("button", name=action)).to_be_visible()
    await card.get_by_role("button", name=action).scroll_into_view_if_needed()
    if language == "zh":
        await picture(seat.page, "teams-diagnosis-zh")
    await seat.assert_nothing_went_wrong()
