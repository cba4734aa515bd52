"""Microsoft's own schema takes the manifest, and it asks for no more than was wanted."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema_rs import Draft4Validator

from adapters.teams.setup.manifest import LISTENING, VERSION, localization, manifest
from tests.adapters.teams.manifest_words import APP_ID, CHINESE, ENGLISH, URL

SCHEMAS = Path(__file__).parents[2] / "fixtures" / "teams_schemas"


def made(**changed: Any) -> dict[str, Any]:
    """Return a manifest."""
    known: dict[str, Any] = {"url": URL, "words": ENGLISH, "languages": ("zh",), "version": "1.2.0"}
    return manifest(APP_ID, **(known | changed))


def complaints(made: Mapping[str, Any], schema: str) -> list[str]:
    """Return what Microsoft's schema has against a file of the package."""
    text = (SCHEMAS / f"{schema}.json").read_text(encoding="utf-8")
    return [each.message for each in Draft4Validator(json.loads(text), validate_formats=True).iter_errors(made)]


@pytest.mark.parametrize("listen", [False, True])
def test_microsofts_schema_takes_the_manifest(listen: bool) -> None:
    assert complaints(made(listen=listen), "MicrosoftTeams.schema") == []


def test_microsofts_schema_takes_the_other_language() -> None:
    assert complaints(localization(CHINESE), "MicrosoftTeams.Localization.schema") == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("id", "desk"), ("accentColor", "green"), ("name", {"short": "D" * 31}), ("tab", []), ("bots", [{}])],
)
def test_the_schema_does_refuse(name: str, wrong: object) -> None:
    assert complaints(made() | {name: wrong}, "MicrosoftTeams.schema") != []


def test_both_files_name_the_schema_of_their_version() -> None:
    named = {made()["$schema"], localization(CHINESE)["$schema"]}

    assert made()["manifestVersion"] == VERSION
    assert named == {
        f"https://developer.microsoft.com/json-schemas/teams/v{VERSION}/MicrosoftTeams.schema.json",
        f"https://developer.microsoft.com/json-schemas/teams/v{VERSION}/MicrosoftTeams.Localization.schema.json",
    }


def test_the_app_is_the_bot_wherever_people_talk() -> None:
    (bot,) = made()["bots"]

    assert made()["id"] == bot["botId"] == APP_ID
    assert set(bot["scopes"]) == {"personal", "team", "groupChat"}
    assert bot["isNotificationOnly"] is False


def test_no_right_is_asked_for_unless_it_is_to_listen() -> None:
    assert "authorization" not in made()
    assert "webApplicationInfo" not in made()


def test_listening_asks_for_one_right_and_no_other() -> None:
    listening = made(listen=True)
    asked = listening["authorization"]["permissions"]["resourceSpecific"]

    assert [(each["name"], each["type"]) for each in asked] == [("ChannelMessage.Read.Group", "Application")]
    assert len(LISTENING) == 1
    assert listening["webApplicationInfo"]["id"] == APP_ID
    assert listening["webApplicationInfo"]["resource"]


def test_the_desks_address_is_its_only_domain() -> None:
    assert made(url="https://desk.example.com:8443/under")["validDomains"] == ["desk.example.com"]


def test_every_command_has_its_words_in_the_other_language() -> None:
    other = localization(CHINESE)
    (menu,) = made()["bots"][0]["commandLists"]

    assert [each["title"] for each in menu["commands"]] == ["help", "ticket list"]
    assert set(menu["scopes"]) == {"personal", "team", "groupChat"}
    assert [other[f"bots[0].commandLists[0].commands[{index}].title"] for index in (0, 1)] == ["帮助", "ticket list"]
    assert other["bots[0].commandLists[0].commands[1].description"] == "您的工单"


def test_the_desk_stays_out_of_channels_whose_readers_it_cannot_know() -> None:
    """Manifests from 1.25 on have to promise to work in shared and private channels."""
    assert tuple(int(part) for part in VERSION.split(".")) < (1, 25)
    assert "supportsChannelFeatures" not in made()
