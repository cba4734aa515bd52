"""A whole desk behind its web app, and browsers that are signed in to it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
from starlette.applications import Starlette

from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.server import build
from bot.settings import load
from identity.actor import Actor, local_operator
from search.embedding.memory import HashEmbedder
from storage.clock import Clock
from tests.scenarios.world import PEOPLE, write_pages
from tickets.ticket import Ticket

URL = "http://127.0.0.1:8765"
ORIGIN = {"origin": URL}


@dataclass
class Seen:
    """What a browser would make of a page."""

    status: int
    html: str
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        """Return the attributes of every such tag."""
        return [
            attributes
            for name, attributes in self.tags
            if name == tag and all(attributes.get(key) == value for key, value in wanted.items())
        ]

    @property
    def links(self) -> list[str]:
        """Return where its links lead."""
        return [str(attributes["href"]) for attributes in self.all("a") if "href" in attributes]


def look(answer: httpx.Response) -> Seen:
    """Parse an answer's page."""
    page = Seen(answer.status_code, answer.text)
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: page.tags.append((tag, dict(attrs)))  # type: ignore[method-assign]
    parser.handle_data = lambda data: setattr(page, "text", page.text + data)  # type: ignore[method-assign]
    parser.feed(answer.text)
    page.text = " ".join(page.text.split())
    return page


@dataclass
class Browser:
    """Somebody's browser."""

    client: httpx.AsyncClient
    csrf: str = ""

    async def get(self, path: str, **headers: str) -> Seen:
        """Open a page."""
        return look(await self.client.get(path, headers=headers))

    async def post(self, path: str, fields: Mapping[str, str] | None = None, **headers: str) -> httpx.Response:
        """Send a form of ours, as a page of ours does."""
        data = {"csrf": self.csrf, **(fields or {})}
        return await self.client.post(path, data=data, headers={**ORIGIN, **headers})

    async def door(self, name: str, body: Mapping[str, Any], **headers: str) -> httpx.Response:
        """Send JSON to a door of the chat."""
        given = {**ORIGIN, "x-csrf-token": self.csrf, **headers}
        common = {"event_id": "event-0000001", "thread": "thread-0001"}
        return await self.client.post(f"/chat/{name}", json={**common, **body}, headers=given)


@dataclass
class Site:
    """One desk and its app; nothing runs in the background unless a test starts it."""

    desk: Desk
    app: Starlette

    def anybody(self, **headers: str) -> Browser:
        """Return a browser that nobody is signed in to."""
        transport = httpx.ASGITransport(app=self.app, raise_app_exceptions=False)
        return Browser(httpx.AsyncClient(transport=transport, base_url=URL, headers=headers))

    async def browser(self, person: str) -> Browser:
        """Return a browser that somebody is signed in to, by a link."""
        browser = self.anybody()
        token = await self.desk.sign_in.link(await self.person(person))
        answer = await browser.client.post("/sign-in", data={"token": token}, headers=ORIGIN)
        assert answer.status_code == 303
        cookie = browser.client.cookies["dutydesk_session"]
        session = await self.desk.sign_in.session(cookie)
        assert session is not None
        browser.csrf = session.csrf
        return browser

    async def person(self, person: str) -> Actor:
        """Return somebody of people.yaml."""
        return await self.desk.directory.person(person)

    async def ticket(self, person: str, *, title: str = "Printer jams", description: str = "On floor 3") -> Ticket:
        """File a ticket without the chat."""
        actor = await self.person(person)
        draft = await self.desk.tickets.draft(
            actor,
            thread=f"web:{actor.id}/thread-0001",
            category="other",
            title=title,
            description=description,
            priority="normal",
            fields={},
            address={},
        )
        nonce = await self.desk.tickets.nonce_for(actor, draft.id)
        return await self.desk.tickets.file(actor, draft.id, nonce=nonce)


@asynccontextmanager
async def site(
    home: Path,
    *,
    demo: bool = False,
    people: str = PEOPLE,
    slack: Mapping[str, Any] | None = None,
    limits: Mapping[str, int] | None = None,
    clock: Clock | None = None,
    **web: Any,
) -> AsyncIterator[Site]:
    """Build a desk with a small shelf of documents behind its app."""
    await asyncio.to_thread(write_pages, home, {"people.yaml": people})
    settings = load(home=home, demo=demo, web=web, slack=slack or {}, limits=limits or {})
    async with await compose(settings, embedder=HashEmbedder(), clock=clock) as desk:
        folder = await asyncio.to_thread(write_pages, home / "handbook")
        await desk.search.add_folder(local_operator(), folder)
        yield Site(desk, build(desk))
