"""What the app's manifest tells Slack: which events, commands and shortcuts there are, and where they go."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

Manifest = Mapping[str, Any]

#: The scope without which Slack does not deliver an event, subscribed or not.
EVENT_SCOPES = {
    "app_mention": "app_mentions:read",
    "member_joined_channel": "channels:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
    "reaction_added": "reactions:read",
}


@dataclass(frozen=True)
class AppSettings:
    """The part of a manifest that decides deliveries; every URL is "" under Socket Mode."""

    events: frozenset[str]
    #: By command, with its slash: the request URL.
    commands: Mapping[str, str]
    #: By callback id: the name in the menu of a message.
    message_shortcuts: Mapping[str, str]
    events_url: str
    interactivity_url: str
    options_url: str
    interactivity: bool
    socket_mode: bool
    home_tab: bool
    messages_tab: bool

    @classmethod
    def of(cls, manifest: Manifest, *, request_url: str | None = None) -> Self:
        """Read a manifest; `request_url` stands in for every URL in it, as an address on loopback does in a test."""
        features, settings = manifest.get("features", {}), manifest.get("settings", {})
        socket_mode = settings.get("socket_mode_enabled", False)
        subscriptions, interactivity = settings.get("event_subscriptions", {}), settings.get("interactivity", {})
        home = features.get("app_home", {})

        def url(written: str) -> str:
            return "" if socket_mode else request_url or written

        return cls(
            events=frozenset(subscriptions.get("bot_events", ())),
            commands={each["command"]: url(each.get("url", "")) for each in features.get("slash_commands", ())},
            message_shortcuts={
                each["callback_id"]: each["name"] for each in features.get("shortcuts", ()) if each["type"] == "message"
            },
            events_url=url(subscriptions.get("request_url", "")),
            interactivity_url=url(interactivity.get("request_url", "")),
            options_url=url(interactivity.get("message_menu_options_url", "") or interactivity.get("request_url", "")),
            interactivity=interactivity.get("is_enabled", False),
            socket_mode=socket_mode,
            home_tab=home.get("home_tab_enabled", False),
            messages_tab=home.get("messages_tab_enabled", False),
        )
