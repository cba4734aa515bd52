"""The check finds what keeps an installation from working, against the local Teams."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from adapters.teams.config import TeamsConfig
from adapters.teams.setup.check import GOOD, TeamsFinding, examine, offline
from storage.clock import SystemClock
from tests.fakes.teams.local_teams import LocalTeams

URL = "https://desk.example.com"
OTHER = "99998888-7777-6666-5555-444433332222"
#: Nobody listens there.
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
async def teams() -> AsyncIterator[LocalTeams]:
    async with LocalTeams() as teams:
        yield teams


def config(teams: LocalTeams, **changed: Any) -> TeamsConfig:
    known: dict[str, Any] = {
        "app_id": teams.organisation.bot.app_id,
        "app_secret": teams.organisation.app_secret,
        "tenant_id": teams.organisation.tenant.id,
        "login_url": teams.login_url,
        "keys_url": teams.keys_url,
        "email_domains": frozenset({"harbour.example"}),
    }
    return TeamsConfig(**(known | changed))


async def examined(teams: LocalTeams, *, url: str = URL, **changed: Any) -> list[TeamsFinding]:
    return await examine(config(teams, **changed), SystemClock(), url=url)


def bad(found: Sequence[TeamsFinding]) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.code, each.details) for each in found if each.health == "bad"]


async def test_a_complete_installation_is_well(teams: LocalTeams) -> None:
    found = await examined(teams)

    assert {each.code for each in found} == GOOD
    assert {each.health for each in found} == {"good"}
    assert TeamsFinding("address_public", (f"{URL}/api/messages",)) in found


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"app_id": ""}, "app_id_missing"),
        ({"app_id": "duty-desk"}, "app_id_kind"),
        ({"tenant_id": ""}, "tenant_missing"),
        ({"tenant_id": "harbour.onmicrosoft.com"}, "tenant_kind"),
        ({"app_secret": " "}, "secret_missing"),
        ({"app_secret": OTHER}, "secret_is_its_id"),
    ],
)
async def test_what_is_not_set_is_named_and_no_token_is_asked_for(
    teams: LocalTeams, changed: dict[str, Any], code: str
) -> None:
    found = await examined(teams, **changed)

    assert bad(found) == [(code, ())]
    assert teams.server.logins.requests == []


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"app_secret": "wrong"}, "AADSTS7000215"),
        ({"app_id": OTHER}, "AADSTS700016"),
        ({"tenant_id": OTHER}, "AADSTS90002"),
    ],
)
async def test_a_refused_token_is_told_in_microsofts_word(
    teams: LocalTeams, changed: dict[str, Any], reason: str
) -> None:
    assert bad(await examined(teams, **changed)) == [("token_refused", (reason,))]


async def test_a_login_server_and_keys_that_are_not_there_are_told(teams: LocalTeams) -> None:
    found = bad(await examined(teams, login_url=NOWHERE, keys_url=f"{NOWHERE}/keys"))

    assert [code for code, _ in found] == ["login_unreachable", "keys_unreachable"]
    assert [details[0] for _, details in found] == [NOWHERE, f"{NOWHERE}/keys"]


async def test_keys_that_are_none_are_told(teams: LocalTeams) -> None:
    assert bad(await examined(teams, keys_url=f"{teams.server.base_url}/login/common/discovery/instance")) == [
        ("keys_unreachable", (f"{teams.server.base_url}/login/common/discovery/instance",))
    ]


@pytest.mark.parametrize(
    "url",
    [
        "http://desk.example.com", "https://127.0.0.1:8765", "https://localhost", "https://192.168.0.7", "https://desk",
        "https://desk.local",
    ],
)  # fmt: skip
async def test_an_address_that_teams_can_hardly_reach_is_a_note(teams: LocalTeams, url: str) -> None:
    found = offline(config(teams), url=url)

    assert TeamsFinding("address_private", (url,)) in found
    assert bad(found) == []


async def test_other_tenants_are_named_and_what_is_no_id_is_refused(teams: LocalTeams) -> None:
    own = teams.organisation.tenant.id
    found = offline(config(teams, allowed_tenants=frozenset({own, OTHER, "fabrikam.example"})), url=URL)

    assert bad(found) == [("allowed_kind", ("fabrikam.example",))]
    assert TeamsFinding("allowed_set", (OTHER,)) in found


@pytest.mark.parametrize("domain", ["@harbour.example", "harbour", "ada@harbour.example", "harbour.example "])
async def test_what_is_no_domain_is_refused(teams: LocalTeams, domain: str) -> None:
    assert bad(offline(config(teams, email_domains=frozenset({domain})), url=URL)) == [("domains_kind", (domain,))]


async def test_without_domains_nobody_is_linked(teams: LocalTeams) -> None:
    found = offline(config(teams, email_domains=frozenset()), url=URL)

    assert (found[-1].code, found[-1].health) == ("domains_missing", "note")


async def test_a_test_client_needs_no_registration_and_nobody_is_asked(teams: LocalTeams) -> None:
    found = await examined(teams, signed=False, app_id="", app_secret="", tenant_id="")

    assert [each.code for each in found] == ["unsigned", "domains_set"]
    assert bad(found) == []
    assert (teams.server.logins.requests, teams.server.keys.asked) == ([], 0)


def test_no_secret_is_shown_by_the_configuration() -> None:
    assert "hush" not in repr(TeamsConfig(app_secret="hush"))
