"""Who is asking: `--as PERSON`, or the local operator."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bot.cli.invocation import Invocation, open_desk, run
from identity.actor import Actor, local_operator
from identity.errors import UnknownPerson

if TYPE_CHECKING:
    from bot.compose.desk import Desk

CommandT = TypeVar("CommandT", bound=Callable[..., Any])
T = TypeVar("T")


def as_option(command: CommandT) -> CommandT:
    """Give a command `--as PERSON`."""
    return click.option(
        "--as",
        "person",
        metavar="PERSON",
        help="Id or e-mail of somebody in people.yaml.  [default: the local operator, who may read everything]",
    )(command)


async def actor_of(desk: "Desk", person: str | None) -> Actor:
    """Return the named person, or the local operator; an unknown name is wrong use."""
    if person is None:
        return local_operator()
    try:
        return await desk.people.named(person)
    except UnknownPerson as error:
        known = ", ".join(actor.id for actor in await desk.directory.people()) or "nobody yet"
        raise click.BadParameter(f"{error} (there: {known})", param_hint="--as") from error


def run_as(invocation: Invocation, person: str | None, work: "Callable[[Desk, Actor], Awaitable[T]]") -> T:
    """Return what a person's use of the desk gives; the desk is open for that time."""

    async def opened() -> T:
        async with open_desk(invocation.existing()) as desk:
            return await work(desk, await actor_of(desk, person))

    return run(opened())
