"""A door for tests in another process: look at what a fake holds, fill it, wait for changes, throw its switches."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from aiohttp import web

from tests.fakes.changes import Changes
from tests.fakes.faults import Faults

Json = dict[str, Any]


class AdminDoor(ABC):
    """Everything under `/fake/`, JSON in and out; there is no secret about it, it listens on loopback only."""

    def __init__(self, changes: Changes[Any], faults: Faults) -> None:
        self._changes = changes
        self.faults = faults
        self._kinds: list[str] = []
        changes.on_change(lambda change: self._kinds.append(change.kind))

    @abstractmethod
    def shows(self) -> Mapping[str, Callable[[Json], Any]]:
        """Return by name what can be looked at; each is given the query."""

    @abstractmethod
    def actions(self) -> Mapping[str, Callable[[Json], Any | Awaitable[Any]]]:
        """Return by name what can be done; each is given the body."""

    def add_routes(self, app: web.Application) -> None:
        """Add the routes."""
        app.router.add_get("/fake/{what}", self._show)
        app.router.add_post("/fake/{what}", self._do)

    async def _show(self, request: web.Request) -> web.Response:
        asked, shown = dict(request.query), self.shows().get(request.match_info["what"])
        if request.match_info["what"] == "changes":
            return web.json_response(await self._changed(asked))
        return web.json_response(shown(asked)) if shown else web.Response(status=404)

    async def _do(self, request: web.Request) -> web.Response:
        action = {"faults": self.throw, **self.actions()}.get(request.match_info["what"])
        if action is None:
            return web.Response(status=404)
        body: Json = await request.json() if request.can_read_body else {}
        done = action(body)
        return web.json_response(await done if inspect.isawaitable(done) else done)

    async def _changed(self, asked: Json) -> Json:
        """Wait up to `within` real seconds until more than `since` changes happened; return their kinds."""
        since = int(asked.get("since", 0))
        try:
            await self._changes.until(lambda: len(self._kinds) > since, within_s=float(asked.get("within", 10)))
        except TimeoutError:
            return {"count": len(self._kinds), "kinds": []}
        return {"count": len(self._kinds), "kinds": self._kinds[since:]}

    def throw(self, body: Json) -> None:
        """Throw the switches that every fake has."""
        if body.get("calm"):
            self.faults.calm()
        if "storm" in body:
            self.faults.storm(body["storm"])
        if "down" in body:
            self.faults.down(body["down"], kind=body.get("kind", "unavailable"))
        for method, seconds in body.get("slow", {}).items():
            self.faults.slow(method, seconds)
        for method, times in body.get("lose_answer", {}).items():
            self.faults.lose_answer(method, times)
