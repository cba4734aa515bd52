"""The chat page; everything after it is drawn comes and goes through the web adapter's app."""

import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from functools import cache

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from adapters.cards import Buttons, Card, Rating, Text
from adapters.web.render import Renderer
from adapters.web.transcript import TranscriptEntry, TranscriptPlace
from adapters.web.words import WebWords
from bot.console.pages import Pages
from bot.rendering.cards import card_of
from bot.rendering.texts.catalogue import say
from features.anatomy.pages import Visit

_THREAD = re.compile(r"\A[A-Za-z0-9_-]{8,40}\Z")
#: Messages that the page begins with; older ones stay in the transcript.
SHOWN = 100
#: The examples of the welcome, in the order of the story: ask, report, follow up.
_STARTS = ("ask", "report", "follow")


class ChatPages:
    """A new conversation, an old one, and the list of them."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._desk = pages.desk

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            self._pages.get("/", self.begin),
            self._pages.get("/c/{thread}", self.resume),
            self._pages.get("/conversations", self.all),
        ]

    async def begin(self, visit: Visit) -> Response:
        """Show an empty conversation under a new id; it exists once something is said."""
        return await self._draw(visit, secrets.token_urlsafe(12))

    async def resume(self, visit: Visit) -> Response:
        """Show a conversation; an unknown id is an empty one, since ids live below the person."""
        thread = visit.parts["thread"]
        if not _THREAD.match(thread):
            raise HTTPException(404)
        return await self._draw(visit, thread)

    async def all(self, visit: Visit) -> Response:
        """Show the list of conversations."""
        threads = await self._desk.transcript.threads(visit.actor.id, limit=200)
        return await self._pages.draw(visit, "conversations.html", here="chat", threads=threads)

    async def _draw(self, visit: Visit, thread: str) -> Response:
        renderer = renderer_for(visit.language, own_url=self._desk.settings.public_url)
        place = TranscriptPlace(visit.actor.id, thread)
        entries = await self._desk.transcript.recent(place, limit=SHOWN)
        renderer = replace(renderer, verdicts=await self._desk.runs.verdicts(visit.actor, _rated(entries)))
        home = None if entries else await self._home(visit)
        return await self._pages.draw(
            visit,
            "chat.html",
            here="chat",
            thread=thread,
            threads=await self._desk.transcript.threads(visit.actor.id, limit=30),
            entries=[Markup(renderer.entry(entry)) for entry in entries],  # noqa: S704 - the renderer escapes
            after=max((entry.seq for entry in entries), default=0),
            home=Markup(renderer.card(home)) if home else "",  # noqa: S704 - as above
            starts=self._starts(visit),
            words=renderer.words,
            words_json=json.dumps(asdict(renderer.words), ensure_ascii=False),
        )

    async def _home(self, visit: Visit) -> Card | None:
        """Return what waits for the visitor; nothing is not worth a card."""
        blocks = await self._desk.home.blocks(visit.actor, visit.reader)
        return card_of(blocks, visit.reader) if any(isinstance(each, Buttons | Text) for each in blocks) else None

    def _starts(self, visit: Visit) -> list[dict[str, str]]:
        kind = "demo" if self._desk.settings.demo else "plain"
        starts = [
            {"label": visit.say(f"console.start.{name}.label"), "text": visit.say(f"console.start.{name}.{kind}")}
            for name in _STARTS
        ]
        for feature in self._desk.features:
            text = feature.example(visit.actor, visit.language) if feature.example is not None else ""
            if text:
                starts.append({"label": visit.say(f"console.start.{feature.name}"), "text": text})
        return starts


def _rated(entries: Sequence[TranscriptEntry]) -> tuple[str, ...]:
    """Return the ids of the answers among these messages that can be rated."""
    cards = (entry.content for entry in entries if isinstance(entry.content, Card))
    return tuple(block.id for card in cards for block in card.blocks if isinstance(block, Rating))


@cache
def renderer_for(language: str, *, own_url: str) -> Renderer:
    """Return the renderer of a language."""
    words = WebWords(**{each.name: say(language, f"web.{each.name}") for each in fields(WebWords)})
    return Renderer(words=words, own_url=own_url)
