"""The back ends of a desk, as the settings choose them; any of them can be given instead of the real one."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapters.port import Chat
from agent.brains.assistant import Brain
from agent.brains.instructions import prompt
from agent.brains.llm import build as build_model
from bot.compose import migrate
from bot.compose.secrets import signing_key
from bot.rendering.texts import catalogue as texts
from bot.settings import Settings
from queries.sql.service import SqlService
from search.embedding.choice import embedder_of
from search.embedding.port import Embedder
from search.errors import IndexUnusable
from search.indexes.embedded.engine import EmbeddedIndex
from search.indexes.port import Index
from storage.clock import Clock, SystemClock
from storage.database import AWAY, Database, FileTrouble, in_words, trouble_of
from tickets.tracker import Tracker
from tickets.trackers.local import LocalTracker

if TYPE_CHECKING:
    from storage.connect import RedisGateway


#: What helps where the database cannot be used.
HELP = {
    FileTrouble.DAMAGED: "Stop the desk and put a copy from your backup in its place (docs/how-to/recover.md).",
    FileTrouble.FULL: "dutydesk doctor says how much room there is.",
    FileTrouble.READ_ONLY: "Its folder has to be this user's, too.",
}
_LOOK = "See how much room its disk has (df), and what the log of the system says of it; then try again."
#: Seconds of the desk's clock after which what a silent worker held is taken by another one.
LEASE_S = 15.0


def help_for(error: BaseException) -> str:
    """Return what helps where the database cannot be used."""
    trouble = trouble_of(error)
    return HELP.get(trouble, _LOOK) if trouble else _LOOK


class DatabaseUnusable(Exception):
    """The desk's database cannot be read or written: it is damaged, its disk is full, or its home is read-only."""


class DatabaseNotReady(Exception):
    """The database has not seen every migration, and it is not the desk's own to migrate."""


@dataclass(frozen=True)
class Parts:
    """What everything else is built from; any of them can be given instead of the real one."""

    clock: Clock
    database: Database
    embedder: Embedder
    index: Index
    chats: Mapping[str, Chat]
    brain: Brain | None
    redis: "RedisGateway | None"
    key: bytes
    tracker: Tracker
    lease_s: float = LEASE_S


async def open_parts(
    settings: Settings,
    closing: AsyncExitStack,
    *,
    clock: Clock | None = None,
    database: Database | None = None,
    embedder: Embedder | None = None,
    index: Index | None = None,
    chats: Mapping[str, Chat] | None = None,
    brain: Brain | None = None,
    tracker: Tracker | None = None,
    lease_s: float = LEASE_S,
) -> Parts:
    """Open what the settings name and what was not given; `closing` closes what was opened here."""
    await asyncio.to_thread(settings.home.mkdir, parents=True, exist_ok=True)
    await asyncio.to_thread(_read_words)
    clock = clock or SystemClock()
    parts = Parts(
        clock=clock,
        database=database or await _database(settings, closing),
        embedder=embedder or await _embedder(settings),
        index=index or _index(settings, clock),
        chats=chats or {},
        brain=brain or (None if settings.model == "rules" else build_model(settings.agent_config.model)),
        redis=await _redis(settings, clock, closing),
        key=await asyncio.to_thread(signing_key, settings),
        tracker=tracker or LocalTracker(),
        lease_s=lease_s,
    )
    closing.push_async_callback(parts.index.close)
    return parts


def _read_words() -> None:
    """Read what is kept for good once it was read, so that the first answer does not stop the others for it."""
    texts.read()
    prompt("desk")


async def _embedder(settings: Settings) -> Embedder:
    return await asyncio.to_thread(embedder_of, settings.search.embedding)  # it looks at the files of its model


def sql_service(settings: Settings, clock: Clock, database: Database) -> SqlService:
    """Return the service over every database that is named; nothing is connected yet. Reads files."""
    if not settings.datasources_path.exists():
        return SqlService({}, clock, database)
    # What reads SQL takes long to load: only who names a database waits for it.
    from bot.compose.queried.databases import databases  # noqa: PLC0415

    return databases(settings, clock, database)


def _index(settings: Settings, clock: Clock) -> Index:
    if not settings.search.elasticsearch.url:
        return EmbeddedIndex(settings.index_path)
    try:
        # The client is an extra: only who sets an address needs it installed.
        from search.indexes.elasticsearch.engine import ElasticsearchIndex  # noqa: PLC0415
    except ImportError as error:
        raise IndexUnusable("Elasticsearch needs its client: pip install 'dutydesk[elasticsearch]'") from error
    return ElasticsearchIndex(settings.search.elasticsearch, clock=clock)


async def _database(settings: Settings, closing: AsyncExitStack) -> Database:
    database = Database(settings.resolved_database_url)
    closing.push_async_callback(database.close)
    try:
        if settings.owns_database:
            await migrate.upgrade(database)
            return database
        current = await migrate.is_current(database)
    except AWAY as error:
        raise DatabaseUnusable(f"{database.named}: {in_words(error)}. {help_for(error)}") from error
    if not current:
        raise DatabaseNotReady("the database is behind this release: run `dutydesk migrate`, then start again")
    return database


async def _redis(settings: Settings, clock: Clock, closing: AsyncExitStack) -> "RedisGateway | None":
    if not settings.redis_url:
        return None
    # The client is an extra: only who sets an address needs it installed.
    from storage.connect import RedisGateway  # noqa: PLC0415

    gateway = RedisGateway(settings.redis_url, clock)
    closing.push_async_callback(gateway.close)
    return gateway
