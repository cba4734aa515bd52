"""Whether an installation can work: asks Slack, and returns findings as data; the words are the command line's."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.inbound.checks import InstallationFinding
from adapters.slack.config import SlackConfig
from adapters.slack.setup.manifest import SCOPES

#: Seconds that Slack may take to answer.
TIMEOUT_S = 10

Mode = Literal["http", "socket"]
Code = Literal[
    "token_missing", "token_kind", "token_refused", "unreachable", "installed",
    "scopes_missing", "scopes_unneeded", "scopes_complete",
    "app_token_missing", "app_token_kind", "app_token_refused", "app_token_good",
    "secret_missing", "secret_set", "domains_missing", "domains_set",
]  # fmt: skip
GOOD: frozenset[str] = frozenset({"installed", "scopes_complete", "app_token_good", "secret_set", "domains_set"})
NOTES: frozenset[str] = frozenset({"scopes_unneeded", "domains_missing"})


@dataclass(frozen=True)
class SlackFinding(InstallationFinding):
    """One answer about an installation in Slack."""

    code: Code
    good: ClassVar[frozenset[str]] = GOOD
    notes: ClassVar[frozenset[str]] = NOTES


async def examine(config: SlackConfig, mode: Mode) -> list[SlackFinding]:
    """Return everything that was found, what is well too; nothing is changed in Slack."""
    async with aiohttp.ClientSession() as session:
        client = AsyncWebClient(
            token=config.bot_token, base_url=config.api_url, session=session, timeout=TIMEOUT_S, retry_handlers=[]
        )
        found = [*await _bot_token(config, client)]
        if mode == "socket":
            found.append(await _app_token(config, client))
        else:
            found.append(SlackFinding("secret_set" if config.signing_secret.strip() else "secret_missing"))
    found.append(_domains(config))
    return found


async def _bot_token(config: SlackConfig, client: AsyncWebClient) -> list[SlackFinding]:
    if not config.bot_token:
        return [SlackFinding("token_missing")]
    if not config.bot_token.startswith("xoxb-"):
        return [SlackFinding("token_kind")]
    try:
        told = await client.auth_test()
    except SlackApiError as error:
        return [SlackFinding("token_refused", (_error(error),))]
    except _NO_ANSWER as error:
        return [SlackFinding("unreachable", (config.api_url, type(error).__name__))]
    granted = {scope.strip() for scope in str(told.headers.get("x-oauth-scopes", "")).split(",") if scope.strip()}
    return [SlackFinding("installed", (str(told.get("team", "")), str(told.get("user", "")))), *_scopes(granted)]


def _scopes(granted: set[str]) -> Iterator[SlackFinding]:
    missing, unneeded = sorted(set(SCOPES) - granted), sorted(granted - set(SCOPES))
    yield SlackFinding("scopes_missing", tuple(missing)) if missing else SlackFinding("scopes_complete")
    if unneeded:
        yield SlackFinding("scopes_unneeded", tuple(unneeded))


async def _app_token(config: SlackConfig, client: AsyncWebClient) -> SlackFinding:
    if not config.app_token:
        return SlackFinding("app_token_missing")
    if not config.app_token.startswith("xapp-"):
        return SlackFinding("app_token_kind")
    try:
        # Hands out an address that nobody will use; it lapses by itself.
        await client.apps_connections_open(app_token=config.app_token)
    except SlackApiError as error:
        return SlackFinding("app_token_refused", (_error(error),))
    except _NO_ANSWER as error:
        return SlackFinding("unreachable", (config.api_url, type(error).__name__))
    return SlackFinding("app_token_good")


def _domains(config: SlackConfig) -> SlackFinding:
    return SlackFinding(
        "domains_set" if config.email_domains else "domains_missing", tuple(sorted(config.email_domains))
    )


#: AttributeError: slack_sdk takes every answer for JSON, also the page of a proxy.
_NO_ANSWER = (aiohttp.ClientError, OSError, TimeoutError, AttributeError)


def _error(error: SlackApiError) -> str:
    data: Any = error.response if isinstance(error.response, dict) else error.response.data
    return str(data.get("error") or "") if isinstance(data, dict) else ""
