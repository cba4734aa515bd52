"""The demo and the browser; without a Chromium these tests say so and are skipped.

A worker starts one Chromium for all these tests, because starting it takes longer than many of them; each person sits
at a window with cookies of its own. It lives on an event loop, so the tests share that too.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.house import House, chromium, house, opened_browser

HERE = Path(__file__).parent


@pytest.hookimpl
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Play these tests on the event loop on which their browser lives; one that fails gets one more try."""
    for item in items:
        if item.path.is_relative_to(HERE) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Return the worker's Chromium."""
    if chromium() is None:
        pytest.skip("no Chromium was found on the PATH, so nothing was tested in a real browser")
    async with opened_browser() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def demo(sample_home: Path, browser: Browser) -> AsyncIterator[House]:
    """Return a running demo with a browser before it."""
    async with house(sample_home, browser) as running:
        yield running
