"""`dutydesk demo`: the whole desk in a browser, with sample people and a sample handbook."""

import importlib
from pathlib import Path

import click

import bot
from bot.cli.invocation import Invocation, home_option, pass_invocation, run_until_interrupted

#: Where the packages lie, and the sample beside them.
ROOT = Path(bot.__file__).resolve().parents[1]
#: The demo keeps what it writes apart from a real desk: in the checkout, or in the user's own folder for programs.
HOME = ROOT / ".demo" if (ROOT / "pyproject.toml").exists() else Path(click.get_app_dir("dutydesk")) / "demo"
SAMPLE = ROOT / "sample"
#: The sample people who work tickets, and are told of them.
AGENTS = "it"


@click.command("demo", short_help="Show the whole desk in your browser.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Port to listen on; 0 takes a free one.")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in a browser.")
@pass_invocation
def command(invocation: Invocation, port: int | None, *, browser: bool) -> None:
    """Show the whole desk with sample people and a sample handbook: no keys, no server, nothing outside of --home.

    The page lets you be any of the sample people, so that you can see what each may read and do. Ctrl-C ends it; the
    next start is quick. To begin anew, remove the demo's folder.
    """
    invocation.home = invocation.home or HOME
    settings = invocation.settings(
        demo=True,
        people_file=SAMPLE / "people.yaml",
        datasources_file=SAMPLE / "datasources.yaml",
        clusters_file=SAMPLE / "clusters.yaml",
        tickets={"group": AGENTS},
    )
    # Imported by name: the web server's libraries would slow down every `--help`.
    serving = importlib.import_module("bot.cli.running.serving")
    handbook = settings.handbook or SAMPLE / "handbook"
    run_until_interrupted(
        serving.serve(
            serving.listening(settings, host=None, port=port),
            handbook=handbook,
            company=settings.home / "company.db",
            browser=browser,
        )
    )


command.params.append(home_option("a folder of its own, which the first lines name"))
