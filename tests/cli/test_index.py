"""Folders in, refreshed, and out again."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import finish, invoke


@pytest.fixture
def folder(handbook: Path, tmp_path: Path) -> Path:
    return shutil.copytree(handbook, tmp_path / "manual")


def test_a_folder_is_indexed_and_pages_for_nobody_are_counted(tmp_path: Path, folder: Path) -> None:
    done = invoke("index", str(folder), home=tmp_path / "home")

    assert done.exit_code == 0, done.output
    assert "3 added, 0 changed, 0 removed, 0 unchanged" in done.output
    assert "2 pages name nobody" in done.output


def test_the_same_folder_again_reads_only_what_changed(tmp_path: Path, folder: Path) -> None:
    home = tmp_path / "home"
    invoke("index", str(folder), home=home)
    (folder / "vpn.md").write_text("# Remote access\n\nIt is closed.\n")
    (folder / "notes.md").unlink()

    done = invoke("index", str(folder), home=home)

    assert "0 added, 1 changed, 1 removed, 1 unchanged" in done.output


def test_one_source_does_not_touch_another(home: Path, folder: Path) -> None:
    invoke("index", str(folder), "--allow", "public", home=home)
    removed = invoke("knowledge", "remove", "manual", home=home)

    assert "3 pages" in removed.output
    status = invoke("knowledge", "status", home=home).output
    assert "handbook" in status
    assert "manual" not in status


def test_what_changed_can_be_read_for_every_source(home: Path) -> None:
    done = invoke("knowledge", "refresh", home=home)

    assert "3 unchanged" in done.output


def test_a_folder_that_is_away_is_told_at_once_and_by_the_status(home: Path, folder: Path) -> None:
    invoke("index", str(folder), "--allow", "staff", home=home)
    folder.rename(folder.with_name("away"))
    told = f"{folder} does not exist; its pages were kept"

    assert f"manual: {told}" in invoke("knowledge", "refresh", home=home).output.splitlines()
    assert told in invoke("knowledge", "status", "manual", home=home).output.splitlines()


def test_what_is_not_read_is_told_in_a_line_for_each_format_and_again_by_the_status(home: Path, folder: Path) -> None:
    for number in range(3):
        (folder / f"{number}.pptx").write_bytes(b"PK")
        (folder / f"{number}.png").write_bytes(b"PNG")
    done = invoke("index", str(folder), home=home)

    line = "0.pptx: is a presentation, which is not read; save it as .pdf (2 more .pptx: 1.pptx, 2.pptx)"
    assert line in done.output
    assert "Passed over, since nothing reads them: 3 .png." in done.output
    assert line in invoke("knowledge", "status", "manual", home=home).output
    assert "1.pptx" not in invoke("knowledge", "status", "handbook", home=home).output
    assert "no source is called 'nix'" in str(invoke("knowledge", "status", "nix", home=home).exception)


def test_the_embedded_index_is_built_anew_in_place(home: Path, folder: Path) -> None:
    invoke("index", str(folder), home=home)
    done = invoke("knowledge", "rebuild", home=home)

    assert "0 added, 6 changed, 0 removed, 0 unchanged" in done.output
    assert invoke("knowledge", "verify", home=home).output == "The index is whole.\n"


def test_broken_front_matter_is_named_and_the_rest_is_findable(tmp_path: Path, folder: Path) -> None:
    (folder / "broken.md").write_text("---\naccess: [unclosed\n---\n# Broken\n\nText.\n")

    done = invoke("index", str(folder), home=tmp_path / "home")

    assert done.exit_code == 0, done.output
    assert "broken.md" in done.output
    assert "3 added" in done.output or "4 added" in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["index", "no-such-folder"], "does not exist"),
        (["index", "{folder}", "--allow", "everybody"], "everybody"),
        (["knowledge", "remove", "nothing"], "nothing"),
    ],
)
def test_a_failure_says_what_is_wrong(tmp_path: Path, folder: Path, arguments: list[str], words: str) -> None:
    done = invoke(*(each.format(folder=folder) for each in arguments), home=tmp_path / "home")

    assert done.exit_code == 1
    assert words in str(done.exception)


def test_a_folder_without_a_page_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = invoke("index", str(tmp_path / "empty"), home=tmp_path / "home")

    assert done.exit_code == 0
    assert "holds no document" in done.output


def test_who_gave_access_already_is_not_told_to_give_it(tmp_path: Path, folder: Path) -> None:
    done = invoke("index", str(folder), "--allow", "staff", home=tmp_path / "home")

    assert "1 page names nobody" in done.output
    assert "for all of them" not in done.output


def test_a_home_that_cannot_be_made_is_named_without_a_trace() -> None:
    code, _output, errors = finish("--home", "/dev/null/desk", "ask", "hi")

    assert code == 1
    assert "/dev/null" in errors
    assert "Errno" not in errors
    assert "Traceback" not in errors
