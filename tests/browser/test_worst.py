"""The messages that were answered worst, in the browser chat and in Slack."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.house import House
from tests.browser.pictures import picture
from tests.browser.slack_house import slack_house
from tests.browser.worst import CASES

pytestmark = pytest.mark.browser


async def test_they_are_answered_in_the_browser(demo: House) -> None:
    for case in CASES:
        seat = await demo.seat(case.person, viewport={"width": 900, "height": 760})
        for text in case.said:
            await seat.say(text)
        await expect(seat.answers.filter(has_text=case.reads).last).to_be_visible()
        await picture(seat.page, f"worst/{case.name}-browser")
        assert seat.problems == []


async def test_they_are_answered_in_slack(sample_home: Path, browser: Browser) -> None:
    async with slack_house(sample_home, browser) as running:
        for case in CASES:
            seat = await running.seat(case.person)
            await seat.go(tab="messages")
            await seat.write("Message Duty Desk", case.said[0])
            await running.settle()
            await seat.go(tab="messages")
            await seat.open_thread()
            for text in case.said[1:]:
                await seat.write("Reply…", text)
                await running.settle()
            await expect(seat.said(case.reads).last).to_be_visible()
            await seat.said(case.reads).last.scroll_into_view_if_needed()
            await picture(seat.page, f"worst/{case.name}-slack")
            assert seat.problems == []
