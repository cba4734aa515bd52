"""A desk in a process of its own that kills itself between two steps: `python -m tests.crash.victim HOME URL STEP`.

A step is a commit, just before or just after it; step 0 never comes, so the process ends well.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from adapters.events import Message, Press
from adapters.web.transcript import TranscriptPlace
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.conversation.people import own_account
from bot.settings import load
from search.embedding.memory import HashEmbedder
from storage.database import Database, Session

PLACE = TranscriptPlace(user="ada", thread="main")


class DyingDatabase(Database):
    """Counts the edges of commits once armed, and dies at the chosen one."""

    armed = False
    edges = 0
    die_at = 0

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Session]:
        """Commit as ever, with a chance to die before and after."""
        async with super().transaction() as session:
            yield session
            await session.flush()
            self._edge()
        self._edge()

    def _edge(self) -> None:
        if not self.armed:
            return
        self.edges += 1
        if self.edges == self.die_at:
            os.kill(os.getpid(), signal.SIGKILL)


async def say(desk: Desk, text: str, *, event_id: str) -> None:
    """Send a message as the browser does."""
    ada = await desk.people.named("ada")
    await desk.inbox.receive(
        Message(
            event_id=event_id,
            account=own_account("web", ada),
            address=PLACE.address(),
            thread=PLACE.key,
            received_at=datetime.now(UTC),
            text=text,
        )
    )


async def press_confirm(desk: Desk, *, event_id: str) -> None:
    """Press Confirm on ada's draft as the browser does; a resend has the same event id."""
    ada = await desk.people.named("ada")
    drafts = await desk.tickets.open_drafts(ada)
    draft_id = drafts[0].id if drafts else "gone"
    nonce = await desk.tickets.nonce_for(ada, draft_id) if drafts else ""
    await desk.inbox.receive(
        Press(
            event_id=event_id,
            account=own_account("web", ada),
            address=PLACE.address(),
            thread=PLACE.key,
            received_at=datetime.now(UTC),
            action="draft.confirm",
            id=draft_id,
            nonce=nonce,
        )
    )


async def settle(desk: Desk) -> None:
    """Work everything off."""
    await desk.inbox.drain()
    while await desk.outbox.drain_once():
        pass


async def main(home: Path, url: str, die_at: int) -> None:
    """Confirm the draft, and die on the way."""
    database = DyingDatabase(url)
    desk = await compose(load(home=home, database_url=url), database=database, embedder=HashEmbedder())
    async with desk:
        database.die_at = die_at
        database.armed = True
        await press_confirm(desk, event_id="press-1")
        await settle(desk)
    await database.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
