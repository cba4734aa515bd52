"""The index file: its tables, its version, and how a connection is set up.

The file is a cache of the sources: what is new in a version is added to an older file in place where that can be done;
else the file is emptied and built again by the next sync.
`generation` grows with every commit that changes what is found, so that readers in any process know when to load.
"""

import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from search.errors import IndexUnusable
from search.indexes.embedded import checksums

#: Grows with any change of the tables, of the analysis of text, or of what is embedded.
VERSION = 7
_BUSY_S = 30.0


class NoIndex(sqlite3.DatabaseError):
    """The file is a database, and not the index that it should be."""


_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE document (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL, path TEXT NOT NULL, title TEXT NOT NULL, language TEXT NOT NULL, updated TEXT,
  content_hash TEXT NOT NULL, allow TEXT NOT NULL, markdown TEXT NOT NULL,
  url TEXT NOT NULL DEFAULT '', valid TEXT NOT NULL DEFAULT '', sum INTEGER, markdown_sum INTEGER,
  UNIQUE (source, path)
);
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document_id INTEGER NOT NULL, number INTEGER NOT NULL, generation INTEGER NOT NULL,
  section_path TEXT NOT NULL, anchor TEXT NOT NULL, text TEXT NOT NULL, tokens INTEGER NOT NULL,
  kind TEXT NOT NULL, windows TEXT NOT NULL, words TEXT NOT NULL,
  gap TEXT NOT NULL DEFAULT '\n\n', repeated INTEGER NOT NULL DEFAULT 0, sum INTEGER
);
CREATE INDEX chunk_document ON chunk (document_id, number);
CREATE INDEX chunk_generation ON chunk (generation, document_id);
CREATE TABLE window (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chunk_id INTEGER NOT NULL, text TEXT NOT NULL, hash TEXT NOT NULL, generation INTEGER
);
CREATE INDEX window_chunk ON window (chunk_id);
CREATE INDEX window_hash ON window (hash);
CREATE INDEX window_generation ON window (generation, chunk_id, hash);
CREATE TABLE embedding (hash TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, sum INTEGER,
  PRIMARY KEY (hash, model)) WITHOUT ROWID;
CREATE TABLE gone (generation INTEGER NOT NULL, chunk_id INTEGER NOT NULL);
CREATE INDEX gone_generation ON gone (generation);
CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE posting (chunk_id INTEGER PRIMARY KEY, terms BLOB NOT NULL, sum INTEGER);
"""
_TABLE_NAMES = frozenset(re.findall(r"CREATE TABLE (\w+)", _TABLES))
#: Version → what makes the next one of it, so that nothing has to be embedded again. Where pages lack what they should
#: have then, their `content_hash` is emptied: they are found as they are until the next sync reads them.
_UPGRADES = {
    2: ("ALTER TABLE document ADD COLUMN url TEXT NOT NULL DEFAULT ''",),
    3: (
        "ALTER TABLE chunk ADD COLUMN gap TEXT NOT NULL DEFAULT '\n\n'",
        "ALTER TABLE chunk ADD COLUMN repeated INTEGER NOT NULL DEFAULT 0",
        "UPDATE document SET content_hash = ''",
    ),
    4: ("UPDATE document SET content_hash = ''",),  # other stems: found by the old ones until the next sync
    5: ("ALTER TABLE document ADD COLUMN valid TEXT NOT NULL DEFAULT ''", "UPDATE document SET content_hash = ''"),
    6: (
        *(f"ALTER TABLE {table} ADD COLUMN sum INTEGER" for table in checksums.SUMMED),
        "ALTER TABLE document ADD COLUMN markdown_sum INTEGER",
        *(f"UPDATE {table} SET sum = {checksums.made(table)}" for table in checksums.SUMMED),
        "UPDATE document SET markdown_sum = checksum(markdown)",
    ),
}
_START = (("version", str(VERSION)), ("generation", "1"), ("model", ""))


def connect(path: Path) -> sqlite3.Connection:
    """Return a connection that commits only where told to and may move between threads."""
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    checksums.add_to(connection)
    _log_ahead(connection)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA temp_store=MEMORY")
    connection.execute("PRAGMA cache_size=-8192")
    return connection


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Turn WAL on. The busy time-out does not cover this: on a new file that several open at once, try again."""
    until = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


def prepare(path: Path, *, unfilled: bool = False) -> bool:
    """Make or empty the file so that it has our tables; return whether an older version's content was dropped.

    `unfilled`: a file that is made now is in place of one that was full. Raises SQLite's own errors, and `NoIndex`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        found = _upgraded(connection, _version(connection, path))
        dropped = found not in (None, VERSION)
        if dropped:
            _drop_all(connection)
        if found != VERSION:
            _create(connection)
        if dropped or (unfilled and found is None):
            connection.execute("INSERT INTO meta (key, value) VALUES ('unfilled', hex(randomblob(8)))")
        if missing := _TABLE_NAMES - _tables(connection):
            raise NoIndex(f"no such table: {', '.join(sorted(missing))}")
        connection.execute("COMMIT")
    return dropped


def _version(connection: sqlite3.Connection, path: Path) -> int | None:
    tables = _tables(connection)
    if not tables:
        return None
    if "meta" not in tables:
        raise NoIndex("no such table: meta")
    row = connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    if row is None or not str(row[0]).isdecimal():
        raise NoIndex("it has no version")
    version = int(row[0])
    if version > VERSION:
        raise IndexUnusable(
            f"{path} was written by a newer dutydesk (index version {version}, this one reads {VERSION}); "
            "use that version, or remove the file: dutydesk knowledge rebuild makes it again"
        )
    return version


def _upgraded(connection: sqlite3.Connection, found: int | None) -> int | None:
    """Return the version that the file has after all upgrades that lead on from the one that was found."""
    while found in _UPGRADES:
        for statement in _UPGRADES[found]:
            connection.execute(statement)
        found += 1
        connection.execute("UPDATE meta SET value = ? WHERE key = 'version'", (str(found),))
    return found


def _tables(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return {name for (name,) in rows}


def _drop_all(connection: sqlite3.Connection) -> None:
    names = _tables(connection)
    virtual = {name for name in names if name in {"fts", "vocabulary"}}  # of version 1; they take other tables along
    for name in (*sorted(virtual, reverse=True), *sorted(names - virtual)):
        connection.execute(f'DROP TABLE IF EXISTS "{name}"')


def _create(connection: sqlite3.Connection) -> None:
    for statement in _TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", _START)
    # Random, so that a reader of a file that was since deleted and made again notices.
    connection.execute("INSERT INTO meta (key, value) VALUES ('epoch', abs(random() % 1000000000))")
