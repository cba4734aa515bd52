"""Impatient fingers, lost connections, two windows at once: nothing is done twice and nothing typed is lost."""

import asyncio
import re

import pytest
from playwright.async_api import Route, expect

from tests.browser.house import House, Seat

pytestmark = pytest.mark.browser

#: What only a filed ticket says; a draft says that nothing is filed yet.
FILED = re.compile(r"TCK-\d{4}-\d{6} is filed")
REPORT = "My laptop in Rotterdam on floor 3 is broken, please open a ticket"


async def confirmable(seat: Seat) -> None:
    """Bring a draft to the point where it only waits for Confirm."""
    draft = await seat.say(REPORT)
    complete = draft.get_by_role("button", name="Fill in the rest")
    if await complete.count():
        await complete.click()
        for each in await seat.page.get_by_role("dialog").locator("input[required]").all():
            if not await each.input_value():
                await each.fill("Rotterdam")
        await seat.page.get_by_role("dialog").locator("[type=submit]").click()
    await expect(seat.page.get_by_role("button", name="Confirm")).to_have_count(1)


async def tickets_of(demo: House, person: str) -> int:
    """Return how many tickets somebody has."""
    return len(await demo.desk.tickets.mine(await demo.desk.directory.person(person)))


async def test_a_double_click_files_one_ticket(demo: House) -> None:
    seat = await demo.seat("ada")
    await confirmable(seat)
    await seat.page.get_by_role("button", name="Confirm").dblclick()
    await expect(seat.answers.last).to_contain_text(FILED)

    assert await tickets_of(demo, "ada") == 1
    assert seat.problems == []


async def test_confirm_in_two_windows_at_once_files_one_ticket_and_says_so_to_the_loser(demo: House) -> None:
    first = await demo.seat("ada")
    await confirmable(first)
    second = await demo.seat("ada")
    await second.open(f"/c/{await first.page.locator('#chat').get_attribute('data-thread')}")
    await second.ready()
    buttons = [seat.page.get_by_role("button", name="Confirm") for seat in (first, second)]
    await asyncio.gather(*(button.evaluate("button => button.click()") for button in buttons))
    await expect(first.answers.filter(has_text=FILED).first).to_be_visible()
    await expect(second.answers.filter(has_text=re.compile(f"already filed|{FILED.pattern}")).first).to_be_visible()
    await asyncio.sleep(1)

    assert await tickets_of(demo, "ada") == 1
    assert await first.answers.filter(has_text=FILED).count() == 1


async def test_a_message_that_cannot_be_sent_is_kept_and_sent_once(demo: House) -> None:
    seat = await demo.seat("ada")
    refused = 0

    async def lose(route: Route) -> None:
        nonlocal refused
        refused += 1
        await route.abort()

    await seat.page.route("**/chat/messages", lose)
    await seat.page.locator("#text").fill("How long does a VPN session last?")
    await seat.page.keyboard.press("Enter")
    note = seat.page.locator(".not-sent")
    await expect(note).to_contain_text("This was not sent")
    await seat.page.unroute("**/chat/messages")
    await note.get_by_role("button").click()
    await expect(seat.answers.last).to_contain_text("10 hours")

    assert refused == 3
    assert await seat.page.locator(".entry.person").count() == 1


async def test_an_unsent_message_outlives_a_reload(demo: House) -> None:
    seat = await demo.seat("ada")
    await seat.say("hello")
    await seat.page.route("**/chat/messages", lambda route: route.abort())
    await seat.page.locator("#text").fill("How long does a VPN session last?")
    await seat.page.keyboard.press("Enter")
    await expect(seat.page.locator(".not-sent")).to_be_visible()
    await seat.page.unroute("**/chat/messages")
    await seat.page.reload()
    await expect(seat.answers.last).to_contain_text("10 hours")

    assert await seat.page.locator(".entry.person").count() == 2


async def test_what_stands_in_the_box_outlives_a_reload(demo: House) -> None:
    seat = await demo.seat("ada")
    await seat.say("hello")
    await seat.page.locator("#text").fill("half a thou")
    await seat.page.reload()

    await expect(seat.page.locator("#text")).to_have_value("half a thou")


async def test_a_form_keeps_what_was_typed_through_escape_and_failure(demo: House) -> None:
    seat = await demo.seat("ada")
    draft = await seat.say("My laptop is broken, please open a ticket")
    opener = draft.get_by_role("button", name="Fill in the rest")
    dialog = seat.page.get_by_role("dialog")
    await opener.click()
    await dialog.locator("#field-description").fill("A long story")
    await seat.page.keyboard.press("Escape")
    await expect(opener).to_be_focused()
    await opener.click()
    await expect(dialog.locator("#field-description")).to_have_value("A long story")

    await dialog.locator("#field-title").fill("")
    await dialog.locator("[type=submit]").click()
    await expect(dialog.locator("#error-title")).to_be_visible()
    await expect(dialog.locator("#field-title")).to_be_focused()
    await expect(dialog.locator("#field-description")).to_have_value("A long story")

    await seat.page.route("**/chat/forms", lambda route: route.abort())
    await dialog.locator("[type=submit]").click()
    await expect(dialog.locator("[data-form-error]")).to_contain_text("not sent")
    await expect(dialog.locator("#field-description")).to_have_value("A long story")


async def test_a_press_that_is_refused_can_be_pressed_again(demo: House) -> None:
    seat = await demo.seat("ada")
    await confirmable(seat)
    confirm = seat.page.get_by_role("button", name="Confirm")
    await seat.page.route("**/chat/press", lambda route: route.fulfill(status=429, json={"message": "Slow down."}))
    await confirm.click()
    await expect(seat.page.locator(".press-error")).to_contain_text("Slow down.")
    await seat.page.unroute("**/chat/press")
    await expect(confirm).to_be_enabled()
    await confirm.click()
    await expect(seat.answers.last).to_contain_text(FILED)


async def test_a_judgement_and_its_reason_are_kept_with_the_run(demo: House) -> None:
    seat = await demo.seat("ada")
    answer = await seat.say("How long does a VPN session last?")
    await answer.locator('.rate[data-verdict="down"]').click()
    await answer.locator(".reason input").fill("I meant the session of a contractor")
    await seat.page.keyboard.press("Enter")
    await expect(answer.locator(".thanks")).to_contain_text("Your reason is kept")
    run_id = await answer.locator(".rating").get_attribute("data-rating")
    for _ in range(40):  # the judgement is kept by the worker, a moment after the page has thanked for it
        await seat.open(f"/runs/{run_id}")
        if "I meant the session of a contractor" in await seat.page.locator("main").inner_text():
            return
        await asyncio.sleep(0.25)

    raise AssertionError("the run does not show the reason")


async def test_the_same_question_gives_each_person_only_what_they_may_see(demo: House) -> None:
    question = "What are the salary bands?"
    ada, emma = await demo.seat("ada"), await demo.seat("emma")
    hidden, shown = await ada.say(question), await emma.say(question)

    await expect(shown.locator(".sources")).to_contain_text("alary")
    await expect(hidden.locator(".sources a").filter(has_text=re.compile("[Ss]alary"))).to_have_count(0)


async def test_markup_in_a_message_stays_text(demo: House) -> None:
    seat = await demo.seat("ada")
    evil = "<img src=x onerror=document.title='pwned'> **bold** [x](javascript:alert(1))"
    await seat.say(evil)

    await expect(seat.page.locator(".entry.person")).to_contain_text(evil)
    assert "pwned" not in await seat.page.title()
    assert await seat.page.locator(".log img").count() == 0
    assert seat.problems == []
