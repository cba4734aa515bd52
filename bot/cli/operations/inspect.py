"""`dutydesk inspect`: a diagnosis on the command line."""

import importlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from adapters.cards import Note
from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import as_option, run_as
from features.anatomy.reader import Reader
from features.anatomy.texts import say
from identity.actor import Actor
from identity.readership import Alone
from language.scripts import language_of
from queries.observe.errors import NothingNamed, ObserveError, OutOfScope, SeveralApps

if TYPE_CHECKING:
    from bot.compose.desk import Desk
    from queries.observe.report.kept import KeptReport

EXAMPLES = """\
\b
Examples:
  dutydesk inspect --app checkout "why is it down?"
  dutydesk inspect --app A -n NAMESPACE --window 1h --format json --out report.json
  dutydesk inspect -n staging                     is anything wrong there?
  dutydesk inspect --app checkout --record incident/   keep what was read, as a test
"""
#: What only this command pays for.
SERVICE, RUNBOOKS, RESULTS, WRITTEN, DRAWING = (
    "queries.observe.service",
    "features.diagnosis.runbooks",
    "features.diagnosis.results",
    "queries.observe.report.written",
    "bot.rendering.results",
)
_WINDOW = re.compile(r"(\d{1,5})([smh])")
_UNITS = {"s": 1, "m": 60, "h": 3_600}


def _seconds(_context: click.Context, _option: click.Parameter, written: str) -> int:
    found = _WINDOW.fullmatch(written)
    if found is None:
        raise click.BadParameter("such as 30m, 90s or 2h")
    return int(found[1]) * _UNITS[found[2]]


@click.command("inspect", epilog=EXAMPLES, short_help="Why is an app or a namespace in trouble?")
@click.argument("question", required=False, default="")
@click.option("--app", default="", metavar="APP", help="An app of the directory, or the value of its label `app`.")
@click.option("-n", "--namespace", default="", help="Its namespace; alone, all that runs in it.")
@click.option("--pod", default="", help="Only this pod.")
@click.option("--cluster", default="", help="Only where several clusters have such a namespace.")
@click.option("--window", "window_s", default="30m", callback=_seconds, help="How far back.  [default: 30m]")
@click.option("--format", "form", type=click.Choice(["human", "json"]), default="human", show_default=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write the report as JSON into a file.")
@click.option(
    "--record", type=click.Path(path_type=Path, file_okay=False), help="Keep what was read in a folder, as a test."
)
@as_option
@pass_invocation
def command(invocation: Invocation, /, question: str, person: str | None, **named: Any) -> None:
    """Look at a cluster, its metrics and logs, and say what is wrong, on which evidence, and what to do.

    QUESTION is what you would ask; it is kept with the report. Which clusters there are, and who may look where, stands
    in clusters.yaml of the home (docs/how-to/diagnose-a-cluster.md).
    """

    async def look(desk: "Desk", actor: Actor) -> "tuple[KeptReport, str]":
        service = _loaded(SERVICE)
        wanted = service.WantedDiagnosis(
            question=question or f"What is wrong with {named['app'] or named['namespace']}?",
            language="zh" if language_of(question) == "zh" else "en",
            app=named["app"],
            namespace=named["namespace"],
            cluster=named["cluster"],
            pod=named["pod"],
            window_s=named["window_s"],
        )
        try:
            asked = desk.observe.resolve(actor, wanted)
            kept = await desk.observe.diagnose(actor, asked, door="command", record=named["record"])
        except (NothingNamed, OutOfScope, SeveralApps) as error:
            raise click.UsageError(_why(desk, actor, error)) from error
        report = await _loaded(RUNBOOKS).Runbooks(desk.search).cited(actor, kept.report, Alone())
        return replace(kept, report=report), actor.timezone

    try:
        kept, timezone = run_as(invocation, person, look)
    except FileExistsError as error:
        raise click.UsageError(str(error)) from error
    language = kept.report.asked.language
    written = _loaded(WRITTEN).report_json(kept.report, language)
    if named["out"]:
        named["out"].write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if named["form"] == "json":
        screen.show_json(written)
    else:
        _show(kept, Reader(language=language, timezone=timezone))


def _show(kept: "KeptReport", reader: Reader) -> None:
    results, drawn = _loaded(RESULTS), _loaded(DRAWING)
    screen.show_blocks(drawn.result_blocks(results.findings_of(kept.report, reader.timezone), reader))
    screen.show_blocks(Note(each) for each in kept.report.explained)
    if kept.report.model_failed:
        screen.show_blocks([Note(say(reader.language, "diagnosis.page.model_failed"))])
    series = results.series_of(kept.report)
    if series is not None:
        screen.show_blocks(drawn.result_blocks(series, reader))
    cited = [each.runbook for issue in kept.report.top for each in issue.recommendations if each.runbook]
    for runbook in dict.fromkeys(cited):
        title = f"{say(reader.language, 'diagnosis.page.runbook')} {runbook.title} ({runbook.url})"
        screen.show_blocks(Note(each) for each in (title, *(f"- {step}" for step in runbook.steps)))
    screen.note(f"{kept.id}: the whole report is on the page Diagnosis of the console, and with --format json")


def _why(desk: "Desk", actor: Actor, error: ObserveError) -> str:
    """Return what helps: what can be looked at, or what is missing."""
    if not desk.observe.clusters:
        broken = "; ".join(desk.observe.broken.values())
        return f"no cluster can be looked at: {broken or f'there is no {desk.settings.clusters_path}'}"
    known = ", ".join((*desk.observe.apps(actor), *("/".join(each) for each in desk.observe.namespaces(actor))))
    match error:
        case SeveralApps(names=names):
            return f"which one? {' or '.join(names)} (--cluster)"
        case OutOfScope(name=name):
            return f"nothing called {name} can be looked at (known: {known or 'nothing yet'})"
        case _:
            return f"name an app or a namespace: --app APP or -n NAMESPACE (known: {known or 'nothing yet'})"


def _loaded(module: str) -> Any:
    """Return a module that `--help` must not wait for."""
    return importlib.import_module(module)
