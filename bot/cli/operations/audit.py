"""`dutydesk audit`: who did what, and whether the record is whole."""

from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option

if TYPE_CHECKING:
    from identity.audit import AuditEntry, Verification


@click.group("audit", short_help="Who did what, and whether the record is whole.")
def command() -> None:
    """Read the audit trail and verify that nothing in it was changed or removed."""


@command.command("verify", short_help="Check the chain of the audit trail.")
@as_option
@pass_invocation
def verify(invocation: Invocation, person: str | None) -> None:
    """Check every entry against the chain: exit code 0 when the record is whole, 1 when it is not."""

    async def work() -> "Verification":
        async with open_desk(invocation.settings()) as desk:
            return await desk.audit.verify(await actor_of(desk, person))

    found = run(work())
    screen.say(f"{found.sealed} entries sealed, {found.unsealed} waiting for the next seal.")
    for title, entries in (("missing", found.missing), ("edited", found.edited)):
        if entries:
            screen.fail(f"{title}: {', '.join(str(entry) for entry in entries)}")
    if not found.ok:
        raise SystemExit(1)
    screen.say("The record is whole.", "green")


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

    async def work() -> "tuple[AuditEntry, ...]":
        async with open_desk(invocation.settings()) as desk:
            actor = await actor_of(desk, person)
            return await desk.audit.entries(actor, limit=limit, actor_id=actor_id, action=action)

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
        for each in run(work())
    ]
    screen.table(("when", "who", "what", "on", "allowed", "why", "outcome"), rows, empty="The audit trail is empty.")
