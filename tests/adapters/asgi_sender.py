"""Posts to an ASGI app piece by piece, and tells how much of it was asked for."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

App = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]
]
#: One header that comes twice has two values.
Headers = Mapping[str, str | tuple[str, ...]]

#: Stands for a piece that never comes.
HANGS = b"hangs"


@dataclass
class Answer:
    """What came back, and how much of the body was asked for."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    read: int = 0


async def post(app: App, pieces: Iterable[bytes], headers: Headers, *, method: str = "POST") -> Answer:
    """Return what comes back; after the last piece the sender is gone."""
    answer, waiting = Answer(), list(pieces)

    async def receive() -> MutableMapping[str, Any]:
        if not waiting:
            return {"type": "http.disconnect"}
        piece = waiting.pop(0)
        if piece is HANGS:
            await asyncio.Event().wait()
        answer.read += len(piece)
        return {"type": "http.request", "body": piece, "more_body": bool(waiting)}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            answer.body += message["body"]

    await app({"type": "http", "method": method, "path": "/", "headers": _raw(headers)}, receive, send)
    return answer


def _raw(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, values in headers.items()
        for value in ([values] if isinstance(values, str) else values)
    ]
