"""Numbers as people see them: five questions in the browser chat and in Slack, and the pages of the console."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.company import ASKED, write_company
from tests.browser.house import House, house
from tests.browser.pictures import picture
from tests.browser.slack_house import slack_house
from tests.browser.test_reach import CONTRAST, NAMELESS, PHONE, overflow

pytestmark = pytest.mark.browser


@pytest_asyncio.fixture(loop_scope="session")
async def company(sample_home: Path, browser: Browser) -> AsyncIterator[House]:
    """Return a demo whose people can ask the company's database."""
    await asyncio.to_thread(write_company, sample_home)
    async with house(sample_home, browser) as running:
        yield running


async def test_five_questions_in_the_browser_chat(company: House) -> None:
    seat = await company.seat("ada", viewport={"width": 1280, "height": 900})
    number = await seat.say(ASKED.number)
    await expect(number.get_by_role("table").last).to_contain_text("add-ons")
    chart = await seat.say(ASKED.chart)
    await expect(chart.locator(".chart svg")).to_be_visible()
    refused = await seat.say(ASKED.refusal)
    await expect(refused).to_contain_text(ASKED.refused)
    asked = await seat.say(ASKED.ask_back)
    await expect(asked).to_contain_text(ASKED.asked_back)
    await expect(asked.get_by_role("button").first).to_be_visible()
    waits = await seat.say(f"/desk sql {ASKED.approval}")
    await expect(waits).to_contain_text(ASKED.waits)
    await waits.get_by_role("button", name="Confirm").click()
    await expect(seat.page.get_by_text("How it was computed").last).to_be_visible()
    assert seat.problems == []


async def test_a_result_has_a_page_with_its_statement_and_its_file(company: House) -> None:
    seat = await company.seat("ada", viewport={"width": 1280, "height": 900})
    answer = await seat.say(ASKED.number)
    await seat.page.goto(seat.url + str(await answer.get_by_role("link", name="Open").get_attribute("href")))
    await expect(seat.page.locator("table tbody tr")).to_have_count(2)
    await expect(seat.page.locator("pre code")).to_contain_text("SELECT")
    await picture(seat.page, "data-en-result")
    async with seat.page.expect_download() as loading:
        await seat.page.get_by_role("link", name="CSV").click()
    saved = await (await loading.value).path()
    assert (await asyncio.to_thread(saved.read_text, encoding="utf-8-sig")).count("\n") == 3
    assert seat.problems == []

    other = await company.seat("ben")
    gone = await other.page.goto(seat.page.url)
    assert gone is not None
    assert gone.status == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_pages_fit_a_phone_and_all_text_stands_out(company: House, scheme: str) -> None:
    seat = await company.seat("ada", viewport=PHONE, color_scheme=scheme)
    await seat.open("/data")
    await expect(seat.page.get_by_role("heading", name="Marenvold company data")).to_be_visible()
    await seat.page.locator("summary").first.click()
    assert await overflow(seat.page) <= 0
    assert await seat.page.evaluate(NAMELESS) == []
    assert await seat.page.evaluate(CONTRAST) == []

    await seat.page.get_by_role("link", name=re.compile("Try a statement")).click()
    await seat.page.locator("#statement").fill("SELECT name, salary FROM people LIMIT 3")
    await seat.page.get_by_role("button", name="Run").click()
    await expect(seat.page.get_by_text("Left out, since you may not read it: salary")).to_be_visible()
    assert await overflow(seat.page) <= 0
    assert await seat.page.evaluate(CONTRAST) == []
    await seat.page.locator("#statement").fill("DROP TABLE orders")
    await seat.page.get_by_role("button", name="Run").click()
    await expect(seat.page.get_by_role("alert")).to_contain_text("Only questions are allowed")
    assert seat.problems == []


async def test_five_questions_in_slack(sample_home: Path, browser: Browser) -> None:
    await asyncio.to_thread(write_company, sample_home)
    async with slack_house(sample_home, browser) as running:
        seat = await running.seat("ada")
        await seat.go(tab="messages")
        for text, looked_for in (
            (ASKED.number, "How it was computed"),
            (ASKED.chart, "How it was computed"),
            (ASKED.refusal, ASKED.refused),
            (ASKED.ask_back, ASKED.asked_back),
            (f"/desk sql {ASKED.approval}", ASKED.waits),
        ):
            await seat.go(tab="messages")
            await seat.write("Message Duty Desk", text)
            await running.settle()
            await seat.go(tab="messages")
            if not text.startswith("/"):
                await seat.open_thread()
            await expect(seat.page.locator("article").filter(has_text=looked_for).last).to_be_visible()
            if text == ASKED.number:
                await picture(seat.page, "slack-data-en-number")
        assert seat.problems == []
