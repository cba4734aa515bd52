"""Copies of a PostgreSQL database, made and put back by PostgreSQL's own programs.

A password goes to them in their environment, never among their arguments, which everybody on the machine can read.
"""

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import NullPool, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

#: What a URL may say beside host, port, person and database, and the environment's name for it.
_NAMED = {"host": "PGHOST", "port": "PGPORT", "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT"}
_PLAIN = ["--no-owner", "--no-privileges"]
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


class CopyFailed(Exception):
    """What the program said, in its last line."""


def can_copy() -> bool:
    """Return whether PostgreSQL's programs are on this machine."""
    return bool(shutil.which("pg_dump") and shutil.which("pg_restore"))


def copy_postgres(url: str, to: Path) -> None:
    """Write everything of a database into a file, as it is at one moment; others may write meanwhile."""
    _run(["pg_dump", "--format=custom", *_PLAIN, f"--file={to}"], url)


def is_in_use(url: str) -> bool:
    """Return whether anybody else is connected to a database: putting back would wait for them without end."""
    try:
        with create_engine(url, poolclass=NullPool).connect() as connection:
            return bool(connection.scalar(_OTHERS))
    except SQLAlchemyError as error:
        raise CopyFailed(f"it cannot be reached ({type(error).__name__})") from error


def put_back(url: str, file: Path) -> None:
    """Make the tables of a copy anew in a database, all of them or none."""
    database = make_url(url).database or ""
    options = ["--clean", "--if-exists", "--single-transaction", "--exit-on-error", *_PLAIN]
    _run(["pg_restore", *options, f"--dbname={database}", str(file)], url)


def is_sound(file: Path) -> bool:
    """Return whether a file is a copy that can be put back."""
    try:
        _run(["pg_restore", "--list", str(file)], "postgresql:///")
    except CopyFailed:
        return False
    return True


def _run(command: list[str], url: str) -> None:
    program = shutil.which(command[0])
    if program is None:
        raise CopyFailed(f"{command[0]} is not on this machine")
    done = subprocess.run(  # noqa: S603 - PostgreSQL's own program, on a database that the settings name
        [program, *command[1:]],
        env={**os.environ, **_environment(url)},  # noqa: TID251 - handed on to the program
        capture_output=True,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["it ended without a word"]
        raise CopyFailed(next((line for line in lines if "error" in line.lower()), lines[-1]))


def _environment(url: str) -> dict[str, str]:
    parts = make_url(url)
    given = {
        "PGHOST": parts.host,
        "PGPORT": str(parts.port) if parts.port else None,
        "PGUSER": parts.username,
        "PGPASSWORD": parts.password,
        "PGDATABASE": parts.database,
    }
    said = {_NAMED[name]: str(value) for name, value in parts.query.items() if name in _NAMED}
    return {**{name: value for name, value in given.items() if value}, **said}
