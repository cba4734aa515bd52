"""`dutydesk slack` prints what to paste, and says what to mend."""

import json
from pathlib import Path
from typing import get_args

import pytest
import yaml

from adapters.slack.setup.check import GOOD, NOTES, Code
from adapters.slack.setup.manifest import PATH, manifest
from bot.cli.platforms.slack import WORDS
from tests.cli.conftest import invoke

URL = "https://desk.example.com"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def configure(home: Path, text: str) -> None:
    (home / "dutydesk.toml").write_text(text, encoding="utf-8")


def test_the_manifest_is_yaml_and_nothing_else(home: Path) -> None:
    done = invoke("slack", "manifest", "--socket", home=home)

    assert done.exit_code == 0, done.output
    assert yaml.safe_load(done.stdout) == manifest(mode="socket")


def test_the_manifest_as_json_for_http(home: Path) -> None:
    done = invoke("slack", "manifest", "--http", URL, "--json", home=home)

    assert json.loads(done.stdout) == manifest(url=URL, mode="http")


def test_without_options_the_settings_decide(home: Path) -> None:
    configure(home, f'[web]\nurl = "{URL}"\n[slack]\nmode = "http"\nbot_token = "xoxb-1"\nsigning_secret = "s"\n')

    assert f"{URL}{PATH}" in invoke("slack", "manifest", home=home).stdout


def test_the_options_do_not_wait_for_settings_that_are_made_with_the_manifest(home: Path) -> None:
    configure(home, '[slack]\nmode = "http"\n')

    assert invoke("slack", "manifest", "--http", URL, home=home).exit_code == 0


@pytest.mark.parametrize(
    "arguments", [["--http", "http://desk.example.com"], ["--http", URL, "--socket"], ["--http", "desk.example.com"]]
)
def test_wrong_use_ends_with_two_and_says_why(home: Path, arguments: list[str]) -> None:
    done = invoke("slack", "manifest", *arguments, home=home)

    assert done.exit_code == 2
    assert "--socket" in done.output


def test_an_address_that_slack_cannot_reach_is_refused(home: Path) -> None:
    configure(home, '[slack]\nmode = "http"\nbot_token = "xoxb-1"\nsigning_secret = "s"\n')

    done = invoke("slack", "manifest", home=home)

    assert done.exit_code == 2
    assert "https://" in done.output


def test_the_check_says_what_to_mend_and_ends_with_one(home: Path) -> None:
    done = invoke("slack", "check", home=home)

    assert done.exit_code == 1
    assert "no bot token" in done.output
    assert "slack.bot_token" in done.output
    assert "2 to mend." in done.output


def test_the_check_shows_no_secret(home: Path) -> None:
    configure(home, '[slack]\nbot_token = "xoxp-hush"\nsigning_secret = "hush-hush"\n')

    done = invoke("slack", "check", home=home)

    assert done.exit_code == 1
    assert "hush" not in done.output


def test_every_finding_has_words_and_all_that_is_amiss_advice() -> None:
    codes = set(get_args(Code))

    assert set(WORDS) == codes
    assert {code for code in codes - GOOD if not WORDS[code][1]} == set()
    assert codes >= NOTES
