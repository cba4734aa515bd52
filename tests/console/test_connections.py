"""Of connections without a whole request the oldest gives way: of one network address, and of all."""

import asyncio
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from typing import cast

import uvicorn
from starlette.types import Receive, Scope, Send

from bot.console.access.connections import READ_AT_ONCE, WAITING_PER_ADDRESS, Connections, LimitedConnection


@dataclass(eq=False)
class Line:
    """A connection, as far as it is counted."""

    aborted: bool = False
    transport: "Line" = field(init=False)

    def __post_init__(self) -> None:
        self.transport = self

    def abort(self) -> None:
        """Close it."""
        self.aborted = True


def admitted(connections: Connections, line: Line, address: str) -> bool:
    return connections.admit(cast(LimitedConnection, line), address)


def test_the_oldest_of_an_address_gives_way_to_its_next_and_nobody_else_does() -> None:
    connections = Connections(at_most=10_000, now=lambda: 0.0)
    other, lines = Line(), [Line() for _ in range(WAITING_PER_ADDRESS + 20)]
    assert admitted(connections, other, "192.0.2.1")
    assert [admitted(connections, each, "192.0.2.2") for each in lines].count(True) == len(lines)
    assert [each.aborted for each in lines] == [True] * 20 + [False] * WAITING_PER_ADDRESS
    assert not other.aborted


def test_of_all_the_oldest_that_waits_gives_way_and_where_none_waits_the_new_one_is_refused() -> None:
    connections = Connections(at_most=3, now=lambda: 0.0)
    lines = [Line() for _ in range(4)]
    assert [admitted(connections, each, f"192.0.2.{number}") for number, each in enumerate(lines)].count(True) == len(
        lines
    )
    assert [each.aborted for each in lines] == [True, False, False, False]
    connections.waiting.clear()
    assert not admitted(connections, Line(), "192.0.2.9")
    assert len(connections.open) == 3


class Ready(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


async def test_a_body_in_chunks_is_read_in_pieces_and_not_after_the_answer() -> None:
    pieces = list[int]()

    class Counting(LimitedConnection):
        connections_of_server = Connections(at_most=100, now=lambda: 0.0)

        def data_received(self, data: bytes) -> None:
            pieces.append(len(data))
            super().data_received(data)

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 413, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    server = Ready(uvicorn.Config(app, http=Counting, port=0, log_config=None, lifespan="off"))
    serving = asyncio.create_task(server.serve())
    await server.ready.wait()
    reader, writer = await asyncio.open_connection(*server.servers[0].sockets[0].getsockname())
    with suppress(ConnectionError):
        writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 413")
        for _ in range(200):
            writer.write(b"1\r\na\r\n" * 10_000)
            await writer.drain()
    writer.close()
    server.should_exit = True
    await serving
    assert max(pieces) <= READ_AT_ONCE
    assert sum(pieces) < 1_000_000
