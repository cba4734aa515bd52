"""`dutydesk knowledge`: what is indexed, whether it is whole, and taking it out again."""

from typing import TYPE_CHECKING

import click

from bot.cli import screen, upload
from bot.cli.index import show_report
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option
from bot.cli.progress import Bars

if TYPE_CHECKING:
    from search.index import Statistics
    from search.report import SyncReport
    from search.service import SourceStatus
    from search.uploads import Removed

HEADINGS = ("source", "folder", "pages", "passages", "without vectors", "without access", "last read")


@click.group("knowledge", short_help="Upload; see, refresh, check, rebuild and remove what is indexed.")
def command() -> None:
    """Upload files, see what is indexed, refresh it, check it, build it anew, and take a source out again."""


command.add_command(upload.command)


@command.command("status", short_help="What is indexed.")
@as_option
@pass_invocation
def status(invocation: Invocation, person: str | None) -> None:
    """List the sources with their pages, passages and what is still to do."""
    rows = [
        (
            each.name,
            each.source.path,
            str(each.statistics.documents),
            str(each.statistics.chunks),
            str(each.statistics.vectors_pending),
            str(each.statistics.without_access),
            screen.moment(each.source.synced_at),
        )
        for each in run(_sources(invocation, person))
    ]
    screen.table(HEADINGS, rows, empty="Nothing is indexed yet: dutydesk index PATH --allow staff")


@command.command("refresh", short_help="Read what changed.")
@click.argument("source", required=False)
@as_option
@pass_invocation
def refresh(invocation: Invocation, source: str | None, person: str | None) -> None:
    """Read what changed in SOURCE, or in every source."""
    show_report(run(_refresh(invocation, source, person)), again="dutydesk index PATH --allow staff")


@command.command("remove", short_help="Take a source out.")
@click.argument("source")
@as_option
@pass_invocation
def remove(invocation: Invocation, source: str, person: str | None) -> None:
    """Take SOURCE out of the index at once; your own folder is not touched, uploaded files are deleted after a day."""
    removed = run(_remove(invocation, source, person))
    screen.say(f"{source} is removed: {removed.pages} pages are no longer found.")
    if removed.kept is not None:
        screen.say(f"Its files are kept for a day in {removed.kept}", "dim")


@command.command("verify", short_help="Whether the index is whole.")
@as_option
@pass_invocation
def verify(invocation: Invocation, person: str | None) -> None:
    """Check that everything in the index fits together: exit code 1 when something does not."""
    wrong = run(_verify(invocation, person))
    for each in wrong:
        screen.warn(each)
    if wrong:
        screen.say("Build it anew: dutydesk knowledge rebuild; the embedded index: dutydesk index PATH.", "dim")
        raise SystemExit(1)
    screen.say("The index is whole.", "green")


@command.command("rebuild", short_help="Build the index anew beside the one that serves.")
@as_option
@pass_invocation
def rebuild(invocation: Invocation, person: str | None) -> None:
    """Build the index anew from every source; it takes over in one step, and searches go on meanwhile.

    For another embedding model, or when something is wrong. The index that served until then is kept: see rollback.
    """
    show_report(run(_rebuild(invocation, person)), again="dutydesk index PATH --allow staff")


@command.command("rollback", short_help="Let the index of before serve again.")
@as_option
@pass_invocation
def rollback(invocation: Invocation, person: str | None) -> None:
    """Let the index that served before the last rebuild serve again; a second time undoes it.

    What changed or was removed since is not in it, so that nothing comes back that nobody may read any more.
    """
    held = run(_rollback(invocation, person))
    screen.say(f"The index of before serves again: {held.documents} pages, {held.chunks} passages.")
    screen.say("What changed since is read with: dutydesk knowledge refresh", "dim")


async def _verify(invocation: Invocation, person: str | None) -> tuple[str, ...]:
    async with open_desk(invocation.settings()) as desk:
        return await desk.search.verify(await actor_of(desk, person))


async def _rebuild(invocation: Invocation, person: str | None) -> "SyncReport":
    async with open_desk(invocation.settings()) as desk:
        actor = await actor_of(desk, person)
        with Bars() as bars:
            return await desk.search.rebuild(actor, progress=bars.advance)


async def _rollback(invocation: Invocation, person: str | None) -> "Statistics":
    async with open_desk(invocation.settings()) as desk:
        return await desk.search.rollback(await actor_of(desk, person))


async def _sources(invocation: Invocation, person: str | None) -> "tuple[SourceStatus, ...]":
    async with open_desk(invocation.settings()) as desk:
        return await desk.search.sources(await actor_of(desk, person))


async def _refresh(invocation: Invocation, source: str | None, person: str | None) -> "SyncReport":
    async with open_desk(invocation.settings()) as desk:
        actor = await actor_of(desk, person)
        with Bars() as bars:
            report = await desk.search.refresh(actor, source=source, progress=bars.advance)
            await desk.search.embed_pending(progress=bars.advance)
        return report


async def _remove(invocation: Invocation, source: str, person: str | None) -> "Removed":
    async with open_desk(invocation.settings()) as desk:
        return await desk.uploads.remove(await actor_of(desk, person), source)
