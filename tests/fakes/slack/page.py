"""The page that shows what a person sees, and through which they act: `/client?user=U…` on the local Slack."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Literal

from aiohttp import web

from tests.fakes.not_shown import NotShown
from tests.fakes.slack.page_drawing import ASSETS, PageDrawing, Window
from tests.fakes.slack.people import Person, Scene
from tests.fakes.slack.records import Json, Message, View

#: Real seconds for which a browser's question for changes is held.
HELD_S = 10.0
Verdict = Literal["positive", "negative"]


class Page:
    """Serves the windows of all people; whoever opens one is believed to be who they say."""

    def __init__(self, scene: Callable[[], Scene]) -> None:
        self._scene = scene
        self._number = 0
        self._watched: Scene | None = None

    @property
    def scene(self) -> Scene:
        """The people and their workspace, watched from the first look on."""
        scene = self._scene()
        if self._watched is not scene:
            self._watched = scene
            scene.workspace.on_change(lambda _: self._count())
        return scene

    def routes(self) -> list[web.RouteDef | web.StaticDef]:
        """Return what the server has to serve."""
        return [
            web.get("/client", self._window),
            web.get("/client/changes", self._changes),
            web.post("/client/act", self._act),
            *(web.get(f"/client/{name}", self._asset) for name in ("page.css", "page.js")),
        ]

    def _count(self) -> None:
        self._number += 1

    # Looking

    async def _window(self, request: web.Request) -> web.StreamResponse:
        drawing = PageDrawing(self.scene)
        if request.query.get("user") not in self.scene.workspace.users:
            return web.Response(text=drawing.people(), content_type="text/html")
        try:
            window = self._looked_at(request)
        except NotShown as missing:
            raise web.HTTPNotFound(text=str(missing)) from None
        if "X-Redraw" not in request.headers and window.channel.is_im:
            await (window.person.open_home() if window.tab == "home" else window.person.open_messages())
        return web.Response(text=drawing.page(window, number=self._number), content_type="text/html")

    def _looked_at(self, request: web.Request) -> Window:
        person = self.scene.person(self.scene.workspace.users[request.query["user"]])
        channel = person.place(request.query.get("at") or "dm")
        if person.user.id not in channel.members:
            raise NotShown(f"{person.user.name} is not in {channel.name}")
        tab: Literal["home", "messages"] = "home" if request.query.get("tab") == "home" else "messages"
        return Window(person, channel, request.query.get("thread"), tab)

    async def _changes(self, request: web.Request) -> web.StreamResponse:
        since = int(request.query.get("since", 0))
        with contextlib.suppress(TimeoutError):
            await self.scene.workspace.until(lambda: self._number != since, within_s=HELD_S)
        return web.json_response({"number": self._number})

    async def _asset(self, request: web.Request) -> web.StreamResponse:
        path = ASSETS / request.path.rpartition("/")[2]
        kind = "text/css" if path.suffix == ".css" else "text/javascript"
        return web.Response(text=await asyncio.to_thread(path.read_text, "utf-8"), content_type=kind)

    # Acting

    async def _act(self, request: web.Request) -> web.StreamResponse:
        what: Json = await request.json()
        person = self.scene.person(self.scene.workspace.users[what["user"]])
        try:
            await self._acts()[what["act"]](person, what)
        except NotShown as refused:
            return web.json_response({"error": str(refused)})
        return web.json_response({})

    def _acts(self) -> dict[str, Callable[[Person, Json], Awaitable[object]]]:
        return {
            "say": self._say,
            "press": lambda person, what: person.press(what["name"], on=self._on(what), confirm=what.get("confirm")),
            "choose": lambda person, what: person.choose(what["name"], what["typed"], on=self._on(what)),
            "rate": lambda person, what: person.rate(self._message(what), what["verdict"]),
            "shortcut": lambda person, what: person.shortcut(self._message(what), what["name"]),
            "prompt": lambda person, what: person.take_prompt(what["name"]),
            "fill": lambda person, what: person.modal.fill(what["name"], what["typed"]),
            "submit": lambda person, _: person.modal.submit(),
            "close": lambda person, _: person.modal.close(),
        }

    async def _say(self, person: Person, what: Json) -> None:
        typed, place = str(what["typed"]), str(what["at"])
        if typed.startswith("/"):
            await person.command(typed, place)
        else:
            await person.say(place, self._with_people(typed), thread=what.get("thread"))

    def _with_people(self, typed: str) -> str:
        """Return text in which `@Name` of somebody who is there became a mention."""
        for user in sorted(self.scene.workspace.users.values(), key=lambda each: -len(each.real_name)):
            typed = typed.replace(f"@{user.real_name}", f"<@{user.id}>").replace(f"@{user.name} ", f"<@{user.id}> ")
        return typed

    def _on(self, what: Json) -> Message | View:
        """Return the message (`m:channel:ts`) or view (`v:id`) that something stands in."""
        kind, _, rest = str(what["on"]).partition(":")
        if kind == "v":
            return self.scene.workspace.views[rest]
        channel, _, ts = rest.partition(":")
        found = self.scene.workspace.message(channel, ts)
        if found is None:
            raise NotShown("that message is gone")
        return found

    def _message(self, what: Json) -> Message:
        found = self._on(what)
        if isinstance(found, View):
            raise NotShown("that is no message")
        return found
