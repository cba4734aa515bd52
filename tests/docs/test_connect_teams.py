"""`docs/how-to/connect-teams.md` done as it says: its settings are complete, its addresses and tables the code's."""

import re
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from adapters.teams.inbound.tokens import Reason
from adapters.teams.inbound.webhook import PATH
from bot.cli.platforms import teams
from bot.server import CannotServe, require_safe
from bot.settings import Settings, load
from tests.architecture.source import ROOT
from tests.cli.conftest import invoke
from tests.docs.pages import Page

SOURCE = ROOT / "docs" / "how-to" / "connect-teams.md"
PAGE = Page(SOURCE, SOURCE.read_text(encoding="utf-8"))
#: The settings in the order of the page: the address, the registration, the trial.
ADDRESS, REGISTRATION, TRIAL = (tomllib.loads(block) for block in PAGE.blocks("toml"))


@pytest.fixture
def followed(tmp_path: Path) -> Settings:
    """Return the settings of whoever did steps 1 to 3."""
    exported = dict(re.findall(r"^export DUTYDESK_TEAMS__(\w+)=(.+)$", PAGE.text, re.MULTILINE))
    given: dict[str, Any] = REGISTRATION["teams"] | {name.lower(): value for name, value in exported.items()}
    return load(home=tmp_path, web=ADDRESS["web"], teams=given)


def test_whoever_does_what_it_says_has_set_everything(followed: Settings) -> None:
    found = teams.offline(followed)

    assert followed.teams.mode == "on"
    assert {each.code: each.health for each in found} == {
        "registration_set": "good", "address_public": "good", "domains_set": "good",
    }  # fmt: skip


def test_the_messaging_endpoint_is_the_one_that_the_desk_has(followed: Settings) -> None:
    assert f"`{followed.public_url}{PATH}`" in PAGE.text
    assert f"pass `{PATH}` on to the desk" in PAGE.text


def test_the_package_is_written_where_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "dutydesk.toml").write_text("\n".join(PAGE.blocks("toml")[:2]), encoding="utf-8")
    (name,) = re.findall(r"^writes `(.+?)`", PAGE.text, re.MULTILINE)
    monkeypatch.chdir(tmp_path)

    done = invoke("teams", "package", home=tmp_path)

    assert done.exit_code == 0, done.output
    assert (tmp_path / name).exists()


def test_the_trial_can_be_used_at_once(tmp_path: Path) -> None:
    (tmp_path / "dutydesk.toml").write_text(PAGE.blocks("toml")[2], encoding="utf-8")
    (endpoint,) = re.findall(r"^npx .* -e (\S+)", PAGE.text, re.MULTILINE)

    done = invoke("teams", "check", home=tmp_path)

    assert done.exit_code == 0, done.output
    assert "Teams can be used." in done.output
    assert endpoint == f"{load(home=tmp_path).public_url}{PATH}"


def test_the_trial_is_refused_where_others_can_reach_it(tmp_path: Path) -> None:
    settings = load(home=tmp_path, teams=TRIAL["teams"], web={"host": "0.0.0.0", "insecure": True})

    with pytest.raises(CannotServe, match="believes whoever writes"):
        require_safe(settings, settings.web.host)


def test_every_reason_for_which_something_is_refused_is_explained() -> None:
    explained = re.findall(r"^\| (`.+?`) \|", PAGE.text.partition("| refused as |")[2], re.MULTILINE)
    named = {reason for line in explained for reason in re.findall(r"`(\w+)`", line)}
    files = ("inbound/webhook.py", "teams/inbound/webhook.py")
    doors = "".join((ROOT / "adapters" / name).read_text(encoding="utf-8") for name in files)

    assert named == {*get_args(Reason), *re.findall(r'Refused\("(\w+)"', doors)}
