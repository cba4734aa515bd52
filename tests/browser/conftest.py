"""The demo and the browser; without a Chromium these tests say so and are skipped."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.browser.house import House, chromium, house


@pytest.fixture
async def demo(tmp_path: Path) -> AsyncIterator[House]:
    """Return a running demo with a browser before it."""
    if chromium() is None:
        pytest.skip("no Chromium was found on the PATH, so nothing was tested in a real browser")
    async with house(tmp_path / "home") as running:
        yield running
