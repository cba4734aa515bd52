"""A small app made with slack_bolt, the other side of the local Slack in its own tests: it notes what it understood."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack.local_slack import LocalSlack

Json = dict[str, Any]
MANIFEST: Json = {
    "features": {
        "app_home": {"home_tab_enabled": True, "messages_tab_enabled": True},
        "slash_commands": [{"command": "/desk", "url": "https://desk.example/slack/events"}],
        "shortcuts": [{"type": "message", "callback_id": "ticket", "name": "Create ticket"}],
    },
    "oauth_config": {
        "scopes": {
            "bot": [
                "app_mentions:read", "channels:history", "channels:read", "chat:write", "commands", "groups:history",
                "im:history", "im:write", "reactions:read",
            ],
        },
    },
    "settings": {
        "event_subscriptions": {
            "request_url": "https://desk.example/slack/events",
            "bot_events": [
                "app_home_opened", "app_mention", "app_uninstalled", "member_joined_channel", "message.channels",
                "message.groups", "message.im", "reaction_added", "tokens_revoked",
            ],
        },
        "interactivity": {"is_enabled": True, "request_url": "https://desk.example/slack/events"},
        "socket_mode_enabled": False,
    },
}  # fmt: skip


def manifest(**settings: Any) -> Json:
    """Return the app's manifest with some settings changed."""
    return MANIFEST | {"settings": MANIFEST["settings"] | settings}


@dataclass
class Understood:
    """What bolt took for what: its kind, and the payload."""

    bodies: list[Json] = field(default_factory=list)
    headers: list[Json] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    async def note(self, body: Json, headers: Json | None = None) -> None:
        self.bodies.append(body)
        self.headers.append(headers or {})
        self.came.set()

    @property
    def events(self) -> list[Json]:
        return [body["event"] for body in self.bodies if "event" in body]

    def kinds(self) -> list[tuple[str, str | None]]:
        return [(event["type"], event.get("subtype")) for event in self.events]

    async def until(self, count: int, *, within_s: float = 5.0) -> None:
        """Return when that many payloads came."""
        async with asyncio.timeout(within_s):
            while len(self.bodies) < count:
                self.came.clear()
                await self.came.wait()


@dataclass
class BoltApp:
    """The app, and what it understood."""

    app: AsyncApp
    understood: Understood


def bolt_app(slack: LocalSlack) -> BoltApp:
    """Return an app of the workspace that listens to everything that people and Slack may send it."""
    client = AsyncWebClient(token=slack.workspace.bot_token.value, base_url=slack.url)
    secret = slack.workspace.signing_secret
    app = AsyncApp(client=client, signing_secret=secret, ignoring_self_events_enabled=False)
    understood = Understood()

    async def event(body: Json, request: Any) -> None:
        await understood.note(body, request.headers)

    async def acted(ack: Any, body: Json) -> None:
        await understood.note(body)
        await ack()

    for kind in ("app_mention", "app_home_opened", "member_joined_channel", "reaction_added"):
        app.event(kind)(event)
    for kind in ("app_uninstalled", "tokens_revoked"):
        app.event(kind)(event)
    for subtype in (None, "message_changed", "message_deleted", "thread_broadcast", "bot_message"):
        app.event({"type": "message", "subtype": subtype})(event)
    app.shortcut({"type": "message_action", "callback_id": "ticket"})(acted)
    app.view_closed("form")(acted)
    return BoltApp(app, understood)


@contextlib.asynccontextmanager
async def serving(app: AsyncApp) -> AsyncIterator[str]:
    """Serve the app over HTTP and yield its request URL."""

    async def handle(request: web.Request) -> web.StreamResponse:
        response: web.StreamResponse = await to_aiohttp_response(
            await app.async_dispatch(await to_bolt_request(request))
        )
        return response

    async with serving_handler(handle) as url:
        yield url


@contextlib.asynccontextmanager
async def serving_handler(handle: Any) -> AsyncIterator[str]:
    """Serve any handler of POSTs on loopback and yield its URL."""
    site = web.Application()
    site.router.add_post("/slack/events", handle)
    runner = web.AppRunner(site, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    finally:
        await runner.cleanup()


@contextlib.asynccontextmanager
async def connected(app: AsyncApp, slack: LocalSlack, **options: Any) -> AsyncIterator[AsyncSocketModeHandler]:
    """Connect the app by Socket Mode; it keeps coming back by itself."""
    handler = AsyncSocketModeHandler(app, slack.workspace.app_token.value, **options)
    await handler.connect_async()  # type: ignore[no-untyped-call]
    try:
        yield handler
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]
