"""A door for tests in another process: look at the workspace, fill it, wait for changes, and throw the switches."""

import dataclasses
from collections.abc import Callable
from typing import Any

from aiohttp import web

from tests.fakes.slack.payloads import streaming_state
from tests.fakes.slack.records import Call, Json, Message
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.workspace import SlackWorkspace


class Admin:
    """Everything under `/fake/`, JSON in and out; there is no secret about it, it listens on loopback only."""

    def __init__(self, server: SlackServer) -> None:
        self.server = server
        self.workspace: SlackWorkspace = server.workspace
        self._kinds: list[str] = []
        self.workspace.on_change(lambda change: self._kinds.append(change.kind))

    @classmethod
    def door(cls, server: SlackServer, app: web.Application) -> None:
        """Add the routes."""
        admin = cls(server)
        app.router.add_get("/fake/{what}", admin.show)
        app.router.add_post("/fake/{what}", admin.do)

    async def show(self, request: web.Request) -> web.Response:
        """Answer what is asked: the workspace, messages, calls, views, or the changes since a number."""
        asked, shown = dict(request.query), self._shows().get(request.match_info["what"])
        if request.match_info["what"] == "changes":
            return web.json_response(await self._changes(asked))
        return web.json_response(shown(asked)) if shown else web.Response(status=404)

    async def do(self, request: web.Request) -> web.Response:
        """Carry out what is asked: add people, channels, messages; lend triggers; throw switches."""
        action = self._actions().get(request.match_info["what"])
        body: Json = await request.json() if request.can_read_body else {}
        return web.json_response(action(body)) if action else web.Response(status=404)

    def _shows(self) -> dict[str, Callable[[Json], Any]]:
        return {"workspace": self._describe, "messages": self._messages, "calls": self._calls, "views": self._views}

    def _actions(self) -> dict[str, Callable[[Json], Any]]:
        return {
            "users": lambda body: dataclasses.asdict(self.workspace.add_user(body.pop("name"), **body)),
            "channels": self._add_channel,
            "messages": self._say,
            "triggers": lambda body: {"trigger_id": self.workspace.new_trigger(self.workspace.users[body["user"]])},
            "scopes": self._scopes,
            "faults": self._faults,
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

    async def _changes(self, asked: Json) -> Json:
        """Wait up to `within` real seconds until more than `since` changes happened; return their kinds."""
        since = int(asked.get("since", 0))
        try:
            await self.workspace.until(lambda: len(self._kinds) > since, within_s=float(asked.get("within", 10)))
        except TimeoutError:
            return {"count": len(self._kinds), "kinds": []}
        return {"count": len(self._kinds), "kinds": self._kinds[since:]}

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

    def _faults(self, body: Json) -> None:
        faults = self.workspace.faults
        if body.get("calm"):
            faults.calm()
        if "storm" in body:
            faults.storm(body["storm"])
        if "down" in body:
            faults.down(body["down"], kind=body.get("kind", "unavailable"))
        for method, seconds in body.get("slow", {}).items():
            faults.slow(method, seconds)
        for method, times in body.get("lose_answer", {}).items():
            faults.lose_answer(method, times)
