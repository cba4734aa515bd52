"""Socket Mode over a real websocket: greetings, envelopes, acknowledgements, recycling, and a line gone dead."""

import asyncio
import contextlib
import itertools
import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, assert_never

from aiohttp import WSMsgType, web

from tests.fakes.patience import within
from tests.fakes.slack.carrying import ANSWER_WITHIN_S, Answer, Parcel, ParcelKind
from tests.fakes.slack.records import Json
from tests.fakes.slack.workspace import SlackWorkspace

MOST_CONNECTIONS = 10
#: Slack's own ping and the end of a connection, in seconds of the workspace's clock.
PING_EVERY_S = 10.0
CONNECTION_LIFE_S = 3600.0
WARNING_S = 10.0
HOST = "applink-7f9c5d4b6-local"
DisconnectReason = Literal["warning", "refresh_requested", "link_disabled", "too_many_websockets"]


@dataclass(eq=False)
class Connection:
    """One websocket of the app; `draining` ones get nothing new."""

    number: int
    line: web.WebSocketResponse
    transport: asyncio.Transport | None
    draining: bool = False
    #: Says nothing; `deaf` besides leaves pings without a pong.
    silent: bool = False
    deaf: bool = False
    #: Everything that the app sent, oldest first.
    received: list[Json] = field(default_factory=list)
    #: The ids of the envelopes that went out on it.
    sent: list[str] = field(default_factory=list)

    @property
    def usable(self) -> bool:
        """Whether Slack would choose it for the next envelope."""
        return not self.draining and not self.line.closed

    async def say(self, words: Mapping[str, Any]) -> None:
        """Send one frame, unless the line is silent or gone."""
        if not self.silent and not self.line.closed:
            await self.line.send_str(json.dumps(words, ensure_ascii=False))


@dataclass
class SocketMode:
    """The transport of an app that connects by itself; `open_socket` of the workspace is its door."""

    workspace: SlackWorkspace
    random: Random = field(default_factory=lambda: Random(4))
    life_s: float = CONNECTION_LIFE_S
    #: From the warning to the end of a connection.
    warning_s: float = WARNING_S
    connections: list[Connection] = field(default_factory=list)
    #: Every connection that ever was, for tests that ask how often the app came back.
    opened: int = 0
    _tickets: set[str] = field(default_factory=set)
    _acks: dict[str, "asyncio.Future[Json]"] = field(default_factory=dict)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.workspace.open_socket = self.ticket

    # The door

    def ticket(self) -> str:
        """Return an address that lets one connection in (what `apps.connections.open` answers)."""
        ticket = str(uuid.UUID(int=self.random.getrandbits(128)))
        self._tickets.add(ticket)
        base = self.workspace.base_url.replace("http", "ws", 1)
        return f"{base}/link/?ticket={ticket}&app_id={self.workspace.app_id}"

    def routes(self) -> list[web.RouteDef]:
        """Return what the server has to serve."""
        return [web.get("/link/", self._connect)]

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        ticket = request.query.get("ticket", "")
        if self.workspace.faults.outage() or ticket not in self._tickets:
            return web.Response(status=503 if self.workspace.faults.outage() else 404)
        self._tickets.remove(ticket)
        line = web.WebSocketResponse(autoping=False)
        await line.prepare(request)
        connection = Connection(next(self._numbers), line, request.transport)
        self.connections.append(connection)
        self.opened += 1
        keeping = asyncio.ensure_future(self._keep(connection))
        try:
            await self._greet(connection)
            await self._listen(connection)
        finally:
            keeping.cancel()
            self.connections.remove(connection)
        return line

    async def _greet(self, connection: Connection) -> None:
        if len(self.connections) > MOST_CONNECTIONS:
            await self._disconnect(connection, "too_many_websockets")
            await connection.line.close()
            return
        await connection.say(
            {
                "type": "hello",
                "num_connections": len(self.connections),
                "debug_info": {
                    "host": HOST,
                    "build_number": 132,
                    "approximate_connection_time": int(self.life_s),
                },
                "connection_info": {"app_id": self.workspace.app_id},
            }
        )

    async def _listen(self, connection: Connection) -> None:
        async for frame in connection.line:
            if frame.type == WSMsgType.TEXT:
                words = json.loads(frame.data)
                connection.received.append(words)
                self._acknowledged(connection, words)
            elif frame.type == WSMsgType.PING and not connection.deaf:
                await connection.line.pong(frame.data)

    def _acknowledged(self, connection: Connection, words: Json) -> None:
        # Words of a line that Slack no longer hears are lost like those to it.
        waiting = None if connection.silent else self._acks.pop(str(words.get("envelope_id")), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(words)

    async def _keep(self, connection: Connection) -> None:
        """Ping until the connection is old, then warn and recycle it."""
        clock, started = self.workspace.clock, self.workspace.clock.monotonic()
        while (left := self.life_s - self.warning_s - (clock.monotonic() - started)) > 0:
            await clock.sleep(min(PING_EVERY_S, left))
            if not connection.silent and not connection.line.closed:
                await connection.line.ping(f"Ping from {HOST}".encode())
        await self._recycle(connection)

    # Deliveries

    async def carry(self, parcel: Parcel, *, retry_num: int = 0, retry_reason: str = "") -> Answer:
        """Send one envelope over one of the connections and return what was acknowledged within three seconds."""
        usable = [each for each in self.connections if each.usable]
        if not usable:
            return Answer(reason="timeout")
        connection = self.random.choice(usable)
        envelope_id = str(uuid.UUID(int=self.random.getrandbits(128)))
        self._acks[envelope_id] = asyncio.get_running_loop().create_future()
        connection.sent.append(envelope_id)
        envelope = _envelope(parcel, envelope_id, retry_num=retry_num, retry_reason=retry_reason)
        try:
            clock = self.workspace.clock
            words = await within(clock, ANSWER_WITHIN_S, self._acked(connection, envelope))
        finally:
            self._acks.pop(envelope_id, None)
        if words is None:
            return Answer(reason="timeout")
        payload = words.get("payload")
        return Answer(200, payload if isinstance(payload, dict) else {})

    async def _acked(self, connection: Connection, envelope: Json) -> Json:
        waiting = self._acks[envelope["envelope_id"]]
        # When the line goes away under the envelope, no acknowledgement will come.
        with contextlib.suppress(ConnectionError):
            await connection.say(envelope)
        return await waiting

    # Trouble

    def go_silent(self, *, pongs: bool = False) -> None:
        """Leave every line open and dead: nothing is said or heard; `pongs` alone may still be answered."""
        for connection in self.connections:
            connection.silent, connection.deaf = True, not pongs

    def drop(self) -> None:
        """Cut every line without a word."""
        for connection in tuple(self.connections):
            if connection.transport is not None:
                connection.transport.abort()

    async def refresh(self) -> None:
        """Recycle every connection as Slack does every so often: a warning, then the end."""
        await asyncio.gather(*(self._recycle(connection) for connection in tuple(self.connections)))

    async def close(self) -> None:
        """End every connection, as when Slack goes away in good order."""
        await asyncio.gather(*(connection.line.close() for connection in tuple(self.connections)))

    async def _recycle(self, connection: Connection) -> None:
        if connection.silent:
            return
        await self._disconnect(connection, "warning")
        await self.workspace.clock.sleep(self.warning_s)
        await self._disconnect(connection, "refresh_requested")
        await self._answered(connection)
        await connection.line.close()

    async def _answered(self, connection: Connection) -> None:
        """Return when what went out on the connection is acknowledged: closing drops frames that come meanwhile."""
        if waiting := [self._acks[each] for each in connection.sent if each in self._acks]:
            await within(self.workspace.clock, ANSWER_WITHIN_S, asyncio.wait(waiting))

    async def _disconnect(self, connection: Connection, reason: DisconnectReason) -> None:
        connection.draining = reason != "warning"
        if not connection.line.closed:
            await connection.say({"type": "disconnect", "reason": reason, "debug_info": {"host": HOST}})


def _envelope(parcel: Parcel, envelope_id: str, *, retry_num: int, retry_reason: str) -> Json:
    events = parcel.kind == "event"
    retry = {"retry_attempt": retry_num, "retry_reason": retry_reason} if events else {}
    return {
        "envelope_id": envelope_id,
        "payload": parcel.body,
        "type": _envelope_type(parcel.kind),
        "accepts_response_payload": not events,
        **retry,
    }


def _envelope_type(kind: ParcelKind) -> str:
    match kind:
        case "event":
            return "events_api"
        case "command":
            return "slash_commands"
        case "action" | "shortcut" | "view" | "options":
            return "interactive"
    assert_never(kind)
