"""The icons of the Teams package are their drawings; `make pictures` draws them again."""

from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from adapters.teams.setup import manifest
from tests.browser.pictures import WANTED

pytestmark = pytest.mark.browser
FOLDER = Path(manifest.__file__).parent / "icons"
#: Returns a picture's values: red, green, blue and how opaque, pixel by pixel.
VALUES = """async source => {
  const picture = new Image();
  picture.src = source;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  return Array.from(canvas.getImageData(0, 0, picture.width, picture.height).data);
}"""


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    opened = await browser.new_page()
    yield opened
    await opened.close()


@pytest.mark.parametrize(("name", "size"), [("color", 192), ("outline", 32)])
async def test_an_icon_is_its_drawing(page: Page, name: str, size: int) -> None:
    drawing = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    await page.set_viewport_size({"width": size, "height": size})
    await page.set_content(f'<body style="margin:0;background:transparent">{drawing}</body>')
    await page.locator("svg").evaluate("drawing => { drawing.style.display = 'block' }")
    drawn = await page.screenshot(omit_background=True)
    if WANTED:
        (FOLDER / f"{name}.png").write_bytes(drawn)

    kept = await values(page, (FOLDER / f"{name}.png").read_bytes())
    apart = [abs(one - other) for one, other in zip(kept, await values(page, drawn), strict=True)]

    assert sum(apart) / len(apart) < 1, "run: make pictures"  # another Chromium may round a curve's edge differently
    assert max(apart) < 64


async def test_the_outline_is_white_on_nothing_and_the_colour_fills_its_square(page: Page) -> None:
    outline, color = [await values(page, (FOLDER / f"{name}.png").read_bytes()) for name in ("outline", "color")]
    drawn = [outline[at : at + 3] for at in range(0, len(outline), 4) if outline[at + 3]]

    assert {tuple(each) for each in drawn} == {(255, 255, 255)}
    assert outline[3] == 0
    assert set(color[3::4]) == {255}


async def values(page: Page, png: bytes) -> list[int]:
    """Return what a picture is made of."""
    found: list[int] = await page.evaluate(VALUES, f"data:image/png;base64,{b64encode(png).decode()}")
    return found
