"""`dutydesk backup` and `dutydesk restore`: everything that the home keeps, in one file, and back."""

import io
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.operations import sqlite_copies

#: What is made again from the sources, belongs to a running process, or was put aside.
_INDEX = "index.db"
#: In the archive alone: the home that was written, for folders of it that are named by their whole paths.
_FROM = "backed-up-home.txt"
_LEFT_OUT = (f"{_INDEX}*", "*-wal", "*-shm", "*.damaged-*", "*.part", "*.tmp")


class BackupRefused(click.ClickException):
    """What is in the way, and what helps."""


@click.command("backup", short_help="Write everything that the home keeps into one file.")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@pass_invocation
def backup(invocation: Invocation, file: Path | None) -> None:
    """Write tickets, runs, audit, settings, people and uploads into FILE, also while a desk serves.

    FILE is dutydesk-backup-DATE.tar.gz here when none is given. It holds secret.key, by which buttons are signed: keep
    it as you keep a password. The search index is not in it, since it is made again from the sources.
    """
    settings = invocation.settings()
    home, now = settings.home, datetime.now(UTC)
    file = file or Path(f"dutydesk-backup-{now:%Y%m%d-%H%M%S}.tar.gz")
    if not home.is_dir():
        raise BackupRefused(f"there is no home at {home}: name it with --home")
    if file.exists():
        raise BackupRefused(f"{file} exists: name another file")
    part = file.with_name(f".{file.name}.part")
    part.touch(mode=0o600)
    try:
        kept = _write(part, home, settings.database_path, owned=settings.owns_database)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)
    screen.say(f"{kept} files of {home} are in {file} ({file.stat().st_size / 1e6:.1f} MB).", "green")
    if not settings.owns_database:
        screen.warn("The database is not in it: take it with pg_dump --format=custom, and keep both.")
    screen.say(f"Back: dutydesk restore {file}")


@click.command("restore", short_help="Put back what a backup holds.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Also where there is a home already: it is kept under another name.")
@pass_invocation
def restore(invocation: Invocation, file: Path, *, force: bool) -> None:
    """Put the home back as FILE holds it, here or in another place. Stop the desk before.

    What stands there now is never overwritten: with --force it is moved aside, and its new name is told.
    """
    settings = invocation.settings()
    home = settings.home.resolve()
    filled = home.is_dir() and any(home.iterdir())
    if filled and not force:
        raise BackupRefused(f"{home} is not empty: with --force it is kept under another name")
    database = settings.database_path
    if database.exists() and sqlite_copies.is_in_use(database):
        raise BackupRefused(f"a desk uses {database}: stop it first")
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=".restore-") as folder:
        fresh = Path(folder) / "home"
        _unpack(file, fresh)
        _settle(fresh, home=home, database=fresh / database.name, named=file)
        aside = _aside(home) if filled else None
        if home.is_dir() and not filled:
            home.rmdir()
        shutil.move(fresh, home)
    if aside is not None:
        screen.say(f"What stood there before is {aside}.")
    screen.say(f"{home} is as it was when {file.name} was written.", "green")
    if not settings.owns_database:
        screen.warn("The database is put back with pg_restore.")
    screen.say("Next: dutydesk doctor and dutydesk audit verify. The search index is made again at the next start.")


def _settle(fresh: Path, *, home: Path, database: Path, named: Path) -> None:
    """Make an unpacked home ready to be used at its place; raise `BackupRefused` for a database that is damaged."""
    origin = fresh / _FROM
    if database.exists():
        if not sqlite_copies.is_sound(database):
            raise BackupRefused(f"the database in {named} is damaged; nothing was changed")
        if origin.exists():
            sqlite_copies.move_paths(database, old=origin.read_text(encoding="utf-8"), new=str(home))
    origin.unlink(missing_ok=True)
    # An empty file is one that was cut off: whoever opens it first makes it again from the sources.
    (fresh / _INDEX).touch()


def _write(archive: Path, home: Path, database: Path, *, owned: bool) -> int:
    """Write the archive and return how many files it holds."""
    kept = 0
    with tarfile.open(archive, "w:gz") as tar, tempfile.TemporaryDirectory(dir=archive.parent) as folder:
        if owned and database.exists():
            copy = Path(folder) / database.name
            sqlite_copies.copy_sqlite(database, copy)
            tar.add(copy, arcname=database.name)
            kept += 1
        origin = str(home.resolve()).encode()
        note = tarfile.TarInfo(_FROM)
        note.size, note.mode = len(origin), 0o600
        tar.addfile(note, io.BytesIO(origin))
        for path in _files(home, but=database):
            tar.add(path, arcname=str(path.relative_to(home)), recursive=False)
            kept += 1
    return kept


def _files(home: Path, *, but: Path) -> Iterator[Path]:
    for path in sorted(home.rglob("*")):
        is_plain = path.is_file() and not path.is_symlink()
        if is_plain and path != but and not any(path.match(pattern) for pattern in _LEFT_OUT):
            yield path


def _unpack(file: Path, folder: Path) -> None:
    """Unpack an archive into a new folder; what would lie outside of it, and what is no plain file, is refused."""
    folder.mkdir(mode=0o700)
    try:
        with tarfile.open(file, "r:gz") as tar:
            for member in tar:
                target = folder / member.name
                if not member.isfile() or not target.resolve().is_relative_to(folder.resolve()):
                    raise BackupRefused(f"{file} holds {member.name!r}, which no backup does; nothing was changed")
                target.parent.mkdir(parents=True, exist_ok=True)
                content = tar.extractfile(member)
                if content is not None:
                    with content, target.open("wb") as written:
                        shutil.copyfileobj(content, written)
                    target.chmod(member.mode & 0o700)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise BackupRefused(f"{file} cannot be read: {error}; nothing was changed") from error


def _aside(home: Path) -> Path:
    aside = home.with_name(f"{home.name}.before-{datetime.now(UTC):%Y%m%d-%H%M%S}")
    home.rename(aside)
    return aside
