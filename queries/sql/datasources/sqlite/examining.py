"""Proof that a file of SQLite can be read and not be written."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from queries.sql.datasource import Examined


def examined(path: Path) -> tuple[Examined, ...]:
    """Open the file as every statement does, and try to write."""
    if not path.is_file():
        return (Examined("file", ok=False, detail=f"{path}: there is no such file"),)
    readable = _readable(path)
    if not readable.ok:
        return (Examined("file", ok=True, detail=str(path)), readable)
    return (Examined("file", ok=True, detail=str(path)), readable, _read_only(path), _protected(path))


def _readable(path: Path) -> Examined:
    try:
        with closing(_opened(path)) as connection:
            tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view')").fetchone()
    except sqlite3.Error as error:
        mend = "" if os.access(path, os.R_OK) else f"chmod u+r {path}"
        return Examined("readable", ok=False, detail=f"{path}: {error}", mend=mend)
    return Examined("readable", ok=True, detail=f"{tables[0]} tables and views")


def _read_only(path: Path) -> Examined:
    try:
        with closing(_opened(path)) as connection:
            connection.execute("CREATE TABLE dutydesk_may_write (a)")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_READONLY:
            return Examined("read_only", ok=True)
        return Examined("read_only", ok=False, detail=str(error))
    return Examined("read_only", ok=False, detail="a table could be made")


def _protected(path: Path) -> Examined:
    """Tell whether the file is protected from this process too, should all other locks fail."""
    writable = os.access(path, os.W_OK)
    detail = "the desk's own user may write the file; it opens it for reading only" if writable else ""
    return Examined(
        "file_writable", ok=not writable, detail=detail, mend=f"chmod a-w {path}" if writable else "", needed=False
    )


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
