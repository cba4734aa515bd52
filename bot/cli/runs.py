"""`dutydesk runs`: what the desk did for a message, step by step."""

from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option
from identity.permissions import Permission
from identity.policy import decide

if TYPE_CHECKING:
    from agent.runs.run import Run


@click.group("runs", short_help="See what was done for a message, step by step.")
def command() -> None:
    """See what the desk did for each message: its steps, its evidence, its outcome."""


@command.command("list", short_help="The latest runs.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 500))
@as_option
@pass_invocation
def list_runs(invocation: Invocation, limit: int, person: str | None) -> None:
    """List the latest runs: a person's own, or everybody's for who may read them."""
    rows = [
        (each.id, screen.moment(each.started_at), each.actor_name, each.outcome or each.state, each.brain, each.text)
        for each in run(_list(invocation, limit, person))
    ]
    screen.table(("run", "when", "who", "outcome", "brain", "asked"), rows, empty="Nothing was asked yet.")


@command.command("show", short_help="One run with its steps.")
@click.argument("run_id")
@as_option
@pass_invocation
def show(invocation: Invocation, run_id: str, person: str | None) -> None:
    """Show one run: what was asked, every step, every piece of evidence, how it ended."""
    _show(run(_find(invocation, run_id, person)))


async def _list(invocation: Invocation, limit: int, person: str | None) -> "tuple[Run, ...]":
    async with open_desk(invocation.settings()) as desk:
        actor = await actor_of(desk, person)
        everybody = decide(actor, Permission.RUNS_READ_ALL).allowed
        return await desk.runs.list(actor, everybody=everybody, limit=limit)


async def _find(invocation: Invocation, run_id: str, person: str | None) -> "Run":
    async with open_desk(invocation.settings()) as desk:
        return await desk.runs.show(await actor_of(desk, person), run_id)


def _show(found: "Run") -> None:
    screen.say(found.text, "bold")
    screen.facts(
        [
            ("run", found.id),
            ("asked by", found.actor_name),
            ("when", screen.moment(found.started_at)),
            ("outcome", found.outcome or found.state),
            ("brain", found.brain),
            ("took", " ".join(f"{name} {value:.0f} ms" for name, value in found.timings_ms.items())),
            ("judged", f"{found.feedback.verdict} {found.feedback.reason}" if found.feedback else ""),
        ]
    )
    screen.say("")
    steps = [
        (str(each.number), each.node, each.tool, each.status, f"{each.timing_ms:.0f} ms", each.error.get("msg", ""))
        for each in found.steps
    ]
    screen.table(("", "step", "tool", "status", "took", "error"), steps, empty="No steps were kept.")
    screen.say("")
    evidence = [
        (each.evidence_id, str(each.source.get("title", "")), str(each.source.get("section", "")), f"{each.score:.2f}")
        for each in found.evidence
    ]
    screen.table(("evidence", "title", "section", "score"), evidence, empty="No evidence was found.")
