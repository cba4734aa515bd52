"""`dutydesk slack`: what Slack has to be told about the desk, and whether it was told everything."""

import importlib
import sys
from typing import TYPE_CHECKING, Literal

import click
import yaml

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation, run
from bot.cli.platforms import connecting
from bot.settings import Settings

if TYPE_CHECKING:
    from adapters.slack.setup.check import SlackFinding

MANIFEST_EXAMPLES = """\
\b
Examples:
  dutydesk slack manifest --socket                        no public address needed
  dutydesk slack manifest --http https://desk.example.com
  dutydesk slack manifest --json > manifest.json
"""

#: The libraries come with an extra.
EXTRA = connecting.Extra("Slack", "adapters.slack", "slack_bolt", "slack")

#: What each finding means, and what to do. `{}` stands for its details.
WORDS: connecting.Words = {
    "token_missing": (
        "there is no bot token",
        "Install the app (OAuth & Permissions) and set slack.bot_token to its Bot User OAuth Token.",
    ),
    "token_kind": (
        "slack.bot_token is no bot token",
        "It begins with xoxb-: take the Bot User OAuth Token, not a user's or the app-level one.",
    ),
    "token_refused": (
        "Slack refuses the bot token ({})",
        "Install the app again (OAuth & Permissions) and set slack.bot_token to the new token.",
    ),
    "unreachable": ("no answer from {}", "Check the network, a proxy in between, and slack.api_url."),
    "installed": ("installed: {}", ""),
    "scopes_missing": (
        "the app lacks {}",
        "Paste the output of `dutydesk slack manifest` into the app's manifest, then install the app again.",
    ),
    "scopes_unneeded": ("the app may do more than the desk needs: {}", "Nothing breaks; you can take these away."),
    "scopes_complete": ("every scope is granted", ""),
    "app_token_missing": (
        "there is no app-level token",
        "Make one with the scope connections:write (Basic Information) and set slack.app_token.",
    ),
    "app_token_kind": ("slack.app_token is no app-level token", "It begins with xapp-: see Basic Information."),
    "app_token_refused": (
        "Slack refuses the app-level token ({})",
        "Switch Socket Mode on in the app, and make a token with the scope connections:write (Basic Information).",
    ),
    "app_token_good": ("Socket Mode can connect", ""),
    "secret_missing": (
        "there is no signing secret",
        "Set slack.signing_secret (Basic Information); without it every request is refused.",
    ),
    "secret_set": ("the signing secret is set", ""),
    "domains_missing": (
        "nobody in Slack is linked to a person of people.yaml",
        "Set slack.email_domains to your company's domains; until then every member is plain staff.",
    ),
    "domains_set": ("people are linked by their address at {}", ""),
}


@click.group("slack", short_help="Connect Slack: the app's manifest, and a check of it.")
def command() -> None:
    """Connect a Slack workspace: make an app from the manifest, set its tokens, check them.

    docs/how-to/connect-slack.md goes through it step by step.
    """


@command.command("manifest", epilog=MANIFEST_EXAMPLES, short_help="Print the app manifest to paste into Slack.")
@click.option("--http", "url", metavar="URL", help="Slack posts to the desk at this public https:// address.")
@click.option("--socket", is_flag=True, help="The desk connects to Slack (Socket Mode).")
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@click.option("--yaml", "form", flag_value="yaml", default="yaml", help="Print YAML.  [default]")
@pass_invocation
def manifest(invocation: Invocation, *, url: str | None, socket: bool, form: str) -> None:
    """Print the manifest of the Slack app: everything that the desk has to be allowed.

    At https://api.slack.com/apps choose Create New App, From a manifest, and paste it. Without --http and --socket
    it follows slack.mode and web.url of the settings. Paste it again after an upgrade.
    """
    if url and socket:
        raise click.UsageError("Give --http or --socket, not both.")
    mode: Literal["http", "socket"] = "http" if url else "socket"
    if not url and not socket:
        settings = invocation.settings()
        if settings.slack.mode == "http":
            mode, url = "http", settings.public_url
    if mode == "http" and not (url or "").startswith("https://"):
        raise click.UsageError(f"Slack posts to https:// addresses alone, not to {url}. Or use --socket.")
    made = EXTRA.module("setup.manifest").manifest(url=url or "", mode=mode)
    if form == "json":
        screen.show_json(made)
    else:
        sys.stdout.write(yaml.safe_dump(made, sort_keys=False, allow_unicode=True, width=100))


@command.command("check", short_help="Ask Slack whether the app can work, and say what to mend.")
@pass_invocation
def check(invocation: Invocation) -> None:
    """Ask Slack who the desk is and what it may do: exit code 1 when something is to be mended.

    Nothing is changed, nothing is posted. With slack.mode = off the settings are looked at as for the way that
    they are filled in for.
    """
    settings = invocation.settings()
    examine = EXTRA.module("setup.check").examine
    # Imported by name: it brings much along that `--help` must not wait for.
    config = importlib.import_module("bot.compose.platforms").slack_config(settings)
    findings: list[SlackFinding] = run(examine(config, _mode(settings)))
    connecting.show(findings, WORDS)
    if settings.slack.mode == "off":
        screen.say("All is well, and slack.mode is off: set it to http or socket.", "yellow")
    else:
        screen.say("Slack can be used.", "green")


def _mode(settings: Settings) -> Literal["http", "socket"]:
    if settings.slack.mode == "off":
        return "http" if settings.slack.signing_secret.get_secret_value() else "socket"
    return settings.slack.mode
