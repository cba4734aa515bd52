"""The messages that were answered worst, in Microsoft's client."""

import pytest
from playwright.async_api import expect

from tests.browser.pictures import picture
from tests.browser.teams.house import TeamsHouse
from tests.browser.worst import CASES

pytestmark = pytest.mark.browser


async def test_they_are_answered_in_teams(house: TeamsHouse) -> None:
    seats = {name: await house.seat(name) for name in sorted({case.person for case in CASES})}
    for case in CASES:
        seat = seats[case.person]
        for text in case.said:
            await seat.say(text)
            await expect(seat.page.get_by_text(text, exact=True).last).to_be_visible()
            await house.settle()
        read = seat.messages.filter(has_text=case.reads).last
        await expect(read).to_be_visible()
        await read.evaluate("shown => shown.scrollIntoView({block: 'end'})")
        await picture(seat.page, f"worst/{case.name}-teams")
    for seat in seats.values():
        await seat.assert_nothing_went_wrong()
