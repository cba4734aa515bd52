"""The databases that can be asked, as `datasources.yaml` names them. One that is wrong is left out, and said to be."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from bot.settings import Settings, SettingsInvalid, secret
from queries.sql.config import SqlConfig
from queries.sql.datasource import Datasource, Examined
from queries.sql.errors import SourceUnavailable, SqlError
from queries.sql.service import SqlService
from queries.sql.setup.drafting import draft
from queries.sql.setup.opening import open_source
from queries.sql.setup.reading import read_catalog, read_sources
from queries.sql.setup.source import SqlSource
from storage.clock import Clock
from storage.database import Database

Found = TypeVar("Found")


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
            if not path.exists():
                broken[name] = f"there is no {path} yet; dutydesk sql catalog draft {name} prints a first one"
                continue
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
    return draft(await _without_catalogue(settings, name, lambda database: database.describe(samples=True)))


async def examined(settings: Settings, name: str | None) -> dict[str, tuple[Examined, ...]]:
    """Return what the desk's role can do in each database, or in one; a catalogue need not be there yet."""
    names = [name] if name is not None else list(read_sources(settings.datasources_path).datasources)
    return {each: await _without_catalogue(settings, each, _examined) for each in names}


async def _examined(database: Datasource) -> tuple[Examined, ...]:
    try:
        return await database.examine()
    except SourceUnavailable as error:
        return (Examined("opened", ok=False, detail=error.why),)


async def _without_catalogue(settings: Settings, name: str, look: Callable[[Datasource], Awaitable[Found]]) -> Found:
    config = read_sources(settings.datasources_path)
    if name not in config.datasources:
        raise SettingsInvalid(f"{settings.datasources_path.name} names no datasource {name}")
    database = open_source(name, config.datasources[name], home=settings.home, resolve=secret)
    try:
        return await look(database)
    finally:
        await database.close()
