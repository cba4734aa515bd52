"""The desk that the console's tests visit."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.console.site import Site, site


@pytest.fixture
async def desk_site(migrated_home: Path) -> AsyncIterator[Site]:
    """Return a desk as it is served, outside of a demo."""
    async with site(migrated_home) as made:
        yield made


@pytest.fixture
async def demo_site(migrated_home: Path) -> AsyncIterator[Site]:
    """Return a desk in demo mode."""
    async with site(migrated_home, demo=True) as made:
        yield made
