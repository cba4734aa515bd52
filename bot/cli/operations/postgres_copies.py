"""Copies of a PostgreSQL database, made and put back by PostgreSQL's own programs.

A password goes to them in a file that only its owner reads, never among their arguments, which everybody can see.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

#: What a URL may say beside person, password and database.
_SAID = ("host", "port", "sslmode", "sslrootcert")
_PLAIN = ["--no-owner", "--no-privileges"]
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)
_PROGRAMS = ("pg_dump", "pg_restore", "psql")


class CopyFailed(Exception):
    """What the program said, in its last line."""


def can_copy() -> bool:
    """Return whether PostgreSQL's programs are on this machine."""
    return all(shutil.which(program) for program in _PROGRAMS)


def copy_postgres(url: str, to: Path) -> None:
    """Write everything of a database into a file, as it is at one moment; others may write meanwhile."""
    with _connection(url) as connection:
        _run(["pg_dump", "--format=custom", *_PLAIN, f"--file={to}", f"--dbname={connection}"])


def is_in_use(url: str) -> bool:
    """Return whether anybody else is connected to a database: putting back would wait for them without end."""
    with _connection(url) as connection:
        others = _run(["psql", "--no-psqlrc", "--tuples-only", "--no-align", f"--command={_OTHERS}", connection])
    return others.strip() != "0"


def put_back(url: str, file: Path) -> None:
    """Make the tables of a copy anew in a database, all of them or none."""
    options = ["--clean", "--if-exists", "--single-transaction", "--exit-on-error", *_PLAIN]
    with _connection(url) as connection:
        _run(["pg_restore", *options, f"--dbname={connection}", str(file)])


def is_sound(file: Path) -> bool:
    """Return whether a file is a copy that can be put back."""
    try:
        _run(["pg_restore", "--list", str(file)])
    except CopyFailed:
        return False
    return True


def _run(command: list[str]) -> str:
    program = shutil.which(command[0])
    if program is None:
        raise CopyFailed(f"{command[0]} is not on this machine")
    done = subprocess.run(  # noqa: S603 - PostgreSQL's own program, on a database that the settings name
        [program, *command[1:]], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, check=False
    )
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["it ended without a word"]
        raise CopyFailed(next((line for line in lines if "error" in line.lower()), lines[-1]))
    return done.stdout


@contextmanager
def _connection(url: str) -> Iterator[str]:
    """Yield what names a database to PostgreSQL's programs, for as long as its file with the password is there."""
    parts = urlsplit(url)
    password = unquote(parts.password or "")
    given = {
        "host": parts.hostname,
        "port": parts.port,
        "user": unquote(parts.username or ""),
        "dbname": unquote(parts.path.lstrip("/")),
        **{name: value for name, value in parse_qsl(parts.query) if name in _SAID},
    }
    with tempfile.TemporaryDirectory(prefix="dutydesk-") as folder:  # which only its owner may open
        if password:
            file = Path(folder) / "password"
            file.touch(mode=0o600)
            hidden = password.replace("\\", "\\\\").replace(":", "\\:")
            file.write_text(f"*:*:*:*:{hidden}\n", encoding="utf-8")
            given["passfile"] = str(file)
        yield " ".join(f"{name}={_quoted(str(value))}" for name, value in given.items() if value)


def _quoted(value: str) -> str:
    hidden = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{hidden}'"
