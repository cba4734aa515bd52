"""Why a passage was found, as an admin looks at it: legs side by side, for herself and as somebody else."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.house import House
from tests.browser.pictures import picture
from tests.browser.test_reach import CONTRAST, NAMELESS, PHONE, overflow

pytestmark = pytest.mark.browser

QUESTIONS = {"mia": "How long does a VPN session last?", "lin": "怎么连接公司 VPN？"}


async def test_an_admin_sees_each_legs_ranks_with_somebody_elses_rights(demo: House) -> None:
    seat = await demo.seat("mia", viewport={"width": 1280, "height": 1500})
    await seat.page.get_by_role("link", name="Retrieval").click()
    await expect(seat.page.locator("#q")).to_be_focused()
    await seat.page.keyboard.type(QUESTIONS["mia"])
    await seat.page.locator("#reader").select_option("ada")
    await seat.page.locator("#q").press("Enter")

    first = seat.page.locator("table tbody tr").first
    await expect(first).to_contain_text("VPN session")
    await expect(first.locator(".place .bar")).to_have_count(2)
    await expect(seat.page.locator("#reader")).to_have_value("ada")
    await expect(seat.page.locator("svg .slope")).to_have_count(8)
    await picture(seat.page, "console-retrieval-en")
    await first.get_by_role("link").click()
    await expect(seat.page).to_have_url(re.compile(r"/knowledge/page/handbook/it/.+#.+"))
    assert seat.problems == []


async def test_it_speaks_chinese_and_shows_both_legs(demo: House) -> None:
    seat = await demo.seat("lin", viewport={"width": 1280, "height": 1300})
    await seat.open(f"/retrieval?q={QUESTIONS['lin']}")

    first = seat.page.locator("table tbody tr").first
    await expect(first).to_contain_text("VPN")
    await expect(first.locator(".place .bar")).to_have_count(2)
    await expect(seat.page.get_by_text("向量模型读不懂这种语言")).to_have_count(0)
    await picture(seat.page, "console-retrieval-zh")
    assert seat.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_fits_a_phone_and_all_text_stands_out(demo: House, scheme: str) -> None:
    seat = await demo.seat("mia", viewport=PHONE, color_scheme=scheme)
    await seat.open(f"/retrieval?q={QUESTIONS['mia']}")

    await expect(seat.page.locator("svg .slope").first).to_be_visible()
    assert await overflow(seat.page) <= 0
    assert await seat.page.evaluate(NAMELESS) == []
    assert await seat.page.evaluate(CONTRAST) == []
    assert seat.problems == []
