"""`dutydesk ask`: one question, one answer, for people and (with --json) for programs."""

import importlib
import json

import click

from agent.runs.answer import Outcome
from bot.cli import screen
from bot.cli.invocation import Invocation, open_desk, pass_invocation, run
from bot.cli.people import actor_of, as_option
from bot.cli.progress import with_whole_index
from identity.actor import local_operator

EXAMPLES = """\
\b
Examples:
  dutydesk ask "How do I connect to the VPN?"
  dutydesk ask "报销要多久?" --as ada
  dutydesk ask "How much leave do I have?" --json | jq .citations
  dutydesk ask "my screen is black" --dry-run        what would be done
"""


@click.command("ask", epilog=EXAMPLES, short_help="Ask one question.")
@click.argument("question")
@as_option
@click.option("--json", "as_json", is_flag=True, help="Print the answer as one JSON document.")
@click.option("--dry-run", is_flag=True, help="Read only: tell what would be done, and do nothing.")
@pass_invocation
def command(invocation: Invocation, question: str, person: str | None, *, as_json: bool, dry_run: bool) -> None:
    """Ask QUESTION and print the answer with its sources.

    The JSON has: outcome (answered, no_evidence, asked_back, needs_approval, refused or failed), answer, confidence,
    citations (title, section, source, url, quote), followups, tickets (numbers that the answer shows), draft (its id),
    missing (fields that the draft lacks), links and run_id; of a dry run also undone (tool and arguments of each call
    that was not made).
    """
    if not question.strip():
        raise click.BadParameter("ask something", param_hint="QUESTION")
    run(_ask(invocation, question, person, as_json=as_json, dry_run=dry_run))


async def _ask(invocation: Invocation, question: str, person: str | None, *, as_json: bool, dry_run: bool) -> None:
    # Imported by name: the agent's libraries would slow down every `--help`.
    asking = importlib.import_module("bot.cli.talk.asking")
    async with open_desk(invocation.existing()) as desk:
        actor = await actor_of(desk, person)
        reply = await with_whole_index(desk, lambda: asking.ask(desk, actor, question, dry_run=dry_run))
        if reply.answer.outcome is Outcome.NO_EVIDENCE and not await desk.search.sources(local_operator()):
            screen.warn("Nothing is indexed yet, so there is nothing to answer from: dutydesk index PATH")
    if as_json:
        screen.show_json(reply.as_json())
    else:
        screen.show_blocks(reply.blocks)
        for step in reply.undone:
            screen.say(f"would do: {step.tool} {json.dumps(step.given, ensure_ascii=False)}")
        screen.say(f"The steps: dutydesk runs show {reply.run_id}", "dim")
