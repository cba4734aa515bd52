"""`dutydesk migrate`: bring the database to the newest schema."""

import importlib

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation, run


@click.command("migrate", short_help="Bring the database to the newest schema.")
@click.option("--check", is_flag=True, help="Only say whether it is there: exit code 0 when it is, 1 when not.")
@pass_invocation
def command(invocation: Invocation, *, check: bool) -> None:
    """Bring the database to the newest schema.

    Needed for a database that you named yourself (DUTYDESK_DATABASE_URL). The SQLite file in the home folder is
    migrated whenever the desk starts.
    """
    current = run(_migrate(invocation, check=check))
    screen.say("The database is at the newest schema." if current else "The database is behind: dutydesk migrate")
    if not current:
        raise SystemExit(1)


async def _migrate(invocation: Invocation, *, check: bool) -> bool:
    # Imported by name: the database's libraries would slow down every `--help`.
    migrations = importlib.import_module("bot.compose.migrate")
    storage = importlib.import_module("storage.database")
    settings = invocation.settings()
    settings.home.mkdir(parents=True, exist_ok=True)
    database = storage.Database(settings.resolved_database_url)
    try:
        if not check:
            await migrations.upgrade(database)
        current: bool = await migrations.is_current(database)
        return current
    finally:
        await database.close()
