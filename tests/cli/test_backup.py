"""A backup holds what the home keeps, and a restore puts it back or changes nothing."""

import io
import os
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bot.cli.operations import postgres_copies
from bot.settings import load
from tests import postgresql
from tests.cli.conftest import invoke
from tests.fixtures.database import PostgresServer


@pytest.fixture
def archive(home: Path, tmp_path: Path) -> Path:
    (home / "uploads").mkdir(exist_ok=True)
    (home / "uploads" / "plan.md").write_text("# Plan\n", encoding="utf-8")
    file = tmp_path / "copy.tar.gz"
    told = invoke("backup", str(file), home=home)
    assert told.exit_code == 0, told.output
    return file


def rows(home: Path) -> int:
    with closing(sqlite3.connect(load(home=home).home / "dutydesk.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM identity_audit").fetchone()[0])


def test_what_was_there_is_there_again_and_what_stood_there_is_kept(home: Path, archive: Path) -> None:
    before = rows(home)
    invoke("ask", "How do I connect to the VPN?", home=home)
    assert rows(home) > before
    (home / "uploads" / "plan.md").write_text("changed", encoding="utf-8")

    told = invoke("restore", str(archive), "--force", home=home)

    assert told.exit_code == 0, told.output
    assert rows(home) == before
    assert (home / "uploads" / "plan.md").read_text(encoding="utf-8") == "# Plan\n"
    (aside,) = home.parent.glob(f"{home.name}.before-*")
    assert (aside / "uploads" / "plan.md").read_text(encoding="utf-8") == "changed"
    assert (home / "secret.key").read_bytes() == (aside / "secret.key").read_bytes()
    assert invoke("audit", "verify", home=home).exit_code == 0
    assert "Tidegate client" in invoke("ask", "How do I connect to the VPN?", home=home).output


def assert_told_as_not_made_yet(home: Path) -> None:
    """Ask the doctor about a restored home: it names the index that is to come, and no damage, until it is there."""
    told = invoke("doctor", home=home)
    assert told.exit_code == 0, told.output
    assert "not made from the sources yet" in told.output
    assert "dutydesk knowledge rebuild" in told.output
    assert "damaged" not in told.output
    assert " 0 pages" not in told.output
    assert invoke("knowledge", "rebuild", home=home).exit_code == 0
    assert "not made from the sources" not in invoke("doctor", home=home).output


def test_a_home_comes_back_in_another_place_with_its_own_folders(home: Path, tmp_path: Path) -> None:
    own = home / "own shelf"
    own.mkdir()
    (own / "crane.md").write_text("# Crane\n\nThe crane of the yard lifts nine tonnes.\n", encoding="utf-8")
    assert invoke("index", str(own), "--allow", "staff", home=home).exit_code == 0
    file, elsewhere = tmp_path / "moved.tar.gz", tmp_path / "elsewhere" / "home"
    assert invoke("backup", str(file), home=home).exit_code == 0
    shutil.rmtree(home)

    told = invoke("restore", str(file), home=elsewhere)

    assert told.exit_code == 0, told.output
    assert not (elsewhere / "backed-up-home.txt").exists()
    assert_told_as_not_made_yet(elsewhere)
    assert "nine tonnes" in invoke("ask", "How much does the crane of the yard lift?", home=elsewhere).output
    (elsewhere / "own shelf" / "crane.md").write_text(
        "# Crane\n\nThe crane of the yard lifts ten tonnes.\n", encoding="utf-8"
    )
    assert invoke("knowledge", "refresh", home=elsewhere).exit_code == 0
    assert "ten tonnes" in invoke("ask", "How much does the crane of the yard lift?", home=elsewhere).output
    assert invoke("audit", "verify", home=elsewhere).exit_code == 0


def test_only_its_owner_may_read_it(archive: Path) -> None:
    assert archive.stat().st_mode & 0o077 == 0


def test_nothing_is_overwritten(home: Path, archive: Path) -> None:
    assert "--force" in invoke("restore", str(archive), home=home).output
    assert "exists" in invoke("backup", str(archive), home=home).output


def test_a_home_that_a_desk_uses_is_left_alone(home: Path, archive: Path) -> None:
    with closing(sqlite3.connect(home / "dutydesk.db")) as desk:
        desk.execute("PRAGMA journal_mode = WAL")
        desk.execute("SELECT count(*) FROM identity_audit").fetchone()
        told = invoke("restore", str(archive), "--force", home=home)
    assert told.exit_code == 1
    assert "stop it first" in told.output
    assert list(home.parent.glob(f"{home.name}.before-*")) == []


@pytest.mark.parametrize("content", ["outside", "link", "cut off", "damaged"])
def test_an_archive_that_is_no_backup_changes_nothing(home: Path, archive: Path, tmp_path: Path, content: str) -> None:
    bad = tmp_path / "bad.tar.gz"
    if content == "cut off":
        bad.write_bytes(archive.read_bytes()[:200])
    else:
        name = {"outside": "../../outside.txt", "link": "people.yaml", "damaged": "dutydesk.db"}[content]
        member, data = tarfile.TarInfo(name), b"no database"
        member.size = len(data)
        if content == "link":
            member.type, member.linkname, member.size = tarfile.SYMTYPE, "/etc/passwd", 0
        with tarfile.open(bad, "w:gz") as tar:
            tar.addfile(member, io.BytesIO(data))
    before = rows(home)

    told = invoke("restore", str(bad), "--force", home=home)

    assert told.exit_code == 1
    assert "nothing was changed" in told.output
    assert rows(home) == before
    assert not (home.parent.parent / "outside.txt").exists()


@pytest.fixture
def on_postgresql(postgresql_server: PostgresServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the home's desk have its database on PostgreSQL; yield its name."""
    name = postgresql_server.create()
    monkeypatch.setenv("PATH", str(postgresql.binaries()), prepend=os.pathsep)
    monkeypatch.setenv("DUTYDESK_DATABASE_URL", postgresql_server.url(name))
    (home / "dutydesk.db").unlink()
    assert invoke("migrate", home=home).exit_code == 0
    yield name
    postgresql_server.drop(name)


def entries(server: PostgresServer, name: str) -> int:
    with psycopg.connect(f"host={server.socket} user=postgres dbname={name}") as connection:
        found = connection.execute("SELECT count(*) FROM identity_audit").fetchone()
        assert found is not None
        return int(found[0])


def test_a_database_on_postgresql_comes_back_and_what_stood_there_is_kept(
    on_postgresql: str, postgresql_server: PostgresServer, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "copy.tar.gz"
    invoke("ask", "How do I connect to the VPN?", home=home)
    before = entries(postgresql_server, on_postgresql)
    taken = invoke("backup", str(file), home=home)
    assert (taken.exit_code, "pg_dump" in taken.output) == (0, False), taken.output
    invoke("ask", "How do I connect to the VPN?", home=home)
    later = entries(postgresql_server, on_postgresql)
    assert later > before > 0

    with psycopg.connect(f"host={postgresql_server.socket} user=postgres dbname={on_postgresql}") as serving:
        serving.execute("SELECT count(*) FROM identity_audit")  # as a desk that was not stopped
        told = invoke("restore", str(file), "--force", home=home)
    assert told.exit_code == 1
    assert "stop the desk first" in " ".join(told.output.split())
    assert entries(postgresql_server, on_postgresql) == later

    told = invoke("restore", str(file), "--force", home=home)
    assert told.exit_code == 0, told.output
    assert entries(postgresql_server, on_postgresql) == before
    assert_told_as_not_made_yet(home)
    assert invoke("audit", "verify", home=home).exit_code == 0
    (aside,) = home.parent.glob(f"{home.name}.before-*.dump")
    assert aside.stat().st_mode & 0o077 == 0
    assert postgres_copies.is_sound(aside)
    assert not (home / "postgresql.dump").exists()


def test_a_backup_of_postgresql_without_its_programs_says_what_is_missing(
    on_postgresql: str, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert on_postgresql
    monkeypatch.setenv("PATH", str(tmp_path))
    taken = invoke("backup", str(tmp_path / "copy.tar.gz"), home=home)
    assert taken.exit_code == 0
    assert "pg_dump is not on this machine" in " ".join(taken.output.split())
    told = invoke("restore", str(tmp_path / "copy.tar.gz"), "--force", home=home)
    assert "put it back with pg_restore" in " ".join(told.output.split())


def test_a_password_is_no_argument_of_a_program() -> None:
    url = "postgresql+psycopg://ada:s3c%3Aret@db.example:5433/it's?sslmode=require"
    with postgres_copies._connection(url) as given:
        assert "s3c" not in given
        assert given.startswith(r"host='db.example' port='5433' user='ada' dbname='it\'s' sslmode='require' passfile=")
        file = Path(given.split("passfile=")[1].strip("'"))
        assert file.read_text(encoding="utf-8") == "*:*:*:*:s3c\\:ret\n"
        assert file.stat().st_mode & 0o077 == 0
    assert not file.exists()
