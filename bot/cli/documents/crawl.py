"""`dutydesk crawl`: make a web site findable."""

import importlib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from bot.cli import screen
from bot.cli.documents.index import index_folder, show_report
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.progress import Bars, rate, span
from bot.settings import Settings
from identity.actor import local_operator
from search.access import checked_principals
from search.parsing.apart.readers import FileReaders, limits_of
from search.sources.crawling.kept.folder import safe
from search.sources.crawling.plan import CrawlLimits, Plan
from search.sources.crawling.report import LEFT_OUT
from storage.clock import SystemClock

if TYPE_CHECKING:
    from search.sources.crawling.report import CrawlReport
    from search.sources.report import SyncReport

EXAMPLES = """\
\b
Examples:
  dutydesk crawl https://docs.example.com/ --allow staff
  dutydesk crawl https://example.com/help/ --exclude "*/archive/*" --files --allow staff
  dutydesk crawl https://wiki.example.com/ --include "/space/IT/*" --rate 5 --allow group:it
  dutydesk crawl https://docs.example.com/     again: only what changed is fetched, what is gone is removed
"""
#: It brings the HTTP client with it, which `--help` must not wait for.
CRAWL = "search.sources.crawling.crawl"
_INTERRUPTED = 130
_MEGABYTE = 1_000_000


@click.command("crawl", epilog=EXAMPLES, short_help="Make a web site findable.")
@click.argument("url")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the pages.  [default: HOME/web/HOST]")
@click.option("--allow", multiple=True, metavar="WHO", help="Who may read the pages: see dutydesk index.")
@click.option("--name", metavar="NAME", help="Name of the source.  [default: the folder's name]")
@click.option("--no-index", is_flag=True, help="Only fetch the pages.")
@click.option("--include", multiple=True, metavar="GLOB", help="Paths to fetch, in place of URL and what is below it.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Paths to leave out. * matches / too.")
@click.option("--files", is_flag=True, help="Save linked PDF, Word and Excel files, too.")
@click.option("--private", is_flag=True, help="Follow redirects into the own network. URL itself may always be there.")
@click.option(
    "--rate", "per_second", default=2.0, show_default=True, type=click.FloatRange(0.01, 50), help="Requests a second."
)
@click.option("--pages", default=5_000, show_default=True, type=click.IntRange(1), help="Stop after so many pages.")
@click.option("--depth", default=20, show_default=True, type=click.IntRange(0), help="Links to follow from URL on.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Stop after so long.  [default: never]")
@click.option(
    "--page-mb", default=5.0, show_default=True, type=click.FloatRange(0, min_open=True), help="Largest page."
)
@click.option(
    "--total-mb",
    default=2_000.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="Stop after so much.",
)
@click.option(
    "--every",
    "hours",
    default=24.0,
    show_default=True,
    type=click.FloatRange(0),
    help="Hours after which a desk that runs crawls it again; 0: never.",
)
@pass_invocation
def command(  # noqa: PLR0917 - click calls it by keyword
    invocation: Invocation,
    url: str,
    out: Path | None,
    allow: tuple[str, ...],
    name: str | None,
    no_index: bool,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    files: bool,
    private: bool,
    per_second: float,
    pages: int,
    depth: int,
    minutes: float | None,
    page_mb: float,
    total_mb: float,
    hours: float,
) -> None:
    """Fetch the web site at URL to a folder of Markdown, and index that folder.

    Fetched is what lies at and below URL, in the site's own structure. robots.txt, sitemaps and the wishes of pages
    are heard. Crawl again to bring the folder in line: pages that did not change are not sent again, pages that are
    gone are removed, and nothing is while the site is away. Ctrl-C ends it; the same command goes on where it was.
    A desk that runs does so by itself every day (--every): see dutydesk jobs list.
    """
    limits = CrawlLimits(
        pages=pages,
        depth=depth,
        seconds=(minutes or 0) * 60,
        page_bytes=round(page_mb * _MEGABYTE),
        total_bytes=round(total_mb * _MEGABYTE),
        requests_per_second=per_second,
    )
    plan = Plan(start=url, include=include, exclude=exclude, files=files, private=private, limits=limits)
    checked_principals(allow)  # now, and not after an hour
    settings = invocation.settings()
    folder = out or settings.home / "web" / folder_name(url)
    try:
        report = run(_crawl(settings, plan, folder))
    except KeyboardInterrupt:
        screen.warn("Stopped. What was fetched is kept; the same command goes on where it was.")
        raise SystemExit(_INTERRUPTED) from None
    show_crawl(report, folder)
    if not no_index:
        _index(invocation, folder, allow, name, site=report.site)
        run(_plan_again(settings, plan, folder, hours=hours))


def folder_name(url: str) -> str:
    """Return the name of a site's folder: its host, with the port where it has one."""
    return safe(urlsplit(url).netloc.rpartition("@")[2].lower()) or "site"


async def _crawl(settings: Settings, plan: Plan, folder: Path) -> "CrawlReport":
    crawl = importlib.import_module(CRAWL).crawl
    with FileReaders(limits_of(settings.search)) as readers, Bars() as bars:
        report: CrawlReport = await crawl(plan, folder, clock=SystemClock(), readers=readers, progress=bars.advance)
    return report


async def _plan_again(settings: Settings, plan: Plan, folder: Path, *, hours: float) -> None:
    # Imported by name: it brings the HTTP client with it.
    crawls = importlib.import_module("features.knowledge.crawls").Crawls
    async with open_desk(settings) as desk:
        planned = crawls(desk.database, desk.clock, desk.search, settings.search_config)
        await planned.plan(local_operator(), plan, folder, hours=hours)


def show_crawl(report: "CrawlReport", folder: Path) -> None:
    """Print what was fetched, what was left out and why, and a line for each problem."""
    pace = rate(report.requests / max(report.seconds, 0.001))
    screen.say(
        f"{report.added} added, {report.changed} changed, {report.removed} removed, {report.unchanged} unchanged in "
        f"{folder}; {report.requests} requests in {span(report.seconds)} ({pace} a second)."
    )
    for problem in report.problems:
        screen.warn(f"{problem.path}: {problem.what}")
    left_out = [f"{count} {LEFT_OUT[why]}" for why, count in sorted(report.left_out.items()) if why in LEFT_OUT]
    if report.duplicates:
        left_out.append(f"{report.duplicates} that say the same as another")
    if left_out:
        screen.say(f"Left out: {'; '.join(left_out)}.", "dim")
    if report.unfinished:
        screen.say(f"Stopped before the end: {report.unfinished}. The same command goes on from there.", "yellow")


def _index(invocation: Invocation, folder: Path, allow: tuple[str, ...], name: str | None, *, site: str) -> None:
    report: SyncReport = run(index_folder(invocation, folder, allow, name, site=site))
    show_report(report, again="" if allow else f"dutydesk index {folder} --allow staff")
    if report.added:
        screen.say('Ask about it: dutydesk ask "…"', "dim")
