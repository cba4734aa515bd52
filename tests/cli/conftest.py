"""A small home with people and a handbook, made once, and ways to run the command in it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bot.cli.main import build
from tests.architecture.source import ROOT

PEOPLE = """
people:
  - {id: ada, email: ada@example.org, name: Ada, language: en, timezone: UTC}
  - {id: dora, email: dora@example.org, name: Dora, language: en, timezone: UTC, groups: [it], roles: [agent]}
"""
PAGES = {
    "vpn.md": (
        "---\nupdated: 2026-03-01\n---\n# Remote access\n\n## Connect to the VPN\n\n"
        "To connect to the VPN, open the Tidegate client and sign in with your badge number.\n"
    ),
    "it/keys.md": "# Vault keys\n\n## Rotate a vault key\n\nRun the rotation script on the bastion host.\n",
    "it/.access.yaml": "allow: [group:it]\n",
    "notes.md": "---\naccess:\n  allow: []\n---\n# Notes\n\nNobody in particular may read this note.\n",
}

Run = Callable[..., Result]


@pytest.fixture(scope="session")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "handbook"
    for name, text in PAGES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def made_home(tmp_path_factory: pytest.TempPathFactory, handbook: Path) -> Path:
    home = tmp_path_factory.mktemp("made") / "home"
    home.mkdir()
    (home / "people.yaml").write_text(PEOPLE, encoding="utf-8")
    done = invoke("index", str(handbook), "--allow", "staff", home=home)
    assert done.exit_code == 0, done.output
    return home


@pytest.fixture
def home(made_home: Path, tmp_path: Path) -> Path:
    """Return a copy that a test may change."""
    return shutil.copytree(made_home, tmp_path / "home")


def invoke(*arguments: str, home: Path | None = None, **options: str | dict[str, str]) -> Result:
    """Run a command in this process; the home is named after it, as people do."""
    given = [*arguments, *(["--home", str(home)] if home else [])]
    return CliRunner().invoke(build(), given, prog_name="dutydesk", **options)  # type: ignore[arg-type]


def start(*arguments: str, environment: dict[str, str] | None = None) -> "subprocess.Popen[str]":
    """Start the real command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "bot", *arguments],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},  # noqa: TID251 - a child needs PATH and the like
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(*arguments: str, text: str = "", environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run the real command to its end; return its exit code, output and errors."""
    process = start(*arguments, environment=environment)
    output, errors = process.communicate(text, timeout=120)
    return process.returncode, output, errors
