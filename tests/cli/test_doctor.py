"""The doctor names what is wrong and how to mend it, and changes nothing."""

import socket
from pathlib import Path

import pytest

from bot.cli.health.checks import Finding, Health, before_start
from bot.settings import load
from tests.cli.conftest import invoke

SLACK = {"mode": "http", "bot_token": "xoxb-1", "signing_secret": "s"}


def finding(what: str, home: Path, **settings: object) -> Finding:
    return next(each for each in before_start(load(home=home, **settings)) if each.what == what)


def test_a_fresh_home_can_start_and_is_left_alone(tmp_path: Path) -> None:
    done = invoke("doctor", home=tmp_path / "home")

    assert done.exit_code == 0, done.output
    assert "The desk can start." in done.output
    assert not (tmp_path / "home").exists()


def test_a_used_home_is_examined_inside(made_home: Path) -> None:
    done = invoke("doctor", "--settings", home=made_home)

    assert done.exit_code == 0, done.output
    assert "2 listed" in done.output
    assert "handbook: 3 pages" in done.output
    assert "web.port" in done.output


def test_a_misspelt_setting_is_found(tmp_path: Path) -> None:
    (tmp_path / "dutydesk.toml").write_text("[limits]\nmessages_per_hour = 3\n[wep]\nport = 1\n")

    with pytest.raises(Exception, match="messages_per_hour"):
        load(home=tmp_path)


def test_an_unknown_group_in_the_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "dutydesk.toml").write_text("[wep]\nport = 1\n")

    done = invoke("doctor", home=tmp_path)

    assert done.exit_code != 0
    assert "wep: there is no such setting" in str(done.exception)


def test_a_broken_people_file_is_found(home: Path) -> None:
    (home / "people.yaml").write_text("people: [{id: ada}]")

    done = invoke("doctor", home=home)

    assert done.exit_code == 1
    assert "wrong  people" in done.output


@pytest.mark.parametrize(
    ("settings", "what", "words"),
    [
        ({"database_url": "mysql://x"}, "database", "mysql"),
        ({"model": "nobody:model"}, "model", "nobody"),
        ({"web": {"host": "0.0.0.0"}}, "address", "no TLS"),
        ({"web": {"host": "0.0.0.0", "insecure": True}}, "address", "without TLS"),
        ({"slack": SLACK}, "slack address", "cannot be reached by Slack"),
        ({"slack": SLACK}, "slack people", "nobody in Slack"),
    ],
    ids=["database", "model", "open", "insecure", "slack-address", "slack-people"],
)
def test_what_cannot_work_is_found(tmp_path: Path, settings: dict[str, object], what: str, words: str) -> None:
    found = finding(what, tmp_path, **settings)

    assert found.health is not Health.GOOD
    assert words in found.found
    assert found.advice


def test_what_is_set_for_teams_is_looked_at_without_asking_anybody(tmp_path: Path) -> None:
    teams = {"mode": "on", "app_id": "desk", "app_secret": "s", "tenant_id": "t", "keys_url": "http://127.0.0.1:9/"}

    told = [each for each in before_start(load(home=tmp_path, teams=teams)) if each.what == "teams"]

    assert [each.found for each in told if each.health is Health.BAD] == [
        "teams.app_id is no id", "teams.tenant_id is no id",
    ]  # fmt: skip
    assert [each.found for each in told if each.health is Health.NOTE] == [
        "Teams can hardly reach http://127.0.0.1:8765", "nobody in Teams is linked to a person of people.yaml",
    ]  # fmt: skip
    assert all(each.advice for each in told[1:])


def test_a_port_in_use_is_found(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        found = finding("port", tmp_path, web={"port": taken.getsockname()[1]})

    assert found.health is Health.NOTE


def test_a_home_that_is_a_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert finding("home", tmp_path / "file").health is Health.BAD


def test_a_database_that_does_not_answer_is_found(tmp_path: Path) -> None:
    url = "postgresql://nobody@127.0.0.1:1/none"
    done = invoke("doctor", home=tmp_path / "home", env={"DUTYDESK_DATABASE_URL": url})

    assert done.exit_code == 1
    assert "does not answer" in done.output
