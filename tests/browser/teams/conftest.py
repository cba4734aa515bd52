"""The desk and Microsoft's client; where one of them or a browser is missing, these tests say so and are skipped."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.teams.house import TeamsHouse, teams_house
from tests.browser.teams.playground import missing


@pytest_asyncio.fixture(loop_scope="session")
async def house(sample_home: Path, browser: Browser) -> AsyncIterator[TeamsHouse]:
    """Return the sample company in Teams, with a browser before it."""
    if reason := missing():
        pytest.skip(reason)
    async with teams_house(sample_home, browser) as opened:
        yield opened
