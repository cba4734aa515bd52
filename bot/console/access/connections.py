"""How long a connection may take over a request, and how many may keep the desk waiting.

A request's headers have to be there within ten seconds, and its body has to move: what stops for ten seconds is closed.
Of connections that send no whole request, the oldest gives way to a new one, by network address and in all, so that
whoever holds a thousand of them open keeps nobody else out.
"""

import asyncio
import logging
import resource
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger(__name__)

#: Seconds for the headers of a request, and for the next piece of its body.
HEADERS_WITHIN_S, BODY_MOVES_WITHIN_S = 10.0, 10.0
#: Connections of one network address that may be without a whole request.
WAITING_PER_ADDRESS = 100
#: Seconds between two lines in the log about the same thing.
SAY_AGAIN_S = 60.0
#: Descriptors for the database, the index, files that are being read, and what the platforms are asked.
OTHER_DESCRIPTORS = 256

#: Bytes that are read at once: a body in chunks of one byte is taken apart for seconds, and others are served between.
READ_AT_ONCE = 16 * 1024

_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_MANY = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 10\r\ncontent-length: 0\r\n\r\n"


@dataclass
class Connections:
    """The open connections of a server; those without a whole request in the order in which they began to wait."""

    at_most: int
    now: Callable[[], float]
    open: set["LimitedConnection"] = field(default_factory=set)
    waiting: dict["LimitedConnection", str] = field(default_factory=dict)  # → network address
    _said: dict[str, float] = field(default_factory=dict)

    def admit(self, connection: "LimitedConnection", address: str) -> bool:
        """Take a new connection; of too many that wait the oldest gives way, and when none waits it is refused."""
        while sum(each == address for each in self.waiting.values()) >= WAITING_PER_ADDRESS:
            self._give_way(next(one for one, its in self.waiting.items() if its == address))
        if len(self.open) >= self.at_most and self.waiting:
            self._give_way(next(iter(self.waiting)))
        if len(self.open) >= self.at_most:
            self.say(f"{self.at_most} connections are open, and a further one was refused")
            return False
        self.open.add(connection)
        self.waiting[connection] = address
        return True

    def forget(self, connection: "LimitedConnection") -> None:
        """Drop a connection that is closed."""
        self.open.discard(connection)
        self.waiting.pop(connection, None)

    def say(self, what: str) -> None:
        """Put a warning into the log, the same one at most once a minute."""
        if self.now() - self._said.get(what, -SAY_AGAIN_S) >= SAY_AGAIN_S:
            self._said[what] = self.now()
            log.warning("%s", what)

    def _give_way(self, connection: "LimitedConnection") -> None:
        self.say("too many connections sent no whole request: the oldest were closed")
        self.forget(connection)
        connection.transport.abort()


class LimitedConnection(H11Protocol):
    """uvicorn's own protocol, with a time for headers and bodies."""

    #: Set by `limited`.
    connections_of_server: Connections
    _timer: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request, or refuse."""
        super().connection_made(transport)
        if hasattr(transport, "max_size"):  # of asyncio's own: 256 kB
            transport.max_size = READ_AT_ONCE
        address = self.client[0] if self.client else ""
        if not self.connections_of_server.admit(self, address):
            self._refused = True
            transport.write(_TOO_MANY)
            transport.close()
            return
        self._wait(HEADERS_WITHIN_S)

    def data_received(self, data: bytes) -> None:
        """Take a piece, and give the next one its time."""
        if self._refused:
            return
        if self._is_idle():  # the first piece of a further request
            self.connections_of_server.waiting.setdefault(self, self.client[0] if self.client else "")
            self._wait(HEADERS_WITHIN_S)
        super().data_received(data)
        if self._is_answered_in_chunks():
            self.transport.close()
            return
        if self._is_without_request():
            return
        self.connections_of_server.waiting.pop(self, None)
        self._stop()
        if self.conn.their_state is h11.SEND_BODY:
            self._wait(BODY_MOVES_WITHIN_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop()
        self.connections_of_server.forget(self)
        super().connection_lost(exc)

    def _is_answered_in_chunks(self) -> bool:
        """Return whether a body goes on in chunks, of which nobody knows the end, and nobody reads it any more."""
        if self.conn.our_state is not h11.DONE or self.conn.their_state is not h11.SEND_BODY:
            return False
        return any(name == b"transfer-encoding" for name, _ in self.headers)

    def _is_without_request(self) -> bool:
        return self.conn.their_state is h11.IDLE

    def _is_idle(self) -> bool:
        return self._timer is None and self._is_without_request()

    def _wait(self, seconds: float) -> None:
        self._stop()
        self._timer = self.loop.call_later(seconds, self._late)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        if self.flow.read_paused and not self._is_without_request():
            self._wait(BODY_MOVES_WITHIN_S)  # it is us who do not read on
            return
        self.connections_of_server.say("requests were not sent to their end in time, and were closed")
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.write(_TOO_SLOW)
        self.transport.close()


def limited(connections: Connections) -> type[H11Protocol]:
    """Return the protocol of one server's connections."""
    return type("LimitedConnectionOfServer", (LimitedConnection,), {"connections_of_server": connections})


def descriptors_missing(connections: int) -> str:
    """Say what to do when the process may open fewer descriptors than its limits let in; "" when it may."""
    may, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    needs = connections + OTHER_DESCRIPTORS
    if may == resource.RLIM_INFINITY or may >= needs:
        return ""
    return (
        f"This process may open {may} files and connections, and limits.connections = {connections} needs {needs}: "
        f"raise it (ulimit -n {needs}, or LimitNOFILE= of the service) or lower limits.connections."
    )
