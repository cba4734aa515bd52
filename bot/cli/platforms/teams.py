"""`dutydesk teams`: the app package that Teams is given, and whether everything is set up for it."""

import importlib
import re
from dataclasses import replace
from importlib.metadata import version as version_of
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli import screen
from bot.cli.invocation import Invocation, pass_invocation, run
from bot.cli.platforms import connecting
from bot.rendering.texts.catalogue import has, say
from bot.settings import Settings
from features.anatomy.verbs import verbs_of
from storage.clock import SystemClock

if TYPE_CHECKING:
    from adapters.teams.config import TeamsConfig
    from adapters.teams.setup.check import TeamsFinding
    from adapters.teams.setup.manifest import Command, ManifestWords

PACKAGE_EXAMPLES = """\
\b
Examples:
  dutydesk teams package                                    for web.url of the settings
  dutydesk teams package --url https://desk.example.com     for another address
  dutydesk teams package --listen --app-version 1.1.0       also hear follow-ups that do not mention the desk
"""

#: The libraries come with an extra.
EXTRA = connecting.Extra("Teams", "adapters.teams", "msal", "teams")
#: Lines of the command menu that Teams shows.
MOST_COMMANDS = 10
#: The manifest speaks English; these come beside it.
TRANSLATED = ("zh",)

_NUMBERS = re.compile(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}")
_WHERE = "docs/how-to/connect-teams.md tells where it is found."

#: What each finding means, and what to do. `{}` stands for its details.
WORDS: connecting.Words = {
    "unsigned": (
        "teams.mode is test: nothing is signed, and whoever reaches the port is believed",
        "Good for a test client on this machine. For Teams itself set teams.mode = on.",
    ),
    "app_id_missing": ("there is no app id", f"Set teams.app_id to the Application (client) ID. {_WHERE}"),
    "app_id_kind": (
        "teams.app_id is no id",
        "Take the Application (client) ID, 32 digits and letters in five groups; not the name of the bot.",
    ),
    "tenant_missing": ("there is no tenant id", f"Set teams.tenant_id to the Directory (tenant) ID. {_WHERE}"),
    "tenant_kind": (
        "teams.tenant_id is no id",
        "Take the Directory (tenant) ID, 32 digits and letters in five groups; not the company's domain.",
    ),
    "secret_missing": ("there is no client secret", f"Set teams.app_secret to the value of a client secret. {_WHERE}"),
    "secret_is_its_id": (
        "teams.app_secret is the id of a secret",
        "Take the column Value, which is shown once, right after the secret was made. Make a new one if it is gone.",
    ),
    "registration_set": ("the app id, the tenant id and a secret are set: {}", ""),
    "allowed_kind": ("teams.allowed_tenants has what is no id: {}", "Take the Directory (tenant) ID of each company."),
    "allowed_set": (
        "people of further tenants may write: {}",
        "They read what is shared with `public`, and change nothing. Empty teams.allowed_tenants to keep them out.",
    ),
    "address_private": (
        "Teams can hardly reach {}",
        "Set web.url to the public https:// address that leads to this desk, unless Teams gets there by another one.",
    ),
    "address_public": ("the messaging endpoint is {}", ""),
    "domains_kind": ("teams.email_domains has what is no domain: {}", "Write only what stands after the @."),
    "domains_missing": (
        "nobody in Teams is linked to a person of people.yaml",
        "Set teams.email_domains to your company's domains; until then every member is plain staff.",
    ),
    "domains_set": ("people are linked by their address at {}", ""),
    "token_refused": (
        "Microsoft gives the desk no token ({})",
        (
            "AADSTS7000215: the secret is not this app's. AADSTS7000222: it has run out, make a new one. "
            "AADSTS700016: the app id is not of this tenant. AADSTS90002: there is no such tenant."
        ),
    ),
    "token_good": ("Microsoft gives the desk a token", ""),
    "login_unreachable": ("no answer from {}", "Check the network, a proxy in between, and teams.login_url."),
    "keys_unreachable": (
        "no keys of Teams from {}",
        "Check the network, a proxy in between, and teams.keys_url; without keys no message is taken.",
    ),
    "keys_good": ("the keys of Teams are there", ""),
}


@click.group("teams", short_help="Connect Microsoft Teams: the app's package, and a check of it.")
def command() -> None:
    """Connect Microsoft Teams: register a bot, set its ids and secret, check them, upload the package.

    docs/how-to/connect-teams.md goes through it step by step.
    """


@command.command("package", epilog=PACKAGE_EXAMPLES, short_help="Write the app package to upload to Teams.")
@click.option("--url", metavar="URL", help="The desk's public https:// address.  [default: web.url]")
@click.option("--listen", is_flag=True, help="Ask for the right to hear what does not mention the desk.")
@click.option("--app-version", "version", metavar="N.N.N", help="Has to rise with each upload.  [default: dutydesk's]")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default="dutydesk-teams.zip", show_default=True,
    help="The file to write.",
)  # fmt: skip
@pass_invocation
def package(invocation: Invocation, *, url: str | None, listen: bool, version: str | None, out: Path) -> None:
    """Write the package of the Teams app: the manifest in English and Chinese, with the command menu and icons.

    Upload it in Teams (Apps, Manage your apps, Upload an app) or in the Teams admin center. Write and upload it again
    with a higher --app-version when the address changes or dutydesk was upgraded.
    """
    settings = invocation.settings()
    url = (url or settings.public_url).rstrip("/")
    if not url.startswith("https://"):
        raise click.UsageError(f"Teams wants an https:// address, not {url}. Set web.url, or give --url.")
    if version is not None and not _NUMBERS.fullmatch(version):
        raise click.UsageError(f"A version is three numbers such as 1.0.1, not {version}.")
    if not settings.teams.app_id:
        raise click.ClickException(f"Set teams.app_id first: the package names it. {_WHERE}")
    written = EXTRA.module("setup.package").package(
        settings.teams.app_id,
        url=url,
        words=manifest_words("en"),
        translations={language: manifest_words(language) for language in TRANSLATED},
        version=version or version_of("dutydesk"),
        listen=listen,
    )
    out.write_bytes(written)
    screen.say(f"Wrote {out}. Upload it in Teams: Apps, Manage your apps, Upload an app.")


@command.command("check", short_help="Look at what is set, ask Microsoft, and say what to mend.")
@pass_invocation
def check(invocation: Invocation) -> None:
    """Look at the settings, ask Microsoft for a token and keys: exit code 1 when something is to be mended.

    Nothing is changed, nothing is posted. With teams.mode = off the settings are looked at as for `on`.
    """
    settings = invocation.settings()
    examine = EXTRA.module("setup.check").examine
    findings: list[TeamsFinding] = run(examine(_config(settings), SystemClock(), url=settings.public_url))
    connecting.show(findings, WORDS)
    if settings.teams.mode == "off":
        screen.say("All is well, and teams.mode is off: set it to on.", "yellow")
    else:
        screen.say("Teams can be used.", "green")


def offline(settings: Settings) -> "list[TeamsFinding]":
    """Return what the settings alone show; the extra has to be installed."""
    found: list[TeamsFinding] = EXTRA.module("setup.check").offline(_config(settings), url=settings.public_url)
    return found


def manifest_words(language: str) -> "ManifestWords":
    """Return what people read of the desk before they use it."""
    made: ManifestWords = EXTRA.module("setup.manifest").ManifestWords(
        short=say(language, "teams_app.short"),
        full=say(language, "teams_app.full"),
        commands=tuple(_menu_line(language, command) for command in menu()),
    )
    return made


def menu() -> tuple[str, ...]:
    """Return what stands in the menu: help and home, then the verbs of the features that have words for it.

    They take turns, so that a feature with many verbs leaves room for the others.
    """
    builds = importlib.import_module("bot.compose.features").FEATURES
    named = [verbs_of(build.__module__.split(".")[1]) for build in builds]
    offered = [[verb.name for verb in verbs if has(verb.menu)] for verbs in named]
    turns = (name for turn in zip_longest(*offered) for name in turn if name)
    return tuple(islice(chain(("help", "home"), turns), MOST_COMMANDS))


def _config(settings: Settings) -> "TeamsConfig":
    # Imported by name: it brings much along that `--help` must not wait for.
    config: TeamsConfig = importlib.import_module("bot.compose.platforms").teams_config(settings)
    return replace(config, signed=settings.teams.mode != "test")


def _menu_line(language: str, command: str) -> "Command":
    title, key = f"teams_app.titles.{command}", command.replace(" ", "_")
    words = f"teams_app.does.{key}"
    made: Command = EXTRA.module("setup.manifest").Command(
        title=say(language, title) if has(title) else command,
        description=say(language, words if has(words) else f"menu.verbs.{key}"),
    )
    return made
