"""Help teaches, and works everywhere."""

import pytest

from bot.cli.main import SECTIONS, build
from tests.cli.conftest import invoke
from tests.docs.reference import command_tree


@pytest.mark.parametrize("path", [path for path, _ in command_tree()], ids=" ".join)
def test_every_command_explains_itself(path: tuple[str, ...]) -> None:
    done = invoke(*path, "--help")

    assert done.exit_code == 0, done.output
    assert "--home" in done.output


def test_the_first_page_shows_sections_and_examples() -> None:
    done = invoke("--help")

    assert [title for title in SECTIONS if f"{title}:" not in done.output] == []
    assert "dutydesk demo  " in done.output


def test_other_packages_add_commands() -> None:
    assert "eval" in build().commands


def test_the_version_is_told() -> None:
    assert invoke("--version").output.startswith("dutydesk ")


@pytest.mark.parametrize("arguments", [["sing"], ["ask"], ["ask", " "], ["index"], ["demo", "--port", "99999"]])
def test_wrong_use_ends_with_two(arguments: list[str]) -> None:
    assert invoke(*arguments).exit_code == 2
