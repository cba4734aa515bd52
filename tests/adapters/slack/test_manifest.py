"""The manifest and the code agree both ways, and Slack would take it."""

import ast
from pathlib import Path
from typing import Any

import pytest

from adapters.slack.inbound.events import EVENTS
from adapters.slack.inbound.presses import SHORTCUTS
from adapters.slack.setup import manifest as written
from adapters.slack.setup.manifest import COMMAND, PATH, SCOPES, manifest
from tests.fakes.slack.api import METHODS
from tests.fakes.slack.app_settings import EVENT_SCOPES, AppSettings

ADAPTER = Path(written.__file__).parent.parent
URL = "https://desk.example.com"
#: docs.slack.dev/reference/app-manifest
LIMITS = {
    "display_information.name": 35,
    "display_information.description": 140,
    "features.agent_view.agent_description": 300,
    "features.bot_user.display_name": 80,
    "features.shortcuts.*.name": 24,
    "features.shortcuts.*.description": 150,
    "features.shortcuts.*.callback_id": 255,
    "features.slash_commands.*.command": 32,
    "features.slash_commands.*.description": 2000,
    "features.slash_commands.*.usage_hint": 1000,
}


def at(made: Any, path: str) -> list[Any]:
    """Return every value under a dotted path; `*` goes through a list."""
    found = [made]
    for name in path.split("."):
        found = [inner for each in found for inner in (each if name == "*" else [each[name]])]
    return found


def test_every_event_that_is_handled_is_subscribed_to_and_no_other() -> None:
    subscribed = manifest()["settings"]["event_subscriptions"]["bot_events"]

    assert {each.partition(".")[0] for each in subscribed} == set(EVENTS)
    assert len(subscribed) == len(set(subscribed))


def test_messages_of_every_kind_of_conversation_are_subscribed_to() -> None:
    subscribed = manifest()["settings"]["event_subscriptions"]["bot_events"]

    assert {each for each in subscribed if each.startswith("message.")} == {
        "message.channels", "message.groups", "message.im", "message.mpim",
    }  # fmt: skip


def test_every_shortcut_and_the_command_are_in_it() -> None:
    features = manifest()["features"]

    assert {each["callback_id"] for each in features["shortcuts"]} == set(SHORTCUTS)
    assert [each["command"] for each in features["slash_commands"]] == [COMMAND]


def test_every_event_has_its_scope() -> None:
    subscribed = manifest()["settings"]["event_subscriptions"]["bot_events"]

    assert {EVENT_SCOPES[each] for each in subscribed if each in EVENT_SCOPES} <= set(SCOPES)


def test_every_scope_is_needed_and_none_is_missing() -> None:
    called = {name for path in ADAPTER.rglob("*.py") for name in methods_in(path)}
    by_methods = {scope for name in called for scope in METHODS[name].scopes} - set(written.APP_SCOPES)
    by_events = {EVENT_SCOPES[each] for each in written.EVENTS if each in EVENT_SCOPES}
    by_kinds = {f"{kind}:read" for kind in ("channels", "groups", "im", "mpim")}  # conversations.info and .members

    assert {"conversations.members", "users.info", "chat.postMessage", "views.open"} <= called
    assert by_methods | by_events | by_kinds | {"commands", "users:read.email"} == set(SCOPES)


def methods_in(path: Path) -> set[str]:
    """Return the methods of the Web API that a module names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {str(each.value) for each in ast.walk(tree) if isinstance(each, ast.Constant)} & set(METHODS)


@pytest.mark.parametrize("path", LIMITS)
def test_nothing_is_longer_than_slack_allows(path: str) -> None:
    values = at(manifest(url=URL, mode="http"), path)
    assert values
    assert [value for value in values if not 0 < len(value) <= LIMITS[path]] == []


def test_http_names_the_address_everywhere() -> None:
    made = manifest(url=f"{URL}/", mode="http")
    app = AppSettings.of(made)

    assert app.events_url == app.interactivity_url == app.commands[COMMAND] == f"{URL}{PATH}"
    assert (app.socket_mode, app.interactivity, app.home_tab, app.messages_tab) == (False, True, True, True)


def test_socket_mode_names_no_address() -> None:
    made = manifest(mode="socket")
    app = AppSettings.of(made)

    assert (app.socket_mode, app.interactivity) == (True, True)
    assert "http" not in str(made)
    assert "request_url" not in str(made)


def test_people_may_write_in_the_messages_tab() -> None:
    assert manifest()["features"]["app_home"]["messages_tab_read_only_enabled"] is False
