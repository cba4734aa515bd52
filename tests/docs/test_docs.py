"""The documentation cannot fall behind: links resolve, commands exist, nothing that can be set or said is left out."""

import re
from pathlib import Path

import click
import pytest

from bot.cli.main import build
from features.anatomy.texts import catalogue
from identity.permissions import Permission
from tests.architecture.source import ROOT
from tests.docs import pages, reference


@pytest.fixture(scope="module")
def documentation() -> tuple[pages.Page, ...]:
    return pages.read(ROOT)


def test_links_resolve(documentation: tuple[pages.Page, ...]) -> None:
    assert list(pages.broken_links(documentation, ROOT)) == []


def test_every_page_can_be_reached_from_the_readme(documentation: tuple[pages.Page, ...]) -> None:
    assert pages.orphans(documentation, ROOT / "README.md") <= {"CHANGELOG.md"}


def test_shell_lines_name_commands_and_options_that_exist(documentation: tuple[pages.Page, ...]) -> None:
    program = build()
    wrong = [
        f"{page.path.name}: dutydesk {' '.join(words)}: {complaint}"
        for page in documentation
        for words in pages.shell_lines(page, "dutydesk")
        if (complaint := pages.wrong_use(words, program))
    ]

    assert wrong == []


def test_make_targets_in_shell_lines_exist(documentation: tuple[pages.Page, ...]) -> None:
    targets = {line.partition(":")[0] for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()}
    named = {words[0] for page in documentation for words in pages.shell_lines(page, "make") if words}

    assert named <= targets


def test_pages_of_the_console_are_called_by_the_names_that_stand_on_them(documentation: tuple[pages.Page, ...]) -> None:
    named = {name for page in documentation for name in re.findall(r"\bpage \*([^*]+)\*", page.prose)}
    assert len(named) > 5, "the scan finds nothing"
    assert named <= set(catalogue("en").values())


def test_generated_pages_are_fresh() -> None:
    assert reference.stale() == [], "run: make docs"


def test_every_setting_permission_tool_and_error_is_documented() -> None:
    written = {name: write() for name, write in reference.PAGES.items()}

    assert all(f"`{name}`" in written["settings.md"] for name, _ in reference.setting_fields())
    assert all(f"`{each.value}`" in written["permissions.md"] for each in Permission)
    assert all(f"## {tool.spec.name}" in written["tools.md"] for tool in reference.all_tools())
    assert all(f"dutydesk {' '.join(path)}" in written["commands.md"] for path, _ in reference.command_tree())


def test_every_setting_says_what_it_means() -> None:
    assert [name for name, field in reference.setting_fields() if not field.description] == []


def test_every_error_module_is_documented() -> None:
    documented = {module.__name__ for module in reference.ERROR_MODULES}

    assert {f"{path.parent.name}.errors" for path in ROOT.glob("*/errors.py")} <= documented


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))]

    assert numbers == list(range(1, len(numbers) + 1))


def test_a_broken_link_and_a_missing_heading_are_found(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\n[b](b.md#no-such) [c](c.md) [self](#a)\n\n```sh\n[not](a-link.md)\n```\n")
    (docs / "b.md").write_text("# B\n")

    assert list(pages.broken_links(pages.read(tmp_path), tmp_path)) == [
        "docs/a.md: b.md#no-such names no heading",
        "docs/a.md: c.md leads nowhere",
    ]
    assert pages.orphans(pages.read(tmp_path), docs / "b.md") == {"a.md"}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("desk ask hello", None),
        ('echo x | desk ask "hello you" --as ada > out', None),
        ("desk ask hello --nonsense", "ask has no option --nonsense"),
        ("desk sing", "desk has no command sing"),
        ("desk ask", "ask takes 1 to 1 arguments, not 0"),
        ("desk put a.md b.md", None),
        ("desk put", "put takes 1 to inf arguments, not 0"),
    ],
)
def test_a_wrong_command_line_is_found(tmp_path: Path, line: str, complaint: str | None) -> None:
    @click.command("ask")
    @click.argument("question")
    @click.option("--as", "person")
    def ask(question: str, person: str) -> None: ...

    @click.command("put")
    @click.argument("files", nargs=-1, required=True)
    def put(files: tuple[str, ...]) -> None: ...

    page = pages.Page(tmp_path / "a.md", f"```sh\n{line}\n```\n")
    (words,) = pages.shell_lines(page, "desk")

    assert pages.wrong_use(words, click.Group("desk", commands=[ask, put])) == complaint


def test_a_stale_page_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("old")

    assert reference.stale(tmp_path, {"a.md": lambda: "new", "b.md": lambda: "new"}) == ["a.md", "b.md"]
