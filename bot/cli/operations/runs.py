"""`dutydesk runs`: what the desk did for a message, step by step."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from agent.errors import NotReplayable, RunNotFound
from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation
from bot.cli.people import as_option, run_as
from bot.rendering.texts.catalogue import say
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide
from queries.observe.errors import NoSuchReport

if TYPE_CHECKING:
    from agent.runner.replay import Replayed
    from agent.runs.run import Run
    from bot.compose.desk import Desk
    from queries.observe.report.compared import ComparedPart

#: Characters of one side of a step that are printed; the JSON has all of it.
MAX_LINE = 2_000
#: How the id of a diagnosis begins, which has no run where nobody asked in a chat.
DIAGNOSIS = "dgn_"


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
        for each in run_as(invocation, person, lambda desk, actor: _latest(desk, actor, limit))
    ]
    screen.table(("run", "when", "who", "outcome", "brain", "asked"), rows, empty="Nothing was asked yet.")


@command.command("show", short_help="One run with its steps.")
@click.argument("run_id")
@click.option("--json", "as_json", is_flag=True, help="Print the run as one JSON document.")
@as_option
@pass_invocation
def show(invocation: Invocation, run_id: str, as_json: bool, person: str | None) -> None:
    """Show one run: the question, the answer, every step with its input and output, every piece of evidence."""
    found = run_as(invocation, person, lambda desk, actor: desk.runs.show(actor, run_id))
    if as_json:
        screen.show_json(_document(found))
        return
    _show(found)


@command.command("replay", short_help="Go through a run again, offline.")
@click.argument("run_id")
@click.option("--json", "as_json", is_flag=True, help="Print what was gone through as one JSON document.")
@as_option
@pass_invocation
def replay(invocation: Invocation, run_id: str, as_json: bool, person: str | None) -> None:
    """Go through a run again from what it has kept, and say where it comes out differently now.

    No language model is asked, no tool is called and nothing is written. RUN_ID may be a diagnosis (dgn_…): its report
    is made again from what the sources told then. Exit code 1: it diverges.
    """
    steps = run_as(invocation, person, lambda desk, actor: _replay(desk, actor, run_id))
    if as_json:
        screen.show_json(
            [
                {"what": each.what, "diverges": each.diverges, "recorded": each.recorded, "now": each.now}
                for each in steps
            ]
        )
    else:
        rows = [(each.what, "differs" if each.diverges else "same") for each in steps]
        screen.table(("what", "now"), rows, empty="There is nothing to go through.")
        for each in steps:
            if each.diverges:
                screen.say(f"\n{each.what}", "bold")
                screen.facts([("recorded", _line(each.recorded)), ("now", _line(each.now))])
    if any(each.diverges for each in steps):
        raise SystemExit(1)


async def _latest(desk: "Desk", actor: Actor, limit: int) -> "tuple[Run, ...]":
    everybody = decide(actor, Permission.RUNS_READ_ALL).allowed
    return await desk.runs.list(actor, everybody=everybody, limit=limit)


async def _replay(desk: "Desk", actor: Actor, run_id: str) -> "Sequence[Replayed | ComparedPart]":
    if not run_id.startswith(DIAGNOSIS):
        return await desk.runner.replay(actor, run_id)
    try:
        kept = await desk.observe.report(actor, run_id)
        if kept.door == "question":
            return await desk.runner.replay(actor, kept.report.asked.run_id)
        parts = await desk.observe.replay(actor, run_id)
    except NoSuchReport as error:
        raise RunNotFound(run_id) from error
    if not parts:
        raise NotReplayable(run_id)
    return parts


def _document(found: "Run") -> dict[str, Any]:
    """Return a run as JSON; what only replays need is left out."""
    document = asdict(replace(found, record={}))
    del document["record"]
    return document


def _line(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MAX_LINE else f"{text[:MAX_LINE]}…"


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
    answer = str(found.answer.get("text") or found.answer.get("question") or "")
    if answer:
        screen.say("")
        screen.say(answer)
    citations = found.answer.get("citations")
    for each in citations if isinstance(citations, list) else []:
        if isinstance(each, dict):
            screen.say(f"[{each.get('number')}] {each.get('title')} > {each.get('section')}: {each.get('quote')}")
    if found.withheld.answer:
        screen.say(f"\n{say('en', 'withheld.answer')}")
    if found.withheld.steps:
        screen.say(f"\n{say('en', 'console.run.withheld_steps')}")
    screen.say("")
    steps = [
        (str(each.number), each.node, each.tool, each.status, f"{each.timing_ms:.0f} ms", each.error.get("msg", ""))
        for each in found.steps
    ]
    screen.table(("", "step", "tool", "status", "took", "error"), steps, empty="No steps were kept.")
    for step in () if found.withheld.steps else found.steps:
        screen.say(f"\n{step.number} {step.node} {step.tool}".rstrip(), "bold")
        screen.facts([("in", _line(step.given)), ("out", _line(step.returned))])
    screen.say("")
    if found.withheld.quotations:
        screen.say(say("en", "console.run.withheld_quotations", count=found.withheld.quotations))
    evidence = [
        (each.evidence_id, str(each.source.get("title", "")), str(each.source.get("section", "")), f"{each.score:.2f}")
        for each in found.evidence
    ]
    screen.table(("evidence", "title", "section", "score"), evidence, empty="No evidence was found.")
