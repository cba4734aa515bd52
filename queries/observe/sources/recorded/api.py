"""An API server that answers as it once did: driven by the `requests.json` of a folder, over ASGI.

What was not recorded is answered by 404 with a reason of its own, so that it is never taken for "there is none".
"""

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import httpx

from queries.observe.reading import ClusterSources
from queries.observe.sources.asking import NOT_RECORDED, Endpoint, HttpAsker, NoCredentials
from queries.observe.sources.kubernetes.reader import KubernetesReader
from storage.clock import Clock
from storage.files.text import read_text

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

_JSON = "application/json"


@dataclass(frozen=True)
class RecordedAnswer:
    """One answer as it was given."""

    status: int
    content_type: str
    body: bytes
    retry_after_s: int = 0


@dataclass(frozen=True)
class _Question:
    """What tells two requests apart; page sizes and numbers of lines do not."""

    path: str
    selector: str = ""
    container: str = ""
    previous: bool = False


class RecordedApi:
    """Serves one folder. Building it reads the whole folder."""

    def __init__(self, folder: Path) -> None:
        self._answers = {
            _question(each["path"], each.get("query") or {}): _answer(folder, each)
            for each in json.loads((folder / "requests.json").read_text(encoding="utf-8"))
            if each.get("method", "GET") == "GET"
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, as ASGI has it."""
        if scope["type"] != "http":
            return
        while (await receive()).get("more_body"):
            pass
        query = dict(parse_qsl(scope["query_string"].decode(), keep_blank_values=True))
        answer = self.answer(scope["method"], scope["path"], query)
        await send_answer(send, answer)

    def answer(self, method: str, path: str, query: Mapping[str, str]) -> RecordedAnswer:
        """Return what was answered to such a request, or 404 with the reason NotRecorded."""
        asked = _question(path, query)
        found = self._answers.get(asked) if method == "GET" else None
        if found is None and method == "GET" and asked.selector:
            found = _selected(self._answers.get(_question(path, {})), asked.selector)
        if found is not None and "continue" in query:  # a further page was not kept
            return RecordedAnswer(429, "text/plain", b"the recording holds the first page only", retry_after_s=60)
        if found is None:
            return failure(404, f"the recording holds no answer to {method} {path}", reason=NOT_RECORDED)
        return _tail(found, query) if path.endswith("/log") and found.status == 200 else found


def open_recording(
    folder: Path, clock: Clock, *, around: Callable[[AsgiApp], AsgiApp] | None = None, timeout_s: float = 4.0
) -> ClusterSources:
    """Return the objects and logs of a recording; metrics come from `recorded.prometheus`. Reads the folder.

    `around` puts faults between reader and recording.
    """
    api: AsgiApp = RecordedApi(folder)
    transport = httpx.ASGITransport(around(api) if around else api)
    asker = HttpAsker(Endpoint("http://recording"), NoCredentials(), clock, timeout_s=timeout_s, transport=transport)
    return ClusterSources("recording", objects=KubernetesReader(asker))


def recorded_at(folder: Path) -> datetime:
    """Return the moment that a recording shows. Reads a file."""
    expected = read_text(folder / "expected.yaml").value
    said = expected.get("now") if isinstance(expected, dict) else None
    return said if isinstance(said, datetime) else datetime.fromisoformat(str(said))


async def send_answer(send: Send, answer: RecordedAnswer) -> None:
    """Send an answer over ASGI."""
    headers = [(b"content-type", answer.content_type.encode()), (b"content-length", b"%d" % len(answer.body))]
    if answer.retry_after_s:
        headers.append((b"retry-after", b"%d" % answer.retry_after_s))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


def failure(status: int, message: str, *, reason: str = "") -> RecordedAnswer:
    """Return an error as an API server words it."""
    body = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": reason,
        "code": status,
    }
    return RecordedAnswer(status, _JSON, json.dumps(body).encode())


def _question(path: str, query: Mapping[str, str]) -> _Question:
    return _Question(
        path.rstrip("/"),
        ",".join(sorted(query.get("labelSelector", "").replace("==", "=").split(","))),
        query.get("container", ""),
        query.get("previous", "").lower() in {"true", "1"},
    )


def _answer(folder: Path, request: Mapping[str, Any]) -> RecordedAnswer:
    name = request.get("file") or ""
    body = (folder / name).read_bytes() if name else b""
    return RecordedAnswer(int(request["status"]), request.get("content_type") or _JSON, body)


def _tail(answer: RecordedAnswer, query: Mapping[str, str]) -> RecordedAnswer:
    lines = answer.body.splitlines(keepends=True)
    if query.get("tailLines", "").isdecimal():
        most = int(query["tailLines"])
        lines = lines[-most:] if most else []
    if query.get("timestamps", "").lower() not in {"true", "1"}:
        lines = [line.partition(b" ")[2] for line in lines]
    return RecordedAnswer(answer.status, answer.content_type, b"".join(lines))


def _selected(everything: RecordedAnswer | None, selector: str) -> RecordedAnswer | None:
    """Return the part of a recorded list that labels select, when the whole list was recorded."""
    if everything is None or everything.status != 200:
        return everything
    wanted = dict(part.partition("=")[::2] for part in selector.split(","))
    answer = json.loads(everything.body)
    answer["items"] = [
        each
        for each in answer.get("items") or ()
        if wanted.items() <= (each.get("metadata", {}).get("labels") or {}).items()
    ]
    return RecordedAnswer(200, everything.content_type, json.dumps(answer).encode())
