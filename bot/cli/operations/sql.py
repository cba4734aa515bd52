"""`dutydesk sql`: look after the databases that people ask."""

import asyncio
import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import as_option, run_as
from identity.actor import Actor
from queries.sql.errors import StatementRefused

if TYPE_CHECKING:
    from bot.compose.desk import Desk
    from queries.sql.datasource import Examined
    from queries.sql.service import SqlAnswer

EXAMPLES = """\
\b
Examples:
  dutydesk sql check                            may the desk read each database, and nothing but read?
  dutydesk sql catalog draft sales > catalog/sales.yaml
  dutydesk sql catalog check
  dutydesk sql guard --as ada "SELECT region, sum(total) FROM orders GROUP BY region"
  dutydesk sql run --as ada "SELECT count(*) FROM orders"
"""
#: What only some of these commands pay for.
DATABASES, CHECKING = "bot.compose.queried.databases", "queries.sql.setup.checking"
#: A command that found something to mend ends with it.
_FOUND = 1

source_option = click.option("--datasource", metavar="NAME", help="Which database.  [default: the only one]")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document, for programs.")


@click.group("sql", epilog=EXAMPLES, short_help="Look after the databases that people ask.")
def command() -> None:
    """Check databases, write their catalogues, and see what the guard lets run.

    Which databases there are stands in datasources.yaml of the home (docs/how-to/ask-a-postgresql-database.md).
    """


@command.command("check", short_help="May the desk read them, and nothing but read?")
@click.argument("source", required=False)
@json_option
@pass_invocation
def check(invocation: Invocation, source: str | None, *, as_json: bool) -> None:
    """Say of each database what the desk's role can do there, with the statements that mend what it should not."""
    settings = invocation.settings()
    found: dict[str, tuple[Examined, ...]] = asyncio.run(_loaded(DATABASES).examined(settings, source))
    if not found:
        raise click.UsageError(f"there is no {settings.datasources_path}")
    if as_json:
        screen.show_json({name: [vars(each) for each in examined] for name, examined in found.items()})
    else:
        for name, examined in found.items():
            _show_examined(name, examined)
    if any(each.needed and not each.ok for examined in found.values() for each in examined):
        raise SystemExit(_FOUND)


def _show_examined(name: str, examined: "Iterable[Examined]") -> None:
    screen.say(name, "bold")
    for each in examined:
        mark, style = ("ok", "green") if each.ok else ("NO", "bold red") if each.needed else ("note", "yellow")
        screen.say(f"  {mark:<5}{each.code.replace('_', ' ')}{': ' + each.detail if each.detail else ''}", style)
        if each.mend and not each.ok:
            screen.say("\n".join(f"         {line}" for line in each.mend.splitlines()))


@command.group("catalog", short_help="Write and check catalogues.")
def catalog() -> None:
    """Write a first catalogue of a database, and check catalogues against the databases as they are."""


@catalog.command("draft", short_help="Print a first catalogue of a database.")
@click.argument("source")
@pass_invocation
def draft(invocation: Invocation, source: str) -> None:
    """Print a catalogue of what stands in a database, to be completed: nobody may read anything by it yet."""
    screen.console().file.write(asyncio.run(_loaded(DATABASES).drafted(invocation.settings(), source)))


@catalog.command("check", short_help="Do catalogues fit their databases?")
@click.argument("source", required=False)
@pass_invocation
def check_catalog(invocation: Invocation, source: str | None) -> None:
    """Compare catalogues with the databases: what is gone, what is of another type, what cannot be reached."""

    async def look(desk: "Desk", actor: Actor) -> tuple[str, ...]:
        lines: list[str] = [f"{name}: {why}" for name, why in desk.sql.broken.items()]
        for name in _names(desk, source):
            found, live = desk.sql.source(name), await desk.sql.describe(actor, name)
            told = _loaded(CHECKING).differences(
                found.catalog, live, path=found.catalog_path, dialect=found.database.dialect
            )
            lines += [f"{name}: {each}" for each in told]
        return tuple(lines)

    found = run_as(invocation, None, look)
    for line in found:
        screen.say(line)
    if found:
        raise SystemExit(_FOUND)
    screen.say("The catalogues fit.", "green")


@dataclass(frozen=True)
class Verdict:
    """What the guard makes of a statement: what would run, or why nothing does."""

    statement: str
    runs: str = ""
    refused: str = ""
    detail: str = ""


@command.command("guard", short_help="What would run, or why it is refused.")
@click.argument("statement", required=False)
@click.option("--file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="One statement a line.")
@source_option
@as_option
@json_option
@pass_invocation
def guard(
    invocation: Invocation,
    statement: str | None,
    file: Path | None,
    datasource: str | None,
    person: str | None,
    *,
    as_json: bool,
) -> None:
    """Show the statement that would run in place of STATEMENT, as PERSON; nothing is run."""
    if (statement is None) == (file is None):
        raise click.UsageError("give one STATEMENT, or --file with one a line")
    given = [statement] if statement else [line for line in _lines(file) if line.strip()]

    async def judge(desk: "Desk", actor: Actor) -> list[Verdict]:
        (name,) = _names(desk, datasource, one=True)
        return [await _verdict(desk, actor, name, each) for each in given]

    verdicts = run_as(invocation, person, judge)
    if as_json:
        screen.show_json([vars(each) for each in verdicts] if file else vars(verdicts[0]))
    else:
        for each in verdicts:
            screen.say(each.runs or f"refused: {each.refused}{': ' + each.detail if each.detail else ''}")
    if not file and verdicts[0].refused:
        raise SystemExit(_FOUND)


async def _verdict(desk: "Desk", actor: Actor, name: str, statement: str) -> Verdict:
    try:
        return Verdict(statement, runs=(await desk.sql.judge(actor, name, statement)).statement)
    except StatementRefused as error:
        return Verdict(statement, refused=str(error.code), detail=error.detail)


def _lines(file: Path | None) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file else []


@command.command("run", short_help="Run a statement through the guard.")
@click.argument("statement")
@source_option
@click.option("--rows", default=50, show_default=True, type=click.IntRange(1, 1_000), help="Most rows.")
@as_option
@json_option
@pass_invocation
def run_statement(
    invocation: Invocation, statement: str, datasource: str | None, rows: int, person: str | None, *, as_json: bool
) -> None:
    """Run STATEMENT as PERSON: what they may not read is not there."""

    async def answer(desk: "Desk", actor: Actor) -> "SqlAnswer":
        (name,) = _names(desk, datasource, one=True)
        return await desk.sql.run(actor, name, statement, rows=rows)

    found = run_as(invocation, person, answer).rows
    if as_json:
        screen.show_json({"columns": found.columns, "rows": found.rows, "truncated": found.truncated})
        return
    screen.table(found.columns, [["" if cell is None else str(cell) for cell in row] for row in found.rows], empty="–")
    if found.truncated:
        screen.note(f"There are more than these {len(found.rows)} rows (--rows).")


def _loaded(module: str) -> Any:
    """Return a module that `--help` must not wait for."""
    return importlib.import_module(module)


def _names(desk: "Desk", chosen: str | None, *, one: bool = False) -> tuple[str, ...]:
    """Return the chosen database, or all of them; wrong use when there is none, or one is needed of several."""
    names = tuple(desk.sql.sources)
    if chosen is not None and chosen not in names:
        why = desk.sql.broken.get(chosen, f"there: {', '.join(names) or 'none yet'}")
        raise click.UsageError(f"there is no datasource {chosen} ({why})")
    if not names:
        why = "; ".join(desk.sql.broken.values()) or f"there is no {desk.settings.datasources_path}"
        raise click.UsageError(f"no database can be asked: {why}")
    if one and chosen is None and len(names) > 1:
        raise click.UsageError(f"which one? --datasource {' or '.join(names)}")
    return (chosen,) if chosen is not None else names
