"""A digest and news of a ticket in Microsoft's client."""

import pytest
from playwright.async_api import expect

from tests.browser.pictures import picture
from tests.browser.teams.house import TeamsHouse
from tests.browser.test_news import REPLY, comment_of_an_agent, ticket_of_ada

pytestmark = pytest.mark.browser


async def test_in_teams(house: TeamsHouse) -> None:
    number = await ticket_of_ada(house.desk)
    seat = await house.seat("ada")
    await seat.say("digest")
    await expect(seat.card("New tickets").filter(has_text=number)).to_be_visible()
    await picture(seat.page, "teams-en-digest")
    await comment_of_an_agent(house.desk, number)
    await house.settle()
    await expect(seat.said(REPLY).last).to_be_visible()
    await picture(seat.page, "teams-en-news")
    await seat.assert_nothing_went_wrong()
