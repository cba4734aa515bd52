"""`dutydesk jobs`: what happens by the clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import as_option, run_as
from bot.schedules.order import NoSuchChannel, NoSuchJob, Order

if TYPE_CHECKING:
    from bot.compose.desk import Desk
    from bot.schedules.control import JobStatus
    from identity.actor import Actor
    from storage.queue.work import Record


@click.group("jobs", short_help="What happens by the clock: list, run now, pause, resume, history.")
def command() -> None:
    """Look at what happens by the clock, run it now, pause it and let it go on. Needs `jobs:manage`."""


@command.command("list", short_help="Every job with its last and its next run.")
@click.option("--all", "every", is_flag=True, help="Those that people ordered, too.")
@as_option
@pass_invocation
def list_jobs(invocation: Invocation, person: str | None, *, every: bool) -> None:
    """List each job with its next run, its last, how long that took, how it went, and who ordered it.

    What the desk does by itself comes first. There may be very many that people ordered: they are listed with `--all`.
    """

    async def listed(desk: "Desk", actor: "Actor") -> "tuple[JobStatus, ...]":
        return await (desk.job_control.everything(actor) if every else desk.job_control.system(actor))

    for job in run_as(invocation, person, listed):
        plan, latest = job.schedule, job.latest
        following = "paused" if plan.paused else "ended" if plan.ended else f"next {_moment(plan.next_at)}"
        last = f"last {_moment(latest.finished_at or latest.enqueued_at)} {_how(latest)}" if latest else "never ran"
        took = "" if job.took_s is None else f", took {job.took_s:.1f} s"
        screen.say(f"{plan.name}: {following}, {last}{took}, by {job.by or plan.owner}")


@command.command("history", short_help="How the latest runs of a job went.")
@click.argument("name")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000))
@as_option
@pass_invocation
def history(invocation: Invocation, name: str, limit: int, person: str | None) -> None:
    """List the latest runs of a job, the newest first."""
    with _names(name):
        records = run_as(invocation, person, lambda desk, actor: desk.job_control.history(actor, name, limit=limit))
    for each in records:
        screen.say(f"{_moment(each.enqueued_at)} {_how(each)} (attempts: {each.attempt})")


@command.command("run", short_help="Run a job now, beside its plan.")
@click.argument("name")
@as_option
@pass_invocation
def run_now(invocation: Invocation, name: str, person: str | None) -> None:
    """Run a job now: a desk that is running takes it at once."""
    _order(invocation, person, name, Order.RUN, "It is in the queue.")


@command.command("pause", short_help="Let a job rest.")
@click.argument("name")
@as_option
@pass_invocation
def pause(invocation: Invocation, name: str, person: str | None) -> None:
    """Let a job rest until it is resumed."""
    _order(invocation, person, name, Order.PAUSE, "Paused.")


@command.command("resume", short_help="Let a paused job go on.")
@click.argument("name")
@as_option
@pass_invocation
def resume(invocation: Invocation, name: str, person: str | None) -> None:
    """Let a paused job go on with its next time after now."""
    _order(invocation, person, name, Order.RESUME, "It goes on.")


@command.command("channels", short_help="The channels that a job can post to.")
@as_option
@pass_invocation
def channels(invocation: Invocation, person: str | None) -> None:
    """List the channels that the desk was added to or spoken to in."""
    known = run_as(invocation, person, lambda desk, actor: desk.job_control.channels(actor))
    rows = [(each.name, each.language, screen.moment(each.heard_at)) for each in known]
    screen.table(("channel", "language", "last heard from"), rows, empty="No channel yet: speak to the desk in one.")


@command.command("target", short_help="The channel that a job posts to.")
@click.argument("name")
@click.argument("channel", default="")
@as_option
@pass_invocation
def target(invocation: Invocation, name: str, channel: str, person: str | None) -> None:
    """Name the CHANNEL that the job NAME posts to, as `dutydesk jobs channels` lists it; none: it posts nowhere."""
    with _names(name, channel):
        run_as(invocation, person, lambda desk, actor: desk.job_control.aim(actor, name, channel))
    screen.say(f"It posts to {channel}." if channel else "It posts nowhere.")


def _order(invocation: Invocation, person: str | None, name: str, order: Order, done: str) -> None:
    with _names(name):
        changed = run_as(invocation, person, lambda desk, actor: desk.job_control.order(actor, name, order))
    screen.say(done if changed else "It was so already.")


@contextmanager
def _names(job: str, channel: str = "") -> Iterator[None]:
    """Say of a name that is not known where the known ones are listed."""
    try:
        yield
    except NoSuchJob as error:
        raise click.BadParameter(f"there is no job {job!r}; see: dutydesk jobs list") from error
    except NoSuchChannel as error:
        raise click.BadParameter(f"{channel!r} is not known; see: dutydesk jobs channels") from error


def _how(record: "Record") -> str:
    return (record.outcome or record.state) if record.state != "open" else "waits or is at work"


def _moment(at: datetime | None) -> str:
    return screen.moment(at) if at else "soon"
