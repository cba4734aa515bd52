"""`dutydesk serve`: the desk as a web server."""

import importlib

import click

from bot.cli.invocation import Invocation, pass_invocation, run_until_interrupted

EXAMPLES = """\
\b
Examples:
  dutydesk serve
  DUTYDESK_WEB__PORT=9000 dutydesk serve
  dutydesk serve --host 0.0.0.0          only with TLS or web.insecure, see docs/how-to/serve.md
"""


@click.command("serve", epilog=EXAMPLES, short_help="Run the desk as a web server.")
@click.option("--host", metavar="ADDRESS", help="Address to listen on.  [default: web.host of the settings]")
@click.option(
    "--port", type=click.IntRange(0, 65_535), help="Port to listen on; 0 takes a free one.  [default: web.port]"
)
@pass_invocation
def command(invocation: Invocation, host: str | None, port: int | None) -> None:
    """Run the chat and the console until Ctrl-C, and print a link that signs the local operator in once.

    More people sign in with links of their own: dutydesk login --as PERSON.
    """
    # Imported by name: the web server's libraries would slow down every `--help`.
    serving = importlib.import_module("bot.cli.running.serving")
    run_until_interrupted(serving.serve(serving.listening(invocation.settings(), host=host, port=port)))
