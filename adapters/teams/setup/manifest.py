"""The app manifest: what Teams is told about the desk, and the same in other languages.

A test holds it against Microsoft's own JSON schema. Version 1.24, although there are newer ones: from 1.25 on an app
for teams has to be in shared and private channels, too, where the connector does not name everybody who reads along.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

VERSION = "1.24"
SCHEMAS = f"https://developer.microsoft.com/json-schemas/teams/v{VERSION}"
NAME = "Duty Desk"
#: The desk's green, behind its bell.
COLOUR = "#11604B"
COLOR_ICON, OUTLINE_ICON = "color.png", "outline.png"
SCOPES = ("personal", "team", "groupChat")
#: Without it a channel tells the desk only what mentions it.
LISTENING = ("ChannelMessage.Read.Group",)


@dataclass(frozen=True)
class Command:
    """A line of the command menu: what is put where people type, and what it does."""

    title: str
    description: str


@dataclass(frozen=True)
class ManifestWords:
    """What people read before they use the desk, in one language."""

    short: str
    full: str
    commands: tuple[Command, ...]


def manifest(
    app_id: str, *, url: str, words: ManifestWords, languages: tuple[str, ...], version: str, listen: bool = False
) -> dict[str, Any]:
    """Return the manifest as JSON; `url` is the desk's public https address.

    `languages` have a file with `localization`; `version` has to rise with each upload; `listen` asks for what is said
    without a mention.
    """
    made: dict[str, Any] = {
        "$schema": f"{SCHEMAS}/MicrosoftTeams.schema.json",
        "manifestVersion": VERSION,
        "version": version,
        "id": app_id,
        "developer": {"name": NAME, "websiteUrl": url, "privacyUrl": url, "termsOfUseUrl": url},
        "name": {"short": NAME},
        "description": {"short": words.short, "full": words.full},
        "icons": {"color": COLOR_ICON, "outline": OUTLINE_ICON},
        "accentColor": COLOUR,
        "localizationInfo": {
            "defaultLanguageTag": "en",
            "additionalLanguages": [{"languageTag": each, "file": file_of(each)} for each in languages],
        },
        "defaultInstallScope": "personal",
        "defaultGroupCapability": {"team": "bot", "groupchat": "bot"},
        "bots": [_bot(app_id, words)],
        "validDomains": [urlsplit(url).hostname],
    }
    return made | _listening(app_id) if listen else made


def localization(words: ManifestWords) -> dict[str, str]:
    """Return the file of another language."""
    return {
        "$schema": f"{SCHEMAS}/MicrosoftTeams.Localization.schema.json",
        "name.short": NAME,
        "description.short": words.short,
        "description.full": words.full,
        **dict(_localized(words)),
    }


def file_of(language: str) -> str:
    """Return the name of a language's file in the package."""
    return f"{language}.json"


def _localized(words: ManifestWords) -> Iterator[tuple[str, str]]:
    for index, command in enumerate(words.commands):
        yield f"bots[0].commandLists[0].commands[{index}].title", command.title
        yield f"bots[0].commandLists[0].commands[{index}].description", command.description


def _bot(app_id: str, words: ManifestWords) -> dict[str, Any]:
    commands = [{"title": each.title, "description": each.description} for each in words.commands]
    return {
        "botId": app_id,
        "scopes": list(SCOPES),
        "supportsFiles": True,
        "isNotificationOnly": False,
        "commandLists": [{"scopes": list(SCOPES), "commands": commands}],
    }


def _listening(app_id: str) -> dict[str, Any]:
    """Return the right that somebody grants for a team by adding the desk there."""
    return {
        # What `resource` says means nothing here, but without one the rights are not taken.
        "webApplicationInfo": {"id": app_id, "resource": f"api://{app_id}"},
        "authorization": {
            "permissions": {"resourceSpecific": [{"name": each, "type": "Application"} for each in LISTENING]}
        },
    }
