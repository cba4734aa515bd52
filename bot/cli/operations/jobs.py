"""`dutydesk jobs`: what happens by the clock."""

from datetime import datetime
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option
from bot.schedules.order import NoSuchChannel, NoSuchJob, Order

if TYPE_CHECKING:
    from bot.delivery.channel_store import Channel
    from bot.schedules.control import JobStatus
    from storage.queue.work import Record


@click.group("jobs", short_help="What happens by the clock: list, run now, pause, resume, history.")
def command() -> None:
    """Look at what happens by the clock, run it now, pause it and let it go on. Needs `jobs:manage`."""


@command.command("list", short_help="Every job with its last and its next run.")
@as_option
@pass_invocation
def list_jobs(invocation: Invocation, person: str | None) -> None:
    """List every job with its last run, how that went, and its next run."""

    async def work() -> "tuple[JobStatus, ...]":
        async with open_desk(invocation.settings()) as desk:
            return await desk.job_control.everything(await actor_of(desk, person))

    for job in run(work()):
        plan, latest = job.schedule, job.latest
        following = "paused" if plan.paused else "ended" if plan.ended else f"next {_moment(plan.next_at)}"
        last = f"last {_moment(latest.finished_at or latest.enqueued_at)} {_how(latest)}" if latest else "never ran"
        screen.say(f"{plan.name}: {following}, {last}")


@command.command("history", short_help="How the latest runs of a job went.")
@click.argument("name")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000))
@as_option
@pass_invocation
def history(invocation: Invocation, name: str, limit: int, person: str | None) -> None:
    """List the latest runs of a job, the newest first."""

    async def work() -> "tuple[Record, ...]":
        async with open_desk(invocation.settings()) as desk:
            try:
                return await desk.job_control.history(await actor_of(desk, person), name, limit=limit)
            except NoSuchJob as error:
                raise click.BadParameter(f"there is no job {name!r}; see: dutydesk jobs list") from error

    for each in run(work()):
        screen.say(f"{_moment(each.enqueued_at)} {_how(each)} (attempts: {each.attempt})")


@command.command("run", short_help="Run a job now, beside its plan.")
@click.argument("name")
@as_option
@pass_invocation
def run_now(invocation: Invocation, name: str, person: str | None) -> None:
    """Run a job now: a desk that is running takes it at once."""
    _order(invocation, person, name, "run", "It is in the queue.")


@command.command("pause", short_help="Let a job rest.")
@click.argument("name")
@as_option
@pass_invocation
def pause(invocation: Invocation, name: str, person: str | None) -> None:
    """Let a job rest until it is resumed."""
    _order(invocation, person, name, "pause", "Paused.")


@command.command("resume", short_help="Let a paused job go on.")
@click.argument("name")
@as_option
@pass_invocation
def resume(invocation: Invocation, name: str, person: str | None) -> None:
    """Let a paused job go on with its next time after now."""
    _order(invocation, person, name, "resume", "It goes on.")


@command.command("channels", short_help="The channels that a job can post to.")
@as_option
@pass_invocation
def channels(invocation: Invocation, person: str | None) -> None:
    """List the channels that the desk was added to or spoken to in."""

    async def work() -> "tuple[Channel, ...]":
        async with open_desk(invocation.settings()) as desk:
            return await desk.job_control.channels(await actor_of(desk, person))

    rows = [(each.name, each.language, screen.moment(each.heard_at)) for each in run(work())]
    screen.table(("channel", "language", "last heard from"), rows, empty="No channel yet: speak to the desk in one.")


@command.command("target", short_help="The channel that a job posts to.")
@click.argument("name")
@click.argument("channel", default="")
@as_option
@pass_invocation
def target(invocation: Invocation, name: str, channel: str, person: str | None) -> None:
    """Name the CHANNEL that the job NAME posts to, as `dutydesk jobs channels` lists it; none: it posts nowhere."""

    async def work() -> None:
        async with open_desk(invocation.settings()) as desk:
            try:
                await desk.job_control.aim(await actor_of(desk, person), name, channel)
            except NoSuchJob as error:
                raise click.BadParameter(f"there is no job {name!r}; see: dutydesk jobs list") from error
            except NoSuchChannel as error:
                raise click.BadParameter(f"{channel!r} is not known; see: dutydesk jobs channels") from error

    run(work())
    screen.say(f"It posts to {channel}." if channel else "It posts nowhere.")


def _order(invocation: Invocation, person: str | None, name: str, order: str, done: str) -> None:
    async def work() -> bool:
        async with open_desk(invocation.settings()) as desk:
            try:
                return await desk.job_control.order(await actor_of(desk, person), name, Order(order))
            except NoSuchJob as error:
                raise click.BadParameter(f"there is no job {name!r}; see: dutydesk jobs list") from error

    screen.say(done if run(work()) else "It was so already.")


def _how(record: "Record") -> str:
    return (record.outcome or record.state) if record.state != "open" else "waits or is at work"


def _moment(at: datetime | None) -> str:
    return screen.moment(at) if at else "soon"
