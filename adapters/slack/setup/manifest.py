"""The app manifest, from the code: what an operator pastes into Slack so that everything the desk does is allowed.

A test holds it against what `inbound` reads and against the scopes of the methods that are called.
"""

from collections.abc import Mapping
from typing import Any, Literal

from adapters.slack.inbound.presses import SHORTCUTS

#: Where Slack posts, below the desk's public address: events, commands and everything interactive.
PATH = "/slack/events"
NAME = "Duty Desk"
COMMAND = "/desk"

#: What the bot token has to be allowed, and what for.
SCOPES: Mapping[str, str] = {
    "app_mentions:read": "hear who names the desk",
    "assistant:write": "suggested prompts",
    "channels:history": "follow up in threads without a mention",
    "channels:read": "know who reads along in a channel",
    "chat:write": "answer",
    "commands": "the slash command and the shortcut",
    "files:read": "read files that are sent to the desk",
    "groups:history": "the same in private channels",
    "groups:read": "know who reads along there",
    "im:history": "hear direct messages",
    "im:read": "know whose direct message it is",
    "im:write": "begin a direct message",
    "mpim:history": "the same in group messages",
    "mpim:read": "know who reads along there",
    "users:read": "names, languages, and who is a guest",
    "users:read.email": "link people by their company address",
}
#: What the app-level token of Socket Mode has to be allowed.
APP_SCOPES = ("connections:write",)
EVENTS = (
    "app_home_opened",
    "app_mention",
    "app_uninstalled",
    "member_joined_channel",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "tokens_revoked",
)


def manifest(*, url: str = "", mode: Literal["http", "socket"] = "socket") -> dict[str, Any]:
    """Return the manifest as JSON; `url` is the desk's public https address, for `http` alone."""
    request_url = {"request_url": f"{url.rstrip('/')}{PATH}"} if mode == "http" else {}
    command: dict[str, Any] = {
        "command": COMMAND,
        "description": "Ask the duty desk, follow your tickets",
        "usage_hint": "help | ask How do I reset my password? | ticket list",
        "should_escape": False,
    }
    if mode == "http":
        command["url"] = request_url["request_url"]
    return {
        "_metadata": {"major_version": 2, "minor_version": 1},
        "display_information": {
            "name": NAME,
            "description": "Answers from your documents with citations, and tickets after one button.",
            "background_color": "#1f3a5f",
        },
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "agent_view": {
                "agent_description": (
                    "Answers questions from your company's documents and says where each sentence comes from. "
                    "Drafts tickets, files them when you confirm, and follows them up."
                )
            },
            "bot_user": {"display_name": NAME, "always_online": True},
            "shortcuts": [
                {
                    "name": "Ticket from this message",
                    "type": "message",
                    "callback_id": callback_id,
                    "description": "Draft a ticket from what is said here; nothing is filed before you confirm.",
                }
                for callback_id in SHORTCUTS
            ],
            "slash_commands": [command],
        },
        "oauth_config": {"scopes": {"bot": list(SCOPES)}},
        "settings": {
            "event_subscriptions": {**request_url, "bot_events": list(EVENTS)},
            "interactivity": {"is_enabled": True, **request_url},
            "org_deploy_enabled": False,
            "socket_mode_enabled": mode == "socket",
            "token_rotation_enabled": False,
        },
    }
