"""What can be seen while an answer is made: a status line, then the checked text. Best effort only.

Nothing is shown of an answer while an earlier one of the same conversation is on its way: it would stand above it.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import assert_never

from adapters.events import Address
from adapters.port import Chat, Stream, Unavailable, Undeliverable
from agent.runner import Piece, RunEvent, Status
from bot import store
from bot.texts.catalogue import has, say
from storage import outbox
from storage.clock import Clock
from storage.database import Database

log = logging.getLogger(__name__)

OnEvent = Callable[[RunEvent], Awaitable[None]]


class Live:
    """Shows runs while they are made."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def reports(
        self, chat: Chat, address: Address, *, key: str, order: str, language: str, again: bool
    ) -> OnEvent:
        """Return what a run reports to; where the platform cannot stream, reports go nowhere.

        Posts of one `order` go one after the other. Nothing is shown `again`: what an earlier attempt left open is
        ended by the final post.
        """
        if again or not chat.limits.streams:
            return _nowhere

        async def opened(reference: str) -> None:
            async with self._database.transaction() as session:
                await store.open_stream(session, key=key, reference=reference, now=self._clock.now())

        async def its_turn() -> bool:
            async with self._database.reading() as session:
                return not await outbox.is_waiting(session, order=order)

        try:
            return _Reports(await chat.stream(address, key=key, opened=opened), language, its_turn).show
        except (Unavailable, Undeliverable) as why:
            log.info("an answer is not shown while it is made: %s", why)
            return _nowhere


@dataclass
class _Reports:
    stream: Stream
    language: str
    its_turn: Callable[[], Awaitable[bool]]
    held_back: list[RunEvent] | None = field(default_factory=list)  # None: shown as they come
    ended: bool = False

    async def show(self, event: RunEvent) -> None:
        """Show one report; after the first that the platform does not take, none is tried any more."""
        if self.ended:
            return
        events = [*(self.held_back or ()), event]
        if self.held_back is not None:
            self.held_back = None if await self.its_turn() else events
        if self.held_back is not None:
            return
        try:
            for each in events:
                await self._show(each)
        except (Unavailable, Undeliverable) as why:
            log.info("the rest of an answer is not shown while it is made: %s", why)
            self.ended = True

    async def _show(self, event: RunEvent) -> None:
        match event:
            case Status(code=code):
                await self.stream.status(say(self.language, _words(code)))
            case Piece(text=words):
                await self.stream.append(words)
            case _:
                assert_never(event)


async def _nowhere(_event: RunEvent) -> None:
    """Drop a report."""


def _words(code: str) -> str:
    """Return the text of a status code: what a tool does is said by what it is about."""
    if code == "tool.search_knowledge":
        return "status.searching"
    if code.startswith("tool."):
        return "status.ticket"
    return f"status.{code}" if has(f"status.{code}") else "status.working"
