"""`dutydesk backup` and `dutydesk restore`: everything that the home keeps, in one file, and back."""

import importlib
import io
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.operations import sqlite_copies

if TYPE_CHECKING:
    from bot.settings import Settings

#: What is made again from the sources, belongs to a running process, or was put aside.
_INDEX = "index.db"
#: In the archive alone: the home that was written, for folders of it that are named by their whole paths.
_FROM = "backed-up-home.txt"
#: In the archive alone: what pg_dump wrote.
_DUMP = "postgresql.dump"
_LEFT_OUT = (f"{_INDEX}*", "*-wal", "*-shm", "*.damaged-*", "*.part", "*.tmp")


class BackupRefused(click.ClickException):
    """What is in the way, and what helps."""


@click.command("backup", short_help="Write everything that the home keeps into one file.")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@pass_invocation
def backup(invocation: Invocation, file: Path | None) -> None:
    """Write tickets, runs, audit, settings, people and uploads into FILE, also while a desk serves.

    FILE is dutydesk-backup-DATE.tar.gz here when none is given. It holds secret.key, by which buttons are signed: keep
    it as you keep a password. The search index is not in it, since it is made again from the sources. A database on
    PostgreSQL is taken by pg_dump, where that is on this machine.
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
        kept = _write(part, settings)
        part.replace(file)
    except OSError as error:
        where = file.absolute().parent
        raise BackupRefused(f"{file} could not be written to {where}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
    screen.say(f"{kept} files of {home} are in {file} ({file.stat().st_size / 1e6:.3g} MB).", "green")
    if _is_postgres(settings) and not _postgres().can_copy():
        screen.warn("The database is not in it, since pg_dump is not on this machine: take it elsewhere, keep both.")
    screen.say(f"Back: dutydesk restore {file}")


@click.command("restore", short_help="Put back what a backup holds.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Also where there is a home already: it is kept under another name.")
@pass_invocation
def restore(invocation: Invocation, file: Path, *, force: bool) -> None:
    """Put the home back as FILE holds it, here or in another place. Stop the desk before.

    What stands there now is never overwritten: with --force it is moved aside, and its new name is told. So is a copy
    of the database on PostgreSQL, whose tables are made anew.
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
        brought_back = _put_back(settings, fresh / _DUMP, aside=_before(home, ".dump"), named=file)
        aside = _aside(home) if filled else None
        if home.is_dir() and not filled:
            home.rmdir()
        shutil.move(fresh, home)
    if aside is not None:
        screen.say(f"What stood there before is {aside}.")
    screen.say(f"{home} is as it was when {file.name} was written.", "green")
    if _is_postgres(settings) and not brought_back:
        screen.warn("The database is not in it: put it back with pg_restore.")
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


def _put_back(settings: "Settings", dump: Path, *, aside: Path, named: Path) -> bool:
    """Put the database of an archive back, after a copy of what is there now; return whether one was in it."""
    if not dump.exists():
        return False
    if not _is_postgres(settings):
        raise BackupRefused(f"{named} holds a database of PostgreSQL: set database_url; nothing was changed")
    copies = _postgres()
    try:
        if not copies.is_sound(dump):
            raise BackupRefused(f"the database in {named} cannot be read; nothing was changed")
        if copies.is_in_use(settings.database_url):
            raise BackupRefused("somebody is connected to the database: stop the desk first; nothing was changed")
        copies.copy_postgres(settings.database_url, aside)
        aside.chmod(0o600)
        copies.put_back(settings.database_url, dump)
    except copies.CopyFailed as error:
        aside.unlink(missing_ok=True)
        raise BackupRefused(f"the database could not be put back: {error}; nothing was changed") from error
    dump.unlink()
    screen.say(f"A copy of the database as it was before is {aside}.")
    return True


def _postgres() -> Any:
    """Load what knows PostgreSQL. Imported by name: its library would slow down every `--help`."""
    return importlib.import_module("bot.cli.operations.postgres_copies")


def _is_postgres(settings: "Settings") -> bool:
    return settings.database_url.startswith("postgres")


def _write(archive: Path, settings: "Settings") -> int:
    """Write the archive and return how many files it holds."""
    kept, home, database = 0, settings.home, settings.database_path
    with tarfile.open(archive, "w:gz") as tar, tempfile.TemporaryDirectory(dir=archive.parent) as folder:
        if _is_postgres(settings) and _postgres().can_copy():
            dump, copies = Path(folder) / _DUMP, _postgres()
            try:
                copies.copy_postgres(settings.database_url, dump)
            except copies.CopyFailed as error:
                raise BackupRefused(f"the database could not be copied: {error}") from error
            tar.add(dump, arcname=_DUMP)
            kept += 1
        if settings.owns_database and database.exists():
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
    aside = _before(home)
    home.rename(aside)
    return aside


def _before(home: Path, suffix: str = "") -> Path:
    """Return a name beside the home for what is put aside."""
    return home.with_name(f"{home.name}.before-{datetime.now(UTC):%Y%m%d-%H%M%S}{suffix}")
