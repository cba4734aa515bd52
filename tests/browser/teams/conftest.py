"""The desk and Microsoft's client; where one of them or a browser is missing, these tests say so and are skipped."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.browser.teams.house import TeamsHouse, teams_house
from tests.browser.teams.playground import missing


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[TeamsHouse]:
    """Return the sample company in Teams, with a browser before it."""
    if reason := missing():
        pytest.skip(reason)
    async with teams_house(tmp_path / "home") as opened:
        yield opened
