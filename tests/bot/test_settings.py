"""Settings: arguments before environment before file, and one plain line for each wrong one."""

from pathlib import Path

import pytest

from bot.settings import SettingsInvalid, load


def write(home: Path, text: str) -> Path:
    (home / "dutydesk.toml").write_text(text, encoding="utf-8")
    return home


def test_the_file_in_the_home_is_read(tmp_path: Path) -> None:
    settings = load(home=write(tmp_path, 'language = "zh"\n[web]\nport = 9000\n'))

    assert (settings.language, settings.web.port, settings.web.host) == ("zh", 9000, "127.0.0.1")


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUTYDESK_WEB__PORT", "9001")
    monkeypatch.setenv("DUTYDESK_MODEL", "openai:gpt-5")
    settings = load(home=write(tmp_path, "[web]\nport = 9000\n"))

    assert settings.web.port == 9001
    assert settings.agent_config.model.name == "openai:gpt-5"


def test_every_wrong_setting_is_named_at_once(tmp_path: Path) -> None:
    home = write(tmp_path, 'language = "fr"\n[web]\nport = 90000\ncolour = "red"\n')
    with pytest.raises(SettingsInvalid) as caught:
        load(home=home)

    assert all(name in str(caught.value) for name in ("language", "web.port", "web.colour: there is no such setting"))


def test_broken_toml_says_which_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"dutydesk\.toml is not valid TOML"):
        load(home=write(tmp_path, "language = \n"))


def test_a_category_of_ones_own_needs_known_fields(tmp_path: Path) -> None:
    home = write(tmp_path, '[tickets.categories.fleet]\nlabels = { en = "Fleet" }\nrequired = ["plate"]\n')
    with pytest.raises(SettingsInvalid, match="plate"):
        load(home=home)


@pytest.mark.parametrize("url", ["postgresql://u:p@db/desk", "postgres://u:p@db/desk"])
def test_a_plain_postgresql_address_gets_its_driver(tmp_path: Path, url: str) -> None:
    settings = load(home=tmp_path, database_url=url)

    assert settings.resolved_database_url == "postgresql+psycopg://u:p@db/desk"
    assert not settings.owns_database


@pytest.mark.parametrize(
    ("mode", "given", "missing"),
    [
        ("http", {}, "bot_token and signing_secret"),
        ("http", {"bot_token": "xoxb-1"}, "signing_secret"),
        ("socket", {"bot_token": "xoxb-1", "signing_secret": "s"}, "app_token"),
    ],
)
def test_a_way_into_slack_without_its_secrets_is_named(
    tmp_path: Path, mode: str, given: dict[str, str], missing: str
) -> None:
    with pytest.raises(SettingsInvalid, match=f"slack: .*mode {mode} needs {missing} too") as caught:
        load(home=tmp_path, slack={"mode": mode, **given})

    assert "xoxb-1" not in str(caught.value)


def test_secrets_of_slack_are_not_printed(tmp_path: Path) -> None:
    slack = {"mode": "socket", "bot_token": "xoxb-hidden", "app_token": "xapp-hidden"}
    settings = load(home=tmp_path, slack=slack)

    assert "hidden" not in repr(settings)


TEAMS = {"mode": "on", "app_id": "a", "app_secret": "s", "tenant_id": "t"}


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"app_id": ""}, "teams: .*mode on needs app_id too"),
        ({"app_secret": "", "tenant_id": ""}, "needs app_secret and tenant_id too"),
        ({"keys_url": "http://login.example.com/keys"}, "keys_url has to begin with https://"),
        ({"login_url": "ftp://127.0.0.1"}, "login_url has to begin with https://"),
    ],
)
def test_teams_is_not_served_without_what_keeps_it_safe(tmp_path: Path, wrong: dict[str, str], told: str) -> None:
    assert load(home=tmp_path, teams=TEAMS).teams.mode == "on"
    with pytest.raises(SettingsInvalid, match=told):
        load(home=tmp_path, teams={**TEAMS, **wrong})


def test_a_misspelt_setting_of_the_file_is_named(tmp_path: Path) -> None:
    home = write(tmp_path, 'modle = "rules"\n[serch]\nx = 1\n')

    with pytest.raises(SettingsInvalid, match=r"modle: there is no such setting\nserch: there is no such setting"):
        load(home=home)


def test_a_misspelt_variable_is_named_and_others_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DUTYDESK_ORDERS_PASSWORD", "kept for datasources.yaml")
    load(home=tmp_path)
    monkeypatch.setenv("DUTYDESK_PEPOLE_FILE", "people.yaml")

    with pytest.raises(SettingsInvalid, match="DUTYDESK_PEPOLE_FILE: there is no such setting; DUTYDESK_PEOPLE_FILE"):
        load(home=tmp_path)
