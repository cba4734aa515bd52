"""A door for tests in another process: look at the workspace, fill it, wait for changes, and throw the switches."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from aiohttp import web

from tests.fakes.admin_door import AdminDoor
from tests.fakes.slack.payloads import streaming_state
from tests.fakes.slack.records import Call, Json, Message
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import SlackWorkspace


class Admin(AdminDoor):
    """The door to one workspace."""

    def __init__(self, server: SlackServer) -> None:
        super().__init__(server.workspace, server.workspace.faults)
        self.server = server
        self.workspace: SlackWorkspace = server.workspace

    @classmethod
    def door(cls, server: SlackServer, app: web.Application) -> None:
        """Add the routes."""
        cls(server).add_routes(app)

    def shows(self) -> Mapping[str, Callable[[Json], Any]]:
        """Show the workspace, messages, calls and views."""
        return {"workspace": self._describe, "messages": self._messages, "calls": self._calls, "views": self._views}

    def actions(self) -> Mapping[str, Callable[[Json], Any]]:
        """Add people, channels, messages; lend triggers; throw switches."""
        return {
            "users": lambda body: dataclasses.asdict(self.workspace.add_user(body.pop("name"), **body)),
            "channels": self._add_channel,
            "messages": self._say,
            "triggers": lambda body: {"trigger_id": self.workspace.new_trigger(self.workspace.users[body["user"]])},
            "scopes": self._scopes,
            "tiers": self._tiers,
            "revoke": lambda body: self.workspace.revoke(**body),
            "restore": lambda _: self.workspace.restore(),
        }

    def _describe(self, _: Json) -> Json:
        workspace = self.workspace
        return {
            "team": workspace.team.id, "bot": workspace.bot.id, "app": workspace.app_id, "url": self.server.url,
            "bot_token": workspace.bot_token.value, "app_token": workspace.app_token.value,
            "signing_secret": workspace.signing_secret, "scopes": sorted(workspace.scopes),
            "users": [dataclasses.asdict(user) for user in workspace.users.values()],
            "channels": [dataclasses.asdict(channel) for channel in workspace.channels.values()],
        }  # fmt: skip

    def _messages(self, asked: Json) -> list[Json]:
        """Return every message, or those of a `channel`, with what the API hides: deleted, ephemeral, earlier."""
        channels = [asked["channel"]] if "channel" in asked else list(self.workspace.messages)
        return [self._message(each) for channel in channels for each in self.workspace.messages[channel].values()]

    def _message(self, message: Message) -> Json:
        return dataclasses.asdict(message) | {"streaming_state": streaming_state(self.workspace, message)}

    def _calls(self, asked: Json) -> list[Json]:
        """Return the calls from number `since` on, of one `method` when it is named."""
        calls: list[Call] = self.workspace.calls[int(asked.get("since", 0)) :]
        return [dataclasses.asdict(call) for call in calls if asked.get("method") in {None, call.method}]

    def _views(self, asked: Json) -> Json:
        modals = [dataclasses.asdict(view) for view in self.workspace.modals.get(asked["user"], [])]
        home = self.workspace.homes.get(asked["user"])
        return {"modals": modals, "home": None if home is None else dataclasses.asdict(home)}

    def _add_channel(self, body: Json) -> Json:
        members = tuple(self.workspace.users[each] for each in body.pop("members", []))
        return dataclasses.asdict(self.workspace.add_channel(body.pop("name"), members, **body))

    def _say(self, body: Json) -> Json:
        user, channel = self.workspace.users[body.pop("user")], self.workspace.channels[body.pop("channel")]
        return self._message(self.workspace.say(user, channel, body.pop("text"), **body))

    def _scopes(self, body: Json) -> list[str]:
        self.workspace.scopes = set(body["scopes"])
        return sorted(self.workspace.scopes)

    def _tiers(self, body: Json) -> bool:
        self.server.api.tiers.enforced = bool(body["enforced"])
        return self.server.api.tiers.enforced
