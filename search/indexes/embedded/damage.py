"""How a damaged index file is told from other trouble, and how it is put out of the way.

A damaged page shows in many ways: SQLite says so, a text is no text any more, a figure leads nowhere. What SQLite does
not say is looked into before it is believed, since a mistake of ours would throw away the file each time.
"""

import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

from search.errors import IndexUnusable
from search.indexes.embedded import checksums, reading
from search.indexes.embedded.schema import NoIndex
from storage.database import FileTrouble, trouble_of

#: What reading garbage may raise; SQLite says the first of a table that is missing or of a text that is none, too.
_GARBAGE = (LookupError, ValueError, TypeError, ArithmeticError)
_DOUBTS = (sqlite3.OperationalError, sqlite3.IntegrityError, *_GARBAGE)
#: Whatever may come of a damaged file.
SIGNS = (sqlite3.Error, *_GARBAGE)
_ASIDE = ".damaged-"

Identity = tuple[int, int]


def is_damage(error: BaseException, path: Path) -> bool:
    """Return whether an error comes of a damaged file; reads the whole file where the error alone does not tell."""
    trouble = trouble_of(error)
    if trouble is not None or isinstance(error, (NoIndex, checksums.Altered)):
        return trouble in (FileTrouble.DAMAGED, None)
    return isinstance(error, _DOUBTS) and bool(_found(path))


def _found(path: Path) -> tuple[str, ...]:
    with closing(checksums.add_to(sqlite3.connect(path, isolation_level=None))) as connection:
        try:
            return reading.verify(connection)
        except (sqlite3.DatabaseError, *_DOUBTS) as error:
            return () if trouble_of(error) not in (FileTrouble.DAMAGED, None) else (str(error),)


def identity(path: Path) -> Identity | None:
    """Return which file lies at that path now; None when there is none."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino


def set_aside(path: Path) -> Path:
    """Rename the file, by the time; only the newest of several is kept. Raise `IndexUnusable` where that cannot be."""
    target = path.with_name(f"{path.name}{_ASIDE}{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
    try:
        # The file itself goes last: SQLite drops a log that belongs to no file, and never one under another name.
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).replace(target.with_name(target.name + suffix))
        path.replace(target)
    except OSError as error:
        raise IndexUnusable(f"{path} is damaged and cannot be put aside: {error.strerror}") from error
    for old in path.parent.glob(f"{path.name}{_ASIDE}*"):
        if not old.name.startswith(target.name):
            old.unlink(missing_ok=True)
    return target
