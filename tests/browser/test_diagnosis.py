"""A diagnosis as people see it: in the browser chat and in Slack, and its pages in the console."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from tests.browser.house import House, house
from tests.browser.pictures import picture
from tests.browser.slack_house import slack_house
from tests.browser.test_reach import CONTRAST, NAMELESS, PHONE, overflow
from tests.fixtures.sample_home import SAMPLE

pytestmark = pytest.mark.browser
QUESTION = "Why is checkout down?"


def write_cluster(home: Path) -> None:
    """Put the sample's incident into a home."""
    shutil.copy(SAMPLE / "clusters.yaml", home / "clusters.yaml")
    shutil.copytree(SAMPLE / "incident", home / "incident")


@pytest_asyncio.fixture(loop_scope="session")
async def cluster(sample_home: Path, browser: Browser) -> AsyncIterator[House]:
    """Return a demo whose people on call can ask about a cluster."""
    await asyncio.to_thread(write_cluster, sample_home)
    async with house(sample_home, browser) as running:
        yield running


async def test_who_is_on_call_asks_looks_closer_and_opens_a_ticket(cluster: House) -> None:
    seat = await cluster.seat("ben", viewport={"width": 1280, "height": 1400})
    answer = await seat.say(QUESTION)
    await expect(answer).to_contain_text("OOMKilled")
    await expect(answer).to_contain_text("checkout:4.12.0")
    await expect(answer.locator(".chart svg")).to_be_visible()
    await expect(answer).to_contain_text("Requests and limits")  # the company's runbook
    await picture(seat.page, "diagnosis-en-answer")

    details = str(await answer.get_by_role("link", name="Details").get_attribute("href"))
    await answer.get_by_role("button", name="Open a ticket with this").click()
    await expect(seat.page.get_by_text("OOM_KILLED").last).to_be_visible()
    await seat.page.goto(seat.url + details)
    await expect(seat.page.get_by_role("heading", name="Timeline")).to_be_visible()
    await expect(
        seat.page.get_by_text("Deployment/checkout runs registry.marenvold.example/checkout:4.12.0")
    ).to_be_visible()
    await expect(seat.page.locator(".chart svg").first).to_be_visible()
    await seat.page.locator("summary", has_text="What was read").click()
    await expect(seat.page.get_by_text("requests,").first).to_be_visible()
    await picture(seat.page, "diagnosis-en-report")
    assert seat.problems == []


async def test_who_may_not_look_there_is_told_nothing_of_it(cluster: House) -> None:
    ben = await cluster.seat("ben")
    answer = await ben.say(QUESTION)
    details = str(await answer.get_by_role("link", name="Details").get_attribute("href"))

    ada = await cluster.seat("ada")
    seen = await ada.say(QUESTION)
    await expect(seen).not_to_contain_text("OOMKilled")
    gone = await ada.page.goto(ada.url + details)
    assert gone is not None
    assert gone.status == 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_pages_fit_a_phone_and_all_text_stands_out(cluster: House, scheme: str) -> None:
    seat = await cluster.seat("ben", viewport=PHONE, color_scheme=scheme)
    await seat.say(QUESTION)
    await seat.open("/diagnosis")
    assert await overflow(seat.page) <= 0
    assert await seat.page.evaluate(NAMELESS) == []
    assert await seat.page.evaluate(CONTRAST) == []

    await seat.page.get_by_role("link", name="checkout: container ran out of memory").first.click()
    await expect(seat.page.get_by_role("heading", name="Timeline")).to_be_visible()
    assert await overflow(seat.page) <= 0
    assert await seat.page.evaluate(NAMELESS) == []
    assert await seat.page.evaluate(CONTRAST) == []
    assert seat.problems == []


@pytest.mark.parametrize(
    ("question", "again", "language"),
    [(QUESTION, "Run again", "en"), ("结账服务为什么一直重启?", "再查一次", "zh")],
    ids=["en", "zh"],
)
async def test_it_is_asked_in_slack(
    sample_home: Path, browser: Browser, question: str, again: str, language: str
) -> None:
    await asyncio.to_thread(write_cluster, sample_home)
    async with slack_house(sample_home, browser) as running:
        seat = await running.seat("ben")
        await seat.go(tab="messages")
        await seat.write("Message Duty Desk", question)
        await running.settle()
        await seat.go(tab="messages")
        await seat.open_thread()
        await expect(seat.page.locator("article").filter(has_text="OOMKilled").last).to_be_visible()
        await expect(seat.page.get_by_role("button", name=again)).to_be_visible()
        await picture(seat.page, f"slack-diagnosis-{language}")
        assert seat.problems == []


@pytest.mark.parametrize(
    ("question", "first", "language"),
    [
        ("What changed in shop today?", "shop, last change at", "en"),
        ("结账今天有什么变化?", "checkout 最近一次变更在", "zh"),
    ],
    ids=["en", "zh"],
)
async def test_what_changed_is_told_first(cluster: House, question: str, first: str, language: str) -> None:
    seat = await cluster.seat("ben")
    answer = await seat.say(question)
    await expect(answer).to_contain_text(first)
    said = await answer.inner_text()
    assert said.index(first) < said.index("OOMKilled")
    await expect(answer.locator(".chart svg")).to_have_count(0)
    await picture(seat.page, f"diagnosis-{language}-changed")
    assert seat.problems == []


async def test_every_button_of_a_report_works_in_slack(sample_home: Path, browser: Browser) -> None:
    await asyncio.to_thread(write_cluster, sample_home)
    async with slack_house(sample_home, browser) as running:
        seat = await running.seat("ben")
        await seat.go(tab="messages")
        await seat.write("Message Duty Desk", "why is it down?")
        await running.settle()
        await seat.go(tab="messages")
        await seat.open_thread()
        await seat.thread.get_by_role("button", name="Choose what to look at").click()
        await seat.modal.get_by_label("App or namespace").select_option("checkout")
        await picture(seat.page, "slack-diagnosis-en-form")
        await seat.modal.locator("[type=submit]").click()
        report = seat.said("OOMKilled")
        await expect(report).to_have_count(1)
        await running.settle()
        await seat.thread.get_by_role("button", name="Run again").click()
        await expect(report).to_have_count(2)
        await running.settle()
        await seat.thread.get_by_role("button", name="Open a ticket with this").last.click()
        await expect(seat.said("OOM_KILLED").last).to_be_visible()
        await picture(seat.page, "slack-diagnosis-en-ticket")
        await expect(seat.thread.get_by_text("Details", exact=True).last).to_be_visible()
        assert seat.problems == []


async def test_whoever_names_nothing_is_asked_what_to_look_at(cluster: House) -> None:
    seat = await cluster.seat("ben")
    asked = await seat.say("why is it down?")
    await expect(asked).to_contain_text("Which app or namespace")
    await picture(seat.page, "diagnosis-en-which")
    await asked.get_by_role("button", name="Choose what to look at").click()
    await seat.page.get_by_label("App or namespace").select_option("checkout")
    before = await seat.answers.count()
    await seat.page.get_by_role("button", name="Look", exact=True).click()
    await expect(await seat.answer(after=before)).to_contain_text("OOMKilled")
    assert seat.problems == []
