"""Whether an installation can work: looks at what is set, asks Microsoft, and returns findings; nothing is changed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from typing import ClassVar, Literal
from urllib.parse import urlsplit

from adapters.inbound.checks import InstallationFinding
from adapters.outbound.errors import NotAllowed
from adapters.outbound.health import Health, Trouble
from adapters.port import ChatClock, Unavailable
from adapters.teams.config import TeamsConfig
from adapters.teams.inbound.keys import Keys, KeysAway
from adapters.teams.inbound.webhook import PATH
from adapters.teams.wire.credentials import Credentials

Code = Literal[
    "unsigned", "app_id_missing", "app_id_kind", "tenant_missing", "tenant_kind", "secret_missing", "secret_is_its_id",
    "registration_set", "allowed_kind", "allowed_set", "address_private", "address_public",
    "domains_kind", "domains_missing", "domains_set",
    "token_refused", "token_good", "login_unreachable", "keys_unreachable", "keys_good",
]  # fmt: skip
GOOD: frozenset[str] = frozenset({"registration_set", "address_public", "domains_set", "token_good", "keys_good"})
NOTES: frozenset[str] = frozenset({"unsigned", "allowed_set", "address_private", "domains_missing"})

#: How the portal writes every id. The value of a secret never looks like this, the id of a secret does.
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_ONLY_HERE = ("localhost", ".local", ".localhost", ".internal")


@dataclass(frozen=True)
class TeamsFinding(InstallationFinding):
    """One answer about an installation in Teams."""

    code: Code
    good: ClassVar[frozenset[str]] = GOOD
    notes: ClassVar[frozenset[str]] = NOTES


class _Silent(Health):
    """Logs nothing: what is wrong becomes a finding."""

    def begins(self, trouble: Trouble, words: str) -> None:
        """Do nothing."""


def offline(config: TeamsConfig, *, url: str) -> list[TeamsFinding]:
    """Return what the settings alone show; `url` is the desk's public address."""
    known = [*_registration(config)] if config.signed else [TeamsFinding("unsigned")]
    return [*known, *_allowed(config), *([_address(url)] if config.signed else []), _domains(config)]


async def examine(config: TeamsConfig, clock: ChatClock, *, url: str) -> list[TeamsFinding]:
    """Return everything that was found, what is well too: the settings, a token, the keys of Teams."""
    found = offline(config, url=url)
    if config.signed:
        if TeamsFinding("registration_set", (config.app_id,)) in found:
            found.append(await _token(config, clock))
        found.append(await _keys(config, clock))
    return found


def _registration(config: TeamsConfig) -> Iterator[TeamsFinding]:
    wrong = [*_ids(config), *_secret(config.app_secret)]
    yield from wrong or [TeamsFinding("registration_set", (config.app_id,))]


def _ids(config: TeamsConfig) -> Iterator[TeamsFinding]:
    if not config.app_id:
        yield TeamsFinding("app_id_missing")
    elif not _ID.fullmatch(config.app_id):
        yield TeamsFinding("app_id_kind")
    if not config.tenant_id:
        yield TeamsFinding("tenant_missing")
    elif not _ID.fullmatch(config.tenant_id):
        yield TeamsFinding("tenant_kind")


def _secret(secret: str) -> Iterator[TeamsFinding]:
    if not secret.strip():
        yield TeamsFinding("secret_missing")
    elif _ID.fullmatch(secret.strip()):
        yield TeamsFinding("secret_is_its_id")


def _allowed(config: TeamsConfig) -> Iterator[TeamsFinding]:
    wrong = tuple(sorted(tenant for tenant in config.allowed_tenants if not _ID.fullmatch(tenant)))
    others = tuple(sorted(config.allowed_tenants - {*wrong, config.tenant_id}))
    if wrong:
        yield TeamsFinding("allowed_kind", wrong)
    if others:
        yield TeamsFinding("allowed_set", others)


def _address(url: str) -> TeamsFinding:
    if _is_public(url):
        return TeamsFinding("address_public", (f"{url.rstrip('/')}{PATH}",))
    return TeamsFinding("address_private", (url,))


def _is_public(url: str) -> bool:
    """Return whether Teams could reach an address, as far as its looks tell."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        return parts.scheme == "https" and ip_address(host).is_global
    except ValueError:
        return parts.scheme == "https" and "." in host and not host.endswith(_ONLY_HERE)


def _domains(config: TeamsConfig) -> TeamsFinding:
    wrong = tuple(sorted(domain for domain in config.email_domains if not _DOMAIN.fullmatch(domain)))
    if wrong:
        return TeamsFinding("domains_kind", wrong)
    return TeamsFinding(
        "domains_set" if config.email_domains else "domains_missing", tuple(sorted(config.email_domains))
    )


async def _token(config: TeamsConfig, clock: ChatClock) -> TeamsFinding:
    try:
        await Credentials(config, clock).token()
    except NotAllowed as error:
        return TeamsFinding("token_refused", (error.reason.removeprefix("no token: "),))
    except Unavailable as error:
        return TeamsFinding("login_unreachable", (config.login_url, error.reason.removeprefix("no token: ")))
    return TeamsFinding("token_good")


async def _keys(config: TeamsConfig, clock: ChatClock) -> TeamsFinding:
    keys = Keys(config.keys_url, clock, health=_Silent(clock, platform="Teams"))
    async with keys.open():
        try:
            await keys.find("")
        except KeysAway:
            return TeamsFinding("keys_unreachable", (config.keys_url,))
    return TeamsFinding("keys_good")
