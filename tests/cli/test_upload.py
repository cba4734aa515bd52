"""Files from the command line into a source of the desk's own, and out again."""

from pathlib import Path

from tests.cli.conftest import invoke


def test_files_are_copied_indexed_and_found(home: Path, tmp_path: Path) -> None:
    keys, shot = tmp_path / "keys.md", tmp_path / "shot.png"
    keys.write_text("# Archive keys\n\nThere are two keys to the archive.\n", encoding="utf-8")
    shot.write_bytes(b"\x89PNG")

    done = invoke("knowledge", "upload", str(keys), str(shot), "--to", "archive", "--allow", "staff", home=home)
    keys.unlink()

    assert done.exit_code == 1  # the picture was not taken
    assert "1 added" in done.output
    assert "shot.png: is of no format that is read" in done.output
    asked = invoke("ask", "How many keys to the archive are there?", "--as", "ada", home=home)
    assert "two keys" in asked.output


def test_the_same_name_again_takes_its_place_with_a_note(home: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys.md"
    keys.write_text("# Archive keys\n\nThere are two keys.\n", encoding="utf-8")
    invoke("knowledge", "upload", str(keys), "--to", "archive", home=home)
    keys.write_text("# Archive keys\n\nThere are three keys.\n", encoding="utf-8")

    done = invoke("knowledge", "upload", str(keys), "--to", "archive", home=home)

    assert done.exit_code == 0, done.output
    assert "keys.md takes the place of the one that was there" in done.output
    assert "1 changed" in done.output


def test_removing_says_where_the_files_are_kept(home: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys.md"
    keys.write_text("# Archive keys\n\nThere are two keys.\n", encoding="utf-8")
    invoke("knowledge", "upload", str(keys), "--to", "archive", "--allow", "staff", home=home)

    done = invoke("knowledge", "remove", "archive", home=home)

    assert "1 pages are no longer found" in done.output
    assert "kept for a day" in done.output
    (kept,) = (home / "uploads" / ".removed").glob("*/keys.md")
    assert kept.read_text(encoding="utf-8").startswith("# Archive keys")


def test_a_folder_that_is_indexed_keeps_its_name(home: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys.md"
    keys.write_text("# Keys\n", encoding="utf-8")

    done = invoke("knowledge", "upload", str(keys), "--to", "handbook", home=home)

    assert done.exit_code != 0
    assert not (home / "uploads" / "handbook").exists()
    missing = invoke("knowledge", "upload", str(tmp_path / "none.md"), "--to", "archive", home=home)
    assert missing.exit_code == 1
    assert "none.md: No such file" in missing.output
