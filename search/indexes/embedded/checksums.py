"""Checksums of what the index file holds: a disk that gives back other bytes is noticed though SQLite reads them well.

Each row of these tables has the CRC-32 of its other values. It is compared wherever the row is read: garbage that
happens to decode is never quoted as the company's word, and a changed list of readers opens no page.
"""

import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

#: Table → what is summed. `markdown` has a sum of its own, because passages are read without the page's text; a page's
#: `content_hash` is not summed, since an upgrade empties it.
SUMMED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "document": ("source", "path", "title", "language", "updated", "allow", "url", "valid"),
        "chunk": (
            *("number", "section_path", "anchor", "text", "tokens", "kind", "windows", "words", "gap", "repeated"),
        ),
        "posting": ("terms",),
        "embedding": ("vector",),
    }
)


class Altered(sqlite3.DatabaseError):
    """A row is not as it was written."""


def add_to(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Let the connection's statements call `checksum(value, …)`; return it."""
    connection.create_function("checksum", -1, checksum, deterministic=True)
    return connection


def checksum(*values: object) -> int:
    """Return the CRC-32 of values, each set off from the next."""
    total = 0
    for value in values:
        part = value if isinstance(value, bytes) else str(value).encode()
        total = zlib.crc32(part, zlib.crc32(b"%d:" % len(part), total))
    return total


def made(table: str) -> str:
    """Return the expression of a row's sum."""
    return f"checksum({', '.join(f'{table}.{column}' for column in SUMMED[table])})"


def whole(*tables: str) -> str:
    """Return the expression that is 1 where rows of these tables are as they were written, or have no sum."""
    return " AND ".join(f"coalesce({table}.sum = {made(table)}, 1)" for table in tables)


def require_whole(rows: Iterable[tuple[object, ...]], what: str) -> None:
    """Raise `Altered` unless the last column of each row, made by `whole`, says that it is."""
    if not all(row[-1] for row in rows):
        raise Altered(f"{what} are not as they were written")
