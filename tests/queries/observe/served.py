"""A server of the tests on a real socket of loopback, which answers as it is told and keeps what it was asked."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
import uvicorn

from queries.observe.sources.asking import Endpoint, HttpAsker, NoCredentials
from queries.observe.sources.recorded.api import AsgiApp, Receive, Scope, Send
from storage.clock import SystemClock
from tests.architecture.source import ROOT

RECORDINGS = ROOT.parent / "shared" / "data" / "kubernetes"


@dataclass(frozen=True)
class Question:
    """One request that came."""

    method: str
    path: str  # as it stood in the request
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """What is answered; a body may be bytes, or what is written as JSON."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def bytes(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


@dataclass
class Served:
    """An API that answers by a function."""

    answers: Callable[[Question], Answer]
    asked: list[Question] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        question = Question(
            scope["method"],
            scope["raw_path"].decode(),
            dict(parse_qsl(scope["query_string"].decode(), keep_blank_values=True)),
            {name.decode(): value.decode() for name, value in scope["headers"]},
            body,
        )
        self.asked.append(question)
        answer = self.answers(question)
        headers = [(name.encode(), value.encode()) for name, value in answer.headers.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.bytes})


@asynccontextmanager
async def listening(app: AsgiApp, **settings: Any) -> AsyncIterator[str]:
    """Yield the address at which an app answers; `settings` are uvicorn's."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", **settings))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    scheme = "https" if settings.get("ssl_certfile") else "http"
    try:
        yield f"{scheme}://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = server.force_exit = True
        await task
        listener.close()


@asynccontextmanager
async def asking(answers: Callable[[Question], Answer], **options: Any) -> AsyncIterator[tuple[HttpAsker, Served]]:
    """Yield what asks a server that answers by a function, and the server."""
    served = Served(answers)
    async with listening(served) as url:
        asker = HttpAsker(Endpoint(url), options.pop("credentials", NoCredentials()), SystemClock(), **options)
        try:
            yield asker, served
        finally:
            await asker.close()


def recordings() -> Path:
    """Return where the recordings lie; skip the test where they are not."""
    if not RECORDINGS.is_dir():
        pytest.skip("../shared/data/kubernetes is not there")
    return RECORDINGS


def listed(*names: str, after: str = "") -> Answer:
    """Return a list of objects with these names."""
    items = [{"metadata": {"name": name, "managedFields": [{"manager": "x"}]}} for name in names]
    return Answer({"kind": "List", "metadata": {"continue": after} if after else {}, "items": items})
