"""From `datasources.yaml` to databases that can be asked. Nothing connects before the first question."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import cast

from queries.sql.config import SourceConfig, SqlConfig
from queries.sql.datasource import Datasource
from queries.sql.datasources.sqlite.source import SqliteSource
from queries.sql.datasources.unopened import UnopenedSource

#: Returns the secret behind `env:NAME` or `file:PATH`; raises ValueError, LookupError or OSError where there is none.
Resolve = Callable[[str], str]


def open_sources(config: SqlConfig, home: Path, resolve: Resolve) -> Mapping[str, Datasource]:
    """Return every database by its name; one that can never be asked is there too, and says why."""
    return {name: open_source(name, source, home=home, resolve=resolve) for name, source in config.datasources.items()}


def open_source(name: str, config: SourceConfig, *, home: Path, resolve: Resolve) -> Datasource:
    """Return one database. `home` is where relative paths begin."""
    if config.kind == "sqlite":
        return SqliteSource(name, home / config.path, config)
    try:
        url = resolve(config.url).strip()
    except (ValueError, LookupError, OSError):
        why = f"{config.url} holds no address"
        return UnopenedSource(name, dialect="postgres", why=why, mend=f"Put the address of {name} into {config.url}.")
    return _postgresql(name, url, config)


def _postgresql(name: str, url: str, config: SourceConfig) -> Datasource:
    try:
        # An extra: who asks no PostgreSQL has no psycopg, and does not wait for it.
        module = import_module("queries.sql.datasources.postgres.source")
    except ImportError:
        why, mend = "psycopg is not installed", "pip install 'dutydesk[postgresql]'"
        return UnopenedSource(name, dialect="postgres", why=why, mend=mend)
    address = url.replace("postgresql+psycopg://", "postgresql://", 1)
    problem = cast("str", module.address_problem(address))
    if problem:
        return UnopenedSource(name, dialect="postgres", why=f"{config.url} {problem}")
    return cast("Datasource", module.PostgresSource(name, address, config))
