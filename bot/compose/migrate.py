"""Bring a database to the newest schema, or say that it is not there yet."""

import asyncio
import io
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.engine import Connection

import bot
from storage.database import Database

SCRIPTS = Path(bot.__file__).resolve().parents[1] / "migrations"

#: Two replicas that start together migrate one after the other. Any number will do, if it is always the same.
ADVISORY_LOCK = 0x64757479


async def upgrade(database: Database) -> None:
    """Run every script that the database has not seen, all of them or none."""
    async with database.transaction() as session:
        connection = await session.connection()
        if database.dialect == "postgresql":
            await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": ADVISORY_LOCK})
        await connection.run_sync(_upgrade)


async def is_current(database: Database) -> bool:
    """Say whether the database has seen every script."""
    head = await asyncio.to_thread(lambda: ScriptDirectory(str(SCRIPTS)).get_current_head())
    async with database.reading() as session:
        connection = await session.connection()
        return await connection.run_sync(_revision) == head


def configuration(connection: Connection | None = None) -> Config:
    """Return alembic's configuration for these scripts, quiet, on that connection."""
    config = Config(stdout=io.StringIO())
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection) -> None:
    command.upgrade(configuration(connection), "head")


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()
