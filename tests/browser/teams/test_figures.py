"""A table and a chart in Microsoft's client, which draws both itself."""

import pytest
from playwright.async_api import expect

from adapters.cards import Language
from tests.browser.figures import chart_card, post, table_card
from tests.browser.pictures import picture
from tests.browser.teams.house import TeamsHouse
from tests.browser.told import CHINESE, ENGLISH, Told

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])
async def test_in_teams(house: TeamsHouse, told: Told) -> None:
    language: Language = "en" if told is ENGLISH else "zh"
    seat = await house.seat(told.requester)
    await seat.say(told.question)
    await expect(seat.said(told.answer).first).to_be_visible()
    await post(house.desk, told.requester, "teams", table_card(language), key="table")
    table = seat.card("Antwerp")
    await expect(table).to_contain_text("Rotterdam")
    await expect(table).to_contain_text("SELECT site, count(*)")
    await table.evaluate("shown => shown.scrollIntoView({block: 'center'})")
    await picture(seat.page, f"teams-{language}-table")
    await post(house.desk, told.requester, "teams", chart_card(language), key="chart")
    chart = seat.card("131")
    await expect(chart.locator("svg").first).to_be_visible()
    await chart.evaluate("shown => shown.scrollIntoView({block: 'center'})")
    await picture(seat.page, f"teams-{language}-chart")
    await seat.assert_nothing_went_wrong()
