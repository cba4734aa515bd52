"""`dutydesk VERB …`: the verbs of the features, as `/desk VERB …` has them."""

import importlib

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import as_option, run_as


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
        # Imported by name: the agent's libraries would slow down every `--help`.
        asking = importlib.import_module("bot.cli.talk.asking")
        line = " ".join((name, *words))
        screen.show_blocks(run_as(invocation, person, lambda desk, actor: asking.command(desk, actor, line)))

    return command
