"""What can be seen while an answer is made: a status line, then the checked text. Best effort only.

Nothing is shown of an answer while an earlier one of the same conversation is on its way: it would stand above it.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import assert_never

from adapters.events import Address
from adapters.port import Chat, Stream, Unavailable, Undeliverable
from agent.runner.runner import Piece, RunEvent, Status
from bot.delivery import store
from bot.rendering.texts.catalogue import has, say
from features.anatomy.feature import Feature
from storage.clock import Clock
from storage.database import Database
from storage.queue import work

log = logging.getLogger(__name__)


class Live:
    """Shows runs while they are made."""

    def __init__(self, database: Database, clock: Clock, *, features: tuple[Feature, ...]) -> None:
        self._database = database
        self._clock = clock
        self._owners = {tool.spec.name: feature.name for feature in features for tool in feature.tools}

    @asynccontextmanager
    async def showing(
        self, chat: Chat, address: Address, *, key: str, order: str, language: str, again: bool
    ) -> AsyncIterator["Reports"]:
        """Yield what a run reports to; where the platform cannot stream, reports go nowhere.

        Posts of one `order` go one after the other. Nothing is shown `again`: what an earlier attempt left open is
        ended by the final post. After the block nothing more is shown, and the reference of what is seen is stored:
        any process can end it.
        """

        async def opened(reference: str) -> None:
            async with self._database.transaction() as session:
                await store.open_stream(session, key=key, reference=reference, now=self._clock.now())

        async def its_turn() -> bool:
            async with self._database.reading() as session:
                return not await work.is_waiting(session, line=order)

        reports = Reports(language, its_turn, self._owners)
        if chat.limits.streams and not again:
            try:
                reports.stream = await chat.stream(address, key=key, opened=opened)
            except (Unavailable, Undeliverable) as why:
                log.info("an answer is not shown while it is made: %s", why)
        try:
            yield reports
        finally:
            await reports.close()


@dataclass
class Reports:
    """What is reported of one run. Without `keep` nothing stays of it: the answer is for other eyes."""

    language: str
    its_turn: Callable[[], Awaitable[bool]]
    owners: Mapping[str, str]  # tool → the feature whose it is
    stream: Stream | None = None  # None: shown to nobody, or no more
    held_back: list[RunEvent] | None = field(default_factory=list)  # None: shown as they come
    keep: bool = True

    async def show(self, event: RunEvent) -> None:
        """Show one report; after the first that the platform does not take, none is tried any more."""
        if self.stream is None:
            return
        events = [*(self.held_back or ()), event]
        if self.held_back is not None:
            self.held_back = None if await self.its_turn() else events
        if self.held_back is not None:
            return
        try:
            for each in events:
                await self._show(self.stream, each)
        except (Unavailable, Undeliverable) as why:
            log.info("the rest of an answer is not shown while it is made: %s", why)
            await self.close()

    async def close(self) -> None:
        """Show no more."""
        if self.stream is None:
            return
        try:
            await self.stream.close(keep=self.keep)
        except (Unavailable, Undeliverable) as why:
            log.warning("what was shown of an answer cannot be taken away: %s", why)
        self.stream = None

    async def _show(self, stream: Stream, event: RunEvent) -> None:
        match event:
            case Status(code=code):
                await stream.status(say(self.language, _words(code, self.owners)))
            case Piece(text=words):
                await stream.append(words)
            case _:
                assert_never(event)


def _words(code: str, owners: Mapping[str, str]) -> str:
    """Return the key of the line that is shown: that of the tool, else that of its feature, else the plainest."""
    tool = code.removeprefix("tool.")
    keys = (f"status.{code}", f"status.feature.{owners.get(tool, '')}")
    return next((key for key in keys if has(key)), "status.working")
