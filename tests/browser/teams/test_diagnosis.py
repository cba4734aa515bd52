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
    await picture(seat.page, f"teams-diagnosis-{language}")
    await seat.assert_nothing_went_wrong()


async def test_every_button_of_a_report_works_in_teams(on_call: TeamsHouse) -> None:
    seat = await on_call.seat("ben")
    await seat.say("why is it down?")
    await seat.page.get_by_role("button", name="Choose what to look at", exact=True).click()
    app = seat.page.get_by_role("combobox", name="App or namespace")
    await app.click()
    await seat.page.get_by_role("option", name="checkout", exact=True).click()
    form = seat.page.locator(".ac-adaptiveCard").filter(has=app)
    await picture(seat.page, "teams-diagnosis-en-form")
    await form.get_by_role("button", name="Look", exact=True).click()
    card = seat.card("OOMKilled")
    await expect(card).to_have_count(1)
    await on_call.settle()
    await card.get_by_role("button", name="Run again").click()
    await expect(card).to_have_count(2)
    await on_call.settle()
    await card.last.get_by_role("button", name="Open a ticket with this").click()
    await expect(seat.card("OOM_KILLED").last).to_be_visible()
    await picture(seat.page, "teams-diagnosis-en-ticket")
    await seat.say("What changed in checkout today?")
    await expect(seat.card("last change at").last).to_be_visible()
    await picture(seat.page, "teams-diagnosis-en-changed")
    await seat.assert_nothing_went_wrong()
