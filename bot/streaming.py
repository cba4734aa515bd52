"""What can be seen while an answer is made: a status line, then the checked text. Best effort only."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import assert_never

from adapters.events import Address
from adapters.port import Chat, Stream, Unavailable, Undeliverable
from agent.runner import Piece, RunEvent, Status
from bot import store
from bot.texts.catalogue import has, say
from storage.clock import Clock
from storage.database import Database

log = logging.getLogger(__name__)

OnEvent = Callable[[RunEvent], Awaitable[None]]


class Live:
    """Shows runs while they are made."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def reports(self, chat: Chat, address: Address, *, key: str, language: str, again: bool) -> OnEvent:
        """Return what a run reports to; where the platform cannot stream, reports go nowhere.

        Nothing is shown `again`: what an earlier attempt left open is ended by the final post.
        """
        if again or not chat.limits.streams:
            return _nowhere

        async def opened(reference: str) -> None:
            async with self._database.transaction() as session:
                await store.open_stream(session, key=key, reference=reference, now=self._clock.now())

        try:
            return _Reports(await chat.stream(address, key=key, opened=opened), language).show
        except (Unavailable, Undeliverable) as why:
            log.info("an answer is not shown while it is made: %s", why)
            return _nowhere


@dataclass
class _Reports:
    stream: Stream
    language: str
    ended: bool = False

    async def show(self, event: RunEvent) -> None:
        """Show one report; after the first that the platform does not take, none is tried any more."""
        if self.ended:
            return
        try:
            match event:
                case Status(code=code):
                    await self.stream.status(say(self.language, _words(code)))
                case Piece(text=words):
                    await self.stream.append(words)
                case _:
                    assert_never(event)
        except (Unavailable, Undeliverable) as why:
            log.info("the rest of an answer is not shown while it is made: %s", why)
            self.ended = True


async def _nowhere(_event: RunEvent) -> None:
    """Drop a report."""


def _words(code: str) -> str:
    """Return the text of a status code: what a tool does is said by what it is about."""
    if code == "tool.search_knowledge":
        return "status.searching"
    if code.startswith("tool."):
        return "status.ticket"
    return f"status.{code}" if has(f"status.{code}") else "status.working"
