"""One websocket of Socket Mode: what comes in on it is acknowledged on it, and its end is noticed.

slack_sdk has a client of its own. It closes the old connection before it opens the next, waits by the machine's time,
and on failure tries a used address for ever; so of Socket Mode its records are used, and bolt's dispatch, not its loop.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import Coroutine
from enum import StrEnum
from typing import Any

import aiohttp
from aiohttp import ClientWebSocketResponse, WSMsgType
from slack_bolt.adapter.socket_mode.async_internals import run_async_bolt_app
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from adapters.inbound.tasks import within
from adapters.outbound.health import Health
from adapters.port import ChatClock

log = logging.getLogger(__name__)

#: Seconds between two pings of ours; three in a row without any frame in between mean a dead line.
PING_S = 10.0
SILENT_PINGS = 3
#: Seconds without an envelope after which a line is renewed: one that only answers pings may have been forgotten, and
#: what Slack tells it then is lost after its last retry, five minutes later.
QUIET_S = 240.0
#: Seconds that what was received may take to be stored when a line is closed.
DRAIN_S = 5.0


class End(StrEnum):
    """Why a line needs a successor."""

    CLOSED = "closed"
    SILENT = "silent"
    REFRESH = "refresh"  # Slack asked for it, and closes the line soon
    QUIET = "quiet"


class SocketLine:
    """Reads from the moment it is made; `ended` is set once it needs a successor, reading goes on as long as it can."""

    def __init__(self, socket: ClientWebSocketResponse, app: AsyncApp, clock: ChatClock, *, health: Health) -> None:
        self.greeted = asyncio.Event()
        self.ended: asyncio.Future[End] = asyncio.get_running_loop().create_future()
        self.opened_at = clock.monotonic()
        self._socket = socket
        self._app = app
        self._clock = clock
        self._health = health
        self._heard = True  # since the last ping
        self._envelope_at = self.opened_at
        self._working: set[asyncio.Task[None]] = set()
        self._reading = asyncio.create_task(self._read())
        self._watching = asyncio.create_task(self._watch())

    @property
    def alive(self) -> bool:
        """Return whether envelopes may still come on it."""
        return not self._socket.closed and not (self.ended.done() and self.ended.result() is End.SILENT)

    async def drained(self) -> None:
        """Return when Slack has closed the line."""
        await asyncio.wait({self._reading})

    async def close(self) -> None:
        """Let what was received be stored and acknowledged, then close."""
        self._watching.cancel()
        if self._working:
            with contextlib.suppress(TimeoutError):
                await within(self._clock, DRAIN_S, asyncio.wait(tuple(self._working)))
        await self._socket.close()
        self._reading.cancel()
        await asyncio.gather(self._reading, self._watching, *self._working, return_exceptions=True)

    async def _read(self) -> None:
        try:
            while (frame := await self._socket.receive()).type not in _LAST:
                self._heard = True
                if frame.type is WSMsgType.TEXT:
                    self._take(frame.data)
                elif frame.type is WSMsgType.PING:
                    await self._socket.pong(frame.data)
        except (aiohttp.ClientError, OSError) as error:
            log.debug("a line broke: %s", type(error).__name__)
        self._end(End.CLOSED)

    async def _watch(self) -> None:
        """Ping, and count how often nothing at all came back: a desk that stood still for a while has no dead line."""
        unanswered = 0
        while not self.ended.done():
            self._heard = False
            try:
                await self._socket.ping()
            except (aiohttp.ClientError, OSError):
                self._end(End.CLOSED)
            await self._clock.sleep(PING_S)
            unanswered = 0 if self._heard else unanswered + 1
            if unanswered >= SILENT_PINGS:
                self._end(End.SILENT)
            elif self._clock.monotonic() - self._envelope_at >= QUIET_S:
                self._end(End.QUIET)

    def _end(self, end: End) -> None:
        if not self.ended.done():
            self.ended.set_result(end)

    def _take(self, words: str) -> None:
        try:
            message = json.loads(words)
            kind = message["type"]
            request = SocketModeRequest.from_dict(message)
        except (ValueError, TypeError, KeyError):
            self._health.count("socket.garbled")
            return
        if kind == "hello":
            self.greeted.set()
        elif kind == "disconnect":
            self._end(End.REFRESH)
        elif request is not None:
            self._envelope_at = self._clock.monotonic()
            self._health.count("socket.envelopes")
            self._start(self._handle(request))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._working.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("an envelope could not be read", exc_info=task.exception())

    async def _handle(self, request: SocketModeRequest) -> None:
        """Acknowledge what bolt answered with 200, on this very line; Slack sends the rest again."""
        response = await run_async_bolt_app(self._app, request)
        if response.status != 200:
            self._health.count("socket.unacknowledged")
            return
        payload = json.loads(response.body) if response.body.startswith("{") else None
        answer = SocketModeResponse(envelope_id=request.envelope_id, payload=payload)
        try:
            await self._socket.send_str(json.dumps(answer.to_dict()))
        except (aiohttp.ClientError, OSError):
            self._health.count("socket.unacknowledged")


_LAST = frozenset({WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR})
