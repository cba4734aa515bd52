"""A fake's server on a loopback port, which is away when its faults say so."""

import asyncio
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.fakes.faults import Faults


class LoopbackServer(ABC):
    """Listens on 127.0.0.1 for the time of an `async with`; `port` and `base_url` are known from its start."""

    def __init__(self, faults: Faults, *, port: int = 0) -> None:
        self.faults = faults
        self.port = port
        self._runner: web.AppRunner | None = None
        self._site: web.TCPSite | None = None
        self._absence: asyncio.Task[None] | None = None

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @abstractmethod
    def add_routes(self, app: web.Application) -> None:
        """Say what it answers."""

    async def start(self) -> None:
        """Listen."""
        app = web.Application(client_max_size=8 * 1024 * 1024)
        self.add_routes(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await self._listen(self._runner)
        self.port = self._runner.addresses[0][1]
        self.faults.on_refused = self._leave

    async def close(self) -> None:
        """Stop listening and cut what is left."""
        self.faults.on_refused = None
        if self._absence is not None:
            self._absence.cancel()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _listen(self, runner: web.AppRunner) -> None:
        self._site = web.TCPSite(runner, "127.0.0.1", self.port)
        await self._site.start()

    def _leave(self) -> None:
        if self._absence is None or self._absence.done():
            self._absence = asyncio.create_task(self._be_away())

    async def _be_away(self) -> None:
        """Refuse connections until the outage is over."""
        if self._runner is None or self._site is None or self._runner.server is None:
            return
        await self._site.stop()
        for connection in self._runner.server.connections:
            if isinstance(connection.transport, asyncio.Transport):
                connection.transport.abort()
        while self.faults.outage() == "refused":  # noqa: ASYNC110 - a clock moved by hand tells nobody
            await asyncio.sleep(0.01)
        await self._listen(self._runner)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def cut(request: web.Request) -> web.Response:
    """Close the connection without an answer."""
    if isinstance(request.transport, asyncio.Transport):
        request.transport.abort()
    return web.Response()
