"""`dutydesk login`: a one-time sign-in link for somebody in people.yaml."""

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option


@click.command("login", short_help="Print a one-time sign-in link.")
@as_option
@click.option("--minutes", default=15, show_default=True, type=click.IntRange(1, 24 * 60), help="How long it is good.")
@pass_invocation
def command(invocation: Invocation, person: str | None, minutes: int) -> None:
    """Print a link that signs PERSON in once. Give it to nobody else.

    Without --as it is a link for the local operator, who may do everything.
    """
    screen.say(run(_link(invocation, person, minutes)))


async def _link(invocation: Invocation, person: str | None, minutes: int) -> str:
    settings = invocation.settings()
    async with open_desk(settings) as desk:
        actor = await actor_of(desk, person)
        token = await desk.sign_in.link(actor, minutes=minutes)
    return f"{settings.public_url}/sign-in?token={token}"
