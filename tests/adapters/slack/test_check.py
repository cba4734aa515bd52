"""The check finds what keeps an installation from working, against the local Slack."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from adapters.slack.config import SlackConfig
from adapters.slack.setup.check import SlackFinding, examine
from adapters.slack.setup.manifest import SCOPES
from tests.fakes.slack.local_slack import LocalSlack
from tests.fakes.slack.workspace import SlackWorkspace


@pytest.fixture
async def slack() -> AsyncIterator[LocalSlack]:
    async with LocalSlack(workspace=SlackWorkspace(scopes=tuple(SCOPES))) as slack:
        yield slack


def config(slack: LocalSlack, **changed: Any) -> SlackConfig:
    known: dict[str, Any] = {
        "bot_token": slack.workspace.bot_token.value,
        "signing_secret": slack.workspace.signing_secret,
        "app_token": slack.workspace.app_token.value,
        "api_url": slack.url,
        "email_domains": frozenset({"harbour.example"}),
    }
    return SlackConfig(**(known | changed))


def bad(found: Sequence[SlackFinding]) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.code, each.details) for each in found if each.health == "bad"]


@pytest.mark.parametrize(("mode", "last"), [("http", "secret_set"), ("socket", "app_token_good")])
async def test_a_complete_installation_is_well(slack: LocalSlack, mode: Any, last: str) -> None:
    found = await examine(config(slack), mode)

    assert [each.code for each in found] == ["installed", "scopes_complete", last, "domains_set"]
    assert {each.health for each in found} == {"good"}
    assert found[0].details == ("Harbour", "desk")


async def test_missing_scopes_are_named(slack: LocalSlack) -> None:
    slack.workspace.scopes -= {"im:history", "chat:write"}

    assert bad(await examine(config(slack), "http")) == [("scopes_missing", ("chat:write", "im:history"))]


async def test_scopes_too_many_are_a_note(slack: LocalSlack) -> None:
    slack.workspace.scopes |= {"files:write"}

    found = await examine(config(slack), "http")

    assert SlackFinding("scopes_unneeded", ("files:write",)) in found
    assert bad(found) == []


async def test_a_revoked_token_is_told_in_slacks_word(slack: LocalSlack) -> None:
    slack.workspace.revoke()

    assert bad(await examine(config(slack), "http")) == [("token_refused", ("token_revoked",))]


@pytest.mark.parametrize(
    ("changed", "mode", "code"),
    [
        ({"bot_token": ""}, "http", "token_missing"),
        ({"bot_token": "xoxp-1"}, "http", "token_kind"),
        ({"signing_secret": " "}, "http", "secret_missing"),
        ({"app_token": ""}, "socket", "app_token_missing"),
        ({"app_token": "xoxb-1"}, "socket", "app_token_kind"),
    ],
)
async def test_what_is_not_set_is_named(slack: LocalSlack, changed: dict[str, Any], mode: Any, code: str) -> None:
    assert bad(await examine(config(slack, **changed), mode)) == [(code, ())]


async def test_an_app_token_that_slack_refuses_is_told(slack: LocalSlack) -> None:
    assert bad(await examine(config(slack, app_token="xapp-9-wrong"), "socket")) == [
        ("app_token_refused", ("invalid_auth",))
    ]


async def test_a_slack_that_is_not_there_is_told(slack: LocalSlack) -> None:
    found = await examine(config(slack, api_url="http://127.0.0.1:9/api/"), "socket")

    assert [code for code, _ in bad(found)] == ["unreachable", "unreachable"]
    assert found[0].details[0] == "http://127.0.0.1:9/api/"


async def test_without_domains_nobody_is_linked(slack: LocalSlack) -> None:
    found = await examine(config(slack, email_domains=frozenset()), "http")

    assert (found[-1].code, found[-1].health) == ("domains_missing", "note")


async def test_the_check_posts_nothing(slack: LocalSlack) -> None:
    await examine(config(slack), "socket")

    assert {call.method for call in slack.workspace.calls} == {"auth.test", "apps.connections.open"}


def test_no_secret_is_shown_by_the_configuration(slack: LocalSlack) -> None:
    assert not any(
        secret in repr(config(slack))
        for secret in (
            slack.workspace.bot_token.value, slack.workspace.signing_secret, slack.workspace.app_token.value,
        )
    )  # fmt: skip
