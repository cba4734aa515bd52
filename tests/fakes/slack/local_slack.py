"""A whole Slack in one `async with`: the Web API, the ways to the app, the people, and a page to look at."""

from random import Random
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from storage.clock import Clock
from tests.fakes.slack.app_settings import AppSettings, Manifest
from tests.fakes.slack.deliveries import Deliveries
from tests.fakes.slack.event_feed import EventFeed
from tests.fakes.slack.page import Page
from tests.fakes.slack.people import Person, Scene
from tests.fakes.slack.records import User
from tests.fakes.slack.request_urls import RequestUrls
from tests.fakes.slack.server import SlackServer
from tests.fakes.slack.socket_mode import SocketMode
from tests.fakes.slack.workspace import SlackWorkspace


class LocalSlack:
    """Slack on loopback; its clock must run by itself, as the system's or a scaled one does.

    It listens from the start, so that an app can be given `url`; `install` then tells it of the app.
    """

    def __init__(self, clock: Clock | None = None, *, workspace: SlackWorkspace | None = None, seed: int = 4) -> None:
        self.workspace = workspace or SlackWorkspace(clock)
        self.socket = SocketMode(self.workspace, Random(seed))
        self.server = SlackServer(self.workspace, doors=(self._doors,))
        self.random = Random(seed)
        self.request_urls: RequestUrls | None = None
        self._scene: Scene | None = None

    @property
    def url(self) -> str:
        """The base URL of the Web API, for a client."""
        return self.server.url

    def window(self, person: Person) -> str:
        """Return the address of a person's window, for a browser."""
        return f"{self.workspace.base_url}/client?user={person.user.id}"

    @property
    def scene(self) -> Scene:
        """Everything that acts, once the app is installed."""
        if self._scene is None:
            raise RuntimeError("no app is installed yet")
        return self._scene

    @property
    def deliveries(self) -> Deliveries:
        """What went to the app, and the switches for duplicates and reordering."""
        return self.scene.deliveries

    @property
    def feed(self) -> EventFeed:
        """What Slack tells by itself: joins, webhooks, an uninstalled app."""
        return self.scene.feed

    async def install(self, manifest: Manifest, *, request_url: str | None = None) -> None:
        """Take an app in: its scopes, its subscriptions, the way to it (`request_url` in place of all its URLs)."""
        if self._scene is not None:
            raise RuntimeError("an app is installed already")
        app = AppSettings.of(manifest, request_url=request_url)
        scopes: dict[str, Any] = manifest.get("oauth_config", {}).get("scopes", {})
        if "bot" in scopes:
            self.workspace.scopes = set(scopes["bot"])
        clock = self.workspace.clock
        self.request_urls = RequestUrls(app, self.workspace.signing_secret, clock)
        await self.request_urls.__aenter__()
        transport = self.socket if app.socket_mode else self.request_urls
        deliveries = Deliveries(clock, transport, random=self.random)
        self._scene = Scene(self.workspace, app, deliveries, EventFeed(self.workspace, app, deliveries))

    def person(self, user: User) -> Person:
        """Return somebody who is in the workspace already."""
        return self.scene.person(user)

    def add_person(self, name: str, **fields: Any) -> Person:
        """Add somebody; the fields are those of `User`."""
        return self.person(self.workspace.add_user(name, **fields))

    async def __aenter__(self) -> Self:
        await self.server.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._scene is not None:
            await self._scene.deliveries.close()
        if self.request_urls is not None:
            await self.request_urls.__aexit__()
        self.socket.drop()
        await self.server.close()

    def _doors(self, _: SlackServer, app: web.Application) -> None:
        app.add_routes([*self.socket.routes(), *Page(lambda: self.scene).routes()])
