"""`dutydesk index`: make a folder of documents findable."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.progress import Bars
from identity.actor import local_operator

if TYPE_CHECKING:
    from search.report import SyncReport

EXAMPLES = """\
\b
Examples:
  dutydesk index handbook --allow staff
  dutydesk index runbooks --allow group:it --allow role:manager --name runbooks
  dutydesk index handbook              the same folder again: only what changed is read
"""


@click.command("index", epilog=EXAMPLES, short_help="Make a folder of documents findable.")
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--allow",
    multiple=True,
    metavar="WHO",
    help="Who may read pages that say nothing themselves: public, staff, group:it, unit:sales, role:manager or "
    "person:ada.",
)
@click.option("--name", metavar="NAME", help="Name of the source.  [default: the folder's name]")
@pass_invocation
def command(invocation: Invocation, path: Path, allow: tuple[str, ...], name: str | None) -> None:
    """Add the folder at PATH as a source of its own, or refresh it when it is one already.

    Markdown, HTML, PDF, Word, Excel and plain text are read. Only what changed is read again; pages that are gone are
    no longer found. Other sources are not touched. Who may read a page stands in its front matter (access:) or in the
    .access.yaml of the nearest folder.
    """
    report = run(_index(invocation, path, allow, name))
    if not report.pages and not report.problems:
        screen.warn(
            f"{path} holds no document (.md, .html, .pdf, .docx, .xlsx or .txt), so there is nothing to find in it."
        )
    show_report(report, again="" if allow else f"dutydesk index {path} --allow staff")
    if report.added:
        screen.say('Ask about it: dutydesk ask "…"', "dim")


async def _index(invocation: Invocation, path: Path, allow: tuple[str, ...], name: str | None) -> "SyncReport":
    async with open_desk(invocation.settings()) as desk:
        with Bars() as bars:
            report = await desk.search.add_folder(local_operator(), path, allow=allow, name=name, progress=bars.advance)
            await desk.search.embed_pending(progress=bars.advance)
        return report


def show_report(report: "SyncReport", *, again: str) -> None:
    """Print what was done, what could not be read, and what nobody may see yet; `again` gives them all access."""
    screen.say(
        f"{report.added} added, {report.changed} changed, {report.removed} removed, {report.unchanged} unchanged; "
        f"{report.chunks} passages."
    )
    for problem in report.problems:
        screen.warn(f"{problem.path}: {problem.what}")
    if report.problems:
        screen.say(f"{len(report.problems)} to look at; everything else is findable.", "yellow")
    if report.without_access:
        pages = "1 page names" if report.without_access == 1 else f"{report.without_access} pages name"
        screen.say(
            f"{pages} nobody who may read them, so that only the local operator does. "
            "Name somebody in front matter (access:) or .access.yaml"
            + (f", or for all of them: {again}" if again else "."),
            "yellow",
        )
