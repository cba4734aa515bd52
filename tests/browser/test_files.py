"""Files in a real browser: the paper clip of the chat, and the page on which knowledge is added."""

from pathlib import Path

import pytest
from playwright.async_api import FilePayload, expect

from tests.browser.house import House
from tests.browser.pictures import picture
from tests.browser.test_reach import CONTRAST, NAMELESS, PHONE, overflow

pytestmark = pytest.mark.browser

LEASE = FilePayload(
    name="lease of the north hall.md",
    mimeType="text/markdown",
    buffer=b"# Lease of the north hall\n\n## Notice\n\nThe notice period of the north hall is eleven weeks.\n",
)
PICTURE = FilePayload(name="shot.png", mimeType="image/png", buffer=b"\x89PNG")


async def test_a_file_goes_with_a_question_and_is_asked_about_in_that_conversation_only(demo: House) -> None:
    seat = await demo.seat("ada", viewport={"width": 1280, "height": 900})
    await seat.page.locator("#chooser").set_input_files([LEASE, PICTURE])
    await expect(seat.page.locator("#parcels li")).to_have_count(2)
    await seat.page.get_by_role("button", name="Take off: shot.png").click()
    answer = await seat.say("What is the notice period of the north hall?")

    await expect(answer).to_contain_text("I have read lease of the north hall.md (1 section)")
    await expect(answer).to_contain_text("eleven weeks")
    await expect(seat.page.locator(".entry.person").last).to_contain_text("📎 lease of the north hall.md")
    await expect(seat.page.locator("#parcels")).to_be_hidden()
    await expect(answer.locator(".sources a")).to_have_count(0)
    await picture(seat.page, "en-file")

    await seat.open()
    await seat.ready()
    elsewhere = await seat.say("What is the notice period of the north hall?")
    await expect(elsewhere).not_to_contain_text("eleven weeks")
    assert seat.problems == []


async def test_a_file_alone_and_one_that_cannot_be_read(demo: House) -> None:
    seat = await demo.seat("lin", viewport=PHONE)
    await seat.page.locator("#chooser").set_input_files(LEASE)
    await expect(seat.page.locator("#parcels progress")).to_be_hidden()
    await seat.page.locator("#composer button").click()
    await expect(await seat.answer(after=0)).to_contain_text("1 节")
    await seat.page.locator("#chooser").set_input_files(PICTURE)
    await expect(seat.page.locator("#parcels progress")).to_be_hidden()
    assert await overflow(seat.page) <= 0
    await seat.page.locator("#composer button").click()

    await expect(await seat.answer(after=1)).to_contain_text("我无法读取 shot.png")
    assert seat.problems == []


async def test_a_file_over_the_limit_says_so_beside_it(demo: House, tmp_path: Path) -> None:
    huge = tmp_path / "huge.md"
    huge.write_bytes(b"x" * 20_000_001)
    seat = await demo.seat("ada")
    await seat.page.locator("#chooser").set_input_files(huge)

    await expect(seat.page.locator("#parcels .failed")).to_contain_text("That file is too large. The most is 20 MB.")


async def test_ten_files_go_with_a_message_and_no_other_is_lost_without_a_word(demo: House) -> None:
    seat = await demo.seat("ada")
    files = [FilePayload(name=f"note{number}.md", mimeType="text/markdown", buffer=b"# Note\n") for number in range(11)]
    await seat.page.locator("#chooser").set_input_files(files)

    await expect(seat.page.locator("#parcels li")).to_have_count(11)
    refused = seat.page.locator("#parcels .failed")
    await expect(refused).to_contain_text("note10.md")
    await expect(refused).to_contain_text("Ten files go with a message.")
    await expect(seat.page.locator("#parcels progress:visible")).to_have_count(0)
    await seat.page.locator("#composer button").last.click()
    await expect(await seat.answer(after=0)).to_contain_text("note9.md (1 section)")
    assert seat.problems == []


async def test_what_was_refused_stays_in_sight_while_the_rest_is_read(demo: House) -> None:
    seat = await demo.seat("mia")
    await seat.open("/knowledge")
    empty = FilePayload(name="empty.md", mimeType="text/markdown", buffer=b"")
    await seat.page.locator("#files").set_input_files([LEASE, empty])
    await seat.page.locator("#to").fill("contracts")
    await seat.page.get_by_role("button", name="Add", exact=True).click()

    await expect(seat.page.get_by_role("alert")).to_have_text("empty.md: is empty")
    await expect(seat.page.locator("#works")).to_contain_text("Done. Pages in this source: 1.", timeout=60_000)
    await expect(seat.page.locator("tbody tr", has_text="contracts")).to_be_visible()
    await expect(seat.page.get_by_role("alert")).to_have_text("empty.md: is empty")
    await seat.page.locator("#files").set_input_files(LEASE)
    await seat.page.get_by_role("button", name="Add", exact=True).click()
    await expect(seat.page.get_by_text("The files are here and are being read.")).to_be_visible()
    assert seat.problems == []


async def test_an_admin_adds_files_and_sees_how_far_they_are(demo: House) -> None:
    seat = await demo.seat("mia", viewport={"width": 1280, "height": 1100})
    await seat.page.get_by_role("link", name="Knowledge").click()
    broken = FilePayload(name="broken.pdf", mimeType="application/pdf", buffer=b"%PDF-1.7\nno")
    await seat.page.locator("#files").set_input_files([LEASE, broken])
    await seat.page.locator("#to").fill("contracts")
    await seat.page.locator("#allow").fill("staff")
    await seat.page.get_by_role("button", name="Add", exact=True).click()

    await expect(seat.page.locator("#works")).to_contain_text("Done. Pages in this source: 1.", timeout=60_000)
    row = seat.page.locator("tbody tr", has_text="contracts")
    await row.locator("summary", has_text="1 to look at").click()
    await expect(row).to_contain_text("broken.pdf")
    await picture(seat.page, "console-knowledge-en")
    await row.locator("summary", has_text="Remove").click()
    await row.get_by_role("button", name="Remove it").click()
    await expect(seat.page.get_by_text("The source is removed.")).to_be_visible()
    await expect(seat.page.locator("tbody tr", has_text="contracts")).to_have_count(0)
    assert seat.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_page_fits_a_phone_and_all_text_stands_out(demo: House, scheme: str) -> None:
    seat = await demo.seat("mia", viewport=PHONE, color_scheme=scheme)
    await seat.open("/knowledge")

    await expect(seat.page.locator("#upload")).to_be_visible()
    assert await overflow(seat.page) <= 0
    assert await seat.page.evaluate(NAMELESS) == []
    assert await seat.page.evaluate(CONTRAST) == []
    assert seat.problems == []


async def test_without_scripts_the_form_works_too(demo: House) -> None:
    seat = await demo.seat("mia")
    await seat.page.route("**/knowledge.js", lambda route: route.abort())
    await seat.open("/knowledge")
    await seat.page.locator("#files").set_input_files(LEASE)
    await seat.page.locator("#to").fill("contracts")
    await seat.page.get_by_role("button", name="Add", exact=True).click()

    await expect(seat.page.get_by_text("The files are here and are being read.")).to_be_visible()
