"""`dutydesk VERB …`: the verbs of the features, as `/desk VERB …` has them."""

import importlib
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option

if TYPE_CHECKING:
    from bot.compose.desk import Desk


def command_of(name: str) -> click.Command:
    """Return the command of a verb; whether there is such a verb is known once the desk is open."""

    @click.command(name, short_help="A verb of the desk.", hidden=True)
    @click.argument("words", nargs=-1)
    @as_option
    @pass_invocation
    def command(invocation: Invocation, words: tuple[str, ...], person: str | None) -> None:
        """Do what `/desk` does with the same words."""
        if not invocation.settings().home.exists():
            raise click.UsageError(f"No such command '{name}'.")
        run(_do(invocation, " ".join((name, *words)), person))

    return command


async def _do(invocation: Invocation, line: str, person: str | None) -> None:
    # Imported by name: the agent's libraries would slow down every `--help`.
    asking = importlib.import_module("bot.cli.talk.asking")
    desk: Desk
    async with open_desk(invocation.settings()) as desk:
        blocks = await asking.command(desk, await actor_of(desk, person), line)
    screen.show_blocks(blocks)
