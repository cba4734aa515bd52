"""Reminders as people see them: read back, delivered, put off and changed, in the browser and in Slack."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.compose.desk import Desk
from bot.schedules.order import Order
from features.reminders.reminder import TOPIC
from identity.actor import local_operator
from tests.browser.house import House
from tests.browser.pictures import picture
from tests.browser.slack_house import slack_house

pytestmark = pytest.mark.browser

WISH, WORDS = "Remind me tomorrow at 9:00 to renew the certificate", "renew the certificate"


async def ring(desk: Desk) -> None:
    """Have every reminder come now."""
    for each in await desk.job_control.everything(local_operator()):
        if each.schedule.topic == TOPIC:
            await desk.job_control.order(local_operator(), each.schedule.name, Order.RUN)


async def test_in_the_browser_chat(demo: House) -> None:
    seat = await demo.seat("ada", viewport={"width": 1280, "height": 900})
    read_back = await seat.say(WISH)
    await expect(read_back).to_contain_text(re.compile(r"\w{3} \d{1,2} \w{3} \d{4}, 09:00, \w+"))
    await picture(seat.page, "reminders-en-set")
    before = await seat.answers.count()
    await ring(demo.desk)
    told = await seat.answer(after=before)
    await expect(told).to_contain_text(WORDS)
    await picture(seat.page, "reminders-en-told")
    await told.get_by_role("button", name="1 h", exact=True).click()
    await expect(told).to_contain_text("I will remind you again")
    await expect(told.get_by_role("button", name="1 h", exact=True)).to_have_count(0)
    await picture(seat.page, "reminders-en-snoozed")
    await expect(seat.answers).to_have_count(before + 1)
    assert seat.problems == []


async def test_a_form_changes_it(demo: House) -> None:
    seat = await demo.seat("ada", viewport={"width": 1280, "height": 900})
    read_back = await seat.say(WISH)
    await read_back.get_by_role("button", name="Change").click()
    dialog = seat.page.get_by_role("dialog")
    await dialog.get_by_label(re.compile("New time")).fill("whenever")
    await dialog.locator("[type=submit]").click()
    await expect(dialog).to_contain_text("tomorrow at 9")
    await picture(seat.page, "reminders-en-form")
    await dialog.get_by_label(re.compile("New time")).fill("every Monday at 10:00")
    await dialog.locator("[type=submit]").click()
    await expect(read_back).to_contain_text("every Monday at 10:00")
    assert seat.problems == []


async def test_the_page_changes_and_deletes(demo: House) -> None:
    seat = await demo.seat("ada", viewport={"width": 1280, "height": 900})
    await seat.say(WISH)
    await seat.say("Remind me every Monday at 10:00 to post the plan")
    await seat.open("/reminders")
    await expect(seat.page.locator("section.panel")).to_have_count(2)
    await seat.page.locator("summary").first.click()
    await picture(seat.page, "reminders-en-page")
    first = seat.page.locator("section.panel").first
    await first.locator("input[name=when]").fill("whenever")
    await first.locator("details button").click()
    await expect(seat.page.get_by_role("alert")).to_contain_text("tomorrow at 9")
    await first.locator("input[name=when]").fill("tomorrow at 15:30")
    await first.locator("details button").click()
    await expect(first).to_contain_text("15:30")
    weekly = seat.page.locator("section.panel", has_text="post the plan")
    await weekly.get_by_role("button", name="Skip next").click()
    await expect(weekly).to_contain_text("Left out: ")
    await weekly.get_by_role("button", name="Delete").click()
    gone = seat.page.locator("section.panel", has=seat.page.get_by_role("heading", name="Deleted"))
    await expect(gone).to_contain_text("post the plan")
    await picture(seat.page, "reminders-en-deleted")
    await gone.get_by_role("button", name="Undo").click()
    await expect(gone).to_have_count(0)
    await expect(seat.page.locator("section.panel")).to_have_count(2)
    other = await demo.seat("ben")
    await other.open("/reminders")
    await expect(other.page.locator("section.panel")).to_have_count(0)
    assert seat.problems == []


async def test_in_slack(sample_home: Path, browser: Browser) -> None:
    async with slack_house(sample_home, browser) as house:
        seat = await house.seat("ada")
        await seat.go(house.channel)
        await seat.write("Message #ask-it", "@Duty Desk Remind us here tomorrow at 9:00 to post the plan")
        await expect(seat.page.locator(".conversation .replies").last).to_be_visible()
        await seat.open_thread()
        await seat.thread.get_by_role("button", name="Confirm").click()
        await expect(seat.said("I will remind the channel").first).to_be_visible()
        await picture(seat.page, "slack-en-reminder-set")
        await ring(house.desk)
        await house.settle()
        await seat.go(house.channel)
        told = seat.page.locator(".conversation article").last
        await expect(told).to_contain_text("Set by Ada")
        await told.get_by_role("button", name="1 h", exact=True).click()
        await expect(told).to_contain_text("I will remind the channel again")
        await picture(seat.page, "slack-en-reminder")
        assert seat.problems == []


async def test_in_chinese(demo: House) -> None:
    seat = await demo.seat("chen", viewport={"width": 1280, "height": 900})
    read_back = await seat.say("明天上午9点提醒我续签证书")
    await expect(read_back).to_contain_text("到时会提醒您")
    await expect(read_back).to_contain_text("09:00")
    before = await seat.answers.count()
    await ring(demo.desk)
    told = await seat.answer(after=before)
    await expect(told).to_contain_text("续签证书")
    await picture(seat.page, "reminders-zh-told")
    await told.get_by_role("button", name="1 小时", exact=True).click()
    await expect(told).to_contain_text("已推迟")
    await picture(seat.page, "reminders-zh-snoozed")
    digest = await seat.say("/desk digest preview")
    await expect(digest).to_contain_text("日报")
    await picture(seat.page, "digest-zh-preview")
    assert seat.problems == []
