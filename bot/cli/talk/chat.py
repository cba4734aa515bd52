"""`dutydesk chat`: the desk in this terminal."""

import importlib

import click

from bot.cli.invocation import Invocation, pass_invocation, run_until_interrupted
from bot.cli.people import as_option

EXAMPLES = """\
\b
Examples:
  dutydesk chat --as ada
  printf 'The printer on floor 3 jams\\n' | dutydesk chat --as ada
"""


@click.command("chat", epilog=EXAMPLES, short_help="Talk to the desk in this terminal.")
@as_option
@pass_invocation
def command(invocation: Invocation, person: str | None) -> None:
    """Talk to the desk in this terminal, or over a pipe.

    Buttons have numbers: write the number to press one. To say a bare number, put it in quotes. Ctrl-D ends.
    """
    # Imported by name, since only this command needs the desk and a terminal platform.
    chatting = importlib.import_module("bot.cli.talk.chatting")
    run_until_interrupted(chatting.chat(invocation.existing(), person))
