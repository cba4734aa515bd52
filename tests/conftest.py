"""Which fixtures exist: every plugin of `tests/fixtures`."""

from pathlib import Path

PLUGINS = sorted((Path(__file__).parent / "fixtures").glob("[!_]*.py"))

pytest_plugins = [f"tests.fixtures.{path.stem}" for path in PLUGINS]
