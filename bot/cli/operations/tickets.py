"""`dutydesk tickets`: see and work tickets from a terminal."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import actor_of, as_option, run_as
from identity.actor import Actor
from tickets.ticket import Priority, Status, Ticket

if TYPE_CHECKING:
    from bot.compose.desk import Desk

HEADINGS = ("number", "status", "priority", "category", "title", "requested by", "assigned to", "changed")
EXAMPLES = """\
\b
Examples:
  dutydesk tickets queue --status open
  dutydesk tickets show TCK-2026-000123
  dutydesk tickets assign TCK-2026-000123 ben --as ben
  dutydesk tickets resolve TCK-2026-000123 "Replaced the toner"
"""

status_option = click.option("--status", type=click.Choice([each.value for each in Status]), help="Only these.")


@click.group("tickets", epilog=EXAMPLES, short_help="See and work tickets.")
def command() -> None:
    """See and work tickets. Without --as, the local operator acts."""


@command.command("list", short_help="The tickets that I asked for.")
@status_option
@as_option
@pass_invocation
def list_own(invocation: Invocation, status: str | None, person: str | None) -> None:
    """List the tickets that a person asked for."""
    own = run_as(invocation, person, lambda desk, actor: desk.tickets.mine(actor, status=_status(status)))
    _list(own, empty="No tickets of this person. See all: dutydesk tickets queue")


@command.command("queue", short_help="Everybody's tickets.")
@status_option
@click.option("--search", metavar="WORDS", help="Only those that hold these words.")
@as_option
@pass_invocation
def queue(invocation: Invocation, status: str | None, search: str | None, person: str | None) -> None:
    """List the tickets of everybody, for people with `tickets:work`."""
    found = run_as(
        invocation, person, lambda desk, actor: desk.tickets.queue(actor, status=_status(status), search=search)
    )
    _list(found, empty="The queue is empty.")


@command.command("show", short_help="One ticket with its history.")
@click.argument("number")
@as_option
@pass_invocation
def show(invocation: Invocation, number: str, person: str | None) -> None:
    """Show a ticket with its comments and everything that happened to it."""
    _act(invocation, person, lambda desk, actor: desk.tickets.show(actor, number))


@command.command("comment", short_help="Add a comment.")
@click.argument("number")
@click.argument("text")
@as_option
@pass_invocation
def comment(invocation: Invocation, number: str, text: str, person: str | None) -> None:
    """Add TEXT to a ticket."""
    _act(invocation, person, lambda desk, actor: desk.tickets.comment(actor, number, text=text))


@command.command("urge", short_help="Ask for haste.")
@click.argument("number")
@as_option
@pass_invocation
def urge(invocation: Invocation, number: str, person: str | None) -> None:
    """Ask for haste, at most once within the cool-down."""
    _act(invocation, person, lambda desk, actor: desk.tickets.urge(actor, number))


@command.command("assign", short_help="Give it to somebody.")
@click.argument("number")
@click.argument("assignee")
@as_option
@pass_invocation
def assign(invocation: Invocation, number: str, assignee: str, person: str | None) -> None:
    """Give a ticket to ASSIGNEE, an id or e-mail in people.yaml."""

    async def work(desk: "Desk", actor: Actor) -> Ticket:
        return await desk.tickets.assign(actor, number, assignee=await actor_of(desk, assignee))

    _act(invocation, person, work)


@command.command("priority", short_help="Change how soon somebody should look.")
@click.argument("number")
@click.argument("priority", type=click.Choice([each.value for each in Priority]))
@as_option
@pass_invocation
def priority(invocation: Invocation, number: str, priority: str, person: str | None) -> None:
    """Set the PRIORITY of a ticket."""
    _act(invocation, person, lambda desk, actor: desk.tickets.prioritise(actor, number, priority=Priority(priority)))


@command.command("resolve", short_help="Say what was done.")
@click.argument("number")
@click.argument("resolution")
@as_option
@pass_invocation
def resolve(invocation: Invocation, number: str, resolution: str, person: str | None) -> None:
    """Resolve a ticket; RESOLUTION tells the requester what was done."""
    _act(invocation, person, lambda desk, actor: desk.tickets.resolve(actor, number, resolution=resolution))


@command.command("reopen", short_help="Open it again.")
@click.argument("number")
@click.argument("reason")
@as_option
@pass_invocation
def reopen(invocation: Invocation, number: str, reason: str, person: str | None) -> None:
    """Open a resolved or cancelled ticket again; REASON tells why."""
    _act(invocation, person, lambda desk, actor: desk.tickets.reopen(actor, number, reason=reason))


@command.command("cancel", short_help="Stop it, after a question.")
@click.argument("number")
@click.argument("reason")
@click.option("--yes", is_flag=True, help="Do not ask.")
@as_option
@pass_invocation
def cancel(invocation: Invocation, number: str, reason: str, person: str | None, *, yes: bool) -> None:
    """Cancel a ticket; REASON tells why."""
    if not yes:
        click.confirm(f"Cancel {number}? The requester is told.", abort=True)
    _act(invocation, person, lambda desk, actor: desk.tickets.cancel(actor, number, reason=reason))


def _act(invocation: Invocation, person: str | None, work: "Callable[[Desk, Actor], Awaitable[Ticket]]") -> None:
    _show(run_as(invocation, person, work))


def _status(name: str | None) -> Status | None:
    return Status(name) if name else None


def _list(tickets: tuple[Ticket, ...], *, empty: str) -> None:
    rows = [
        (
            each.number,
            each.stands,
            each.priority.value,
            each.category,
            each.title,
            each.requester_name,
            each.assignee_name or "-",
            screen.moment(each.updated_at),
        )
        for each in tickets
    ]
    screen.table(HEADINGS, rows, empty=empty)


def _show(ticket: Ticket) -> None:
    screen.say(f"{ticket.number}  {ticket.title}", "bold")
    screen.facts(
        [
            ("status", ticket.stands),
            ("priority", ticket.priority.value),
            ("category", ticket.category),
            ("requested by", ticket.requester_name),
            ("assigned to", ticket.assignee_name or ""),
            ("filed", screen.moment(ticket.created_at)),
            ("resolution", ticket.resolution),
            *ticket.fields.items(),
        ]
    )
    screen.say(f"\n{ticket.description}")
    # What a comment says stands in the changes, too.
    steps = (change for change in ticket.changes if change.action != "comment")
    history = [(change.at, change.actor_name, change.action, change.detail) for change in steps]
    history += [(comment.created_at, comment.author_name, "comment", comment.text) for comment in ticket.comments]
    if history:
        screen.say("")
        rows = [(screen.moment(at), who, what, detail) for at, who, what, detail in sorted(history)]
        screen.table(("when", "who", "what", ""), rows, empty="")
