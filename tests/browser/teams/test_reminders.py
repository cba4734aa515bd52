"""A reminder in Microsoft's client: read back, delivered and put off."""

import pytest
from playwright.async_api import expect

from tests.browser.pictures import picture
from tests.browser.teams.house import TeamsHouse
from tests.browser.test_reminders import WISH, ring

pytestmark = pytest.mark.browser


async def test_in_teams(house: TeamsHouse) -> None:
    seat = await house.seat("ada")
    await seat.say(WISH)
    await expect(seat.said("I will remind you").first).to_be_visible()
    await ring(house.desk)
    await house.settle()
    told = seat.card("10 min")
    await expect(told).to_contain_text("renew the certificate")
    await picture(seat.page, "teams-en-reminder")
    await told.get_by_role("button", name="1 h", exact=True).click()
    await expect(seat.said("I will remind you again").last).to_be_visible()
    await picture(seat.page, "teams-en-reminder-snoozed")
    await seat.assert_nothing_went_wrong()
