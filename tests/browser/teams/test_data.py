"""Five questions for numbers in Microsoft's client: a table, a chart, a refusal, a question back, an approval."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect

from tests.browser.company import ASKED, write_company
from tests.browser.house import sample_desk
from tests.browser.pictures import picture
from tests.browser.teams.house import TEAMS, TeamsHouse, move_in
from tests.browser.teams.playground import missing
from tests.browser.teams.seat import TeamsSeat

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture(loop_scope="session")
async def company(sample_home: Path, browser: Browser) -> AsyncIterator[TeamsHouse]:
    """Return a company in Teams whose people can ask its database."""
    if reason := missing():
        pytest.skip(reason)
    await asyncio.to_thread(write_company, sample_home)
    async with (
        sample_desk(sample_home, teams=dict(TEAMS)) as (desk, url),
        move_in(desk, url, browser, sample_home.parent) as opened,
    ):
        yield opened


async def test_five_questions_in_teams(company: TeamsHouse) -> None:
    seat = await company.seat("ada")
    number = await _asked(seat, ASKED.number, "add-ons")
    await expect(number.get_by_role("button", name="How it was computed")).to_be_visible()
    await picture(seat.page, "teams-data-en-number")

    chart = await _asked(seat, ASKED.chart, "by month")
    await expect(chart.locator("svg").first).to_be_visible()

    await seat.say(ASKED.refusal)
    refused = seat.said(ASKED.refused).last
    await expect(refused).to_be_visible()
    await refused.scroll_into_view_if_needed()

    back = await _asked(seat, ASKED.ask_back, ASKED.asked_back)
    await back.get_by_role("button", name="revenue", exact=True).click()
    await expect(seat.card("product").last).to_contain_text("EUR")

    await seat.say(f"/desk sql {ASKED.approval}")
    waits = seat.card(ASKED.waits).last
    await expect(waits).to_be_visible()
    await waits.scroll_into_view_if_needed()
    await waits.get_by_role("button", name="Confirm").click()
    await expect(seat.card("lines").last).to_contain_text("How it was computed")
    await seat.assert_nothing_went_wrong()


async def _asked(seat: TeamsSeat, text: str, looked_for: str) -> Locator:
    await seat.say(text)
    card = seat.card(looked_for).last
    await expect(card).to_be_visible()
    await card.evaluate("shown => shown.scrollIntoView({block: 'center'})")
    return card
