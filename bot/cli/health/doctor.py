"""`dutydesk doctor`: what is set, what is wrong, and how to mend it."""

import importlib

import click

from bot.cli import screen
from bot.cli.health.checks import Finding, Health, before_start
from bot.cli.invocation import Invocation, pass_invocation, run
from bot.settings import Settings

_STYLES = {Health.GOOD: "green", Health.NOTE: "yellow", Health.BAD: "bold red"}


@click.command("doctor", short_help="What is set, what is wrong, and how to mend it.")
@click.option("--settings", "list_settings", is_flag=True, help="List every setting with its value, too.")
@pass_invocation
def command(invocation: Invocation, *, list_settings: bool) -> None:
    """Check every setting and everything that the desk needs: exit code 1 when something is wrong.

    Nothing is changed. Each line that is not well says what to do.
    """
    settings = invocation.settings()
    findings = []
    for finding in before_start(settings):
        _show(finding)
        findings.append(finding)
    if not any(
        finding.what in {"home", "database", "index", "vectors"} and finding.health is Health.BAD
        for finding in findings
    ):
        findings += run(_inside(settings))
    if list_settings:
        _show_settings(settings)
    wrong = sum(finding.health is Health.BAD for finding in findings)
    if wrong:
        screen.say(f"{wrong} to mend.", "bold red")
        raise SystemExit(1)
    screen.say("The desk can start.", "green")


async def _inside(settings: Settings) -> list[Finding]:
    # Imported by name: it opens the database and the index, and their libraries would slow down every `--help`.
    examination = importlib.import_module("bot.cli.health.examination")
    findings = []
    async for finding in examination.inside(settings):
        _show(finding)
        findings.append(finding)
    return findings


def _show(finding: Finding) -> None:
    style = _STYLES[finding.health]
    screen.say(f"{finding.health.value:<6} {finding.what:<9} {finding.found}", style)
    if finding.advice:
        screen.say(f"{'':<17}{finding.advice}", "dim")


def _show_settings(settings: Settings) -> None:
    screen.say("")
    rows = []
    for name, value in settings.model_dump(mode="json", exclude={"tickets"}).items():
        inner = value if isinstance(value, dict) else {"": value}
        rows += [(f"{name}.{key}".rstrip("."), "" if each is None else str(each)) for key, each in inner.items()]
    screen.table(("setting", "value"), rows, empty="")
