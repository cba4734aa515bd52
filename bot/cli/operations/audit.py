"""`dutydesk audit`: who did what, and whether the record is whole."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import as_option, run_as
from identity.actor import Actor

if TYPE_CHECKING:
    from bot.compose.desk import Desk
    from identity.audit import Verification


@click.group("audit", short_help="Who did what, and whether the record is whole.")
def command() -> None:
    """Read the audit trail and verify that nothing in it was changed or removed."""


@command.command("verify", short_help="Check the chain of the audit trail.")
@click.option(
    "--witness",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Heads of the chain that were noted elsewhere; else the file that audit.witness names.",
)
@as_option
@pass_invocation
def verify(invocation: Invocation, witness: Path | None, person: str | None) -> None:
    """Check every entry against the chain: exit code 0 when the record is whole, 1 when it is not.

    A copy of the witness that nobody could change tells whether the end was cut off, or the whole chain made again.
    """
    found = run_as(invocation, person, lambda desk, actor: _verify(desk, actor, witness))
    screen.say(f"{found.sealed} entries sealed, {found.unsealed} waiting for the next seal.")
    if found.witnessed:
        screen.say(f"Held against {found.witnessed} heads that were witnessed.")
    else:
        screen.say("No head was witnessed yet: nothing tells whether the end was cut off.", "yellow")
    if found.unused:
        unused = ", ".join(str(number) for number in found.unused)
        screen.say(f"Numbers without an entry, taken back or removed before they were sealed: {unused}", "yellow")
    for title, numbers in (
        ("missing", found.missing),
        ("edited", found.edited),
        ("slipped in", found.added),
        ("cut off, or an older backup: positions of the chain that were witnessed", found.cut),
        ("made again since they were witnessed: positions of the chain", found.rewritten),
        ("links that do not fit: positions of the chain", found.broken),
    ):
        if numbers:
            screen.fail(f"{title}: {', '.join(str(number) for number in numbers)}")
    if not found.ok:
        raise SystemExit(1)
    screen.say("The record is whole.", "green")


async def _verify(desk: "Desk", actor: Actor, witness: Path | None) -> "Verification":
    return await desk.audit.verify(actor, witnessed=await desk.witness.heads(witness))


@command.command("list", short_help="The latest entries.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1000))
@click.option("--actor", "actor_id", metavar="ID", help="Only what this person or job did.")
@click.option("--action", metavar="ACTION", help="Only this action, such as ticket.resolve.")
@as_option
@pass_invocation
def list_entries(
    invocation: Invocation, limit: int, actor_id: str | None, action: str | None, person: str | None
) -> None:
    """List the latest entries, the newest first."""
    entries = run_as(
        invocation,
        person,
        lambda desk, actor: desk.audit.entries(actor, limit=limit, actor_id=actor_id, action=action),
    )
    rows = [
        (
            screen.moment(each.at),
            each.actor_id,
            each.action,
            each.resource,
            "yes" if each.allowed else "no",
            each.reason,
            each.outcome,
        )
        for each in entries
    ]
    screen.table(("when", "who", "what", "on", "allowed", "why", "outcome"), rows, empty="The audit trail is empty.")
