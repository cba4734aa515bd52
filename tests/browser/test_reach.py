"""Phone width, keyboard alone, dark colours, and names for everything: the same desk for everybody."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.browser.house import House
from tests.browser.pictures import picture

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/conversations",
    "/tickets",
    "/queue",
    "/runs?whose=all",
    "/audit",
    "/status",
    "/knowledge/page/handbook/it/vpn.md",
)
PHONE = {"width": 360, "height": 740}

CONTRAST = """
() => {
  const curve = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const channel = (value) => curve(value / 255);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = parse(getComputedStyle(each).backgroundColor);
      if (colour[3] > 230) return colour;
    }
    return [255, 255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest(".sr, [disabled]")) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const words = element.textContent.trim().slice(0, 30);
    if (ratio < 4.5) poor.push(`${element.className || element.tagName} "${words}" ${ratio.toFixed(2)}`);
  }
  return poor;
}
"""

NAMELESS = """
() => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(each.ariaLabel || each.textContent.trim() || (each.labels && each.labels.length)))
  .map((each) => each.outerHTML.slice(0, 120))
"""


async def overflow(page: Page) -> int:
    """Return by how many pixels the page is wider than the window."""
    wide: int = await page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    return wide


async def test_every_page_fits_a_phone_and_everything_has_a_name(demo: House) -> None:
    seat = await demo.seat("mia", viewport=PHONE)
    await seat.say("My laptop is broken, please open a ticket")
    for path in PAGES:
        await seat.open(path)
        assert await overflow(seat.page) <= 0, path
        assert await seat.page.evaluate(NAMELESS) == [], path
        assert await seat.page.locator("h1").count() == 1, path
        await expect(seat.page.get_by_role("navigation").get_by_role("link").first).to_be_in_viewport()
    assert seat.problems == []


async def test_the_chat_works_on_a_phone_in_the_dark(demo: House) -> None:
    seat = await demo.seat("ada", viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True)
    answer = await seat.say("How long does a VPN session last?")
    await expect(answer.locator(".sources")).to_be_visible()
    await picture(seat.page, "phone-dark")
    assert await overflow(seat.page) <= 0
    draft = await seat.say("My laptop is broken, please open a ticket")
    await draft.get_by_role("button", name="Fill in the rest").tap()
    dialog = seat.page.get_by_role("dialog")
    await expect(dialog).to_be_in_viewport()
    assert await overflow(seat.page) <= 0
    await seat.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    assert seat.problems == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_all_text_stands_out_enough(demo: House, scheme: str) -> None:
    seat = await demo.seat("mia", color_scheme=scheme)
    await seat.say("How long does a VPN session last?")
    await seat.say("My laptop is broken, please open a ticket")
    assert await seat.page.evaluate(CONTRAST) == []
    for path in (*PAGES, "/nowhere"):
        await seat.open(path)
        assert await seat.page.evaluate(CONTRAST) == [], path


async def test_the_chosen_colours_stay(demo: House) -> None:
    seat = await demo.seat("ada", color_scheme="light")
    await seat.page.locator("#theme").click()
    await seat.open("/tickets")
    html = seat.page.locator("html")

    await expect(html).to_have_attribute("data-theme", "dark")
    await seat.page.locator("#theme").click()
    await expect(html).to_have_attribute("data-theme", "light")


async def test_a_ticket_is_filed_with_the_keyboard_alone(demo: House) -> None:
    seat = await demo.seat("ada")
    keyboard = seat.page.keyboard
    await seat.open("/")
    await expect(seat.page.locator("#text")).to_be_focused()
    await keyboard.type("My laptop is broken,")
    await keyboard.press("Shift+Enter")
    await keyboard.type("please open a ticket")
    await keyboard.press("Enter")
    await expect(seat.page.locator(".entry.person")).to_contain_text("broken,\nplease")
    draft = seat.answers.last
    await draft.get_by_role("button", name="Fill in the rest").focus()
    await keyboard.press("Enter")
    dialog = seat.page.get_by_role("dialog")
    await expect(dialog).to_be_visible()
    missing = seat.page.locator(":focus")
    assert await missing.input_value() == ""  # the form opens at what is missing
    await keyboard.type("Rotterdam")
    await keyboard.press("Enter")
    await expect(dialog).to_be_hidden()
    confirm = seat.page.get_by_role("button", name="Confirm").last
    await confirm.focus()
    await keyboard.press("Space")
    await expect(seat.answers.filter(has_text=re.compile(r"TCK-\d{4}-\d{6} is filed"))).to_be_visible()
    assert seat.problems == []


async def test_the_keyboard_reaches_everything_in_order_and_can_skip(demo: House) -> None:
    seat = await demo.seat("mia")
    await seat.open("/queue")
    reached: list[str] = []
    for _ in range(12):
        await seat.page.keyboard.press("Tab")
        reached.append(
            await seat.page.evaluate("() => document.activeElement.className || document.activeElement.id || '?'")
        )
        ring = await seat.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
        assert ring == "solid", reached

    assert reached[0] == "skip"
    await seat.open("/queue")
    await seat.page.keyboard.press("Tab")
    await seat.page.keyboard.press("Enter")
    assert await seat.page.evaluate("() => document.activeElement.id") == "main"


async def test_an_answer_is_read_out_and_an_unfinished_one_is_not(demo: House) -> None:
    seat = await demo.seat("ada")
    await seat.say("How long does a VPN session last?")
    spoken = seat.page.locator("#spoken")

    await expect(spoken).to_have_attribute("aria-live", "polite")
    await expect(spoken).not_to_be_empty()


async def test_enter_belongs_to_the_input_method_while_it_composes(demo: House) -> None:
    seat = await demo.seat("chen")
    box = seat.page.locator("#text")
    await box.fill("dayinji")
    await box.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    await expect(box).to_have_value("dayinji")
    assert await seat.page.locator(".entry").count() == 0
