"""Socket Mode: the desk calls Slack and is told everything over a websocket, so no address of its own is needed.

A connection is renewed before the old one is let go: when Slack asks for it, when nothing has come for long, and at
once when it falls silent or breaks. What was not acknowledged in between is sent again by Slack and stored once.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import aiohttp
from aiohttp import ClientWSTimeout
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.inbound.tasks import within
from adapters.outbound.health import Trouble
from adapters.port import ChatClock, Unavailable, Undeliverable
from adapters.slack.config import SlackConfig
from adapters.slack.inbound.connection import End, SocketLine
from adapters.slack.wire.client import SlackCalls

log = logging.getLogger(__name__)

#: Seconds until a connection has to be greeted by Slack.
OPEN_WITHIN_S = 30.0
#: Seconds between attempts: doubled from the first to the last.
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 15.0
#: A connection that lasted so long was a good one: the next is opened without a pause.
STEADY_S = 30.0
#: Seconds that a replaced connection is still read: Slack may have chosen it for one more envelope.
RETIRED_S = 15.0
#: Seconds between two calls that keep Slack from forgetting the app.
KEEP_ALIVE_S = 60.0
#: Real seconds for a dead peer to answer the end of a connection.
_CLOSE_WITHIN_S = 1.0


class NotOpened(Exception):
    """No connection came about; the text says why."""

    def __init__(self, reason: str, *, retry_after_s: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after_s = retry_after_s


class SocketMode:
    """Keeps one connection open; `app` stores what comes in before it is acknowledged."""

    def __init__(self, app: AsyncApp, config: SlackConfig, clock: ChatClock, *, calls: SlackCalls) -> None:
        self._app = app
        self._config = config
        self._clock = clock
        self._calls = calls
        self._health = calls.health
        self._line: SocketLine | None = None
        self._pause_s = 0.0
        self._retiring: set[asyncio.Task[None]] = set()

    @property
    def connected(self) -> bool:
        """Return whether Slack can tell the desk something now."""
        return self._line is not None and self._line.alive

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Keep a connection for as long as the block lasts; what was received then is stored first."""
        async with aiohttp.ClientSession() as http:
            working = [
                asyncio.create_task(self._kept_up(lambda: self._serve(http))),
                asyncio.create_task(self._kept_up(self._keep_alive)),
            ]
            try:
                yield
            finally:
                for task in working:
                    task.cancel()
                await asyncio.gather(*working, return_exceptions=True)
                await self._let_go()

    async def _kept_up(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Begin again what broke over something that nobody thought of: a desk that is deaf helps nobody."""
        while True:
            task = asyncio.create_task(work())
            try:
                await asyncio.wait({task})
            finally:
                task.cancel()
                await asyncio.wait({task})
            if not task.cancelled():
                log.error("Slack: Socket Mode broke; it is begun again", exc_info=task.exception())
            await self._clock.sleep(LONGEST_PAUSE_S)

    async def _serve(self, http: aiohttp.ClientSession) -> None:
        while True:
            line = await self._opened(http)
            if self._line is not None:
                self._retire(self._line)
            self._line = line
            self._health.ends(Trouble.SOCKET)
            end = await asyncio.shield(line.ended)
            self._health.count(f"socket.{end}")
            if end is End.SILENT:
                self._health.begins(Trouble.SOCKET, "the websocket has fallen silent; a new one is opened")
            if self._clock.monotonic() - line.opened_at >= STEADY_S:
                self._pause_s = 0.0

    async def _opened(self, http: aiohttp.ClientSession) -> SocketLine:
        """Return a greeted line, however long it takes."""
        while True:
            if self._pause_s:
                await self._clock.sleep(self._pause_s)
            self._pause_s = min(LONGEST_PAUSE_S, max(FIRST_PAUSE_S, self._pause_s * 2))
            try:
                return await self._open(http)
            except NotOpened as error:
                self._health.count("socket.not_opened")
                self._pause_s = max(self._pause_s, error.retry_after_s)
                if not self.connected:
                    words = f"Socket Mode has no connection ({error}); events wait at Slack"
                    self._health.begins(Trouble.SOCKET, words)

    async def _open(self, http: aiohttp.ClientSession) -> SocketLine:
        try:
            return await within(self._clock, OPEN_WITHIN_S, self._greeted(http))
        except SlackApiError as error:
            told = error.response if isinstance(error.response, dict) else error.response.data
            code = told.get("error", "") if isinstance(told, dict) else ""
            headers = getattr(error.response, "headers", {})
            wait = str(headers.get("Retry-After", ""))
            raise NotOpened(code or "no answer", retry_after_s=float(wait) if wait.isdecimal() else 0.0) from error
        # AttributeError: slack_sdk takes every answer for JSON, also the page of a proxy.
        except (aiohttp.ClientError, OSError, TimeoutError, AttributeError) as error:
            raise NotOpened(type(error).__name__) from error

    async def _greeted(self, http: aiohttp.ClientSession) -> SocketLine:
        client = AsyncWebClient(base_url=self._config.api_url, session=http, retry_handlers=[])
        answer = await client.apps_connections_open(app_token=self._config.app_token)
        timeout = ClientWSTimeout(ws_close=_CLOSE_WITHIN_S)
        socket = await http.ws_connect(str(answer["url"]), autoping=False, timeout=timeout)
        line = SocketLine(socket, self._app, self._clock, health=self._health)
        waiting: list[asyncio.Future[Any]] = [asyncio.ensure_future(line.greeted.wait()), asyncio.shield(line.ended)]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting[0].cancel()
            if not line.greeted.is_set():
                await line.close()
        if not line.greeted.is_set():
            raise NotOpened("Slack closed it at once")
        return line

    def _retire(self, line: SocketLine) -> None:
        task = asyncio.create_task(self._retired(line))
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)

    async def _retired(self, line: SocketLine) -> None:
        try:
            if line.alive:
                with suppress(TimeoutError):
                    await within(self._clock, RETIRED_S, line.drained())
        finally:
            await line.close()

    async def _let_go(self) -> None:
        closing = [*self._retiring]
        for task in closing:
            task.cancel()  # what they have not received yet is sent again
        if self._line is not None:
            closing.append(asyncio.create_task(self._line.close()))
            self._line = None
        await asyncio.gather(*closing, return_exceptions=True)

    async def _keep_alive(self) -> None:
        while True:
            try:
                await self._calls.call("auth.test")
            except (Unavailable, Undeliverable):
                self._health.count("socket.keep_alive_failed")  # the calls themselves raise the alarm
            await self._clock.sleep(KEEP_ALIVE_S)
