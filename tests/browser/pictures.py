"""Pictures of what the browser tests see; they go into the README when the suite is told to make them."""

import os
from pathlib import Path

from playwright.async_api import Page

WANTED = os.environ.get("DUTYDESK_SCREENSHOTS") == "1"  # noqa: TID251 - a switch of the tests themselves
FOLDER = Path(__file__).parents[2] / "docs" / "images"


async def picture(page: Page, name: str) -> None:
    """Keep what the page shows now under a name, when pictures are wanted."""
    if WANTED:
        await page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")
