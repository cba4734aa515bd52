"""A web site on loopback: pages, redirects, tempers; it keeps a record of who asked for what."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from types import TracebackType
from typing import Self

from aiohttp import web

Answering = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Served:
    """What is answered at one path; with `dated` only to whom it is new (ETag and Last-Modified)."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    dated: bool = False


def page(body: str, *, title: str = "", head: str = "", language: str = "en") -> Served:
    """Return an HTML page."""
    html = f"<!doctype html><html lang={language}><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return Served(html.encode(), headers={"content-type": "text/html; charset=utf-8"}, dated=True)


def links(*targets: str) -> str:
    """Return a paragraph of links."""
    return "<p>" + " ".join(f"<a href='{target}'>{target}</a>" for target in targets) + "</p>"


def redirect(target: str, *, status: int = 301) -> Served:
    """Return an answer that leads elsewhere."""
    return Served(status=status, headers={"location": target})


def text(body: str, content_type: str) -> Served:
    """Return a body of some type."""
    return Served(body.encode(), headers={"content-type": content_type})


class Website:
    """Listens on 127.0.0.1 for the time of an `async with`; change `served` whenever it should answer otherwise."""

    def __init__(self) -> None:
        self.served: dict[str, Served | Answering] = {}
        self.asked: list[str] = []  # path with query, in the order of arrival
        self.headers: list[Mapping[str, str]] = []
        self.not_modified = 0
        self.away = False
        self.before: Callable[[web.Request], Awaitable[None]] | None = None  # awaited before each answer
        self._runner: web.AppRunner | None = None
        self.url = ""

    @property
    def counts(self) -> Counter[str]:
        """Return how often each path was asked for."""
        return Counter(self.asked)

    def forget(self) -> None:
        """Empty the record."""
        self.asked.clear()
        self.headers.clear()
        self.not_modified = 0

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = request.raw_path
        self.asked.append(path)
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        if self.before is not None:
            await self.before(request)
        if self.away:
            return web.Response(status=503)
        found = self.served.get(path) or self.served.get(request.path)
        if found is None:
            return web.Response(status=404, text="<p>Not here.</p>", content_type="text/html")
        if not isinstance(found, Served):
            return await found(request)
        return self._served(found, request)

    def _served(self, found: Served, request: web.Request) -> web.Response:
        headers = dict(found.headers)
        if found.dated:
            headers["etag"] = f'"{hashlib.sha256(found.body).hexdigest()[:16]}"'
            headers["last-modified"] = formatdate(1_700_000_000, usegmt=True)
            if request.headers.get("if-none-match") == headers["etag"]:
                self.not_modified += 1
                return web.Response(status=304, headers={"etag": headers["etag"]})
        return web.Response(body=found.body, status=found.status, headers=headers)


async def dribble(request: web.Request) -> web.StreamResponse:
    """Answer a page a byte at a time, without end."""
    response = web.StreamResponse(headers={"content-type": "text/html"})
    await response.prepare(request)
    while True:
        await response.write(b".")
        await asyncio.sleep(0.05)
