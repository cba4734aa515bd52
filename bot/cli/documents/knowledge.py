"""`dutydesk knowledge`: what is indexed, whether it is whole, and taking it out again."""

from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.documents import upload
from bot.cli.documents.index import show_crowded, show_problem, show_report
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import as_option, run_as
from bot.cli.progress import Bars, mend
from identity.actor import Actor
from search.errors import SourceNotFound

if TYPE_CHECKING:
    from bot.compose.desk import Desk
    from search.service import SourceStatus
    from search.sources.port import SourceProblem
    from search.sources.report import SyncReport

HEADINGS = ("source", "folder", "pages", "passages", "without vectors", "without access", "to look at", "last read")
OTHER_MODEL = "Until they are made anew, words alone are searched: dutydesk knowledge rebuild"
EXAMPLES = """\
\b
Examples:
  dutydesk knowledge status              what is indexed, and how much of it is still to do
  dutydesk knowledge status handbook     the same of one source, and each file that could not be read
  dutydesk knowledge refresh             read what changed in every folder; a good line for cron
  dutydesk knowledge remove handbook     its pages are cited by no answer from now on
  dutydesk knowledge verify && echo fine
"""
STATUS_EXAMPLES = """\
\b
What the columns mean:
  without vectors   passages that are found by their words only, until their vectors are made; after a plus those that
                    who asks in Chinese finds by words of a list only, until then
  without access    pages that name nobody who may read them: only the local operator does
  to look at        files that could not be read, or not wholly, when the source was last read
"""
REFRESH_EXAMPLES = """\
\b
Examples:
  dutydesk knowledge refresh
  dutydesk knowledge refresh handbook
  */15 * * * * dutydesk --home /srv/desk knowledge refresh     every quarter of an hour, in a crontab
"""


@click.group(
    "knowledge", epilog=EXAMPLES, short_help="Upload; see, refresh, check, rebuild and remove what is indexed."
)
def command() -> None:
    """Upload files, see what is indexed, refresh it, check it, build it anew, and take a source out again."""


command.add_command(upload.command)


@command.command("status", epilog=STATUS_EXAMPLES, short_help="What is indexed.")
@click.argument("source", required=False)
@as_option
@pass_invocation
def status(invocation: Invocation, source: str | None, person: str | None) -> None:
    """List the sources with their pages, passages and what is still to do.

    Of one SOURCE, also list what was to look at when it was last read. Nothing is read again: see refresh.
    """
    found = run_as(invocation, person, lambda desk, actor: desk.search.sources(actor))
    chosen = [each for each in found if source in {None, each.name}]
    if source is not None and not chosen:
        raise SourceNotFound(source)
    rows = [
        (
            each.name,
            each.source.path,
            str(each.statistics.documents),
            str(each.statistics.chunks),
            _vectors(each),
            str(each.statistics.without_access),
            str(len(_problems(each))),
            screen.moment(each.source.synced_at),
        )
        for each in chosen
    ]
    screen.table(HEADINGS, rows, empty="Nothing is indexed yet: dutydesk index PATH --allow staff")
    show_crowded(max((each.statistics.exceeds for each in found), default=0))
    if found and found[0].other_model:
        screen.say(f"The vectors are those of {found[0].other_model}, not of {found[0].model}. {OTHER_MODEL}", "yellow")
    for problem in _problems(chosen[0]) if source is not None else ():
        show_problem(problem)


def _vectors(source: "SourceStatus") -> str:
    """Return how many vectors are to be made, and how many of another language's beside them."""
    told = source.statistics
    return f"{told.vectors_pending} + {told.abroad_pending}" if told.abroad_pending else str(told.vectors_pending)


@command.command("refresh", epilog=REFRESH_EXAMPLES, short_help="Read what changed.")
@click.argument("source", required=False)
@as_option
@pass_invocation
def refresh(invocation: Invocation, source: str | None, person: str | None) -> None:
    """Read what changed in SOURCE, or in every source, and take out what is gone.

    What did not change is not read again, so that this is quick. A run that is interrupted goes on where it was. A
    folder that is not there just now is told, and its pages stay.
    """
    report = run_as(invocation, person, lambda desk, actor: _refresh(desk, actor, source))
    show_report(report, again="dutydesk index PATH --allow staff")


@command.command("remove", short_help="Take a source out.")
@click.argument("source")
@as_option
@pass_invocation
def remove(invocation: Invocation, source: str, person: str | None) -> None:
    """Take SOURCE out of the index: from the next question on no answer cites its pages.

    Your own folder is not touched; uploaded files are deleted after a day.
    """
    removed = run_as(invocation, person, lambda desk, actor: desk.uploads.remove(actor, source))
    screen.say(f"{source} is removed: {removed.pages} pages are no longer found.")
    if removed.kept is not None:
        screen.say(f"Its files are kept for a day in {removed.kept}", "dim")


@command.command("verify", short_help="Whether the index is whole.")
@as_option
@pass_invocation
def verify(invocation: Invocation, person: str | None) -> None:
    """Check that everything in the index fits together: exit code 1 when something does not.

    Each thing that is wrong is one line. Nothing is changed; rebuild mends it.
    """
    wrong = run_as(invocation, person, lambda desk, actor: desk.search.verify(actor))
    for each in wrong:
        screen.warn(each)
    if wrong:
        screen.say("Build it anew: dutydesk knowledge rebuild", "dim")
        raise SystemExit(1)
    screen.say("The index is whole.", "green")


@command.command("rebuild", short_help="Build the index anew from every source.")
@as_option
@pass_invocation
def rebuild(invocation: Invocation, person: str | None) -> None:
    """Build the index anew from every source, while searches go on.

    For another embedding model, or when something is wrong. On Elasticsearch a new index is built beside the one that
    serves; it takes over in one step, and the old one is kept: see rollback. The embedded index is made anew in place,
    page by page. Vectors that are known are not made again.
    """
    show_report(run_as(invocation, person, _rebuild), again="dutydesk index PATH --allow staff")


@command.command("rollback", short_help="Let the index of before serve again.")
@as_option
@pass_invocation
def rollback(invocation: Invocation, person: str | None) -> None:
    """Let the index that served before the last rebuild serve again; a second time undoes it.

    What changed or was removed since is not in it, so that nothing comes back that nobody may read any more. Only
    Elasticsearch keeps an index of before; the embedded one is changed in place.
    """
    held = run_as(invocation, person, lambda desk, actor: desk.search.rollback(actor))
    screen.say(f"The index of before serves again: {held.documents} pages, {held.chunks} passages.")
    screen.say("What changed since is read with: dutydesk knowledge refresh", "dim")


def _problems(status: "SourceStatus") -> "tuple[SourceProblem, ...]":
    report = status.source.report
    return report.problems if report is not None else ()


async def _rebuild(desk: "Desk", actor: Actor) -> "SyncReport":
    with Bars() as bars:
        return await desk.search.rebuild(actor, progress=bars.advance)


async def _refresh(desk: "Desk", actor: Actor, source: str | None) -> "SyncReport":
    with Bars() as bars:
        report = await desk.search.refresh(actor, source=source, progress=bars.advance)
    await mend(desk)
    with Bars() as bars:
        await desk.search.embed_pending(progress=bars.advance)
    return report
