"""`dutydesk index`: make a folder of documents findable."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.progress import Bars, mend, rate, span
from identity.actor import local_operator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from search.sources.port import SourceProblem
    from search.sources.report import SyncReport

CROWDED = "Searches get slower and take more memory: move to Elasticsearch (docs/how-to/use-elasticsearch.md)."
EXAMPLES = """\
\b
Examples:
  dutydesk index handbook --allow staff
  dutydesk index runbooks --allow group:it --allow role:manager --name runbooks
  dutydesk index handbook              the same folder again: only what changed is read
"""
#: Endings that are told of files that nothing reads.
_ENDINGS = 8


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
    report = run(index_folder(invocation, path, allow, name))
    if not report.pages and not report.problems:
        screen.warn(
            f"{path} holds no document (.md, .html, .pdf, .docx, .xlsx or .txt), so there is nothing to find in it."
        )
    show_report(report, again="" if allow else f"dutydesk index {path} --allow staff")
    if report.added:
        screen.say('Ask about it: dutydesk ask "…"', "dim")


async def index_folder(
    invocation: Invocation, path: Path, allow: tuple[str, ...], name: str | None, *, site: str = ""
) -> "SyncReport":
    """Make a folder findable, with bars for what takes long; `site` is where it was crawled from."""
    async with open_desk(invocation.settings()) as desk:
        with Bars() as bars:
            report = await desk.search.add_folder(
                local_operator(), path, allow=allow, name=name, site=site, progress=bars.advance
            )
        await mend(desk)
        with Bars() as bars:
            await desk.search.embed_pending(progress=bars.advance)
        return report


def show_report(report: "SyncReport", *, again: str) -> None:
    """Print what was done, what could not be read, and what nobody may see yet; `again` gives them all access."""
    screen.say(
        f"{report.added} added, {report.changed} changed, {report.removed} removed, {report.unchanged} unchanged; "
        f"{report.chunks} passages{_pace(report)}."
    )
    for problem in report.problems:
        show_problem(problem)
    if report.passed_over:
        screen.say(f"Passed over, since nothing reads them: {_counted(report.passed_over)}.", "dim")
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
    show_crowded(report.exceeds)


def show_problem(problem: "SourceProblem") -> None:
    """Print what could not be taken in; the folder itself has no path."""
    screen.warn(": ".join(filter(None, (problem.path, problem.what))))


def show_crowded(made_for: int) -> None:
    """Say that there are more passages than the index is made for; 0: there are not."""
    if made_for:
        screen.say(f"There are more than the {made_for} passages that this index is made for. {CROWDED}", "yellow")


def _pace(report: "SyncReport") -> str:
    """Return how long it took and how fast that was, for a run that somebody waited for."""
    return f", in {span(report.seconds)} ({rate(report.rate)} pages a second)" if report.seconds >= 1 else ""


def _counted(passed_over: "Mapping[str, int]") -> str:
    """Return how many files of which ending there are, the most first, in one line."""
    ordered = sorted(passed_over.items(), key=lambda each: (-each[1], each[0]))
    shown = [f"{count} {ending or 'without an ending'}" for ending, count in ordered[:_ENDINGS]]
    others = sum(count for _, count in ordered[_ENDINGS:])
    return ", ".join([*shown, *([f"{others} others"] if others else [])])
