"""What every command is given: the home folder, and whether to show traces. Both work before and after its name."""

import asyncio
import importlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bot.settings import Settings, load

if TYPE_CHECKING:
    from bot.compose.desk import Desk

T = TypeVar("T")

#: Modules that `--help` must not wait for: they bring the database, the index and the agent with them.
COMPOSE = "bot.compose.compose"


@dataclass
class Invocation:
    """One call of the command line."""

    home: Path | None = None
    debug: bool = False

    def settings(self, **overrides: Any) -> Settings:
        """Read the settings of this call; raise `SettingsInvalid` with what to correct."""
        return load(home=self.home, **overrides)

    def existing(self) -> Settings:
        """Read the settings of a desk that is there: none is begun in whatever folder one stands in."""
        settings = self.settings()
        if "home" not in settings.model_fields_set and not settings.home.exists():
            raise click.UsageError(
                f"There is no desk in this folder ({settings.home} does not exist). Name its home with --home or "
                "DUTYDESK_HOME, or begin one here: dutydesk index PATH"
            )
        return settings


pass_invocation = click.make_pass_decorator(Invocation, ensure=True)


@asynccontextmanager
async def open_desk(settings: Settings, **overrides: Any) -> "AsyncIterator[Desk]":
    """Build the desk and close it afterwards; workers run only where `desk.running()` is entered."""
    # Imported by name, since only commands that need the desk may pay for loading it.
    compose = importlib.import_module(COMPOSE).compose
    async with await compose(settings, **overrides) as desk:
        yield desk


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's coroutine to its end."""
    return asyncio.run(work)


def run_until_interrupted(work: Coroutine[Any, Any, None]) -> None:
    """Run until the work ends or somebody presses Ctrl-C, which is the normal way to end it."""
    with suppress(KeyboardInterrupt):
        asyncio.run(work)


def add_common_options(command: click.Command) -> click.Command:
    """Give a command and everything below it `--home` and `--debug`."""
    known = {option for parameter in command.params for option in parameter.opts}
    if "--home" not in known:
        command.params.append(home_option())
    if "--debug" not in known:
        command.params.append(_debug_option())
    if isinstance(command, click.Group):
        for child in command.commands.values():
            add_common_options(child)
    return command


def home_option(default: str = "$DUTYDESK_HOME or .dutydesk") -> click.Option:
    """Return `--home`; `default` tells which folder is taken without it."""
    return click.Option(
        ["--home"],
        type=click.Path(path_type=Path, file_okay=False),
        expose_value=False,
        callback=_take_home,
        help=f"Folder of settings, people and data.  [default: {default}]",
    )


def _debug_option() -> click.Option:
    return click.Option(
        ["--debug"], is_flag=True, expose_value=False, callback=_take_debug, help="Show the whole trace of an error."
    )


def _take_home(context: click.Context, _parameter: click.Parameter, value: Path | None) -> None:
    if value is not None:
        context.ensure_object(Invocation).home = value


def _take_debug(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        context.ensure_object(Invocation).debug = True
