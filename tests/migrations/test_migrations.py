"""The migrations build what the tables say, can be undone, and are all or nothing."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect
from sqlalchemy.engine import Connection

import agent.approvals.tables
import agent.memory.tables
import agent.runs.tables
import bot.channels.tables
import bot.delivery.tables
import identity.tables
import queries.observe.report.tables
import queries.sql.saved.tables
import search.sync.tables
import storage.tables
import tickets.tables
from bot.compose import migrate
from storage.database import Base, Database

TABLE_MODULES = (
    agent.approvals.tables,
    agent.memory.tables,
    agent.runs.tables,
    bot.channels.tables,
    bot.delivery.tables,
    identity.tables,
    queries.observe.report.tables,
    queries.sql.saved.tables,
    search.sync.tables,
    storage.tables,
    tickets.tables,
)


@pytest.fixture
async def replicas(bare_database_url: str) -> AsyncIterator[list[Database]]:
    databases = [Database(bare_database_url) for _ in range(2)]
    yield databases
    for database in databases:
        await database.close()


@pytest.fixture
def bare_database(replicas: list[Database]) -> Database:
    return replicas[0]


async def test_the_migrations_build_exactly_what_the_tables_say(database: Database) -> None:
    assert await within(database, differences) == []


async def test_they_go_up_down_to_nothing_and_up_again(bare_database: Database) -> None:
    await migrate.upgrade(bare_database)
    first = await within(bare_database, shape)
    await within(bare_database, lambda connection: command.downgrade(migrate.configuration(connection), "base"))
    assert await within(bare_database, shape) == {"alembic_version": ["version_num"]}
    await migrate.upgrade(bare_database)
    assert await within(bare_database, shape) == first


async def test_a_bare_database_is_not_current(bare_database: Database) -> None:
    assert not await migrate.is_current(bare_database)
    await migrate.upgrade(bare_database)
    assert await migrate.is_current(bare_database)


async def test_two_replicas_that_start_together_migrate_once(replicas: list[Database]) -> None:
    await asyncio.gather(*(migrate.upgrade(database) for database in replicas))
    assert await migrate.is_current(replicas[0])


def test_every_table_carries_the_name_of_its_package() -> None:
    packages = {module.__name__.partition(".")[0] for module in TABLE_MODULES}
    assert {name.partition("_")[0] for name in Base.metadata.tables} <= packages


async def within(database: Database, work: Any) -> Any:
    async with database.transaction() as session:
        connection = await session.connection()
        return await connection.run_sync(work)


def differences(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    found: list[Any] = compare_metadata(context, Base.metadata)
    return found


def shape(connection: Connection) -> dict[str, list[str]]:
    inspector = inspect(connection)
    return {
        table: sorted(column["name"] for column in inspector.get_columns(table))
        for table in inspector.get_table_names()
    }
