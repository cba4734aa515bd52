"""A browser chat with everything around it under the test's control."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import Request

from adapters.cards import Card, Text
from adapters.events import Account, Inbound
from adapters.port import Accepted, Receipt
from adapters.web.app import create
from adapters.web.chat import WebChat
from adapters.web.files import WebFiles
from adapters.web.hub import Hub
from adapters.web.render import Renderer
from adapters.web.services import WebServices
from adapters.web.transcript import MemoryTranscript, TranscriptPlace
from adapters.web.words import WebWords
from storage.clock import ManualClock

WORDS = WebWords(**{each.name: each.name for each in fields(WebWords)})
ADA = Account(platform="web", tenant="home", user="ada", name="Ada", language="en")
BEN = Account(platform="web", tenant="home", user="ben", name="Ben", language="en")
THREAD = "thread-0001"
EVENT = "event-00000001"


class StoreDown(Exception):
    """What the inbox raises when the database does not answer."""


@dataclass
class WebDesk:
    """The app, who is signed in (by the header `who`), and what was handed in."""

    heard: list[Inbound] = field(default_factory=list)
    receipt: Receipt = field(default_factory=Accepted)
    broken: Exception | None = None
    wait_s: float = 0
    folder: Path = Path("no-test-that-sends-files")
    file_bytes: int = 1_000
    clock: ManualClock = field(default_factory=ManualClock)
    chat: WebChat = field(init=False)
    app: Starlette = field(init=False)
    signed_in: dict[str, Account] = field(default_factory=lambda: {"ada": ADA, "ben": BEN})

    def __post_init__(self) -> None:
        self.chat = WebChat(MemoryTranscript(), Hub(), account_of=self._account_of, files=WebFiles(self.folder))
        self.app = create(
            WebServices(
                chat=self.chat,
                receive=self._receive,
                identify=self._identify,
                renderer=lambda _language: Renderer(WORDS, own_url="http://desk.example"),
                admit=self._admit,
                now=self.clock.now,
                monotonic=self.clock.monotonic,
                file_bytes=self.file_bytes,
                not_stored=(StoreDown,),
                poll_s=0.02,
            )
        )

    def client(self, who: str = "ada") -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        headers = {"who": who} if who else {}
        return httpx.AsyncClient(transport=transport, base_url="http://desk.example", headers=headers)

    async def post(self, door: str, body: Mapping[str, Any], *, who: str = "ada") -> httpx.Response:
        async with self.client(who) as client:
            return await client.post(f"/{door}", json={"event_id": EVENT, "thread": THREAD, **body})

    async def _receive(self, event: Inbound) -> Receipt:
        if self.broken is not None:
            raise self.broken
        self.heard.append(event)
        return self.receipt

    async def _identify(self, request: Request) -> Account | None:
        return self.signed_in.get(request.headers.get("who", ""))

    async def _admit(self, _account: Account) -> float:
        return self.wait_s

    async def _account_of(self, user: str) -> Account | None:
        return self.signed_in.get(user)


def card(text: str) -> Card:
    return Card(blocks=(Text(text),), fallback=text)


def place(user: str = "ada") -> TranscriptPlace:
    return TranscriptPlace(user, THREAD)
