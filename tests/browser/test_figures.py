"""A table and a chart as people see them in the browser chat, on a phone in the dark, and in Slack."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from adapters.cards import Language
from tests.browser.figures import chart_card, post, table_card
from tests.browser.house import House
from tests.browser.pictures import picture
from tests.browser.slack_house import slack_house
from tests.browser.told import CHINESE, ENGLISH, Told

pytestmark = pytest.mark.browser
TOLD = pytest.mark.parametrize("told", [ENGLISH, CHINESE], ids=["en", "zh"])


@TOLD
async def test_in_the_browser_chat(demo: House, told: Told) -> None:
    language: Language = "en" if told is ENGLISH else "zh"
    seat = await demo.seat(told.requester, viewport={"width": 1280, "height": 900})
    await seat.say(told.question)
    await post(demo.desk, told.requester, "web", table_card(language), key="table")
    table = seat.page.locator(".table-block table")
    await expect(table.locator("tbody tr")).to_have_count(4)
    await expect(table).to_contain_text("Antwerp <hub>")
    await seat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await seat.page.locator("[data-copy]").click()
    assert (await seat.page.evaluate("navigator.clipboard.readText()")).startswith("SELECT site, count(*)")
    await picture(seat.page, f"{language}-table")

    await post(demo.desk, told.requester, "web", chart_card(language), key="chart")
    charts = seat.page.locator(".chart svg")
    await expect(charts).to_have_count(2)
    await expect(charts.first.locator("rect")).to_have_count(8)
    assert "131" in (await charts.first.get_attribute("aria-label") or "")
    await charts.last.scroll_into_view_if_needed()
    await picture(seat.page, f"{language}-chart")

    await seat.page.set_viewport_size({"width": 390, "height": 844})
    await seat.page.emulate_media(color_scheme="dark")
    assert await seat.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    await seat.page.locator(".chart").first.scroll_into_view_if_needed()
    if told is ENGLISH:
        await picture(seat.page, "phone-chart-dark")
    assert seat.problems == []


@TOLD
async def test_in_slack(sample_home: Path, browser: Browser, told: Told) -> None:
    language: Language = "en" if told is ENGLISH else "zh"
    async with slack_house(sample_home, browser) as house:
        seat = await house.seat(told.requester)
        await seat.go(house.channel)
        await seat.write("Message #ask-it", f"@Duty Desk {told.question}")
        await seat.open_thread()
        await expect(seat.said(told.answer)).to_be_visible()
        await seat.go(tab="messages")
        await post(house.desk, told.requester, "slack", table_card(language), key="table")
        await expect(seat.page.locator(".block.table tr")).to_have_count(5)
        await seat.page.locator(".block.table").scroll_into_view_if_needed()
        await picture(seat.page, f"slack-{language}-table")
        await post(house.desk, told.requester, "slack", chart_card(language), key="chart")
        await expect(seat.page.locator(".chart svg")).to_have_count(2)
        await seat.page.locator(".chart").last.scroll_into_view_if_needed()
        await picture(seat.page, f"slack-{language}-chart")
        assert seat.problems == []
