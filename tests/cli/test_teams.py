"""`dutydesk teams` writes what to upload, and says what to mend."""

import json
from pathlib import Path
from typing import Any, get_args
from zipfile import ZipFile

import pytest

from adapters.teams.setup.check import GOOD, NOTES, Code
from bot.cli.platforms.teams import TRANSLATED, WORDS, manifest_words, menu
from bot.rendering.commands import Ask, Call, Command, Help, Status, Usage
from features.anatomy.texts import LANGUAGES
from tests.adapters.teams.test_manifest import complaints
from tests.cli.conftest import invoke
from tests.fixtures.features import grammar

URL = "https://desk.example.com"
APP_ID = "11112222-3333-4444-5555-666677778888"
#: What Teams shows of a line of the command menu, and how many lines; Microsoft's schema allows more.
TITLE_MAX, DESCRIPTION_MAX, LINES_MAX = 32, 128, 10


@pytest.fixture
def home(tmp_path: Path) -> Path:
    configure(tmp_path, f'[web]\nurl = "{URL}"\n[teams]\napp_id = "{APP_ID}"\n')
    return tmp_path


def configure(home: Path, text: str) -> None:
    (home / "dutydesk.toml").write_text(text, encoding="utf-8")


def written(home: Path, *arguments: str) -> dict[str, Any]:
    """Write a package and return its JSON files by name."""
    out = home / "made.zip"
    done = invoke("teams", "package", "--out", str(out), *arguments, home=home)
    assert done.exit_code == 0, done.output
    assert str(out) in done.output
    with ZipFile(out) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}


@pytest.mark.parametrize("listen", [False, True])
def test_microsofts_schemas_take_the_whole_package(home: Path, listen: bool) -> None:
    files = written(home, *(["--listen"] if listen else []))

    assert set(files) == {"manifest.json", *(f"{language}.json" for language in TRANSLATED)}
    assert complaints(files["manifest.json"], "MicrosoftTeams.schema") == []
    for language in TRANSLATED:
        assert complaints(files[f"{language}.json"], "MicrosoftTeams.Localization.schema") == []
    assert ("authorization" in files["manifest.json"]) is listen


def test_the_settings_fill_it_in(home: Path) -> None:
    made = written(home)["manifest.json"]

    assert (made["id"], made["developer"]["websiteUrl"]) == (APP_ID, URL)
    assert made["version"].count(".") == 2


def test_options_go_before_settings(home: Path) -> None:
    made = written(home, "--url", "https://other.example.org/", "--app-version", "3.2.1")["manifest.json"]

    assert made["validDomains"] == ["other.example.org"]
    assert made["developer"]["websiteUrl"] == "https://other.example.org"
    assert made["version"] == "3.2.1"


@pytest.mark.parametrize(
    "arguments", [["--url", "http://desk.example.com"], ["--url", "desk.example.com"], ["--app-version", "1.0"]]
)
def test_wrong_use_ends_with_two_and_writes_nothing(home: Path, arguments: list[str]) -> None:
    out = home / "made.zip"

    done = invoke("teams", "package", "--out", str(out), *arguments, home=home)

    assert done.exit_code == 2
    assert arguments[1] in done.output
    assert not out.exists()


def test_without_an_app_id_there_is_nothing_to_write(home: Path) -> None:
    configure(home, f'[web]\nurl = "{URL}"\n')

    done = invoke("teams", "package", "--out", str(home / "made.zip"), home=home)

    assert done.exit_code == 1
    assert "teams.app_id" in done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_the_menu_is_short_enough(language: str) -> None:
    words = manifest_words(language)

    assert len(words.short) <= 80
    assert len(words.commands) == len(menu()) <= LINES_MAX
    assert [each for each in words.commands if len(each.title) > TITLE_MAX] == []
    assert [each for each in words.commands if len(each.description) > DESCRIPTION_MAX] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desk_understands_every_line_of_the_menu(language: str) -> None:
    """What the menu puts where people type is a command, alone or with what the example says behind it."""
    kinds = [type(parse(each.title if each.title != "ask" else "ask x")) for each in words_of(language)]
    tools = {command.tool for each in words_of(language) if isinstance(command := parse(example(each)), Call)}

    assert kinds == [Help, Status, Usage, Ask, Usage, Call, Call, Call, Call, Usage]
    assert tools == {
        "draft_ticket", "list_tickets", "show_ticket", "comment_ticket", "set_reminder", "list_reminders",
        "show_settings",
    }  # fmt: skip


def words_of(language: str) -> Any:
    return manifest_words(language).commands


def parse(line: str) -> Command | None:
    return grammar().parse(line, bare=True)


def example(line: Any) -> str:
    """Return the command that a description gives as an example, the title where it gives none."""
    _, found, rest = line.description.partition(line.title)
    return f"{found}{rest}" or line.title


def test_the_check_says_what_to_mend_and_ends_with_one(home: Path) -> None:
    configure(home, '[teams]\nkeys_url = "http://127.0.0.1:9/keys"\n')

    done = invoke("teams", "check", home=home)

    assert done.exit_code == 1
    assert "there is no app id" in done.output
    assert "Set teams.app_secret" in done.output
    assert "no keys of Teams from http://127.0.0.1:9/keys" in done.output
    assert "4 to mend." in done.output


def test_a_test_client_can_be_used_at_once(home: Path) -> None:
    configure(home, '[teams]\nmode = "test"\n')

    done = invoke("teams", "check", home=home)

    assert done.exit_code == 0, done.output
    assert "whoever reaches the port is believed" in done.output
    assert "Teams can be used." in done.output


def test_the_check_shows_no_secret(home: Path) -> None:
    configure(home, '[teams]\napp_secret = "hush-hush"\nkeys_url = "http://127.0.0.1:9/keys"\n')

    assert "hush" not in invoke("teams", "check", home=home).output


def test_every_finding_has_words_and_all_that_is_amiss_advice() -> None:
    codes = set(get_args(Code))

    assert set(WORDS) == codes
    assert {code for code in codes - GOOD if not WORDS[code][1]} == set()
    assert codes >= NOTES
