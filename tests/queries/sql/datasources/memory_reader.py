"""A process of its own: ask a database for ten million rows, and print by how many bytes the process grew at most."""

import asyncio
import os
import resource
import sys
from pathlib import Path

from queries.sql.config import SourceConfig
from queries.sql.datasource import Datasource, Guarded
from queries.sql.datasources.postgres.source import PostgresSource
from queries.sql.datasources.sqlite.source import SqliteSource

READS = {"digits": frozenset({"digit"}), "ten_million": frozenset({"number"})}


async def ask(kind: str, where: str, statement: str) -> int:
    """Return how many rows came; the first question, which loads the driver, is not measured."""
    source = _source(kind, where)
    try:
        await source.run(_guarded(kind, "SELECT digit FROM digits"))
        before = _peak()
        found = await source.run(_guarded(kind, statement))
    finally:
        await source.close()
    sys.stdout.write(f"{_peak() - before} {len(found.rows)} {int(found.truncated)}\n")
    return len(found.rows)


def _source(kind: str, where: str) -> Datasource:
    if kind == "sqlite":
        return SqliteSource("shop", Path(where), SourceConfig(kind="sqlite", path="shop.db", timeout_s=120))
    return PostgresSource("shop", where, SourceConfig(kind="postgresql", url="env:SHOP", timeout_s=120))


def _guarded(kind: str, statement: str) -> Guarded:
    return Guarded(statement, "sqlite" if kind == "sqlite" else "postgres", 1_000, READS)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024


if __name__ == "__main__":
    assert os.name == "posix"
    asyncio.run(ask(*sys.argv[1:4]))
