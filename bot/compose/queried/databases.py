"""The databases that can be asked, as `datasources.yaml` names them. One that is wrong is left out, and said to be."""

from pathlib import Path

from bot.settings import Settings, SettingsInvalid, secret
from queries.sql.config import SqlConfig
from queries.sql.errors import SqlError
from queries.sql.service import SqlService
from queries.sql.setup.drafting import draft
from queries.sql.setup.opening import open_source
from queries.sql.setup.reading import read_catalog, read_sources
from queries.sql.setup.source import SqlSource
from storage.clock import Clock
from storage.database import Database


def databases(settings: Settings, clock: Clock, database: Database) -> SqlService:
    """Return the service over every database; nothing is connected yet. Reads files."""
    path = settings.datasources_path
    try:
        config = read_sources(path)
    except SqlError as error:
        return SqlService({}, clock, database, broken={path.name: str(error)})
    sources, broken = _opened(config, settings)
    return SqlService(sources, clock, database, broken=broken)


def _opened(config: SqlConfig, settings: Settings) -> tuple[dict[str, SqlSource], dict[str, str]]:
    sources: dict[str, SqlSource] = {}
    broken: dict[str, str] = {}
    for name, each in config.datasources.items():
        try:
            database = open_source(name, each, home=settings.home, resolve=secret)
            path = catalog_path(settings, config, name)
            catalog = read_catalog(path, dialects=(database.dialect,))
            sources[name] = SqlSource(name, each, catalog, database, catalog_path=path)
        except (SqlError, OSError) as error:
            broken[name] = str(error)
    return sources, broken


def catalog_path(settings: Settings, config: SqlConfig, name: str) -> Path:
    """Return the file of a catalogue: below the folder of `datasources.yaml`, when it is not absolute."""
    return settings.datasources_path.parent / (config.datasources[name].catalog or f"catalog/{name}.yaml")


async def drafted(settings: Settings, name: str) -> str:
    """Return a first catalogue of a database, which has none yet."""
    config = read_sources(settings.datasources_path)
    if name not in config.datasources:
        raise SettingsInvalid(f"{settings.datasources_path.name} names no datasource {name}")
    database = open_source(name, config.datasources[name], home=settings.home, resolve=secret)
    try:
        return draft(await database.describe(samples=True))
    finally:
        await database.close()
