"""What the how-to guides tell people to write works as it stands."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from bot.cli.platforms import slack, teams
from bot.cli.platforms.connecting import Words
from bot.settings import load
from identity.people import actors
from tests.architecture.source import ROOT
from tests.docs import pages

DOCUMENTATION = pages.read(ROOT)


def blocks(language: str) -> list[tuple[str, str]]:
    """Return every code block of a language with the name of its page."""
    return [(page.path.name, body) for page in DOCUMENTATION for body in page.blocks(language)]


@pytest.mark.parametrize(("page", "body"), blocks("toml"), ids=lambda value: value.partition("\n")[0])
def test_settings_files_can_be_loaded(tmp_path: Path, page: str, body: str) -> None:
    (tmp_path / "dutydesk.toml").write_text(body, encoding="utf-8")

    assert load(home=tmp_path).tickets_config.categories, page


def test_the_example_of_people_can_be_read() -> None:
    (body,) = (body for page, body in blocks("yaml") if page == "sign-in-people.md")

    people = actors(yaml.safe_load(body), path=Path("people.yaml"))

    assert {person.id for person in people} == {"ada", "dora"}


@pytest.mark.parametrize(("platform", "words"), [("Slack", slack.WORDS), ("Teams", teams.WORDS)])
def test_what_is_said_when_something_is_wrong_is_told_word_for_word(platform: str, words: Words) -> None:
    name = platform.lower()
    (page,) = (page for page in DOCUMENTATION if page.path.name == f"connect-{name}.md")
    told = re.findall(r"^\| `([^`]+)` \|", page.text.partition("## When something is not right")[2], re.MULTILINE)
    modules = [ROOT / "bot" / "cli" / "platforms" / f"{name}.py"]
    modules += [each for part in (name, "inbound", "outbound") for each in (ROOT / "adapters" / part).rglob("*.py")]
    said = {string for module in modules for string in _strings(module)}

    def is_said(line: str) -> bool:
        parts = [part.strip() for part in line.removeprefix(f"{platform}: ").split("…")]
        return all(any(part in each or part.replace(platform, "%s") in each for each in said) for part in parts)

    assert len(told) > 15
    assert [line for line in told if not is_said(line)] == []
    for found, advice in words.values():
        if advice:  # nothing to mend where there is none
            assert found.replace("{}", "…") in told


def _strings(module: Path) -> Iterator[str]:
    """Yield the strings of a module, those with values in them piece by piece."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
