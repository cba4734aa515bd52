"""A copy of a SQLite database while others write to it, and whether anybody has it open."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

#: Pages that are copied in one go; between two goes others write.
_PAGES = 2_000


def copy_sqlite(source: Path, target: Path) -> None:
    """Write a whole copy, as the database stands at the end; raises `sqlite3.DatabaseError` for a damaged one."""
    with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(target)) as written:
        read.backup(written, pages=_PAGES)
    if not is_sound(target):
        raise sqlite3.DatabaseError(f"{source.name} is damaged")


def move_paths(database: Path, *, old: str, new: str) -> None:
    """Name folders below the home by where it is now: of sources, and of what crawls fill by the clock."""
    if old == new:
        return
    quoted = [json.dumps(f"{each}/")[:-1] for each in (old, new)]  # as a text begins in JSON
    with closing(sqlite3.connect(database)) as connection, connection:
        present = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "search_sources" in present:
            connection.execute(
                "UPDATE search_sources SET path = ? || substr(path, ?) WHERE substr(path, 1, ?) = ?",
                (f"{new}/", len(old) + 2, len(old) + 1, f"{old}/"),
            )
        for table in {"storage_schedules", "storage_queue"} & present:
            changed = f"UPDATE {table} SET payload = replace(payload, ?, ?) WHERE instr(payload, ?)"  # noqa: S608 - ours
            connection.execute(changed, (*quoted, quoted[0]))


def is_sound(path: Path) -> bool:
    """Return whether the file is a database that can be read to its end."""
    try:
        with closing(sqlite3.connect(path)) as connection:
            return bool(connection.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


def is_in_use(path: Path) -> bool:
    """Return whether another process has the database open: only who is alone may leave write-ahead logging."""
    try:
        with closing(sqlite3.connect(path, timeout=0.5)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError:
        return True
    except sqlite3.DatabaseError:  # damaged: nobody could work with it
        return False
    return False
