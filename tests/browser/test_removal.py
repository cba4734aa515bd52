"""A message is removed in a real browser: with the mouse, by the keyboard alone, in Chinese, on a phone."""

import pytest
from playwright.async_api import expect

from tests.browser.house import House
from tests.browser.pictures import picture
from tests.browser.test_reach import CONTRAST, NAMELESS, PHONE, overflow

pytestmark = pytest.mark.browser


async def test_a_message_is_removed_on_every_open_page_after_one_question(demo: House) -> None:
    seat = await demo.seat("ada", viewport={"width": 1280, "height": 900})
    await seat.say("The zebra printer on floor 3 is broken")
    await seat.say("How do I reset my VPN password?")
    other = await seat.page.context.new_page()
    await other.goto(seat.page.url)
    mine = seat.page.locator(".entry.person").first
    dialog = seat.page.get_by_role("dialog", name="Remove this message?")

    await mine.get_by_role("button", name="Remove this message").click()
    await expect(dialog).to_contain_text("A ticket that was already filed keeps what was filed.")
    await picture(seat.page, "en-removal")
    await dialog.get_by_role("button", name="Keep it").click()
    await expect(dialog).to_be_hidden()
    await expect(mine).to_contain_text("zebra")

    answer = seat.page.locator(".entry.desk").first
    await answer.get_by_role("button", name="Remove this answer and the message before it").click()
    await dialog.get_by_role("button", name="Remove", exact=True).click()
    await expect(dialog).to_be_hidden()
    for page in (seat.page, other):
        await expect(page.locator(".entry.person").first).to_contain_text("You removed this message.")
        await expect(page.locator(".entry.desk").first).to_contain_text("This answer was removed with its message.")
        await expect(page.locator("#log")).not_to_contain_text("zebra")
        await expect(page.locator("#threads")).not_to_contain_text("zebra")
        await expect(page.locator("#log .remove")).to_have_count(2)
    await seat.page.reload()
    await expect(seat.page.locator("body")).not_to_contain_text("zebra")
    assert seat.problems == []


async def test_a_message_is_removed_by_keyboard_alone_and_a_screen_reader_is_told(demo: House) -> None:
    seat = await demo.seat("lin", viewport=PHONE)
    await seat.say("三楼的斑马打印机坏了")
    button = seat.page.locator(".entry.person").first.get_by_role("button", name="删除这条消息")
    dialog = seat.page.get_by_role("dialog", name="删除这条消息？")

    await button.focus()
    await seat.page.keyboard.press("Enter")
    await expect(dialog.get_by_role("button", name="保留")).to_be_focused()
    assert await seat.page.evaluate(NAMELESS) == []
    assert await seat.page.evaluate(CONTRAST) == []
    assert await overflow(seat.page) <= 0
    await seat.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(button).to_be_focused()

    await seat.page.keyboard.press("Enter")
    await seat.page.keyboard.press("Tab")
    await seat.page.keyboard.press("Enter")
    await expect(seat.page.locator(".entry.person").first).to_contain_text("您删除了这条消息。")
    await expect(seat.page.locator("#spoken")).to_contain_text("删除")
    await expect(seat.page.locator(".entry.person").first).to_be_focused()
    assert await seat.page.evaluate(CONTRAST) == []
    assert seat.problems == []


async def test_a_removal_that_did_not_reach_the_desk_says_so(demo: House) -> None:
    seat = await demo.seat("ada")
    await seat.say("The zebra printer on floor 3 is broken")
    await seat.page.route("**/chat/removals", lambda route: route.abort())
    await seat.page.locator(".entry.person .remove").click()
    await seat.page.locator("#removal [data-now]").click()

    await expect(seat.page.locator("#removal [role=alert]")).to_contain_text(
        "The desk could not be reached.", timeout=15_000
    )
    await expect(seat.page.locator(".entry.person")).to_contain_text("zebra")
