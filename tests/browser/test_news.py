"""A digest and news of a ticket as people see them, in the browser and in Slack."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.compose.desk import Desk
from identity.permissions import Permission
from identity.policy import decide
from tests.browser.house import House
from tests.browser.pictures import picture
from tests.browser.slack_house import slack_house

pytestmark = pytest.mark.browser

TITLE, REPLY = "The screen in room 214 flickers", "A new cable is on its way to room 214."


async def ticket_of_ada(desk: Desk) -> str:
    """Have a ticket of Ada's filed; return its number."""
    ada = await desk.people.named("ada")
    draft = await desk.tickets.draft(ada, thread="elsewhere", category="other", title=TITLE, description=TITLE)
    nonce = await desk.tickets.nonce_for(ada, draft.id)
    return (await desk.tickets.file(ada, draft.id, nonce=nonce)).number


async def comment_of_an_agent(desk: Desk, number: str) -> None:
    """Have somebody who works tickets comment on a ticket."""
    people = await desk.directory.people()
    agent = next(each for each in people if each.id != "ada" and decide(each, Permission.TICKETS_WORK).allowed)
    await desk.tickets.comment(agent, number, text=REPLY)


async def test_in_the_browser_chat(demo: House) -> None:
    number = await ticket_of_ada(demo.desk)
    seat = await demo.seat("ada", viewport={"width": 1280, "height": 900})
    digest = await seat.say("/desk digest")
    await expect(digest).to_contain_text(number)
    await picture(seat.page, "digest-en")
    before = await seat.answers.count()
    await comment_of_an_agent(demo.desk, number)
    news = await seat.answer(after=before)
    await expect(news).to_contain_text(REPLY)
    await picture(seat.page, "news-en")
    assert seat.problems == []


async def test_in_slack(sample_home: Path, browser: Browser) -> None:
    async with slack_house(sample_home, browser) as house:
        number = await ticket_of_ada(house.desk)
        seat = await house.seat("ada")
        await seat.go()
        await seat.write("Message Duty Desk", "Show me the digest")
        await expect(seat.page.locator(".conversation .replies").last).to_be_visible()
        await seat.open_thread()
        await expect(seat.said(number).first).to_be_visible()
        await picture(seat.page, "slack-en-digest")
        await comment_of_an_agent(house.desk, number)
        await house.settle()
        await expect(seat.said(REPLY).last).to_be_visible()
        await picture(seat.page, "slack-en-news")
        assert seat.problems == []
