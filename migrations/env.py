"""Alembic's entry: imports every `tables.py`, so that the metadata is whole, and runs on the given connection."""

from alembic import context
from sqlalchemy import engine_from_config, pool
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
import storage.queue.tables
import storage.tables
import tickets.tables
from storage.database import Base

#: Every module whose tables make up the schema; named here so that no import looks unused.
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
    storage.queue.tables,
    storage.tables,
    tickets.tables,
)


def run(connection: Connection) -> None:
    """Run the scripts on one connection, in one transaction per script."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        transaction_per_migration=True,
        compare_type=False,
    )
    with context.begin_transaction():
        context.run_migrations()


def main() -> None:
    """Use the connection that `bot/compose/migrate.py` hands over, else the URL of alembic.ini."""
    connection = context.config.attributes.get("connection")
    if connection is not None:
        run(connection)
        return
    section = context.config.get_section(context.config.config_ini_section, {})
    engine = engine_from_config(section, prefix="sqlalchemy.", poolclass=pool.NullPool)
    with engine.connect() as opened:
        run(opened)


main()
