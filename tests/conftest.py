"""Which fixtures exist: every plugin of `tests/fixtures`."""

from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures"

pytest_plugins = [
    f"tests.fixtures.{path.stem}" for path in sorted(FIXTURES.glob("*.py")) if path.stem not in {"__init__", "postgresql"}
]
