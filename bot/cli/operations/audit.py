"""`dutydesk audit`: who did what, and whether the record is whole."""

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import as_option, run_as


@click.group("audit", short_help="Who did what, and whether the record is whole.")
def command() -> None:
    """Read the audit trail and verify that nothing in it was changed or removed."""


@command.command("verify", short_help="Check the chain of the audit trail.")
@as_option
@pass_invocation
def verify(invocation: Invocation, person: str | None) -> None:
    """Check every entry against the chain: exit code 0 when the record is whole, 1 when it is not."""
    found = run_as(invocation, person, lambda desk, actor: desk.audit.verify(actor))
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
