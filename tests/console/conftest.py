"""The desk that the console's tests visit."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.console.site import Site, site


@pytest.fixture
async def desk_site(tmp_path: Path) -> AsyncIterator[Site]:
    """Return a desk as it is served, outside of a demo."""
    async with site(tmp_path / "home") as made:
        yield made


@pytest.fixture
async def demo_site(tmp_path: Path) -> AsyncIterator[Site]:
    """Return a desk in demo mode."""
    async with site(tmp_path / "home", demo=True) as made:
        yield made
